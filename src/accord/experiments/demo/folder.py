"""The folder of a demo: what the learner is given, its run, and what that has found."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from accord.errors import OutputError
from accord.experiments.demo import packages
from accord.experiments.demo.experiment import Demo, make_demo
from accord.experiments.demo.languages import DemoLanguage, find_demo_language
from accord.experiments.demo.samples import find_new_words
from accord.experiments.synthesis.experiment import ExperimentFiles
from accord.runs.evaluation import Gold
from accord.runs.folder import RunFolder
from accord.runs.results import build_lexicon
from accord.system.writing import output_errors, write_text


class DemoResults(NamedTuple):
    """How many pairs a demo has learned, and how many of them are correct."""

    f1: float
    precision: float
    recall: float
    pairs: int
    gold: int
    new_words: int  # word pairs that are not in the seed
    files: dict[str, str]  # of the run


class DemoFolder(NamedTuple):
    """A demo whose files are in a folder."""

    demo: Demo
    language: DemoLanguage  # the target language; the source is English
    files: ExperimentFiles
    run: Path

    @classmethod
    def write(
        cls, pair: str, out: Path | None, report: Callable[[str], object] = lambda _: None
    ) -> "DemoFolder":
        """Make the demo of a language pair, and write its files. `report` gets messages.

        The default folder is demo/PAIR. No file of others is replaced.
        """
        language = find_demo_language(pair)
        packages.require_packages(language)
        report(f"Reading English and {language.name} strings from installed packages.")
        demo = make_demo(language)
        folder = out or Path("demo", pair)
        _write_files(demo, folder)
        report(
            f"Real text with hidden translations is in {folder}:\n"
            f"{len(demo.gold):,} pairs, {len(demo.source) - len(demo.gold):,} "
            f"more phrases per side without a translation,\nand {len(demo.seed)} seed words."
        )
        return cls(demo, language, ExperimentFiles.of(folder), folder / "run")

    def evaluate(self) -> DemoResults:
        """Return what the run has found of the hidden pairs."""
        folder = RunFolder(self.run)
        found = Gold.of(self.demo.gold).evaluate(folder.read_phrase_pairs())
        lexicon = build_lexicon(folder.read_trained())
        new_words = find_new_words(lexicon, self.demo.seed)
        return DemoResults(*found, len(new_words), folder.files)


def _write_files(demo: Demo, folder: Path) -> None:
    with output_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for name, lines in demo.files().items():
            file = folder / name
            if file.exists() and file.read_bytes() != "".join(f"{x}\n" for x in lines).encode():
                raise OutputError(
                    f"{file}: does not belong to the demo; choose another folder with --out"
                )
            write_text(file, lines)
