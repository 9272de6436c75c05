"""Parquet, with the columns of CSV, for Polars, pandas, DuckDB and Spark.

Cells are not guarded against being read as formulas.
"""

from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import IO

from accord.errors import AccordError, OutputError
from accord.formats.annotations import NUMBERS, annotate
from accord.formats.csv import COLUMNS
from accord.formats.records import LanguageCodes, LeftOut, Record
from accord.formats.writing import SURROGATES, drop_characters
from accord.system.writing import write_file

# Rows per row group.
ROWS = 100_000


def write_parquet(path: Path, records: Iterable[Record], _: LanguageCodes) -> LeftOut:
    """Write one row per pair. The languages are not stored."""
    if path.suffix == ".gz":
        raise OutputError(
            f"{path}: Parquet is compressed already; choose a name that does not end with .gz"
        )
    try:
        import pyarrow
        from pyarrow.parquet import ParquetWriter
    except ImportError:
        raise AccordError("parquet needs pyarrow: pip install 'accord[arrow]'") from None
    left_out = LeftOut()
    rest = drop_characters(records, SURROGATES, left_out)
    types = {name: pyarrow.float64() if name in NUMBERS else pyarrow.string() for name in COLUMNS}
    schema = pyarrow.schema(list(types.items()))

    def write(stream: IO[bytes]) -> None:
        with ParquetWriter(stream, schema) as writer:
            while batch := list(islice(rest, ROWS)):
                rows = [*map(_make_cells, batch)]
                writer.write_table(pyarrow.Table.from_pylist(rows, schema))

    write_file(path, write)
    return left_out


def _make_cells(record: Record) -> dict[str, object]:
    return {
        "kind": record.kind,
        "source": record.source,
        "target": record.target,
        "alignment": annotate(record).get("alignment", ""),
        "status": record.status,
        "relation": record.relation,
        **{name: getattr(record, field) for name, field in NUMBERS.items()},
    }
