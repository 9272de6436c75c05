"""Likely translations by sentences and vectors."""

import os
import subprocess
import sys
from typing import NamedTuple, cast

import numpy as np
import pytest
from scipy.sparse import csr_array

from accord.corpus.text.tokens import LINE_END
from accord.evidence import similar_words
from accord.evidence.constraints import PairSet
from accord.evidence.cooccurrence import Cooccurrences, count_cooccurrences
from accord.evidence.counts import Counts
from accord.evidence.mapping import normalise_rows
from accord.evidence.prior import Prior
from accord.evidence.similar_words import (
    PSEUDO_COUNT,
    ComparedWords,
    WordEvidence,
    find_known_rows,
    find_similar_words,
)
from accord.evidence.vectors import WordVectors
from accord.system.arrays import Ids, Integers, Offsets
from accord.system.runners import Runner
from accord.system.runners.threads import Threads

RUNNER = Threads(2)
WORDS, SEEDS = 150, 40


class Languages(NamedTuple):
    """Two synthetic languages: word e of the one is word translations[e] of the other."""

    translations: Offsets
    sentences: tuple[Cooccurrences, Cooccurrences]
    vectors: tuple[WordVectors, WordVectors]

    def seed(self, size: int = SEEDS) -> Counts:
        words = np.arange(1, size + 1)
        return count_pairs(words, self.translations[words])

    def precision(self, found: Counts) -> float:
        """How many words outside of the seed get most for their translation."""
        right = 0
        for word in range(SEEDS + 1, WORDS + 1):
            own = found.source == word
            if own.any():
                best = found.target[own][found.values[own].argmax()]
                right += best == self.translations[word]
        return right / (WORDS - SEEDS)


def count_pairs(source: Integers, target: Integers) -> Counts:
    return Counts.total(source.astype(np.int32), target.astype(np.int32), np.ones(len(source)))


def write_text(translations: Offsets, random: int, lines: int = 4_000) -> Ids:
    """Random walks: each word is followed by one of six, the same in every language."""
    following = np.random.default_rng(7).integers(1, WORDS + 1, (WORDS + 1, 6))
    generator = np.random.default_rng(random)
    word = generator.integers(1, WORDS + 1, lines)
    columns = []
    for _ in range(12):
        columns.append(translations[word])
        word = following[word, generator.integers(0, 6, lines)]
    return np.column_stack([*columns, np.full(lines, LINE_END)]).ravel().astype(np.int32)


def make_vectors(translations: Offsets, noise: float, size: int = 20) -> list[WordVectors]:
    generator = np.random.default_rng(3)
    X = generator.normal(size=(WORDS, size))
    turn, _ = np.linalg.qr(generator.normal(size=(size, size)))
    Y = X @ turn + noise * generator.normal(size=X.shape)
    words = np.arange(1, WORDS + 1)
    rows = X, Y[np.argsort(translations[1:])]
    return [
        WordVectors(words, np.ones(WORDS, np.int64), normalise_rows(side.astype(np.float32)))
        for side in rows
    ]


@pytest.fixture(scope="module")
def languages() -> Languages:
    translations = np.append(0, np.random.default_rng(1).permutation(WORDS) + 1)
    one, other = (
        count_cooccurrences(write_text(words, random), RUNNER)
        for random, words in enumerate((np.arange(WORDS + 1), translations))
    )
    X, Y = make_vectors(translations, noise=0.3)
    return Languages(translations, (one, other), (X, Y))


def swap_sides(evidence: WordEvidence) -> WordEvidence:
    sentences, vectors = evidence
    return WordEvidence(
        sentences and (sentences[1], sentences[0]), vectors and (vectors[1], vectors[0])
    )


def count_similar(evidence: WordEvidence, seed: Counts, runner: Runner) -> Counts:
    return find_similar_words(evidence, seed, runner).counts


KINDS = pytest.mark.parametrize(
    "kind", ["sentences", "vectors", pytest.param(("sentences", "vectors"), id="both")]
)


def choose(languages: Languages, kind: str | tuple[str, ...]) -> WordEvidence:
    return WordEvidence(
        languages.sentences if "sentences" in kind else None,
        languages.vectors if "vectors" in kind else None,
    )


@KINDS
def test_translations_get_most_of_the_counts(
    languages: Languages, kind: str | tuple[str, ...]
) -> None:
    found = count_similar(choose(languages, kind), languages.seed(), RUNNER)
    assert languages.precision(found) > 0.9
    assert found.values.max() <= PSEUDO_COUNT + 1e-6
    # The mean of two directions, in each of which the shares of a word sum to 1.
    assert np.bincount(found.source, found.values).max() <= PSEUDO_COUNT * WORDS / 2
    assert found.values.sum() <= PSEUDO_COUNT * WORDS + 1e-3


@KINDS
def test_swapped_languages_are_the_same_evidence(
    languages: Languages, kind: str | tuple[str, ...]
) -> None:
    evidence, seed = choose(languages, kind), languages.seed()
    there = count_similar(evidence, seed, RUNNER)
    back = count_similar(swap_sides(evidence), seed.swapped(), RUNNER).swapped()
    np.testing.assert_array_equal(there.source, back.source)
    np.testing.assert_array_equal(there.target, back.target)
    np.testing.assert_allclose(there.values, back.values, rtol=1e-3)


def test_neither_threads_nor_blocks_matter(
    languages: Languages, monkeypatch: pytest.MonkeyPatch
) -> None:
    evidence = choose(languages, ("sentences", "vectors"))
    whole = count_similar(evidence, languages.seed(), Threads(1))
    again = count_similar(evidence, languages.seed(), Threads(3))
    assert whole.values.tobytes() == again.values.tobytes()
    monkeypatch.setattr("accord.evidence.similarity.BLOCK", 40)
    divided = count_similar(evidence, languages.seed(), RUNNER)
    np.testing.assert_array_equal(whole.target, divided.target)
    np.testing.assert_allclose(whole.values, divided.values, rtol=1e-3)


def test_words_are_compared_on_this_machine(languages: Languages) -> None:
    """A runner on other machines, which may have other BLAS threads, is not used."""
    here = count_similar(choose(languages, "sentences"), languages.seed(), RUNNER)
    elsewhere = cast(Runner, object())
    there = count_similar(choose(languages, "sentences"), languages.seed(), elsewhere)
    assert here.values.tobytes() == there.values.tobytes()


def test_the_order_of_lines_does_not_matter(languages: Languages) -> None:
    text = write_text(np.arange(WORDS + 1), 0).reshape(-1, 13)[::-1].ravel()
    shuffled = count_cooccurrences(text, Threads(1)), languages.sentences[1]
    one, other = (
        count_similar(WordEvidence(given), languages.seed(), RUNNER)
        for given in (languages.sentences, shuffled)
    )
    assert one.values.tobytes() == other.values.tobytes()


@pytest.mark.parametrize(
    "seed",
    [Counts.none(), count_pairs(np.array([WORDS + 1, 3]), np.array([5, WORDS + 9]))],
    ids=["none", "rare"],
)
@KINDS
def test_without_known_pairs_no_words_are_similar(
    languages: Languages, kind: str | tuple[str, ...], seed: Counts
) -> None:
    """Or with pairs of which one word is too rare to compare."""
    found = count_similar(choose(languages, kind), seed, RUNNER)
    assert len(found.values) == 0


def test_without_evidence_no_words_are_similar(languages: Languages) -> None:
    assert len(count_similar(WordEvidence(), languages.seed(), RUNNER).values) == 0


def test_words_without_a_vector_are_compared_by_sentences(languages: Languages) -> None:
    X, Y = languages.vectors
    kept = np.arange(1, WORDS + 1, 2)
    half = WordVectors(kept, np.ones(len(kept), np.int64), X.rows_of(kept))
    alone = count_similar(WordEvidence(vectors=(half, Y)), languages.seed(), RUNNER)
    assert not (alone.source % 2 == 0).any()
    both = count_similar(WordEvidence(languages.sentences, (half, Y)), languages.seed(), RUNNER)
    assert languages.precision(both) > 0.8 > 0.5 >= languages.precision(alone)


def test_words_about_which_nothing_is_known_get_no_counts() -> None:
    """Words that stand alone in their lines, in a text and as vectors of zeros."""
    lines = [1, 2, 3, LINE_END, 2, 1, 4, LINE_END, 5, LINE_END, 6, LINE_END] * 5
    sentences = count_cooccurrences(np.array(lines, np.int32), RUNNER)
    seed = count_pairs(np.array([1, 2]), np.array([1, 2]))
    found = count_similar(WordEvidence((sentences, sentences)), seed, RUNNER)
    assert {*found.source.tolist()} == {*found.target.tolist()} == {1, 2, 3, 4}
    rows = normalise_rows(np.array([[1, 0], [0, 1], [1, 1], [0, 0]], np.float32))
    vectors = WordVectors(np.arange(1, 5), np.ones(4, np.int64), rows)
    found = count_similar(WordEvidence(vectors=(vectors, vectors)), seed, RUNNER)
    assert {*found.source.tolist()} == {*found.target.tolist()} == {1, 2, 3}


@pytest.mark.parametrize(
    "line", [[1], [1, 2], [1, 2, 3, 4], [1, 1]], ids=["a word", "two", "four", "the same word"]
)
def test_a_text_of_three_lines(line: list[int]) -> None:
    """Fewer words than dimensions, neighbours and anchors."""
    text = count_cooccurrences(np.array([*line, LINE_END] * 3, np.int32), RUNNER)
    seed = count_pairs(np.array([1]), np.array([1]))
    found = count_similar(WordEvidence((text, text)), seed, RUNNER)
    assert np.isfinite(found.values).all()
    assert {*found.source.tolist()} <= {*line}


def test_a_text_whose_words_are_all_rare(languages: Languages) -> None:
    rare = count_cooccurrences(np.array([1, 2, LINE_END, 1, 2, LINE_END], np.int32), RUNNER)
    for sides in ((rare, languages.sentences[1]), (languages.sentences[0], rare), (rare, rare)):
        found = count_similar(WordEvidence(sides), languages.seed(), RUNNER)
        assert len(found.values) == 0


def test_one_word_against_many(languages: Languages) -> None:
    single = count_cooccurrences(np.array([1, LINE_END] * 3, np.int32), RUNNER)
    for sides in ((single, languages.sentences[1]), (languages.sentences[0], single)):
        found = count_similar(WordEvidence(sides), count_pairs(*np.ones((2, 1))), RUNNER)
        assert len(found.values) == 0


def test_known_pairs_in_rows() -> None:
    words = np.array([2, 3, 7])
    seed = count_pairs(np.array([1, 2, 3, 7, 9]), np.array([2, 7, 4, 3, 2]))
    known = find_known_rows(words, words, seed)
    assert (known.source.tolist(), known.target.tolist()) == ([0, 2], [2, 1])
    for sides in ((words[:0], words), (words, words[:0])):
        assert len(find_known_rows(*sides, seed).source) == 0


def test_the_shares_of_a_word_sum_to_one() -> None:
    generator = np.random.default_rng(0)
    scores = generator.normal(size=(30, 40)) * (generator.random((30, 40)) < 0.2)
    scores[:, 0] = 1
    shares = similar_words._share_rows(csr_array(scores))
    np.testing.assert_allclose(shares.sum(axis=1), 1, rtol=1e-5)


def test_words_that_are_known_by_either() -> None:
    mapped = np.array([[1, 0], [0, 0], [0, 0]], np.float32)
    anchored = csr_array(np.array([[0.0], [1.0], [0.0]]))
    known = ComparedWords(np.array([4, 5, 6]), np.array([9, 9, 9]), mapped, anchored).select_known()
    assert known.words.tolist() == [4, 5]
    assert known.anchored.toarray().tolist() == [[0], [1]]


def test_rejected_pairs_are_not_similar() -> None:
    rejected = PairSet.of(np.array([2], np.int32), np.array([3], np.int32))
    similar = count_pairs(np.array([2, 2]), np.array([3, 4]))
    prior = Prior(Counts.none(), rejected=rejected).with_similar_words(similar, similar)
    for counts in (prior.similar, prior.odds):
        assert (counts.source.tolist(), counts.target.tolist()) == ([2], [4])
    for back in (prior.swapped().similar, prior.swapped().odds):
        assert (back.source.tolist(), back.target.tolist()) == ([4], [2])


@KINDS
def test_any_pair_can_be_compared(
    languages: Languages, kind: str | tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Translations are more similar than other pairs; words without a row have no similarity."""
    similar = find_similar_words(choose(languages, kind), languages.seed(), RUNNER)
    words = np.arange(1, WORDS + 1, dtype=np.int32)
    right, known = similar.compare(words, languages.translations[words].astype(np.int32))
    wrong, _ = similar.compare(words, languages.translations[words[::-1]].astype(np.int32))
    assert known.all()
    assert np.median(right) > np.quantile(wrong, 0.95)
    monkeypatch.setattr(similar_words, "COMPARED", 7)
    again, _ = similar.compare(words, languages.translations[words].astype(np.int32))
    assert again.tolist() == right.tolist()
    unknown, known = similar.compare(np.array([0, 999], np.int32), np.array([1, 1], np.int32))
    assert not unknown.any()
    assert not known.any()


# There are so many known pairs that BLAS divides the sums over them among its threads, and so many
# dimensions that the singular vectors depend on the threads as well.
SIMILAR_WORDS = """
from concurrent.futures import ThreadPoolExecutor
import numpy as np
from accord.evidence.cooccurrence import count_cooccurrences
from accord.evidence.counts import Counts
from accord.evidence.similar_words import WordEvidence, find_similar_words
from accord.evidence.vectors import WordVectors
from accord.system.runners.threads import Threads
generator = np.random.default_rng(0)
words = np.arange(1, 1001)
X = generator.normal(size=(len(words), 300))
vectors = tuple(
    WordVectors(
        words, words, (rows / np.linalg.norm(rows, axis=1)[:, None]).astype(np.float32)
    )
    for rows in (X, X + generator.normal(size=X.shape))
)
texts = generator.integers(1, len(words) + 1, (2, 20_000)).astype(np.int32)
sentences = tuple(count_cooccurrences(text, Threads(1)) for text in texts)
known = Counts(words.astype(np.int32), words.astype(np.int32), np.ones(len(words)))
given = [WordEvidence(vectors=vectors), WordEvidence(sentences)] * 2
with ThreadPoolExecutor(2) as pool:
    for similar in pool.map(find_similar_words, given, [known] * 4, [Threads(2)] * 4):
        print(similar.counts.values.tobytes().hex())
"""


def test_the_number_of_blas_threads_changes_nothing() -> None:
    """Nor does another thread that computes at the same time."""
    single, double = (
        subprocess.run(
            [sys.executable, "-c", SIMILAR_WORDS],
            env={**os.environ, "OPENBLAS_NUM_THREADS": threads},
            capture_output=True,
            check=True,
        ).stdout.splitlines()
        for threads in ("1", "2")
    )
    assert min(map(len, single)) > 10_000
    assert single[:2] == single[2:] == double[:2] == double[2:]


def test_rare_words_prove_less() -> None:
    """The same similarities count for less, the rarer the words are."""
    nearest = csr_array(np.array([[2.0, 1.0], [1.0, 2.0]]))
    rows = np.ones((2, 1), np.float32)
    sums = []
    for frequency in (3, 30, 300):
        side = ComparedWords(np.array([1, 2]), np.full(2, frequency), rows, csr_array(rows))
        sums.append(similar_words._estimate_counts(nearest, side, side).values.sum())
    assert sums[0] < sums[1] < sums[2] < 2 * PSEUDO_COUNT
