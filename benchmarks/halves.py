"""Text that is not parallel, cut out of parallel text: one language of either half.

The whole parallel text is word-aligned once, and kept in a folder. The source side is the first
half of the sentence pairs, the target side the second: no sentence has its translation in the
data, but the alignments tell which word pairs are seeds, and which phrase pairs are right.
"""

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from accord.experiments.synthesis.pipeline import Aligned, align_into, tokenise_pairs
from accord.experiments.synthesis.recipe import Extraction, seed_pairs, wanted_words
from accord.formats.sentence_pairs import read_sentence_pairs
from accord.runs.inputs import Inputs
from accord.system.runners.threads import available_cores
from accord.system.writing import write_text
from accord.translate.extraction import Sentences, gram_texts, number_grams

LONGEST = 4
# Which n-grams are phrases, by how often each stands.
Choice = Callable[[NDArray[np.int64]], NDArray[np.int64]]


def add_text_flags(parser: argparse.ArgumentParser, *, required: bool) -> None:
    parser.add_argument("--text", type=Path, required=required, help="sentence pairs: .tsv or .tmx")
    parser.add_argument("--source-lang", required=required)
    parser.add_argument("--target-lang", required=required)
    parser.add_argument("--work", type=Path, required=required, help="folder for the alignments")
    parser.add_argument("--seeds", type=int, default=1_000)


def tell(words: object) -> None:
    print(words, file=sys.stderr, flush=True)


def check_origin(folder: Path, **origin: object) -> None:
    """What a folder keeps must be of this origin, not of another; an empty one is of any."""
    said, kept = json.dumps(origin), folder / "origin.json"
    if not any(folder.iterdir()):
        write_text(kept, [said])
    if not kept.exists() or kept.read_text(encoding="utf-8").strip() != said:
        raise SystemExit(
            f"{folder}: holds what is not known to be of these texts, languages and sizes; "
            "choose another folder"
        )


def aligned(options: argparse.Namespace) -> Aligned:
    """The words of the parallel text and their alignments, made once."""
    if not (options.work / "backward.pharaoh").exists():
        options.work.mkdir(parents=True, exist_ok=True)
        pair = options.source_lang, options.target_lang
        tell("tokenising and aligning")
        sentences = tokenise_pairs(
            *read_sentence_pairs([options.text], *pair), *pair, available_cores()
        )
        align_into(options.work, *sentences)
    return Aligned.read(options.work)


def inputs_of(extraction: Extraction, seeds: int, choice: Choice) -> Inputs:
    """Phrases of either half."""
    source, target = halves(extraction)
    return Inputs.of(
        phrases_of(source, choice),
        phrases_of(target, choice),
        seed_pairs(extraction)[:seeds],
        None,
        max_words=20,
    )


def halves(extraction: Extraction) -> tuple[Sentences, Sentences]:
    """The first half of the source side and the second half of the target side."""
    size = len(extraction.source.offsets) - 1
    return (
        sentences_from(extraction.source, 0, size // 2),
        sentences_from(extraction.target, size // 2, size),
    )


def sentences_from(side: Sentences, first: int, last: int) -> Sentences:
    begin, end = side.offsets[first], side.offsets[last]
    return Sentences(side.vocabulary, side.words[begin:end], side.offsets[first : last + 1] - begin)


def phrases_of(side: Sentences, choice: Choice) -> list[str]:
    grams = number_grams(side, wanted_words(side), LONGEST)
    return gram_texts(side, grams, choice(grams.counts))


def occurring(least: int) -> Choice:
    """All that stand at least so often."""
    return lambda counts: np.flatnonzero(counts >= least)


def most_frequent(size: int) -> Choice:
    """So many; of those that stand as often as each other the shorter ones."""
    return lambda counts: np.argsort(-counts, kind="stable")[:size]
