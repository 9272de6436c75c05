"""New parameters θ from the links of an alignment, and σ.

Notation: c(J|I)  link counts by length                     Eq. 24
          c(f|e)  word counts, outer and none: Eq. 26, inner: Eq. 32
"""

import numpy as np

from accord import kernels
from accord.agreement import Links
from accord.counts import Counts
from accord.lengths import LengthModel
from accord.model import Model
from accord.phrases import Phrases
from accord.settings import Settings
from accord.translation import TranslationModel


def initial_model(
    source: Phrases, target: Phrases, seed_counts: Counts, settings: Settings
) -> Model:
    """Θ⁽⁰⁾: the seed counts alone, and all lengths alike."""
    return Model(
        LengthModel.uniform(source.max_length, target.max_length),
        _translation(source, target, seed_counts, settings),
    )


def updated_model(
    source: Phrases,
    target: Phrases,
    links: Links,
    forward: Model,
    backward: Model,
    seed_counts: Counts,
    settings: Settings,
) -> Model:
    """Θ of P(target|source) from the links that count for it."""
    counts = word_counts(source, target, links, forward, backward, settings)
    lengths = np.zeros((source.max_length + 1, target.max_length + 1))
    np.add.at(lengths, (source.lengths[links.source], target.lengths[links.target]), 1.0)
    return Model(
        LengthModel.from_counts(lengths, settings.length_smoothing),
        _translation(source, target, counts.plus(seed_counts), settings),
    )


def word_counts(
    source: Phrases,
    target: Phrases,
    links: Links,
    forward: Model,
    backward: Model,
    settings: Settings,
) -> Counts:
    """c(f|e) without σ: Eq. 32 where agreement is inner, otherwise Eq. 26."""
    return Counts.total(
        *kernels.count_words(
            forward.translation.table,
            backward.translation.table,
            source.words,
            source.offsets,
            target.words,
            target.offsets,
            *links,
            settings.agreement == "inner",
        )
    )


def _translation(
    source: Phrases, target: Phrases, counts: Counts, settings: Settings
) -> TranslationModel:
    return TranslationModel.from_counts(
        counts, len(source.vocabulary), len(target.vocabulary), settings.floor, settings.prune
    )
