"""The posteriors of the translations of one phrase, as posterior agreement computes them for all
phrases of a run.

Notation: q(s|f) = P(f|e⁽ˢ⁾) / (P of the empty phrase + Σ P(f|e)), as in learning/posterior.py; the
          sum is over all source phrases except candidates that the other direction rules out

Whether the other direction rules out a candidate could be computed by one search per candidate. But
the run has kept the best score of every phrase, which is a lower bound of the sum over all phrases.
This gives an upper bound of the candidate's posterior in the other direction without a search.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from accord.corpus.phrases import Phrases
from accord.learning.search.pairs import CandidatePairs, score_candidates
from accord.learning.search.retrieval import round_to_grid
from accord.learning.search.search_kernels import MAX_GAIN
from accord.learning.task import Task
from accord.runs.query.direction import NearestPhrases, QueriedDirection
from accord.system.arrays import Floats, Ids
from accord.system.runners.threads import Threads

# A hundred pairs are too few for a second thread.
ONE_THREAD = Threads(1)


class QueriedPhrase(NamedTuple):
    """A phrase, and its number in the corpus, or 0 if it is not in the corpus."""

    words: Ids
    number: int


class Candidates(NamedTuple):
    """The candidate source phrases of a target phrase."""

    phrases: Ids
    log_q: Floats
    log_bound: Floats  # an upper bound of log q in the other direction

    def find_log_q(self, phrase: int) -> float:
        """Return log q of a candidate."""
        return float(self.log_q[self.phrases == phrase][0])

    def bound_others(self, phrase: int, least: float) -> float:
        """Return an upper bound of log q→·q← of all other candidates; `least` without any."""
        both = (self.log_q + self.log_bound)[self.phrases != phrase]
        return float(both.max(initial=least))


class QueryDirections(NamedTuple):
    """Both directions of the model, that of the queried phrase first."""

    own: QueriedDirection  # P(queried|answer)
    other: QueriedDirection
    least: float  # the least log q→·q← that may count

    def swapped(self) -> "QueryDirections":
        return QueryDirections(self.other, self.own, self.least)


def find_candidates(
    directions: QueryDirections, queried: Sequence[Ids], also: QueriedPhrase | None = None
) -> list[Candidates]:
    """Return the candidates of each phrase that may count in both directions.

    `also` is always one of them: a phrase that is not in the corpus competes with all others.
    """
    nearest = directions.own.search(queried)
    return [
        _score_nearest(directions, f, near, also) for f, near in zip(queried, nearest, strict=True)
    ]


def _score_nearest(
    directions: QueryDirections, f: Ids, nearest: NearestPhrases, also: QueriedPhrase | None
) -> Candidates:
    own, other, least = directions
    near = nearest.phrases[nearest.scores - nearest.log_total >= least]
    if also and also.number not in near:
        near = np.append(near, np.int32(also.number))
    some, queried = own.source.phrases.select(near), own.target.single_phrase(f)
    if also and also.number == 0:
        # The empty phrase, which stands for it, has no words: they are appended.
        some = Phrases(
            some.vocabulary,
            np.append(some.words, also.words),
            np.append(some.offsets[:-1], some.offsets[-1] + len(also.words)),
        )
    pairs = _pair_with_one(len(near))
    task = Task(some, queried, own.settings, ONE_THREAD)
    closer, searched = score_candidates(task, own.model, pairs)
    backward, _ = score_candidates(task.swapped(), other.model, pairs.swapped())
    scores = round_to_grid(closer)
    in_corpus = near > 0
    best = np.full(len(near), -np.inf)
    if in_corpus.any():
        best[in_corpus] = other.find_best_scores(near[in_corpus])
    log_bound = backward - np.logaddexp(best, backward)

    counted = searched - nearest.log_total + log_bound >= least
    if also:
        counted[near == also.number] = True
    before = np.exp(searched[in_corpus] - nearest.log_total).sum()
    after = np.exp(np.minimum(scores[counted] - nearest.log_total, MAX_GAIN)).sum()
    rest = max(1 - before, np.exp(own.log_empty[len(f)] - nearest.log_total))
    log_total = nearest.log_total + np.log(rest + after)
    return Candidates(near[counted], (scores - log_total)[counted], log_bound[counted])


def _pair_with_one(count: int) -> CandidatePairs:
    """Pair this many source phrases with one target phrase."""
    numbers = np.arange(1, count + 1, dtype=np.int32)
    both = np.ones(count, np.bool_)
    return CandidatePairs(numbers, np.ones(count, np.int32), both, both)


class RankedTranslations(NamedTuple):
    """The translations of a phrase by log q→·q←, the best first."""

    phrases: Ids
    log_q: Floats  # of each, given the queried phrase
    log_back: Floats  # of the queried phrase, given each
    competing: Floats  # an upper bound of log q→·q← of all other pairs of the two phrases

    def with_accepted(self, phrases: Sequence[int], least: float) -> "RankedTranslations":
        """Put these phrases first, which reviewers have accepted; the number 0 is ignored."""
        first = np.array(sorted({*phrases} - {0, *self.phrases.tolist()}), np.int32)
        return RankedTranslations(
            np.concatenate([first, self.phrases]),
            np.concatenate([np.zeros(len(first)), self.log_q]),
            np.concatenate([np.zeros(len(first)), self.log_back]),
            np.concatenate([np.full(len(first), least), self.competing]),
        )


def rank_translations(
    directions: QueryDirections, queried: QueriedPhrase, count: int
) -> RankedTranslations:
    """Rank the candidates of a phrase; score the `count` best in the other direction as well."""
    least = directions.least
    (found,) = find_candidates(directions, [queried.words])
    both = found.log_q + found.log_bound
    nearest = np.lexsort((found.phrases, -both))[:count]
    phrases, log_q = found.phrases[nearest], found.log_q[nearest]
    if not len(phrases):
        return RankedTranslations(phrases, log_q, log_q, log_q)
    some = directions.own.source.phrases.select(phrases)
    words = np.split(some.words, some.offsets[2:-1])
    back = find_candidates(directions.swapped(), words, queried)
    log_back = np.array([candidates.find_log_q(queried.number) for candidates in back])
    # Replace the bounds by the exact values.
    both[nearest] = log_q + log_back
    competing = np.array(
        [
            max(
                both[found.phrases != s].max(initial=least),
                candidates.bound_others(queried.number, least),
            )
            for s, candidates in zip(phrases, back, strict=True)
        ]
    )
    order = np.lexsort((phrases, -both[nearest]))
    return RankedTranslations(phrases[order], log_q[order], log_back[order], competing[order])
