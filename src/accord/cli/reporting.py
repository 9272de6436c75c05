"""The command `report`: a run as a page, or two runs side by side."""

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from accord.cli.output import tell
from accord.cli.progress import counted
from accord.cli.telling import tell_compiling


def report(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a finished run.")],
    other: Annotated[
        Path | None, typer.Argument(metavar="OTHER", help="Another, to compare it with.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            help="The page. Default: report.html in DIR, or comparison.html; an older report there "
            "is replaced."
        ),
    ] = None,
    gold: Annotated[
        Path | None, typer.Option(help="True pairs, two tab-separated phrases a line, to judge by.")
    ] = None,
    open_page: Annotated[bool, typer.Option("--open", help="Open it in the browser.")] = False,
) -> None:
    """Write a page about a run: did it work, how did it go, and what has it found.

    One HTML file that needs no network, under 2 MB: curves, searchable tables, word alignments,
    calibration. With a second run, what each won and lost against the other.
    """
    from accord.runs.evaluation import read_gold
    from accord.runs.folder import RunFolder
    from accord.system.writing import STANDARD_OUTPUT, write_file
    from accord.web.report.comparison import build_comparison
    from accord.web.report.page import MOST_SEARCHED, build_report, check_report_path
    from accord.web.report.run import ReportedRun

    out = out or folder / ("report.html" if other is None else "comparison.html")
    judge = read_gold(gold) if gold else None
    run = ReportedRun.read(RunFolder(folder), judge, tell)
    check_report_path(out)
    if other is None:
        tell_compiling()
        with counted("pairs looked at", min(MOST_SEARCHED, len(run.pairs))) as advance:
            page = build_report(run, advance)
    else:
        page = build_comparison(run, ReportedRun.read(RunFolder(other), judge))
    write_file(out, lambda stream: stream.write(page.encode()))
    if str(out) == STANDARD_OUTPUT:
        return
    print(f"{len(page.encode()) / 1e6:.2f} MB in {out}")
    if open_page and not webbrowser.open(out.resolve().as_uri()):
        tell(f"No browser was found; open {out} yourself.")
