"""Word alignment in both directions: by eflomal, or out of files in Pharaoh format."""

import re
from pathlib import Path

import numpy as np

from accord.errors import AccordError, InputError
from accord.system.reading import place, read_lines
from accord.translate.extraction import Sentences, WordLinks

LINKS = re.compile(r"(\d+-\d+( \d+-\d+)*)?\s*")


def align(source: list[str], target: list[str], folder: Path) -> None:
    """Word alignments by eflomal: forward.pharaoh and backward.pharaoh into the folder.

    eflomal takes its random seed from the system: another run gives slightly other links, so
    they are kept, and can be given again.
    """
    try:
        from eflomal import Aligner
    except ImportError:
        raise AccordError(
            "word alignment needs eflomal: pip install 'accord[synth]' (it compiles, and needs a "
            "C compiler), or give alignments of your own with --alignments"
        ) from None
    # eflomal leaves out sentences that are empty on a side; none of ours is.
    Aligner().align(
        (f"{line}\n" for line in source),
        (f"{line}\n" for line in target),
        links_filename_fwd=str(folder / "forward.pharaoh"),
        links_filename_rev=str(folder / "backward.pharaoh"),
    )


def read_alignment(path: Path, source: Sentences, target: Sentences) -> WordLinks:
    """The links of a Pharaoh file, `0-0 1-2`, a line a sentence pair."""
    sentences = len(source.offsets) - 1
    lines = [line for _, line in read_lines(path)]
    if len(lines) != sentences:
        raise InputError(
            f"{path}: expected a line for each of {sentences:,} sentence pairs, "
            f"found {len(lines):,}"
        )
    for number, line in enumerate(lines, start=1):
        if not LINKS.fullmatch(line):
            raise InputError(
                f"{place(path, number)}: expected links such as 0-0 1-2, found {line!r}"
            )
    sizes = np.fromiter((line.count("-") for line in lines), np.int64, sentences)
    numbers = np.fromstring(" ".join(lines).replace("-", " "), np.int64, sep=" ").reshape(-1, 2)
    sentence = np.repeat(np.arange(sentences), sizes)
    lengths = np.stack([np.diff(source.offsets), np.diff(target.offsets)], axis=1)
    outside = np.flatnonzero((numbers >= lengths[sentence]).any(axis=1))
    if len(outside):
        i, j = numbers[outside[0]]
        I, J = lengths[sentence[outside[0]]]
        raise InputError(
            f"{place(path, int(sentence[outside[0]]) + 1)}: the link {i}-{j} is outside its "
            f"sentences of {I} and {J} words"
        )
    i, j = numbers.astype(np.int16).T
    return WordLinks(i.copy(), j.copy(), np.concatenate([[0], np.cumsum(sizes)]))
