"""Training of language models: interpolated modified Kneser-Ney, as estimated by KenLM's lmplz.

Notation: c  the adjusted count of an n-gram: the number of occurrences for n-grams of the highest
             order and those that begin with <s>; for the others, the number of different words
             that precede them
          D  what is subtracted from a count of 1, of 2, and of 3 or more: D₁, D₂, D₃
          γ  what was subtracted in a context, as a share: the back-off weight

p(w|h) = (c(hw) − D)/Σc(h·) + γ(h)·p(w|h′), where h′ is h without its first word; below the words
there is a uniform distribution over all words except <s> (Chen and Goodman 1998; Heafield et al.
2013). Nothing is pruned. Probabilities and weights are rounded to DECIMALS, as they are written: a
trained model is equal to the model that is read back, and does not depend on the last bit of a
logarithm.
"""

from collections.abc import Callable, Sequence

import numpy as np

from accord.errors import SettingError
from accord.system.arrays import Floats, Offsets, offsets_of
from accord.translate.language_model.arpa_kernels import DECIMALS
from accord.translate.language_model.ngram_counts import (
    NgramCounts,
    count_ngrams,
    count_unigrams,
    sort_positions,
)
from accord.translate.language_model.training_text import BEGIN_NUMBER, TrainingText
from accord.translate.language_model.trie import LanguageModel
from accord.translate.language_model.trie_kernels import ROOT

# KenLM's, as it is built by default.
MAX_ORDER = 6
# For a length whose counts are too few or too irregular (lmplz --discount_fallback).
FALLBACK = (0.5, 1.0, 1.5)


def check_order(order: int) -> None:
    if not 1 <= order <= MAX_ORDER:
        raise SettingError(f"order: expected 1 to {MAX_ORDER}, found {order}")


def train_language_model(
    text: TrainingText, order: int, begin: Callable[[str], object] = lambda _: None
) -> LanguageModel:
    """Train a language model; `begin` is called with the name of each step."""
    check_order(order)
    begin("Counting words")
    counts, nodes = count_unigrams(text)
    levels = [counts]
    positions = sort_positions(text)
    for length in range(2, order + 1):
        begin(f"Counting {length}-grams")
        counts, nodes = count_ngrams(text, positions, length, counts, nodes)
        levels.append(counts)
    del nodes, positions
    begin("Estimating")
    log_probs, backoffs = _estimate(levels)
    children = np.bincount(
        np.concatenate([level.parents for level in levels]),
        minlength=counts.first + len(counts.words),
    )
    root = np.zeros(1, np.int32)
    return LanguageModel(
        order=order,
        numbers={word: number for number, word in enumerate(text.vocabulary)},
        offsets=offsets_of(children) + 1,
        words=np.concatenate([root, *(level.words for level in levels)]),
        log_prob=np.concatenate([root, *log_probs], dtype=np.float32),
        backoff=np.concatenate([root, *backoffs], dtype=np.float32),
        suffix=np.concatenate([root, *(level.suffixes for level in levels)]),
        contexts=counts.first,
    )


def _estimate(levels: Sequence[NgramCounts]) -> tuple[list[Floats], list[Floats]]:
    """Return log10 of the probabilities and of the back-off weights of each length."""
    log_probs, backoffs = [], []
    # The uniform distribution below the words: <s> cannot follow anything.
    shorter = np.full(1, 1 / (len(levels[0].words) - 1))
    shorter_first, shorter_size = ROOT, 1
    for level, counts in zip(levels, adjust_counts(levels), strict=True):
        discount = np.array([0.0, *estimate_discounts(counts)])[np.minimum(counts, 3)]
        contexts = level.parents - np.int32(shorter_first)
        total = np.bincount(contexts, counts, shorter_size)
        # N-grams that end with </s> are no contexts: there is nothing to discount or back off.
        gamma = np.bincount(contexts, discount, shorter_size) / np.maximum(total, 1)
        probs = (counts - discount) / total[contexts]
        probs += gamma[contexts] * shorter[level.suffixes - np.int32(shorter_first)]
        if level is levels[0]:
            probs[BEGIN_NUMBER] = 1.0
        else:
            backoffs.append(_compute_log10(np.where(total > 0, gamma, 1.0)))
        log_probs.append(_compute_log10(probs))
        shorter, shorter_first, shorter_size = probs, level.first, len(probs)
    return log_probs, [*backoffs, np.zeros(shorter_size)]


def adjust_counts(levels: Sequence[NgramCounts]) -> list[Offsets]:
    """Return c of the n-grams of each length."""
    adjusted = []
    # The nodes that begin with <s> have consecutive numbers, too.
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


def estimate_discounts(counts: Offsets) -> tuple[float, float, float]:
    """Return D₁, D₂ and D₃, from how many n-grams have a count of 1, 2, 3 and 4.

    This is equation 26 of Chen and Goodman. FALLBACK is returned if one of the first three numbers
    is zero, or if a D is not between 0 and its count.
    """
    n = np.bincount(np.minimum(counts, 5), minlength=6).tolist()
    if not all(n[1:4]):
        return FALLBACK
    share = n[1] / (n[1] + 2 * n[2])
    one, two, three = (j - (j + 1) * share * n[j + 1] / n[j] for j in (1, 2, 3))
    # With a D of 0, some contexts would leave nothing for words that were not seen in them.
    return (one, two, three) if 0 < one <= 1 and 0 < two <= 2 and 0 < three <= 3 else FALLBACK


def _compute_log10(values: Floats) -> Floats:
    """Return logarithms, rounded to DECIMALS; at most 0, since a sum may be slightly above 1."""
    return np.minimum(np.round(np.log10(values), DECIMALS), 0.0) + 0.0
