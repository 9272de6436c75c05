"""Translation options: the target phrases that the decoder may choose for each source phrase."""

from dataclasses import dataclass

import numpy as np

from accord.system.arrays import Floats, Ids, Offsets, offsets_of
from accord.translate import decoder_kernels as kernels
from accord.translate.decoder_kernels import DecoderModel, OptionArrays
from accord.translate.language_model.trie import LanguageModel
from accord.translate.phrase_table import PhraseTable
from accord.translate.weights import (
    BACK_OFF,
    LANGUAGE_MODEL,
    LOWEST,
    PHRASE,
    TRANSLATION,
    UNKNOWN_WORD,
    WORD,
    Weights,
)

# Greater than the difference between sums in different orders.
ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class TranslationOptions:
    """The options of each source phrase, sorted by their greatest possible score."""

    spans: dict[str, tuple[int, int]]  # by source phrase: the first option, and after the last
    places: Offsets  # in the table
    source_lengths: Offsets
    arrays: OptionArrays

    @classmethod
    def of(
        cls,
        table: PhraseTable,
        lm: LanguageModel,
        model: DecoderModel,
        weights: Weights,
        limit: int,
    ) -> "TranslationOptions":
        """Return at most `limit` options per source phrase: the best, scored by themselves."""
        targets = [target.split(" ") for target in table.targets]
        lengths = np.array([*map(len, targets)], np.int64)
        numbers = np.array([lm.number(word) for target in targets for word in target], np.int32)
        offsets = offsets_of(lengths)
        static = (
            table.log_scores @ np.concatenate([weights[TRANSLATION], weights[BACK_OFF]])
            - lengths * weights[WORD]
            + weights[PHRASE]
            + table.unknown * LOWEST * weights[UNKNOWN_WORD]
        )
        lm_weight = float(weights[LANGUAGE_MODEL][0]) * kernels.LN_10
        estimate = static + lm_weight * kernels.price_phrases(model, numbers, offsets)[2]
        ceiling = static + _lm_ceilings(lm, model, lm_weight, numbers, offsets)
        spans: dict[str, tuple[int, int]] = {}
        chosen: list[int] = []
        source_lengths: list[int] = []
        by_estimate, by_ceiling = (-estimate).tolist(), (-ceiling).tolist()
        for source, options in table.options.items():
            # The table and the sort are stable: of equal options, the alphabetically first.
            best = sorted(options, key=by_estimate.__getitem__)[:limit]
            best.sort(key=by_ceiling.__getitem__)
            spans[source] = len(chosen), len(chosen) + len(best)
            chosen += best
            source_lengths += [source.count(" ") + 1] * len(best)
        places = np.array(chosen, np.int64)
        begins = offsets_of(lengths[places])
        every = np.arange(begins[-1]) + np.repeat(offsets[places] - begins[:-1], lengths[places])
        words = numbers[every]
        nodes, rest, _ = kernels.price_phrases(model, words, begins)
        arrays = OptionArrays(
            static[places], estimate[places], ceiling[places], begins, words, nodes, rest
        )
        return cls(spans, places, np.array(source_lengths, np.int64), arrays)


def _lm_ceilings(
    lm: LanguageModel, model: DecoderModel, weight: float, words: Ids, offsets: Offsets
) -> Floats:
    """Return the most that the language model can add to each option, whatever precedes it."""
    if weight < 0:
        return np.full(len(offsets) - 1, np.inf)
    most_backoff = (lm.order - 1) * max(0.0, float(lm.backoff.max()))
    ceilings: Floats = kernels.phrase_ceilings(
        model, kernels.bound_extensions(lm.trie), most_backoff, words, offsets
    )
    return weight * ceilings + ROUNDING
