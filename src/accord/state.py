"""All there is of a run after an iteration. Apart from what makes it: that takes long to load."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.agreement import Alignment, Links
from accord.model import Model


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
