"""Results as lists, and as tables of Polars and Arrow."""

import copy
import pickle

import polars
import pyarrow
import pytest

from accord import Accord
from accord.errors import AccordError
from accord.evidence.seed import Entry, ReviewedEntry
from accord.experiments.artificial import Planted
from accord.runs.results import LexiconEntry, PhrasePair, Table

WORDS = Table(LexiconEntry, [LexiconEntry("猫", "cat", 0.5, 0.25, None)])
PHRASES = Table(
    PhrasePair,
    [
        PhrasePair("a b", "x y z", -1.5, -2.0, ((0, 0), (1, 2)), 0.75),
        PhrasePair("c", "z", -1.0, -1.0, (), 0.5),
    ],
)


def test_polars() -> None:
    frame = WORDS.to_polars()
    assert frame.columns == ["source", "target", "forward", "backward", "confidence"]
    assert frame.rows() == [("猫", "cat", 0.5, 0.25, None)]
    assert PHRASES.to_polars()["alignment"].to_list() == ["0-0 1-2", ""]
    assert PHRASES.to_polars().write_csv().splitlines()[1] == "a b,x y z,-1.5,-2.0,0-0 1-2,0.75"


def test_arrow() -> None:
    table = PHRASES.to_arrow()
    assert table.to_pylist()[0] == {
        **PHRASES[0]._asdict(),
        "alignment": "0-0 1-2",
    }
    assert polars.DataFrame(table).equals(PHRASES.to_polars())


@pytest.mark.parametrize("rows", [WORDS, PHRASES], ids=["words", "phrases"])
def test_no_rows_have_the_same_types(rows: Table[LexiconEntry]) -> None:
    none: Table[LexiconEntry] = Table(rows.kind)
    assert none.to_polars().schema == rows.to_polars().schema
    assert none.to_arrow().schema == rows.to_arrow().schema
    assert none.to_arrow().schema.field("confidence").type == pyarrow.float64()


def test_a_table_is_a_list() -> None:
    assert list(PHRASES) == PHRASES
    for other in (copy.copy(PHRASES), pickle.loads(pickle.dumps(PHRASES))):
        assert other == PHRASES
        assert other.to_arrow().equals(PHRASES.to_arrow())


def test_a_slice_is_a_table() -> None:
    assert PHRASES[1:] == [PHRASES[1]]
    assert PHRASES[1:].to_arrow().num_rows == 1
    assert WORDS[:0].to_polars().schema == WORDS.to_polars().schema


def test_what_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("polars", "pyarrow"):
        monkeypatch.setitem(__import__("sys").modules, module, None)
    with pytest.raises(AccordError, match=r"to_polars needs polars: pip install 'accord\[polars\]"):
        WORDS.to_polars()
    with pytest.raises(AccordError, match=r"to_arrow needs pyarrow: pip install 'accord\[arrow\]"):
        WORDS.to_arrow()


def test_results_are_tables(small: Planted) -> None:
    seed: list[Entry | ReviewedEntry] = [*small.lexicon[:15], (*small.lexicon[16], "rejected")]
    learned = Accord(iterations=1).fit(small.source, small.target, seed)
    for rows in (learned.lexicon_, learned.phrases_):
        assert len(rows.to_polars()) == rows.to_arrow().num_rows == len(rows) > 0
