"""Phrase alignments, and the links on which the two directions agree.

Notation: m_t  the source phrase of target phrase t, 0 for none
          links  the set of pairs <s, t> of a phrase alignment, without empty links    Eq. 9, 10
"""

from typing import NamedTuple

import numpy as np

from accord.evidence.constraints import PairSet
from accord.system.arrays import Floats, Ids, Mask


class Alignment(NamedTuple):
    """One direction's phrase alignment, for every target phrase t."""

    phrases: Ids  # m_t
    log_prob: Floats  # log P(f|e) of t and m_t
    tied: Mask  # whether another phrase has the same score as m_t

    @classmethod
    def empty(cls, size: int) -> "Alignment":
        """No links at all."""
        return cls(np.zeros(size, np.int32), np.zeros(size), np.zeros(size, np.bool_))


class Links(NamedTuple):
    """Weighted pairs <s, t> of source and target phrases, sorted by t and then s."""

    source: Ids
    target: Ids
    weights: Floats

    @classmethod
    def none(cls) -> "Links":
        return cls.certain(np.empty(0, np.int32), np.empty(0, np.int32))

    @classmethod
    def certain(cls, source: Ids, target: Ids) -> "Links":
        """Links of weight 1."""
        return cls(source, target, np.ones(len(source)))

    def __len__(self) -> int:
        return len(self.source)

    def sorted(self) -> "Links":
        order = np.lexsort((self.source, self.target))
        return Links(self.source[order], self.target[order], self.weights[order])

    def swapped(self) -> "Links":
        """The same pairs with the two languages exchanged."""
        return Links(self.target, self.source, self.weights).sorted()

    def where(self, kept: Mask) -> "Links":
        return Links(self.source[kept], self.target[kept], self.weights[kept])

    def with_certain(self, pairs: PairSet) -> "Links":
        """Add these pairs, or give them the weight 1; the others keep their weights."""
        if not pairs.size:
            return self
        others = self.where(~pairs.contains(self.source, self.target))
        return Links(
            np.concatenate([others.source, pairs.source]),
            np.concatenate([others.target, pairs.target]),
            np.concatenate([others.weights, np.ones(pairs.size)]),
        ).sorted()


class Agreed(NamedTuple):
    """The result of the E-step, from which the M-step learns."""

    forward: Alignment  # a source phrase for each target phrase
    backward: Alignment  # a target phrase for each source phrase
    forward_links: Links  # those that P(target|source) is estimated from
    backward_links: Links  # those that P(source|target) is estimated from, with the sides swapped
    found: Links  # the phrase pairs of the results
    empty: tuple[float, float]  # the shares of target and of source phrases without a translation
    # log q→(s|t) and log q←(t|s) of the pairs found; empty for the paper's methods.
    log_q: tuple[Floats, Floats] = (np.empty(0), np.empty(0))
    # The share of phrases with a translation, a feature of the confidence of all pairs.
    translated: float = 0.5


def find_links(phrases: Ids) -> Links:
    """Eq. 9: {<m_t, t> | m_t ≠ 0}, with phrases[t] = m_t."""
    target = np.flatnonzero(phrases).astype(np.int32)
    return Links.certain(phrases[target], target)


def intersect(forward: Ids, backward: Ids) -> Links:
    """Eq. 18: the links in both, forward[t] = s and backward[s] = t."""
    links = find_links(forward)
    return links.where(backward[links.source] == links.target)


def agreement_ratio(forward_links: int, backward_links: int, agreed_links: int) -> float:
    """Eq. 33; 0 if there are no links at all."""
    links = forward_links + backward_links
    return 2 * agreed_links / links if links else 0.0
