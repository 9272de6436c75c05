"""What a decoder chooses from: the options of a table, weighed, the best of each source phrase."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.system.arrays import offsets_of
from accord.translate import decoder_kernels as kernels
from accord.translate.language_model import LanguageModel
from accord.translate.table import PhraseTable
from accord.translate.weights import (
    LANGUAGE_MODEL,
    LOWEST,
    PHRASE,
    TRANSLATION,
    UNKNOWN_WORD,
    WORD,
    Weights,
)

# Sums in another order differ by less.
ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class Options:
    """Options by source phrases, first those that can be the best."""

    spans: dict[str, tuple[int, int]]  # the first option of a source phrase, and after the last
    places: NDArray[np.int64]  # in the table
    source_lengths: NDArray[np.int64]
    arrays: tuple[NDArray[Any], ...]  # as the kernels take them

    @classmethod
    def of(
        cls, table: PhraseTable, lm: LanguageModel, model: Any, weights: Weights, limit: int
    ) -> "Options":
        """At most `limit` options of each source phrase: those that promise the most, as far as a
        phrase tells by itself."""
        targets = [target.split(" ") for target in table.targets]
        lengths = np.array([*map(len, targets)], np.int64)
        numbers = np.array([lm.number(word) for target in targets for word in target], np.int32)
        offsets = offsets_of(lengths)
        static = (
            table.log_scores @ weights[TRANSLATION]
            - lengths * weights[WORD]
            + weights[PHRASE]
            + table.unknown * LOWEST * weights[UNKNOWN_WORD]
        )
        lm_weight = float(weights[LANGUAGE_MODEL][0]) * kernels.LN_10
        promise = static + lm_weight * kernels.phrases_alone(model, numbers, offsets)[2]
        ceiling = static + _most(lm, model, lm_weight, numbers, offsets)
        spans: dict[str, tuple[int, int]] = {}
        chosen: list[int] = []
        source_lengths: list[int] = []
        by_promise, by_ceiling = (-promise).tolist(), (-ceiling).tolist()
        for source, options in table.options.items():
            # A table is sorted: among equals the first by the alphabet.
            best = sorted(options, key=by_promise.__getitem__)[:limit]
            best.sort(key=by_ceiling.__getitem__)
            spans[source] = len(chosen), len(chosen) + len(best)
            chosen += best
            source_lengths += [source.count(" ") + 1] * len(best)
        places = np.array(chosen, np.int64)
        begins = offsets_of(lengths[places])
        every = np.arange(begins[-1]) + np.repeat(offsets[places] - begins[:-1], lengths[places])
        words = numbers[every]
        nodes, rest, _ = kernels.phrases_alone(model, words, begins)
        of_options = static[places], promise[places], ceiling[places]
        arrays = *of_options, begins, words, nodes, rest
        return cls(spans, places, np.array(source_lengths, np.int64), arrays)


def _most(
    lm: LanguageModel,
    model: Any,
    weight: float,
    words: NDArray[np.int32],
    offsets: NDArray[np.int64],
) -> NDArray[np.float64]:
    """The most that the language model can add to an option, whatever is before it."""
    if weight < 0:
        return np.full(len(offsets) - 1, np.inf)
    most_backoff = (lm.order - 1) * max(0.0, float(lm.backoff.max()))
    ceilings: NDArray[np.float64] = kernels.phrase_ceilings(
        model, kernels.best_after_more(lm.trie), most_backoff, words, offsets
    )
    return weight * ceilings + ROUNDING
