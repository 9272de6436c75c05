"""Word vectors as evidence: a planted rotation is found, and what is near counts."""

from pathlib import Path

import numpy as np
import pytest

from accord import Accord
from accord.corpus.phrases import Phrases
from accord.errors import InputError
from accord.evidence import vectors
from accord.evidence.counts import Counts
from accord.evidence.vectors import Vectors, rotation, similar_words
from accord.experiments.artificial import plant
from accord.runs.inputs import Inputs
from tests.conftest import Run, lay_out

PLANTED = plant(words=120, phrases=600, noise=200)


def rotated(noise: float, size: int = 20) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """Vectors of the planted words; those of the translations are turned and blurred."""
    generator = np.random.default_rng(0)
    X = generator.normal(size=(len(PLANTED.lexicon), size))
    turn, _ = np.linalg.qr(generator.normal(size=(size, size)))
    Y = X @ turn + noise * generator.normal(size=X.shape)
    source = {e: row.tolist() for (e, _), row in zip(PLANTED.lexicon, X, strict=True)}
    target = {f: row.tolist() for (_, f), row in zip(PLANTED.lexicon, Y, strict=True)}
    return source, target


def given(noise: float) -> Inputs:
    data = Inputs.of(PLANTED.source, PLANTED.target, PLANTED.lexicon[:30], None, 20)
    return data.with_vectors(*rotated(noise))


def vectors_of(data: Inputs) -> tuple[Vectors, Vectors]:
    assert data.vectors
    return data.vectors


def test_rotation_is_orthogonal_and_brings_pairs_together() -> None:
    generator = np.random.default_rng(1)
    X = generator.normal(size=(50, 6)).astype(np.float32)
    turn, _ = np.linalg.qr(generator.normal(size=(6, 6)))
    Q = rotation(X, X @ turn)
    np.testing.assert_allclose(Q, turn, atol=1e-5)
    np.testing.assert_allclose(Q.T @ Q, np.eye(6), atol=1e-5)


def test_translations_are_nearest_after_the_rotation() -> None:
    data = given(noise=0.1)
    source, target = data.source.vocabulary, data.target.vocabulary
    found = similar_words(*vectors_of(data), data.seed.counts(source, target))
    true = {(source.index[e], target.index[f]) for e, f in PLANTED.lexicon if e in source.index}
    # Both directions give a sure word all it has: the value of a pair is three sightings at most.
    assert found.values.max() <= 3 + 1e-6
    sure = found.values > 1.5
    pairs = set(zip(found.source[sure].tolist(), found.target[sure].tolist(), strict=True))
    assert len(pairs & true) > 0.95 * len(pairs)
    assert len(pairs) > 0.9 * len(true)


def test_each_word_gives_away_all_it_has() -> None:
    one, other = vectors_of(given(noise=0.5))
    shares = vectors._shares(one.rows, other.rows, np.zeros(len(other.rows), np.float32))
    np.testing.assert_allclose(shares.sum(axis=1), 1, rtol=1e-5)
    assert np.diff(shares.indptr).max() == vectors.NEAREST


def test_swapped_languages_are_the_same_evidence() -> None:
    data = given(noise=0.5)
    one, other = vectors_of(data)
    lexicon = data.seed.counts(data.source.vocabulary, data.target.vocabulary)
    there = similar_words(one, other, lexicon)
    back = similar_words(other, one, lexicon.swapped()).swapped()
    np.testing.assert_array_equal(there.source, back.source)
    np.testing.assert_array_equal(there.target, back.target)
    np.testing.assert_allclose(there.values, back.values, rtol=1e-3)


def test_without_a_known_pair_nothing_is_near() -> None:
    one, other = vectors_of(given(noise=0.5))
    assert len(similar_words(one, other, Counts.none()).source) == 0


def test_vectors_help_a_run_with_few_seeds() -> None:
    seed = PLANTED.lexicon[:6]
    data = (PLANTED.source, PLANTED.target, seed)
    alone = Accord(context=False).fit(*data, gold=PLANTED.gold)
    source, target = rotated(noise=0.3)
    helped = Accord(context=False).fit(
        *data, gold=PLANTED.gold, source_vectors=source, target_vectors=target
    )
    assert helped.trace_[-1]["f1"] > alone.trace_[-1]["f1"] + 0.1


def test_a_mapping_and_a_file_are_the_same(tmp_path: Path) -> None:
    phrases = Phrases.of(PLANTED.source)
    rows, _ = rotated(noise=0.0)
    lines = [f"{word} {' '.join(map(str, row))}" for word, row in rows.items()]
    plain, headed = tmp_path / "plain.vec", tmp_path / "headed.vec"
    plain.write_text("\n".join(lines) + "\n", encoding="utf-8")
    # A second vector of a word and words that no phrase has are left out.
    more = [f"{len(lines)} 20", *lines, f"{lines[0].split()[0]} {'1 ' * 20}", f"nobody {'1 ' * 20}"]
    headed.write_text("\n".join(more) + "\n", encoding="utf-8")
    made = [Vectors.of(given, phrases, "x").signature for given in (rows, plain, headed)]
    assert made[0] == made[1] == made[2]


def test_only_the_most_frequent_words_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "MOST_WORDS", 2)
    phrases = Phrases.of(["a b", "a c", "b a"])
    rows = {"a": [1.0, 0.0], "b": [0.0, 1.0], "c": [1.0, 1.0]}
    found = Vectors.of(rows, phrases, "x")
    assert [phrases.vocabulary.words[word] for word in found.words] == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a 1 2\nb 1\n", "line 2: expected a word and 2 numbers"),
        ("a 1 x\n", "line 1: expected a word and 2 numbers"),
        ("a\nb\n", "line 1: expected a word and 2 numbers"),
        ("z 1 2\n", "none of its words is in the phrases"),
        ("a 1 nan\nb 1 2\n", "found one that is not finite"),
        ("", "none of its words is in the phrases"),
    ],
)
def test_bad_files_are_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.vec"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message) as error:
        Vectors.of(path, Phrases.of(["a b"]), "x")
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
        Vectors.of(uneven, data.source, "x")


def test_learn_with_vectors(tmp_path: Path, accord: Run) -> None:
    lay_out(PLANTED, tmp_path, 15)
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
    assert f"source vectors: {len(words['source']):,} words have one" in done.stderr
