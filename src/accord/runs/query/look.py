"""A closer look at one phrase: the posteriors of its translations, as agreement by posteriors has
them for all phrases of a run.

Notation: q(s|f) = P(f|e⁽ˢ⁾) / (the empty phrase's + Σ P(f|e)), as in posterior.py: the sum is over
          all source phrases, but for candidates that the other direction rules out

Whether the other direction rules a candidate out would take a search for each. But the run has
left the best score of every phrase, and the sum over all is no less: so what the other direction
gives a candidate at most is known without one.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.corpus.phrases import Phrases
from accord.learning.search.pairs import CandidatePairs, score_candidates
from accord.learning.search.retrieval import round_to_grid
from accord.learning.search.search_kernels import MAX_GAIN
from accord.learning.task import Task
from accord.runs.query.oneway import Found, OneWay
from accord.system.runners.threads import Threads

Array = NDArray[np.float64]

# A hundred pairs are not worth a second thread.
ALONE = Threads(1)


class Asked(NamedTuple):
    """A phrase that is asked about, and its number where the corpus has it, or 0."""

    words: NDArray[np.int32]
    number: int


class Candidates(NamedTuple):
    """The source phrases that a target phrase may come from."""

    phrases: NDArray[np.int32]
    log_q: Array
    log_most: Array  # the most that the other direction may give

    def of(self, phrase: int) -> float:
        """log q of a candidate."""
        return float(self.log_q[self.phrases == phrase][0])

    def best_other(self, phrase: int, least: float) -> float:
        """The most that another candidate may have in both directions; `least` if there is none."""
        both = (self.log_q + self.log_most)[self.phrases != phrase]
        return float(both.max(initial=least))


def candidates(
    one: OneWay,
    other: OneWay,
    asked: Sequence[NDArray[np.int32]],
    least: float,
    also: Asked | None = None,
) -> list[Candidates]:
    """For each phrase those that may count in both directions, whose log q→·q← may be `least`; and
    one that is there in any case: a rival more of all others, where it is not in the corpus."""
    found = one.search(asked)
    return [_closer(one, other, f, near, least, also) for f, near in zip(asked, found, strict=True)]


def _closer(
    one: OneWay,
    other: OneWay,
    f: NDArray[np.int32],
    found: Found,
    least: float,
    also: Asked | None,
) -> Candidates:
    near = found.phrases[found.scores - found.log_total >= least]
    if also and also.number not in near:
        near = np.append(near, np.int32(also.number))
    some, asked = one.source.phrases.only(near), one.target.phrase_of(f)
    if also and also.number == 0:
        # The empty phrase, which stands for it, has no words: they are put in.
        some = Phrases(
            some.vocabulary,
            np.append(some.words, also.words),
            np.append(some.offsets[:-1], some.offsets[-1] + len(also.words)),
        )
    pairs = _all_with(len(near))
    task = Task(some, asked, one.settings, ALONE)
    closer, searched = score_candidates(task, one.model, pairs)
    back, _ = score_candidates(task.swapped(), other.model, pairs.swapped())
    scores = round_to_grid(closer)
    in_corpus = near > 0
    best = np.full(len(near), -np.inf)
    if in_corpus.any():
        best[in_corpus] = other.best(near[in_corpus])
    log_most = back - np.logaddexp(best, back)

    counted = searched - found.log_total + log_most >= least
    if also:
        counted[near == also.number] = True
    had = np.exp(searched[in_corpus] - found.log_total).sum()
    has = np.exp(np.minimum(scores[counted] - found.log_total, MAX_GAIN)).sum()
    rest = max(1 - had, np.exp(one.log_empty[len(f)] - found.log_total))
    log_total = found.log_total + np.log(rest + has)
    return Candidates(near[counted], (scores - log_total)[counted], log_most[counted])


def _all_with(count: int) -> CandidatePairs:
    """The pairs of so many source phrases with one target phrase."""
    numbers = np.arange(1, count + 1, dtype=np.int32)
    both = np.ones(count, np.bool_)
    return CandidatePairs(numbers, np.ones(count, np.int32), both, both)


class Ranked(NamedTuple):
    """The translations of a phrase, by what both directions say of the pair, the best first."""

    phrases: NDArray[np.int32]
    log_q: Array  # of each, given the phrase asked about
    log_back: Array  # of the phrase asked about, given each
    rivals: Array  # log q→·q← of the best other pair of the two phrases, at most

    def with_certain(self, phrases: Sequence[int], least: float) -> "Ranked":
        """With these before all others, as people have accepted them. 0 is none."""
        first = np.array(sorted({*phrases} - {0, *self.phrases.tolist()}), np.int32)
        return Ranked(
            np.concatenate([first, self.phrases]),
            np.concatenate([np.zeros(len(first)), self.log_q]),
            np.concatenate([np.zeros(len(first)), self.log_back]),
            np.concatenate([np.full(len(first), least), self.rivals]),
        )


def best_both_ways(one: OneWay, other: OneWay, asked: Asked, count: int, least: float) -> Ranked:
    """The source phrases that a target phrase may come from; `count` are looked at from their own
    side, those of which most is to be hoped for."""
    (found,) = candidates(one, other, [asked.words], least)
    both = found.log_q + found.log_most
    nearest = np.lexsort((found.phrases, -both))[:count]
    phrases, log_q = found.phrases[nearest], found.log_q[nearest]
    if not len(phrases):
        return Ranked(phrases, log_q, log_q, log_q)
    some = one.source.phrases.only(phrases)
    words = np.split(some.words, some.offsets[2:-1])
    back = candidates(other, one, words, least, asked)
    log_back = np.array([seen.of(asked.number) for seen in back])
    # What is known by now is more than what was to be hoped for.
    both[nearest] = log_q + log_back
    rivals = np.array(
        [
            max(both[found.phrases != s].max(initial=least), seen.best_other(asked.number, least))
            for s, seen in zip(phrases, back, strict=True)
        ]
    )
    order = np.lexsort((phrases, -both[nearest]))
    return Ranked(phrases[order], log_q[order], log_back[order], rivals[order])
