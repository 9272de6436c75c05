"""The lexical weights of phrase pairs: how well their words translate one another.

Notation: lex(f|e) = Πⱼ 1/|{i}| Σᵢ p(fⱼ|eᵢ)  over the words i that are linked to j, and p(fⱼ|NULL)
          where there is none

p(f|e) is the learned one with its floor, so that no weight is 0.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.corpus.phrases import Phrases
from accord.corpus.vocabulary import NULL
from accord.learning.model.translation import TranslationModel
from accord.system.arrays import offsets_of

# Moses reads numbers of 32 bits, and takes the logarithm.
LEAST = float(np.finfo(np.float32).tiny)

Numbers = NDArray[np.integer[Any]]


class WordLinks(NamedTuple):
    """The word links of pairs of phrases, flat."""

    pairs: Numbers  # the place of the pair
    source: Numbers  # the places of the words in their phrases, from 0
    target: Numbers

    @classmethod
    def of(cls, alignments: list[str]) -> "WordLinks":
        """Out of text such as 0-0 1-2, one for each pair."""
        counts = np.fromiter((text.count("-") for text in alignments), np.int64, len(alignments))
        pairs = np.repeat(np.arange(len(alignments)), counts)
        numbers = np.array(" ".join(alignments).replace("-", " ").split(), np.int32)
        return cls(pairs, *numbers.reshape(len(pairs), 2).T)

    def swapped(self) -> "WordLinks":
        return WordLinks(self.pairs, self.target, self.source)


def lexical_weights(
    source: Phrases,
    target: Phrases,
    translation: TranslationModel,
    pairs: tuple[Numbers, Numbers],
    links: WordLinks,
) -> NDArray[np.float64]:
    """lex(target|source) of each of these pairs of phrases."""
    s, t = pairs
    if not len(t):
        return np.empty(0)
    lengths = target.lengths[t]
    begins = offsets_of(lengths)
    # The words of all target phrases, one after the other.
    f = target.words[np.arange(begins[-1]) + np.repeat(target.offsets[t] - begins[:-1], lengths)]
    e = source.words[source.offsets[s[links.pairs]] + links.source]
    places = begins[links.pairs] + links.target
    linked = np.bincount(places, minlength=len(f))
    sums = np.bincount(places, translation.probability(e, f[places]), minlength=len(f))
    p = np.where(linked, sums / np.maximum(linked, 1), 0.0)
    alone = linked == 0
    p[alone] = translation.probability(np.full(np.count_nonzero(alone), NULL), f[alone])
    weights: NDArray[np.float64] = np.exp(np.add.reduceat(np.log(p), begins[:-1]))
    return np.clip(weights, LEAST, 1.0)
