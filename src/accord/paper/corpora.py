"""The two language pairs: parallel text to a development and a test experiment, made once."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from accord.errors import InputError
from accord.runners import Runner
from accord.synthetic.experiment import Experiment
from accord.synthetic.pipeline import align_into, experiments, segment_pairs
from accord.synthetic.recipe import Size
from accord.synthetic.sentences import read_sentences
from accord.writing import write_folder

RANDOM = 2016


class LanguagePair(NamedTuple):
    """Two languages and the parallel text there is of them."""

    source: str
    target: str
    files: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"{self.source}-{self.target}"


LANGUAGE_PAIRS = (
    LanguagePair("zh", "en", ("lctt.en-zh", "tatoeba-zh.en-zh", "k8s-zh.en-zh", "pydocs-zh.en-zh")),
    LanguagePair("en", "de", ("europarl-de.en-de", "tatoeba-de.en-de")),
)


class Scale(NamedTuple):
    """How large the experiments are."""

    development: Size
    test: Size
    sentences: int | None  # out of each file; all where there is none


# As in the paper; and small enough to try.
FULL = Scale(Size(20_000, 20_000, 20_000), Size(20_000, 180_000, 180_000), None)
FAST = Scale(Size(1_000, 1_000, 1_000), Size(1_000, 3_000, 3_000), 20_000)


def experiments_of(
    pair: LanguagePair,
    data: Path,
    out: Path,
    scale: Scale,
    runner: Runner,
    tell: Callable[[str], object],
) -> tuple[Experiment, Experiment]:
    """The development and the test experiment, out of the folder if they are there already."""
    folder = out / pair.name / ("fast" if scale == FAST else "full")
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        write_folder(folder, lambda path: _make(pair, data, path, scale, runner, tell))
    return Experiment.read(folder / "development"), Experiment.read(folder / "test")


def _make(
    pair: LanguagePair,
    data: Path,
    folder: Path,
    scale: Scale,
    runner: Runner,
    tell: Callable[[str], object],
) -> None:
    paths = [data / f"{name}.tsv.xz" for name in pair.files]
    missing = [str(path) for path in paths if not path.exists()]
    if missing:
        raise InputError(f"{data}: expected parallel text, found no {', '.join(missing)}")
    source, target = [], []
    for path in paths:
        sides = read_sentences([path], pair.source, pair.target)
        source += sides[0][: scale.sentences]
        target += sides[1][: scale.sentences]
    tell(f"{pair.name}: segmenting {len(source):,} sentence pairs")
    source, target = segment_pairs(source, target, pair.source, pair.target, processes=2)
    tell(f"{pair.name}: aligning {len(source):,} sentence pairs")
    links = align_into(folder, source, target)
    sizes = [scale.development, scale.test]
    made = experiments(source, target, *links, sizes, runner, RANDOM, tell)
    for name, experiment in zip(("development", "test"), made, strict=True):
        (folder / name).mkdir()
        experiment.write(folder / name)
