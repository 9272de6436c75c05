"""Training of tables on phrase pairs, BLEU, and tuning of weights."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from accord.experiments.artificial import plant
from accord.system.runners.threads import Threads
from accord.translate.bleu import References
from accord.translate.decoder import Decoder, ScoredTranslation
from accord.translate.phrase_table import PhraseTable
from accord.translate.table_training import LinkedPair, train_table
from accord.translate.tuning import NBestLists, bleu_from_statistics, find_best_step, tune_weights
from accord.translate.weights import SIZE, Weights
from tests.decoding_oracle import Grams, language_model

pytest.importorskip("sacrebleu")


def test_a_table_has_the_phrases_inside_its_pairs() -> None:
    pairs = [
        LinkedPair("a b", "x y", [(0, 0), (1, 1)]),
        LinkedPair("a c", "z x", [(0, 1), (1, 0)]),
        LinkedPair("d e", "w", []),  # without links, it stays whole
    ]
    table = {(s, t): scores for s, t, scores in train_table(pairs, Threads(1))}
    found = {("a", "x"), ("b", "y"), ("c", "z"), ("a b", "x y"), ("a c", "z x"), ("d e", "w")}
    assert table.keys() == found
    assert table["a", "x"] == (1.0, 1.0, 1.0, 1.0)
    more = [*pairs, LinkedPair("a", "v", [(0, 0)])]
    table = {(s, t): scores for s, t, scores in train_table(more, Threads(1))}
    phi_back, _, phi, lexical = table["a", "x"]
    assert phi_back == 1.0
    assert [phi, lexical] == pytest.approx([2 / 3, 2 / 3])
    assert train_table([], Threads(1)) == []


def test_bleu() -> None:
    texts = [f"The cat sat on the mat , said number {n} ." for n in range(20)]
    references = References(texts, "en")
    same = references.bleu([text.lower() for text in texts])
    assert same.score == pytest.approx(100)
    assert "case:lc" in same.signature
    worse = [text.replace("cat", "dog") for text in texts]
    stats = references.statistics(enumerate(worse)).sum(axis=0)
    assert 100 * bleu_from_statistics(stats[None])[0] == pytest.approx(references.bleu(worse).score)
    systems = {"one": texts, "other": worse, "same": texts}
    found = references.p_values(systems, "one")
    assert found == {"other": pytest.approx(0, abs=0.01), "same": 1}
    wrong = [text.replace("cat", "cow") for text in texts]
    assert references.p_values({"dog": worse, "cow": wrong}, "dog") == {"cow": 1}


@pytest.mark.parametrize(
    ("language", "text", "words"),
    [
        ("zh-CN", "开源软件，例如Linux。", "开源 软件 ， 例如 linux 。"),
        ("ja", "自由ソフトウェアです。", "自由 ソフトウェア です 。"),
        ("th", "ซอฟต์แวร์เสรี", "ซอฟต์แวร์ เสรี"),
        ("fr", "L’école d'été, qu'il aime.", "l' école d' été , qu' il aime ."),
    ],
)
def test_bleu_of_words_that_are_written_together(language: str, text: str, words: str) -> None:
    assert References([text], language).bleu([words]).score == pytest.approx(100)


numbers = st.floats(-3, 3).map(lambda x: round(x, 2))
# Distinct features: the choice between translations with equal features is arbitrary.
translations = st.lists(
    st.tuples(numbers, numbers, st.integers(0, 9)),
    min_size=1,
    max_size=5,
    unique_by=lambda row: row[:2],
)


# Three translations of the second sentence are equally good at γ = 0.12, but not after rounding.
@example([[(0.0, 0.0, 0)], [(0.0, 0.0, 0), (1.0, 0.0, 0), (0.62, 0.0, 1)]], -0.12)
@given(st.lists(translations, min_size=1, max_size=4), numbers)
def test_no_other_step_is_better_than_the_best_step(
    sentences: list[list[tuple[float, float, int]]], start: float
) -> None:
    """None of many values of γ is better than the one that is found."""
    rows = [row for sentence in sentences for row in sentence]
    features = np.array([[a, b] for a, b, _ in rows])
    counts = [20, 19, 18, 17, 20, 20]
    matches = np.array([[m + 4, m + 3, m + 2, m + 1, *counts] for *_, m in rows], float)
    offsets = np.concatenate([[0], np.cumsum([*map(len, sentences)])])
    w, d = np.array([start, 1.0]), np.array([1.0, 0.0])
    score, gamma = find_best_step(NBestLists(offsets, features, matches), w, d)

    def at(gamma: float) -> float:
        values = features @ (w + gamma * d)
        best = [first + int(np.argmax(values[first:last])) for first, last in pairwise(offsets)]
        return float(bleu_from_statistics(matches[best].sum(axis=0)[None])[0])

    assert at(gamma) == pytest.approx(score)
    assert score >= max(at(step) for step in np.linspace(-20.005, 20.005, 400)) - 1e-9


def test_tuning_improves_bleu_on_the_development_set() -> None:
    """The first score of the table separates right from wrong, and the others mislead."""
    planted = plant(words=40, phrases=150, noise=0, random=4)
    right = dict(planted.lexicon)
    wrong = dict(zip(right, [*right.values()][1:] + [*right.values()][:1], strict=True))
    pairs = [(word, right[word], (0.9, 0.1, 0.1, 0.1)) for word in right]
    pairs += [(word, wrong[word], (0.1, 0.9, 0.9, 0.9)) for word in right]
    sentences = [phrase.split() for phrase, _ in planted.gold]
    texts = [" ".join(right[word] for word in sentence) for sentence in sentences]
    references = References(texts, "de")
    table = PhraseTable.of(pairs, sentences)
    words: Grams = {(f,): (-1.5, 0.0) for f in ("<unk>", "</s>", *right.values())}
    lm = language_model({**words, ("<s>",): (0.0, 0.0)})
    seen: list[float] = []

    def translate(weights: Weights) -> list[list[ScoredTranslation]]:
        return Decoder(table, lm, weights).translate(sentences, Threads(1), 20)

    tuned = tune_weights(translate, references, Weights(), report=seen.append)
    assert tuned.history == seen
    assert tuned.history[0] < 0.3
    assert max(tuned.history) > 0.9
    assert tuned == tune_weights(translate, references, Weights())
    assert len(tuned.weights.values) == SIZE
    assert np.abs(tuned.weights.vector).sum() == pytest.approx(np.abs(Weights().vector).sum())
