"""Word vectors that users bring: how they are read, and that they help."""

from pathlib import Path

import numpy as np
import pytest

from accord import Accord
from accord.corpus.phrases import Phrases
from accord.errors import InputError
from accord.evidence import vectors
from accord.evidence.vectors import WordVectors
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


def test_words_without_a_vector_have_zeros() -> None:
    phrases = Phrases.of(["a b", "a c", "b d"])
    given = {"b": [1.0, 0.0], "d": [0.0, 0.0], "c": [0.0, 1.0]}
    found = WordVectors.of(given, phrases, "x")
    words = np.array([phrases.vocabulary.index[word] for word in "abcd"])
    rows = found.rows_of(words)
    assert rows.any(axis=1).tolist() == [False, True, True, False]
    np.testing.assert_array_equal(rows[[1, 2]], found.rows[:2])
    assert found.rows_of(np.array([99])).tolist() == [[0, 0]]
    assert found.rows_of(np.empty(0, np.int64)).shape == (0, 2)
    # The vector of zeros does not take part in centring.
    np.testing.assert_allclose(rows[1], -rows[2], atol=1e-6)


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
