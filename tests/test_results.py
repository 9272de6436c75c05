"""The lexicon and the phrases that a run leaves."""

import math

import pytest

from accord import Accord
from accord.em import State, initial_state
from accord.phrases import Phrases
from accord.results import lexicon, phrase_pairs
from accord.runners.threads import Threads
from accord.search import viterbi_alignment
from accord.seed import SeedLexicon
from accord.settings import Settings
from tests import oracle
from tests.strategies import oracle_lengths, oracle_table

SOURCE = Phrases.of(["a b c", "a d"])
TARGET = Phrases.of(["y x q", "x"])
HOW = Settings(floor=0.01)


@pytest.fixture
def state() -> State:
    seed = SeedLexicon.of([("a", "x"), ("b", "y"), ("b", "x")])
    sigma = seed.counts(SOURCE.vocabulary, TARGET.vocabulary)
    first = initial_state(SOURCE, TARGET, sigma, HOW)
    models = first.forward, first.backward
    return first._replace(
        forward_alignment=viterbi_alignment(SOURCE, TARGET, *models, HOW, Threads(1)),
        backward_alignment=viterbi_alignment(TARGET, SOURCE, *models[::-1], HOW, Threads(1)),
    )


def test_phrase_pairs_have_log_p_and_the_words_that_are_each_others_best(state: State) -> None:
    pairs = {(pair.source, pair.target): pair for pair in phrase_pairs(SOURCE, TARGET, state)}
    pair = pairs["a b c", "y x q"]
    e, f = ("a", "b", "c"), ("y", "x", "q")
    p = oracle_table(state.forward.translation, SOURCE, TARGET)
    q = oracle_table(state.backward.translation, TARGET, SOURCE)
    forward = oracle.log_phrase_probability(p, 0.01, oracle_lengths(state.forward.lengths), e, f)
    backward = oracle.log_phrase_probability(q, 0.01, oracle_lengths(state.backward.lengths), f, e)
    assert pair.forward == pytest.approx(forward)
    assert pair.backward == pytest.approx(backward)
    # c and q know nothing: their best is NULL, and they have no link.
    assert pair.alignment == ((0, 1), (1, 0))


def test_lexicon_takes_pairs_likely_both_ways(state: State) -> None:
    found = {(entry.source, entry.target): entry for entry in lexicon(SOURCE, TARGET, state, 0.5)}
    assert set(found) == {("a", "x"), ("b", "y"), ("b", "x")}
    assert found["a", "x"][2:] == (1.0, 0.5)
    assert found["b", "y"][2:] == (0.5, 1.0)
    assert not lexicon(SOURCE, TARGET, state, 0.6)


def test_lexicon_has_the_surest_first_then_the_commonest() -> None:
    source = ["a", "b", "b c", "b d", "e"]
    target = ["x", "y", "y w", "y v", "u"]
    seed = [("a", "x"), ("b", "y"), ("e", "u"), ("e", "x")]
    entries = Accord(epsilon=0.99).fit(source, target, seed).lexicon_
    assert [(entry.source, entry.target) for entry in entries] == [
        ("b", "y"),
        ("a", "x"),
        ("e", "u"),
        ("e", "x"),
    ]


def test_null_is_in_no_lexicon() -> None:
    learned = Accord(agreement="outer").fit(["a b", "a"], ["x y", "x"], [("a", "x")])
    assert all(entry.source and entry.target for entry in learned.lexicon_)
    assert all(math.isfinite(pair.forward) for pair in learned.phrases_)
