"""The languages of the demo: those for which its packages have thousands of strings."""

import re
from typing import NamedTuple

from accord.errors import SettingError


class Language(NamedTuple):
    """A language, and what the packages call it."""

    code: str  # as in emoji, Babel and the tokenisers
    name: str
    pack: str  # the module of JupyterLab's language pack
    locales: tuple[str, ...]  # the folders of Gramps and pycountry, the best first


def _language(code: str, name: str, country: str, *locales: str) -> Language:
    return Language(code, name, f"jupyterlab_language_pack_{code}_{country}", locales)


PAIRS = {
    f"en-{language.code}": language
    for language in (
        _language("zh", "Chinese", "CN", "zh_CN"),
        _language("de", "German", "DE", "de"),
        _language("es", "Spanish", "ES", "es"),
        _language("fr", "French", "FR", "fr"),
        _language("it", "Italian", "IT", "it"),
        _language("pl", "Polish", "PL", "pl"),
        _language("pt", "Portuguese", "BR", "pt_BR", "pt"),
        _language("ru", "Russian", "RU", "ru"),
        _language("tr", "Turkish", "TR", "tr"),
    )
}
DEFAULT_PAIR = "en-zh"


def language_of(pair: str) -> Language:
    """The language that stands beside English in a pair such as en-zh."""
    if language := PAIRS.get(pair):
        return language
    words = re.findall(r"[a-z]+", pair.lower())  # of zh-en, EN_ZH, zh or Chinese
    near = [p for p, other in PAIRS.items() if {other.code, other.name.lower()} & {*words}]
    hint = f"; did you mean {near[0]}?" if near else ""
    raise SettingError(f"pair: expected one of {', '.join(PAIRS)}, found {pair!r}{hint}")
