"""The command `report`: a page about a run, or about two runs side by side."""

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from accord.cli.messages import announce_compilation
from accord.cli.output import print_message
from accord.cli.progress import show_count


def report(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a finished run.")],
    other: Annotated[
        Path | None, typer.Argument(metavar="OTHER", help="Folder of a run to compare it with.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            help="File for the page. Default: report.html or comparison.html in DIR; an older "
            "report is replaced."
        ),
    ] = None,
    gold: Annotated[
        Path | None, typer.Option(help="Gold pairs: two tab-separated phrases per line.")
    ] = None,
    open_page: Annotated[
        bool, typer.Option("--open", help="Open the page in the browser.")
    ] = False,
) -> None:
    """Write a page about a run: whether it succeeded, how it converged, and what it has found.

    One HTML file that needs no network, under 2 MB: curves, searchable tables, word alignments,
    calibration. With a second run, the pairs that only one of them has found.
    """
    from accord.runs.evaluation import read_gold
    from accord.runs.folder import RunFolder
    from accord.system.writing import STANDARD_OUTPUT, write_file
    from accord.web.report.comparison import build_comparison
    from accord.web.report.page import MOST_SEARCHED, build_report, check_report_path
    from accord.web.report.run import ReportedRun

    out = out or folder / ("report.html" if other is None else "comparison.html")
    gold_pairs = read_gold(gold) if gold else None
    run = ReportedRun.read(RunFolder(folder), gold_pairs, print_message)
    check_report_path(out)
    if other is None:
        announce_compilation()
        with show_count("pairs examined", min(MOST_SEARCHED, len(run.pairs))) as advance:
            page = build_report(run, advance)
    else:
        page = build_comparison(run, ReportedRun.read(RunFolder(other), gold_pairs))
    write_file(out, lambda stream: stream.write(page.encode()))
    if str(out) == STANDARD_OUTPUT:
        return
    print(f"{len(page.encode()) / 1e6:.2f} MB in {out}")
    if open_page and not webbrowser.open(out.resolve().as_uri()):
        print_message(f"No browser was found; open {out} yourself.")
