"""Constraints by decisions of reviewers, compared with plain loops in which a rejected pair has
probability 0 and an accepted one 1."""

import math
from itertools import pairwise
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord import Accord
from accord.corpus.phrases import Phrases
from accord.errors import InputError
from accord.evidence.constraints import NO_CONSTRAINTS, Constraints, PairSet
from accord.evidence.context import find_context_pairs
from accord.evidence.counts import Counts
from accord.evidence.prior import Prior
from accord.evidence.seed import SeedLexicon
from accord.experiments.artificial import Planted, plant
from accord.learning.agreement import Links
from accord.learning.em import em_iterations, initial_state
from accord.learning.model.parameters import Models
from accord.learning.posterior import posterior_agreement
from accord.learning.search import candidates as search_candidates
from accord.learning.search.retrieval import rank_candidates
from accord.learning.search.search_kernels import SearchLimits
from accord.learning.task import Task
from accord.learning.viterbi import viterbi_agreement
from accord.runs.inputs import Inputs
from accord.runs.learn import learn
from accord.settings import Agreement, Settings
from accord.system.runners.threads import Threads
from tests import oracle
from tests.learning.test_em import KINDS, PAPER
from tests.learning.test_posterior import all_scores, check_alignments, drawn_models
from tests.learning.test_search import CLOSE, TinyShards, candidates_of
from tests.learning.test_search import all_scores as phrase_scores
from tests.strategies import (
    SOURCE_WORDS,
    TARGET_WORDS,
    corpora,
    directions,
    oracle_phrases,
    oracle_table,
    pairs_of,
    plain_task,
)

FLOOR = 0.01
Pair = tuple[int, int]


@st.composite
def constraints(draw: st.DrawFn, source: Phrases, target: Phrases) -> Constraints:
    """Some pairs of phrases accepted, others rejected."""
    pair = st.tuples(st.integers(1, len(source) - 1), st.integers(1, len(target) - 1))
    accepted = draw(st.sets(pair, max_size=3))
    rejected = draw(st.sets(pair, max_size=12)) - accepted
    return Constraints(pair_set(accepted), pair_set(rejected))


def pair_set(pairs: set[Pair]) -> PairSet:
    return PairSet.of(*np.array(sorted(pairs), np.int32).reshape(-1, 2).T)


def as_set(pairs: PairSet) -> set[Pair]:
    return set(zip(pairs.source.tolist(), pairs.target.tolist(), strict=True))


def is_allowed(decided: Constraints, s: int, t: int) -> bool:
    """Whether s and t may be a pair, by the decisions of reviewers."""
    accepted = as_set(decided.accepted)
    if (s, t) in accepted:
        return True
    taken = any(s == other or t == another for other, another in accepted)
    return not taken and (s, t) not in as_set(decided.rejected)


@given(st.data())
def test_pairs_in_a_set(data: st.DataObject) -> None:
    numbers = st.integers(0, 9)
    some = st.lists(st.tuples(numbers, numbers), max_size=30)
    own = set(data.draw(some))
    asked = np.array(data.draw(some), np.int32).reshape(-1, 2).T
    found = pair_set(own).contains(*asked)
    assert found.tolist() == [pair in own for pair in zip(*asked.tolist(), strict=True)]
    assert as_set(pair_set(own).swapped()) == {pair[::-1] for pair in own}


@given(st.data(), st.sampled_from(["greedy", "exact", "intersection"]))
def test_posteriors_with_pairs_of_probability_0_and_1(data: st.DataObject, kind: Any) -> None:
    source, target = data.draw(corpora(SOURCE_WORDS)), data.draw(corpora(TARGET_WORDS))
    models = drawn_models(data, source, target)
    decided = data.draw(constraints(source, target))
    how = Settings(power=1.0, matching=kind, min_probability=0.0)
    with patch.object(search_candidates, "MIN_WEIGHT", 1e-200):
        found = posterior_agreement(
            Task(source, target, how, TinyShards(), decided), Models(*models)
        )
    sides = (source, target, models[0], decided), (target, source, models[1], decided.swapped())
    one, other = (_log_q(*side) for side in sides)
    weights = np.exp(one + other.T)[1:, 1:]
    dense = np.zeros((len(source), len(target)))
    dense[found.forward_links.source, found.forward_links.target] = found.forward_links.weights
    np.testing.assert_allclose(dense[1:, 1:], weights, rtol=1e-6, atol=1e-100)
    check_alignments(found, one, other)
    chosen, accepted = pairs_of(found.found), as_set(decided.accepted)
    assert accepted <= chosen
    assert all(is_allowed(decided, s, t) for s, t in chosen)
    in_order = zip(*found.found, *found.log_q, strict=True)
    for s, t, confidence, there, back in in_order:
        assert ((s, t) in accepted) == (confidence == 1.0)
        if (s, t) in accepted:
            assert there == back == 0.0


def _log_q(source: Phrases, target: Phrases, model: Any, decided: Constraints) -> Any:
    """log q(s|t) of every pair, by loops; row 0 is that of the empty phrase."""
    scores = all_scores(source, target, model)
    accepted = as_set(decided.accepted)
    for s in range(1, len(source)):
        for t in range(1, len(target)):
            if not is_allowed(decided, s, t):
                scores[s, t] = -np.inf
    scores[0, [t for _, t in accepted]] = -np.inf
    log_q = scores - np.logaddexp.reduce(scores, axis=0)
    for pair in accepted:
        log_q[pair] = 0.0
    return log_q


@given(st.data(), st.sampled_from(["outer", "none"]))
def test_viterbi_takes_the_best_allowed_phrase(data: st.DataObject, agreement: Any) -> None:
    source, target = data.draw(corpora(SOURCE_WORDS)), data.draw(corpora(TARGET_WORDS))
    forward = data.draw(directions(source, target, FLOOR))
    backward = data.draw(directions(target, source, FLOOR))
    decided = data.draw(constraints(source, target))
    how = Settings(agreement=agreement, floor=FLOOR, epsilon=1e-3)
    task = Task(source, target, how, Threads(1), decided)
    found = viterbi_agreement(task, Models(forward.model, backward.model))
    accepted, rejected = as_set(decided.accepted), as_set(decided.rejected)
    E, F = oracle_phrases(source), oracle_phrases(target)
    for t in range(1, len(F)):
        s = int(found.forward.phrases[t])
        truth = phrase_scores(forward, E, F[t])
        if certain := sorted(e for e, f in accepted if f == t):
            assert s == certain[0]
            assert found.forward.log_prob[t] == pytest.approx(truth[s], abs=CLOSE)
            assert not found.forward.tied[t]
            continue
        allowed = {n: score for n, score in truth.items() if (n, t) not in rejected}
        best = max([*allowed.values(), math.log(how.epsilon)])
        assert found.forward.log_prob[t] == pytest.approx(best, abs=CLOSE)
        assert s == 0 or allowed[s] == pytest.approx(best, abs=CLOSE)
        if s and found.forward.tied[t]:
            others = [score for n, score in allowed.items() if n != s]
            assert max(others) == pytest.approx(best, abs=CLOSE)
    there = {(int(s), t) for t, s in enumerate(found.forward.phrases) if s}
    back = {(s, int(t)) for s, t in enumerate(found.backward.phrases) if t}
    assert pairs_of(found.found) == (there & back) | accepted
    links = there if agreement == "none" else there & back
    assert pairs_of(found.forward_links) == links | accepted
    assert found.forward_links.weights.tolist() == [1.0] * len(links | accepted)


@given(st.data(), st.sampled_from([1, 2, 20]))
def test_inner_reranks_the_best_allowed_phrases(data: st.DataObject, candidates: int) -> None:
    source, target = data.draw(corpora(SOURCE_WORDS)), data.draw(corpora(TARGET_WORDS))
    forward = data.draw(directions(source, target, FLOOR))
    backward = data.draw(directions(target, source, FLOOR))
    rejected = data.draw(constraints(source, target)).rejected
    how = Settings(agreement="inner", floor=FLOOR, epsilon=1e-6, candidates=candidates)
    task = Task(source, target, how, Threads(1), Constraints(rejected=rejected))
    found = viterbi_agreement(task, Models(forward.model, backward.model)).forward
    every = rank_candidates(plain_task(source, target), forward.model, SearchLimits(99))
    E, F = oracle_phrases(source), oracle_phrases(target)
    for t in range(1, len(F)):
        log_prob = phrase_scores(forward, E, F[t])
        some = [s for s in candidates_of(every, t) if (s, t) not in as_set(rejected)]
        fine = {
            s: log_prob[s]
            + math.log(oracle.word_agreement(forward.table, backward.table, FLOOR, E[s], F[t]))
            for s in some[:candidates]
            if log_prob[s] > math.log(how.epsilon)
        }
        chosen = int(found.phrases[t])
        assert (chosen == 0) == (not fine)
        if fine:
            assert fine[chosen] == pytest.approx(max(fine.values()), abs=CLOSE)


@given(st.data(), st.sampled_from([1, 2, 20]))
def test_rankings_without_some_pairs(data: st.DataObject, count: int) -> None:
    source, target = data.draw(corpora(SOURCE_WORDS)), data.draw(corpora(TARGET_WORDS))
    model = data.draw(directions(source, target, FLOOR)).model
    rejected = data.draw(constraints(source, target)).rejected
    every = rank_candidates(plain_task(source, target), model, SearchLimits(99))
    cut = every.without(rejected, count)
    for t in range(1, len(target)):
        kept = [s for s in candidates_of(every, t) if (s, t) not in as_set(rejected)]
        assert candidates_of(cut, t) == kept[:count]
        assert (cut.cutoffs[cut.groups[t]] == -np.inf) == (len(kept) < count)


@pytest.mark.parametrize("kind", ["exact", "greedy"])
@pytest.mark.parametrize("agreement", ["inner", "outer"])
def test_matchings_keep_accepted_pairs(agreement: Any, kind: Any, small: Planted) -> None:
    decided = [(*pair, "accepted") for pair in _crossed(small)]
    decided += [(*pair, "rejected") for pair in small.gold[10:30]]
    learned = Accord(agreement=agreement, matching=kind, training_matching=kind).fit(
        small.source, small.target, small.lexicon[:30], decisions=decided
    )
    _check(learned, decided)


def _crossed(planted: Planted) -> list[tuple[str, str]]:
    """Wrong pairs, which no run would find; two have the same source phrase, and two the same
    target phrase."""
    source, target = zip(*planted.gold[:5], strict=True)
    return [*zip(source, target[1:], strict=False), (source[0], target[2]), (source[4], target[0])]


def _check(learned: Accord, decided: list[tuple[str, str, str]]) -> None:
    """Check that the results have all accepted pairs, and no rejected ones."""
    found = {pair[:2]: pair for pair in learned.phrases_}
    words = {entry[:2] for entry in learned.lexicon_}
    for e, f, status in decided:
        if status == "accepted":
            assert found[e, f].confidence in (1.0, None)
        else:
            assert (e, f) not in {*found, *words}


@settings(max_examples=30)
@given(st.data(), st.sampled_from(PAPER))
def test_every_iteration_respects_decisions(data: st.DataObject, agreement: Any) -> None:
    """From any state, the new parameters are those of the equations on the links found and on the
    accepted ones, without the counts of rejected word pairs."""
    source, target = data.draw(corpora(SOURCE_WORDS)), data.draw(corpora(TARGET_WORDS))
    words = st.tuples(
        st.sampled_from(source.vocabulary.words[1:]), st.sampled_from(target.vocabulary.words[1:])
    )
    phrases = st.tuples(
        st.sampled_from([source[s] for s in range(1, len(source))]),
        st.sampled_from([target[t] for t in range(1, len(target))]),
    )
    accepted = data.draw(st.sets(phrases, min_size=1, max_size=2))
    rejected = data.draw(st.sets(words | phrases, max_size=8)) - accepted
    entries = SeedLexicon.of(
        [*((*pair, "accepted") for pair in accepted), *((*pair, "rejected") for pair in rejected)]
    )
    how = Settings(agreement=agreement, iterations=3, floor=FLOOR, epsilon=1e-9)
    prior = Prior.of(entries, source, target, how)
    task = Task(source, target, how, Threads(1), Constraints.of(entries, source, target))
    first = initial_state(task, prior)
    states = [first, *em_iterations(task, prior, first)]
    forbidden = {pair for pair in rejected if " " not in "".join(pair)}
    E, F = oracle_phrases(source), oracle_phrases(target)
    numbers = source.numbers, target.numbers
    certain = {(numbers[0][e], numbers[1][f]) for e, f in accepted}
    single = [pair for pair in accepted if " " not in "".join(pair)]
    sigma = _without(oracle.seed_counts(single), forbidden)
    start = oracle.translation_model({}, sigma, how.prune)
    assert oracle_table(first.forward.translation, source, target) == pytest.approx(start)
    for before, after in pairwise(states):
        forward = {(int(s), t) for t, s in enumerate(after.forward_alignment.phrases) if s}
        backward = {(s, int(t)) for s, t in enumerate(after.backward_alignment.phrases) if t}
        links = (forward if agreement == "none" else forward & backward) | certain
        p = oracle_table(before.forward.translation, source, target)
        q = oracle_table(before.backward.translation, target, source)
        counts = (
            oracle.inner_counts(E, F, links, p, q, how.floor)
            if agreement == "inner"
            else oracle.outer_counts(E, F, links, p, how.floor)
        )
        table = oracle.translation_model(_without(counts, forbidden), sigma, how.prune)
        assert oracle_table(after.forward.translation, source, target) == pytest.approx(table)
        texts = {(source[s], target[t]) for s, t in forward | backward | pairs_of(after.agreed)}
        assert not texts & rejected
        assert certain <= pairs_of(after.agreed)


def _without(table: oracle.Table, pairs: set[tuple[str, str]]) -> oracle.Table:
    return {pair: value for pair, value in table.items() if pair not in pairs}


# Cognates, and morphological variants that would transfer their counts to each other.
COGNATES = [("kommission", "commission"), ("kommissionen", "commissions"), ("haus", "house")]


@pytest.mark.parametrize("agreement", KINDS)
@pytest.mark.parametrize("with_vectors", [False, True])
def test_no_evidence_brings_back_rejected_pairs(agreement: Agreement, with_vectors: bool) -> None:
    """Neither spelling nor context nor vectors."""
    planted = plant(words=40, phrases=200, noise=20, random=2)
    source = [*planted.source, *(f"{e} {planted.lexicon[0][0]}" for e, _ in COGNATES)]
    target = [*planted.target, *(f"{f} {planted.lexicon[0][1]}" for _, f in COGNATES)]
    vectors: dict[str, Any] = {}
    if with_vectors:
        rows = np.random.default_rng(0).normal(size=(len(planted.lexicon) + len(COGNATES), 8))
        pairs = [*planted.lexicon, *COGNATES]
        vectors = {
            f"{side}_vectors": {pair[n]: row for pair, row in zip(pairs, rows, strict=True)}
            for n, side in enumerate(("source", "target"))
        }
    how = Accord(agreement=agreement, spelling=True, context=True)
    decided = [(e, f, "rejected") for e, f in [*COGNATES, *planted.lexicon[20:35]]]
    decided += [(e, f, "rejected") for e, f in planted.gold[:60]]
    before = how.fit(source, target, planted.lexicon[:20], **vectors)
    assert {entry[:2] for entry in before.lexicon_} & {(e, f) for e, f, _ in decided}
    after = how.fit(source, target, planted.lexicon[:20], decisions=decided, **vectors)
    _check(after, decided)
    for e, f, _ in decided[:18]:
        for model, pair in (("forward", (e, f)), ("backward", (f, e))):
            table = getattr(after._trained.state, model).translation
            sides = after._trained.sides if model == "forward" else after._trained.sides[::-1]
            numbers = [
                np.array([side.vocabulary.index[word]])
                for side, word in zip(sides, pair, strict=True)
            ]
            floor = table.room[numbers[0]] * table.floors[numbers[1]]
            assert table.probability(*numbers) == pytest.approx(np.minimum(floor, 1.0))


def test_context_leaves_out_rejected_pairs() -> None:
    planted = plant(words=60, phrases=400, noise=0)
    source, target = Phrases.of(planted.source), Phrases.of(planted.target)
    sides = source.vocabulary, target.vocabulary
    seed = SeedLexicon.of(planted.lexicon[:20]).pseudo_counts(*sides)
    found = find_context_pairs(source, target, seed, Threads(1))
    some = PairSet.of(found.source[:5], found.target[:5])
    assert some.size == 5
    again = find_context_pairs(source, target, seed, Threads(1), some)
    assert len(again.source)
    assert not some.contains(again.source, again.target).any()


@pytest.mark.parametrize("agreement", KINDS)
def test_the_results_follow_all_decisions(agreement: Agreement, small: Planted) -> None:
    """Given in a seed or as decisions; some on phrases that are in neither text, and two accepted
    pairs of one phrase."""
    source, target = small.source[0], small.target[0]
    decided = [(*pair, "accepted") for pair in _crossed(small)]
    decided += [
        (f"{source} nowhere", target, "accepted"),
        (small.gold[9][0], f"not here {small.gold[9][1]}", "accepted"),
    ]
    decided += [(*pair, "rejected") for pair in small.gold[10:40]]
    decided += [(*pair, "rejected") for pair in small.lexicon[10:14]]
    seed = [entry for entry in small.lexicon[:30] if (*entry, "rejected") not in decided]
    one = Accord(agreement=agreement).fit(small.source, small.target, [*seed, *decided])
    other = Accord(agreement=agreement).fit(small.source, small.target, seed, decisions=decided)
    _check(one, decided)
    assert one.phrases_ == other.phrases_
    assert one.lexicon_ == other.lexicon_
    certain = {pair[:2] for pair in decided if pair[2] == "accepted"}
    taken = {e for e, _ in certain}, {f for _, f in certain}
    for pair in one.phrases_:
        assert pair[:2] in certain or not (pair.source in taken[0] or pair.target in taken[1])


def test_accepted_columns_in_the_wrong_order(small: Planted) -> None:
    """Accepted entries become phrases of the corpora, but do not count when columns are checked."""
    for accepted in ([], ["accepted"]):
        decisions: Any = [(f, e, *accepted) for e, f in small.gold[:25]]
        with pytest.raises(InputError, match=r"of its 25 entries .* put the source word first"):
            Accord().fit(small.source, small.target, decisions)
    with pytest.raises(InputError, match="put the source word first"):
        Accord().fit(small.source, small.target, decisions=decisions)


def test_an_accepted_pair_that_is_too_long_for_a_link_is_a_plain_entry(small: Planted) -> None:
    long: Any = tuple(" ".join(words) for words in zip(*small.lexicon[:6], strict=True))
    plain, accepted, without = (
        Accord(max_words=5).fit(small.source, small.target, [*small.lexicon[6:20], *more])
        for more in ([long], [(*long, "accepted")], list[Any]())
    )
    assert accepted.lexicon_ == plain.lexicon_ != without.lexicon_
    # Unless an earlier model has it among its phrases.
    seed = [*small.lexicon[6:20], (*long, "accepted")]
    inputs = Inputs.of(small.source, small.target, seed, None, 6)
    start = learn(inputs, Settings(max_words=6), Threads(1)).trained
    later = Inputs.of(small.source, small.target, [], None, 5, start)
    assert later.seed.accepted == {long}


def test_decisions_override_the_seed(small: Planted) -> None:
    entry = small.lexicon[0]
    learned = Accord().fit(
        small.source, small.target, small.lexicon[:30], decisions=[(*entry, "rejected")]
    )
    assert entry not in {pair[:2] for pair in learned.lexicon_}
    seed: list[Any] = [*small.lexicon[1:30], (*entry, "rejected")]
    learned = Accord().fit(small.source, small.target, seed, decisions=[(*entry, "accepted")])
    assert entry in {pair[:2] for pair in learned.lexicon_}


def test_accepted_entries_are_not_held_out(small: Planted) -> None:
    decided = [(*entry, "accepted") for entry in small.lexicon[:20]]
    seed = SeedLexicon.of([*decided, *small.lexicon[20:40]])
    used, held = seed.split_held_out(0.5)
    assert len(held.entries) == 10
    assert used.accepted == seed.accepted
    assert not held.accepted


def test_without_decisions_nothing_changes() -> None:
    links = Links.certain(np.array([1], np.int32), np.array([1], np.int32))
    assert links.with_certain(NO_CONSTRAINTS.accepted) is links
    counts = Counts(np.array([1], np.int32), np.array([1], np.int32), np.ones(1))
    assert Prior(Counts.none()).without_rejected(counts) is counts
    seed = SeedLexicon.of([("a", "x")])
    assert not Constraints.of(seed, Phrases.of(["a"]), Phrases.of(["x"])).any


def test_entries_of_the_seed_are_known_pairs() -> None:
    """Unless reviewers have decided on them or on one of their phrases."""
    entries: list[Any] = [
        ("a", "x"),
        ("b", "y"),
        ("c", "z", "rejected"),
        ("d", "w", "accepted"),
        ("d", "x"),
    ]
    source, target = Phrases.of("abcd"), Phrases.of("wxyz")
    known = Constraints.of(SeedLexicon.of(entries), source, target)

    def spell(pairs: PairSet) -> set[tuple[str, str]]:
        return {(source[s], target[t]) for s, t in zip(*pairs, strict=True)}

    assert spell(known.given) == {("a", "x"), ("b", "y"), ("d", "w"), ("d", "x")}
    assert spell(known.open_given) == {("a", "x"), ("b", "y")}
    assert as_set(known.swapped().open_given) == {(t, s) for s, t in as_set(known.open_given)}
