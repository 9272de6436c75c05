"""Languages by their codes and their English names, as ISO 639 has them."""

import re
from difflib import get_close_matches
from typing import Any, NamedTuple

from accord.errors import InputError

CODES = ("alpha_2", "alpha_3", "bibliographic")
NAMES = ("name", "common_name", "inverted_name")
TAG = re.compile("[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*")
# What people write for a language but ISO 639 does not: countries, old codes, everyday names.
MEANT = {
    "at": "de",
    "by": "be",
    "cantonese": "yue",
    "cn": "zh",
    "cz": "cs",
    "dk": "da",
    "farsi": "fa",
    "gr": "el",
    "greek": "el",
    "ir": "fa",
    "iw": "he",
    "jp": "ja",
    "kh": "km",
    "mandarin": "zh",
    "mm": "my",
    "rs": "sr",
    "ua": "uk",
    "us": "en",
    "vn": "vi",
}
EXPECTED = "expected a language code or name, as zh, pt-BR or Chinese"


class Language(NamedTuple):
    """A language: its code, of two letters where it has such a one, and its English name."""

    code: str
    name: str


def find_language(given: str) -> Language:
    """The language of a code (zh, zho), a tag (zh-CN, pt_BR) or an English name (Chinese)."""
    if found := _look_up(given.strip()):
        return found
    near = _nearest(given.strip().lower())
    hint = f"; did you mean {near.code} ({near.name})?" if near else ""
    raise InputError(f"{given!r}: {EXPECTED}{hint}")


def language_tag(given: str) -> str:
    """The language as files name it: a tag with a region as it is, all else by its code, if it has
    one; codes that ISO 639 does not know are left to who uses them."""
    tag = given.strip().replace("_", "-")
    if TAG.fullmatch(tag):
        found = None if "-" in tag else _look_up(tag)
        return found.code if found else tag
    if _code_of(tag):  # it begins as a tag and does not go on as one
        raise InputError(f"{given!r}: {EXPECTED}")
    return find_language(given).code


def _look_up(given: str) -> Language | None:
    from pycountry import languages

    if code := _code_of(given):  # which may be a name as well: En is one, and Ir
        entries = (languages.get(**{kind: code}) for kind in CODES)
    else:
        entries = (one for one in languages if given.lower() in _names_of(one))
    entry = next(filter(None, entries), None)
    if entry is None:
        return None
    if entry.alpha_3 == "cmn":  # Mandarin is what zh stands for.
        return _look_up("zh")
    return Language(getattr(entry, "alpha_2", entry.alpha_3), entry.name)


def _names_of(entry: Any) -> list[str]:
    return [getattr(entry, kind).lower() for kind in NAMES if hasattr(entry, kind)]


def _code_of(given: str) -> str:
    """The code that a code or tag begins with; nothing for a name."""
    code = re.split("[-_]", given)[0].lower()
    return code if len(code) in (2, 3) else ""


def _nearest(given: str) -> Language | None:
    """The language that was probably meant: one with a code of two letters, if any is near."""
    from pycountry import languages

    code = _code_of(given)
    if meant := MEANT.get(code or given):
        return _look_up(meant)
    short = [language for language in languages if hasattr(language, "alpha_2")]
    if code:
        near = get_close_matches(code, [language.alpha_2 for language in short], 1, cutoff=0.5)
        return _look_up(near[0]) if near else None
    for some in (short, languages):
        names = {language.name.lower(): language.alpha_3 for language in some}
        if near := get_close_matches(given, names, 1, cutoff=0.7):
            return _look_up(names[near[0]])
    return None
