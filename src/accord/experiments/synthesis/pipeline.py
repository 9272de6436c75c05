"""From raw sentence pairs to experiments: tokenise, align, extract, choose."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from accord.corpus.text.tokenisers import tokenise_texts
from accord.errors import InputError, OutputError
from accord.experiments.synthesis.alignment import align, read_alignment
from accord.experiments.synthesis.recipe import Extraction, Size, extract_phrases, make_experiments
from accord.system.reading import read_lines
from accord.system.runners import Runner
from accord.system.runners.threads import available_cores
from accord.system.writing import output_errors, write_folder, write_text
from accord.translate.extraction import Sentences, WordLinks, symmetrise

# Longer sentences are rare, align badly and cost much.
MOST_WORDS = 100
SIDES = "source", "target"


def tokenise_pairs(
    source: list[str], target: list[str], source_lang: str, target_lang: str, processes: int
) -> tuple[list[str], list[str]]:
    """Both sides as words; pairs that are empty or too long then are left out."""
    return pairs_to_align(
        tokenise_texts(source, source_lang, processes),
        tokenise_texts(target, target_lang, processes),
    )


def pairs_to_align(source: list[str], target: list[str]) -> tuple[list[str], list[str]]:
    """The pairs of which no side is empty or too long."""
    pairs = [
        pair
        for pair in zip(source, target, strict=True)
        if all(side and side.count(" ") < MOST_WORDS for side in pair)
    ]
    if not pairs:
        raise InputError(f"expected sentences of 1 to {MOST_WORDS} words, found none")
    return [source for source, _ in pairs], [target for _, target in pairs]


class Aligned(NamedTuple):
    """Sentence pairs, words parted by spaces, and the files with their word alignments."""

    source: list[str]
    target: list[str]
    forward: Path
    backward: Path

    @classmethod
    def read(cls, folder: Path) -> "Aligned":
        """What `align_into` has left in the folder."""
        source, target = (
            [line for _, line in read_lines(folder / f"{name}.txt")] for name in SIDES
        )
        return cls(source, target, folder / "forward.pharaoh", folder / "backward.pharaoh")


def align_into(folder: Path, source: list[str], target: list[str]) -> Aligned:
    """Word alignments with the words they are of: source.txt, target.txt and two Pharaoh files."""
    for name, sentences in zip(SIDES, (source, target), strict=True):
        write_text(folder / f"{name}.txt", sentences)
    align(source, target, folder)
    return Aligned.read(folder)


def linked_sentences(aligned: Aligned, runner: Runner) -> tuple[Sentences, Sentences, WordLinks]:
    """The words by number, and the links on which the two directions settle."""
    source, target = Sentences.of(aligned.source), Sentences.of(aligned.target)
    forward = read_alignment(aligned.forward, source, target)
    backward = read_alignment(aligned.backward, source, target)
    return source, target, symmetrise(source, target, forward, backward, runner)


def extract_aligned(aligned: Aligned, runner: Runner, tell: Callable[[str], object]) -> Extraction:
    """All phrase pairs of aligned sentences."""
    extraction = extract_phrases(*linked_sentences(aligned, runner), runner)
    tell(
        f"{len(aligned.source):,} sentence pairs, {len(extraction.table.counts):,} distinct phrase "
        f"pairs, {len(extraction.clean):,} of them clean"
    )
    return extraction


def synthesise(
    source: list[str],
    target: list[str],
    languages: tuple[str, str],
    alignments: tuple[Path, Path] | None,
    out: Path,
    size: Size,
    seeds: int,
    random: int,
    runner: Runner,
    tell: Callable[[str], object],
) -> None:
    """The folder of one experiment, whole or not at all."""
    if out.exists():
        raise OutputError(f"{out}: exists; choose another folder")

    def fill(folder: Path) -> None:
        if alignments:
            aligned = Aligned(source, target, *alignments)
        else:
            tell(f"tokenising and aligning {len(source):,} sentence pairs")
            words = tokenise_pairs(source, target, *languages, processes=available_cores())
            (folder / "alignments").mkdir()
            aligned = align_into(folder / "alignments", *words)
        (made,) = make_experiments(extract_aligned(aligned, runner, tell), [size], random)
        # Shuffled, so that nothing can be read off the order of the lines.
        generator = np.random.default_rng(random)
        for name, own, noise in [
            ("source.txt", [e for e, _ in made.gold], made.source_noise),
            ("target.txt", [f for _, f in made.gold], made.target_noise),
        ]:
            lines = own + noise
            write_text(folder / name, [lines[n] for n in generator.permutation(len(lines))])
        write_text(folder / "gold.tsv", ["\t".join(pair) for pair in made.gold])
        write_text(folder / "seed.tsv", ["\t".join(pair) for pair in made.seed[:seeds]])

    with output_errors(out):
        out.parent.mkdir(parents=True, exist_ok=True)
    write_folder(out, fill)
