"""What a synthetic experiment consists of: gold pairs, noise and seeds."""

from pathlib import Path
from typing import NamedTuple

from accord.evidence.seed import SeedLexicon
from accord.runs.inputs import Inputs
from accord.system.columns import read_rows, write_rows
from accord.system.reading import read_lines
from accord.system.writing import write_text

TextPairs = list[tuple[str, str]]
FILE_NAMES = ("source.txt", "target.txt", "seed.tsv", "gold.tsv")


class ExperimentFiles(NamedTuple):
    """The files of an experiment: the two lists of phrases, the seed and the gold pairs."""

    source: Path
    target: Path
    seed: Path
    gold: Path

    @classmethod
    def of(cls, folder: Path) -> "ExperimentFiles":
        """Return the paths of the files in this folder."""
        return cls(*(folder / name for name in FILE_NAMES))


class Experiment(NamedTuple):
    """Pairs of phrases, phrases without a translation, and seeds."""

    gold: TextPairs
    source_noise: list[str]
    target_noise: list[str]
    seed: TextPairs  # the most frequent first

    def inputs(
        self,
        *,
        source_noise: int,
        target_noise: int,
        seeds: int,
        decisions: SeedLexicon | None = None,
    ) -> Inputs:
        """Return the corpora with this many noise phrases, and this many seeds."""
        return Inputs.of(
            [e for e, _ in self.gold] + self.source_noise[:source_noise],
            [f for _, f in self.gold] + self.target_noise[:target_noise],
            self.seed[:seeds],
            self.gold,
            max_words=20,
            decisions=decisions,
        )

    def write(self, folder: Path) -> None:
        """Write gold.tsv, noise.source.txt, noise.target.txt and seed.tsv."""
        write_rows(folder / "gold.tsv", self.gold)
        write_text(folder / "noise.source.txt", self.source_noise)
        write_text(folder / "noise.target.txt", self.target_noise)
        write_rows(folder / "seed.tsv", self.seed)

    @classmethod
    def read(cls, folder: Path, suffix: str = "") -> "Experiment":
        """Read these files; the suffix may be that of compressed files."""

        def read_column(name: str) -> list[str]:
            return [line for _, line in read_lines(folder / f"{name}{suffix}")]

        def read_pairs(name: str) -> TextPairs:
            rows = read_rows(folder / f"{name}{suffix}")
            return [(source, target) for source, target, *_ in (row.columns for row in rows)]

        return cls(
            read_pairs("gold.tsv"),
            read_column("noise.source.txt"),
            read_column("noise.target.txt"),
            read_pairs("seed.tsv"),
        )
