"""What the review page works on: pairs in their order, filters, and the estimate of precision."""

import json
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
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
from accord.web.review.app import PairEvidence
from accord.web.review.filters import PairFilter
from accord.web.review.pair_index import PairIndex, open_pair_index
from accord.web.review.precision import (
    EVERY,
    STATUS_CODES,
    UNDECIDED,
    ReviewOrder,
    estimate_precision,
    order_pairs,
    rank_by_information,
)
from accord.web.review.review_state import ReviewState
from accord.web.review.text_column import TextColumn, fold_text
from tests import oracle

ACCEPTED, REJECTED, SKIPPED = (STATUS_CODES[name] for name in ("accepted", "rejected", "skipped"))


@pytest.fixture
def run(small_run: Path, tmp_path: Path) -> Path:
    return shutil.copytree(small_run, tmp_path / "run")


@pytest.fixture
def pairs(run: Path) -> PairIndex:
    return open_pair_index(RunFolder(run))


def lines(path: Path) -> list[list[str]]:
    return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]


def test_every_pair_is_there_once(pairs: PairIndex, run: Path) -> None:
    found = [*lines(run / "lexicon.tsv"), *lines(run / "phrases.tsv")]
    highest: dict[tuple[str, str], float] = {}
    for source, target, *numbers in found:
        confidence = float(numbers[min(3, len(numbers) - 1)])
        highest[source, target] = max(confidence, highest.get((source, target), 0.0))
    shown = [pairs[place] for place in range(len(pairs))]
    assert {(pair.source, pair.target): pair.confidence for pair in shown} == highest
    assert len(shown) == len(highest) < len(found)
    for pair in shown:
        is_word = " " not in pair.source and " " not in pair.target
        assert pair.kind == ("word" if is_word else "phrase")
        assert pairs.find(pair.source, pair.target) == pair.place
    assert pairs.find("no", "such") is None


def test_new_is_what_has_a_word_that_the_seed_lacks(pairs: PairIndex, small: Planted) -> None:
    known = [{entry[side] for entry in small.lexicon[:30]} for side in (0, 1)]
    for place in range(len(pairs)):
        pair = pairs[place]
        in_seed = known[0].issuperset(pair.source.split()) and known[1].issuperset(
            pair.target.split()
        )
        assert pair.has_new_word is not in_seed


def test_the_index_is_kept_and_rebuilt(run: Path) -> None:
    told: list[str] = []
    first = open_pair_index(RunFolder(run), told.append)
    assert told == [f"Sorting {len(first):,} pairs."]
    open_pair_index(RunFolder(run), told.append)
    assert len(told) == 1
    # After a line was removed the index is rebuilt; so it is if its signature is damaged.
    kept = (run / "lexicon.tsv").read_text(encoding="utf-8").splitlines(keepends=True)
    (run / "lexicon.tsv").write_text("".join(kept[:-1]), encoding="utf-8")
    assert len(open_pair_index(RunFolder(run), told.append)) <= len(first)
    (run / "review.pairs" / "of.json").write_text("{", encoding="utf-8")
    open_pair_index(RunFolder(run), told.append)
    assert len(told) == 3


def test_a_run_that_found_nothing(run: Path) -> None:
    for name in ("lexicon.tsv", "phrases.tsv"):
        (run / name).write_text("", encoding="utf-8")
    pairs = open_pair_index(RunFolder(run))
    with DecisionLog(run / "review.sqlite") as decisions:
        state = ReviewState(pairs, decisions)
        now = state.snapshot()
        assert now.page(PairFilter(contains="x"), 0, 5) == []
        assert now.count_chosen(PairFilter(contains="x")) == 0
        assert now.estimate(PairFilter()) is None
        assert now.count_statuses()["undecided"] == 0


def test_a_run_without_confidence(small: Planted, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    Accord(agreement="outer").fit(small.source, small.target, small.lexicon[:30], out=folder)
    pairs = open_pair_index(RunFolder(folder))
    assert not pairs.has_confidence
    assert pairs[0].confidence is None
    found = [*lines(folder / "lexicon.tsv"), *lines(folder / "phrases.tsv")]
    assert len(pairs) == len({(source, target) for source, target, *_ in found})


few_letters = st.text("aabÄ 中", max_size=6)


@given(st.lists(few_letters, max_size=12), few_letters)
def test_the_search_equals_a_plain_loop(texts: list[str], piece: str) -> None:
    searched, wanted = [fold_text(text) for text in texts], fold_text(piece)
    found = TextColumn.of(searched).search(wanted)
    assert found.tolist() == oracle.find_lines(searched, wanted)


def test_texts() -> None:
    texts = TextColumn.of(["", "ä b", "世界"])
    assert [texts[n] for n in range(len(texts))] == ["", "ä b", "世界"]
    assert texts.search("界").tolist() == [False, False, True]
    # Nothing is found in the middle of a character, nor across a line end.
    assert not texts.search("\x96").any()
    assert texts.search("").all()


def test_identical_pairs_can_be_filtered_out(run_with_names: Path, tmp_path: Path) -> None:
    shutil.copytree(run_with_names, tmp_path / "run")
    pairs = open_pair_index(RunFolder(tmp_path / "run"))
    chosen = PairFilter.of({"identical": "no"}).match(pairs)
    shown = [pairs[place] for place in range(len(pairs))]
    assert chosen.tolist() == [pair.source != pair.target for pair in shown]
    assert 3 < np.count_nonzero(~chosen) < len(pairs)


def test_filters(pairs: PairIndex) -> None:
    shown = [pairs[place] for place in range(len(pairs))]

    def chosen(**asked: str) -> list[bool]:
        return [bool(is_chosen) for is_chosen in PairFilter.of(asked).match(pairs)]

    assert chosen(kind="words") == [pair.kind == "word" for pair in shown]
    assert chosen(new="yes") == [pair.has_new_word for pair in shown]
    assert all(chosen(identical="no"))
    sure = [pair.confidence or 0.0 for pair in shown]
    assert chosen(least="0.9", most="0.99") == [0.9 <= p <= 0.99 for p in sure]
    lengths = [max(len(pair.source.split()), len(pair.target.split())) for pair in shown]
    assert chosen(shortest="2", longest="3") == [2 <= length <= 3 for length in lengths]
    piece = shown[5].target[1:4].upper()
    expected = [piece.lower() in pair.source or piece.lower() in pair.target for pair in shown]
    assert any(expected)
    assert chosen(contains=piece) == expected
    both = [one and other for one, other in zip(expected, chosen(kind="words"), strict=True)]
    assert chosen(contains=piece, kind="words") == both


def test_the_state_is_kept(pairs: PairIndex, run: Path) -> None:
    with DecisionLog(run / "review.sqlite") as decisions:
        state = ReviewState(pairs, decisions)
        one, other = pairs[0], pairs[1]
        state.decide((one.source, one.target), "accepted", None, seen=0, tab="a")
        state.decide((other.source, other.target), "rejected", None, seen=0, tab="a")
        with pytest.raises(DecisionConflictError):
            state.decide((one.source, one.target), "rejected", None, seen=0, tab="b")
        # A decision on a pair that the run no longer has is kept, and does no harm.
        decisions.decide("word", "gone", "away", "accepted")
    with DecisionLog(run / "review.sqlite") as decisions:
        again = ReviewState(pairs, decisions)
        now = again.snapshot()
        assert now.count_statuses() == {
            "undecided": len(pairs) - 2,
            "accepted": 1,
            "rejected": 1,
            "corrected": 0,
            "skipped": 0,
        }
        assert [pair.place for pair in now.page(PairFilter(), 0, 2)] == [2, 3]
        assert [pair.place for pair in now.page(PairFilter(status="rejected"), 0, 9)] == [1]
        assert now.count_chosen(PairFilter(status="all")) == len(pairs)
        undone = again.undo("a")
        assert undone is not None
        assert undone[1:4] == other[1:4]
        assert again.snapshot().status(1) is None


def test_states_of_one_file_know_of_each_other(pairs: PairIndex, run: Path) -> None:
    """Like those of two servers."""
    path = run / "review.sqlite"
    with DecisionLog(path) as decisions, DecisionLog(path) as others:
        one, other = ReviewState(pairs, decisions), ReviewState(pairs, others)
        for place in (0, 1):
            one.decide(pairs[place][2:4], "accepted", None, seen=0, tab="a")
        assert [pair.place for pair in other.snapshot().page(PairFilter(), 0, 2)] == [2, 3]
        assert other.snapshot().count_statuses()["accepted"] == 2
        assert other.undo("a") is not None
        other.decide(pairs[5][2:4], "rejected", None, seen=0, tab="b")
        assert [pair.place for pair in one.snapshot().page(PairFilter(), 0, 2)] == [1, 2]
        assert one.snapshot().codes.tolist() == other.snapshot().codes.tolist()


def test_threads_share_a_state(pairs: PairIndex, run: Path) -> None:
    with DecisionLog(run / "review.sqlite") as decisions:
        state = ReviewState(pairs, decisions)
        before = state.snapshot()

        def review(thread: int) -> list[int]:
            """Decide on pairs of one's own, undo every third, and look at the rest meanwhile."""
            seen = []
            for n, place in enumerate(range(thread, 48, 8)):
                pair = pairs[place][2:4]
                state.decide(pair, "accepted", None, seen=0, tab=str(thread))
                if n % 3 == 0:
                    state.undo(str(thread))
                seen.append(state.snapshot().count_statuses()["accepted"])
            return seen

        with ThreadPoolExecutor(8) as pool:
            seen = [*pool.map(review, range(8))]
        now = state.snapshot()
        assert now.count_statuses()["accepted"] == 32
        assert max(map(max, seen)) <= 40
        assert now.codes.tolist() == ReviewState(pairs, decisions).snapshot().codes.tolist()
        # Whoever has a snapshot can go on reading it.
        assert not before.codes.any()


def test_contexts(run: Path) -> None:
    phrase, other = lines(run / "phrases.tsv")[3:5]
    first = [*phrase[:2], f"a [{phrase[0]}] <", "", "", "d", "e", ""]
    text = "\n".join("\t".join(line) for line in (first, [*other[:2], *[""] * 6], []))
    (run / "contexts.tsv").write_text(text, encoding="utf-8")
    pairs = open_pair_index(RunFolder(run))
    evidence = PairEvidence(RunFolder(run), pairs, ("", "he"))

    def contexts(source: str, target: str) -> str:
        place = pairs.find(source, target)
        assert place is not None
        return evidence.draw_contexts(pairs[place])

    assert contexts(phrase[0], phrase[1]) == (
        f'<ul class="contexts">\n<li dir="auto">a <mark>{phrase[0]}</mark> &lt;</li>\n</ul>\n'
        '<ul class="contexts">\n<li lang="he" dir="auto">d</li>\n<li lang="he" dir="auto">e</li>\n'
        "</ul>\n"
    )
    assert contexts(other[0], other[1]) == ""
    assert contexts(*lines(run / "phrases.tsv")[5][:2]) == ""
    # If the file has changed since, nothing is shown.
    (run / "contexts.tsv").write_text(f"x{text}", encoding="utf-8")
    assert contexts(phrase[0], phrase[1]) == ""


def made_order(
    count: int, random: int
) -> tuple[NDArray[np.float64], NDArray[np.int64], ReviewOrder]:
    generator = np.random.default_rng(random)
    high, low = generator.beta(8, 1, count), generator.uniform(0.4, 1, count)
    sure = np.where(generator.random(count) < 0.5, high, low)
    frequency = np.maximum(1, 3 * generator.pareto(1, count)).astype(np.int64)
    return sure, frequency, order_pairs(sure, frequency, np.ones(count, np.bool_))


def test_the_uncertain_and_frequent_come_first_and_every_fourth_at_random() -> None:
    sure, frequency, order = made_order(2_000, 0)
    for some in order:
        assert sorted(some.tolist()) == [*range(2_000)]
    # Of the first 400, 100 were drawn at random, and 300 are the most informative.
    first = {*order.shown[:400].tolist()}
    drawn = 400 // EVERY
    assert first.issuperset(order.at_random[: drawn - 1].tolist())
    assert first.issuperset(order.by_information[: 400 - drawn - 1].tolist())
    every = np.ones(2_000, np.bool_)
    assert order.by_information.tolist() == rank_by_information(sure, frequency, every).tolist()


def test_terms_come_before_other_words() -> None:
    sure, frequency, _ = made_order(50, 0)
    is_term = np.arange(50) % 2 == 0
    ranked = rank_by_information(sure, frequency, is_term)
    assert is_term[ranked].tolist() == [True] * 25 + [False] * 25
    alone = rank_by_information(sure[::2], frequency[::2], np.ones(25, np.bool_))
    assert ranked[:25].tolist() == (2 * alone).tolist()


def test_the_estimate_by_hand() -> None:
    """Of ten pairs, the two most informative are known, one of them right; so are five drawn at
    random, four of them right."""
    codes, every = np.zeros(10, np.uint8), np.ones(10, np.bool_)
    codes[[0, 1]] = ACCEPTED, REJECTED
    codes[[5, 6, 7, 8]], codes[9] = ACCEPTED, STATUS_CODES["corrected"]
    by_information = np.arange(10, dtype=np.int32)
    at_random = np.array([5, 0, 6, 7, 8, 9, 2, 1, 3, 4], np.int32)
    found = estimate_precision(codes, by_information, at_random, every)
    assert found is not None
    share = (4 + 0.5) / (5 + 1)
    assert found.precision == pytest.approx((1 + 4 + 3 * share) / 10)
    assert found.low < found.precision < found.high
    assert (found.pairs, found.drawn) == (10, 5)
    # A pair reviewed out of order says nothing about the rest.
    chosen = codes.copy()
    chosen[4] = REJECTED
    assert estimate_precision(chosen, by_information, at_random, every) == found
    # A skipped pair counts as if it did not exist.
    skipped = codes.copy()
    skipped[2] = SKIPPED
    less = estimate_precision(skipped, by_information, at_random, every)
    assert less is not None
    assert less.precision == pytest.approx((1 + 4 + 2 * share) / 9)


@given(st.integers(0, 2**12 - 1), st.integers(0, 10**6))
def test_the_estimate_with_a_filter_is_that_of_its_pairs_alone(chosen: int, random: int) -> None:
    generator = np.random.default_rng(random)
    codes = generator.integers(0, 5, 12).astype(np.uint8)
    by_information, at_random = (generator.permutation(12).astype(np.int32) for _ in range(2))
    is_chosen = np.array([chosen >> n & 1 for n in range(12)], np.bool_)
    among = np.flatnonzero(is_chosen)
    one, other = (
        np.searchsorted(among, order[is_chosen[order]]).astype(np.int32)
        for order in (by_information, at_random)
    )
    every = np.ones(len(among), np.bool_)
    assert estimate_precision(codes, by_information, at_random, is_chosen) == estimate_precision(
        codes[among], one, other, every
    )


def test_the_interval_closes_when_all_pairs_are_reviewed() -> None:
    codes = np.array([ACCEPTED, REJECTED, ACCEPTED, ACCEPTED, SKIPPED], np.uint8)
    order = np.arange(5, dtype=np.int32)
    found = estimate_precision(codes, order, order[::-1], np.ones(5, np.bool_))
    assert found is not None
    assert found[:4] == (0.75, 0.75, 0.75, 4)


def test_few_decisions_give_no_estimate() -> None:
    order = np.arange(100, dtype=np.int32)
    codes = np.full(100, UNDECIDED, np.uint8)
    codes[:4] = ACCEPTED
    assert estimate_precision(codes, order[::-1], order, np.ones(100, np.bool_)) is None
    codes[4] = ACCEPTED
    assert estimate_precision(codes, order[::-1], order, np.ones(100, np.bool_)) is not None
    # The most informative pairs are known, and nothing about the few others.
    codes[:] = ACCEPTED
    codes[:3] = UNDECIDED
    found = estimate_precision(codes, order[::-1], order, np.ones(100, np.bool_))
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
    """In about 95 of 100 cases, even if the confidences are wrong, and although the reviewed pairs
    are no random sample."""
    generator = np.random.default_rng(7)
    holds, errors, shares = [], [], []
    for random in range(200):
        sure, frequency, order = made_order(2_000, random)
        right = generator.random(2_000) < CURVES[curve](sure, frequency)
        codes = np.zeros(2_000, np.uint8)
        first = order.shown[:decided]
        codes[first] = np.where(right[first], ACCEPTED, REJECTED)
        orders = (order.by_information.astype(np.int32), order.at_random.astype(np.int32))
        found = estimate_precision(codes, *orders, np.ones(2_000, np.bool_))
        assert found is not None
        truth = float(right.mean())
        holds.append(found.low <= truth <= found.high)
        errors.append(found.precision - truth)
        shares.append(float(right[first].mean()) - truth)
    assert mean(holds) >= 0.9
    assert abs(mean(errors)) < 0.04
    # The share of right pairs among the reviewed ones is far off.
    assert abs(mean(shares)) > 2 * abs(mean(errors))


def test_the_index_names_its_version(pairs: PairIndex, run: Path) -> None:
    assert len(pairs)
    kept = json.loads((run / "review.pairs" / "of.json").read_bytes())
    assert kept["version"] == 4
    assert {*kept["files"]} == {"run.json", "lexicon.tsv", "phrases.tsv"}
