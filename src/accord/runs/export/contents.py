"""What a run has to give to a format: the words of its lexicon, and its phrase pairs.

Pairs are those of lexicon.tsv and phrases.tsv, which is where a person may have taken some out.
What people have said of pairs is what they have decided since (review.sqlite), and what the run was
told.
P(target|source) of two phrases is q←(t|s), the posterior over all candidates of s and the empty
phrase, and P(source|target) is q→(s|t). Runs with one of the paper's kinds of agreement have not
kept them; they are found by searching once more.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import repeat
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.corpus.phrases import Phrases
from accord.errors import InputError, SettingError
from accord.evidence.constraints import Constraints
from accord.evidence.decisions import read_decisions
from accord.evidence.seed import Entry
from accord.formats.records import Record, RecordStatus
from accord.learning.posterior import find_posteriors
from accord.learning.search.candidates import listing_threshold
from accord.learning.task import Task
from accord.runs.export.lexical import LEAST, WordLinks
from accord.runs.folder import RunFolder
from accord.runs.trained import Trained
from accord.system.arrays import find_keys, pair_keys
from accord.system.reading import place, read_lines
from accord.system.runners.threads import Threads


class Choice(NamedTuple):
    """Which pairs are wanted: those that are sure enough, and the surest."""

    min_probability: float | None = None
    top: int | None = None


ALL = Choice()
LINKS = re.compile(r"(?:\d{1,9}-\d{1,9}(?: \d{1,9}-\d{1,9})*)?")
PROBABILITY = re.compile(r"[01]\.\d+")


class PhraseTable(NamedTuple):
    """Phrase pairs, by columns."""

    source: list[str]
    target: list[str]
    alignment: list[str]  # 0-0 1-2
    confidence: list[float] | None  # the paper's kinds of agreement have none
    agreed: NDArray[np.int64]  # the place of the pair among the agreed ones of the model

    def __len__(self) -> int:
        return len(self.source)

    def only(self, chosen: Sequence[int]) -> "PhraseTable":
        return PhraseTable(
            [self.source[n] for n in chosen],
            [self.target[n] for n in chosen],
            [self.alignment[n] for n in chosen],
            None if self.confidence is None else [self.confidence[n] for n in chosen],
            self.agreed[np.asarray(chosen, np.int64)],
        )


class Contents:
    """The pairs of a run that are wanted."""

    def __init__(
        self,
        folder: RunFolder,
        choice: Choice,
        tell: Callable[[str], object] = lambda _: None,
        *,
        with_rejected: bool = False,
    ) -> None:
        self.folder, self.choice, self.tell = folder, choice, tell
        self.trained = folder.trained()
        said = self.trained.whole_seed
        if folder.review.exists():
            said = read_decisions(folder.review).merge_over(said)
        self.statuses: dict[Entry, RecordStatus] = {
            **dict.fromkeys(sorted(said.accepted), "accepted"),
            **dict.fromkeys(said.rejected, "rejected"),
        }
        # A format that cannot tell that a person has rejected a pair does without it.
        self.with_rejected = with_rejected
        self.without = set[Entry]() if with_rejected else set(said.rejected)
        self.rejected = set[Entry]()  # those that were found, and left out
        self.has_confidence = self.trained.settings.agreement == "posterior"
        if choice.min_probability is not None and not self.has_confidence:
            raise SettingError(
                f"{folder.path}: its pairs have no probability of being right, as it was learned "
                f"with agreement {self.trained.settings.agreement}; leave --min-probability out, "
                "or choose by --top"
            )

    @cached_property
    def words(self) -> list[Record]:
        """The lexicon, as far as it is wanted, the surest first."""
        least = self.choice.min_probability or 0.0
        records = [
            record
            for record in self._lexicon()
            if record.confidence is None or record.confidence >= least
        ]
        return surest(records, self.choice.top)

    def _lexicon(self) -> Iterator[Record]:
        file = self.folder.lexicon
        for number, line in read_lines(file):
            words, numbers = line.split("\t")[:2], line.split("\t")[2:]
            match _numbers(numbers):
                case [forward, backward, *rest] if len(rest) == self.has_confidence:
                    confidence = rest[0] if rest else None
                    record = Record(words[0], words[1], forward, backward, confidence)
                    if record[:2] in self.without:
                        self.rejected.add(record[:2])
                        continue
                    yield record._replace(status=self.statuses.get(record[:2], ""))
                case _:
                    raise InputError(
                        f"{place(file, number)}: expected two words and {2 + self.has_confidence} "
                        f"probabilities with tabs between, found {line[:60]!r}"
                    )

    @cached_property
    def phrases(self) -> PhraseTable:
        """The phrase pairs that are sure enough, by the alphabet."""
        table = self._phrases()
        least = self.choice.min_probability
        if least is None or table.confidence is None:
            return table
        return table.only([n for n, p in enumerate(table.confidence) if p >= least])

    @cached_property
    def surest_phrases(self) -> PhraseTable:
        """Of these the surest, if not all are wanted."""
        table, top = self.phrases, self.choice.top
        if top is None or top >= len(table):
            return table
        if table.confidence is None:
            sureness = np.add(*self.log_q)[table.agreed]
        else:
            sureness = np.array(table.confidence)
        return table.only(np.sort(np.argsort(-sureness, kind="stable")[:top]).tolist())

    def _phrases(self) -> PhraseTable:
        file = self.folder.phrases
        texts: tuple[list[str], list[str], list[str]] = [], [], []
        confidence: list[float] = []
        lines: list[int] = []
        for number, line in read_lines(file):
            match line.split("\t"):
                case [source, target, _, _, alignment, *rest] if (
                    len(rest) == self.has_confidence
                    and all(map(PROBABILITY.fullmatch, rest))
                    and LINKS.fullmatch(alignment)
                ):
                    if (source, target) in self.without:
                        self.rejected.add((source, target))
                        continue
                    for column, text in zip(texts, (source, target, alignment), strict=True):
                        column.append(text)
                    confidence += map(float, rest)
                    lines.append(number)
                case _:
                    last = ", a probability" if self.has_confidence else ""
                    raise InputError(
                        f"{place(file, number)}: expected two phrases, two numbers, word links "
                        f"such as 0-0 1-2{last}, with tabs between, found {line[:60]!r}"
                    )
        numbers = confidence if self.has_confidence else None
        return PhraseTable(*texts, numbers, self._agreed(*texts[:2], lines))

    def _agreed(self, source: list[str], target: list[str], lines: list[int]) -> NDArray[np.int64]:
        links, size = self.trained.state.agreed, len(self.trained.target)
        s, t = _numbered(self.trained.source, source), _numbered(self.trained.target, target)
        keys = links.source.astype(np.int64) * size + links.target
        order = np.argsort(keys)
        wanted = s * size + t
        places = np.searchsorted(keys[order][:-1], wanted)
        found = keys[order][places] == wanted if len(keys) else np.zeros(len(s), np.bool_)
        if not found.all():
            n = int(np.argmin(found))
            raise InputError(
                f"{place(self.folder.phrases, lines[n])}: expected a pair that the model has "
                f"agreed on, found {source[n]!r} and {target[n]!r}; lines may be taken out, "
                "but not changed"
            )
        return np.asarray(order[places])

    @cached_property
    def log_q(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """log q→(s|t) and log q←(t|s) of the agreed pairs of the model."""
        if self.has_confidence:
            return self.trained.state.log_q
        self.tell("The run has not kept the probabilities of its phrases: searching once more.")
        return searched_log_q(self.trained)

    def with_judged(self, records: list[Record]) -> list[Record]:
        """The pairs, and after them those that people have judged and the run has not: what was
        put in the place of another, and what is never learned. Where only what is sure enough is
        wanted, rejected ones are not."""
        if not self.with_rejected:
            return records
        known = {record[:2] for record in records}
        sure = 1.0 if self.has_confidence else None
        chosen = self.choice.min_probability is not None
        return records + [
            Record(*pair, confidence=sure if status == "accepted" else None, status=status)
            for pair, status in self.statuses.items()
            if pair not in known and not (chosen and status == "rejected")
        ]

    def word_links(self, table: PhraseTable) -> WordLinks:
        """The word links of phrase pairs."""
        links = WordLinks.of(table.alignment)
        agreed, (source, target) = self.trained.state.agreed, self.trained[:2]
        I = source.lengths[agreed.source[table.agreed]]
        J = target.lengths[agreed.target[table.agreed]]
        beyond = (links.source >= I[links.pairs]) | (links.target >= J[links.pairs])
        if beyond.any():
            n = int(links.pairs[np.argmax(beyond)])
            raise InputError(
                f"{self.folder.phrases}: expected word links of {table.source[n]!r} and "
                f"{table.target[n]!r}, found {table.alignment[n]!r}; lines may be taken out, "
                "but not changed"
            )
        return links

    def records(self, *, weighed: bool, table: PhraseTable | None = None) -> list[Record]:
        """Phrase pairs, the surest of all if not others; with their probabilities both ways, if
        they are to be weighed."""
        table = self.surest_phrases if table is None else table
        forward: Sequence[float | None] = [None] * len(table)
        backward, confidence = forward, table.confidence or forward
        if len(table) and (weighed or self.has_confidence):
            backward, forward = (probabilities(side[table.agreed]).tolist() for side in self.log_q)
        alignment = map(_links, table.alignment)
        statuses = map(self.statuses.get, zip(table.source, table.target, strict=True), repeat(""))
        columns = (table.source, table.target, forward, backward, confidence, alignment, statuses)
        return [*map(Record, *columns)]


def searched_log_q(trained: Trained) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """log q→ and log q← of the agreed pairs by one more search.

    A pair that is not among the candidates has less than this search looks at; it gets the most
    that it can have, and in both directions the same.
    """
    source, target, state, settings = trained[:4]
    constraints = Constraints.of(trained.seed, source, target)
    task = Task(source, target, settings, Threads(), constraints)
    found = find_posteriors(task, state.models)
    # The candidates are sorted by s and then t.
    keys = pair_keys(found.pairs.source, found.pairs.target)
    wanted = pair_keys(state.agreed.source, state.agreed.target)
    places, known = find_keys(keys, wanted)
    forward, backward = np.full((2, len(wanted)), listing_threshold(settings) / 2)
    forward[known] = found.forward.log_q[places[known]]
    backward[known] = found.backward.log_q[places[known]]
    return forward, backward


def surest(records: list[Record], top: int | None) -> list[Record]:
    """The so many surest pairs, the surest first; all of them, as they are, if nobody asks."""
    if top is None or top >= len(records):
        return records
    return sorted(records, key=sureness, reverse=True)[:top]


def sureness(record: Record) -> float:
    """The probability of being right, or what both directions say where there is none."""
    if record.confidence is not None:
        return record.confidence
    return (record.forward or 0.0) * (record.backward or 0.0)


def probabilities(log_q: NDArray[np.float64]) -> NDArray[np.float64]:
    """q, never 0 and never more than 1."""
    return np.clip(np.exp(log_q), LEAST, 1.0)


def _numbered(phrases: Phrases, texts: list[str]) -> NDArray[np.int64]:
    """The numbers of these phrases; 0 for one that is not there."""
    numbers = phrases.numbers
    return np.array([numbers.get(text, 0) for text in texts], np.int64)


def _links(text: str) -> tuple[tuple[int, int], ...]:
    return tuple((int(i), int(j)) for i, _, j in (link.partition("-") for link in text.split()))


def _numbers(texts: list[str]) -> list[float] | None:
    try:
        return [float(text) for text in texts]
    except ValueError:
        return None
