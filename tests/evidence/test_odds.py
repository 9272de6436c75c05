"""What is known of word pairs, apart from the phrases."""

import numpy as np
import pytest

from accord.corpus.phrases import Phrases
from accord.corpus.vocabulary import Vocabulary
from accord.evidence import odds
from accord.evidence.counts import Counts
from accord.evidence.odds import Evidence, Feature, collect_evidence
from accord.evidence.prior import Prior
from accord.evidence.seed import SeedLexicon
from accord.evidence.similar_words import PSEUDO_COUNT, SimilarWords
from accord.evidence.spelling import find_variants, measure_productivity
from accord.settings import Settings

WEIGHT = 5.0


def collect(
    source: list[str],
    target: list[str],
    seed: list[tuple[str, str]],
    similar: dict[tuple[str, str], float] | None = None,
) -> dict[tuple[str, str], dict[Feature, float]]:
    """The features of all pairs that have evidence; `similar` has probabilities."""
    one, other = Phrases.of(source), Phrases.of(target)
    lexicon = SeedLexicon.of(seed)
    prior = Prior.of(lexicon, one, other, Settings(seed_weight=WEIGHT))
    nearest = SimilarWords.none()
    if similar:
        pairs = [
            (one.vocabulary.index[e], other.vocabulary.index[f], PSEUDO_COUNT * p)
            for (e, f), p in similar.items()
        ]
        e, f, values = (np.array(column) for column in zip(*pairs, strict=True))
        nearest = nearest._replace(counts=Counts.total(e.astype("i4"), f.astype("i4"), values))
    found = collect_evidence(prior, nearest, one, other, WEIGHT)
    names = one.vocabulary.words, other.vocabulary.words
    return {
        (names[0][e], names[1][f]): {feature: float(row[feature]) for feature in Feature}
        for e, f, row in zip(found.source, found.target, found.features, strict=True)
    }


def test_entries_of_the_seed() -> None:
    """And the parts of entries of several words."""
    found = collect(
        ["dog", "cat", "red"], ["hund", "kater", "katze", "rotes"],
        [("dog", "hund"), ("cat", "katze"), ("cat", "kater"), ("red", "rotes hund")],
    )  # fmt: skip
    assert found["dog", "hund"][Feature.SEED] == 1
    assert found["red", "rotes"][Feature.SEED] == 0
    assert found["red", "rotes"][Feature.PART] == pytest.approx(0.5)
    # Of the two words of red and hund, only hund has an entry of its own.
    assert found["red", "hund"][Feature.OTHERS] == 1


def test_forms_of_seed_translations() -> None:
    """areas = gebiet, since area = gebiet."""
    source = ["area", "areas", "banana", "bananas", "tree", "trees"]
    target = ["gebiet", "gebiete", "banane", "baum"]
    found = collect(source, target, [("area", "gebiet"), ("banana", "banane")])
    form = found["areas", "gebiet"]
    assert form[Feature.VARIANT] == 1
    assert form[Feature.CLOSE_VARIANT] == pytest.approx(8 / 9 - 0.6)
    # All the variants in English differ by the same ending.
    assert form[Feature.PRODUCTIVE] == pytest.approx(1)
    assert form[Feature.OTHERS] == 1
    assert form[Feature.BOTH_OTHERS] == 0
    assert found["area", "gebiete"][Feature.VARIANT] == 1
    assert found["area", "gebiet"][Feature.VARIANT] == 0
    assert ("trees", "baum") not in found
    # If the other form has an entry of its own, a mismatch of number is more likely.
    both = collect(source, target, [("area", "gebiet"), ("areas", "gebiete")])
    assert both["areas", "gebiet"][Feature.BOTH_OTHERS] == 1


def test_nearest_words_and_cognates() -> None:
    found = collect(
        ["linux", "server", "tool"], ["linux", "servern", "werkzeug"],
        [("tool", "werkzeug")], {("server", "servern"): 0.5, ("tool", "servern"): 0.1},
    )  # fmt: skip
    assert found["linux", "linux"][Feature.IDENTICAL] == 1
    assert found["linux", "linux"][Feature.COGNATE] == 1
    assert found["server", "servern"][Feature.IDENTICAL] == 0
    assert 0 < found["server", "servern"][Feature.COGNATE] < 1
    near, far = found["server", "servern"], found["tool", "servern"]
    assert near[Feature.NEAREST] > far[Feature.NEAREST] > 0
    assert near[Feature.COMPARED] == 0  # there are no vectors here


def test_forms_have_to_match_if_both_languages_inflect() -> None:
    seed = [("report", "bericht")]
    both = collect(["report", "reports"], ["bericht", "berichte"], seed)
    one = collect(["report", "reports"], ["bericht"], seed)
    assert both["reports", "bericht"][Feature.INFLECTED] > 0
    assert one["reports", "bericht"][Feature.INFLECTED] == 0
    # An entry of the seed is right, whatever its forms.
    assert both["report", "bericht"][Feature.INFLECTED] == 0


def test_a_pair_is_compared_with_those_of_its_words() -> None:
    found = collect(["report", "reports"], ["bericht"], [("report", "bericht")])
    entry, form = found["report", "bericht"], found["reports", "bericht"]
    assert entry[Feature.MARGIN] > form[Feature.MARGIN]
    assert form[Feature.FORM_MARGIN] == -entry[Feature.FORM_MARGIN] < 0


def test_endings_that_go_together() -> None:
    """A seed with -ed = -te and -ing = -end makes more such pairs likely."""
    stems = ["bol", "dan", "kam", "lis", "mur", "nep"]
    seed = [(f"{stem}ed", f"{stem[::-1]}te") for stem in stems]
    seed += [(f"{stem}ing", f"{stem[::-1]}end") for stem in stems]
    words = [e for e, _ in seed], [f for _, f in seed]
    similar = {("taled", "walte"): 0.5, ("taled", "walend"): 0.5}
    found = collect([*words[0], "taled"], [*words[1], "walte", "walend"], seed, similar)
    same, other = (found["taled", f][Feature.AGREEMENT] for f in ("walte", "walend"))
    assert same > 0 > other


def test_swapped_languages_have_the_same_evidence() -> None:
    one = ["area", "areas", "linux", "dog", "dogs"]
    other = ["gebiet", "gebiete", "linux", "hund", "hunde"]
    seed = [("area", "gebiet"), ("dog", "hund"), ("dogs", "hunde")]
    there = collect(one, other, seed, {("areas", "gebiete"): 0.4})
    back = collect(other, one, [(f, e) for e, f in seed], {("gebiete", "areas"): 0.4})
    assert {(e, f): row for (f, e), row in back.items()} == there


def test_the_odds_are_the_weighted_sum_of_the_features(monkeypatch: pytest.MonkeyPatch) -> None:
    features = np.random.default_rng(0).normal(size=(7, len(Feature)))
    coefficients = np.arange(len(Feature)) / 7
    monkeypatch.setattr(odds, "ODDS_COEFFICIENTS", coefficients)
    numbers = np.arange(7, dtype=np.int32)
    found = Evidence(numbers, numbers, features).odds
    np.testing.assert_allclose(found.values, features @ coefficients)
    # They do not depend on the other pairs.
    alone = Evidence(numbers[3:4], numbers[3:4], features[3:4]).odds
    assert alone.values[0] == found.values[3]


def test_without_spelling_there_are_no_forms() -> None:
    source, target = Phrases.of(["area", "areas"]), Phrases.of(["gebiet"])
    settings = Settings(spelling=False)
    prior = Prior.of(SeedLexicon.of([("area", "gebiet")]), source, target, settings)
    found = collect_evidence(prior, SimilarWords.none(), source, target, settings.seed_weight)
    assert len(found.source) == 1


def test_regular_endings_are_productive() -> None:
    words = Vocabulary(["walk", "walks", "talk", "talks", "talking", "文件", "文件名"])
    variants = find_variants(words)
    pairs = zip(*variants.tocoo().coords, measure_productivity(variants, words), strict=True)
    found = {(words.words[a], words.words[b]): value for a, b, value in pairs}
    assert found["walk", "walks"] == found["talks", "talk"] == 1
    assert 0 < found["talk", "talking"] < 1
    assert found["文件", "文件名"] == 0
