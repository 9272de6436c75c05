"""Text to words, by the language: each through a library made for it, imported when it is used.

A segmenter takes a block of text and returns as many lines, in NFC, words parted by single spaces,
punctuation as words of its own. Blocks and not lines, as a call costs more than a line. All that
is not in the script of a language with a library goes by the word boundaries of Unicode.
"""

import os
import re
import unicodedata
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import chain
from typing import Literal

from accord.corpus.loading import OTHER_SPACES
from accord.corpus.text.boundaries import Cut, by_script, squeeze, unicode_words
from accord.corpus.text.languages import Language, find_language
from accord.corpus.vocabulary import normalise
from accord.errors import AccordError, InputError

CHUNK = 20_000
# Of these the boundaries of Unicode make a word of every letter, and no library is taken yet.
UNSERVED = (
    Language("km", "Khmer"),
    Language("lo", "Lao"),
    Language("my", "Burmese"),
    Language("mnw", "Mon"),
    Language("shn", "Shan"),
)
HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
KANA = "\u3041-\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
THAI = "\u0e01-\u0e3a\u0e40-\u0e4e"
# Characters that nobody sees, but that make two words of one: the soft hyphen, byte order marks,
# directions. The space without width (U+200B) parts words.
UNSEEN = "\xad\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"
REPLACED = dict.fromkeys(OTHER_SPACES + "\u200b", " ") | dict.fromkeys(UNSEEN, "")
TO_REPLACE = re.compile(f"[{''.join(REPLACED)}]")

Segmenter = Callable[[str], str]
Split = Callable[[str], Iterable[str]]


def segmenter(
    language: str, *, pretokenised: bool = False, lower: bool = False, nfkc: bool = False
) -> Segmenter:
    """What turns a block of text of this language into words; pretokenised text has them."""
    cut = _cut_of(find_language(language), pretokenised)
    form: Literal["NFC", "NFKC"] = "NFKC" if nfkc else "NFC"

    def words(block: str) -> str:
        seen = TO_REPLACE.sub(lambda found: REPLACED[found[0]], block)
        text = squeeze(cut(unicodedata.normalize(form, seen)))
        # Here, and not before, as dictionaries have capitals; which may leave a mark to compose.
        return unicodedata.normalize(form, text.lower()) if lower else text

    return words


def _cut_of(language: Language, pretokenised: bool) -> Cut:
    if pretokenised:
        return str
    if library := LIBRARIES.get(language.code):
        return by_script(library.letters, library.load())
    if language in UNSERVED:
        raise InputError(
            f"{language.name} is written without spaces, and there is no segmenter for it here; "
            "part its words by spaces before, and give it as pretokenised"
        )
    return unicode_words


@dataclass(frozen=True)
class Library:
    """What segments a language that is written without spaces."""

    language: Language
    packages: tuple[str, ...]  # as they are named where they are installed from
    letters: str
    split: Callable[[], Split]

    @property
    def is_installed(self) -> bool:
        return all(find_spec(package.replace("-", "_")) for package in self.packages)

    @property
    def installing(self) -> str:
        """The command that installs it."""
        return f"pip install 'accord[{self.language.code}]'"

    def load(self) -> Split:
        if not self.is_installed:
            needed = " and ".join(self.packages)
            raise AccordError(f"{self.language.name} needs {needed}: {self.installing}")
        return self.split()


def _chinese() -> Split:
    from rjieba import cut

    return cut


def _japanese() -> Split:
    from sudachipy import Dictionary, SplitMode

    # Of its three lengths of words the middle one: 国家 公務員, not 国家 公務 員 or 国家公務員.
    tokeniser = Dictionary().tokenizer(SplitMode.B)
    return lambda run: [word.surface() for word in tokeniser.tokenize(run)]


def _thai() -> Split:
    if "PYTHAINLP_READ_MODE" not in os.environ:  # its old name; it wants not both
        os.environ.setdefault("PYTHAINLP_READ_ONLY", "1")  # or it makes a folder in the home
    from pythainlp.tokenize import word_tokenize

    return lambda run: word_tokenize(run, engine="newmm-safe")


LIBRARIES = {
    library.language.code: library
    for library in (
        Library(Language("zh", "Chinese"), ("rjieba",), HAN, _chinese),
        Library(
            Language("ja", "Japanese"), ("sudachipy", "sudachidict-core"), HAN + KANA, _japanese
        ),
        Library(Language("th", "Thai"), ("pythainlp",), THAI, _thai),
    )
}


def segment(texts: list[str], language: str, processes: int) -> list[str]:
    """All texts, lower-cased and in NFC, in as many processes, tokenised as the field compares by.

    This is for experiments such as the paper's: Chinese by rjieba alone, languages with spaces by
    Moses' tokeniser, ten times as slow as a segmenter.
    """
    _tokeniser(language)  # an error is better here than in a process
    chunks = [texts[begin : begin + CHUNK] for begin in range(0, len(texts), CHUNK)]
    if len(chunks) == 1 or processes == 1:
        parts = [_segment_chunk(chunk, language) for chunk in chunks]
    else:
        with ProcessPoolExecutor(processes) as pool:
            parts = list(pool.map(_segment_chunk, chunks, [language] * len(chunks)))
    return list(chain.from_iterable(parts))


def _segment_chunk(texts: list[str], language: str) -> list[str]:
    words = _tokeniser(language)
    return [normalise(words(text)).lower() for text in texts]


def _tokeniser(language: str) -> Segmenter:
    if language == "zh":
        cut = LIBRARIES[language].load()
        return lambda text: " ".join(cut(text))
    if language in LIBRARIES or language in (unserved.code for unserved in UNSERVED):
        return segmenter(language)
    return _moses(language)


def _moses(language: str) -> Segmenter:
    try:
        from sacremoses import MosesTokenizer
    except ImportError:
        raise AccordError("tokenising needs sacremoses: pip install 'accord[synth]'") from None
    tokeniser = MosesTokenizer(lang=language)
    return lambda text: str(tokeniser.tokenize(text, return_str=True, escape=False))
