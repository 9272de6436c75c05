"""What the two directions agree on.

Notation: links  the set of pairs <s, t> of a phrase alignment, empty links left out   Eq. 9, 10
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Links(NamedTuple):
    """Pairs <s, t> of source and target phrases, sorted by t and then s."""

    source: NDArray[np.int32]
    target: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.source)

    def swapped(self) -> "Links":
        """The same pairs with the two languages exchanged."""
        order = np.lexsort((self.target, self.source))
        return Links(self.target[order], self.source[order])


def links_of(phrases: NDArray[np.int32]) -> Links:
    """Eq. 9: {<m_t, t> | m_t ≠ 0}, with phrases[t] = m_t."""
    target = np.flatnonzero(phrases).astype(np.int32)
    return Links(phrases[target], target)


def intersection(forward: NDArray[np.int32], backward: NDArray[np.int32]) -> Links:
    """Eq. 18: the links in both, forward[t] = s and backward[s] = t."""
    links = links_of(forward)
    both = backward[links.source] == links.target
    return Links(links.source[both], links.target[both])


def agreement_ratio(forward_links: int, backward_links: int, agreed_links: int) -> float:
    """Eq. 33; 0 where there are no links at all."""
    links = forward_links + backward_links
    return 2 * agreed_links / links if links else 0.0
