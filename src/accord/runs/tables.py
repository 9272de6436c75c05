"""Results as tables: lists of named tuples that Polars and Arrow take over by column.

Word alignments become text, `0-0 1-2`, as phrases.tsv and Moses have them: a column that pandas
and CSV can hold, which know no nested types, and that SQL splits at the space.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex, TypeVar, overload

from accord.errors import AccordError

if TYPE_CHECKING:
    import polars
    import pyarrow

Row = TypeVar("Row", bound=NamedTuple)

ALIGNMENT = "alignment"
# The columns of numbers; all others are text.
NUMBERS = ("forward", "backward", "confidence")


class Table(list[Row]):
    """Rows of one kind; so are those of a slice."""

    def __init__(self, kind: type[Row], rows: Iterable[Row] = ()) -> None:
        super().__init__(rows)
        self.kind = kind

    @overload
    def __getitem__(self, place: SupportsIndex) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> "Table[Row]": ...
    def __getitem__(self, place: SupportsIndex | slice) -> "Row | Table[Row]":
        if isinstance(place, slice):
            return Table(self.kind, super().__getitem__(place))
        return super().__getitem__(place)

    def to_polars(self) -> "polars.DataFrame":
        """A Polars data frame with a column for each field."""
        try:
            import polars
        except ImportError:
            raise AccordError("to_polars needs polars: pip install 'accord[polars]'") from None
        columns = self._columns()
        types = {name: polars.Float64 if name in NUMBERS else polars.String for name in columns}
        return polars.DataFrame(columns, schema=types)

    def to_arrow(self) -> "pyarrow.Table":
        """An Arrow table with a column for each field."""
        try:
            import pyarrow
        except ImportError:
            raise AccordError("to_arrow needs pyarrow: pip install 'accord[arrow]'") from None
        columns = self._columns()
        types = [
            (name, pyarrow.float64() if name in NUMBERS else pyarrow.string()) for name in columns
        ]
        return pyarrow.table(columns, schema=pyarrow.schema(types))

    def _columns(self) -> dict[str, list[Any]]:
        columns = {
            name: [row[place] for row in self] for place, name in enumerate(self.kind._fields)
        }
        if ALIGNMENT in columns:
            columns[ALIGNMENT] = [
                " ".join(f"{i}-{j}" for i, j in links) for links in columns[ALIGNMENT]
            ]
        return columns
