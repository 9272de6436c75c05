"""What the benchmarks run on: an experiment out of a folder, or planted phrases without one."""

import argparse
from collections.abc import Callable
from pathlib import Path

from accord.inputs import Inputs
from accord.planted import plant
from accord.synthetic.experiment import Experiment


def options_of(
    description: str | None,
    arguments: list[str] | None,
    add_flags: Callable[[argparse.ArgumentParser], None] = lambda _: None,
) -> argparse.Namespace:
    """The flags that all benchmarks have, and those of one; --text is data as well."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, help="folder with gold.tsv.xz and so on")
    parser.add_argument("--fast", action="store_true", help="small, on planted phrases")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--repeats", type=int, default=5, help="how often to measure")
    parser.add_argument("--suffix", default=".xz", help="of the files in the folder")
    add_flags(parser)
    options = parser.parse_args(arguments)
    options.fast |= options.data is None and getattr(options, "text", None) is None
    return options


def experiment(options: argparse.Namespace) -> Experiment:
    """The folder's experiment, or a planted one."""
    if not options.fast:
        return Experiment.read(options.data, options.suffix)
    made = plant(words=600, phrases=1500, noise=1500)
    true = len(made.gold)
    return Experiment(made.gold, made.source[true:], made.target[true:], made.lexicon)


def inputs(made: Experiment, noise: int, seeds: int) -> Inputs:
    """So much noise on either side, and so many seeds."""
    return made.inputs(source_noise=noise, target_noise=noise, seeds=seeds)
