"""The command `report`: a page about a run, or about two runs side by side."""

import webbrowser
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from accord.cli import flags
from accord.cli.messages import announce_compilation
from accord.cli.output import check_output, print_answer, print_message
from accord.cli.progress import show_count
from accord.translate import RESULTS


def report(
    folder: Annotated[
        Path, typer.Argument(metavar="RUN", help="Folder of a finished run, or of adapt.")
    ],
    other: Annotated[
        Path | None, typer.Argument(metavar="OTHER_RUN", help="Folder of a run to compare it with.")
    ] = None,
    out: Annotated[
        Path | None,
        flags.make_out(
            "File for the page. Default: report.html or comparison.html in RUN, which are always "
            "made again."
        ),
    ] = None,
    gold: flags.OptionalGold = None,
    force: flags.Force = False,
    open_page: flags.Open = False,
    as_json: flags.Json = False,
) -> None:
    """Write a page about a run, or about two runs side by side.

    One HTML file that needs no network, under 2 MB: whether the run succeeded, how it converged,
    searchable tables of pairs, word alignments, calibration. With a second run, the pairs that only
    one of them has found. Of adapt: the scores of each step, and sample translations.
    """
    from accord.system.writing import STANDARD_OUTPUT, write_file
    from accord.web.report.page import check_report_path

    default = folder / ("report.html" if other is None else "comparison.html")
    out = out or default
    if (folder / RESULTS).exists():
        build = _prepare_adaptation_page(folder)
    else:
        build = _prepare_run_page(folder, other, gold)
    check_report_path(out)  # not even with --force is anything replaced but a report
    check_output(out, [], force=force or out.resolve() == default.resolve())
    page = build()
    write_file(out, lambda stream: stream.write(page.encode()))
    if str(out) == STANDARD_OUTPUT:
        return
    size = len(page.encode())
    print_answer(out, f"{size / 1e6:.2f} MB in {out}", {"bytes": size} if as_json else None)
    if open_page and not webbrowser.open(out.resolve().as_uri()):
        print_message(f"No browser was found; open {out} yourself.")


def _prepare_run_page(folder: Path, other: Path | None, gold: Path | None) -> Callable[[], str]:
    """Read one or two runs; return what builds their page."""
    from accord.runs.evaluation import read_gold
    from accord.runs.folder import RunFolder
    from accord.web.report.comparison import build_comparison
    from accord.web.report.page import MOST_SEARCHED, build_report
    from accord.web.report.run import ReportedRun

    gold_pairs = read_gold(gold) if gold else None
    run = ReportedRun.read(RunFolder(folder), gold_pairs, print_message)

    def build() -> str:
        if other is not None:
            return build_comparison(run, ReportedRun.read(RunFolder(other), gold_pairs))
        announce_compilation()
        with show_count("pairs examined", min(MOST_SEARCHED, len(run.pairs))) as advance:
            return build_report(run, advance)

    return build


def _prepare_adaptation_page(folder: Path) -> Callable[[], str]:
    """Read the results of an adaptation; return what builds their page."""
    from accord.translate.adaptation.evaluation import AdaptationResult
    from accord.web.report.adaptation import build_adaptation_report

    return partial(build_adaptation_report, AdaptationResult.read(folder / RESULTS))
