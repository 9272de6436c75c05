"""What all steps of learning share, and no iteration changes. Evidence on words is a `Prior`."""

from typing import NamedTuple

from accord.corpus.phrases import Phrases
from accord.evidence.constraints import NO_CONSTRAINTS, Constraints
from accord.evidence.counts import Counts
from accord.settings import Settings
from accord.system.runners import Runner


class Task(NamedTuple):
    """Two corpora, the settings, the runner, and the pairs that reviewers have decided on.

    Routines that work on one direction take the task as it is for P(target|source), and swapped
    for P(source|target).
    """

    source: Phrases
    target: Phrases
    settings: Settings
    runner: Runner
    constraints: Constraints = NO_CONSTRAINTS
    odds: Counts = Counts.none()  # how much prior evidence adds to the log odds of word pairs

    def swapped(self) -> "Task":
        """The same task with the two languages exchanged."""
        return Task(
            self.target,
            self.source,
            self.settings,
            self.runner,
            self.constraints.swapped(),
            self.odds.swapped(),
        )
