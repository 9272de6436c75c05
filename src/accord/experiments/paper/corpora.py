"""The two language pairs: parallel text to experiments, which are made only once."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from accord.errors import InputError
from accord.experiments.synthesis.experiment import Experiment
from accord.experiments.synthesis.pipeline import (
    AlignedText,
    ParallelText,
    align_into,
    extract_aligned,
    tokenise_pairs,
)
from accord.experiments.synthesis.recipe import (
    Size,
    make_experiments,
    restrict_to_frequent_words,
)
from accord.formats.sentence_pairs import read_sentence_pairs
from accord.system.runners import Runner
from accord.system.runners.threads import available_cores
from accord.system.writing import write_folder

RANDOM = 2016


class LanguagePair(NamedTuple):
    """Two languages, and the files of their parallel text."""

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
    """The sizes of the experiments."""

    development: Size
    test: Size
    frequent_words: int  # per side, in the third experiment
    sentences: int | None  # from each file; None for all


# As in the paper, and small enough for a quick try.
FULL = Scale(Size(20_000, 20_000, 20_000), Size(20_000, 180_000, 180_000), 2_000, None)
FAST = Scale(Size(1_000, 1_000, 1_000), Size(1_000, 3_000, 3_000), 500, 20_000)


class Experiments(NamedTuple):
    """The paper's two, and the first one again with gold pairs of frequent words only."""

    development: Experiment
    test: Experiment
    frequent: Experiment


def prepare_experiments(
    pair: LanguagePair,
    data: Path,
    out: Path,
    scale: Scale,
    runner: Runner,
    report: Callable[[str], object],
) -> Experiments:
    """Return the experiments; they and the alignments are reused if the folder has them."""
    folder = out / pair.name / ("fast" if scale == FAST else "full")
    aligned, made = folder / "alignments", folder / "experiments"
    folder.mkdir(parents=True, exist_ok=True)
    if not made.exists():
        if not aligned.exists():
            write_folder(aligned, lambda path: _align_corpora(pair, data, path, scale, report))
        write_folder(made, lambda path: _write_experiments(aligned, path, scale, runner, report))
    return Experiments(*(Experiment.read(made / name) for name in Experiments._fields))


def _align_corpora(
    pair: LanguagePair, data: Path, folder: Path, scale: Scale, report: Callable[[str], object]
) -> None:
    paths = [data / f"{name}.tsv.xz" for name in pair.files]
    missing = [str(path) for path in paths if not path.exists()]
    if missing:
        raise InputError(f"{data}: expected parallel text, found no {', '.join(missing)}")
    source, target = [], []
    for path in paths:
        sides = read_sentence_pairs([path], pair.source, pair.target)
        source += sides[0][: scale.sentences]
        target += sides[1][: scale.sentences]
    report(f"{pair.name}: tokenising {len(source):,} sentence pairs")
    text = ParallelText(source, target, (pair.source, pair.target))
    source, target = tokenise_pairs(text, available_cores())
    report(f"{pair.name}: aligning {len(source):,} sentence pairs")
    align_into(folder, source, target)


def _write_experiments(
    aligned: Path, folder: Path, scale: Scale, runner: Runner, report: Callable[[str], object]
) -> None:
    extraction = extract_aligned(AlignedText.read(aligned), runner, report)
    frequent = restrict_to_frequent_words(extraction, scale.frequent_words)
    made = Experiments(
        *make_experiments(extraction, [scale.development, scale.test], RANDOM),
        *make_experiments(frequent, [scale.development], RANDOM),
    )
    for name, experiment in zip(Experiments._fields, made, strict=True):
        (folder / name).mkdir()
        experiment.write(folder / name)
