"""The languages of the demo: those for which its packages contain thousands of strings."""

import re
from typing import NamedTuple

from accord.errors import SettingError


class DemoLanguage(NamedTuple):
    """A language, and its names in the packages."""

    code: str  # as in emoji, Babel and the tokenisers
    name: str
    pack: str  # the module of JupyterLab's language pack
    locales: tuple[str, ...]  # the folders of Gramps and pycountry, in order of preference


def _language(code: str, name: str, country: str, *locales: str) -> DemoLanguage:
    return DemoLanguage(code, name, f"jupyterlab_language_pack_{code}_{country}", locales)


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


def find_demo_language(pair: str) -> DemoLanguage:
    """Return the other language of a pair with English, such as en-zh."""
    if language := PAIRS.get(pair):
        return language
    words = re.findall(r"[a-z]+", pair.lower())  # of zh-en, EN_ZH, zh or Chinese
    near = [p for p, other in PAIRS.items() if {other.code, other.name.lower()} & {*words}]
    hint = f"; did you mean {near[0]}?" if near else ""
    raise SettingError(f"pair: expected one of {', '.join(PAIRS)}, found {pair!r}{hint}")
