"""One direction of the model: the parameters θ of P(f|e), e given."""

from typing import NamedTuple

from accord.lengths import LengthModel
from accord.translation import TranslationModel


class Model(NamedTuple):
    """θ: the length model p(J|I) and the translation model p(f|e)."""

    lengths: LengthModel
    translation: TranslationModel
