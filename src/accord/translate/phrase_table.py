"""Phrase tables for given sentences: phrase pairs with four scores.

A table is read for given sentences: of millions of pairs, only those are kept that have a source
phrase which can occur in them. A second table, with two scores per pair, is used only for source
phrases that the first one does not have: the back-off table. A word that is the source phrase of no
pair is copied.
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
# The scores of a pair, as error messages name them.
SCORES = ["φ(s|t)", "lex(s|t)", "φ(t|s)", "lex(t|s)"]
BACK_OFF_SCORES = ["p(s|t)", "p(t|s)"]

Sentence = Sequence[str]
# Source and target, φ(s|t), lex(s|t), φ(t|s), lex(t|s); in a back-off table p(s|t), p(t|s).
ScoredPair = tuple[str, str, Sequence[float]]


@dataclass(frozen=True, eq=False)
class PhraseTable:
    """The options of each source phrase, sorted by source phrase and then by target phrase."""

    options: dict[str, range]  # by source phrase
    targets: list[str]
    log_scores: Floats  # four per option, and two for the back-off table; 0 for the other table
    unknown: Mask  # whether the option is a word that is copied
    longest: int  # the number of words of the longest source phrase
    has_back_off: bool = False

    @classmethod
    def of(
        cls,
        pairs: Iterable[ScoredPair],
        sentences: Iterable[Sentence],
        back_off: Iterable[ScoredPair] | None = None,
    ) -> "PhraseTable":
        """Return a table of these pairs, of those of the back-off table whose source phrases they
        lack, and of the words of the sentences that both lack."""
        first = sorted((source, target, tuple(scores)) for source, target, scores in pairs)
        has_first = {source for source, _, _ in first}
        second = sorted(
            (source, target, tuple(scores))
            for source, target, scores in back_off or ()
            if source not in has_first
        )
        known = first + second
        alone = {source for source, _, _ in known if " " not in source}
        words = sorted({word for sentence in sentences for word in sentence} - alone)
        sources = [source for source, _, _ in known] + words
        options = {}
        begin = 0
        for source, same in groupby(sources):
            end = begin + sum(1 for _ in same)
            options[source] = range(begin, end)
            begin = end
        logs = np.zeros((len(sources), len(SCORES) + len(BACK_OFF_SCORES)))
        logs[: len(first), : len(SCORES)] = _take_logs(first, len(SCORES))
        logs[len(first) : len(known), len(SCORES) :] = _take_logs(second, len(BACK_OFF_SCORES))
        return cls(
            options,
            [target for _, target, _ in known] + words,
            logs,
            np.arange(len(sources)) >= len(known),
            max((source.count(" ") + 1 for source in options), default=1),
            back_off is not None,
        )


def _take_logs(pairs: Sequence[ScoredPair], columns: int) -> Floats:
    scores = np.array([scores for _, _, scores in pairs], np.float64).reshape(len(pairs), columns)
    with np.errstate(divide="ignore"):
        logs: Floats = np.maximum(np.log(scores), LOWEST)
    return logs


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


def read_phrase_table(
    path: str | Path, sentences: Sequence[Sentence], back_off: str | Path | None = None
) -> PhraseTable:
    """Read from a Moses phrase table, and a back-off table if there is one, what the sentences
    need."""
    needed = NeededPhrases(sentences)
    second = None if back_off is None else read_scored_pairs(back_off, needed, BACK_OFF_SCORES)
    return PhraseTable.of(read_scored_pairs(path, needed), sentences, second)


def read_run_table(folder: str | Path, sentences: Sequence[Sentence]) -> PhraseTable:
    """Read from the phrase pairs of a run what the sentences need."""
    needed = NeededPhrases(sentences)
    rows = make_moses_rows(Contents(RunFolder(folder), ALL))
    return PhraseTable.of((row[:3] for row in rows if row.source in needed), sentences)


def read_scored_pairs(
    path: str | Path, needed: NeededPhrases | None = None, names: Sequence[str] = SCORES
) -> Iterator[ScoredPair]:
    """Yield the pairs of a Moses phrase table with these scores: all, or those that are needed."""
    last, source, is_needed, is_table = "", "", False, False
    for number, line in read_lines(path):
        if not line.strip():
            continue
        field, _, rest = line.partition(SEPARATOR)
        # Tables are sorted: the pairs of one source phrase usually follow each other.
        if field != last:
            source = normalise(unescape_words(field))
            is_needed, last = needed is None or source in needed, field
        # Always check one line, so that another kind of file is not taken for a table from which
        # nothing is needed.
        if is_needed or not is_table:
            pair = _parse_pair(source, rest)
            if pair is None:
                raise InputError(
                    f"{place(path, number)}: expected a line of a Moses phrase table with scores "
                    f"(source ||| target ||| {len(names)} scores), found {line[:60]!r}"
                )
            if len(pair[2]) != len(names):
                raise InputError(
                    f"{place(path, number)}: expected {len(names)} scores, {' '.join(names)}, "
                    f"found {len(pair[2])}; create the table again with these scores"
                )
            is_table = True
            if is_needed:
                yield pair
    if not is_table:
        raise InputError(f"{path}: expected phrase pairs, found none")


def _parse_pair(source: str, rest: str) -> ScoredPair | None:
    """Return the pair of a line, given its source and the rest of the line; None if it has none."""
    target, *fields = rest.split(SEPARATOR)
    target = normalise(unescape_words(target))
    scores = _parse_scores(fields[0]) if fields else []
    return (source, target, scores) if source and target and scores else None


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
