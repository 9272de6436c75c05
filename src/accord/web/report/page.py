"""The report of a run as one page, small enough to be sent by e-mail."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from accord.errors import OutputError
from accord.runs.tsv import read_contexts
from accord.system.writing import STANDARD_OUTPUT, check_place
from accord.web.pair_view import PairViewer
from accord.web.report.calibration import (
    count_confidences,
    draw_frame,
    label_pairs,
    plot_calibration,
)
from accord.web.report.charts import list_charts, tabulate_trace
from accord.web.report.length_maps import map_lengths
from accord.web.report.overview import summarise_run
from accord.web.report.pair_details import LOWEST_PAIRS, PairInspector, list_lowest_pairs
from accord.web.report.pair_tables import PairTables
from accord.web.report.run import ReportedRun
from accord.web.report.sampling import rank_pairs, take_nested_samples
from accord.web.templates import pack_data, render

MOST_BYTES = 2_000_000
# Rows of each table; halved until the page is small enough.
MOST_ROWS = 20_000
# How often the number of rows is halved to get those whose competing candidates are searched for,
# which takes some hundredths of a second per row.
SEARCHED_HALVINGS = 5
MOST_SEARCHED = (MOST_ROWS >> SEARCHED_HALVINGS) + LOWEST_PAIRS
# This line in the head of templates/page.html distinguishes a report from other files.
GENERATOR = b'<meta name="generator" content="accord">'
HEAD_BYTES = 1_000


def build_report(run: ReportedRun, advance: Callable[[int], object] = lambda _: None) -> str:
    """Return the page; `advance` is called with 1 for each pair whose competing candidates were
    searched for, MOST_SEARCHED times at most."""
    ranked = rank_pairs(run.scores)
    phrases, words = (
        take_nested_samples(places, MOST_ROWS) for places in (ranked, np.arange(len(run.words)))
    )
    wanted = {*run.pairs, *(record[:2] for record in run.words)}
    contexts = read_contexts(run.folder.contexts, wanted)
    inspector = PairInspector(PairViewer(run.trained), contexts)
    searched = {*phrases[SEARCHED_HALVINGS].tolist(), *ranked[-LOWEST_PAIRS:].tolist()}
    for place in sorted(searched):
        inspector.search_competing(run.pairs[place])
        advance(1)
    sections = _collect_sections(run) | {"lowest_pairs": list_lowest_pairs(run, inspector, ranked)}
    # The last sample has no rows, so that the page is small enough.
    for halvings in range(len(phrases)):
        tables = PairTables(run, inspector, phrases[halvings:], words[halvings:])
        data = pack_data(tables.collect_data())
        page = str(render("report.html", tables=tables, data=data, **sections))
        if len(page.encode()) < MOST_BYTES:
            break
    return page


def _collect_sections(run: ReportedRun) -> dict[str, object]:
    """Return the data of all sections except those about single pairs."""
    labelled = label_pairs(run)
    return {
        "overview": summarise_run(run),
        "charts": list_charts(run),
        "trace": tabulate_trace(run),
        "agreement": run.trained.settings.agreement,
        "min_confidence": run.trained.settings.min_confidence,
        "calibration": plot_calibration(labelled) if labelled else None,
        "histogram": count_confidences(run) if labelled else None,
        "frame": draw_frame(),
        "length_maps": map_lengths(run),
    }


def check_report_path(out: Path) -> None:
    """Check that a report can be written here, and replaces no file except an older report."""
    check_place(out)
    if str(out) != STANDARD_OUTPUT and out.is_file() and not _is_report(out):
        raise OutputError(f"{out}: exists, and is no report; choose another file with --out")


def _is_report(file: Path) -> bool:
    with file.open("rb") as stream:
        return GENERATOR in stream.read(HEAD_BYTES)
