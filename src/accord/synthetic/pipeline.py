"""From raw sentence pairs to experiments: segment, align, extract, choose."""

from collections.abc import Callable
from pathlib import Path

from accord.errors import InputError
from accord.extract.segmenters import segment
from accord.runners import Runner
from accord.synthetic.alignment import align, read_alignment
from accord.synthetic.experiment import Experiment
from accord.synthetic.extraction import Sentences
from accord.synthetic.recipe import Size, extract_phrases, make_experiments
from accord.writing import write_text

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


def align_into(folder: Path, source: list[str], target: list[str]) -> None:
    """Word alignments with the words they are of: source.txt, target.txt and two Pharaoh files."""
    write_text(folder / "source.txt", source)
    write_text(folder / "target.txt", target)
    align(source, target, folder)


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
