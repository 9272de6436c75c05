"""Word alignment of translations, tables from back-translations, and back-off tables."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.corpus.phrases import Phrases
from accord.evidence.counts import Counts
from accord.evidence.similar_words import SimilarWords
from accord.evidence.spelling import find_cognates
from accord.system.runners.threads import Threads
from accord.translate.adaptation.back_off import (
    Clue,
    WordKnowledge,
    collect_candidates,
    compute_probabilities,
    fit_weights,
    make_back_off_table,
)
from accord.translate.adaptation.back_translation import (
    Translations,
    rank_sentences,
    train_on_translations,
)
from accord.translate.adaptation.system import Tables
from accord.translate.decoder import ScoredTranslation
from accord.translate.phrase_extraction import (
    SentenceWeights,
    extract_weighted_pairs,
    number_ngrams,
)
from accord.translate.table_training import (
    LinkedPair,
    join_pairs,
    train_aligned_table,
    train_table,
)
from accord.translate.word_alignment import TranslatedText, align_translations

RUNNER = Threads(2)


def translated(*pairs: Sequence[tuple[int, str]]) -> list[ScoredTranslation]:
    """Return translations of these phrases: where each begins in the source, and its words."""
    return [
        ScoredTranslation(" ".join(words for _, words in pair), np.zeros(1), 0.0, tuple(pair))
        for pair in pairs
    ]


def list_links(text: TranslatedText) -> list[list[tuple[int, int]]]:
    links = align_translations(text, RUNNER).links
    pairs = [*zip(links.i.tolist(), links.j.tolist(), strict=True)]
    begins = links.offsets.tolist()
    return [pairs[a:b] for a, b in pairwise(begins)]


def test_blocks_are_the_phrases_of_the_decoder() -> None:
    """The first phrase of the translation is the last of the sentence."""
    text = TranslatedText.of(
        [["a", "b", "c"], ["a"]], translated([(2, "z"), (0, "x y w")], [(0, "x")])
    )
    rows = [*map(list, zip(*text.blocks, strict=True))]
    assert rows == [[0, 2, 1, 0, 1], [0, 0, 2, 1, 3], [1, 0, 1, 0, 1]]
    assert text.target == ["z x y w", "x"]
    both = text.followed_by(text)
    assert both.blocks.sentence.tolist() == [0, 0, 1, 2, 2, 3]
    assert text.swapped().swapped() == text


def test_words_are_linked_within_their_phrases_only() -> None:
    """Of "a b" = "x y", the other sentences show which word is which."""
    sentences = [["a", "b"], ["a"], ["b"], ["b"], ["a"]]
    translations = translated([(0, "y x")], [(0, "x")], [(0, "y")], [(0, "y")], [(0, "x")])
    links = list_links(TranslatedText.of(sentences, translations))
    assert links == [[(0, 1), (1, 0)], [(0, 0)], [(0, 0)], [(0, 0)], [(0, 0)]]
    # The same words in other phrases: a can only be linked to y.
    swapped = translated([(0, "y"), (1, "x")], [(0, "x")], [(0, "y")], [(0, "y")], [(0, "x")])
    assert list_links(TranslatedText.of(sentences, swapped))[0] == [(0, 0), (1, 1)]


def test_words_without_a_partner_are_not_linked() -> None:
    """The particle "the" is in phrases with many words, and alone with none of them."""
    sentences = [[f"w{n}"] for n in range(30)] * 2
    with_particle = [[(0, f"the v{n}")] for n in range(30)]
    translations = translated(*with_particle, *([(0, f"v{n}")] for n in range(30)))
    links = list_links(TranslatedText.of(sentences, translations))
    assert links[:30] == [[(0, 1)]] * 30


words = st.sampled_from("abcd")
texts = st.lists(st.lists(words, min_size=1, max_size=5), min_size=1, max_size=6)


@given(texts)
def test_swapping_the_sides_swaps_the_places(sentences: list[list[str]]) -> None:
    """Every sentence is translated word by word; every word is then linked to its own."""
    translations = translated(
        *([(n, word.upper()) for n, word in enumerate(sentence)] for sentence in sentences)
    )
    text = TranslatedText.of(sentences, translations)
    expected = [[(n, n) for n in range(len(sentence))] for sentence in sentences]
    assert list_links(text) == expected
    assert list_links(text.swapped()) == expected


def test_the_order_of_lines_does_not_change_the_sample() -> None:
    lines = [f"the word {n} is here" for n in range(50)]
    ranked = rank_sentences(lines)
    assert len(ranked) == 50
    assert rank_sentences(lines[::-1] + lines) == ranked
    assert ranked[:10] != [line.split() for line in lines[:10]]
    assert rank_sentences(["too short", " ".join("x" * 51), "just long enough"]) == [
        ["just", "long", "enough"]
    ]


def translate_words(sentences: list[str], table: dict[str, str]) -> TranslatedText:
    split = [sentence.split() for sentence in sentences]
    return TranslatedText.of(
        split,
        translated(*([(n, table[word]) for n, word in enumerate(words)] for words in split)),
    )


def test_a_pair_needs_the_support_of_both_directions() -> None:
    """x is a mistake of one direction, and is not in the table with agreement."""
    of_source = translate_words(["a b", "a b", "c b"], {"a": "A", "b": "B", "c": "x"})
    of_target = translate_words(["A B", "A C", "A C"], {"A": "a", "B": "b", "C": "d"}).swapped()
    known = [LinkedPair("k", "K", [(0, 0)], 0.5)]
    texts = Translations(of_source, of_target)
    table = {pair[:2]: pair[2] for pair in train_on_translations(known, texts, RUNNER)}
    assert table.keys() == {("a", "A"), ("b", "B"), ("a b", "A B"), ("k", "K")}
    every = train_on_translations(known, texts, RUNNER, agree=False)
    assert {("c", "x"), ("d", "C")} < {pair[:2] for pair in every}
    # p(B|b) comes from the text whose target side is real, where b is always B.
    assert table["b", "B"][2] == 1
    # p(a|A) from the other one: of the three real sentences, two have a, and A is always a.
    assert table["a", "A"][0] == 1


def test_weights_count_pairs() -> None:
    pairs = [
        LinkedPair("a", "x", [(0, 0)], 0.75),
        LinkedPair("a", "y", [(0, 0)], 0.25),
        LinkedPair("b", "y", [(0, 0)], 0.5),
    ]
    table = {pair[:2]: pair[2] for pair in train_table(pairs, RUNNER)}
    assert table["a", "x"] == pytest.approx((1, 1, 0.75, 0.75))
    assert table["a", "y"] == pytest.approx((1 / 3, 1 / 3, 0.25, 0.25))
    nothing = [*pairs, LinkedPair("c", "z", [(0, 0)], 0.0)]
    assert ("c", "z") not in {pair[:2] for pair in train_table(nothing, RUNNER)}


@given(
    st.lists(st.tuples(words, words, st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=9)
)
def test_weighted_pairs_are_sums_over_sentences(rows: list[tuple[str, str, int, int]]) -> None:
    text = join_pairs([LinkedPair(e, f.upper(), [(0, 0)]) for e, f, _, _ in rows])
    forward, backward = (np.array(side) / 4 for side in [*zip(*rows, strict=True)][2:])
    weights = SentenceWeights.rounded(forward, backward)
    sides = [
        number_ngrams(side, np.ones(len(side.vocabulary), np.bool_), 2)
        for side in (text.source, text.target)
    ]
    found = extract_weighted_pairs(sides[0], sides[1], text.links, weights, RUNNER)
    names = [side.texts(numbers) for side, numbers in zip(sides, found[0][:2], strict=True)]
    for values, counted in zip((forward, backward), found, strict=True):
        totals = dict.fromkeys(zip(*names, strict=True), 0.0)
        for row, value in zip(rows, values.tolist(), strict=True):
            totals[row[0], row[1].upper()] += value
        assert counted.counts.tolist() == [*totals.values()]
    table = {pair[:2] for pair in train_aligned_table(text, RUNNER, weights=weights)}
    counts = zip(found[0].counts, found[1].counts, strict=True)
    agreed = [there > 0 and back > 0 for there, back in counts]
    assert table == {
        pair for pair, both in zip(zip(*names, strict=True), agreed, strict=True) if both
    }


# Back-off tables.


def make_knowledge() -> WordKnowledge:
    source = Phrases.of(["haus", "katze", "linux", "nur2", "mäuse"])
    target = Phrases.of(["house", "cat", "linux", "mouse"])
    cognates = find_cognates(source.vocabulary, target.vocabulary)
    return WordKnowledge(source, target, SimilarWords.none(), cognates)


def test_words_that_the_other_language_could_have_are_copied() -> None:
    known = make_knowledge()
    candidates = collect_candidates(known, RUNNER)
    names = [
        (candidates.source_words[e], candidates.target_words[f])
        for e, f in zip(candidates.source.tolist(), candidates.target.tolist(), strict=True)
    ]
    assert len(set(names)) == len(names)
    copied = {e for e, f in names if e == f}
    # Of the letters of the other language, there is no ä, z and 2.
    assert "linux" in copied
    assert not {"mäuse", "nur2", "katze"} & copied
    identical = candidates.clues[:, Clue.IDENTICAL] > 0
    assert copied == {e for (e, _), same in zip(names, identical, strict=True) if same}


def test_probabilities_are_fitted_on_agreed_pairs() -> None:
    """The first clue tells right from wrong in 9 of 10 words, and the second is noise."""
    generator = np.random.default_rng(0)
    size, candidates = 200, 5
    e = np.repeat(np.arange(size), candidates).astype(np.int32)
    f = np.tile(np.arange(candidates), size).astype(np.int32) + candidates * e
    clues = generator.normal(size=(len(e), 2))
    right = np.arange(size) * candidates
    clues[:, 0] = 0
    clues[right + (generator.random(size) > 0.9), 0] = 1
    weights = fit_weights(clues, (e, e), right)
    probability = compute_probabilities(clues, e, weights)
    assert probability[right].mean() == pytest.approx(0.8, abs=0.1)
    assert abs(weights[1]) < 0.4 < weights[0]
    np.testing.assert_allclose(np.bincount(e, probability), 1)
    assert fit_weights(clues, (e, f), np.empty(0, np.int64)).tolist() == [0, 0]
    # The fit is a maximum: no other scale of the weights makes the right pairs more probable.
    best = np.log(probability[right]).mean()
    for scale in (0.8, 1.2):
        other = compute_probabilities(clues, e, scale * weights)
        assert np.log(other[right]).mean() < best


def test_a_back_off_table_has_probabilities_of_both_directions() -> None:
    known = make_knowledge()
    index = known.source.vocabulary.index["linux"], known.target.vocabulary.index["linux"]
    agreed = Counts(np.array(index[:1], np.int32), np.array(index[1:], np.int32), np.ones(1))
    table = make_back_off_table(known, agreed, RUNNER)
    assert ("linux", "linux") in {pair[:2] for pair in table}
    forward, backward = dict[str, float](), dict[str, float]()
    for e, f, (back, there) in table:
        forward[e] = forward.get(e, 0) + there
        backward[f] = backward.get(f, 0) + back
    np.testing.assert_allclose([*forward.values(), *backward.values()], 1)


def test_tables_of_the_other_direction() -> None:
    tables = Tables(
        [("a", "x", (0.1, 0.2, 0.3, 0.4))], [("a", "y", (0.5, 0.6)), ("b", "x", (0.7, 0.8))]
    )
    swapped = tables.swapped()
    assert swapped.main == [("x", "a", (0.3, 0.4, 0.1, 0.2))]
    assert swapped.back_off == [("y", "a", (0.6, 0.5)), ("x", "b", (0.8, 0.7))]
    assert swapped.swapped() == tables
    assert Tables([]).swapped() == Tables([])
    # a and x are in the first table.
    assert tables.trimmed() == tables
    both = tables._replace(back_off=[*(tables.back_off or ()), ("a", "x", (1.0, 1.0))])
    assert both.trimmed() == tables
    assert both.trimmed(both=False).back_off == [("b", "x", (0.7, 0.8))]
    table = tables.select([["a", "b", "c"]])
    assert table.targets == ["x", "x", "c"]
    assert table.has_back_off
    assert tables.measure_unknown([["a", "b", "c", "c"]]) == 0.5
