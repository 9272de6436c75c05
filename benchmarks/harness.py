"""What the benchmarks share: flags, an experiment (of a folder, or synthetic), and figures."""

import argparse
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from accord.corpus.phrases import Phrases
from accord.evidence.seed import SeedLexicon
from accord.experiments.artificial import plant
from accord.experiments.synthesis.experiment import Experiment
from accord.learning.model.state import State
from accord.runs.folder import RunFolder, RunResults
from accord.runs.inputs import Inputs
from accord.runs.quality import Quality
from accord.runs.record import make_record
from accord.runs.results import (
    LexiconEntry,
    PhrasePair,
    Table,
    build_lexicon,
    build_phrase_pairs,
)
from accord.runs.trained import Trained
from accord.settings import Settings
from accord.system.writing import write_text


def parse_options(
    description: str | None,
    arguments: list[str] | None,
    add_flags: Callable[[argparse.ArgumentParser], None] = lambda _: None,
) -> argparse.Namespace:
    """Parse the flags of all benchmarks and those of one; --text counts as data, too."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, help="folder with gold.tsv.xz and so on")
    parser.add_argument("--fast", action="store_true", help="small, on synthetic phrases")
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_figures_flag(parser)
    parser.add_argument("--repeats", type=int, default=5, help="number of measurements")
    parser.add_argument("--suffix", default=".xz", help="of the files in --data")
    add_flags(parser)
    options = parser.parse_args(arguments)
    options.fast |= options.data is None and getattr(options, "text", None) is None
    return options


def print_answer(answer: dict[str, Any], *, as_json: bool) -> None:
    """Print the numbers as JSON, or one per line."""
    if as_json:
        print(json.dumps(answer))
        return
    width = max(map(len, answer))
    for name, value in answer.items():
        print(f"{name.replace('_', ' '):{width}s} {value:14,.3f}")


def add_figures_flag(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--figures", type=Path, help="file of the figures in the docs, to update")


def name_figure(text: str) -> str:
    """Return a text as an identifier: `posterior, chunks of it` is posterior_chunks_of_it."""
    return re.sub(r"\W+", "_", text.strip().lower()).strip("_")


def format_rounded(value: float) -> str:
    """Return a number with one decimal, or with none if it has two digits before it."""
    return f"{value:.1f}" if value < 9.95 else f"{value:,.0f}"


def load_experiment(options: argparse.Namespace) -> Experiment:
    """Load the experiment of the folder, or make a synthetic one."""
    if not options.fast:
        return Experiment.read(options.data, options.suffix)
    made = plant(words=600, phrases=1500, noise=1500)
    size = len(made.gold)
    return Experiment(made.gold, made.source[size:], made.target[size:], made.lexicon)


def write_run(
    folder: Path,
    state: State,
    phrases: tuple[Phrases, Phrases],
    seed: SeedLexicon,
    *,
    with_pairs: bool,
) -> None:
    """Write the folder of a run without running it, with or without its lexicon and pairs."""
    settings, nothing = Settings(), SeedLexicon(())
    one, other = (np.ones(len(side), np.bool_) for side in phrases)
    trained = Trained(*phrases, state, settings, seed, nothing, nothing, (one, other))
    words, pairs = Table(LexiconEntry), Table(PhrasePair)
    if with_pairs:
        words, pairs = build_lexicon(trained), build_phrase_pairs(trained)
    run = RunFolder(folder)
    quality = Quality.of(nothing, words, pairs)
    with run.claim(make_record(settings, {}, {}, None), "replace"):
        run.save_results(RunResults(trained, [], words, pairs, quality, changes=None))


def make_inputs(
    made: Experiment, noise: int, seeds: int, decisions: SeedLexicon | None = None
) -> Inputs:
    """Return inputs with this many noise phrases per side, and this many seeds."""
    return made.inputs(source_noise=noise, target_noise=noise, seeds=seeds, decisions=decisions)


def write_figures(
    path: Path, name: str, command: str, columns: dict[str, str], rows: dict[str, dict[str, str]]
) -> None:
    """Write figures to a table of docs/figures.json; other figures and tables are kept.

    `columns` maps names to headings. The docs show a figure as `{{ TABLE.ROW.COLUMN }}`, so names
    are identifiers. Figures are text, with the digits that the docs show.
    """
    tables = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    table = tables.get(name, {"columns": {}, "rows": {}})
    rows = table["rows"] | {row: table["rows"].get(row, {}) | rows[row] for row in rows}
    tables[name] = {"command": command, "columns": table["columns"] | columns, "rows": rows}
    # One row per line: `git diff` shows which figures have changed.
    text = json.dumps(tables, ensure_ascii=False, indent=1)
    text = re.sub(r"\{([^{}]+)\}", lambda row: "{" + " ".join(row[1].split()) + "}", text)
    write_text(path, [text])
