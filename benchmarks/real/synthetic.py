"""A tiny set that needs no data: two texts of artificial languages, of which everything is known.

Each line of a text is a phrase of a planted corpus, drawn at random, and anew for either language:
the lines of the two texts do not correspond.
"""

from pathlib import Path

import numpy as np

from accord.experiments.artificial import plant
from accord.system.writing import write_text
from benchmarks.real.judge import Judge, Pair, WordTable
from benchmarks.real.sets import Collection, CutSet

ARTIFICIAL = Collection("en", "de", ())
WORDS, PHRASES, LINES, SEEDS = 200, 600, 6_000, 80


def make_set(folder: Path) -> tuple[CutSet, Judge, list[Pair]]:
    """Write a set; return it with its judge and the dictionary that evaluates words."""
    planted = plant(words=WORDS, phrases=PHRASES, noise=0)
    cut = CutSet("artificial", folder, SEEDS)
    generator = np.random.default_rng(0)
    for path, side in ((cut.source, planted.source), (cut.target, planted.target)):
        drawn = generator.integers(len(side), size=LINES)
        write_text(path, (side[number] for number in drawn.tolist()))
    write_text(cut.seed, ("\t".join(pair) for pair in planted.lexicon[:SEEDS]))
    words = WordTable({e: {f} for e, f in planted.lexicon}, (set(), set()))
    return cut, Judge(words, set(planted.gold)), planted.lexicon
