"""The same inputs and settings give the same results as before: hashes of small runs of all kinds.

A change of these hashes is a change of results. If it is intended, `pytest --update-golden` records
the new ones, and the changelog says why.
"""

import hashlib
import io
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from accord.experiments.artificial import plant
from tests.conftest import GOLDEN, Run, tab_separated

HASHES = GOLDEN / "results.json"
LEARN = ("learn", "source.txt", "target.txt", "--seed", "seed.tsv")
MINE = ("mine", "source.text", "target.text", "--source-lang", "de", "--target-lang", "en")
MORE = ("more-source.txt", "more-target.txt")
RUNS: dict[str, tuple[str, ...]] = {
    "posterior": LEARN,
    "inner": (*LEARN, "--agreement", "inner"),
    "outer": (*LEARN, "--agreement", "outer"),
    "none": (*LEARN, "--agreement", "none"),
    "hmm": (*LEARN, "--word-model", "hmm", "--iterations", "4"),
    "inner-model2": (*LEARN, "--agreement", "inner", "--word-model", "model2"),
    "matchings": (*LEARN, "--training-matching", "exact", "--matching", "greedy"),
    "outer-exact": (*LEARN, "--agreement", "outer", "--matching", "exact"),
    "seed-only": (*LEARN, "--no-spelling", "--no-context", "--background", "flat"),
    "vectors": (*LEARN, "--source-vectors", "source.vec", "--target-vectors", "target.vec"),
    "decisions": ("learn", "source.txt", "target.txt", "--seed", "decided.tsv"),
    "ray": (*LEARN, "--runner", "ray", "--threads", "2", "--iterations", "2"),
    "memory": (*LEARN, "--memory", "150K", "--iterations", "3"),
    "continued": ("learn", *MORE, "--continue-from", "posterior"),
    "applied": ("apply", "posterior", *MORE),
    "mined": (*MINE, "--seed", "seed.tsv", "--min-count", "2"),
    "mined-lines": (*MINE, "--seed", "seed.tsv", "--method", "lines", "--max-words", "20"),
}
# Floating-point libraries differ between processors in the last digits; matrix products of
# vectors, which are float32, in more.
DIGITS, VECTOR_DIGITS = 9, 3


def write_inputs(folder: Path) -> None:
    made = plant(words=80, phrases=600, noise=100, random=1)
    source, target = made.source[:500], made.target[:500]
    files = {
        "source.txt": source,
        "target.txt": target,
        "more-source.txt": made.source[400:],
        "more-target.txt": made.target[400:],
        "source.text": text_of(source, random=1),
        "target.text": text_of(target, random=2),
    }
    for name, lines in files.items():
        (folder / name).write_text("\n".join([*lines, ""]), encoding="utf-8")
    seed = tab_separated(made.lexicon[:30])
    wrong = [(e, made.gold[n + 1][1]) for n, (e, _) in enumerate(made.gold[20:40], 20)]
    decided = [f"{e}\t{f}\taccepted\n" for e, f in made.gold[:15]]
    decided += [f"{e}\t{f}\trejected\n" for e, f in wrong]
    (folder / "seed.tsv").write_text(seed, encoding="utf-8")
    (folder / "decided.tsv").write_text("".join([seed, *decided]), encoding="utf-8")
    rows = np.random.default_rng(5).normal(size=(2, 80, 8))
    for name, side, vectors in (
        ("source.vec", 0, rows[0]),
        ("target.vec", 1, rows[0] + 0.3 * rows[1]),
    ):
        lines = [
            f"{pair[side]} {' '.join(f'{x:.4f}' for x in row)}\n"
            for pair, row in zip(made.lexicon, vectors, strict=True)
        ]
        (folder / name).write_text("".join(lines), encoding="utf-8")


def text_of(phrases: list[str], random: int) -> list[str]:
    """Lines of three phrases each, every phrase three times."""
    order = np.random.default_rng(random).permutation(3 * len(phrases)) % len(phrases)
    return [" ".join(phrases[n] for n in order[at : at + 3]) for at in range(0, len(order), 3)]


def digest(folder: Path, digits: int) -> dict[str, str]:
    """Hashes of the lexicon, the phrases and the model of a run, numbers rounded."""
    return {
        "lexicon.tsv": hash_of(rounded_table(folder / "lexicon.tsv", digits)),
        "phrases.tsv": hash_of(rounded_table(folder / "phrases.tsv", digits)),
        "model": hash_of(rounded_model(folder / "model", digits)),
    }


def hash_of(parts: Iterator[bytes]) -> str:
    hashed = hashlib.sha256()
    for part in parts:
        hashed.update(part)
    return hashed.hexdigest()


def rounded_table(file: Path, digits: int) -> Iterator[bytes]:
    for line in file.read_text(encoding="utf-8").splitlines():
        columns = [
            rounded(column, digits) if "." in column else column for column in line.split("\t")
        ]
        yield "\t".join([*columns, "\n"]).encode()


def rounded(text: str, digits: int) -> str:
    try:
        return f"{float(text):.{min(digits, 6)}g}" if "." in text else text
    except ValueError:
        return text


def rounded_model(folder: Path, digits: int) -> Iterator[bytes]:
    for file in sorted(folder.iterdir()):
        yield file.name.encode()
        if file.suffix != ".npy":
            yield file.read_bytes()
            continue
        array = np.load(file, allow_pickle=False)
        if array.dtype.kind == "f":
            text = io.StringIO()
            np.savetxt(text, array.ravel(), fmt=f"%.{digits}g")
            yield f"{array.shape}{text.getvalue()}".replace("-0\n", "0\n").encode()
        else:
            yield f"{array.shape}{array.dtype}".encode() + array.tobytes()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("results")
    write_inputs(made)
    return made


@pytest.mark.parametrize(
    "name",
    # Runs use the results of others, and all tests that start Ray are in one group.
    [
        pytest.param(name, marks=pytest.mark.xdist_group("ray" if name == "ray" else "results"))
        for name in RUNS
    ],
)
def test_results_are_the_same(
    name: str, folder: Path, accord: Run, request: pytest.FixtureRequest
) -> None:
    if name == "ray":
        pytest.importorskip("ray")
    shutil.rmtree(folder / name, ignore_errors=True)
    answer = accord(*RUNS[name], "--out", name, cwd=folder)
    assert answer.returncode == 0, answer.stderr
    found = digest(folder / name, VECTOR_DIGITS if name == "vectors" else DIGITS)
    recorded = json.loads(HASHES.read_text(encoding="utf-8")) if HASHES.exists() else {}
    if request.config.getoption("--update-golden"):
        recorded[name] = found
        HASHES.write_text(json.dumps(recorded, indent=1) + "\n", encoding="utf-8")
    assert found == recorded[name]
