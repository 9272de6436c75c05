"""The trace: what its columns count, and that the order of the input does not change it."""

from itertools import chain
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord import Accord
from accord.experiments.artificial import plant
from accord.learning.agreement import find_links
from accord.runs.inputs import Inputs
from accord.runs.learn import learn
from accord.settings import Settings
from accord.system.runners.threads import Threads
from tests.strategies import pairs_of

METHODS: list[dict[str, Any]] = [
    {"agreement": "posterior"},
    {"agreement": "posterior", "word_model": "hmm", "matching": "greedy"},
    {"agreement": "inner"},
    {"agreement": "outer", "matching": "exact"},
    {"agreement": "none"},
]
MADE = plant(words=40, phrases=120, noise=60, random=4)
# Two translations of one word, and one translation of two words.
SEED = [*MADE.lexicon[:15], (MADE.lexicon[0][0], MADE.lexicon[1][1])]
DECISIONS = [
    *((e, f, "accepted") for e, f in MADE.gold[:5]),
    *((e, MADE.gold[n + 1][1], "rejected") for n, (e, _) in enumerate(MADE.gold[5:10], 5)),
]
VECTORS = [
    {pair[side]: row.tolist() for pair, row in zip(MADE.lexicon, rows, strict=True)}
    for side, rows in enumerate(np.random.default_rng(6).normal(size=(2, 40, 6)))
]


def trace_of(
    source: list[str], target: list[str], seed: list[Any], gold: list[Any], **how: Any
) -> list[dict[str, Any]]:
    trace = Accord(**how, iterations=4).fit(source, target, seed, gold=gold).trace_
    return [{key: value for key, value in row.items() if key != "seconds"} for row in trace]


@pytest.mark.parametrize("how", METHODS)
@settings(max_examples=4)
@given(data=st.data())
def test_the_order_of_the_input_does_not_change_the_trace(
    how: dict[str, Any], data: st.DataObject
) -> None:
    given_in_order: list[list[Any]] = [MADE.source, MADE.target, [*SEED, *DECISIONS], MADE.gold]
    generator = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    shuffled = [[items[n] for n in generator.permutation(len(items))] for items in given_in_order]
    assert trace_of(*shuffled, **how) == trace_of(*given_in_order, **how)


def test_the_order_of_vectors_does_not_change_the_trace() -> None:
    traces = []
    for source, target in (VECTORS, [dict(reversed(side.items())) for side in VECTORS]):
        model = Accord(iterations=3)
        model.fit(MADE.source, MADE.target, SEED, source_vectors=source, target_vectors=target)
        traces.append([row | {"seconds": 0} for row in model.trace_])
    assert traces[0] == traces[1]


@pytest.mark.parametrize("how", METHODS)
@pytest.mark.parametrize("seed", [SEED, [*SEED, *DECISIONS]])
def test_the_columns_count_the_links_of_the_state(how: dict[str, Any], seed: list[Any]) -> None:
    settings = Settings(**how, iterations=4)
    inputs = Inputs.of(MADE.source, MADE.target, seed, None, settings.max_words)
    results = learn(inputs, settings, Threads(1))
    row, state = results.trace[-1], results.trained.state
    forward = pairs_of(find_links(state.forward_alignment.phrases))
    backward = pairs_of(find_links(state.backward_alignment.phrases).swapped())
    assert (row["forward_links"], row["backward_links"]) == (len(forward), len(backward))
    assert row["agreed_links"] == len(state.agreed)
    links = [*chain(forward, backward)]
    in_both = sum(link in forward and link in backward for link in links)
    assert row["agreement_ratio"] == pytest.approx(in_both / len(links))


@pytest.mark.parametrize("agreement", ["inner", "outer", "none"])
def test_the_agreed_links_of_the_papers_methods_are_those_in_both(agreement: str) -> None:
    for row in trace_of(MADE.source, MADE.target, SEED, MADE.gold, agreement=agreement):
        both = row["forward_links"] + row["backward_links"]
        assert row["agreement_ratio"] == pytest.approx(2 * row["agreed_links"] / both)
