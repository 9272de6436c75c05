"""All there is of a run after an iteration. Apart from what makes it: that takes long to load."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.corpus.phrases import Phrases
from accord.learning.agreement import Alignment, Links
from accord.learning.model import Model


class State(NamedTuple):
    """All there is after an iteration."""

    iteration: int
    forward: Model  # P(target|source)
    backward: Model  # P(source|target)
    forward_alignment: Alignment  # a source phrase for each target phrase
    backward_alignment: Alignment  # a target phrase for each source phrase
    agreed: Links  # the phrase pairs found
    changed: float  # the share of the links, both ways, that were others one iteration before
    log_q: tuple[NDArray[np.float64], NDArray[np.float64]]  # as Agreed has it
    mean_q: float = 0.5  # as well

    @classmethod
    def at_first(cls, source: Phrases, target: Phrases, forward: Model, backward: Model) -> "State":
        """Θ⁽⁰⁾, and no links."""
        return cls(
            *(0, forward, backward),
            *(Alignment.empty(len(target)), Alignment.empty(len(source)), Links.none()),
            math.inf,
            (np.empty(0), np.empty(0)),
        )
