"""What a run says of itself."""

import json
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord import Accord
from accord.corpus.phrases import Phrases
from accord.evidence.competition import find_best_others
from accord.evidence.counts import Counts
from accord.evidence.seed import MOST_HELD_OUT, SeedLexicon
from accord.experiments.artificial import plant
from accord.learning.confidence import (
    LEAST_CONFIDENCE,
    PHRASE_COEFFICIENTS,
    Coverage,
    ScoredPairs,
    compute_phrase_features,
    count_rarest_words,
    find_single_words,
    log_odds,
    predict_confidence,
    predict_phrase_confidence,
    predict_word_confidence,
    stack_features,
)
from accord.learning.search.pairs import CandidatePairs
from accord.learning.task import Task
from accord.learning.update import initial_models
from accord.runs.quality import Quality
from accord.runs.results import LexiconEntry, PhrasePair
from accord.settings import Settings
from accord.system.arrays import Floats
from accord.system.runners.threads import Threads
from tests.conftest import Run


def test_held_out_words_are_not_learned_from() -> None:
    entries = [(f"w{n:02}", f"t{n:02}") for n in range(40)] + [("w03", "u"), ("a b", "c")]
    used, held = SeedLexicon.of(entries).split_held_out(0.25)
    words = {source for source, _ in held.entries}
    assert len(words) == 10
    assert not words & {source for source, _ in used.entries}
    assert not {f for _, f in held.entries} & {f for _, f in used.entries}
    assert ("a b", "c") in used.entries
    # All translations of a word held out are true.
    assert ("w03" in words) == (("w03", "u") in held.entries)


def test_swapping_the_languages_holds_out_the_same() -> None:
    entries = [(f"w{n % 30}", f"t{n % 40}") for n in range(100)]
    one, _ = SeedLexicon.of(entries).split_held_out(0.1)
    other, _ = SeedLexicon.of([entry[::-1] for entry in entries]).split_held_out(0.1)
    assert {entry[::-1] for entry in other.entries} == set(one.entries)
    assert len(one.entries) < 100


def test_nothing_is_held_out_of_a_tiny_seed() -> None:
    seed = SeedLexicon.of([("a", "x"), ("b", "y")])
    assert seed.split_held_out(0.1) == (seed, SeedLexicon(()))
    assert seed.split_held_out(0.0)[0] == seed


def entry(source: str, target: str, forward: float = 0.5) -> LexiconEntry:
    return LexiconEntry(source, target, forward, 0.5, 0.9)


def pair(confidence: float | None) -> PhrasePair:
    return PhrasePair("a", "x", -1.0, -1.0, (), confidence)


def test_quality_counts_the_best_translation_of_each_word() -> None:
    held = SeedLexicon.of([("a", "x"), ("b", "y"), ("c", "z"), ("c", "w")])
    lexicon = [
        LexiconEntry("a", "q", 0.9, 0.9, 0.5),
        LexiconEntry("a", "x", 0.6, 0.5, 0.9),
        entry("b", "q"),
        entry("d", "r"),
    ]
    quality = Quality.of(held, lexicon, [pair(0.8), pair(0.6)])
    assert (quality.held_out, quality.found, quality.right) == (3, 2, 1)
    assert quality.precision == 0.5
    assert quality.recall == pytest.approx(1 / 3)
    assert quality.expected_precision == pytest.approx(0.7)
    assert quality.expected_right == pytest.approx(1.8)
    assert not quality.failed
    assert "Held-out seed words: 3; translated: 2; correct: 1." in str(quality)
    few = "too few to say how many are right (check each)"
    assert f"New phrase pairs: only 2, {few}." in str(quality)
    many = [pair(0.8), pair(0.7)] * 10
    assert "20, about 75% right (check them)." in str(Quality.of(held, lexicon, many))
    assert "20, about 80% right (good)." in str(Quality.of(held, lexicon, [pair(0.8)] * 20))
    assert "20, about 55% right (check each)." in str(Quality.of(held, lexicon, [pair(0.55)] * 20))


def test_new_pairs_are_neither_given_nor_identical() -> None:
    pairs = [pair(0.5), PhrasePair("b", "y", -1.0, -1.0, (), 0.9), pair(1.0)._replace(target="a")]
    quality = Quality.of(SeedLexicon(()), [], pairs, known=[("b", "y")])
    assert (quality.phrase_pairs, quality.new_pairs, quality.new_words) == (3, 1, 0)
    assert quality.expected_of_new_pairs == 0.5
    assert quality.list_sentences() == [
        "New phrase pairs: only 1, too few to say how many are right (check each).",
        "New word pairs: none.",
    ]
    nothing = Quality.of(SeedLexicon(()), [], pairs[1:], known=[("b", "y")])
    assert nothing.failed
    assert str(nothing).startswith("This run has failed: it found nothing new. More text")


def test_quality_is_displayed_with_its_numbers_and_a_sentence() -> None:
    quality = Quality(3, 2, 1, 7, 2 / 3, 7, 2 / 3)
    numbers, sentence = repr(quality).split("\n")
    assert numbers == (
        "Quality(held_out=3, found=2, right=1, phrase_pairs=7, expected_precision=0.667, "
        "new_pairs=7, expected_of_new_pairs=0.667, new_words=0, expected_of_new_words=None, "
        "expected_right=None, precision=0.5, recall=0.333, failed=False)"
    )
    assert sentence == str(quality)
    assert "\n" not in repr(Quality(0, 0, 0, 1, None))


def test_held_out_words_that_contradict_the_confidence() -> None:
    """The seed may lack two thirds of the translations, and a few words prove nothing."""
    run = Quality(30, 20, 6, 50, 0.9, 50, 0.9, expected_right=18.0)
    assert not run.failed
    assert replace(run, right=1).failed
    assert "cannot be trusted, by the held-out seed words" in str(replace(run, right=1))
    assert not replace(run, right=1, expected_right=10.0).failed
    assert not replace(run, found=3, right=0, expected_right=2.7).failed
    assert not replace(run, found=0, right=0, expected_right=None).failed
    few = replace(run, found=0, right=0, expected_right=None, new_pairs=9)
    assert few.failed
    assert "it found next to nothing" in str(few)


def test_a_run_that_finds_no_held_out_word_has_failed() -> None:
    """With the paper's methods, which have no confidence."""
    held = SeedLexicon.of([("a", "x"), ("b", "y"), ("c", "z")])
    lexicon = [entry("a", "q")._replace(confidence=None)]
    quality = Quality.of(held, lexicon, [pair(None)])
    assert quality.failed
    assert quality.expected_precision is None
    assert "has failed" in str(quality)
    assert Quality.of(SeedLexicon(()), [], []).failed
    assert not Quality.of(SeedLexicon(()), [], [pair(None)]).failed


def test_learn_reports_its_quality(laid_out: Path, accord: Run) -> None:
    learn = ["learn", "source.txt", "target.txt", "--seed", "seed.tsv", "--out", "out"]
    done = accord(*learn, "--json", "--held-out", "0.3")
    answer = json.loads(done.stdout)
    assert answer["quality"]["held_out"] == 4
    assert answer["quality"]["right"] >= 3
    assert json.loads((laid_out / "out" / "quality.json").read_bytes()) == answer["quality"]
    again = accord(*learn, "--held-out", "0.3", "--force")
    assert "Held-out seed words: 4; translated: 4; correct: 4." in again.stdout


FAILING = ("learn", "s.txt", "t.txt", "--seed", "d.txt", "--out", "o", "--held-out", "0.4")


def test_learn_reports_that_it_has_failed(accord: Run, tmp_path: Path) -> None:
    """Two unrelated languages."""
    one, other = plant(words=60, phrases=150, noise=0), plant(words=60, phrases=150, noise=0)
    (tmp_path / "s.txt").write_text("\n".join(one.source), encoding="utf-8")
    (tmp_path / "t.txt").write_text("\n".join(other.target), encoding="utf-8")
    wrong = zip([e for e, _ in one.lexicon[:30]], [f for _, f in other.lexicon[30:]], strict=True)
    (tmp_path / "d.txt").write_text("\n".join(f"{e} {f}" for e, f in wrong), encoding="utf-8")
    done = accord(*FAILING)
    assert done.returncode == 0
    assert "This run has failed" in done.stdout
    assert "accord export" not in done.stdout
    assert "accord review" not in done.stdout
    assert "docs/troubleshooting.md" in done.stdout.split("Next:")[1]
    again = accord(*FAILING)
    assert again.stdout == ""
    assert "This run has failed" in again.stderr
    quiet = accord(*FAILING, "--force", "-q")
    assert quiet.stdout == ""
    assert quiet.stderr.startswith("Held-out seed words: ")
    assert "This run has failed: it found nothing new." in quiet.stderr
    answer = accord(*FAILING, "--force", "-q", "--json")
    assert json.loads(answer.stdout)["quality"]["failed"]
    assert "This run has failed" in answer.stderr


def test_confidence_grows_with_what_the_words_say() -> None:
    """With the coverage, the learned probabilities and the evidence of words."""

    def predict(length: int, mean: float, least: float) -> float:
        lengths = np.array([length]), np.array([length])
        features = stack_features(
            np.array([1.0]), np.log([0.2]), coverage(mean, least), np.array([9]), lengths, 0.1
        )
        return float(predict_phrase_confidence(features, find_single_words(lengths))[0])

    assert predict(1, 0.9, 0.9) > predict(1, 0.5, 0.5) > predict(1, 0.2, 0.2)
    assert predict(2, 0.9, 0.9) > predict(2, 0.5, 0.2) > predict(2, 0.2, 0.1)
    frequency = np.array([5]), np.array([6])
    said = [
        predict_word_confidence(np.array([p]), np.array([0.2]), frequency, np.array([odds]), 0.3)[0]
        for p, odds in ((0.1, 1.0), (0.4, 1.0), (0.4, 3.0))
    ]
    assert said == sorted(said)
    assert said[0] < said[2]


def test_confidence_does_not_depend_on_the_number_of_rows() -> None:
    """A query computes the confidence of a few pairs, a run that of all pairs."""
    coefficients = PHRASE_COEFFICIENTS[0]
    features = np.random.default_rng(0).normal(size=(200, len(coefficients)))
    together = predict_confidence(features, coefficients)
    alone = [predict_confidence(row, coefficients) for row in features]
    rows = [predict_confidence(row[None], coefficients)[0] for row in features]
    assert together.tolist() == alone == rows
    by_columns = np.asfortranarray(features)
    assert predict_confidence(by_columns, coefficients).tolist() == alone


def coverage(mean: float, least: float) -> Coverage:
    return Coverage(np.log([mean + LEAST_CONFIDENCE]), np.log([least + LEAST_CONFIDENCE]))


def test_phrase_features() -> None:
    source, target = Phrases.of(["a", "a b"]), Phrases.of(["x", "x y y"])
    listed = np.ones(3, np.bool_)
    pairs = CandidatePairs(
        np.array([1, 1, 2], np.int32), np.array([1, 2, 2], np.int32), listed, listed
    )
    log_qq = np.log([0.25, 0.04, 0.01])
    settings = Settings(word_smoothing=1, prune=0)
    a, b = source.vocabulary.index.values()
    x, y = target.vocabulary.index.values()
    counts = Counts(np.array([a, a], np.int32), np.array([x, y], np.int32), np.array([2.0, 1.0]))
    odds = Counts(np.array([a, b], np.int32), np.array([x, y], np.int32), np.array([3.0, 1.0]))
    task = Task(source, target, settings, Threads(1), odds=odds)
    models = initial_models(task, counts)

    def features(least: float) -> Floats:
        with patch("accord.learning.confidence.listing_threshold", return_value=least):
            scored = ScoredPairs.of(task, pairs, log_qq)
            return compute_phrase_features(task, models, scored, 0.2)

    def confidence(e: int, f: int, p: float, q: float, evidence: float) -> float:
        frequency = source.frequency[[e]], target.frequency[[f]]
        learned = np.array([p]), np.array([q])
        return float(predict_word_confidence(*learned, frequency, np.array([evidence]), 0.2)[0])

    found = features(-20.0)
    assert count_rarest_words(source).tolist() == [1, 2, 1]
    a_x = confidence(a, x, 2 / 4, 2 / 3, 3.0)
    a_y = confidence(a, y, 1 / 4, 1 / 2, 0.0)
    b_x, b_y = confidence(b, x, 0, 0, 0.0), confidence(b, y, 0, 0, 1.0)
    best = np.array([max(a_x, a_y), max(b_x, b_y), max(a_x, b_x), *[max(a_y, b_y)] * 2])
    log_mean = np.log(best + LEAST_CONFIDENCE).mean()
    mean, least = np.exp(log_mean) - LEAST_CONFIDENCE, best.min()
    below = np.log(0.2 / 0.8) + 1
    # The best other pair of the phrases of the third pair is the second; it has no single words.
    covered = [mean, log_mean, log_odds(mean), below * log_odds(mean), 0]
    rest = [np.log(least + LEAST_CONFIDENCE), log_odds(least), 0, np.log(5), 1]
    seen = [np.log(0.01 / 0.04), 0.1, np.sqrt(0.1), below, 0, 0, 0]
    assert found[2] == pytest.approx([1, *covered, *rest, *seen])
    log = np.log(a_x + LEAST_CONFIDENCE)
    only = [a_x, log, log_odds(a_x), below * log_odds(a_x), 0, log, log_odds(a_x)]
    seen = [np.log(0.25 / 0.04), 0.5, np.sqrt(0.5), below, 0, 0, 0]
    assert found[0] == pytest.approx([1, *only, np.log(2), np.log(2), 0, *seen])
    # But pairs that were not scored may be better than these competitors.
    assert features(np.log(0.2))[::2, 11] == pytest.approx(np.log([0.25 / 0.2, 0.01 / 0.2]))


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(-5, 5)), min_size=1, max_size=12))
def test_the_best_other_pair_of_each_phrase(pairs: list[tuple[int, int]]) -> None:
    phrases = np.array([phrase for phrase, _ in pairs], np.int32)
    values = np.array([value for _, value in pairs], np.float64)
    found = find_best_others(values, phrases, 4, -9.0)
    expected = [
        max([-9.0, *(v for m, (other, v) in enumerate(pairs) if other == phrase and m != n)])
        for n, (phrase, _) in enumerate(pairs)
    ]
    assert found.tolist() == expected


def test_min_probability_leaves_out_uncertain_pairs() -> None:
    planted = plant(words=100, phrases=400, noise=300)
    seed = planted.lexicon[:20]
    some = Accord(min_probability=0.8).fit(planted.source, planted.target, seed)
    every = Accord(min_probability=0.0).fit(planted.source, planted.target, seed)
    assert all((pair.confidence or 0) >= 0.8 for pair in some.phrases_)
    assert all((entry.confidence or 0) >= 0.8 for entry in some.lexicon_)
    assert len(some.phrases_) < len(every.phrases_)
    sure = {pair[:2] for pair in every.phrases_ if (pair.confidence or 0) >= 0.8}
    assert sure == {pair[:2] for pair in some.phrases_}


def test_no_more_words_are_held_out_than_are_needed() -> None:
    """The user gave the others to be learned from."""
    seed = SeedLexicon.of([(f"w{n}", f"t{n}") for n in range(3 * MOST_HELD_OUT)])
    used, held = seed.split_held_out(0.5)
    assert len(held.entries) == MOST_HELD_OUT
    assert len(used.entries) == 2 * MOST_HELD_OUT
