"""Data for the benchmarks: the paper's protocol on public text, or planted phrases without it."""

from pathlib import Path
from typing import NamedTuple

from accord.inputs import Inputs
from accord.planted import plant
from accord.reading import read_lines


class Experiment(NamedTuple):
    """Phrases that have translations, phrases that have none, and seeds, most frequent first."""

    gold: list[tuple[str, str]]
    source_noise: list[str]
    target_noise: list[str]
    seed: list[tuple[str, str]]

    @classmethod
    def read(cls, folder: Path) -> "Experiment":
        """gold.tsv, noise.source.txt, noise.target.txt and seed.tsv, each .xz."""

        def lines(name: str) -> list[str]:
            return [line for _, line in read_lines(folder / name)]

        def pairs(name: str) -> list[tuple[str, str]]:
            return [(line.split("\t")[0], line.split("\t")[1]) for line in lines(name)]

        return cls(
            pairs("gold.tsv.xz"),
            lines("noise.source.txt.xz"),
            lines("noise.target.txt.xz"),
            pairs("seed.tsv.xz"),
        )

    @classmethod
    def planted(cls) -> "Experiment":
        """A small one that needs no data."""
        made = plant(words=600, phrases=1500, noise=1500)
        true = len(made.gold)
        return cls(made.gold, made.source[true:], made.target[true:], made.lexicon)

    def inputs(self, noise: int, seeds: int) -> Inputs:
        """The corpora with so much noise on either side, and so many seeds."""
        return Inputs.of(
            [e for e, _ in self.gold] + self.source_noise[:noise],
            [f for _, f in self.gold] + self.target_noise[:noise],
            self.seed[:seeds],
            self.gold,
            max_words=20,
        )
