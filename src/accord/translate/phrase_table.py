"""Phrase tables for given sentences: phrase pairs with four scores.

A table is read for given sentences: of millions of pairs, only those are kept that have a source
phrase which can occur in them. A word that no pair translates by itself is copied.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from math import isfinite
from pathlib import Path

import numpy as np

from accord.corpus.vocabulary import normalise
from accord.errors import InputError
from accord.formats.moses import SEPARATOR, unescape_words
from accord.runs.export.contents import ALL, Contents
from accord.runs.export.moses import make_moses_rows
from accord.runs.folder import RunFolder
from accord.system.arrays import Floats, Mask
from accord.system.reading import place, read_lines
from accord.translate.weights import LOWEST

# Moses's longest phrase: longer ones are ignored.
LONGEST = 20
SCORES = 4

Sentence = Sequence[str]
# Source and target, φ(s|t), lex(s|t), φ(t|s), lex(t|s).
ScoredPair = tuple[str, str, Sequence[float]]


@dataclass(frozen=True, eq=False)
class PhraseTable:
    """The options of each source phrase, sorted by source phrase and then by target phrase."""

    options: dict[str, range]  # by source phrase
    targets: list[str]
    log_scores: Floats  # four per option
    unknown: Mask  # whether the option is a word that is copied
    longest: int  # the number of words of the longest source phrase

    @classmethod
    def of(cls, pairs: Iterable[ScoredPair], sentences: Iterable[Sentence]) -> "PhraseTable":
        """Return a table of these pairs, and of the words of the sentences that they lack."""
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


class NeededPhrases:
    """The source phrases that can occur in some sentences.

    All words of such a phrase, and all pairs of adjacent words, occur in the sentences.
    """

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


def read_phrase_table(path: str | Path, sentences: Sequence[Sentence]) -> PhraseTable:
    """Read from a Moses phrase table what the sentences need."""
    return PhraseTable.of(_read_needed(path, NeededPhrases(sentences)), sentences)


def read_run_table(folder: str | Path, sentences: Sequence[Sentence]) -> PhraseTable:
    """Read from the phrase pairs of a run what the sentences need."""
    needed = NeededPhrases(sentences)
    rows = make_moses_rows(Contents(RunFolder(folder), ALL))
    return PhraseTable.of((row[:3] for row in rows if row.source in needed), sentences)


def _read_needed(path: str | Path, needed: NeededPhrases) -> Iterator[ScoredPair]:
    last, source, is_needed, is_table = "", "", False, False
    for number, line in read_lines(path):
        if not line.strip():
            continue
        field, _, rest = line.partition(SEPARATOR)
        # Tables are sorted: the pairs of one source phrase usually follow each other.
        if field != last:
            source = normalise(unescape_words(field))
            is_needed, last = source in needed, field
        # Always check one line, so that another kind of file is not taken for a table from which
        # nothing is needed.
        if is_needed or not is_table:
            pair = source, *_parse_target(source, rest, line, place(path, number))
            is_table = True
            if is_needed:
                yield pair
    if not is_table:
        raise InputError(f"{path}: expected phrase pairs, found none")


def _parse_target(source: str, rest: str, line: str, where: str) -> tuple[str, Sequence[float]]:
    """Return the target phrase and its scores, out of the rest of a line after the source."""
    target, *fields = rest.split(SEPARATOR)
    target = normalise(unescape_words(target))
    scores = _parse_scores(fields[0]) if fields else []
    if not (source and target and scores):
        raise InputError(
            f"{where}: expected a line of a Moses phrase table with scores (source ||| target ||| "
            f"{SCORES} scores), found {line[:60]!r}"
        )
    if len(scores) != SCORES:
        raise InputError(
            f"{where}: expected {SCORES} scores, φ(s|t) lex(s|t) φ(t|s) lex(t|s), found "
            f"{len(scores)}; create the table again with these scores"
        )
    return target, scores


def _parse_scores(field: str) -> list[float]:
    """Return the scores of a pair, or none if one of them is not a number of at least 0."""
    try:
        scores = [float(number) for number in field.split()]
    except ValueError:
        return []
    return scores if all(isfinite(score) and score >= 0 for score in scores) else []


def split_sentences(lines: Iterable[str], prepare: Callable[[str], str] = str) -> list[Sentence]:
    """Return the words of each line, normalised as those of tables, after `prepare`."""
    # All lines in one call, as a call costs more than a line; nothing follows the last line end.
    text = prepare("".join(f"{normalise(line)}\n" for line in lines))
    return [line.split() for line in text.split("\n")[:-1]]
