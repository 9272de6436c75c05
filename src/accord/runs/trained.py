"""A trained model as a folder: arrays and plain text, with a version and checksums.

The arrays are mapped into memory, not read: whoever asks about one phrase waits for what that
phrase needs. No pickle is written or read: opening a stranger's model must not run code.
"""

import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.corpus.phrases import Phrases
from accord.corpus.vocabulary import Vocabulary
from accord.errors import InputError
from accord.evidence.seed import SeedLexicon, read_seed
from accord.learning.model.state import State
from accord.runs.storage import state_from_arrays, state_to_arrays
from accord.settings import Settings
from accord.system.writing import write_text

# Goes up whenever a folder that was written before would be misread.
MODEL_VERSION = 1
CORPORA = ("source", "target")
SEEDS = ("seed", "held-out", "unused")


class Trained(NamedTuple):
    """What a run has learned, with the phrases and the seed that it learned from."""

    source: Phrases
    target: Phrases
    state: State
    settings: Settings
    seed: SeedLexicon  # what was learned from
    held_out: SeedLexicon  # what was not, to tell how well the run has done
    unused: SeedLexicon  # and what could not be, as its words are in no phrase
    # Which phrases of either side the results may have; others were there to learn from.
    wanted: tuple[NDArray[np.bool_], NDArray[np.bool_]]
    languages: tuple[str, str] | None = None
    signature: str = ""  # a hash of its files

    @property
    def sides(self) -> tuple[Phrases, Phrases]:
        return self.source, self.target

    @property
    def whole_seed(self) -> SeedLexicon:
        """All that was given."""
        return self.seed.merge_over(self.held_out).merge_over(self.unused)

    def pairs(self) -> list[tuple[str, str]]:
        """The phrase pairs that were found."""
        found = self.state.agreed
        return [
            (self.source[s], self.target[t])
            for s, t in zip(found.source.tolist(), found.target.tolist(), strict=True)
        ]


def write_model(path: Path, trained: Trained) -> None:
    """Fill an empty folder."""
    for name, array in state_to_arrays(trained.state).items():
        np.save(path / f"{name}.npy", array)
    for name, phrases, wanted in zip(CORPORA, trained.sides, trained.wanted, strict=True):
        np.save(path / f"{name}.words.npy", phrases.words)
        np.save(path / f"{name}.offsets.npy", phrases.offsets)
        np.save(path / f"{name}.wanted.npy", wanted)
        if phrases.seen is not None:
            np.save(path / f"{name}.seen.npy", phrases.seen)
        write_text(path / f"{name}.vocabulary.txt", phrases.vocabulary.words[1:])
    for name, seed in zip(SEEDS, (trained.seed, trained.held_out, trained.unused), strict=True):
        write_text(path / f"{name}.tsv", seed.lines)


def model_record(path: Path) -> dict[str, Any]:
    """The version and the checksums of a folder that is filled."""
    files = sorted(path.iterdir())
    with ThreadPoolExecutor() as pool:
        sums = dict(zip((file.name for file in files), pool.map(_checksum, files), strict=True))
    return {"version": MODEL_VERSION, "sha256": sums}


def read_model(path: Path, record: Any, settings: Settings) -> Trained:
    """The model again, if the folder is what the record says."""
    check_version(path, record)
    _check(path, record)
    try:
        return _read(path, record, settings)
    except (KeyError, OSError, ValueError):
        raise InputError(f"{path}: not a whole model; copy it anew, or learn it again") from None


def _read(path: Path, record: Mapping[str, Any], settings: Settings) -> Trained:
    arrays = {
        name.removesuffix(".npy"): mapped(path / name)
        for name in record["sha256"]
        if name.endswith(".npy")
    }
    source, target = (
        Phrases(
            Vocabulary.of_sorted(_lines(path / f"{name}.vocabulary.txt")),
            arrays[f"{name}.words"],
            arrays[f"{name}.offsets"],
            arrays.get(f"{name}.seen"),
        )
        for name in CORPORA
    )
    seed, held_out, unused = (read_seed(path / f"{name}.tsv") for name in SEEDS)
    wanted = arrays["source.wanted"], arrays["target.wanted"]
    state = state_from_arrays(arrays, source, target, settings)
    return Trained(
        *(source, target, state, settings),
        *(seed, held_out, unused, wanted),
        signature=_signature(record),
    )


def check_version(path: Path, record: object) -> None:
    """Whether a model of this record is one that can be read."""
    match record:
        case {"version": int(version), "sha256": {}}:
            pass
        case _:
            raise InputError(f"{path}: a model of no known version; learn it again")
    if version > MODEL_VERSION:
        raise InputError(
            f"{path}: a model of version {version}, this accord reads version {MODEL_VERSION}; "
            "use a newer accord"
        )


def _check(path: Path, record: Mapping[str, Any]) -> None:
    sums = {str(name): value for name, value in record["sha256"].items()}
    if any(Path(name).name != name for name in sums):
        raise InputError(f"{path}: names files outside the model in run.json; learn it again")
    files = [path / name for name in sums]
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


def _signature(record: Mapping[str, Any]) -> str:
    return sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()


def _checksum(file: Path) -> str:
    with file.open("rb") as stream:
        return file_digest(stream, "sha256").hexdigest()


def mapped(file: Path) -> NDArray[Any]:
    """An array that is read where it is looked at."""
    # Copy on write, though nobody writes: kernels are compiled once more for read-only arrays.
    return np.asarray(np.load(file, mmap_mode="c", allow_pickle=False))


def _lines(file: Path) -> list[str]:
    return file.read_bytes().decode().split("\n")[:-1]
