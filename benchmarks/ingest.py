"""Reading a file of phrases into arrays: Accord beside a plain loop and PyArrow, in one run.

    python -m benchmarks.ingest [--phrases N] [--fast] [--json]

The file is synthetic, half of it in Latin letters and half in Chinese ones: phrases of one to five
words, about 30 bytes per line, a tenth of the lines twice, with Zipf frequencies. Each reader runs
in a process of its own, in turn, several times; ratios are medians, and the arrays are checked to
be the same. PyArrow does less than the others: it neither normalises nor checks the text, and
splits words at spaces only. With --fast, and without --phrases: 20,000 phrases.
"""

import unicodedata
from argparse import ArgumentParser
from collections.abc import Callable
from hashlib import sha256
from itertools import chain
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import NamedTuple

import numpy as np
import pyarrow
import pyarrow.compute
import pyarrow.csv
from numpy.typing import NDArray

from accord.corpus.loading import load_phrases, read_phrases
from benchmarks.harness import parse_options, print_answer
from benchmarks.isolation import peak_mb, run_isolated

MAX_WORDS = 20
FEW = 20_000
LATIN = [*"abcdefghijklmnopqrstuvwxyzéöü"]
CHINESE = [chr(0x4E00 + number) for number in range(3_000)]
BLOCK = 100_000
Arrays = tuple[NDArray[np.int32], NDArray[np.int64]]


class Measured(NamedTuple):
    """What reading took, and a hash of the result."""

    seconds: float
    cpu_seconds: float
    peak_mb: float
    arrays: str


def main(arguments: list[str] | None = None) -> None:
    def add_flags(parser: ArgumentParser) -> None:
        parser.add_argument("--phrases", type=int, default=FEW, help="lines of the file")

    options = parse_options(__doc__, arguments, add_flags)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "phrases.txt"
        run_isolated(write_synthetic_phrases, path, options.phrases)
        answer = {"phrases": options.phrases, "file_mb": path.stat().st_size / 1e6}
        rows = [
            {name: run_isolated(measure, name, path) for name in READERS}
            for _ in range(options.repeats)
        ]
        answer["accord_rest_seconds"] = median(
            run_isolated(time_rest_of_start, path) for _ in range(options.repeats)
        )
    if len({measured.arrays for row in rows for measured in row.values()}) > 1:
        raise SystemExit("the arrays are not the same")
    for name in READERS:
        for part in ("seconds", "cpu_seconds", "peak_mb"):
            answer[f"{name}_{part}"] = median(getattr(row[name], part) for row in rows)
        ratios = [row[name].cpu_seconds / row["accord"].cpu_seconds for row in rows]
        if name != "accord":
            answer[f"{name}_cpu_seconds_over_accord_cpu_seconds"] = median(ratios)
    print_answer(answer, as_json=options.json)


def measure(name: str, path: Path) -> Measured:
    load_phrases(["a"], 1, "so that loading compiled code is not measured")
    begun, worked = perf_counter(), process_time()
    words, offsets = READERS[name](path)
    seconds, cpu_seconds = perf_counter() - begun, process_time() - worked
    peak = peak_mb()
    arrays = sha256(words.tobytes() + offsets.tobytes()).hexdigest()
    return Measured(seconds, cpu_seconds, peak, arrays)


def time_rest_of_start(path: Path) -> float:
    """Return the seconds of what else a run begins with."""
    phrases = read_phrases(path, MAX_WORDS).phrases
    begun = perf_counter()
    _ = phrases.signature, phrases.blocks
    return perf_counter() - begun


def with_accord(path: Path) -> Arrays:
    phrases = read_phrases(path, MAX_WORDS).phrases
    return phrases.words, phrases.offsets


def with_a_plain_loop(path: Path) -> Arrays:
    kept: set[str] = set()
    with path.open("rb") as file:
        for line in file:
            phrase = " ".join(unicodedata.normalize("NFC", line.decode()).split())
            if phrase and phrase.count(" ") < MAX_WORDS:
                kept.add(phrase)
    tokens = [phrase.split(" ") for phrase in sorted(kept)]
    vocabulary = sorted(set(chain.from_iterable(tokens)))
    index = {word: number for number, word in enumerate(vocabulary, start=1)}
    words = np.fromiter((index[word] for phrase in tokens for word in phrase), np.int32)
    lengths = np.fromiter(map(len, tokens), np.int64, len(tokens))
    return words, np.concatenate([[0, 0], np.cumsum(lengths)])


def with_pyarrow(path: Path) -> Arrays:
    compute = pyarrow.compute
    lines = pyarrow.csv.read_csv(
        path,
        pyarrow.csv.ReadOptions(column_names=["text"]),
        pyarrow.csv.ParseOptions(delimiter="\t", quote_char=False),
        pyarrow.csv.ConvertOptions(column_types={"text": pyarrow.large_string()}),
    )["text"]
    texts = compute.unique(lines)
    phrases = compute.split_pattern(texts.take(compute.sort_indices(texts)), " ")
    encoded = compute.dictionary_encode(phrases.flatten())
    order = compute.sort_indices(encoded.dictionary).to_numpy()
    number = np.empty(len(order), np.int32)
    number[order] = np.arange(1, len(order) + 1)
    offsets = phrases.offsets.to_numpy().astype(np.int64)
    return number[encoded.indices.to_numpy()], np.concatenate([[0], offsets])


READERS: dict[str, Callable[[Path], Arrays]] = {
    "accord": with_accord,
    "plain_loop": with_a_plain_loop,
    "pyarrow": with_pyarrow,
}


def write_synthetic_phrases(path: Path, phrases: int) -> None:
    """Write this many lines of synthetic phrases."""
    generator = np.random.default_rng(0)
    size = max(100, phrases // 20)
    weights = np.cumsum(1 / np.arange(3, size + 3))
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for letters, sizes in [(LATIN, (4, 14)), (CHINESE, (2, 5))]:
            words = [
                "".join(generator.choice(letters, count))
                for count in generator.integers(*sizes, size)
            ]
            left = phrases // 2
            while left > 0:
                lengths = generator.integers(1, 6, min(left, BLOCK) * 10 // 11 + 1)
                drawn = generator.random(lengths.sum()) * weights[-1]
                chosen = [words[word] for word in np.searchsorted(weights, drawn).tolist()]
                ends = np.cumsum(lengths).tolist()
                lines = [
                    " ".join(chosen[end - length : end]) + "\n"
                    for end, length in zip(ends, lengths.tolist(), strict=True)
                ]
                lines = (lines + lines[: len(lines) // 10 + 1])[:left]
                file.writelines(lines)
                left -= len(lines)


if __name__ == "__main__":
    main()
