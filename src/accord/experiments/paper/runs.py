"""One run of the learner in an experiment, kept on disk so that no figure is made twice."""

import json
from collections.abc import Callable
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from accord.runs.evaluation import estimate_f1_interval
from accord.runs.inputs import Inputs
from accord.runs.learn import learn
from accord.runs.trace import TraceRow
from accord.settings import Agreement, Settings
from accord.system.runners import Runner
from accord.system.writing import write_text
from accord.version import __version__


class Figure(NamedTuple):
    """An F1 with its 95% bootstrap interval."""

    f1: float
    low: float
    high: float


class Runs:
    """Runs of one experiment's inputs, by kind of agreement."""

    def __init__(
        self, folder: Path, pair: str, runner: Runner, tell: Callable[[str], object]
    ) -> None:
        self.folder = folder
        self.pair = pair
        self.runner = runner
        self.tell = tell

    def trace(self, name: str, inputs: Inputs, agreement: Agreement) -> list[TraceRow]:
        """The trace of ten iterations with the default settings."""
        settings = Settings(agreement=agreement)
        run = {"accord": __version__, "settings": asdict(settings)}
        key = json.dumps(run | {"inputs": inputs.hashes()}, sort_keys=True)
        file = self.folder / f"{sha256(key.encode()).hexdigest()[:16]}.json"
        if not file.exists():
            self.tell(f"{self.pair}: {name}, {agreement}")
            self.folder.mkdir(parents=True, exist_ok=True)
            trace = learn(inputs, settings, self.runner).trace
            write_text(file, [json.dumps({"name": name} | run | {"trace": trace})])
        return list(json.loads(file.read_bytes())["trace"])

    def figures(self, name: str, inputs: Inputs) -> dict[str, Figure]:
        """F1 of each direction by itself, of outer and of inner agreement."""
        gold = len(inputs.gold.pairs) if inputs.gold else 0
        alone, outer, inner = (
            self.trace(name, inputs, kind)[-1] for kind in ("none", "outer", "inner")
        )
        return {
            "forward": _figure(alone["forward_f1"], alone["forward_links"], gold),
            "backward": _figure(alone["backward_f1"], alone["backward_links"], gold),
            "outer": _figure(outer["f1"], outer["agreed_links"], gold),
            "inner": _figure(inner["f1"], inner["agreed_links"], gold),
        }


def _figure(f1: float, links: int, gold: int) -> Figure:
    correct = round(f1 * (links + gold) / 2)
    return Figure(f1, *estimate_f1_interval(correct, links, gold))
