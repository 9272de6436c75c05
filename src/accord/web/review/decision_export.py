"""Decisions as a file for other programs: a table, a terminology, or a seed for the next run.

A corrected pair gives two entries: the original is rejected, and the correction is accepted.
"""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, cast

from accord.errors import SettingError
from accord.formats.csv import write_csv
from accord.formats.records import LanguageCodes, LeftOut, Record, RecordStatus
from accord.formats.tbx import write_tbx
from accord.runs.export import join_as_written
from accord.system.columns import write_rows
from accord.web.review.review_state import ReviewState


class DecisionFormat(NamedTuple):
    """A format that the page offers."""

    file: str
    media_type: str
    write: Callable[[Path, list[Record], LanguageCodes], object]


def _write_tbx(path: Path, records: list[Record], languages: LanguageCodes) -> LeftOut:
    if not all(languages):
        raise SettingError(
            "tbx: needs the languages, which the run does not name; start the review with "
            "--source-lang and --target-lang"
        )
    return join_as_written(write_tbx)(path, records, languages)


def _write_seed(path: Path, records: list[Record], _: LanguageCodes) -> None:
    write_rows(path, [(*record[:2], record.status) for record in records])


DECISION_FORMATS = {
    "csv": DecisionFormat("decisions.csv", "text/csv; charset=utf-8", write_csv),
    "tbx": DecisionFormat("decisions.tbx", "application/xml", _write_tbx),
    "seed": DecisionFormat(
        "decisions.tsv", "text/tab-separated-values; charset=utf-8", _write_seed
    ),
}


def export_decisions(form: DecisionFormat, state: ReviewState, languages: LanguageCodes) -> bytes:
    """Return the decisions made so far in a format."""
    records = [
        Record(e, f, confidence=state.confidence(e, f), status=cast(RecordStatus, status))
        for e, f, status in state.decisions.collect_entries()
    ]
    with TemporaryDirectory() as folder:
        path = Path(folder) / form.file
        form.write(path, records, languages)
        return path.read_bytes()
