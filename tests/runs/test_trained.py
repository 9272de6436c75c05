"""A model on disk: read again as it was, or refused in a sentence."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from accord import InputError, Settings
from accord.experiments.artificial import Planted
from accord.runs.folder import RunFolder
from accord.runs.inputs import Inputs
from accord.runs.learn import learn
from accord.runs.trained import MODEL_VERSION, state_from_arrays, state_to_arrays
from accord.system.runners.threads import Threads
from tests.conftest import Run


@pytest.fixture(scope="module")
def run(small_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Path]:
    """Makes copies of a finished run, which a test may damage."""

    def copy() -> Path:
        return Path(shutil.copytree(small_run, tmp_path_factory.mktemp("spoiled") / "run"))

    return copy


def change_record(folder: Path, change: Callable[[dict], object]) -> None:  # type: ignore[type-arg]
    record = json.loads((folder / "run.json").read_bytes())
    change(record)
    (folder / "run.json").write_text(json.dumps(record))


def test_a_model_is_read_as_it_was_written(small: Planted, tmp_path: Path) -> None:
    inputs = Inputs.of(small.source, small.target, small.lexicon[:30], None, 20)
    folder = RunFolder(tmp_path / "run")
    written = learn(inputs, Settings(), Threads(2), folder).trained
    read = folder.read_trained()
    assert state_to_arrays(read.state).keys() == state_to_arrays(written.state).keys()
    for name, array in state_to_arrays(written.state).items():
        assert np.array_equal(state_to_arrays(read.state)[name], array), name
    for one, other in zip(read.sides, written.sides, strict=True):
        assert [*one.encode_blocks()] == [*other.encode_blocks()]
        assert one.vocabulary.words == other.vocabulary.words
    assert (read.seed, read.held_out) == (written.seed, written.held_out)
    assert len(read.held_out.entries) == 3
    assert read.settings == Settings()
    assert read.signature


def test_arrays_are_mapped_and_not_read(small_run: Path) -> None:
    words = RunFolder(small_run).read_trained().source.words
    assert isinstance(words.base, np.memmap)


def test_a_folder_without_a_finished_run(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected the folder of a finished run, found none"):
        RunFolder(tmp_path).read_trained()
    (tmp_path / "checkpoint.npz").write_bytes(b"")
    with pytest.raises(InputError, match="found an interrupted one; continue it with --resume"):
        RunFolder(tmp_path).read_trained()


def test_settings_that_cannot_be_read(run: Callable[[], Path]) -> None:
    folder = run()
    change_record(folder, lambda record: record["settings"].update(floor=7))
    with pytest.raises(InputError, match=r"no run\.json with settings that can be read"):
        RunFolder(folder).read_trained()


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ({}, "a model of an unknown version; repeat the run"),
        ({"version": "1"}, "a model of an unknown version; repeat the run"),
        ({"version": MODEL_VERSION, "sha256": {}}, "not a complete model; copy it again"),
        (
            {"version": MODEL_VERSION + 1, "sha256": {}},
            f"a model of version {MODEL_VERSION + 1}, this accord reads version {MODEL_VERSION}",
        ),
    ],
)
def test_versions(run: Callable[[], Path], model: dict[str, object], message: str) -> None:
    folder = run()
    change_record(folder, lambda record: record.update(model=model))
    with pytest.raises(InputError, match=message):
        RunFolder(folder).read_trained()


@pytest.mark.parametrize(
    "name", ["forward.translation.probabilities.npy", "source.vocabulary.txt", "seed.tsv"]
)
def test_damaged_and_missing_files(run: Callable[[], Path], name: str) -> None:
    folder = run()
    file = folder / "model" / name
    content = bytearray(file.read_bytes())
    content[-2] ^= 1
    file.write_bytes(content)
    with pytest.raises(InputError, match=f"{name}: damaged, its checksum is not the one in run"):
        RunFolder(folder).read_trained()
    file.unlink()
    with pytest.raises(InputError, match=f"{name}: missing from the model"):
        RunFolder(folder).read_trained()


def test_files_outside_the_model(run: Callable[[], Path]) -> None:
    folder = run()
    change_record(folder, lambda record: record["model"]["sha256"].update({"../run.json": ""}))
    with pytest.raises(InputError, match="names files outside the model"):
        RunFolder(folder).read_trained()


def test_a_newer_model_with_a_new_setting(run: Callable[[], Path]) -> None:
    folder = run()
    change_record(folder, lambda record: record["model"].update(version=MODEL_VERSION + 1))
    change_record(folder, lambda record: record["settings"].update(novel=1))
    with pytest.raises(InputError, match="use a newer accord"):
        RunFolder(folder).read_settings()


def test_the_summary_of_a_run(run: Callable[[], Path]) -> None:
    folder = run()
    trace, quality, changes = RunFolder(folder).read_summary()
    assert len(trace) > 1
    assert quality.phrase_pairs > 50
    assert changes is None
    (folder / "quality.json").write_text("{}")
    with pytest.raises(InputError, match=r"trace\.jsonl or quality\.json cannot be read"):
        RunFolder(folder).read_summary()


@pytest.mark.parametrize("line", ["word\tnew\ta", "word\tbetter\ta\t\tb", "text\tnew\ta\t\tb"])
def test_changes_that_are_damaged(run: Callable[[], Path], line: str) -> None:
    folder = run()
    (folder / "changes.tsv").write_text(f"word\tnew\ta\t\tb\n{line}\n")
    with pytest.raises(InputError, match=r"changes\.tsv, line 2: expected a change of a pair"):
        RunFolder(folder).read_summary()


def test_an_incomplete_record(accord: Run, laid_out: Path) -> None:
    (laid_out / "out").mkdir()
    (laid_out / "out" / "run.json").write_text('{"accord": "0.1.0"}')
    texts = laid_out / "source.txt", laid_out / "target.txt"
    done = accord("learn", *texts, "--seed", laid_out / "seed.tsv", "--out", laid_out / "out")
    assert done.returncode == 2
    assert "holds the files of another run" in done.stderr


def test_files_without_checksums_are_not_read(run: Callable[[], Path]) -> None:
    """Only files with a checksum belong to the model."""
    folder = run()
    np.save(folder / "model" / "source.seen.npy", np.ones(3, np.int64))
    assert RunFolder(folder).read_trained().source.seen is None


def test_models_of_older_versions_have_no_odds(run: Callable[[], Path]) -> None:
    folder = run()
    trained = RunFolder(folder).read_trained()
    assert trained.odds.values.max() > 1  # of the seed
    arrays = state_to_arrays(trained.state)
    arrays["mean_q"] = arrays.pop("translated")
    state = state_from_arrays(arrays, trained.source, trained.target, trained.settings)
    assert state.translated == trained.state.translated
