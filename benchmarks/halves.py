"""Non-parallel text from parallel text: one language of either half.

The whole parallel text is word-aligned once, and kept in a folder. The source side is the first
half of the sentence pairs, the target side the second: no sentence has its translation in the
data, but the alignments show which word pairs are seeds, and which phrase pairs are right.
"""

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from accord.experiments.synthesis.pipeline import (
    AlignedText,
    ParallelText,
    align_into,
    tokenise_pairs,
)
from accord.experiments.synthesis.recipe import Extraction, choose_seed_pairs, find_wanted_words
from accord.formats.sentence_pairs import read_sentence_pairs
from accord.runs.inputs import Inputs
from accord.system.runners.threads import available_cores
from accord.system.writing import write_text
from accord.translate.phrase_extraction import NumberedSentences, number_ngrams

LONGEST = 4
# Chooses the n-grams that are phrases by their counts.
Choice = Callable[[NDArray[np.int64]], NDArray[np.int64]]


def add_text_flags(parser: argparse.ArgumentParser, *, required: bool) -> None:
    parser.add_argument("--text", type=Path, required=required, help="sentence pairs: .tsv or .tmx")
    parser.add_argument("--source-lang", required=required)
    parser.add_argument("--target-lang", required=required)
    parser.add_argument("--work", type=Path, required=required, help="folder for the alignments")
    parser.add_argument("--seeds", type=int, default=1_000)


def report(words: object) -> None:
    print(words, file=sys.stderr, flush=True)


def check_origin(folder: Path, **origin: object) -> None:
    """Check that the folder holds data of this origin; record the origin if it is empty."""
    expected, kept = json.dumps(origin), folder / "origin.json"
    if not any(folder.iterdir()):
        write_text(kept, [expected])
    if not kept.exists() or kept.read_text(encoding="utf-8").strip() != expected:
        raise SystemExit(
            f"{folder}: holds data that is not known to come from these texts, languages and "
            "sizes; choose another folder"
        )


def align_text(options: argparse.Namespace) -> AlignedText:
    """Return the words of the parallel text and their alignments, which are computed once."""
    if not (options.work / "backward.pharaoh").exists():
        options.work.mkdir(parents=True, exist_ok=True)
        pair = options.source_lang, options.target_lang
        report("tokenising and aligning")
        text = ParallelText(*read_sentence_pairs([options.text], *pair), pair)
        align_into(options.work, *tokenise_pairs(text, available_cores()))
    return AlignedText.read(options.work)


def inputs_of(extraction: Extraction, seeds: int, choice: Choice) -> Inputs:
    """Return phrases of either half as inputs."""
    source, target = split_halves(extraction)
    return Inputs.of(
        choose_phrases(source, choice),
        choose_phrases(target, choice),
        choose_seed_pairs(extraction.text)[:seeds],
        None,
        max_words=20,
    )


def split_halves(extraction: Extraction) -> tuple[NumberedSentences, NumberedSentences]:
    """Return the first half of the source side and the second half of the target side."""
    source, target, _ = extraction.text
    size = len(source)
    return slice_sentences(source, 0, size // 2), slice_sentences(target, size // 2, size)


def slice_sentences(side: NumberedSentences, first: int, last: int) -> NumberedSentences:
    begin, end = side.offsets[first], side.offsets[last]
    return NumberedSentences(
        side.vocabulary, side.words[begin:end], side.offsets[first : last + 1] - begin
    )


def choose_phrases(side: NumberedSentences, choice: Choice) -> list[str]:
    ngrams = number_ngrams(side, find_wanted_words(side), LONGEST)
    return ngrams.texts(choice(ngrams.counts))


def with_count(least: int) -> Choice:
    """Choose all n-grams with at least this count."""
    return lambda counts: np.flatnonzero(counts >= least)


def most_frequent(size: int) -> Choice:
    """Choose this many n-grams; of equally frequent ones, the shorter."""
    return lambda counts: np.argsort(-counts, kind="stable")[:size]
