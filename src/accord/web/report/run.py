"""A finished run as the report needs it: its results, its trace and its quality."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

import numpy as np

from accord.evidence.seed import Entry
from accord.formats.records import Record
from accord.runs.evaluation import Gold
from accord.runs.export.contents import ALL, Contents
from accord.runs.folder import RunFolder
from accord.runs.quality import Quality
from accord.runs.trace import TraceRow
from accord.runs.trained import Trained
from accord.system.arrays import Floats


@dataclass(frozen=True, eq=False)
class ReportedRun:
    """A finished run, with gold pairs if the report was given any."""

    folder: RunFolder
    contents: Contents
    trace: list[TraceRow]
    quality: Quality
    gold: Gold | None = None

    @classmethod
    def read(
        cls,
        folder: RunFolder,
        gold: Gold | None = None,
        tell: Callable[[str], object] = lambda _: None,
    ) -> "ReportedRun":
        contents = Contents(folder, ALL, tell, with_rejected=True)
        trace, quality, _ = folder.read_summary()
        return cls(folder, contents, trace, quality, gold)

    @property
    def trained(self) -> Trained:
        return self.contents.trained

    @property
    def name(self) -> str:
        """The name of the folder with that of its parent, if the path has one."""
        return "/".join(self.folder.path.parts[-2:]) or self.folder.path.resolve().name

    @property
    def languages(self) -> tuple[str, str]:
        return self.trained.languages or ("", "")

    @property
    def has_confidence(self) -> bool:
        return self.contents.has_confidence

    @property
    def words(self) -> list[Record]:
        return self.contents.words

    @cached_property
    def pairs(self) -> list[Entry]:
        """The phrase pairs, sorted alphabetically."""
        table = self.contents.phrases
        return [*zip(table.source, table.target, strict=True)]

    @cached_property
    def scores(self) -> Floats:
        """The confidence of each phrase pair or, without confidences, log q→ + log q←."""
        table = self.contents.phrases
        if table.confidence is not None:
            return np.array(table.confidence)
        logs: Floats = np.add(*self.contents.log_q)[table.agreed]
        return logs

    @cached_property
    def signature(self) -> str:
        """A short hash of version, settings and inputs: equal signatures mean equal results."""
        text = json.dumps(self.folder.signature, sort_keys=True)
        return sha256(text.encode()).hexdigest()[:12]

    @property
    def is_converged(self) -> bool:
        """Whether the last iteration changed no more links than the tolerance."""
        tolerance = self.trained.settings.tolerance
        return tolerance is not None and bool(self.trace) and self.trace[-1]["changed"] <= tolerance

    @property
    def version(self) -> str:
        return str(self.folder.signature["accord"])

    @property
    def changed_settings(self) -> dict[str, object]:
        """The settings that differ from the defaults."""
        return self.trained.settings.changed
