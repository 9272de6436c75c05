"""The decisions as a file for other programs: a table, a terminology, or a seed for the next run.

What was corrected is there twice, as rejected and, as it was put, as accepted.
"""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, cast

from accord.errors import SettingError
from accord.formats.csv import write_csv
from accord.formats.records import LanguageCodes, LeftOut, Record, RecordStatus
from accord.formats.tbx import write_tbx
from accord.runs.export import join_unspaced
from accord.system.writing import write_text
from accord.web.review.board import Board


class Form(NamedTuple):
    """A format that the page offers."""

    file: str
    type: str
    write: Callable[[Path, list[Record], LanguageCodes], object]


def _write_tbx(path: Path, records: list[Record], languages: LanguageCodes) -> LeftOut:
    if not all(languages):
        raise SettingError(
            "tbx: needs to know the languages, which the run does not tell; start the review with "
            "--source-lang and --target-lang"
        )
    return join_unspaced(write_tbx)(path, records, languages)


def _write_seed(path: Path, records: list[Record], _: LanguageCodes) -> None:
    write_text(path, ["\t".join((*record[:2], record.status)) for record in records])


FORMATS = {
    "csv": Form("decisions.csv", "text/csv; charset=utf-8", write_csv),
    "tbx": Form("decisions.tbx", "application/xml", _write_tbx),
    "seed": Form("decisions.tsv", "text/tab-separated-values; charset=utf-8", _write_seed),
}


def sent(form: Form, board: Board, languages: LanguageCodes) -> bytes:
    """The file that the format makes of what is decided."""
    records = [
        Record(e, f, confidence=board.probability(e, f), status=cast(RecordStatus, said))
        for e, f, said in board.decisions.collect_entries()
    ]
    with TemporaryDirectory() as folder:
        path = Path(folder) / form.file
        form.write(path, records, languages)
        return path.read_bytes()
