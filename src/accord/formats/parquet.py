"""Parquet, with the columns of CSV, for Polars, pandas, DuckDB and Spark; nothing is guarded."""

from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import IO

from accord.errors import AccordError, OutputError
from accord.formats.annotations import NUMBERS, evidence
from accord.formats.csv import COLUMNS, kind_of
from accord.formats.records import Languages, LeftOut, Record
from accord.formats.writable import SURROGATES, SURROGATES_ARE, writable
from accord.system.writing import write_file

# Rows of a row group.
ROWS = 100_000


def write_parquet(path: Path, records: Iterable[Record], _: Languages) -> LeftOut:
    """A row a pair; the table does not say the languages."""
    if path.suffix == ".gz":
        raise OutputError(f"{path}: Parquet is packed inside; let the name not end with .gz")
    try:
        import pyarrow
        from pyarrow.parquet import ParquetWriter
    except ImportError:
        raise AccordError("parquet needs pyarrow: pip install 'accord[arrow]'") from None
    left_out = LeftOut()
    rest = writable(records, SURROGATES, SURROGATES_ARE, left_out)
    types = {name: pyarrow.float64() if name in NUMBERS else pyarrow.string() for name in COLUMNS}
    schema = pyarrow.schema(list(types.items()))

    def write(stream: IO[bytes]) -> None:
        with ParquetWriter(stream, schema) as writer:
            while some := list(islice(rest, ROWS)):
                writer.write_table(pyarrow.Table.from_pylist([*map(_row, some)], schema))

    write_file(path, write)
    return left_out


def _row(record: Record) -> dict[str, object]:
    told = evidence(record)
    return {
        "kind": kind_of(record),
        "source": record.source,
        "target": record.target,
        "alignment": told.get("alignment", ""),
        "status": record.status,
        **{name: getattr(record, field) for name, field in NUMBERS.items()},
    }
