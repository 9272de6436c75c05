"""From raw sentence pairs to experiments: tokenise, align, extract, choose."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from accord.corpus.text.tokenisers import tokenise_texts
from accord.errors import InputError
from accord.experiments.synthesis.alignment import align, read_alignment
from accord.experiments.synthesis.experiment import FILE_NAMES, ExperimentFiles
from accord.experiments.synthesis.recipe import (
    Extraction,
    Size,
    extract_linked_phrases,
    make_experiments,
)
from accord.system.columns import write_rows
from accord.system.reading import read_lines
from accord.system.runners import Runner
from accord.system.runners.threads import available_cores
from accord.system.writing import output_errors, write_folder, write_text
from accord.translate.phrase_extraction import LinkedSentences, NumberedSentences, symmetrise

# Longer sentences are rare, hard to align and slow.
MOST_WORDS = 100
SIDES = "source", "target"
# The folder with the word alignments, in that of an experiment.
ALIGNMENTS = "alignments"
CONTENTS = (*FILE_NAMES, ALIGNMENTS)


class ParallelText(NamedTuple):
    """Sentence pairs; with alignments (Pharaoh files), their words are separated by spaces."""

    source: list[str]
    target: list[str]
    languages: tuple[str, str]
    alignments: tuple[Path, Path] | None = None


class ExperimentChoice(NamedTuple):
    """What is drawn from a text: how much of it, and with which random seed."""

    size: Size
    seeds: int
    random: int


class AlignedText(NamedTuple):
    """Sentence pairs as space-separated words, and the files with their word alignments."""

    source: list[str]
    target: list[str]
    forward: Path
    backward: Path

    @classmethod
    def read(cls, folder: Path) -> "AlignedText":
        """Read what `align_into` has written to the folder."""
        source, target = (
            [line for _, line in read_lines(folder / f"{name}.txt")] for name in SIDES
        )
        return cls(source, target, folder / "forward.pharaoh", folder / "backward.pharaoh")


def tokenise_pairs(text: ParallelText, processes: int) -> tuple[list[str], list[str]]:
    """Tokenise both sides; drop pairs of which a side is then empty or too long."""
    source_language, target_language = text.languages
    return drop_unusable_pairs(
        tokenise_texts(text.source, source_language, processes),
        tokenise_texts(text.target, target_language, processes),
    )


def drop_unusable_pairs(source: list[str], target: list[str]) -> tuple[list[str], list[str]]:
    """Return the pairs of which no side is empty or too long."""
    pairs = [
        pair
        for pair in zip(source, target, strict=True)
        if all(side and side.count(" ") < MOST_WORDS for side in pair)
    ]
    if not pairs:
        raise InputError(f"expected sentences of 1 to {MOST_WORDS} words, found none")
    return [source for source, _ in pairs], [target for _, target in pairs]


def align_into(folder: Path, source: list[str], target: list[str]) -> AlignedText:
    """Align the words, and write source.txt, target.txt and two Pharaoh files to the folder."""
    for name, sentences in zip(SIDES, (source, target), strict=True):
        write_text(folder / f"{name}.txt", sentences)
    align(source, target, folder)
    return AlignedText.read(folder)


def link_sentences(aligned: AlignedText, runner: Runner) -> LinkedSentences:
    """Number the words, and symmetrise the links of the two directions."""
    source, target = NumberedSentences.of(aligned.source), NumberedSentences.of(aligned.target)
    forward = read_alignment(aligned.forward, source, target)
    backward = read_alignment(aligned.backward, source, target)
    return LinkedSentences(source, target, symmetrise(source, target, forward, backward, runner))


def extract_aligned(
    aligned: AlignedText, runner: Runner, report: Callable[[str], object]
) -> Extraction:
    """Extract all phrase pairs of aligned sentences."""
    extraction = extract_linked_phrases(link_sentences(aligned, runner), runner)
    report(
        f"{len(aligned.source):,} sentence pairs, {len(extraction.pairs.counts):,} distinct phrase "
        f"pairs, {len(extraction.clean):,} of them clean"
    )
    return extraction


def synthesise(
    text: ParallelText,
    choice: ExperimentChoice,
    out: Path,
    runner: Runner,
    report: Callable[[str], object],
) -> ExperimentFiles:
    """Write the folder of one experiment, whole or not at all."""

    def fill(folder: Path) -> None:
        if text.alignments:
            aligned = AlignedText(text.source, text.target, *text.alignments)
        else:
            report(f"tokenising and aligning {len(text.source):,} sentence pairs")
            words = tokenise_pairs(text, processes=available_cores())
            (folder / ALIGNMENTS).mkdir()
            aligned = align_into(folder / ALIGNMENTS, *words)
        extraction = extract_aligned(aligned, runner, report)
        (made,) = make_experiments(extraction, [choice.size], choice.random)
        # Shuffled, so that the order of the lines gives nothing away.
        generator = np.random.default_rng(choice.random)
        files = ExperimentFiles.of(folder)
        for file, own, noise in [
            (files.source, [e for e, _ in made.gold], made.source_noise),
            (files.target, [f for _, f in made.gold], made.target_noise),
        ]:
            lines = own + noise
            write_text(file, [lines[n] for n in generator.permutation(len(lines))])
        write_rows(files.gold, made.gold)
        write_rows(files.seed, made.seed[: choice.seeds])

    with output_errors(out):
        out.parent.mkdir(parents=True, exist_ok=True)
    write_folder(out, fill)
    return ExperimentFiles.of(out)
