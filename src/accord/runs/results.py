"""The results of a run in words: the lexicon from the word tables, the phrase pairs from m̂.

A `Table` is a list of named tuples that is displayed as a table, and can be converted to Polars and
Arrow. Word alignments then become text, `0-0 1-2`, as in phrases.tsv and in Moses: pandas and CSV
have no nested types, and SQL can split the text at the spaces.
"""

from collections.abc import Iterable
from itertools import pairwise
from math import exp
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex, TypeVar, overload
from unicodedata import east_asian_width

import numpy as np

from accord.errors import AccordError
from accord.formats.annotations import format_alignment
from accord.formats.records import Relation, WordAlignment
from accord.learning.confidence import predict_word_confidence
from accord.learning.model.state import State
from accord.learning.model.translation import find_shared_entries
from accord.learning.task import Task
from accord.learning.word_kernels import PhrasePairs, PhraseWords, align_words
from accord.runs.relations import relate_pairs
from accord.runs.trained import Trained
from accord.settings import Settings
from accord.system.arrays import Floats, Ids, Mask, Offsets, pair_keys, split_keys

if TYPE_CHECKING:
    import polars
    import pyarrow

ALIGNMENT, RELATION = "alignment", "relation"
# The columns of numbers; all others are text.
NUMBERS = ("forward", "backward", "log_forward", "log_backward", "confidence")
# How a table is displayed: its first rows, and the first characters of long phrases.
SHOWN_ROWS, SHOWN_WIDTH = 10, 30


class LexiconEntry(NamedTuple):
    """A word pair.

    Attributes
    ----------
    source, target : str
        The two words.
    forward, backward : float
        p(target|source) and p(source|target), as learned, without the floor.
    confidence : float or None
        The probability that the pair is right; None with the paper's methods.
    """

    source: str
    target: str
    forward: float
    backward: float
    confidence: float | None

    def __repr__(self) -> str:
        return _format_row(self)


class PhrasePair(NamedTuple):
    """A pair of phrases on which the two directions agree.

    Attributes
    ----------
    source, target : str
        The two phrases, with space-separated words.
    log_forward, log_backward : float
        log P(target|source) and log P(source|target), by the translation and length models.
    alignment : tuple of (int, int)
        Word links: the positions of a source word and of a target word, from 0.
    confidence : float or None
        The probability that the pair is right; None with the paper's methods.
    relation : {'best', 'variant', 'alternative', ''}
        Whether pairs of the same source or target have a higher confidence: none has, one with
        other forms of the same words, or one with other words; '' with the paper's methods.
    """

    source: str
    target: str
    log_forward: float
    log_backward: float
    alignment: WordAlignment
    confidence: float | None
    relation: Relation = ""

    @property
    def forward(self) -> float:
        """P(target|source)."""
        return exp(self.log_forward)

    @property
    def backward(self) -> float:
        """P(source|target)."""
        return exp(self.log_backward)

    def __repr__(self) -> str:
        return _format_row(self)


RowType = TypeVar("RowType", bound=NamedTuple)


class Table(list[RowType]):
    """A list of named tuples of one type; a slice of it is also a table.

    Parameters
    ----------
    kind : type
        The type of the rows: `LexiconEntry` or `PhrasePair`.
    rows : iterable of rows, optional
        The rows.
    """

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

    def __repr__(self) -> str:
        """Return the first rows and the number of rows, like a data frame."""
        names = [*self.kind._fields]
        rows = [[*map(_format_cell, names, row)] for row in self[:SHOWN_ROWS]]
        columns = zip(names, *rows, strict=True)
        padded = [_pad(column, right=column[0] in NUMBERS) for column in columns]
        lines = ["  ".join(cells).rstrip() for cells in zip(*padded, strict=True)]
        more = ["…"] if len(self) > SHOWN_ROWS else []
        return "\n".join([*lines, *more, f"[{len(self):,} {'row' if len(self) == 1 else 'rows'}]"])

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


def _format_row(row: LexiconEntry | PhrasePair) -> str:
    """Return the repr of a row, with short numbers."""
    values = (f"{value:.3g}" if isinstance(value, float) else repr(value) for value in row)
    fields = ", ".join(map("{}={}".format, row._fields, values))
    return f"{type(row).__name__}({fields})"


def _format_cell(name: str, value: Any) -> str:
    if value is None or (name == RELATION and not value):
        return "–"
    if name in NUMBERS:
        return f"{value:.3g}"
    text = format_alignment(value) if name == ALIGNMENT else str(value)
    return text if len(text) <= SHOWN_WIDTH else f"{text[: SHOWN_WIDTH - 1]}…"


def _pad(cells: tuple[str, ...], *, right: bool) -> list[str]:
    """Pad the cells of a column to the same width on a terminal."""
    widths = [
        sum(2 if east_asian_width(letter) in "WF" else 1 for letter in cell) for cell in cells
    ]
    spaces = [" " * (max(widths) - width) for width in widths]
    return [s + cell if right else cell + s for cell, s in zip(cells, spaces, strict=True)]


class WordPairs(NamedTuple):
    """Word pairs that may be in the lexicon, by columns, sorted by e and then by f."""

    e: Ids
    f: Ids
    forward: Floats  # p(f|e)
    backward: Floats  # p(e|f)
    support: Offsets  # the count of the rarer word
    score: Floats  # the confidence; with the paper's methods, the product of both probabilities

    @classmethod
    def of(cls, task: Task, state: State) -> "WordPairs":
        """Pairs that both directions have learned or, with confidence, that have evidence."""
        e, f, p, q = find_shared_entries(*state.translations)
        frequency = task.source.frequency[e], task.target.frequency[f]
        if task.settings.agreement != "posterior":
            return cls(e, f, p, q, np.minimum(*frequency), p * q)
        e, f = split_keys(np.union1d(pair_keys(e, f), pair_keys(*task.odds[:2])))
        there, back = state.translations
        p, q = there.learned_probability(e, f), back.learned_probability(f, e)
        frequency = task.source.frequency[e], task.target.frequency[f]
        odds = task.odds.values_of(e, f)
        score = predict_word_confidence(p, q, frequency, odds, state.translated)
        return cls(e, f, p, q, np.minimum(*frequency), score)

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
    pairs = WordPairs.of(trained.task, trained.state)
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


def count_word_pairs(task: Task, state: State) -> int:
    """Return how many pairs the lexicon has."""
    pairs = WordPairs.of(task, state)
    return int(np.count_nonzero(pairs.find_probable(task.settings)))


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
    if trained.has_confidence:
        relations = relate_pairs(
            [pair[:2] for pair in pairs], [pair.confidence or 0 for pair in pairs]
        )
        pairs = [pair._replace(relation=one) for pair, one in zip(pairs, relations, strict=True)]
    return Table(PhrasePair, pairs)
