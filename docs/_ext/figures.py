"""The figures of the benchmarks: docs/figures.json, which `--figures` of the benchmarks writes.

A page shows one figure as `{{ TABLE.ROW.COLUMN }}`, and a whole table with the directive `figures`.
This module does not import Sphinx, so that tests can use it.
"""

import json
from pathlib import Path
from typing import Any

Figures = dict[str, Any]

FILE = Path(__file__).parent.parent / "figures.json"


def read_figures(path: Path = FILE) -> Figures:
    """Return the tables of the file, by name."""
    tables: Figures = json.loads(path.read_text(encoding="utf-8"))
    return tables


def nest_figures(tables: Figures) -> dict[str, Any]:
    """Return the figures as substitutions: `{{ TABLE.ROW.COLUMN }}` and `{{ TABLE.command }}`."""
    return {name: table["rows"] | {"command": table["command"]} for name, table in tables.items()}


def find_figure(tables: Figures, key: str) -> str:
    """Return the figure of a key such as `accuracy_zh_en.noise_0_seeds_50.posterior`."""
    table, row, column = key.split(".")
    figure: str = tables[table]["rows"][row][column]
    return figure


def format_figures(table: dict[str, Any], columns: list[str], rows: list[str]) -> str:
    """Return a table as Markdown with its command; of all columns and rows, or of those named."""
    columns = columns or list(table["columns"])
    rows = rows or list(table["rows"])
    heads = [table["columns"][column] for column in columns]
    lines = [heads, ["---"] * len(heads)]
    lines += [[table["rows"][row].get(column, "") for column in columns] for row in rows]
    body = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"{body}\n\nMeasured with `{table['command']}`."
