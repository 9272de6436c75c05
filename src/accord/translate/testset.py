"""Sentences with their translations, to tune on and to test on."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from accord.formats.sentence_pairs import read_sentence_pairs
from accord.translate.bleu import References
from accord.translate.table import Sentence, sentences_of


class TestSet(NamedTuple):
    """Source sentences as words, and their references."""

    sentences: list[Sentence]
    references: References

    @classmethod
    def read(
        cls, paths: list[Path], languages: tuple[str, str], prepare: Callable[[str], str]
    ) -> "TestSet":
        """A file of sentence pairs (.tsv, .tmx), or two files with a sentence a line."""
        source, target = read_sentence_pairs(paths, *languages)
        return cls(sentences_of(source, prepare), References(target, languages[1]))
