"""The lexicon and the phrase pairs of a run, as lists, and as tables of Polars and Arrow."""

import copy
import math
import pickle
from collections import Counter
from dataclasses import replace

import numpy as np
import polars
import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord import Accord
from accord.corpus.phrases import Phrases
from accord.errors import AccordError
from accord.evidence.prior import Prior
from accord.evidence.seed import Entry, ReviewedEntry, SeedLexicon
from accord.experiments.artificial import Planted
from accord.learning.agreement import Links
from accord.learning.em import initial_state
from accord.learning.model.state import State
from accord.learning.task import Task
from accord.learning.viterbi import viterbi_agreement
from accord.runs.results import LexiconEntry, PhrasePair, Table, build_lexicon, build_phrase_pairs
from accord.runs.trained import Trained
from accord.settings import Settings
from accord.system.runners.threads import Threads
from tests import oracle
from tests.strategies import (
    SOURCE_WORDS,
    TARGET_WORDS,
    corpora,
    directions,
    oracle_lengths,
    oracle_table,
)

SOURCE = Phrases.of(["a b c", "a d"])
TARGET = Phrases.of(["y x q", "x"])
HOW = Settings(agreement="inner", floor=0.01)


def as_trained(source: Phrases, target: Phrases, state: State, settings: Settings) -> Trained:
    nothing = SeedLexicon(())
    wanted = np.ones(len(source), np.bool_), np.ones(len(target), np.bool_)
    return Trained(source, target, state, settings, nothing, nothing, nothing, wanted)


@pytest.fixture
def state() -> State:
    seed = SeedLexicon.of([("a", "x"), ("b", "y"), ("b", "x")])
    prior = Prior.of(seed, SOURCE, TARGET, HOW)
    first = initial_state(Task(SOURCE, TARGET, HOW, Threads(1)), prior)
    found = viterbi_agreement(Task(SOURCE, TARGET, HOW, Threads(1)), first.models)
    return first._replace(agreed=found.found)


def test_phrase_pairs_have_log_p_and_the_words_that_are_each_others_best(state: State) -> None:
    pairs = {
        (pair.source, pair.target): pair
        for pair in build_phrase_pairs(as_trained(SOURCE, TARGET, state, HOW))
    }
    pair = pairs["a b c", "y x q"]
    e, f = ("a", "b", "c"), ("y", "x", "q")
    p = oracle_table(state.forward.translation, SOURCE, TARGET)
    q = oracle_table(state.backward.translation, TARGET, SOURCE)
    forward = oracle.log_phrase_probability(p, 0.01, oracle_lengths(state.forward.lengths), e, f)
    backward = oracle.log_phrase_probability(q, 0.01, oracle_lengths(state.backward.lengths), f, e)
    assert pair.log_forward == pytest.approx(forward)
    assert pair.log_backward == pytest.approx(backward)
    # c and q know nothing: their best is NULL, and they have no link.
    assert pair.alignment == ((0, 1), (1, 0))


@given(st.data())
def test_phrase_pairs_against_plain_loops(data: st.DataObject) -> None:
    source, target = data.draw(corpora(SOURCE_WORDS)), data.draw(corpora(TARGET_WORDS))
    forward = data.draw(directions(source, target, 0.01))
    backward = data.draw(directions(target, source, 0.01))
    seed = SeedLexicon.of([(source.vocabulary.words[1], target.vocabulary.words[1])])
    numbers = np.arange(1, min(len(source), len(target)), dtype=np.int32)
    prior = Prior.of(seed, source, target, HOW)
    state = initial_state(Task(source, target, HOW, Threads(1)), prior)._replace(
        forward=forward.model, backward=backward.model, agreed=Links.certain(numbers, numbers)
    )
    pairs = build_phrase_pairs(as_trained(source, target, state, HOW))
    assert len(pairs) == min(len(source), len(target)) - 1
    for pair in pairs:
        e, f = tuple(pair.source.split()), tuple(pair.target.split())
        p, q = forward.table, backward.table
        assert set(pair.alignment) == oracle.word_alignment(p, q, 0.01, e, f)
        one = oracle.log_phrase_probability(p, 0.01, forward.lengths, e, f)
        other = oracle.log_phrase_probability(q, 0.01, backward.lengths, f, e)
        assert pair[2:4] == pytest.approx((one, other))


def test_the_lexicon_has_pairs_that_are_probable_in_both_directions(state: State) -> None:
    found = {
        (entry.source, entry.target): entry
        for entry in build_lexicon(
            as_trained(SOURCE, TARGET, state, replace(HOW, min_probability=0.5))
        )
    }
    assert set(found) == {("a", "x"), ("b", "y"), ("b", "x")}
    assert found["a", "x"][2:] == (1.0, 0.5, None)
    assert found["b", "y"][2:] == (0.5, 1.0, None)
    assert not build_lexicon(as_trained(SOURCE, TARGET, state, replace(HOW, min_probability=0.6)))


def test_the_lexicon_is_sorted_by_confidence_then_frequency() -> None:
    source = ["a", "b", "b c", "b d", "e"]
    target = ["x", "y", "y w", "y v", "u"]
    seed = [("a", "x"), ("b", "y"), ("e", "u"), ("e", "x")]
    entries = Accord(agreement="inner", epsilon=0.99).fit(source, target, seed).lexicon_
    assert [(entry.source, entry.target) for entry in entries] == [
        ("b", "y"),
        ("a", "x"),
        ("e", "u"),
        ("e", "x"),
    ]


def test_the_lexicon_is_sorted_by_its_confidences_as_printed(small: Planted) -> None:
    entries = Accord(held_out=0).fit(small.source, small.target, small.lexicon[:30]).lexicon_
    counts = [Counter(" ".join(side).split()) for side in (small.source, small.target)]
    keys = [
        (-float(f"{entry.confidence:.3f}"), -min(counts[0][entry.source], counts[1][entry.target]))
        for entry in entries
    ]
    assert keys == sorted(keys)
    assert len({confidence for confidence, _ in keys}) < len(keys)


def test_null_is_in_no_lexicon() -> None:
    learned = Accord(agreement="outer").fit(["a b", "a"], ["x y", "x"], [("a", "x")])
    assert all(entry.source and entry.target for entry in learned.lexicon_)
    assert all(math.isfinite(pair.log_forward) for pair in learned.phrases_)


WORDS = Table(LexiconEntry, [LexiconEntry("猫", "cat", 0.5, 0.25, None)])
PHRASES = Table(
    PhrasePair,
    [
        PhrasePair("a b", "x y z", -1.5, -2.0, ((0, 0), (1, 2)), 0.75, "variant"),
        PhrasePair("c", "z", -1.0, -1.0, (), 0.5),
    ],
)


def test_polars() -> None:
    frame = WORDS.to_polars()
    assert frame.columns == ["source", "target", "forward", "backward", "confidence"]
    assert frame.rows() == [("猫", "cat", 0.5, 0.25, None)]
    fields = ["source", "target", "log_forward", "log_backward", "alignment", "confidence"]
    fields.append("relation")
    assert PHRASES.to_polars().columns == fields
    assert PHRASES.to_polars()["alignment"].to_list() == ["0-0 1-2", ""]
    assert (
        PHRASES.to_polars().write_csv().splitlines()[1]
        == "a b,x y z,-1.5,-2.0,0-0 1-2,0.75,variant"
    )


def test_arrow() -> None:
    table = PHRASES.to_arrow()
    assert table.to_pylist()[0] == {
        **PHRASES[0]._asdict(),
        "alignment": "0-0 1-2",
    }
    assert polars.DataFrame(table).equals(PHRASES.to_polars())


@pytest.mark.parametrize("rows", [WORDS, PHRASES], ids=["words", "phrases"])
def test_empty_tables_have_the_same_types(rows: Table[LexiconEntry]) -> None:
    none: Table[LexiconEntry] = Table(rows.kind)
    assert none.to_polars().schema == rows.to_polars().schema
    assert none.to_arrow().schema == rows.to_arrow().schema
    assert none.to_arrow().schema.field("confidence").type == pyarrow.float64()


def test_forward_and_backward_are_probabilities_of_words_and_of_phrases() -> None:
    assert WORDS[0][2:4] == (WORDS[0].forward, WORDS[0].backward) == (0.5, 0.25)
    pair = PHRASES[0]
    assert (pair.forward, pair.backward) == pytest.approx((math.exp(-1.5), math.exp(-2.0)))


def test_rows_are_displayed_with_short_numbers() -> None:
    entry = LexiconEntry("猫", "cat", 1 / 3, 1e-7 / 3, None)
    assert repr(entry) == (
        "LexiconEntry(source='猫', target='cat', forward=0.333, backward=3.33e-08, confidence=None)"
    )
    assert repr(PHRASES[0]) == (
        "PhrasePair(source='a b', target='x y z', log_forward=-1.5, log_backward=-2, "
        "alignment=((0, 0), (1, 2)), confidence=0.75, relation='variant')"
    )


def test_a_table_is_displayed_like_a_data_frame() -> None:
    rows = [*WORDS, LexiconEntry("a", "y" * 31, 1 / 3, 1.0, 0.5)]
    assert repr(Table(LexiconEntry, rows)).splitlines() == [
        "source  target                          forward  backward  confidence",
        "猫      cat                                 0.5      0.25           –",
        f"a       {'y' * 29}…    0.333         1         0.5",
        "[2 rows]",
    ]
    assert repr(PHRASES[1:]).splitlines() == [
        "source  target  log_forward  log_backward  alignment  confidence  relation",
        "c       z                -1            -1                    0.5  –",
        "[1 row]",
    ]
    many = repr(Table(LexiconEntry, [*WORDS] * 1_200)).splitlines()
    assert (len(many), many[-2:]) == (13, ["…", "[1,200 rows]"])
    empty = repr(Table(LexiconEntry)).splitlines()
    assert empty == ["source  target  forward  backward  confidence", "[0 rows]"]


def test_a_table_is_a_list() -> None:
    assert list(PHRASES) == PHRASES
    for other in (copy.copy(PHRASES), pickle.loads(pickle.dumps(PHRASES))):
        assert other == PHRASES
        assert other.to_arrow().equals(PHRASES.to_arrow())


def test_a_slice_is_a_table() -> None:
    assert PHRASES[1:] == [PHRASES[1]]
    assert PHRASES[1:].to_arrow().num_rows == 1
    assert WORDS[:0].to_polars().schema == WORDS.to_polars().schema


def test_missing_packages(monkeypatch: pytest.MonkeyPatch) -> None:
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
