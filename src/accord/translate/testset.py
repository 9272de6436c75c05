"""Sentences with their translations, to tune on and to test on."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from accord.errors import InputError
from accord.synthetic.sentences import read_sentences
from accord.translate.bleu import References
from accord.translate.table import Sentence, words_of


class TestSet(NamedTuple):
    """Source sentences as words, and their references."""

    sentences: list[Sentence]
    references: References

    @classmethod
    def read(
        cls, paths: list[Path], languages: tuple[str, str], prepare: Callable[[str], str]
    ) -> "TestSet":
        """A file of sentence pairs (.tsv, .tmx), or two files with a sentence a line."""
        source, target = read_sentences(paths, *languages)
        lines = prepare("".join(f"{line}\n" for line in source)).split("\n")[: len(source)]
        if len(lines) != len(target):
            raise InputError(f"{paths[0]}: expected a sentence a line")
        return cls([*map(words_of, lines)], References(target, languages[1]))
