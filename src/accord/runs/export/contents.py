"""The pairs of a run that are exported: the words of its lexicon, and its phrase pairs.

lexicon.tsv and phrases.tsv are read only to find out which pairs there are, since users may have
removed lines; all else is read from the model. The status of a pair comes from later decisions
(review.sqlite) and from the seed of the run.

P(target|source) of two phrases is q←(t|s), the posterior over all candidates of s and the empty
phrase, and P(source|target) is q→(s|t). Runs with one of the paper's methods do not store them;
they are computed by searching once more.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import repeat
from typing import NamedTuple

import numpy as np

from accord.corpus.phrases import Phrases
from accord.errors import InputError, SettingError
from accord.evidence.constraints import Constraints
from accord.evidence.decisions import read_decisions
from accord.evidence.seed import Entry
from accord.formats.annotations import format_alignment, parse_alignment
from accord.formats.records import Record, RecordStatus, Relation, WordAlignment
from accord.learning.posterior import find_posteriors
from accord.learning.search.candidates import listing_threshold
from accord.learning.task import Task
from accord.runs import tsv
from accord.runs.folder import RunFolder
from accord.runs.relations import relate_pairs
from accord.runs.results import WordPairs, align_pairs
from accord.runs.trained import Trained
from accord.system.arrays import Floats, Offsets, find_keys, pair_keys
from accord.system.reading import place
from accord.system.runners.threads import Threads

# The smallest probability: Moses reads numbers of 32 bits, and computes their logarithm.
LEAST = float(np.finfo(np.float32).tiny)
UNCHANGED = "lines may be removed, but not changed"


class PairChoice(NamedTuple):
    """Which pairs are exported: the `top` best of those with at least this confidence, without
    pairs of two identical strings if `no_identical`."""

    min_confidence: float | None = None
    top: int | None = None
    no_identical: bool = False


ALL = PairChoice()


class PhraseColumns(NamedTuple):
    """Phrase pairs, by columns."""

    source: list[str]
    target: list[str]
    alignment: list[WordAlignment]
    confidence: list[float] | None  # None with the paper's methods
    relations: list[Relation]
    agreed: Offsets  # the place of each pair among the agreed ones of the model

    def __len__(self) -> int:
        return len(self.source)

    def select(self, chosen: Sequence[int]) -> "PhraseColumns":
        """Return the pairs at these places."""
        return PhraseColumns(
            [self.source[n] for n in chosen],
            [self.target[n] for n in chosen],
            [self.alignment[n] for n in chosen],
            None if self.confidence is None else [self.confidence[n] for n in chosen],
            [self.relations[n] for n in chosen],
            self.agreed[np.asarray(chosen, np.int64)],
        )


class Contents:
    """The pairs of a run that are exported."""

    def __init__(
        self,
        folder: RunFolder,
        choice: PairChoice = ALL,
        tell: Callable[[str], object] = lambda _: None,
        *,
        with_rejected: bool = False,
    ) -> None:
        self.folder, self.choice, self.tell = folder, choice, tell
        self.trained = folder.read_trained()
        reviewed = self.trained.whole_seed
        if folder.review.exists():
            reviewed = read_decisions(folder.review).merge_over(reviewed)
        self.statuses: dict[Entry, RecordStatus] = {
            **dict.fromkeys(sorted(reviewed.accepted), "accepted"),
            **dict.fromkeys(reviewed.rejected, "rejected"),
        }
        # Formats without a status get no rejected pairs. Nor does a choice of confident pairs: a
        # pair may have a high confidence, and be rejected later.
        self.with_rejected = with_rejected
        keeps_rejected = with_rejected and choice.min_confidence is None
        self.excluded = set[Entry]() if keeps_rejected else set(reviewed.rejected)
        self.left_out = set[Entry]()  # the excluded pairs that the run has
        self.identical = set[Entry]()  # the pairs left out since both sides are the same
        self.has_confidence = self.trained.has_confidence
        if choice.min_confidence is not None and not self.has_confidence:
            raise SettingError(
                f"{folder.path}: its pairs have no confidence, as it was learned with agreement "
                f"{self.trained.settings.agreement}; omit --min-confidence, or choose by --top"
            )

    @cached_property
    def words(self) -> list[Record]:
        """The chosen pairs of the lexicon, in the order of lexicon.tsv."""
        least = self.choice.min_confidence or 0.0
        records = [
            record
            for record in self._read_words()
            if record.confidence is None or record.confidence >= least
        ]
        return select_best(records, self.choice.top)

    def _read_words(self) -> Iterator[Record]:
        file, trained = self.folder.lexicon, self.trained
        lines = [*tsv.read_word_lines(file, has_confidence=self.has_confidence)]
        index = trained.source.vocabulary.index, trained.target.vocabulary.index
        keys = pair_keys(
            np.array([index[0].get(line.source, 0) for line in lines], np.int64),
            np.array([index[1].get(line.target, 0) for line in lines], np.int64),
        )
        known = WordPairs.of(trained.task, trained.state)
        places, found = find_keys(pair_keys(known.e, known.f), keys)
        if not found.all():
            line = lines[int(np.argmin(found))]
            raise InputError(
                f"{place(file, line.number)}: expected a word pair of the model, found "
                f"{line.source!r} and {line.target!r}; {UNCHANGED}"
            )
        forward, backward, score = (
            column[places].tolist() for column in (known.forward, known.backward, known.score)
        )
        for n, (_, source, target) in enumerate(lines):
            if self._leaves_out((source, target)):
                continue
            yield Record(
                source,
                target,
                tsv.round_probability(forward[n]),
                tsv.round_probability(backward[n]),
                tsv.round_confidence(score[n]) if self.has_confidence else None,
                status=self.statuses.get((source, target), ""),
            )

    @cached_property
    def phrases(self) -> PhraseColumns:
        """The phrase pairs with at least the chosen confidence, in the order of phrases.tsv."""
        columns = self._read_phrases()
        least = self.choice.min_confidence
        if least is None or columns.confidence is None:
            return columns
        return columns.select([n for n, p in enumerate(columns.confidence) if p >= least])

    @cached_property
    def best_phrases(self) -> PhraseColumns:
        """The best of these phrase pairs, if not all are chosen."""
        columns, top = self.phrases, self.choice.top
        if top is None or top >= len(columns):
            return columns
        if columns.confidence is None:
            score = np.add(*self.log_q)[columns.agreed]
        else:
            score = np.array(columns.confidence)
        return columns.select(np.sort(np.argsort(-score, kind="stable")[:top]).tolist())

    def _read_phrases(self) -> PhraseColumns:
        file = self.folder.phrases
        lines = [*tsv.read_phrase_lines(file, has_confidence=self.has_confidence)]
        agreed = self._find_agreed(lines)
        alignments = align_pairs(self.trained).alignments
        kept = []
        for n, line in enumerate(lines):
            if line.alignment != format_alignment(alignments[agreed[n]]):
                self._check_links(line)
            if not self._leaves_out((line.source, line.target)):
                kept.append(n)
        weights = self.trained.state.agreed.weights[agreed].tolist()
        confidence = [*map(tsv.round_confidence, weights)] if self.has_confidence else None
        return PhraseColumns(
            [line.source for line in lines],
            [line.target for line in lines],
            [alignments[n] for n in agreed.tolist()],
            confidence,
            _relate_lines(lines, kept, confidence),
            agreed,
        ).select(kept)

    def _leaves_out(self, pair: Entry) -> bool:
        """Return whether a pair of the run is left out, and note why."""
        if pair in self.excluded:
            self.left_out.add(pair)
        elif self._is_unwanted(pair):
            self.identical.add(pair)
        else:
            return False
        return True

    def _is_unwanted(self, pair: Entry) -> bool:
        return self.choice.no_identical and pair[0] == pair[1]

    def _find_agreed(self, lines: list[tsv.PhraseLine]) -> Offsets:
        """Return the place of the pair of each line among the agreed pairs of the model."""
        links = self.trained.state.agreed
        keys = pair_keys(links.source, links.target)
        order = np.argsort(keys)
        wanted = pair_keys(
            _look_up_phrases(self.trained.source, (line.source for line in lines)),
            _look_up_phrases(self.trained.target, (line.target for line in lines)),
        )
        places, found = find_keys(keys[order], wanted)
        if not found.all():
            line = lines[int(np.argmin(found))]
            raise InputError(
                f"{place(self.folder.phrases, line.number)}: expected a pair that the model has "
                f"agreed on, found {line.source!r} and {line.target!r}; {UNCHANGED}"
            )
        return np.asarray(order[places])

    def _check_links(self, line: tsv.PhraseLine) -> None:
        """Check that these can be word links of the pair, perhaps of another version of Accord."""
        links = parse_alignment(line.alignment)
        last = line.source.count(" "), line.target.count(" ")
        if links is None or any(i > last[0] or j > last[1] for i, j in links):
            raise InputError(
                f"{place(self.folder.phrases, line.number)}: expected word links of "
                f"{line.source!r} and {line.target!r}, such as 0-0 1-2, found {line.alignment!r}; "
                f"{UNCHANGED}"
            )

    @cached_property
    def log_q(self) -> tuple[Floats, Floats]:
        """log q→(s|t) and log q←(t|s) of the agreed pairs of the model."""
        if self.has_confidence:
            return self.trained.state.log_q
        self.tell("The run has not stored the probabilities of its phrases; searching once more.")
        return search_log_q(self.trained)

    def add_reviewed(self, records: list[Record]) -> list[Record]:
        """Append the pairs that reviewers have added or rejected, if the format has a status."""
        if not self.with_rejected:
            return records
        known = {record[:2] for record in records}
        certain = 1.0 if self.has_confidence else None
        return records + [
            Record(*pair, confidence=certain if status == "accepted" else None, status=status)
            for pair, status in self.statuses.items()
            if pair not in known and pair not in self.excluded and not self._is_unwanted(pair)
        ]

    def make_records(
        self, *, with_probabilities: bool, columns: PhraseColumns | None = None
    ) -> list[Record]:
        """Return phrase pairs as records, by default the chosen ones."""
        columns = self.best_phrases if columns is None else columns
        forward: Sequence[float | None] = [None] * len(columns)
        backward, confidence = forward, columns.confidence or forward
        if len(columns) and (with_probabilities or self.has_confidence):
            backward, forward = (
                compute_probabilities(side[columns.agreed]).tolist() for side in self.log_q
            )
        pairs = zip(columns.source, columns.target, strict=True)
        statuses = map(self.statuses.get, pairs, repeat(""))
        return [
            *map(
                Record,
                columns.source,
                columns.target,
                forward,
                backward,
                confidence,
                columns.alignment,
                statuses,
                columns.relations,
            )
        ]


def search_log_q(trained: Trained) -> tuple[Floats, Floats]:
    """Return log q→ and log q← of the agreed pairs by one more search.

    A pair that is not among the candidates is less probable than all of them. It gets the largest
    value that it can have, the same in both directions.
    """
    source, target = trained.sides
    state, settings = trained.state, trained.settings
    constraints = Constraints.of(trained.seed, source, target)
    found = find_posteriors(Task(source, target, settings, Threads(), constraints), state.models)
    # The candidates are sorted by s and then t.
    places, known = find_keys(
        pair_keys(found.pairs.source, found.pairs.target),
        pair_keys(state.agreed.source, state.agreed.target),
    )
    forward, backward = np.full((2, len(known)), listing_threshold(settings) / 2)
    forward[known] = found.forward.log_q[places[known]]
    backward[known] = found.backward.log_q[places[known]]
    return forward, backward


def select_best(records: list[Record], top: int | None) -> list[Record]:
    """Return the `top` best pairs, best first; without `top`, all pairs in their order."""
    if top is None or top >= len(records):
        return records
    return sorted(records, key=score_record, reverse=True)[:top]


def score_record(record: Record) -> float:
    """Return the confidence, or without one the product of the probabilities of both directions."""
    if record.confidence is not None:
        return record.confidence
    return (record.forward or 0.0) * (record.backward or 0.0)


def compute_probabilities(log_q: Floats) -> Floats:
    """Return q, clipped to be above 0 and at most 1."""
    return np.clip(np.exp(log_q), LEAST, 1.0)


def _relate_lines(
    lines: list[tsv.PhraseLine], kept: list[int], confidence: list[float] | None
) -> list[Relation]:
    """Return the relations of the pairs that are kept among these; "" for all others."""
    relations: list[Relation] = [""] * len(lines)
    if confidence is not None:
        pairs = [(lines[n].source, lines[n].target) for n in kept]
        for n, relation in zip(
            kept, relate_pairs(pairs, [confidence[n] for n in kept]), strict=True
        ):
            relations[n] = relation
    return relations


def _look_up_phrases(phrases: Phrases, texts: Iterator[str]) -> Offsets:
    """Return the numbers of these phrases; 0 for one that is not in the corpus."""
    numbers = phrases.numbers
    return np.array([numbers.get(text, 0) for text in texts], np.int64)
