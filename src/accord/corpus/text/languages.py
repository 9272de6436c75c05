"""Languages by the codes and English names of ISO 639."""

import re
from difflib import get_close_matches
from typing import Any, NamedTuple

from accord.errors import InputError, SettingError

CODES = ("alpha_2", "alpha_3", "bibliographic")
NAMES = ("name", "common_name", "inverted_name")
TAG = re.compile("[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*")
# What people write for a language although ISO 639 does not: country codes, old codes, names.
ALIASES = {
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
EXPECTED = "expected a language code or name such as zh, pt-BR or Chinese"


class Language(NamedTuple):
    """A language: its two-letter code, or three-letter code if it has no other, and its name."""

    code: str
    name: str


def find_language(given: str) -> Language:
    """Return the language of a code (zh, zho), a tag (zh-CN, pt_BR) or a name (Chinese)."""
    if found := _look_up(given.strip()):
        return found
    near = _guess_language(given.strip().lower())
    hint = f"; did you mean {near.code} ({near.name})?" if near else ""
    raise InputError(f"{given!r}: {EXPECTED}{hint}")


def find_tag(given: str) -> str:
    """Return the tag of a language for use in files.

    A tag with a region is returned unchanged, and so is a code that ISO 639 does not know. All
    else is replaced by the code of the language.
    """
    tag = given.strip().replace("_", "-")
    if TAG.fullmatch(tag):
        found = None if "-" in tag else _look_up(tag)
        return found.code if found else tag
    if _split_code(tag):  # begins like a tag but is none
        raise InputError(f"{given!r}: {EXPECTED}")
    return find_language(given).code


def check_two_languages(source_lang: str | None, target_lang: str | None) -> None:
    """Raise an error if both sides have the same language. Regions and scripts count: en-GB, en-US.

    A side without a language, or in one that ISO 639 does not know, may be any.
    """
    if source_lang and target_lang and _unify(source_lang) == _unify(target_lang):
        raise SettingError(
            f"source_lang and target_lang: expected two languages, found {target_lang!r} for both"
        )


def _unify(given: str) -> str:
    try:
        return find_tag(given).lower()
    except InputError:
        return given.lower()


def _look_up(given: str) -> Language | None:
    from pycountry import languages

    if code := _split_code(given):  # tried first, although En and Ir are names of languages, too
        entries = (languages.get(**{kind: code}) for kind in CODES)
    else:
        entries = (one for one in languages if given.lower() in _list_names(one))
    entry = next(filter(None, entries), None)
    if entry is None:
        return None
    if entry.alpha_3 == "cmn":  # zh stands for Mandarin
        return _look_up("zh")
    return Language(getattr(entry, "alpha_2", entry.alpha_3), entry.name)


def _list_names(entry: Any) -> list[str]:
    return [getattr(entry, kind).lower() for kind in NAMES if hasattr(entry, kind)]


def _split_code(given: str) -> str:
    """Return the code that a tag begins with, or "" if this is a name."""
    code = re.split("[-_]", given)[0].lower()
    return code if len(code) in (2, 3) else ""


def _guess_language(given: str) -> Language | None:
    """Return the language that was probably meant, preferably one with a two-letter code."""
    from pycountry import languages

    code = _split_code(given)
    if alias := ALIASES.get(code or given):
        return _look_up(alias)
    short = [language for language in languages if hasattr(language, "alpha_2")]
    if code:
        near = get_close_matches(code, [language.alpha_2 for language in short], 1, cutoff=0.5)
        return _look_up(near[0]) if near else None
    for candidates in (short, languages):
        names = {language.name.lower(): language.alpha_3 for language in candidates}
        if near := get_close_matches(given, names, 1, cutoff=0.7):
            return _look_up(names[near[0]])
    return None
