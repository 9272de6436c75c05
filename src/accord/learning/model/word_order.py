"""Word order: the position model of IBM Model 2, and the jumps of the HMM (Vogel 1996).

Notation: positions[I, J, i, j - 1]  (I + 1)·a(i|j, I, J): 1 everywhere is Model 1
          jumps  the probability of NULL, then a weight for each jump from -M to M

Model 1 cannot distinguish "client and" from "and client"; these models can. They are learned from
the links like the rest, and smoothed: positions towards Model 1, jumps towards uniform.
"""

from typing import NamedTuple

import numpy as np

from accord.settings import WordModel
from accord.system.arrays import Floats

# Longer phrases are rare: all their positions are equally likely.
MAX_LENGTH = 10
MAX_JUMP = 6
# Pseudo-counts.
POSITION_SMOOTHING = 20.0
JUMP_SMOOTHING = 5.0


class OrderModel(NamedTuple):
    """Positions or jumps: one of the two is empty, or both for Model 1."""

    positions: Floats
    jumps: Floats

    @classmethod
    def uncounted(
        cls, word_model: WordModel, source_length: int, target_length: int
    ) -> "OrderModel":
        """Zero counts of positions or jumps."""
        I, J = min(source_length, MAX_LENGTH) + 1, min(target_length, MAX_LENGTH) + 1
        return cls(
            np.zeros((I, J, I, J) if word_model == "model2" else (0, 0, 0, 0)),
            np.zeros(2 + 2 * MAX_JUMP if word_model == "hmm" else 0),
        )

    def normalised(self) -> "OrderModel":
        """Turn counts into the model."""
        positions = np.ones_like(self.positions)
        for I in range(1, positions.shape[0]):
            for J in range(1, positions.shape[1]):
                counts = self.positions[I, J, : I + 1, :J] + POSITION_SMOOTHING / (I + 1)
                positions[I, J, : I + 1, :J] = (I + 1) * counts / counts.sum(axis=0)
        if not len(self.jumps):
            return OrderModel(positions, self.jumps)
        counts = self.jumps + JUMP_SMOOTHING
        null = counts[0] / counts.sum()
        return OrderModel(positions, np.concatenate([[null], counts[1:] / counts[1:].sum()]))


MODEL_1 = OrderModel.uncounted("model1", 0, 0)
