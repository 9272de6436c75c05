"""A trained model, and its folder: arrays and plain text, with a version and checksums.

The arrays are mapped into memory and not read, so that a query waits only for what it needs. No
pickle is written or read: opening a stranger's model must not run code.
"""

import json
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from hashlib import file_digest, sha256
from pathlib import Path
from typing import NamedTuple

import numpy as np

from accord.corpus.phrases import Phrases
from accord.corpus.vocabulary import Vocabulary
from accord.errors import InputError
from accord.evidence.counts import Counts
from accord.evidence.seed import SeedLexicon, read_seed
from accord.learning.agreement import Alignment, Links
from accord.learning.model.lengths import LengthModel
from accord.learning.model.parameters import Model
from accord.learning.model.state import State
from accord.learning.model.translation import TranslationModel, make_floors
from accord.learning.model.word_order import OrderModel
from accord.learning.task import Task
from accord.settings import Settings
from accord.system.arrays import Array, Mask
from accord.system.runners.threads import Threads
from accord.system.writing import write_text

# Increase this whenever older folders would be misread.
MODEL_VERSION = 3
CORPORA = ("source", "target")
SEEDS = ("seed", "held-out", "unused")
DIRECTIONS = ("forward", "backward")
TABLE = ("offsets", "targets", "probabilities", "room")

Arrays = Mapping[str, Array]


class Trained(NamedTuple):
    """A learned model, with the phrases and the seed that it was learned from."""

    source: Phrases
    target: Phrases
    state: State
    settings: Settings
    seed: SeedLexicon  # the entries that were learned from
    held_out: SeedLexicon  # entries that were not learned from, to measure the quality of the run
    unused: SeedLexicon  # entries whose words are in no phrase
    # Which phrases of each side may appear in the results; the others were only learned from.
    wanted: tuple[Mask, Mask]
    odds: Counts = Counts.none()  # how much prior evidence adds to the log odds of word pairs
    languages: tuple[str, str] | None = None
    signature: str = ""  # a hash of its files

    @property
    def sides(self) -> tuple[Phrases, Phrases]:
        return self.source, self.target

    @property
    def task(self) -> Task:
        """What it was learned from, without the decisions of reviewers."""
        return Task(self.source, self.target, self.settings, Threads(), odds=self.odds)

    @property
    def has_confidence(self) -> bool:
        """Whether pairs have a confidence; with the paper's methods they have none."""
        return self.settings.agreement == "posterior"

    @property
    def whole_seed(self) -> SeedLexicon:
        """All entries that the run was given."""
        return self.seed.merge_over(self.held_out).merge_over(self.unused)

    def pairs(self) -> list[tuple[str, str]]:
        """Return the agreed phrase pairs."""
        found = self.state.agreed
        return [
            (self.source[s], self.target[t])
            for s, t in zip(found.source.tolist(), found.target.tolist(), strict=True)
        ]


def write_model(path: Path, trained: Trained) -> None:
    """Write the model to an empty folder."""
    for name, array in state_to_arrays(trained.state).items():
        np.save(path / f"{name}.npy", array)
    for name, phrases, wanted in zip(CORPORA, trained.sides, trained.wanted, strict=True):
        np.save(path / f"{name}.words.npy", phrases.words)
        np.save(path / f"{name}.offsets.npy", phrases.offsets)
        np.save(path / f"{name}.wanted.npy", wanted)
        if phrases.seen is not None:
            np.save(path / f"{name}.seen.npy", phrases.seen)
        write_text(path / f"{name}.vocabulary.txt", phrases.vocabulary.words[1:])
    for part, array in trained.odds._asdict().items():
        np.save(path / f"odds.{part}.npy", array)
    for name, seed in zip(SEEDS, (trained.seed, trained.held_out, trained.unused), strict=True):
        write_text(path / f"{name}.tsv", seed.lines)


def make_model_record(path: Path) -> dict[str, object]:
    """Return the version and the checksums of a complete folder."""
    files = sorted(path.iterdir())
    with ThreadPoolExecutor() as pool:
        sums = dict(zip((file.name for file in files), pool.map(_hash_file, files), strict=True))
    return {"version": MODEL_VERSION, "sha256": sums}


def read_model(path: Path, record: object, settings: Settings) -> Trained:
    """Read a model, if the folder is as its record says."""
    sums = check_version(path, record)
    _check_files(path, sums)
    signature = sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()
    try:
        return _read(path, sums, settings)._replace(signature=signature)
    except (KeyError, OSError, ValueError):
        raise InputError(
            f"{path}: not a complete model; copy it again, or repeat the run"
        ) from None


def _read(path: Path, files: Iterable[str], settings: Settings) -> Trained:
    arrays = {
        name.removesuffix(".npy"): map_array(path / name) for name in files if name.endswith(".npy")
    }
    source, target = (
        Phrases(
            Vocabulary.of_sorted(_read_vocabulary(path / f"{name}.vocabulary.txt")),
            arrays[f"{name}.words"],
            arrays[f"{name}.offsets"],
            arrays.get(f"{name}.seen"),
        )
        for name in CORPORA
    )
    seed, held_out, unused = (read_seed(path / f"{name}.tsv") for name in SEEDS)
    wanted = arrays["source.wanted"], arrays["target.wanted"]
    state = state_from_arrays(arrays, source, target, settings)
    odds = Counts.none()  # as in models of older versions
    if "odds.values" in arrays:
        odds = Counts(*(arrays[f"odds.{part}"] for part in Counts._fields))
    return Trained(source, target, state, settings, seed, held_out, unused, wanted, odds)


def check_version(path: Path, record: object) -> dict[str, object]:
    """Return the checksum of each file, if a model with this record can be read."""
    match record:
        case {"version": int(version), "sha256": dict(sums)}:
            pass
        case _:
            raise InputError(f"{path}: a model of an unknown version; repeat the run")
    if version > MODEL_VERSION:
        raise InputError(
            f"{path}: a model of version {version}, this accord reads version {MODEL_VERSION}; "
            "use a newer accord"
        )
    return {str(name): value for name, value in sums.items()}


def _check_files(path: Path, sums: Mapping[str, object]) -> None:
    if any(Path(name).name != name for name in sums):
        raise InputError(f"{path}: names files outside the model in run.json; repeat the run")
    files = [path / name for name in sums]
    for file in files:
        if not file.is_file():
            raise InputError(f"{file}: missing from the model; copy it again, or repeat the run")
    with ThreadPoolExecutor() as pool:
        for file, found in zip(files, pool.map(_hash_file, files), strict=True):
            if found != sums[file.name]:
                raise InputError(
                    f"{file}: damaged, its checksum is not the one in run.json; "
                    "copy it again, or repeat the run"
                )


def _hash_file(file: Path) -> str:
    with file.open("rb") as stream:
        return file_digest(stream, "sha256").hexdigest()


def map_array(file: Path) -> Array:
    """Map an array into memory; its pages are read when they are used."""
    # Copy on write, though nobody writes: for read-only arrays, kernels would be compiled again.
    return np.asarray(np.load(file, mmap_mode="c", allow_pickle=False))


def _read_vocabulary(file: Path) -> list[str]:
    return file.read_bytes().decode().split("\n")[:-1]


def state_to_arrays(state: State) -> dict[str, Array]:
    """Return the arrays of a state that cannot be computed from the inputs and the settings."""
    return {
        "iteration": np.array(state.iteration),
        "changed": np.array(state.changed),
        "translated": np.array(state.translated),
        **{f"agreed.{part}": array for part, array in state.agreed._asdict().items()},
        **{f"agreed.{part}": array for part, array in zip(DIRECTIONS, state.log_q, strict=True)},
        **_direction_to_arrays("forward", state.forward, state.forward_alignment),
        **_direction_to_arrays("backward", state.backward, state.backward_alignment),
    }


def state_from_arrays(
    arrays: Arrays, source: Phrases, target: Phrases, settings: Settings
) -> State:
    """Return the state of these arrays, for the same phrases and settings."""
    forward, forward_alignment = _direction_from_arrays("forward", arrays, target, settings)
    backward, backward_alignment = _direction_from_arrays("backward", arrays, source, settings)
    return State(
        int(arrays["iteration"]),
        forward,
        backward,
        forward_alignment,
        backward_alignment,
        Links(*(arrays[f"agreed.{part}"] for part in Links._fields)),
        float(arrays["changed"]),
        (arrays["agreed.forward"], arrays["agreed.backward"]),
        # Older models have the mean posterior of their pairs instead, which is close to it.
        float(arrays["translated" if "translated" in arrays else "mean_q"]),
    )


def _direction_to_arrays(name: str, model: Model, alignment: Alignment) -> dict[str, Array]:
    return {
        f"{name}.lengths": model.lengths.log_prob,
        f"{name}.empty": np.array(model.empty),
        **{f"{name}.order.{part}": array for part, array in model.order._asdict().items()},
        **{f"{name}.translation.{part}": getattr(model.translation, part) for part in TABLE},
        **{f"{name}.alignment.{part}": array for part, array in alignment._asdict().items()},
    }


def _direction_from_arrays(
    name: str, arrays: Arrays, target: Phrases, settings: Settings
) -> tuple[Model, Alignment]:
    tables = f"{name}.translation"
    offsets, targets, probabilities, room = (arrays[f"{tables}.{part}"] for part in TABLE)
    model = Model(
        LengthModel(arrays[f"{name}.lengths"]),
        TranslationModel(offsets, targets, probabilities, room, make_floors(target, settings)),
        OrderModel(*(arrays[f"{name}.order.{part}"] for part in OrderModel._fields)),
        float(arrays[f"{name}.empty"]),
    )
    return model, Alignment(*(arrays[f"{name}.alignment.{part}"] for part in Alignment._fields))
