"""The M-step: new parameters θ from the links of an alignment, and σ.

Notation: c(J|I)  link counts by length                     Eq. 24
          c(f|e)  word counts, outer and none: Eq. 26, inner: Eq. 32
"""

import numpy as np

from accord.evidence.counts import Counts
from accord.evidence.prior import Prior
from accord.learning.agreement import Agreed, Links
from accord.learning.model.lengths import LengthModel
from accord.learning.model.parameters import INITIAL_EMPTY, Model, Models
from accord.learning.model.translation import TranslationModel, make_floors
from accord.learning.model.word_order import OrderModel
from accord.learning.task import Task
from accord.learning.word_kernels import Counting, ModelTables, PhraseWords, count_words

LINK_SHARD = 65_536


def initial_models(task: Task, counts: Counts) -> Models:
    """Θ⁽⁰⁾: these counts alone, all lengths and all positions equally likely."""
    return Models(
        initial_model(task, counts),
        initial_model(task.swapped(), counts.swapped()),
    )


def initial_model(task: Task, counts: Counts) -> Model:
    """One direction of Θ⁽⁰⁾."""
    return Model(
        LengthModel.uniform(task.source.max_length, task.target.max_length),
        _estimate_translation(task, counts),
        _empty_order_counts(task).normalised(),
        INITIAL_EMPTY,
    )


def update_models(task: Task, prior: Prior, agreed: Agreed, models: Models) -> Models:
    """Θ from the links that count for each direction."""
    empty, backward_empty = agreed.empty
    swapped, prior_swapped = task.swapped(), prior.swapped()
    return Models(
        update_model(task, prior, agreed.forward_links, models, empty),
        update_model(
            swapped, prior_swapped, agreed.backward_links, models.swapped(), backward_empty
        ),
    )


def update_model(task: Task, prior: Prior, links: Links, models: Models, empty: float) -> Model:
    """One direction of Θ, P(target|source), from the links that count for it."""
    counts, order = count_links(task, links, models)
    lengths = np.zeros((task.source.max_length + 1, task.target.max_length + 1))
    places = task.source.lengths[links.source], task.target.lengths[links.target]
    np.add.at(lengths, places, links.weights)
    return Model(
        LengthModel.from_counts(lengths, task.settings.length_smoothing),
        _estimate_translation(task, prior.added_to(counts, task.settings.word_smoothing)),
        order.normalised(),
        empty,
    )


def count_links(task: Task, links: Links, models: Models) -> tuple[Counts, OrderModel]:
    """c(f|e) without σ, and the counts of positions or jumps.

    - none and outer agreement: Eq. 26
    - inner agreement: Eq. 32, which leaves NULL out
    - posterior agreement: Eq. 32 with NULL, since otherwise every word of f would have to come from
      a word of e
    """
    agreement = task.settings.agreement
    uncounted = _empty_order_counts(task)
    how = Counting(
        agree=agreement in ("inner", "posterior"), null=agreement != "inner", uncounted=uncounted
    )
    words = PhraseWords(task.source.ragged, task.target.ragged)
    shared = (models.tables, words, links, how)
    shards = task.runner.map(_count_shard, shared, items=len(links), shard=LINK_SHARD)
    counts, orders = zip((Counts.none(), uncounted), *shards, strict=True)
    positions, jumps = (np.sum(part, axis=0) for part in zip(*orders, strict=True))
    return Counts.sum(counts), OrderModel(positions, jumps)


def _count_shard(
    tables: ModelTables, words: PhraseWords, links: Links, how: Counting, first: int, last: int
) -> tuple[Counts, OrderModel]:
    """The counts of a shard of links, summed: the word pairs of all links would be too many."""
    e, f, values, *order = count_words(tables, words, links, how, first, last)
    return Counts.total(e, f, values), OrderModel(*order)


def _empty_order_counts(task: Task) -> OrderModel:
    lengths = task.source.max_length, task.target.max_length
    return OrderModel.uncounted(task.settings.word_model, *lengths)


def _estimate_translation(task: Task, counts: Counts) -> TranslationModel:
    return TranslationModel.from_counts(
        counts,
        len(task.source.vocabulary),
        make_floors(task.target, task.settings),
        task.settings.prune,
        task.settings.word_smoothing,
    )
