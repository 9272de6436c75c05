"""One direction of the model: the parameters θ of P(f|e), e given."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.corpus.phrases import Phrases
from accord.learning.model.lengths import LengthModel
from accord.learning.model.translation import TranslationModel
from accord.learning.model.word_order import OrderModel

# Before anything is known, few phrases are thought to have no translation: were they many, a weak
# first model would explain nothing, and nothing be learned.
EMPTY_AT_FIRST = 0.2


class Model(NamedTuple):
    """θ: the length model p(J|I), the translation model p(f|e), where words stand, and the share
    of target phrases that have no translation (which agreement by posteriors alone learns)."""

    lengths: LengthModel
    translation: TranslationModel
    order: OrderModel
    empty: float

    def length_terms(self, I: NDArray[Any], J: NDArray[Any]) -> NDArray[np.float64]:
        """log p(J|I) − J·log(I + 1), the part of log P(f|e) that knows only lengths."""
        terms: NDArray[np.float64] = self.lengths.log_prob[I, J] - J * np.log(I + 1)
        return terms


def word_arguments(
    source: Phrases, target: Phrases, forward: Model, backward: Model
) -> tuple[Any, ...]:
    """Both directions and the words of both sides, as the kernels of word pairs take them."""
    return (
        forward.translation.table,
        backward.translation.table,
        tuple(forward.order),
        tuple(backward.order),
        source.words,
        source.offsets,
        target.words,
        target.offsets,
    )
