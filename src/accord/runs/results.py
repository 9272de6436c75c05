"""What a run has learned, in words: the lexicon out of the tables, the phrases out of m̂."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.corpus.phrases import Phrases
from accord.learning.confidence import (
    WORD_COEFFICIENTS,
    compute_word_features,
    predict_confidence,
)
from accord.learning.model.state import State
from accord.learning.model.translation import find_shared_entries
from accord.learning.word_kernels import PhrasePairs, PhraseWords, align_words
from accord.runs.tables import Table
from accord.settings import Settings


class LexiconEntry(NamedTuple):
    """A word pair; the probabilities are the learned parts, without the floor."""

    source: str
    target: str
    forward: float  # p(target|source)
    backward: float  # p(source|target)
    confidence: float | None  # the probability that it is right; the paper's kinds have none


class PhrasePair(NamedTuple):
    """A pair of phrases on which the two directions agree."""

    source: str
    target: str
    forward: float  # log P(target|source)
    backward: float  # log P(source|target)
    alignment: tuple[tuple[int, int], ...]  # 0-based (source word, target word)
    confidence: float | None


class _Probable(NamedTuple):
    """The word pairs that are probable enough, by columns."""

    e: NDArray[np.int32]
    f: NDArray[np.int32]
    forward: NDArray[np.float64]
    backward: NDArray[np.float64]
    support: NDArray[np.int64]  # how often the pair can have been seen
    sure: NDArray[np.float64]


def lexicon(
    source: Phrases, target: Phrases, state: State, settings: Settings
) -> Table[LexiconEntry]:
    """The word pairs that are probable enough, the surest first, of these the commonest."""
    found = _probable(source, target, state, settings)
    order = np.lexsort((found.f, found.e, -found.support, -np.round(found.sure, 2)))
    entries = (
        LexiconEntry(
            source.vocabulary.words[found.e[n]],
            target.vocabulary.words[found.f[n]],
            float(found.forward[n]),
            float(found.backward[n]),
            float(found.sure[n]) if settings.agreement == "posterior" else None,
        )
        for n in order.tolist()
    )
    return Table(LexiconEntry, entries)


def lexicon_size(source: Phrases, target: Phrases, state: State, settings: Settings) -> int:
    """How many word pairs that would be."""
    return len(_probable(source, target, state, settings).e)


def _probable(source: Phrases, target: Phrases, state: State, settings: Settings) -> _Probable:
    e, f, p, q = find_shared_entries(*state.translations)
    support = np.minimum(source.frequency[e], target.frequency[f])
    if settings.agreement == "posterior":
        sure = predict_confidence(compute_word_features(p, q, support), WORD_COEFFICIENTS)
        kept = sure >= settings.min_probability
    else:
        sure, kept = p * q, np.minimum(p, q) >= settings.min_probability
    return _Probable(e[kept], f[kept], p[kept], q[kept], support[kept], sure[kept])


def phrase_pairs(
    source: Phrases, target: Phrases, state: State, settings: Settings
) -> Table[PhrasePair]:
    """The agreed links under the final parameters, with the words that are each other's best."""
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
    words = list(zip(i.tolist(), j.tolist(), strict=True))
    pairs = sorted(
        PhrasePair(
            source[s],
            target[t],
            float(forward[n]),
            float(backward[n]),
            tuple(sorted(words[offsets[n] : offsets[n + 1]])),
            float(links.weights[n]) if settings.agreement == "posterior" else None,
        )
        for n, (s, t) in enumerate(zip(links.source, links.target, strict=True))
    )
    return Table(PhrasePair, pairs)
