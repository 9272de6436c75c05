"""Tokenisers: text to words, and words back to text, for every language.

A tokeniser takes a block of text (any number of lines) and returns as many lines, in NFC, with
single spaces between words and punctuation as separate words. It takes blocks because a call costs
more than a line does.

Most languages are split at the word boundaries of Unicode (UAX #29), and some of them also at
elided words (`elision.py`). A language that is written without spaces needs a library. To add one:

1. write a function that imports the library and returns a function that splits a string into words,
   such as `_load_thai` below;
2. add a `TokeniserLibrary` to `TOKENISERS`, with the letters that go through the library; all other
   characters are split at Unicode word boundaries, so that names and numbers become the same words
   in every language;
3. add an extra with the language code as its name to `pyproject.toml`.

`load_tokeniser` then finds it by the language code.
"""

import os
import re
import unicodedata
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from itertools import chain
from typing import Literal

from unicode_segmentation_rs import split_word_bounds

from accord.corpus.loading import OTHER_SPACES
from accord.corpus.text.elision import find_clitic_splitter
from accord.corpus.text.languages import Language, find_language
from accord.corpus.vocabulary import normalise
from accord.errors import AccordError, InputError

Tokeniser = Callable[[str], str]
# Splits text without spaces into words.
Splitter = Callable[[str], Iterable[str]]

HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
KANA = "\u3041-\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
THAI = "\u0e01-\u0e3a\u0e40-\u0e4e"


@dataclass(frozen=True)
class TokeniserLibrary:
    """A library that tokenises a language written without spaces. It is imported when used."""

    language: Language
    packages: tuple[str, ...]  # their names in the package index
    letters: str  # of the script, as ranges of a regular expression
    load_splitter: Callable[[], Splitter]

    @property
    def is_installed(self) -> bool:
        """Whether all packages are installed."""
        return all(find_spec(package.replace("-", "_")) for package in self.packages)

    @property
    def install_command(self) -> str:
        """The command that installs the packages."""
        return f"pip install 'accord[{self.language.code}]'"

    def load(self) -> Splitter:
        """Import the library and return its splitter."""
        if not self.is_installed:
            needed = " and ".join(self.packages)
            raise AccordError(f"{self.language.name} needs {needed}: {self.install_command}")
        return self.load_splitter()


def _load_chinese() -> Splitter:
    from rjieba import cut

    return cut


def _load_japanese() -> Splitter:
    from sudachipy import Dictionary, SplitMode

    # The medium one of its three word lengths: 国家 公務員, not 国家 公務 員 or 国家公務員.
    tokeniser = Dictionary().tokenizer(SplitMode.B)
    return lambda run: [word.surface() for word in tokeniser.tokenize(run)]


def _load_thai() -> Splitter:
    # Without this, PyThaiNLP creates a folder in the home directory. PYTHAINLP_READ_MODE is the
    # old name, and setting both is an error.
    if "PYTHAINLP_READ_MODE" not in os.environ:
        os.environ.setdefault("PYTHAINLP_READ_ONLY", "1")
    from pythainlp.tokenize import word_tokenize

    return lambda run: word_tokenize(run, engine="newmm-safe")


TOKENISERS = {
    library.language.code: library
    for library in (
        TokeniserLibrary(Language("zh", "Chinese"), ("rjieba",), HAN, _load_chinese),
        TokeniserLibrary(
            Language("ja", "Japanese"),
            ("sudachipy", "sudachidict-core"),
            HAN + KANA,
            _load_japanese,
        ),
        TokeniserLibrary(Language("th", "Thai"), ("pythainlp",), THAI, _load_thai),
    )
}
# Languages written without spaces that have no library here. Unicode word boundaries would make
# every letter a word.
UNSUPPORTED = (
    Language("km", "Khmer"),
    Language("lo", "Lao"),
    Language("my", "Burmese"),
    Language("mnw", "Mon"),
    Language("shn", "Shan"),
)

# Invisible characters that make two words of one: the soft hyphen, byte order marks, and marks of
# writing direction. The zero-width space (U+200B) separates words.
INVISIBLE = (
    "\xad\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"
)
REPLACEMENTS = dict.fromkeys(OTHER_SPACES + "\u200b", " ") | dict.fromkeys(INVISIBLE, "")
REPLACED = re.compile(f"[{''.join(REPLACEMENTS)}]")
# The most letters that a library gets in one call. SudachiPy takes at most 49,149 bytes, and a
# letter has up to four.
LONGEST_RUN = 10_000


def load_tokeniser(
    language: str, *, pretokenised: bool = False, lower: bool = False, nfkc: bool = False
) -> Tokeniser:
    """Return the tokeniser of a language; pretokenised text only gets its white space cleaned."""
    split = _choose_splitting(find_language(language), pretokenised)
    form: Literal["NFC", "NFKC"] = "NFKC" if nfkc else "NFC"

    def tokenise(block: str) -> str:
        visible = REPLACED.sub(lambda found: REPLACEMENTS[found[0]], block)
        text = _squeeze_spaces(split(unicodedata.normalize(form, visible)))
        # Lower-casing comes last because the dictionaries of the libraries contain capitals. It
        # can leave combining marks, so the text is normalised again.
        return unicodedata.normalize(form, text.lower()) if lower else text

    return tokenise


def _choose_splitting(language: Language, pretokenised: bool) -> Tokeniser:
    if pretokenised:
        return str
    if library := TOKENISERS.get(language.code):
        return _split_by_script(library.letters, library.load())
    if language in UNSUPPORTED:
        raise InputError(
            f"{language.name} is written without spaces, and Accord has no tokeniser for it; "
            "put spaces between the words first, and pass the text as pretokenised"
        )
    if clitics := find_clitic_splitter(language.code):
        return partial(clitics.tokenise, split=split_at_boundaries)
    return split_at_boundaries


def split_at_boundaries(block: str) -> str:
    """Put spaces at all Unicode word boundaries, possibly several in a row."""
    return " ".join([piece for piece in split_word_bounds(block) if piece != " "])


def _split_by_script(letters: str, split: Splitter) -> Tokeniser:
    """Return a tokeniser that splits runs of these letters by a library, all else by Unicode."""
    runs = re.compile(f"([{letters}]{{1,{LONGEST_RUN}}})")

    def split_block(block: str) -> str:
        pieces = runs.split(block)  # alternating: other text, a run, other text, …
        pieces[::2] = map(split_at_boundaries, pieces[::2])
        pieces[1::2] = [" ".join(split(run)) for run in pieces[1::2]]
        return " ".join(pieces)

    return split_block


def _squeeze_spaces(block: str) -> str:
    """Leave single spaces between words and none at the ends of lines."""
    while "  " in block:
        block = block.replace("  ", " ")
    return block.replace(" \n", "\n").replace("\n ", "\n").strip(" ")


def load_detokeniser(language: str) -> Callable[[str], str]:
    """Return a function that writes words as the language does.

    It removes spaces next to letters of a language written without spaces, and spaces between
    clitics and their words. Text in other languages stays as it is. A bracket may mark a phrase in
    its context.
    """
    code = re.split("[-_]", language.lower())[0]
    if clitics := find_clitic_splitter(code):
        return clitics.join
    library = TOKENISERS.get(code)
    if library is None:
        return str
    letter = rf"[{library.letters}]"
    spaces = re.compile(rf"(?<={letter}) |(?<={letter}]) | (?=\[?{letter})")
    return lambda words: spaces.sub("", words)


# The tokenisers that papers of the field use. They are ten times slower and only serve experiments.
CHUNK = 20_000


def tokenise_texts(texts: list[str], language: str, processes: int) -> list[str]:
    """Return all texts tokenised as in published experiments, lower-cased and in NFC.

    Chinese goes through rjieba alone, languages with spaces through the tokeniser of Moses.
    """
    _load_experiment_tokeniser(language)  # fail here rather than in a process
    chunks = [texts[begin : begin + CHUNK] for begin in range(0, len(texts), CHUNK)]
    if len(chunks) == 1 or processes == 1:
        parts = [_tokenise_chunk(chunk, language) for chunk in chunks]
    else:
        with ProcessPoolExecutor(processes) as pool:
            parts = list(pool.map(_tokenise_chunk, chunks, [language] * len(chunks)))
    return list(chain.from_iterable(parts))


def _tokenise_chunk(texts: list[str], language: str) -> list[str]:
    tokenise = _load_experiment_tokeniser(language)
    return [normalise(tokenise(text)).lower() for text in texts]


def _load_experiment_tokeniser(language: str) -> Tokeniser:
    if language == "zh":
        split = TOKENISERS[language].load()
        return lambda text: " ".join(split(text))
    if language in TOKENISERS or language in (unsupported.code for unsupported in UNSUPPORTED):
        return load_tokeniser(language)
    try:
        from sacremoses import MosesTokenizer
    except ImportError:
        raise AccordError("tokenising needs sacremoses: pip install 'accord[synth]'") from None
    tokeniser = MosesTokenizer(lang=language)
    return lambda text: str(tokeniser.tokenize(text, return_str=True, escape=False))
