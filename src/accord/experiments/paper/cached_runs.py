"""Runs of the learner in an experiment, cached on disk so that no figure is computed twice."""

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


class F1Figure(NamedTuple):
    """An F1 with its 95% bootstrap interval."""

    f1: float
    low: float
    high: float


class CachedRuns:
    """The runs of a language pair, by inputs and agreement method."""

    def __init__(
        self, folder: Path, pair: str, runner: Runner, report: Callable[[str], object]
    ) -> None:
        self.folder = folder
        self.pair = pair
        self.runner = runner
        self.report = report

    def trace(self, name: str, inputs: Inputs, agreement: Agreement) -> list[TraceRow]:
        """Return the trace of a run with the default settings of the method."""
        settings = Settings(agreement=agreement)
        run = {"accord": __version__, "settings": asdict(settings)}
        key = json.dumps(run | {"inputs": inputs.compute_hashes()}, sort_keys=True)
        file = self.folder / f"{sha256(key.encode()).hexdigest()[:16]}.json"
        if not file.exists():
            self.report(f"{self.pair}: {name}, {agreement}")
            self.folder.mkdir(parents=True, exist_ok=True)
            trace = learn(inputs, settings, self.runner).trace
            write_text(file, [json.dumps({"name": name} | run | {"trace": trace})])
        return list(json.loads(file.read_bytes())["trace"])

    def figures(self, name: str, inputs: Inputs) -> dict[str, F1Figure]:
        """Return F1 of each direction alone, of outer, inner and posterior agreement."""
        gold = len(inputs.gold.pairs) if inputs.gold else 0
        alone = self.trace(name, inputs, "none")[-1]
        figures = {
            "forward": _make_figure(alone["forward_f1"], alone["forward_links"], gold),
            "backward": _make_figure(alone["backward_f1"], alone["backward_links"], gold),
        }
        methods: tuple[Agreement, ...] = ("outer", "inner", "posterior")
        for method in methods:
            last = self.trace(name, inputs, method)[-1]
            figures[method] = _make_figure(last["f1"], last["agreed_links"], gold)
        return figures


def _make_figure(f1: float, links: int, gold: int) -> F1Figure:
    correct = round(f1 * (links + gold) / 2)
    return F1Figure(f1, *estimate_f1_interval(correct, links, gold))
