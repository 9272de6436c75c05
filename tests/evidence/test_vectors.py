"""Word vectors as evidence: a synthetic rotation is found, and similar words count."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from accord import Accord
from accord.corpus.phrases import Phrases
from accord.errors import InputError
from accord.evidence import vectors
from accord.evidence.counts import Counts
from accord.evidence.vectors import WordVectors, find_similar_words, fit_rotation
from accord.experiments.artificial import plant
from accord.runs.inputs import Inputs
from tests.conftest import Run, lay_out

CORPUS = plant(words=120, phrases=600, noise=200)


def rotated(noise: float, size: int = 20) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """Vectors of the synthetic words; those of the translations are rotated, with noise."""
    generator = np.random.default_rng(0)
    X = generator.normal(size=(len(CORPUS.lexicon), size))
    turn, _ = np.linalg.qr(generator.normal(size=(size, size)))
    Y = X @ turn + noise * generator.normal(size=X.shape)
    source = {e: row.tolist() for (e, _), row in zip(CORPUS.lexicon, X, strict=True)}
    target = {f: row.tolist() for (_, f), row in zip(CORPUS.lexicon, Y, strict=True)}
    return source, target


def given(noise: float) -> Inputs:
    data = Inputs.of(CORPUS.source, CORPUS.target, CORPUS.lexicon[:30], None, 20)
    return data.with_vectors(*rotated(noise))


def vectors_of(data: Inputs) -> tuple[WordVectors, WordVectors]:
    assert data.vectors
    return data.vectors


def test_rotation_is_orthogonal_and_brings_pairs_together() -> None:
    generator = np.random.default_rng(1)
    X = generator.normal(size=(50, 6)).astype(np.float32)
    turn, _ = np.linalg.qr(generator.normal(size=(6, 6)))
    Q = fit_rotation(X, X @ turn)
    np.testing.assert_allclose(Q, turn, atol=1e-5)
    np.testing.assert_allclose(Q.T @ Q, np.eye(6), atol=1e-5)


def test_translations_are_nearest_after_the_rotation() -> None:
    data = given(noise=0.1)
    source, target = data.source.vocabulary, data.target.vocabulary
    found = find_similar_words(*vectors_of(data), data.seed.pseudo_counts(source, target))
    gold = {(source.index[e], target.index[f]) for e, f in CORPUS.lexicon if e in source.index}
    # The directions agree on a confident pair; it gets three pseudo-counts at most.
    assert found.values.max() <= 3 + 1e-6
    confident = found.values > 1.5
    some = found.source[confident].tolist(), found.target[confident].tolist()
    pairs = set(zip(*some, strict=True))
    assert len(pairs & gold) > 0.95 * len(pairs)
    assert len(pairs) > 0.9 * len(gold)


def test_similarities_have_the_bits_of_earlier_versions() -> None:
    """BLAS sums X·Yᵀ and Y·Xᵀ in different orders."""
    generator = np.random.default_rng(0)
    X, Y = (generator.normal(size=(size, 300)).astype(np.float32) for size in (700, 1500))
    largest = np.partition(Y @ X.T, len(Y) - vectors.NEAREST, axis=0)[-vectors.NEAREST :]
    np.testing.assert_array_equal(vectors.average_similarity(X, Y), largest.mean(axis=0))


def test_the_shares_of_a_word_sum_to_one() -> None:
    one, other = vectors_of(given(noise=0.5))
    shares = vectors._share_among_nearest(
        one.rows, other.rows, np.zeros(len(other.rows), np.float32)
    )
    np.testing.assert_allclose(shares.sum(axis=1), 1, rtol=1e-5)
    assert np.diff(shares.indptr).max() == vectors.NEAREST


def test_swapped_languages_are_the_same_evidence() -> None:
    data = given(noise=0.5)
    one, other = vectors_of(data)
    lexicon = data.seed.pseudo_counts(data.source.vocabulary, data.target.vocabulary)
    there = find_similar_words(one, other, lexicon)
    back = find_similar_words(other, one, lexicon.swapped()).swapped()
    np.testing.assert_array_equal(there.source, back.source)
    np.testing.assert_array_equal(there.target, back.target)
    np.testing.assert_allclose(there.values, back.values, rtol=1e-3)


# There are so many known pairs that BLAS divides the sums over them among its threads, and so many
# dimensions that the singular vectors depend on the threads as well.
SIMILAR_WORDS = """
from concurrent.futures import ThreadPoolExecutor
import numpy as np
from accord.evidence.counts import Counts
from accord.evidence.vectors import WordVectors, find_similar_words
generator = np.random.default_rng(0)
words = np.arange(1, 1501)
X = generator.normal(size=(len(words), 300))
one, other = (
    WordVectors(words, (rows / np.linalg.norm(rows, axis=1)[:, None]).astype(np.float32), 1501)
    for rows in (X, X + generator.normal(size=X.shape))
)
known = Counts(words.astype(np.int32), words.astype(np.int32), np.ones(len(words)))
with ThreadPoolExecutor(2) as pool:
    for similar in pool.map(find_similar_words, [one] * 2, [other] * 2, [known] * 2):
        print(similar.values.tobytes().hex())
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
    assert len(single[0]) > 10_000
    assert len({*single, *double}) == 1


def test_without_known_pairs_no_words_are_similar() -> None:
    one, other = vectors_of(given(noise=0.5))
    assert len(find_similar_words(one, other, Counts.none()).source) == 0


def test_vectors_help_a_run_with_few_seeds() -> None:
    seed = CORPUS.lexicon[:6]
    data = (CORPUS.source, CORPUS.target, seed)
    alone = Accord(context=False).fit(*data, gold=CORPUS.gold)
    source, target = rotated(noise=0.3)
    helped = Accord(context=False).fit(
        *data, gold=CORPUS.gold, source_vectors=source, target_vectors=target
    )
    assert helped.trace_[-1]["f1"] > alone.trace_[-1]["f1"] + 0.1


def test_a_mapping_and_a_file_are_the_same(tmp_path: Path) -> None:
    phrases = Phrases.of(CORPUS.source)
    rows, _ = rotated(noise=0.0)
    lines = [f"{word} {' '.join(map(str, row))}" for word, row in rows.items()]
    plain, headed = tmp_path / "plain.vec", tmp_path / "headed.vec"
    plain.write_text("\n".join(lines) + "\n", encoding="utf-8")
    # Second vectors of a word, and words that are in no phrase, are ignored.
    more = [f"{len(lines)} 20", *lines, f"{lines[0].split()[0]} {'1 ' * 20}", f"nobody {'1 ' * 20}"]
    headed.write_text("\n".join(more) + "\n", encoding="utf-8")
    made = [WordVectors.of(given, phrases, "x").signature for given in (rows, plain, headed)]
    assert made[0] == made[1] == made[2]


def test_only_the_most_frequent_words_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "MAX_WORDS", 2)
    phrases = Phrases.of(["a b", "a c", "b a"])
    rows = {"a": [1.0, 0.0], "b": [0.0, 1.0], "c": [1.0, 1.0]}
    found = WordVectors.of(rows, phrases, "x")
    assert [phrases.vocabulary.words[word] for word in found.words] == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a 1 2\nb 1\n", "line 2: expected a word and 2 numbers"),
        ("a 1 x\n", "line 1: expected a word and 2 numbers"),
        ("a\nb\n", "line 1: expected a word and 2 numbers"),
        ("z 1 2\n", "none of its words occurs in the phrases"),
        ("a 1 nan\nb 1 2\n", "expected finite numbers"),
        ("", "none of its words occurs in the phrases"),
    ],
)
def test_bad_files_are_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.vec"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message) as error:
        WordVectors.of(path, Phrases.of(["a b"]), "x")
    assert "bad.vec" in str(error.value)


def test_vectors_of_both_languages_and_of_one_length() -> None:
    data = Inputs.of(["a b"], ["x y"], [("a", "x")], None, 20)
    rows = {"a": [1.0, 0.0], "b": [0.0, 1.0]}
    with pytest.raises(InputError, match="expected those of both languages, found one"):
        data.with_vectors(rows, None)
    longer = {"x": [1.0, 0.0, 0.0], "y": [0.0, 1.0, 0.0]}
    with pytest.raises(InputError, match="the same length in both languages, found 2 and 3"):
        data.with_vectors(rows, longer)
    uneven = {"a": [1.0, 0.0], "b": [0.0]}
    with pytest.raises(InputError, match="expected vectors of one length"):
        WordVectors.of(uneven, data.source, "x")


def test_learn_with_vectors(tmp_path: Path, accord: Run) -> None:
    lay_out(CORPUS, tmp_path, 15)
    words = {
        side: sorted(set((tmp_path / f"{side}.txt").read_text(encoding="utf-8").split()))
        for side in ("source", "target")
    }
    generator = np.random.default_rng(0)
    for side, known in words.items():
        rows = generator.normal(size=(len(known), 8)).round(3).tolist()
        lines = [f"{w} {' '.join(map(str, row))}" for w, row in zip(known, rows, strict=True)]
        (tmp_path / f"{side}.vec").write_text("\n".join(lines) + "\n")
    learn = ("learn", "source.txt", "target.txt", "--seed", "seed.tsv", "--out", "out")
    one = ("--source-vectors", "source.vec")
    done = accord(*learn, *one)
    assert done.returncode == 2
    assert done.stderr.strip().endswith("expected those of both languages, found one")
    done = accord(*learn, *one, "--target-vectors", "target.vec")
    assert done.returncode == 0, done.stderr
    assert f"source vectors: of {len(words['source']):,} words" in done.stderr
