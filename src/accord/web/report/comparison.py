"""Two runs side by side: their differences, their traces, and the pairs that differ."""

from typing import NamedTuple

import numpy as np

from accord.runs.changes import Change, count_changes, list_changes
from accord.runs.record import describe_differences
from accord.web.report.charts import LOOKS, compare_runs
from accord.web.report.overview import Overview, summarise_run
from accord.web.report.page import MOST_BYTES, MOST_ROWS
from accord.web.report.pair_tables import PairTable, TableColumn
from accord.web.report.run import ReportedRun
from accord.web.report.sampling import take_evenly
from accord.web.templates import pack_data, render


class ComparedRun(NamedTuple):
    """One of the two runs."""

    name: str
    look: str
    overview: Overview


class ChangeTable(NamedTuple):
    """A table of changes, and how many there are of each kind."""

    table: PairTable
    counts: str


def build_comparison(before: ReportedRun, after: ReportedRun) -> str:
    """Return the page, with fewer changes if it would be too large."""
    runs = before, after
    names = _name_runs(*runs)
    found = {
        "phrases": list_changes("phrase", before.pairs, after.pairs),
        "lexicon": list_changes("word", *((record[:2] for record in run.words) for run in runs)),
    }
    sections = {
        "runs": [
            ComparedRun(name, look, summarise_run(run))
            for run, name, look in zip(runs, names, LOOKS, strict=True)
        ],
        "differences": _list_differences(*runs),
        "charts": [*compare_runs(runs, names)],
    }
    columns = _list_columns(after.languages, names)
    most = MOST_ROWS
    while True:
        rows = {name: _make_rows(some, most) for name, some in found.items()}
        page = str(
            render(
                "comparison.html",
                phrases=_make_table("phrases", "Phrase pairs that differ", found, rows, columns),
                lexicon=_make_table("lexicon", "Word pairs that differ", found, rows, columns),
                data=pack_data({"rows": rows, "details": {}, "seed": {}}),
                **sections,
            )
        )
        if len(page.encode()) < MOST_BYTES or most <= 1:
            return page
        most //= 2


def _name_runs(before: ReportedRun, after: ReportedRun) -> tuple[str, str]:
    """Return the names of the folders or, where they are equal, the paths."""
    if before.name != after.name:
        return before.name, after.name
    return f"A: {before.folder.path}", f"B: {after.folder.path}"


def _list_differences(before: ReportedRun, after: ReportedRun) -> list[str]:
    """Return what differs in version, settings and inputs."""
    one, other = before.folder.signature, after.folder.signature
    found = describe_differences(one | {"accord": other["accord"]}, other, every=True)
    if one["accord"] != other["accord"]:
        found = [f"different version of accord ({one['accord']}, now {other['accord']})", *found]
    return found


def _list_columns(languages: tuple[str, str], names: tuple[str, str]) -> list[TableColumn]:
    source, target = languages
    return [
        TableColumn("change", "badge"),
        TableColumn("source", "text", source),
        *(TableColumn(f"in {name}", "text", target) for name in names),
    ]


def _make_rows(found: list[Change], most: int) -> list[list[str]]:
    some = (found[n] for n in take_evenly(np.arange(len(found)), most).tolist())
    return [[change.kind, change.source, change.before, change.after] for change in some]


def _make_table(
    name: str,
    title: str,
    found: dict[str, list[Change]],
    rows: dict[str, list[list[str]]],
    columns: list[TableColumn],
) -> ChangeTable:
    counts = count_changes(found[name])["phrases" if name == "phrases" else "words"]
    text = ", ".join(f"{counts[kind]:,} {kind}" for kind in ("new", "lost", "changed"))
    return ChangeTable(PairTable(name, title, columns, len(rows[name]), len(found[name])), text)
