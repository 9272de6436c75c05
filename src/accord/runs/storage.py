"""A state as named arrays, for checkpoints and model folders. No pickle is written or read."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.corpus.phrases import Phrases
from accord.learning.agreement import Alignment, Links
from accord.learning.model.lengths import LengthModel
from accord.learning.model.parameters import Model
from accord.learning.model.state import State
from accord.learning.model.translation import TranslationModel, make_floors
from accord.learning.model.word_order import OrderModel
from accord.settings import Settings

Arrays = Mapping[str, NDArray[Any]]

DIRECTIONS = ("forward", "backward")
TABLE = ("offsets", "targets", "probabilities", "room")


def state_to_arrays(state: State) -> dict[str, NDArray[Any]]:
    """Every number of the state that the inputs and the settings do not give."""
    return {
        "iteration": np.array(state.iteration),
        "changed": np.array(state.changed),
        "mean_q": np.array(state.mean_q),
        **{f"agreed.{part}": array for part, array in state.agreed._asdict().items()},
        **{f"agreed.{part}": array for part, array in zip(DIRECTIONS, state.log_q, strict=True)},
        **_direction_to_arrays("forward", state.forward, state.forward_alignment),
        **_direction_to_arrays("backward", state.backward, state.backward_alignment),
    }


def state_from_arrays(
    arrays: Arrays, source: Phrases, target: Phrases, settings: Settings
) -> State:
    """The state again, of the same phrases and settings."""
    forward, forward_alignment = _direction_from_arrays("forward", arrays, target, settings)
    backward, backward_alignment = _direction_from_arrays("backward", arrays, source, settings)
    return State(
        int(arrays["iteration"]),
        forward,
        backward,
        forward_alignment,
        backward_alignment,
        Links(*(arrays[f"agreed.{part}"] for part in Links._fields)),
        float(arrays["changed"]),
        (arrays["agreed.forward"], arrays["agreed.backward"]),
        float(arrays["mean_q"]),
    )


def _direction_to_arrays(name: str, model: Model, alignment: Alignment) -> dict[str, NDArray[Any]]:
    return {
        f"{name}.lengths": model.lengths.log_prob,
        f"{name}.empty": np.array(model.empty),
        **{f"{name}.order.{part}": array for part, array in model.order._asdict().items()},
        **{f"{name}.translation.{part}": getattr(model.translation, part) for part in TABLE},
        **{f"{name}.alignment.{part}": array for part, array in alignment._asdict().items()},
    }


def _direction_from_arrays(
    name: str, arrays: Arrays, target: Phrases, settings: Settings
) -> tuple[Model, Alignment]:
    offsets, targets, probabilities, room = (arrays[f"{name}.translation.{part}"] for part in TABLE)
    model = Model(
        LengthModel(arrays[f"{name}.lengths"]),
        TranslationModel(offsets, targets, probabilities, room, make_floors(target, settings)),
        OrderModel(*(arrays[f"{name}.order.{part}"] for part in OrderModel._fields)),
        float(arrays[f"{name}.empty"]),
    )
    return model, Alignment(*(arrays[f"{name}.alignment.{part}"] for part in Alignment._fields))
