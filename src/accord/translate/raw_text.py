"""Raw text around the decoder: lines become words, and translations become text again."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from accord.corpus.text.elision import find_clitic_splitter
from accord.corpus.text.languages import find_language
from accord.translate.orthography import Orthography
from accord.translate.phrase_table import Sentence, split_sentences
from accord.translate.placeholders import ProtectedLine


class RawText(NamedTuple):
    """Lines with what is not translated, and how their translations are written."""

    lines: Sequence[ProtectedLine]
    orthography: Orthography
    target_language: str

    @classmethod
    def of(cls, lines: Iterable[str], orthography: Orthography, target_language: str) -> "RawText":
        return cls([ProtectedLine.of(line) for line in lines], orthography, target_language)

    def split(self, prepare: Callable[[str], str]) -> list[Sentence]:
        """Return the words of each line."""
        return split_sentences((line.text for line in self.lines), prepare)

    def restore_n_best(self, line: str) -> str:
        """Return a line of an n-best list with the originals of what is not translated."""
        number, rest = line.split(" ||| ", 1)
        words, features, score = rest.rsplit(" ||| ", 2)  # a word may be |||
        return " ||| ".join([number, self.lines[int(number)].restore(words), features, score])

    def write(self, number: int, words: str) -> str:
        """Return the translation of a line as text, given its words."""
        text = self.orthography.write(words.split())
        if clitics := find_clitic_splitter(find_language(self.target_language).code):
            text = clitics.join(text)
        return self.lines[number].restore(text)
