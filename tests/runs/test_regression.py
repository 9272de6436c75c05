"""The same inputs and settings give the same results as before: small runs of all kinds.

A difference from the recorded summaries is a change of results. If it is intended,
`pytest --update-golden` records the new ones, and the changelog says why.
"""

import hashlib
import json
import re
import shutil
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from accord.experiments.artificial import plant
from accord.system.arrays import Floats
from tests.conftest import GOLDEN, Run, tab_separated

RESULTS = GOLDEN / "results.json"
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
NUMBER = re.compile(r"^-?\d+(\.\d+)?(e-?\d+)?$")
# Mathematical libraries differ between processors in the last digits; matrix products of vectors,
# which are float32, in more.
TOLERANCE, VECTOR_TOLERANCE = 1e-9, 1e-4
# Texts have sentences, from which vectors are computed.
WITH_VECTORS = ("vectors", "mined")


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


def summarise(folder: Path) -> dict[str, str | float]:
    """A hash of all that is exact in a run's files, and one weighted sum of the numbers of each."""
    exact = hashlib.sha256()
    sums: dict[str, str | float] = {}
    for table in ("lexicon.tsv", "phrases.tsv"):
        numbers = []
        for line in (folder / table).read_text("utf-8").splitlines():
            columns = line.split("\t")
            numbers += [float(column) for column in columns if NUMBER.fullmatch(column)]
            exact.update("\t".join(NUMBER.sub("#", column) for column in columns).encode())
        sums[table] = weighted_sum(np.array(numbers))
    for file in sorted((folder / "model").iterdir()):
        exact.update(file.name.encode())
        if file.suffix != ".npy":
            exact.update(file.read_bytes())
            continue
        array = np.load(file, allow_pickle=False)
        exact.update(f"{array.shape}{array.dtype}".encode())
        if array.dtype.kind == "f":
            # Minus infinity stands for probability 0.
            exact.update(np.isfinite(array).tobytes())
            sums[file.stem] = weighted_sum(array[np.isfinite(array)])
        else:
            exact.update(array.tobytes())
    return {"exact": exact.hexdigest(), **sums}


def weighted_sum(numbers: Floats) -> float:
    """A sum that also changes when numbers change places."""
    return float(numbers @ np.linspace(1, 2, len(numbers)))


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
    if name == "ray" and find_spec("ray") is None:  # it reads its token when it is imported
        pytest.skip("needs accord[ray]")
    shutil.rmtree(folder / name, ignore_errors=True)
    answer = accord(*RUNS[name], "--out", name, cwd=folder)
    assert answer.returncode == 0, answer.stderr
    found = summarise(folder / name)
    recorded = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    if request.config.getoption("--update-golden"):
        recorded[name] = found
        lines = (f"{json.dumps(run)}: {json.dumps(recorded[run])}" for run in sorted(recorded))
        RESULTS.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
        return
    tolerance = VECTOR_TOLERANCE if name in WITH_VECTORS else TOLERANCE
    assert found.pop("exact") == recorded[name].pop("exact")
    assert found == pytest.approx(recorded[name], rel=tolerance, abs=0)
