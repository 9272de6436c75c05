"""The phrase pairs that some sentences may need, with their four scores.

A table is read for given sentences: of millions of pairs only those stay whose source phrase may
stand in them. A word that no pair translates by itself is passed through as it is.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from math import isfinite
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from accord.corpus.vocabulary import normalise
from accord.errors import InputError
from accord.formats.moses import SEPARATOR, unescape_words
from accord.runs.export.contents import ALL, Contents
from accord.runs.export.moses import moses_rows
from accord.runs.folder import RunFolder
from accord.system.reading import place, read_lines
from accord.translate.weights import LOWEST

# Moses's longest phrase: longer ones are left out.
LONGEST = 20
SCORES = 4

Sentence = Sequence[str]
# Source and target, φ(s|t), lex(s|t), φ(t|s), lex(t|s).
ScoredPair = tuple[str, str, Sequence[float]]


@dataclass(frozen=True, eq=False)
class PhraseTable:
    """Options, sorted by their source phrases and then by their target phrases."""

    options: dict[str, range]  # of a source phrase
    targets: list[str]
    log_scores: NDArray[np.float64]  # 4 an option
    unknown: NDArray[np.bool_]  # whether the option is a word that is passed through
    longest: int  # words of a source phrase

    @classmethod
    def of(cls, pairs: Iterable[ScoredPair], sentences: Iterable[Sentence]) -> "PhraseTable":
        """These pairs, and the words of the sentences that no pair translates."""
        known = sorted((source, target, tuple(scores)) for source, target, scores in pairs)
        alone = {source for source, _, _ in known if " " not in source}
        words = sorted({word for sentence in sentences for word in sentence} - alone)
        sources = [source for source, _, _ in known] + words
        options = {}
        first = 0
        for source, same in groupby(sources):
            last = first + sum(1 for _ in same)
            options[source] = range(first, last)
            first = last
        scores = np.array([row[2] for row in known], np.float64).reshape(len(known), SCORES)
        with np.errstate(divide="ignore"):
            logs = np.maximum(np.log(scores), LOWEST)
        return cls(
            options,
            [target for _, target, _ in known] + words,
            np.concatenate([logs, np.zeros((len(words), SCORES))]),
            np.arange(len(sources)) >= len(known),
            max((source.count(" ") + 1 for source in options), default=1),
        )


class Needed:
    """Which source phrases some sentences may need: those all of whose words, and pairs of words
    that follow one another, stand in them."""

    def __init__(self, sentences: Iterable[Sentence]) -> None:
        self._words: set[str] = set()
        self._pairs: set[tuple[str, str]] = set()
        for sentence in sentences:
            self._words.update(sentence)
            self._pairs.update(pairwise(sentence))

    def __contains__(self, source: str) -> bool:
        words = source.split(" ")
        if not self._words.issuperset(words):
            return False
        return len(words) == 1 or (
            len(words) <= LONGEST and self._pairs.issuperset(pairwise(words))
        )


def read_table(path: str | Path, sentences: Sequence[Sentence]) -> PhraseTable:
    """What the sentences need of a Moses phrase table."""
    return PhraseTable.of(_needed_pairs(path, Needed(sentences)), sentences)


def table_of_run(folder: str | Path, sentences: Sequence[Sentence]) -> PhraseTable:
    """What the sentences need of the phrase pairs of a run."""
    needed = Needed(sentences)
    rows = moses_rows(Contents(RunFolder(folder), ALL))
    return PhraseTable.of((row[:3] for row in rows if row.source in needed), sentences)


def _needed_pairs(path: str | Path, needed: Needed) -> Iterator[ScoredPair]:
    last, source, is_needed, is_table = "", "", False, False
    for number, line in read_lines(path):
        if not line.strip():
            continue
        field, _, rest = line.partition(SEPARATOR)
        # A table is sorted: the pairs of a source phrase mostly follow one another.
        if field != last:
            source = normalise(unescape_words(field))
            is_needed, last = source in needed, field
        # One line always, so that another file is not taken for a table with nothing needed.
        if is_needed or not is_table:
            pair = source, *_target_and_scores(source, rest, line, place(path, number))
            is_table = True
            if is_needed:
                yield pair
    if not is_table:
        raise InputError(f"{path}: expected phrase pairs, found none")


def _target_and_scores(
    source: str, rest: str, line: str, where: str
) -> tuple[str, Sequence[float]]:
    target, *fields = rest.split(SEPARATOR)
    target = normalise(unescape_words(target))
    scores = _scores(fields[0]) if fields else []
    if not (source and target and scores):
        raise InputError(
            f"{where}: expected a line of a Moses phrase table with scores (source ||| target ||| "
            f"{SCORES} scores), found {line[:60]!r}"
        )
    if len(scores) != SCORES:
        raise InputError(
            f"{where}: expected {SCORES} scores, φ(s|t) lex(s|t) φ(t|s) lex(t|s), found "
            f"{len(scores)}; make the table again with these"
        )
    return target, scores


def _scores(field: str) -> list[float]:
    """The scores of a pair; none if one is not a number that has a logarithm, or 0."""
    try:
        scores = [float(number) for number in field.split()]
    except ValueError:
        return []
    return scores if all(isfinite(score) and score >= 0 for score in scores) else []


def sentences_of(lines: Iterable[str], prepare: Callable[[str], str] = str) -> list[Sentence]:
    """The words of each line, as tables have them, of text that is prepared so."""
    # All at once, as a call costs more than a line; after the last line end there is nothing.
    text = prepare("".join(f"{normalise(line)}\n" for line in lines))
    return [line.split() for line in text.split("\n")[:-1]]
