"""A trained model as a folder: arrays and plain text, with a version and checksums.

The arrays are mapped into memory, not read: whoever asks about one phrase waits for what that
phrase needs. No pickle is written or read: opening a stranger's model must not run code.
"""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from hashlib import file_digest
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.em import State
from accord.errors import InputError
from accord.phrases import Phrases, Vocabulary
from accord.seed import SeedLexicon
from accord.settings import Settings
from accord.storage import state_from_arrays, state_to_arrays
from accord.writing import write_text

# Goes up whenever a folder that was written before would be misread.
MODEL_VERSION = 1
CORPORA = ("source", "target")


class Trained(NamedTuple):
    """What a run has learned, with the phrases and the seed that it learned from."""

    source: Phrases
    target: Phrases
    state: State
    settings: Settings
    seed: SeedLexicon


def write_model(path: Path, trained: Trained) -> None:
    """Fill an empty folder."""
    for name, array in state_to_arrays(trained.state).items():
        np.save(path / f"{name}.npy", array)
    for name, phrases in zip(CORPORA, (trained.source, trained.target), strict=True):
        np.save(path / f"{name}.words.npy", phrases.words)
        np.save(path / f"{name}.offsets.npy", phrases.offsets)
        write_text(path / f"{name}.vocabulary.txt", phrases.vocabulary.words[1:])
    write_text(path / "seed.tsv", ["\t".join(entry) for entry in trained.seed.entries])


def model_record(path: Path) -> dict[str, Any]:
    """The version and the checksums of a folder that is filled."""
    files = sorted(path.iterdir())
    with ThreadPoolExecutor() as pool:
        sums = dict(zip((file.name for file in files), pool.map(_checksum, files), strict=True))
    return {"version": MODEL_VERSION, "sha256": sums}


def read_model(path: Path, record: Mapping[str, Any], settings: Settings) -> Trained:
    """The model again, if the folder is what the record says."""
    _check(path, record)
    arrays = {file.stem: _mapped(file) for file in path.glob("*.npy")}
    source, target = (
        Phrases(
            Vocabulary(_lines(path / f"{name}.vocabulary.txt")),
            arrays[f"{name}.words"],
            arrays[f"{name}.offsets"],
        )
        for name in CORPORA
    )
    seed = SeedLexicon.of(_columns(line) for line in _lines(path / "seed.tsv"))
    return Trained(
        source, target, state_from_arrays(arrays, source, target, settings), settings, seed
    )


def _check(path: Path, record: Mapping[str, Any]) -> None:
    match record:
        case {"version": int(version), "sha256": {**sums}}:
            pass
        case _:
            raise InputError(f"{path}: a model of no known version; learn it again")
    if version > MODEL_VERSION:
        raise InputError(
            f"{path}: a model of version {version}, this accord reads version {MODEL_VERSION}; "
            "use a newer accord"
        )
    files = [path / str(name) for name in sums]
    for file in files:
        if not file.is_file():
            raise InputError(f"{file}: missing from the model; copy it anew, or learn it again")
    with ThreadPoolExecutor() as pool:
        for file, found in zip(files, pool.map(_checksum, files), strict=True):
            if found != sums[file.name]:
                raise InputError(
                    f"{file}: damaged, its checksum is not the one in run.json; "
                    "copy it anew, or learn it again"
                )


def _checksum(file: Path) -> str:
    with file.open("rb") as stream:
        return file_digest(stream, "sha256").hexdigest()


def _mapped(file: Path) -> NDArray[Any]:
    # Copy on write, though nobody writes: kernels are compiled once more for read-only arrays.
    return np.asarray(np.load(file, mmap_mode="c", allow_pickle=False))


def _lines(file: Path) -> list[str]:
    return file.read_bytes().decode().split("\n")[:-1]


def _columns(line: str) -> tuple[str, str]:
    source, target = line.split("\t")
    return source, target
