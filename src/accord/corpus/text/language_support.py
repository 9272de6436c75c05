"""The languages that need more than the word boundaries of Unicode, and whether they have it."""

from typing import NamedTuple

from accord.corpus.text.clitics import ELISIONS
from accord.corpus.text.languages import Language
from accord.corpus.text.tokenisers import TOKENISERS, UNSUPPORTED


class TokenisedLanguage(NamedTuple):
    """A language that is written without spaces, and the library that tokenises it."""

    code: str
    name: str
    packages: tuple[str, ...]  # their names in the package index
    installed: bool
    install: str  # the command


class CliticLanguage(NamedTuple):
    """A language whose clitics are separated from their words."""

    code: str
    name: str
    example: str
    source: str  # of the list of clitics


class LanguageSupport(NamedTuple):
    """What the languages have; those that are not listed need nothing."""

    languages: list[TokenisedLanguage]
    clitics: list[CliticLanguage]
    unserved: list[Language]  # written without spaces, and without a tokeniser here


def list_languages() -> LanguageSupport:
    """Return what each language has, and whether its library is installed."""
    return LanguageSupport(
        [
            TokenisedLanguage(
                *library.language, library.packages, library.is_installed, library.install_command
            )
            for library in TOKENISERS.values()
        ],
        [CliticLanguage(*row.language, row.example, row.source) for row in ELISIONS.values()],
        list(UNSUPPORTED),
    )
