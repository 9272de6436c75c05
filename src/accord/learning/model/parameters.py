"""The parameters θ of P(f|e), in one direction and in both."""

from typing import NamedTuple

import numpy as np

from accord.learning.model.lengths import LengthModel
from accord.learning.model.translation import TranslationModel
from accord.learning.model.word_order import OrderModel
from accord.learning.word_kernels import DirectionTables, ModelTables
from accord.system.arrays import Floats, Integers

# At first, few phrases are assumed to have no translation: if they were many, a weak first model
# would explain nothing, and nothing would be learned.
INITIAL_EMPTY = 0.2


class Model(NamedTuple):
    """θ of one direction, P(target|source)."""

    lengths: LengthModel  # p(J|I)
    translation: TranslationModel  # p(f|e)
    order: OrderModel  # the positions of words, or their jumps
    # The share of target phrases without a translation; learned by posterior agreement only.
    empty: float

    def length_terms(self, I: Integers, J: Integers) -> Floats:
        """log p(J|I) − J·log(I + 1), the part of log P(f|e) that depends only on lengths."""
        terms: Floats = self.lengths.log_prob[I, J] - J * np.log(I + 1)
        return terms

    @property
    def tables(self) -> DirectionTables:
        """As kernels take it."""
        return DirectionTables(self.translation.table, self.order)


class Models(NamedTuple):
    """θ of both directions."""

    forward: Model  # P(target|source)
    backward: Model  # P(source|target)

    def swapped(self) -> "Models":
        """The same models with the two languages exchanged."""
        return Models(self.backward, self.forward)

    @property
    def tables(self) -> ModelTables:
        """As kernels take them."""
        return ModelTables(self.forward.tables, self.backward.tables)
