"""The state of a run after an iteration."""

import math
from typing import NamedTuple

import numpy as np

from accord.learning.agreement import Agreed, Alignment, Links
from accord.learning.model.parameters import Model, Models
from accord.learning.model.translation import TranslationModel
from accord.system.arrays import Floats


class State(NamedTuple):
    """Everything that has been learned after an iteration."""

    iteration: int
    forward: Model  # P(target|source)
    backward: Model  # P(source|target)
    forward_alignment: Alignment  # a source phrase for each target phrase
    backward_alignment: Alignment  # a target phrase for each source phrase
    agreed: Links  # the phrase pairs found
    changed: float  # the share of the links, in both directions, that the iteration has changed
    log_q: tuple[Floats, Floats]  # see `Agreed`
    translated: float = 0.5  # see `Agreed`

    @classmethod
    def initial(cls, models: Models, source_size: int, target_size: int) -> "State":
        """Θ⁽⁰⁾ and no links, for corpora of these sizes."""
        alignments = Alignment.empty(target_size), Alignment.empty(source_size)
        agreed = Agreed(*alignments, Links.none(), Links.none(), Links.none(), (0.0, 0.0))
        return cls.after(0, models, agreed, changed=math.inf)

    @classmethod
    def after(cls, iteration: int, models: Models, agreed: Agreed, changed: float) -> "State":
        """The state after an iteration that has found these links."""
        return cls(
            iteration=iteration,
            forward=models.forward,
            backward=models.backward,
            forward_alignment=agreed.forward,
            backward_alignment=agreed.backward,
            agreed=agreed.found,
            changed=changed,
            log_q=agreed.log_q,
            translated=agreed.translated,
        )

    @property
    def models(self) -> Models:
        return Models(self.forward, self.backward)

    @property
    def translations(self) -> tuple[TranslationModel, TranslationModel]:
        """p(f|e) and p(e|f)."""
        return self.forward.translation, self.backward.translation

    def changed_links(self, agreed: Agreed) -> float:
        """The share of the links of both directions that differ from these; 1 if there are none."""
        pairs = [
            (agreed.forward.phrases, self.forward_alignment.phrases),
            (agreed.backward.phrases, self.backward_alignment.phrases),
        ]
        differing = sum(int(np.count_nonzero(now != then)) for now, then in pairs)
        links = sum(int(np.count_nonzero((now > 0) | (then > 0))) for now, then in pairs)
        return differing / links if links else 1.0
