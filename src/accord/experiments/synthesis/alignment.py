"""Word alignment in both directions: by eflomal, or from files in Pharaoh format."""

import re
from pathlib import Path

import numpy as np

from accord.errors import AccordError, InputError
from accord.system.arrays import offsets_of
from accord.system.reading import place, read_lines
from accord.translate.phrase_extraction import NumberedSentences
from accord.translate.phrase_extraction_kernels import SentenceLinks

LINKS = re.compile(r"(\d+-\d+( \d+-\d+)*)?\s*")


def align(source: list[str], target: list[str], folder: Path) -> None:
    """Align by eflomal, and write forward.pharaoh and backward.pharaoh to the folder.

    eflomal takes its random seed from the system, so another run gives slightly different links.
    They are kept, and can be used again.
    """
    try:
        from eflomal import Aligner
    except ImportError:
        raise AccordError(
            "word alignment needs eflomal: pip install 'accord[synth]' (it is compiled, which "
            "needs a C compiler), or give your own alignments with --alignments"
        ) from None
    # eflomal skips sentences that are empty on one side; there are none here.
    Aligner().align(
        (f"{line}\n" for line in source),
        (f"{line}\n" for line in target),
        links_filename_fwd=str(folder / "forward.pharaoh"),
        links_filename_rev=str(folder / "backward.pharaoh"),
    )


def read_alignment(
    path: Path, source: NumberedSentences, target: NumberedSentences
) -> SentenceLinks:
    """Read the links of a Pharaoh file: `0-0 1-2`, one line per sentence pair."""
    lines = [line for _, line in read_lines(path)]
    if len(lines) != len(source):
        raise InputError(
            f"{path}: expected a line for each of {len(source):,} sentence pairs, "
            f"found {len(lines):,}"
        )
    for number, line in enumerate(lines, start=1):
        if not LINKS.fullmatch(line):
            raise InputError(
                f"{place(path, number)}: expected links such as 0-0 1-2, found {line!r}"
            )
    sizes = np.fromiter((line.count("-") for line in lines), np.int64, len(lines))
    numbers = np.fromstring(" ".join(lines).replace("-", " "), np.int64, sep=" ").reshape(-1, 2)
    sentence = np.repeat(np.arange(len(lines)), sizes)
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
    return SentenceLinks(i.copy(), j.copy(), offsets_of(sizes))
