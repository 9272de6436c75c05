"""What learns from a set: Accord as it is installed, with its default settings."""

import json
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from accord.corpus.text.extraction import Preparation
from accord.evidence.seed import read_seed
from accord.runs.inputs import Inputs
from accord.runs.learn import learn
from accord.runs.mine import Mine, TextFile
from accord.runs.quality import Quality
from accord.runs.trace import TraceRow
from accord.settings import POSTERIOR_DEFAULTS, Settings
from accord.system.runners.threads import Threads, available_cores
from accord.system.writing import write_text
from benchmarks.halves import report
from benchmarks.real.sets import Collection, CutSet

MIN_CONFIDENCE = float(POSTERIOR_DEFAULTS["min_confidence"] or 0)
# Pairs below the default confidence are kept for the measures, but not all.
LEAST_CONFIDENCE = 0.02

# Source, target, confidence.
ScoredPair = tuple[str, str, float]


class Learned(NamedTuple):
    """The pairs that a system has found, whatever their confidence."""

    phrases: list[ScoredPair]
    words: list[ScoredPair]
    seconds: float
    iterations: int = 0
    quality: dict[str, Any] | None = None
    verdict: str = ""

    def write(self, path: Path) -> None:
        write_text(path, [json.dumps(self._asdict(), ensure_ascii=False)])

    @classmethod
    def read(cls, path: Path) -> "Learned":
        """Read what `write` has written: JSON has no tuples."""
        kept = json.loads(path.read_text(encoding="utf-8"))
        pairs = {name: [tuple(pair) for pair in kept[name]] for name in ("phrases", "words")}
        return cls(**kept | pairs)


def learn_with_accord(cut: CutSet, collection: Collection, settings: Settings) -> Learned:
    """Mine the texts of a set; pairs below the default confidence are kept."""
    begun = perf_counter()
    settings = settings.update({"min_confidence": LEAST_CONFIDENCE, "matching": "none"})
    found = learn(read_inputs(cut, collection), settings, Threads(), watch=_report)
    # Confidences below the default are kept for the measures, but do not count for the verdict.
    lexicon = [entry for entry in found.lexicon if (entry.confidence or 0) >= MIN_CONFIDENCE]
    pairs = [pair for pair in found.phrases if (pair.confidence or 0) >= MIN_CONFIDENCE]
    quality = Quality.of(found.trained.held_out, lexicon, pairs, found.trained.whole_seed.entries)
    return Learned(
        [(pair.source, pair.target, pair.confidence or 0) for pair in found.phrases],
        [(entry.source, entry.target, entry.confidence or 0) for entry in found.lexicon],
        perf_counter() - begun,
        found.trained.state.iteration,
        quality.as_dict(),
        quality.describe(advice=False),
    )


def read_inputs(cut: CutSet, collection: Collection) -> Inputs:
    """Read the texts and the seed of a set, as `accord mine` does."""
    source, target = (
        TextFile(path, Preparation(language, pretokenised=True))
        for path, language in zip((cut.source, cut.target), collection.languages, strict=True)
    )
    plan = Mine(source, target, "chunk", None, 5, available_cores())
    seed = read_seed(cut.seed).entries_with_status
    return plan.inputs(seed, lambda _: None, None, str(cut.seed))


def _report(row: TraceRow) -> None:
    report(f"iteration {row['iteration']}: {row['agreed_links']:,} pairs, {row['seconds']:.0f} s")
