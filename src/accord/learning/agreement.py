"""What one direction says, and what the two agree on.

Notation: m_t  the source phrase of target phrase t, 0 for none
          links  the set of pairs <s, t> of a phrase alignment, empty links left out   Eq. 9, 10
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.evidence.constraints import PairSet


class Alignment(NamedTuple):
    """One direction's phrase alignment, for every target phrase t."""

    phrases: NDArray[np.int32]  # m_t
    log_prob: NDArray[np.float64]  # log P(f|e) of t and m_t
    tied: NDArray[np.bool_]  # whether another phrase did as well as m_t

    @classmethod
    def empty(cls, size: int) -> "Alignment":
        """No links at all."""
        return cls(np.zeros(size, np.int32), np.zeros(size), np.zeros(size, np.bool_))


class Links(NamedTuple):
    """Pairs <s, t> of source and target phrases and what each counts for, by t and then s."""

    source: NDArray[np.int32]
    target: NDArray[np.int32]
    weights: NDArray[np.float64]

    @classmethod
    def none(cls) -> "Links":
        return cls.certain(np.empty(0, np.int32), np.empty(0, np.int32))

    @classmethod
    def certain(cls, source: NDArray[np.int32], target: NDArray[np.int32]) -> "Links":
        """Links that count 1 each."""
        return cls(source, target, np.ones(len(source)))

    def __len__(self) -> int:
        return len(self.source)

    def sorted(self) -> "Links":
        order = np.lexsort((self.source, self.target))
        return Links(self.source[order], self.target[order], self.weights[order])

    def swapped(self) -> "Links":
        """The same pairs with the two languages exchanged."""
        return Links(self.target, self.source, self.weights).sorted()

    def where(self, kept: NDArray[np.bool_]) -> "Links":
        return Links(self.source[kept], self.target[kept], self.weights[kept])

    def with_certain(self, pairs: PairSet) -> "Links":
        """These pairs count 1 each, and the others what they did."""
        if not pairs.size:
            return self
        others = self.where(~pairs.among(self.source, self.target))
        return Links(
            np.concatenate([others.source, pairs.source]),
            np.concatenate([others.target, pairs.target]),
            np.concatenate([others.weights, np.ones(pairs.size)]),
        ).sorted()


class Agreed(NamedTuple):
    """What an iteration finds, and its parameters are counted on."""

    forward: Alignment  # a source phrase for each target phrase
    backward: Alignment  # a target phrase for each source phrase
    forward_links: Links  # what counts for P(target|source)
    backward_links: Links  # what counts for P(source|target), from target to source
    matching: Links  # the phrase pairs found, each phrase in one at most
    empty: tuple[float, float]  # the share of target and of source phrases without translation
    # log q→(s|t) and log q←(t|s) of the pairs found; empty where only Viterbi alignments are made.
    log_q: tuple[NDArray[np.float64], NDArray[np.float64]] = (np.empty(0), np.empty(0))
    # How sure the run is altogether, of which the confidence of its pairs knows.
    mean_q: float = 0.5


def links_of(phrases: NDArray[np.int32]) -> Links:
    """Eq. 9: {<m_t, t> | m_t ≠ 0}, with phrases[t] = m_t."""
    target = np.flatnonzero(phrases).astype(np.int32)
    return Links.certain(phrases[target], target)


def intersection(forward: NDArray[np.int32], backward: NDArray[np.int32]) -> Links:
    """Eq. 18: the links in both, forward[t] = s and backward[s] = t."""
    links = links_of(forward)
    return links.where(backward[links.source] == links.target)


def agreement_ratio(forward_links: int, backward_links: int, agreed_links: int) -> float:
    """Eq. 33; 0 where there are no links at all."""
    links = forward_links + backward_links
    return 2 * agreed_links / links if links else 0.0
