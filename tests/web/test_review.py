"""What the review page works on: pairs in their order, filters, and the estimate of precision."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from statistics import mean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from accord import Accord
from accord.evidence.decisions import DecisionConflictError, DecisionLog
from accord.experiments.artificial import Planted
from accord.runs.folder import RunFolder
from accord.web.review.board import Board
from accord.web.review.choosing import Choice
from accord.web.review.closeup import CloseUp
from accord.web.review.estimate import estimate
from accord.web.review.marks import NUMBERS, UNDECIDED
from accord.web.review.pairs import Pairs, open_pairs
from accord.web.review.queue import EVERY, Turns, rank_by_information, turns
from accord.web.review.texts import Texts, folded
from tests import oracle

ACCEPTED, REJECTED, SKIPPED = (NUMBERS[name] for name in ("accepted", "rejected", "skipped"))


@pytest.fixture
def run(small_run: Path, tmp_path: Path) -> Path:
    return shutil.copytree(small_run, tmp_path / "run")


@pytest.fixture
def pairs(run: Path) -> Pairs:
    return open_pairs(RunFolder(run))


def lines(path: Path) -> list[list[str]]:
    return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]


def test_every_pair_is_there_once(pairs: Pairs, run: Path) -> None:
    found = [*lines(run / "lexicon.tsv"), *lines(run / "phrases.tsv")]
    surest: dict[tuple[str, str], float] = {}
    for source, target, *_, probability in found:
        surest[source, target] = max(float(probability), surest.get((source, target), 0.0))
    shown = [pairs[place] for place in range(len(pairs))]
    assert {(pair.source, pair.target): pair.probability for pair in shown} == surest
    assert len(shown) == len(surest) < len(found)
    for pair in shown:
        is_word = " " not in pair.source and " " not in pair.target
        assert pair.kind == ("word" if is_word else "phrase")
        assert pairs.find(pair.source, pair.target) == pair.place
    assert pairs.find("no", "such") is None


def test_new_is_what_has_a_word_that_the_seed_lacks(pairs: Pairs, small: Planted) -> None:
    known = [{entry[side] for entry in small.lexicon[:30]} for side in (0, 1)]
    for place in range(len(pairs)):
        pair = pairs[place]
        in_seed = known[0].issuperset(pair.source.split()) and known[1].issuperset(
            pair.target.split()
        )
        assert pair.new is not in_seed


def test_pairs_are_kept_and_made_anew(run: Path) -> None:
    told: list[str] = []
    first = open_pairs(RunFolder(run), told.append)
    assert told == [f"Putting {len(first):,} pairs in order."]
    open_pairs(RunFolder(run), told.append)
    assert len(told) == 1
    # A line less, and all is made anew; so it is where what was kept is not ours.
    kept = (run / "lexicon.tsv").read_text(encoding="utf-8").splitlines(keepends=True)
    (run / "lexicon.tsv").write_text("".join(kept[:-1]), encoding="utf-8")
    assert len(open_pairs(RunFolder(run), told.append)) <= len(first)
    (run / "review.pairs" / "of.json").write_text("{", encoding="utf-8")
    open_pairs(RunFolder(run), told.append)
    assert len(told) == 3


def test_a_run_that_found_nothing(run: Path) -> None:
    for name in ("lexicon.tsv", "phrases.tsv"):
        (run / name).write_text("", encoding="utf-8")
    pairs = open_pairs(RunFolder(run))
    with DecisionLog(run / "review.sqlite") as decisions:
        board = Board(pairs, decisions)
        assert board.page(Choice(contains="x"), 0, 5) == []
        assert board.count(Choice(contains="x")) == 0
        assert board.estimate(Choice()) is None
        assert board.counts()["undecided"] == 0


def test_a_run_without_probabilities(small: Planted, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    Accord(agreement="outer").fit(small.source, small.target, small.lexicon[:30], out=folder)
    pairs = open_pairs(RunFolder(folder))
    assert not pairs.has_probability
    assert pairs[0].probability is None
    found = [*lines(folder / "lexicon.tsv"), *lines(folder / "phrases.tsv")]
    assert len(pairs) == len({(source, target) for source, target, *_ in found})


few_letters = st.text("aabÄ 中", max_size=6)


@given(st.lists(few_letters, max_size=12), few_letters)
def test_search_is_that_of_plain_loops(texts: list[str], piece: str) -> None:
    searched, wanted = [folded(text) for text in texts], folded(piece)
    found = Texts.of(searched).having(wanted)
    assert found.tolist() == oracle.lines_with(searched, wanted)


def test_texts() -> None:
    texts = Texts.of(["", "ä b", "世界"])
    assert [texts[n] for n in range(len(texts))] == ["", "ä b", "世界"]
    assert texts.having("界").tolist() == [False, False, True]
    # A character is not found in the middle of others' bytes, nor over the end of a line.
    assert not texts.having("\x96").any()
    assert texts.having("").all()


def test_filters(pairs: Pairs) -> None:
    shown = [pairs[place] for place in range(len(pairs))]

    def chosen(**asked: str) -> list[bool]:
        return [bool(is_chosen) for is_chosen in Choice.of(asked).among(pairs)]

    assert chosen(kind="words") == [pair.kind == "word" for pair in shown]
    assert chosen(new="yes") == [pair.new for pair in shown]
    sure = [pair.probability or 0.0 for pair in shown]
    assert chosen(least="0.9", most="0.99") == [0.9 <= p <= 0.99 for p in sure]
    lengths = [max(len(pair.source.split()), len(pair.target.split())) for pair in shown]
    assert chosen(shortest="2", longest="3") == [2 <= length <= 3 for length in lengths]
    piece = shown[5].target[1:4].upper()
    expected = [piece.lower() in pair.source or piece.lower() in pair.target for pair in shown]
    assert any(expected)
    assert chosen(contains=piece) == expected
    both = [one and other for one, other in zip(expected, chosen(kind="words"), strict=True)]
    assert chosen(contains=piece, kind="words") == both


def test_the_board_remembers(pairs: Pairs, run: Path) -> None:
    with DecisionLog(run / "review.sqlite") as decisions:
        board = Board(pairs, decisions)
        one, other = pairs[0], pairs[1]
        board.decide((one.source, one.target), "accepted", None, seen=0, tab="a")
        board.decide((other.source, other.target), "rejected", None, seen=0, tab="a")
        with pytest.raises(DecisionConflictError):
            board.decide((one.source, one.target), "rejected", None, seen=0, tab="b")
        # What a run has no longer stays decided, and does no harm.
        decisions.decide("word", "gone", "away", "accepted")
    with DecisionLog(run / "review.sqlite") as decisions:
        again = Board(pairs, decisions)
        assert again.counts() == {
            "undecided": len(pairs) - 2,
            "accepted": 1,
            "rejected": 1,
            "corrected": 0,
            "skipped": 0,
        }
        assert [pair.place for pair in again.page(Choice(), 0, 2)] == [2, 3]
        assert [pair.place for pair in again.page(Choice(shown="rejected"), 0, 9)] == [1]
        assert again.count(Choice(shown="all")) == len(pairs)
        undone = again.undo("a")
        assert undone is not None
        assert undone[1:4] == other[1:4]
        assert again.status(1) is None


def test_boards_of_one_file_know_of_each_other(pairs: Pairs, run: Path) -> None:
    """As those of two servers."""
    path = run / "review.sqlite"
    with DecisionLog(path) as decisions, DecisionLog(path) as others:
        one, other = Board(pairs, decisions), Board(pairs, others)
        for place in (0, 1):
            one.decide(pairs[place][2:4], "accepted", None, seen=0, tab="a")
        assert [pair.place for pair in other.page(Choice(), 0, 2)] == [2, 3]
        assert other.counts()["accepted"] == 2
        assert other.undo("a") is not None
        other.decide(pairs[5][2:4], "rejected", None, seen=0, tab="b")
        assert [pair.place for pair in one.page(Choice(), 0, 2)] == [1, 2]
        assert one.marks.tolist() == other.marks.tolist()
        assert one.counts() == other.counts()


def test_contexts(run: Path) -> None:
    phrase, other = lines(run / "phrases.tsv")[3:5]
    first = [*phrase[:2], f"a [{phrase[0]}] <", "", "", "d", "e", ""]
    text = "\n".join("\t".join(line) for line in (first, [*other[:2], *[""] * 6], []))
    (run / "contexts.tsv").write_text(text, encoding="utf-8")
    pairs = open_pairs(RunFolder(run))
    close_up = CloseUp(RunFolder(run), pairs, ("", "he"))

    def contexts(source: str, target: str) -> str:
        place = pairs.find(source, target)
        assert place is not None
        return close_up.contexts(pairs[place])

    assert contexts(phrase[0], phrase[1]) == (
        f'<ul class="contexts"><li dir="auto">a <mark>{phrase[0]}</mark> &lt;</li></ul>'
        '<ul class="contexts"><li lang="he" dir="auto">d</li><li lang="he" dir="auto">e</li></ul>'
    )
    assert contexts(other[0], other[1]) == ""
    assert contexts(*lines(run / "phrases.tsv")[5][:2]) == ""
    # Another file under the same name, since: nothing is better than what is not so.
    (run / "contexts.tsv").write_text(f"x{text}", encoding="utf-8")
    assert contexts(phrase[0], phrase[1]) == ""


def made_turns(count: int, random: int) -> tuple[NDArray[np.float64], NDArray[np.int64], Turns]:
    generator = np.random.default_rng(random)
    high, low = generator.beta(8, 1, count), generator.uniform(0.4, 1, count)
    sure = np.where(generator.random(count) < 0.5, high, low)
    frequency = np.maximum(1, 3 * generator.pareto(1, count)).astype(np.int64)
    return sure, frequency, turns(sure, frequency)


def test_the_uncertain_and_frequent_come_first_and_every_fourth_at_random() -> None:
    sure, frequency, order = made_turns(2_000, 0)
    for some in order:
        assert sorted(some.tolist()) == [*range(2_000)]
    # Of 400 that are shown, 100 have their turn at random, and 300 by their worth.
    first = {*order.shown[:400].tolist()}
    drawn = 400 // EVERY
    assert first.issuperset(order.at_random[: drawn - 1].tolist())
    assert first.issuperset(order.by_worth[: 400 - drawn - 1].tolist())
    assert order.by_worth.tolist() == rank_by_information(sure, frequency).tolist()


def test_the_estimate_by_hand() -> None:
    """Two of ten pairs are worth most, one of them right; four of the five drawn are."""
    marks, every = np.zeros(10, np.uint8), np.ones(10, np.bool_)
    marks[[0, 1]] = ACCEPTED, REJECTED
    marks[[5, 6, 7, 8]], marks[9] = ACCEPTED, NUMBERS["corrected"]
    by_worth = np.arange(10, dtype=np.int32)
    at_random = np.array([5, 0, 6, 7, 8, 9, 2, 1, 3, 4], np.int32)
    found = estimate(marks, by_worth, at_random, every)
    assert found is not None
    share = (4 + 0.5) / (5 + 1)
    assert found.precision == pytest.approx((1 + 4 + 3 * share) / 10)
    assert found.low < found.precision < found.high
    assert (found.pairs, found.drawn) == (10, 5)
    # What somebody chose out of turn says nothing of the rest.
    chosen = marks.copy()
    chosen[4] = REJECTED
    assert estimate(chosen, by_worth, at_random, every) == found
    # One that is skipped is as if it were not there.
    skipped = marks.copy()
    skipped[2] = SKIPPED
    less = estimate(skipped, by_worth, at_random, every)
    assert less is not None
    assert less.precision == pytest.approx((1 + 4 + 2 * share) / 9)


@given(st.integers(0, 2**12 - 1), st.integers(0, 10**6))
def test_the_estimate_of_some_is_that_of_these_alone(chosen: int, random: int) -> None:
    generator = np.random.default_rng(random)
    marks = generator.integers(0, 5, 12).astype(np.uint8)
    by_worth, at_random = (generator.permutation(12).astype(np.int32) for _ in range(2))
    is_chosen = np.array([chosen >> n & 1 for n in range(12)], np.bool_)
    among = np.flatnonzero(is_chosen)
    one, other = (
        np.searchsorted(among, order[is_chosen[order]]).astype(np.int32)
        for order in (by_worth, at_random)
    )
    every = np.ones(len(among), np.bool_)
    assert estimate(marks, by_worth, at_random, is_chosen) == estimate(
        marks[among], one, other, every
    )


def test_the_estimate_closes_when_all_is_decided() -> None:
    marks = np.array([ACCEPTED, REJECTED, ACCEPTED, ACCEPTED, SKIPPED], np.uint8)
    order = np.arange(5, dtype=np.int32)
    found = estimate(marks, order, order[::-1], np.ones(5, np.bool_))
    assert found is not None
    assert found[:4] == (0.75, 0.75, 0.75, 4)


def test_few_decisions_tell_nothing() -> None:
    order = np.arange(100, dtype=np.int32)
    marks = np.full(100, UNDECIDED, np.uint8)
    marks[:4] = ACCEPTED
    assert estimate(marks, order[::-1], order, np.ones(100, np.bool_)) is None
    marks[4] = ACCEPTED
    assert estimate(marks, order[::-1], order, np.ones(100, np.bool_)) is not None
    # What is worth most is known, and of the few others nothing.
    marks[:] = ACCEPTED
    marks[:3] = UNDECIDED
    found = estimate(marks, order[::-1], order, np.ones(100, np.bool_))
    assert found is not None
    assert found.low > 0.97


Curve = Callable[[NDArray[np.float64], NDArray[np.int64]], NDArray[np.float64]]
CURVES: dict[str, Curve] = {
    "calibrated": lambda p, _: p,
    "overconfident": lambda p, _: p**3,
    "underconfident": lambda p, _: 1 - (1 - p) ** 2,
    "of frequent words": lambda p, n: np.clip(p - 0.5 + 0.15 * np.log1p(n), 0.02, 1),
}


@pytest.mark.parametrize("decided", [60, 400])
@pytest.mark.parametrize("curve", CURVES)
def test_the_interval_holds_the_truth(curve: str, decided: int) -> None:
    """Whatever the run's own probabilities are worth, and though the pairs that are decided are no
    random sample: 95 in 100 times, or nearly."""
    generator = np.random.default_rng(7)
    holds, errors, shares = [], [], []
    for random in range(200):
        sure, frequency, order = made_turns(2_000, random)
        right = generator.random(2_000) < CURVES[curve](sure, frequency)
        marks = np.zeros(2_000, np.uint8)
        first = order.shown[:decided]
        marks[first] = np.where(right[first], ACCEPTED, REJECTED)
        orders = (order.by_worth.astype(np.int32), order.at_random.astype(np.int32))
        found = estimate(marks, *orders, np.ones(2_000, np.bool_))
        assert found is not None
        truth = float(right.mean())
        holds.append(found.low <= truth <= found.high)
        errors.append(found.precision - truth)
        shares.append(float(right[first].mean()) - truth)
    assert mean(holds) >= 0.9
    assert abs(mean(errors)) < 0.04
    # The share of right ones among those that were decided is far off.
    assert abs(mean(shares)) > 2 * abs(mean(errors))


def test_what_is_kept_of_the_pairs_names_its_version(pairs: Pairs, run: Path) -> None:
    assert len(pairs)
    kept = json.loads((run / "review.pairs" / "of.json").read_bytes())
    assert kept["version"] == 1
    assert {*kept["files"]} == {"run.json", "lexicon.tsv", "phrases.tsv"}
