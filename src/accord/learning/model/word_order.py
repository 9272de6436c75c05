"""Where words stand: the position model of IBM Model 2, and the jumps of the HMM (Vogel 1996).

Notation: positions[I, J, i, j - 1]  (I + 1)·a(i|j, I, J): 1 everywhere is Model 1
          jumps  the probability of NULL, then a weight for each jump from -M to M

Model 1 cannot tell "client and" from "and client"; these can. They are learned from the links
like the rest, and smoothed: positions towards Model 1, jumps towards all alike.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.settings import WordModel

# Longer phrases are rare: their positions are all alike.
LONGEST = 10
FARTHEST = 6
# As if so many words had been seen at each place, all positions alike.
POSITION_SMOOTHING = 20.0
JUMP_SMOOTHING = 5.0

Array = NDArray[np.float64]


class OrderModel(NamedTuple):
    """One of the two is empty, or both: then it is Model 1."""

    positions: Array
    jumps: Array

    @classmethod
    def uncounted(
        cls, word_model: WordModel, source_length: int, target_length: int
    ) -> "OrderModel":
        """Room for the counts of positions or jumps."""
        I, J = min(source_length, LONGEST) + 1, min(target_length, LONGEST) + 1
        return cls(
            np.zeros((I, J, I, J) if word_model == "model2" else (0, 0, 0, 0)),
            np.zeros(2 + 2 * FARTHEST if word_model == "hmm" else 0),
        )

    def normalised(self) -> "OrderModel":
        """From counts to the model."""
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
