"""The figures in the documentation are those that the benchmarks have written."""

import json
import re
from pathlib import Path

import figures

from benchmarks import accuracy
from benchmarks.harness import write_figures
from tests.docs.pages import DOCS, MARKDOWN, README, remove_code

# In README.md, a comment after a figure names it: 0.76<!-- TABLE.ROW.COLUMN -->.
MARKED = re.compile(r"([\d.,]+)<!-- (\w+\.\w+\.\w+) -->")


def find_wrong_figures(text: str, tables: figures.Figures) -> list[str]:
    """Return the marked figures that are not those of the file, rounded to as many digits."""
    wrong = []
    for shown, key in MARKED.findall(text):
        digits = len(shown.partition(".")[2])
        measured = float(figures.find_figure(tables, key).replace(",", ""))
        if shown != f"{measured:,.{digits}f}":
            wrong.append(f"{key}: {shown} shown, {measured} measured")
    return wrong


def test_figures_of_the_readme() -> None:
    assert not find_wrong_figures(README.read_text(encoding="utf-8"), figures.read_figures())


def test_scores_of_the_readme_are_marked() -> None:
    rows = re.findall(r"^\|.*\b0\.\d\d.*$", README.read_text(encoding="utf-8"), re.MULTILINE)
    for row in rows:
        assert not re.search(r"\b0\.\d\d", MARKED.sub("", row)), row


def test_wrong_figures_are_found() -> None:
    tables = {"t": {"rows": {"r": {"f": "0.759", "n": "15,000"}}}}
    right = "0.76<!-- t.r.f --> 0.759<!-- t.r.f --> 15,000<!-- t.r.n -->"
    assert not find_wrong_figures(right, tables)
    assert find_wrong_figures("0.75<!-- t.r.f -->", tables) == ["t.r.f: 0.75 shown, 0.759 measured"]


def test_the_file_is_complete() -> None:
    for name, table in figures.read_figures().items():
        assert name.isidentifier()
        assert "python -m benchmarks." in table["command"]
        for key, row in table["rows"].items():
            assert key.isidentifier(), key
            assert key != "command"
            assert row.keys() <= table["columns"].keys()
            assert all(column.isidentifier() and row[column] for column in row)


def test_benchmarks_update_figures(tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    write_figures(file, "t", "a command", {"x": "X", "y": "Y"}, {"r": {"x": "0.1"}})
    write_figures(file, "u", "another", {"x": "X"}, {"r": {"x": "7"}})
    write_figures(file, "t", "a command", {"x": "X", "y": "Y"}, {"s": {"x": "0.3", "y": "0.40"}})
    tables = figures.read_figures(file)
    assert tables["t"]["rows"] == {"r": {"x": "0.1"}, "s": {"x": "0.3", "y": "0.40"}}
    assert figures.find_figure(tables, "t.s.y") == "0.40"
    assert figures.nest_figures(tables)["u"] == {"r": {"x": "7"}, "command": "another"}
    assert '   "r": {"x": "0.1"},\n' in file.read_text(encoding="utf-8")
    shown = figures.format_figures(tables["t"], ["x"], ["s"])
    assert shown == "| X |\n| --- |\n| 0.3 |\n\nMeasured with `a command`."
    assert "| 0.1 |  |\n| 0.3 | 0.40 |" in figures.format_figures(tables["t"], [], [])


def test_accuracy_writes_figures(tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    accuracy.main(
        ["--noise", "1500", "--seeds", "100", "--methods", "outer", "--figures", str(file)]
    )
    (row,) = json.loads(file.read_text(encoding="utf-8"))["accuracy_synthetic"]["rows"].values()
    assert row.keys() == {"noise", "seeds", "outer_f1"}
    assert re.fullmatch(r"0\.\d{3}", row["outer_f1"])


def test_the_columns_are_those_of_the_benchmark() -> None:
    tables = figures.read_figures()
    for name in ("accuracy_zh_en_dev", "accuracy_en_de", "accuracy_en_de_test"):
        assert tables[name]["columns"] == accuracy.HEADINGS


def test_keys_in_pages_exist() -> None:
    tables = figures.read_figures()
    for path in DOCS.glob("**/*.md"):
        text = remove_code(path.read_text(encoding="utf-8"))
        for key in re.findall(r"\{\{ *(\w+\.\w+\.\w+) *\}\}", text):
            assert figures.find_figure(tables, key), path


def read_numbers(text: str) -> list[str]:
    return re.findall(r"\d[\d,]*(?:\.\d+)?", text)


def test_the_tables_of_the_pages_have_the_figures_of_the_file() -> None:
    """Each row of the file, number by number in its order, is in a row of a page, or in prose."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in MARKDOWN)
    shown = [read_numbers(line) for line in text.splitlines() if line.startswith("|")]
    in_prose = set(read_numbers(text))
    for name, table in figures.read_figures().items():
        for row in table["rows"].values():
            numbers = [one for value in row.values() for one in read_numbers(value)]
            found = any(is_within(numbers, line) for line in shown)
            assert found or (len(numbers) <= 2 and in_prose.issuperset(numbers)), (name, row)


def is_within(numbers: list[str], line: list[str]) -> bool:
    """Return whether the line has all numbers, in their order."""
    rest = iter(line)
    return all(number in rest for number in numbers)
