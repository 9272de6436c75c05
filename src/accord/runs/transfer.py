"""A learned model for other phrases: its tables are renumbered for their words, and resized for
their lengths.

Notation: n(e)  the sum of the counts of source word e, including smoothing: s / room(e)

Words that the model does not know have no translation yet, only their floor. Lengths that it has
not seen are as probable as the least probable length that it has seen.
"""

import numpy as np

from accord.corpus.phrases import Phrases
from accord.corpus.vocabulary import NULL, Vocabulary
from accord.evidence.constraints import NO_PAIRS, PairSet
from accord.evidence.counts import Counts
from accord.learning.model.lengths import LengthModel
from accord.learning.model.parameters import Model, Models
from accord.learning.model.state import State
from accord.learning.model.translation import MIN_ROOM, TranslationModel, make_floors
from accord.learning.model.word_order import OrderModel
from accord.learning.task import Task
from accord.runs.trained import Trained
from accord.settings import Settings
from accord.system.arrays import pair_keys, split_keys


def continue_state(
    trained: Trained, task: Task, new_seed: Counts, rejected: PairSet = NO_PAIRS
) -> State:
    """Return the learned Θ as the initial state of another run.

    The counts of new seed entries are added, and rejected word pairs are removed.
    """
    forward, backward = transfer_models(trained, task, new_seed)
    models = Models(
        forward._replace(translation=forward.translation.without(rejected)),
        backward._replace(translation=backward.translation.without(rejected.swapped())),
    )
    return State.initial(models, len(task.source), len(task.target))


def transfer_odds(trained: Trained, source: Phrases, target: Phrases) -> Counts:
    """Return what prior evidence says about the words of other phrases."""
    e = trained.source.vocabulary.map_to(source.vocabulary)[trained.odds.source]
    f = trained.target.vocabulary.map_to(target.vocabulary)[trained.odds.target]
    kept = (e >= 0) & (f >= 0)
    return Counts.total(e[kept], f[kept], trained.odds.values[kept])


def continue_odds(trained: Trained, source: Phrases, target: Phrases, odds: Counts) -> Counts:
    """Return the odds of a run that continues another: the higher of both for each pair.

    The earlier run may have known more: without its text, the sentences are no evidence.
    """
    earlier = transfer_odds(trained, source, target)
    e, f = split_keys(
        np.union1d(pair_keys(odds.source, odds.target), pair_keys(earlier.source, earlier.target))
    )
    values = [
        np.where(counts.has(e, f), counts.values_of(e, f), -np.inf) for counts in (odds, earlier)
    ]
    return Counts(e, f, np.maximum(*values))


def transfer_models(trained: Trained, task: Task, new_seed: Counts) -> Models:
    """Return both directions for the phrases of another task."""
    before = trained.source.vocabulary, trained.target.vocabulary
    state = trained.state
    return Models(
        transfer_model(state.forward, before, task, new_seed),
        transfer_model(state.backward, before[::-1], task.swapped(), new_seed.swapped()),
    )


def transfer_model(
    model: Model,
    vocabularies: tuple[Vocabulary, Vocabulary],
    task: Task,
    new_seed: Counts,
) -> Model:
    """Return one direction for other phrases; it was learned with these vocabularies."""
    lengths = task.source.max_length, task.target.max_length
    return Model(
        resize_lengths(model.lengths, *lengths),
        _transfer_translation(model.translation, vocabularies, task, new_seed),
        resize_order(model.order, *lengths, task.settings),
        model.empty,
    )


def _transfer_translation(
    learned: TranslationModel,
    vocabularies: tuple[Vocabulary, Vocabulary],
    task: Task,
    new_seed: Counts,
) -> TranslationModel:
    """Return p(f|e) = (n(e)·p(f|e) + σ(e, f)) / (n(e) + Σ σ): only words of the new seed change."""
    source, target, settings = task.source, task.target, task.settings
    source_number = vocabularies[0].map_to(source.vocabulary)
    target_number = vocabularies[1].map_to(target.vocabulary)
    here = source_number >= 0
    words = len(source.vocabulary)
    room = np.ones(words)
    room[source_number[here]] = learned.room[here]
    # Without smoothing the sums are unknown: n(e) is then 1, as for an entry of the paper's seed.
    evidence = (settings.word_smoothing or 1.0) / room
    e, f = source_number[learned.sources], target_number[learned.targets]
    kept = (e >= 0) & (f >= 0)
    e, f = e[kept], f[kept]
    counts = Counts(e, f, learned.probabilities[kept] * evidence[e]).plus(new_seed)
    sums = evidence + np.bincount(new_seed.source, new_seed.values, minlength=words)
    if settings.word_smoothing:
        null_room = room[NULL]
        room = np.maximum(room * evidence / sums, MIN_ROOM)
        room[NULL] = null_room
    return TranslationModel(
        np.searchsorted(counts.source, np.arange(words + 1)),
        counts.target,
        counts.values / sums[counts.source],
        room,
        make_floors(target, settings),
    )


def resize_lengths(lengths: LengthModel, source_length: int, target_length: int) -> LengthModel:
    """Return the length model for phrases of up to this many words."""
    old = lengths.log_prob
    shape = source_length + 1, target_length + 1
    I, J = (min(pair) for pair in zip(old.shape, shape, strict=True))
    log_prob = np.full(shape, -np.inf)
    log_prob[1:, 1:] = -np.log(target_length)  # new rows
    log_prob[1:I, 1:] = old[1:I, 1:].min(axis=1, keepdims=True)
    log_prob[1:I, 1:J] = old[1:I, 1:J]
    if shape[1] > J:
        log_prob[1:, 1:] -= np.logaddexp.reduce(log_prob[1:, 1:], axis=1, keepdims=True)
    return LengthModel(log_prob)


def resize_order(
    order: OrderModel, source_length: int, target_length: int, settings: Settings
) -> OrderModel:
    """Return the word order for phrases of up to this many words; uniform for another model."""
    new = OrderModel.uncounted(settings.word_model, source_length, target_length).normalised()
    if new.jumps.shape == order.jumps.shape:
        new = new._replace(jumps=order.jumps)
    if new.positions.size and order.positions.size:
        shapes = zip(order.positions.shape, new.positions.shape, strict=True)
        both = tuple(slice(min(pair)) for pair in shapes)
        new.positions[both] = order.positions[both]
    return new
