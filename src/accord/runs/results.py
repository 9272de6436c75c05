"""The results of a run in words: the lexicon from the word tables, the phrase pairs from m̂.

A `Table` is a list of named tuples that can be converted to Polars and Arrow. Word alignments then
become text, `0-0 1-2`, as in phrases.tsv and in Moses: pandas and CSV have no nested types, and SQL
can split the text at the spaces.
"""

from collections.abc import Iterable
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex, TypeVar, overload

import numpy as np

from accord.corpus.phrases import Phrases
from accord.errors import AccordError
from accord.formats.annotations import format_alignment
from accord.formats.records import WordAlignment
from accord.learning.confidence import (
    WORD_COEFFICIENTS,
    compute_word_features,
    predict_confidence,
)
from accord.learning.model.state import State
from accord.learning.model.translation import find_shared_entries
from accord.learning.word_kernels import PhrasePairs, PhraseWords, align_words
from accord.runs.trained import Trained
from accord.settings import Settings
from accord.system.arrays import Floats, Ids, Mask, Offsets

if TYPE_CHECKING:
    import polars
    import pyarrow

ALIGNMENT = "alignment"
# The columns of numbers; all others are text.
NUMBERS = ("forward", "backward", "confidence")


class LexiconEntry(NamedTuple):
    """A word pair; its probabilities are the learned ones, without the floor."""

    source: str
    target: str
    forward: float  # p(target|source)
    backward: float  # p(source|target)
    confidence: float | None  # None with the paper's methods


class PhrasePair(NamedTuple):
    """A pair of phrases on which the two directions agree."""

    source: str
    target: str
    forward: float  # log P(target|source)
    backward: float  # log P(source|target)
    alignment: WordAlignment
    confidence: float | None


RowType = TypeVar("RowType", bound=NamedTuple)


class Table(list[RowType]):
    """A list of rows of one type; a slice of it is also a table."""

    def __init__(self, kind: type[RowType], rows: Iterable[RowType] = ()) -> None:
        super().__init__(rows)
        self.kind = kind

    @overload
    def __getitem__(self, place: SupportsIndex) -> RowType: ...
    @overload
    def __getitem__(self, place: slice) -> "Table[RowType]": ...
    def __getitem__(self, place: SupportsIndex | slice) -> "RowType | Table[RowType]":
        if isinstance(place, slice):
            return Table(self.kind, super().__getitem__(place))
        return super().__getitem__(place)

    def to_polars(self) -> "polars.DataFrame":
        """Return a Polars data frame with one column per field."""
        try:
            import polars
        except ImportError:
            raise AccordError("to_polars needs polars: pip install 'accord[polars]'") from None
        columns = self._collect_columns()
        types = {name: polars.Float64 if name in NUMBERS else polars.String for name in columns}
        return polars.DataFrame(columns, schema=types)

    def to_arrow(self) -> "pyarrow.Table":
        """Return an Arrow table with one column per field."""
        try:
            import pyarrow
        except ImportError:
            raise AccordError("to_arrow needs pyarrow: pip install 'accord[arrow]'") from None
        columns = self._collect_columns()
        types = [
            (name, pyarrow.float64() if name in NUMBERS else pyarrow.string()) for name in columns
        ]
        return pyarrow.table(columns, schema=pyarrow.schema(types))

    def _collect_columns(self) -> dict[str, list[Any]]:
        columns = {
            name: [row[place] for row in self] for place, name in enumerate(self.kind._fields)
        }
        if ALIGNMENT in columns:
            columns[ALIGNMENT] = [*map(format_alignment, columns[ALIGNMENT])]
        return columns


class WordPairs(NamedTuple):
    """Word pairs that both directions have learned, by columns, sorted by e and then by f."""

    e: Ids
    f: Ids
    forward: Floats  # p(f|e)
    backward: Floats  # p(e|f)
    support: Offsets  # the count of the rarer word
    score: Floats  # the confidence; with the paper's methods, the product of both probabilities

    @classmethod
    def of(cls, source: Phrases, target: Phrases, state: State, settings: Settings) -> "WordPairs":
        e, f, p, q = find_shared_entries(*state.translations)
        support = np.minimum(source.frequency[e], target.frequency[f])
        if settings.agreement == "posterior":
            score = predict_confidence(compute_word_features(p, q, support), WORD_COEFFICIENTS)
        else:
            score = p * q
        return cls(e, f, p, q, support, score)

    def find_probable(self, settings: Settings) -> Mask:
        """Return which pairs are probable enough for the lexicon."""
        if settings.agreement == "posterior":
            return self.score >= settings.min_confidence
        return np.minimum(self.forward, self.backward) >= settings.min_probability


def build_lexicon(trained: Trained) -> Table[LexiconEntry]:
    """Return the probable word pairs, sorted by confidence to three digits, as it is printed, and
    then by frequency. With the paper's methods, the product of both probabilities takes its place.
    """
    source, target = trained.source.vocabulary.words, trained.target.vocabulary.words
    pairs = WordPairs.of(trained.source, trained.target, trained.state, trained.settings)
    probable = pairs.find_probable(trained.settings)
    keys = (pairs.f, pairs.e, -pairs.support, -np.round(pairs.score, 3))
    order = np.flatnonzero(probable)[np.lexsort([key[probable] for key in keys])]
    entries = (
        LexiconEntry(
            source[pairs.e[n]],
            target[pairs.f[n]],
            float(pairs.forward[n]),
            float(pairs.backward[n]),
            float(pairs.score[n]) if trained.has_confidence else None,
        )
        for n in order.tolist()
    )
    return Table(LexiconEntry, entries)


def count_word_pairs(source: Phrases, target: Phrases, state: State, settings: Settings) -> int:
    """Return how many pairs the lexicon has."""
    pairs = WordPairs.of(source, target, state, settings)
    return int(np.count_nonzero(pairs.find_probable(settings)))


class AlignedPairs(NamedTuple):
    """The agreed phrase pairs of a model, by columns, in the order of `state.agreed`."""

    forward: Floats  # log P(target|source)
    backward: Floats  # log P(source|target)
    alignments: list[WordAlignment]


def align_pairs(trained: Trained) -> AlignedPairs:
    """Score the agreed phrase pairs, and link words that are each other's best translation."""
    source, target, state = trained.source, trained.target, trained.state
    links = state.agreed
    words_of_both = PhraseWords(source.ragged, target.ragged)
    forward_log, backward_log, offsets, i, j = align_words(
        state.models.tables, words_of_both, PhrasePairs(links.source, links.target)
    )
    I, J = source.lengths[links.source], target.lengths[links.target]
    forward = forward_log + state.forward.length_terms(I, J)
    forward += state.forward.translation.log_floors(target)[links.target]
    backward = backward_log + state.backward.length_terms(J, I)
    backward += state.backward.translation.log_floors(source)[links.source]
    words = [*zip(i.tolist(), j.tolist(), strict=True)]
    alignments = [tuple(sorted(words[begin:end])) for begin, end in pairwise(offsets.tolist())]
    return AlignedPairs(forward, backward, alignments)


def build_phrase_pairs(trained: Trained) -> Table[PhrasePair]:
    """Return the agreed phrase pairs, sorted alphabetically."""
    links, aligned = trained.state.agreed, align_pairs(trained)
    pairs = sorted(
        PhrasePair(
            trained.source[s],
            trained.target[t],
            float(aligned.forward[n]),
            float(aligned.backward[n]),
            aligned.alignments[n],
            float(links.weights[n]) if trained.has_confidence else None,
        )
        for n, (s, t) in enumerate(zip(links.source, links.target, strict=True))
    )
    return Table(PhrasePair, pairs)
