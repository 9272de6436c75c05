"""A run as a report sees it: what it was given, what it left, what it says of itself."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cached_property
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from accord.formats.records import Record
from accord.runs.evaluation import Gold
from accord.runs.export.contents import ALL, Contents
from accord.runs.folder import RunFolder
from accord.runs.quality import Quality
from accord.runs.trace import TraceRow
from accord.runs.trained import Trained
from accord.settings import Settings

Pair = tuple[str, str]


@dataclass(frozen=True, eq=False)
class Run:
    """The folder of a finished run; gold where the report was given it."""

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
    ) -> "Run":
        contents = Contents(folder, ALL, tell, with_rejected=True)
        trace, quality, _ = folder.read_summary()
        return cls(folder, contents, trace, quality, gold)

    @property
    def trained(self) -> Trained:
        return self.contents.trained

    @property
    def name(self) -> str:
        """The folder's, with the one that it is in where that was told."""
        return "/".join(self.folder.path.parts[-2:]) or self.folder.path.resolve().name

    @property
    def languages(self) -> tuple[str, str]:
        return self.trained.languages or ("", "")

    @property
    def words(self) -> list[Record]:
        return self.contents.words

    @cached_property
    def pairs(self) -> list[Pair]:
        """The phrase pairs, by the alphabet."""
        table = self.contents.phrases
        return [*zip(table.source, table.target, strict=True)]

    @cached_property
    def sureness(self) -> NDArray[np.float64]:
        """Of each phrase pair: the probability of being right, or where there is none what both
        directions say."""
        table = self.contents.phrases
        if table.confidence is not None:
            return np.array(table.confidence)
        logs: NDArray[np.float64] = np.add(*self.contents.log_q)[table.agreed]
        return logs

    @cached_property
    def signature(self) -> str:
        """A short hash of version, settings and inputs: equal ones have equal results."""
        text = json.dumps(self.folder.signature, sort_keys=True)
        return sha256(text.encode()).hexdigest()[:12]

    @property
    def version(self) -> str:
        return str(self.folder.signature["accord"])

    @property
    def changed_settings(self) -> dict[str, object]:
        """Those that are not what they are by default."""
        own, usual = (
            asdict(self.trained.settings),
            asdict(Settings(agreement=self.trained.settings.agreement)),
        )
        return {name: value for name, value in own.items() if value != usual[name]}
