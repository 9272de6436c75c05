"""Tokenisation of languages with spaces: Accord beside other tokenisers, in one run.

    python -m benchmarks.segmenting [--text FILE] [--lang LANG] [--json]

Each is given the first megabytes of the text in the same blocks, in turn, several times; the median
of megabytes per CPU second is reported. `unicode` is the library call that Accord's tokeniser is
built on; `expression` is the simplest regular expression that separates punctuation from words, and
does less than UAX #29 demands; `regex` has one rule more than UAX #29, and splits l'|information.
Moses is given a sixteenth of the text. Without --text: synthetic words.
"""

import re
from argparse import ArgumentParser
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from statistics import median
from time import process_time

import regex
from sacremoses import MosesTokenizer
from unicode_segmentation_rs import split_word_bounds

from accord.corpus.text.tokenisers import load_tokeniser
from accord.experiments.artificial import plant
from accord.system.reading import read_blocks
from benchmarks.harness import parse_options, print_answer

BLOCKS = 32
BOUNDARY = regex.compile(r"(?w)\b", regex.V1)
TOKEN = re.compile(r"\w+|[^\w\s]|\n")


def main(arguments: list[str] | None = None) -> None:
    def add_flags(parser: ArgumentParser) -> None:
        parser.add_argument("--text", type=Path, help="plain text")
        parser.add_argument("--lang", default="en", help="its language")

    options = parse_options(__doc__, arguments, add_flags)
    if options.text:
        blocks = [block for _, block in islice(read_blocks(options.text), BLOCKS)]
    else:
        phrases = plant(words=600, phrases=1500, noise=0).source
        blocks = [" ".join(phrases[i : i + 5]) + ".\n" for i in range(0, len(phrases), 5)]
    moses = MosesTokenizer(lang=options.lang)
    ways: dict[str, Callable[[str], object]] = {
        "accord": load_tokeniser(options.lang, lower=True),
        "unicode": split_word_bounds,
        "regex": lambda block: " ".join(BOUNDARY.split(block)),
        "expression": lambda block: " ".join(TOKEN.findall(block)),
        "moses": lambda block: [moses.tokenize(line, escape=False) for line in block.split("\n")],
    }
    rows = [
        {name: measure_speed(way, blocks, name) for name, way in ways.items()}
        for _ in range(options.repeats)
    ]
    answer = {f"{name}_mb_per_second": median(row[name] for row in rows) for name in ways}
    for name in ways:
        if name != "accord":
            ratios = [row["accord"] / row[name] for row in rows]
            answer[f"accord_mb_per_second_over_{name}_mb_per_second"] = median(ratios)
    print_answer(answer, as_json=options.json)


def measure_speed(way: Callable[[str], object], blocks: list[str], name: str) -> float:
    """Return megabytes per CPU second."""
    given = blocks[:: 16 if name == "moses" else 1]
    begun = process_time()
    for block in given:
        way(block)
    seconds = process_time() - begun
    return sum(len(block.encode()) for block in given) / 1e6 / seconds


if __name__ == "__main__":
    main()
