"""From raw sentence pairs to experiments: segment, align, extract, choose."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from accord.errors import InputError, OutputError
from accord.extract.segmenters import segment
from accord.runners import Runner
from accord.runners.threads import available_cores
from accord.synthetic.alignment import align, read_alignment
from accord.synthetic.experiment import Experiment
from accord.synthetic.extraction import Sentences
from accord.synthetic.recipe import Size, extract_phrases, make_experiments
from accord.writing import output_errors, write_folder, write_text

# Longer sentences are rare, align badly and cost much.
MOST_WORDS = 100


def segment_pairs(
    source: list[str], target: list[str], source_lang: str, target_lang: str, processes: int
) -> tuple[list[str], list[str]]:
    """Both sides as words; pairs that are empty or too long then are left out."""
    words = (segment(source, source_lang, processes), segment(target, target_lang, processes))
    pairs = [
        pair
        for pair in zip(*words, strict=True)
        if all(side and side.count(" ") < MOST_WORDS for side in pair)
    ]
    if not pairs:
        raise InputError(f"expected sentences of 1 to {MOST_WORDS} words, found none")
    return [source for source, _ in pairs], [target for _, target in pairs]


def align_into(folder: Path, source: list[str], target: list[str]) -> tuple[Path, Path]:
    """Word alignments with the words they are of: source.txt, target.txt and two Pharaoh files."""
    write_text(folder / "source.txt", source)
    write_text(folder / "target.txt", target)
    align(source, target, folder)
    return folder / "forward.pharaoh", folder / "backward.pharaoh"


def experiments(
    source: list[str],
    target: list[str],
    forward: Path,
    backward: Path,
    sizes: list[Size],
    runner: Runner,
    random: int,
    tell: Callable[[str], object],
) -> list[Experiment]:
    """Experiments of these sizes out of aligned sentences, words parted by spaces."""
    sentences = Sentences.of(source), Sentences.of(target)
    extraction = extract_phrases(
        *sentences,
        read_alignment(forward, *sentences),
        read_alignment(backward, *sentences),
        runner,
    )
    tell(
        f"{len(source):,} sentence pairs, {len(extraction.table.counts):,} distinct phrase pairs, "
        f"{len(extraction.clean):,} of them clean"
    )
    return make_experiments(extraction, sizes, random)


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
        sides, links = (source, target), alignments
        if links is None:
            tell(f"segmenting and aligning {len(source):,} sentence pairs")
            sides = segment_pairs(source, target, *languages, processes=available_cores())
            (folder / "alignments").mkdir()
            links = align_into(folder / "alignments", *sides)
        (made,) = experiments(*sides, *links, [size], runner, random, tell)
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
