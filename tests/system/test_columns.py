"""Files with columns: what is written is read again, and errors name the line."""

from pathlib import Path

import pytest

from accord.errors import InputError
from accord.system.columns import Row, read_rows, split_pair, write_rows


def test_rows_come_back(tmp_path: Path) -> None:
    rows = [["a b", "x", ""], ["a"], ["", "x"]]
    write_rows(tmp_path / "rows.tsv", rows)
    assert (tmp_path / "rows.tsv").read_text() == "a b\tx\t\na\n\tx\n"
    read = [*read_rows(tmp_path / "rows.tsv")]
    assert [row.columns for row in read] == rows
    assert [row.number for row in read] == [1, 2, 3]


def test_words_without_tabs_are_columns() -> None:
    assert Row("seed", 1, " a  x ").columns_or_words == ["a", "x"]
    assert Row("seed", 1, "a b\tx").columns_or_words == ["a b", "x"]


@pytest.mark.parametrize("text", ["", "a", "a\t", " \tx", "a\tx\t"])
def test_a_pair_has_two_columns(text: str) -> None:
    assert split_pair(Row("gold", 7, "a b\tx"), "phrases") == ("a b", "x")
    message = f"^gold, line 7: expected two tab-separated phrases, found {text!r}$"
    with pytest.raises(InputError, match=message.replace("\\", r"\\")):
        split_pair(Row("gold", 7, text), "phrases")
