"""The command `paper`: the experiments of the paper."""

from pathlib import Path
from typing import Annotated, get_args

from accord.cli import flags
from accord.cli.groups import INPUT, METHOD
from accord.cli.output import print_answer
from accord.cli.progress import show_steps
from accord.experiments.paper import PaperSection


def paper(
    data: Annotated[
        Path,
        flags.option(
            group=INPUT, metavar="DIR", text="Folder with parallel text, NAME.en-zh.tsv.xz."
        ),
    ],
    out: flags.ResultsFolder,
    only: Annotated[
        PaperSection | None,
        flags.option(
            group=METHOD,
            metavar="SECTION",
            text=f"Only this section: {', '.join(get_args(PaperSection))}.",
        ),
    ] = None,
    fast: Annotated[
        bool, flags.option("--fast", group=METHOD, text="Use small sizes: takes a few minutes.")
    ] = False,
    threads: flags.Threads = None,
    as_json: flags.Json = False,
) -> None:
    """Repeat the paper's alignment experiments on public text.

    The results stand next to the published figures."""
    from accord.experiments.paper.report import SECTIONS, write_results
    from accord.system.runners.threads import Threads

    runner = Threads(threads)
    sections = [only] if only else [*SECTIONS]
    with show_steps() as begin:
        results = write_results(data, out, sections, fast=fast, runner=runner, report=begin)
    print_answer(results, str(results), {"sections": sections} if as_json else None)
