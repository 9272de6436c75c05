"""The paper's Table 4 on public text: BLEU after each iteration of adaptation.

    python -m benchmarks.translation --outside TATOEBA.tsv --inside LCTT.tsv --source-lang zh
                                     --target-lang en --work FOLDER [--iterations N] [--fast]

Out of domain: phrase pairs that were extracted from the first text. In domain: the source side of
the first half of the second text and the target side of its second half, so that no sentence has
its translation in the data; dev and test are held out from both. The language model is of the
target side. `ceiling` has a table trained on the *parallel* text of both halves.
The work folder keeps what takes long to make: words, word alignments, the language model.
"""

from pathlib import Path

import numpy as np

from accord.runners import Runner
from accord.runners.threads import available_cores
from accord.synthetic.extraction import gram_texts, phi
from accord.synthetic.pipeline import Aligned, align_into, extract_aligned, segment_pairs
from accord.synthetic.sentences import read_sentences
from benchmarks.halves import tell

OUTSIDE_PAIRS = 10_000
LEAST_PHI = 0.2
HELD_OUT = 1_000


def aligned(work: Path, text: Path, languages: tuple[str, str], lines: slice) -> Aligned:
    """Sentence pairs in lower case with their word alignments, made once."""
    if not (work / "backward.pharaoh").exists():
        work.mkdir(parents=True, exist_ok=True)
        tell(f"segmenting and aligning {text.name}")
        given = [[*map(str.lower, side[lines])] for side in read_sentences([text], *languages)]
        align_into(work, *segment_pairs(given[0], given[1], *languages, available_cores()))
    return Aligned.read(work)


def outside_pairs(parallel: Aligned, count: int, runner: Runner) -> list[tuple[str, str]]:
    """So many phrase pairs that are mostly each other's translation, the most frequent ones."""
    extraction = extract_aligned(parallel, runner, tell)
    table = extraction.table
    likely = np.flatnonzero((np.minimum(*phi(table)) >= LEAST_PHI) & (table.counts > 1))
    rows = likely[np.argsort(-table.counts[likely], kind="stable")[:count]]
    sides = (
        (extraction.source, extraction.source_grams, table.source),
        (extraction.target, extraction.target_grams, table.target),
    )
    texts = [gram_texts(side, grams, numbers[rows].tolist()) for side, grams, numbers in sides]
    return [*zip(*texts, strict=True)]
