"""Export of a run as a Moses phrase table: Accord beside sort and gzip, in one run.

    python -m benchmarks.export [--pairs N] [--fast] [--json]

The run is synthetic: phrases of one to five words, with Zipf frequencies, each with its translation
word by word, and lexicons in which a word has its translation and some others. The export is the
command itself, in a process of its own, including imports and checksums. The baseline does the
minimum for a phrase table: it sorts and compresses existing lines (LC_ALL=C sort | gzip). Both are
checked to give the same result. With --fast, and without --pairs: 20,000 pairs.
"""

import gzip
import os
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from accord.corpus.phrases import Phrases
from accord.evidence.counts import Counts
from accord.evidence.seed import SeedLexicon
from accord.learning.agreement import Alignment, Links
from accord.learning.model.lengths import LengthModel
from accord.learning.model.parameters import Model
from accord.learning.model.state import State
from accord.learning.model.translation import TranslationModel, make_floors
from accord.learning.model.word_order import MODEL_1
from accord.runs.export import FORMATS
from accord.settings import Settings
from benchmarks.harness import (
    format_rounded,
    name_figure,
    parse_options,
    print_answer,
    write_figures,
    write_run,
)
from benchmarks.isolation import run_isolated

FEW = 20_000
LONGEST = 5
# Other translations of a word, besides the correct one.
OTHERS = 9


def main(arguments: list[str] | None = None) -> None:
    def add_flags(parser: ArgumentParser) -> None:
        parser.add_argument("--pairs", type=int, default=FEW, help="phrase pairs")
        parser.add_argument("--to", default="moses", choices=FORMATS, help="the format")

    options = parse_options(__doc__, arguments, add_flags)
    with TemporaryDirectory() as name:
        folder = Path(name)
        run_isolated(write_synthetic_run, folder / "run", options.pairs)
        answer: dict[str, float] = {"pairs": options.pairs}
        table = folder / "table.gz"
        rows = []
        for _ in range(options.repeats):
            row = {"accord_seconds": time_export(folder / "run", options.to, table)}
            if options.to == "moses":
                row["sort_and_gzip_seconds"] = time_sort(table)
            rows.append(row)
        answer |= {key: median(row[key] for row in rows) for key in rows[0]}
        if options.to == "moses":
            ratios = [row["accord_seconds"] / row["sort_and_gzip_seconds"] for row in rows]
            answer["accord_seconds_over_sort_and_gzip_seconds"] = median(ratios)
            answer["table_mb"] = table.stat().st_size / 1e6
    if options.figures:
        write_figures(
            options.figures,
            "export",
            f"python -m benchmarks.export --pairs {options.pairs} --to {options.to}",
            {"pairs": "pairs", "format": "format", "seconds": "seconds"},
            {
                name_figure(f"{options.to}_{options.pairs}"): {
                    "pairs": f"{options.pairs:,}",
                    "format": options.to,
                    "seconds": format_rounded(answer["accord_seconds"]),
                }
            },
        )
    print_answer(answer, as_json=options.json)


def time_export(run: Path, name: str, out: Path) -> float:
    languages = ["--source-lang", "zh", "--target-lang", "en"]
    command = ["export", run, "--to", name, "--out", out, *languages]
    begun = perf_counter()
    subprocess.run([sys.executable, "-m", "accord", *map(str, command)], check=True, stdout=-3)
    return perf_counter() - begun


def time_sort(table: Path) -> float:
    lines = gzip.decompress(table.read_bytes()).splitlines(keepends=True)
    shuffled, sorted_table = table.with_name("lines"), table.with_name("sorted.gz")
    order = np.random.default_rng(0).permutation(len(lines))
    shuffled.write_bytes(b"".join(lines[n] for n in order.tolist()))
    begun = perf_counter()
    subprocess.run(
        f"sort {shuffled} | gzip > {sorted_table}",
        shell=True,
        check=True,
        env={**os.environ, "LC_ALL": "C"},
    )
    seconds = perf_counter() - begun
    if gzip.decompress(sorted_table.read_bytes()) != b"".join(lines):
        raise SystemExit("the table is not sorted")
    return seconds


def write_synthetic_run(path: Path, pairs: int) -> None:
    """Write the folder of a run with this many pairs."""
    settings = Settings()
    generator = np.random.default_rng(0)
    size = max(100, pairs // 10)
    weights = np.cumsum(1 / np.arange(3, size + 3))
    texts: set[str] = set()
    while len(texts) < pairs:
        lengths = generator.integers(1, LONGEST + 1, pairs - len(texts))
        drawn = np.searchsorted(weights, generator.random(lengths.sum()) * weights[-1]).tolist()
        for end, length in zip(np.cumsum(lengths).tolist(), lengths.tolist(), strict=True):
            texts.add(" ".join(f"w{word}" for word in drawn[end - length : end]))
    source = Phrases.of(texts)
    target = Phrases.of(text.replace("w", "v") for text in texts)
    # Words and phrases are numbered alphabetically, so w12 and v12 have the same number.
    numbers = np.arange(1, len(source), dtype=np.int32)
    words = len(source.vocabulary)
    forward, backward = (
        Model(
            LengthModel.uniform(LONGEST, LONGEST),
            TranslationModel.from_counts(
                _draw_counts(words, generator), words, make_floors(phrases, settings), 0.0, 0.1
            ),
            MODEL_1,
            0.2,
        )
        for phrases in (target, source)
    )
    q = np.log(generator.random((2, len(numbers))))
    state = State(
        iteration=1,
        forward=forward,
        backward=backward,
        forward_alignment=Alignment.empty(len(target)),
        backward_alignment=Alignment.empty(len(source)),
        agreed=Links(numbers, numbers, generator.random(len(numbers))),
        changed=0.0,
        log_q=(q[0], q[1]),
    )
    seed = SeedLexicon.of([("w0", "v0")])
    write_run(path, state, (source, target), seed, with_pairs=True)


def _draw_counts(words: int, generator: np.random.Generator) -> Counts:
    e: NDArray[np.int32] = np.arange(words, dtype=np.int32)
    others = generator.integers(1, words, (words, OTHERS)).astype(np.int32)
    f = np.column_stack([np.maximum(e, 1), others])
    values = np.column_stack([np.full(words, 2.0 * OTHERS), generator.random((words, OTHERS))])
    return Counts.total(np.repeat(e, OTHERS + 1), f.ravel(), values.ravel())


if __name__ == "__main__":
    main()
