"""Word pairs from context."""

import pytest

from accord.corpus.phrases import Phrases
from accord.evidence import similarity
from accord.evidence.context import build_context_vectors, find_context_pairs
from accord.evidence.counts import Counts
from accord.evidence.seed import SeedLexicon
from accord.experiments.artificial import plant
from accord.system.runners.threads import Threads


def found_pairs(seeds: int) -> tuple[set[tuple[str, str]], set[tuple[str, str]], Counts]:
    """(the pairs found, the gold pairs, the counts) of a synthetic corpus without noise."""
    planted = plant(words=150, phrases=3000, noise=0)
    source, target = Phrases.of(planted.source), Phrases.of(planted.target)
    seed = SeedLexicon.of(planted.lexicon[:seeds]).pseudo_counts(
        source.vocabulary, target.vocabulary
    )
    counts = find_context_pairs(source, target, seed, Threads(2))
    found = {
        (source.vocabulary.words[e], target.vocabulary.words[f])
        for e, f in zip(counts.source, counts.target, strict=True)
    }
    return found, set(planted.lexicon[seeds:]), counts


def test_most_new_pairs_are_correct() -> None:
    found, true, counts = found_pairs(20)
    assert len(found) > 50
    assert len(found & true) > 0.7 * len(found)
    assert set(counts.values) == {1.0}


def test_words_of_the_seed_are_in_no_new_pair() -> None:
    planted = plant(words=150, phrases=3000, noise=0)
    found, _, _ = found_pairs(20)
    seeded = {word for pair in planted.lexicon[:20] for word in pair}
    assert not seeded & {word for pair in found for word in pair}


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = found_pairs(20)[0]
    monkeypatch.setattr(similarity, "BLOCK", 7)
    assert found_pairs(20)[0] == whole


def test_context_is_before_after_or_either() -> None:
    phrases = Phrases.of(["a b", "a b c", "a c b"])
    contexts = build_context_vectors(phrases)
    a, b = (phrases.vocabulary.index[word] for word in "ab")
    # c occurs only twice.
    assert contexts.words.tolist() == [a, b]
    either, before, after = (matrix.toarray() > 0 for matrix in contexts.by_direction)
    assert either[:, [a, b]].tolist() == [[False, True], [True, False]]
    assert before[:, [a, b]].tolist() == [[False, False], [True, False]]
    assert after[:, [a, b]].tolist() == [[False, True], [False, False]]


def test_words_too_rare_to_compare() -> None:
    source, target = Phrases.of(["a b"]), Phrases.of(["x y"])
    seed = SeedLexicon.of([("a", "x")]).pseudo_counts(source.vocabulary, target.vocabulary)
    assert len(find_context_pairs(source, target, seed, Threads(1)).source) == 0


def test_phrases_of_one_word_have_no_context() -> None:
    source, target = Phrases.of(["a", "b"]), Phrases.of(["x", "y"])
    seed = SeedLexicon.of([("a", "x")]).pseudo_counts(source.vocabulary, target.vocabulary)
    assert len(find_context_pairs(source, target, seed, Threads(1)).source) == 0
