"""Training: interpolated modified Kneser-Ney, as KenLM's lmplz estimates it.

Notation: c  the adjusted count of an n-gram: how often the longest ones are seen, and those that
             begin with <s>; of others, how many different words stand before them
          D  what is taken off a count of 1, of 2, and of 3 or more: D₁, D₂, D₃
          γ  what was taken off in a context, as a share: the back-off weight

p(w|h) = (c(hw) − D)/Σc(h·) + γ(h)·p(w|h′), where h′ is h without its first word, and below the
words there is the same for all but <s> (Chen and Goodman 1998; Heafield et al. 2013). Nothing is
pruned. Probabilities and weights are kept to DECIMALS, as they are written: so what is trained is
what will be read, and it does not hang on the last bit of a logarithm.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from accord.errors import SettingError
from accord.system.arrays import offsets_of
from accord.translate.language_model import ROOT, LanguageModel
from accord.translate.language_model.counting import Level, by_word, count_longer, count_unigrams
from accord.translate.language_model.text import BEGIN_NUMBER, Sentences

DECIMALS = 6
# Of KenLM, as it is built by default.
MAX_ORDER = 6
# For a length whose counts are too few or too odd to tell (lmplz --discount_fallback).
FALLBACK = (0.5, 1.0, 1.5)

Floats = NDArray[np.float64]


def check_order(order: int) -> None:
    if not 1 <= order <= MAX_ORDER:
        raise SettingError(f"order: expected 1 to {MAX_ORDER}, found {order}")


def model_of(
    sentences: Sentences, order: int, begin: Callable[[str], object] = lambda _: None
) -> LanguageModel:
    """The language model of these sentences; `begin` is called with what is done next."""
    check_order(order)
    begin("Counting words")
    level, nodes = count_unigrams(sentences)
    levels = [level]
    places = by_word(sentences)
    for length in range(2, order + 1):
        begin(f"Counting {length}-grams")
        level, nodes = count_longer(sentences, places, length, level, nodes)
        levels.append(level)
    del nodes, places
    begin("Estimating")
    log_probs, backoffs = _estimates(levels)
    children = np.bincount(
        np.concatenate([level.parents for level in levels]),
        minlength=level.first + len(level.words),
    )
    root = np.zeros(1, np.int32)
    return LanguageModel(
        order=order,
        numbers={word: number for number, word in enumerate(sentences.vocabulary)},
        offsets=offsets_of(children) + 1,
        words=np.concatenate([root, *(level.words for level in levels)]),
        log_prob=np.concatenate([root, *log_probs], dtype=np.float32),
        backoff=np.concatenate([root, *backoffs], dtype=np.float32),
        suffix=np.concatenate([root, *(level.suffixes for level in levels)]),
        contexts=level.first,
    )


def _estimates(levels: Sequence[Level]) -> tuple[list[Floats], list[Floats]]:
    """log10 of the probabilities and of the back-off weights of each length."""
    log_probs, backoffs = [], []
    # Of the words below, which is the same: <s> is no word that could follow.
    shorter = np.full(1, 1 / (len(levels[0].words) - 1))
    shorter_first, shorter_size = ROOT, 1
    for level, counts in zip(levels, adjusted_counts(levels), strict=True):
        taken = np.array([0.0, *discounts(counts)])[np.minimum(counts, 3)]
        contexts = level.parents - np.int32(shorter_first)
        total = np.bincount(contexts, counts, shorter_size)
        # Those that end with </s> are no contexts: nothing is taken off, and nothing backed off.
        gamma = np.bincount(contexts, taken, shorter_size) / np.maximum(total, 1)
        probs = (counts - taken) / total[contexts]
        probs += gamma[contexts] * shorter[level.suffixes - np.int32(shorter_first)]
        if level is levels[0]:
            probs[BEGIN_NUMBER] = 1.0
        else:
            backoffs.append(_log10(np.where(total > 0, gamma, 1.0)))
        log_probs.append(_log10(probs))
        shorter, shorter_first, shorter_size = probs, level.first, len(probs)
    return log_probs, [*backoffs, np.zeros(shorter_size)]


def adjusted_counts(levels: Sequence[Level]) -> list[NDArray[np.int64]]:
    """c of the n-grams of each length."""
    adjusted = []
    # The nodes that begin with <s> are one after the other, too.
    begins = levels[0].first + BEGIN_NUMBER
    among = np.array([begins, begins + 1])
    for level, longer in zip(levels, [*levels[1:], None], strict=True):
        if longer is None:
            counts = level.counts.astype(np.int64)
        else:
            size = len(level.words)
            counts = np.bincount(longer.suffixes - np.int32(level.first), minlength=size)
        if level is not levels[0]:
            low, high = np.searchsorted(level.parents, among).tolist()
            counts[low:high] = level.counts[low:high]
            among = np.array([low, high]) + level.first
        else:
            counts[BEGIN_NUMBER] = 0
        adjusted.append(counts)
    return adjusted


def discounts(counts: NDArray[np.int64]) -> tuple[float, float, float]:
    """D₁, D₂ and D₃ from how many n-grams have a count of 1, 2, 3 and 4 (equation 26 of Chen and
    Goodman), or FALLBACK where these cannot be: one of the first three is missing, or a D is not
    between 0 and its count."""
    n = np.bincount(np.minimum(counts, 5), minlength=6).tolist()
    if not all(n[1:4]):
        return FALLBACK
    share = n[1] / (n[1] + 2 * n[2])
    one, two, three = (j - (j + 1) * share * n[j + 1] / n[j] for j in (1, 2, 3))
    # None may be 0: there would be contexts without a weight for what was not seen in them.
    return (one, two, three) if 0 < one <= 1 and 0 < two <= 2 and 0 < three <= 3 else FALLBACK


def _log10(values: Floats) -> Floats:
    """To DECIMALS, and 0 at most: a sum may have come out a little above 1."""
    return np.minimum(np.round(np.log10(values), DECIMALS), 0.0) + 0.0
