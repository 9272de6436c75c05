"""The command `paper`: the experiments of the paper."""

from pathlib import Path
from typing import Annotated

import typer

from accord.cli import flags
from accord.cli.progress import show_steps
from accord.experiments.paper import PaperSection


def paper(
    data: Annotated[Path, typer.Option(help="Folder with parallel text, NAME.en-zh.tsv.xz.")],
    out: Annotated[Path, typer.Option(help="Folder for results.md, tables and figures.")],
    only: Annotated[PaperSection | None, typer.Option(help="Only this section.")] = None,
    fast: Annotated[
        bool, typer.Option("--fast", help="Use small sizes: takes a few minutes.")
    ] = False,
    threads: flags.Threads = None,
) -> None:
    """Repeat the paper's alignment experiments on public text, next to its published figures."""
    from accord.experiments.paper.report import SECTIONS, write_results
    from accord.system.runners.threads import Threads

    runner = Threads(threads)
    sections = [only] if only else [*SECTIONS]
    with show_steps() as begin:
        results = write_results(data, out, sections, fast=fast, runner=runner, report=begin)
    print(results)
