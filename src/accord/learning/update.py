"""New parameters θ from the links of an alignment, and σ.

Notation: c(J|I)  link counts by length                     Eq. 24
          c(f|e)  word counts, outer and none: Eq. 26, inner: Eq. 32
"""

from typing import Any

import numpy as np

from accord.corpus.phrases import Phrases
from accord.evidence.counts import Counts
from accord.evidence.prior import Known
from accord.learning import word_kernels as kernels
from accord.learning.agreement import Links
from accord.learning.model import EMPTY_AT_FIRST, Model, word_arguments
from accord.learning.model.lengths import LengthModel
from accord.learning.model.translation import TranslationModel, floors_of
from accord.learning.model.word_order import OrderModel
from accord.settings import Settings
from accord.system.runners import Runner

LINK_SHARD = 65_536


def initial_model(
    source: Phrases, target: Phrases, seed_counts: Counts, settings: Settings
) -> Model:
    """Θ⁽⁰⁾: the seed counts alone, all lengths and all positions alike."""
    return Model(
        LengthModel.uniform(source.max_length, target.max_length),
        _translation(source, target, seed_counts, settings),
        _uncounted(source, target, settings).normalised(),
        EMPTY_AT_FIRST,
    )


def updated_model(
    source: Phrases,
    target: Phrases,
    links: Links,
    empty: float,
    forward: Model,
    backward: Model,
    known: Known,
    settings: Settings,
    runner: Runner,
) -> Model:
    """Θ of P(target|source) from the links that count for it."""
    counts, order = word_counts(source, target, links, forward, backward, settings, runner)
    lengths = np.zeros((source.max_length + 1, target.max_length + 1))
    places = source.lengths[links.source], target.lengths[links.target]
    np.add.at(lengths, places, links.weights)
    return Model(
        LengthModel.from_counts(lengths, settings.length_smoothing),
        _translation(source, target, known.added_to(counts, settings.word_smoothing), settings),
        order.normalised(),
        empty,
    )


def word_counts(
    source: Phrases,
    target: Phrases,
    links: Links,
    forward: Model,
    backward: Model,
    settings: Settings,
    runner: Runner,
) -> tuple[Counts, OrderModel]:
    """c(f|e) without σ, and the counts of positions or jumps.

    Eq. 26 for none and outer; Eq. 32 for inner, which leaves NULL out; for posteriors Eq. 32
    with NULL, as else every word of f would have to come from a word of e.
    """
    uncounted = _uncounted(source, target, settings)
    shared = (
        *word_arguments(source, target, forward, backward),
        *links,
        settings.agreement in ("inner", "posterior"),
        settings.agreement != "inner",
        *uncounted,
    )
    shards = runner.map(_counted, shared, items=len(links.source), shard=LINK_SHARD)
    counts, orders = zip((Counts.none(), uncounted), *shards, strict=True)
    positions, jumps = (np.sum(part, axis=0) for part in zip(*orders, strict=True))
    return Counts.sum(counts), OrderModel(positions, jumps)


def _counted(*arguments: Any) -> tuple[Counts, OrderModel]:
    """The counts of a shard of links, summed: the pairs of words of all links are too many."""
    e, f, values, *order = kernels.count_words(*arguments)
    return Counts.total(e, f, values), OrderModel(*order)


def _uncounted(source: Phrases, target: Phrases, settings: Settings) -> OrderModel:
    return OrderModel.uncounted(settings.word_model, source.max_length, target.max_length)


def _translation(
    source: Phrases, target: Phrases, counts: Counts, settings: Settings
) -> TranslationModel:
    return TranslationModel.from_counts(
        counts,
        len(source.vocabulary),
        floors_of(target, settings),
        settings.prune,
        settings.word_smoothing,
    )
