"""How long `accord query` takes: the whole command, and a query once the model is loaded.

    python -m benchmarks.query --phrases 3000000 [--queries 300] [--work FOLDER] [--json]
    python -m benchmarks.query --fast

The model is synthetic, with the size and shape of a learned one: Zipf word frequencies, phrases of
one to five words, half of them word-for-word translations of each other, one word per ten phrases,
and 20 translations per word in either direction, few of them right and some of them very frequent.
With --work it is kept there for the next time. The queries are random phrases of the corpus, half
of them source and half target phrases; and the phrases of the most frequent words. The command is
timed as a user would, including imports, with its kernels compiled before.
"""

import argparse
import subprocess
import sys
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.corpus.numbering import NumberedText
from accord.corpus.phrases import Phrases
from accord.evidence.counts import Counts
from accord.evidence.seed import SeedLexicon
from accord.learning.agreement import Alignment, Links
from accord.learning.model.lengths import LengthModel
from accord.learning.model.parameters import Model
from accord.learning.model.state import State
from accord.learning.model.translation import TranslationModel, make_floors
from accord.learning.model.word_order import OrderModel
from accord.learning.search.pairs import CandidatePairs, score_candidates
from accord.learning.task import Task
from accord.runs.folder import RunFolder
from accord.runs.query.translator import Translator
from accord.settings import Settings
from accord.system.runners.threads import Threads
from benchmarks.harness import format_rounded, parse_options, print_answer, write_figures, write_run

LENGTHS = np.array([0.15, 0.3, 0.3, 0.15, 0.1])
ENTRIES = 20
# A learned table has its most frequent word in one entry of two hundred.
FLATTER = 20
Numbers = NDArray[np.int32]


QUERIES = {
    "random": "a query of a loaded model",
    "frequent": "the same, for phrases of the most frequent words",
}


def main(arguments: list[str] | None = None) -> None:
    options = parse_options(__doc__, arguments, add_flags)
    with TemporaryDirectory() as name:
        folder = Path(options.work or name) / f"model-{options.phrases}"
        if not RunFolder(folder).is_finished:
            write_model(folder, options.phrases, options.phrases // 10)
        answer = measure(folder, options.queries, options.repeats)
    if options.figures:
        write_query_figures(options.figures, options.phrases, answer)
    print_answer(answer, as_json=options.json)


def write_query_figures(path: Path, phrases: int, answer: dict[str, Any]) -> None:
    seconds = format_rounded(answer["command_seconds"])
    rows = {"command": {"query": "the whole command", "median": f"{seconds} s"}}
    for kind, text in QUERIES.items():
        half, most = (
            f"{format_rounded(answer[f'{kind}_{part}_milliseconds'])} ms"
            for part in ("median", "95_percent")
        )
        rows[kind] = {"query": text, "median": half, "percentile_95": most}
    columns = {"query": "", "median": "median", "percentile_95": "95th percentile"}
    command = f"python -m benchmarks.query --phrases {phrases}"
    write_figures(path, "query", command, columns, rows)


def add_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--phrases", type=int, default=3_000, help="per side")
    parser.add_argument("--queries", type=int, default=300, help="number of each kind")
    parser.add_argument("--work", help="folder where the model is kept")


def measure(folder: Path, queries: int, repeats: int) -> dict[str, Any]:
    begun = perf_counter()
    trained = RunFolder(folder).read_trained()
    translator = Translator(trained)
    loading = perf_counter() - begun
    generator = np.random.default_rng(1)
    first = trained.source[1]
    begun = perf_counter()
    translator.translate(first)
    preparing = perf_counter() - begun
    translator.translate(trained.target[1], reverse=True)
    answer: dict[str, Any] = {
        "phrases": len(trained.source) - 1,
        "megabytes": sum(file.stat().st_size for file in (folder / "model").iterdir()) / 1e6,
        "reading_seconds": loading,
        "first_query_seconds": preparing,
    }
    half = queries // 2
    for kind in ("random", "frequent"):
        times = [
            time_query(translator, phrases[number], reverse=reverse)
            for reverse, phrases in ((False, trained.source), (True, trained.target))
            for number in (
                generator.integers(1, len(phrases), half).tolist()
                if kind == "random"
                else most_frequent(phrases, half)
            )
        ]
        whole, cpu = zip(*times, strict=True)
        answer[f"{kind}_median_milliseconds"] = median(whole)
        answer[f"{kind}_95_percent_milliseconds"] = float(np.quantile(whole, 0.95))
        answer[f"{kind}_median_cpu_milliseconds"] = median(cpu)
        answer[f"{kind}_95_percent_cpu_milliseconds"] = float(np.quantile(cpu, 0.95))
    time_command(folder, first)
    whole, cpu = zip(*(time_command(folder, first) for _ in range(repeats)), strict=True)
    answer |= {"command_seconds": median(whole), "command_cpu_seconds": median(cpu)}
    return answer


def time_query(translator: Translator, phrase: str, *, reverse: bool) -> tuple[float, float]:
    """Return the milliseconds of a query: elapsed, and of CPU time."""
    begun, cpu = perf_counter(), process_time()
    translator.translate(phrase, reverse=reverse)
    return 1e3 * (perf_counter() - begun), 1e3 * (process_time() - cpu)


def time_command(folder: Path, phrase: str) -> tuple[float, float]:
    """Return the seconds of one `accord query`: elapsed, and of CPU time."""
    before = getrusage(RUSAGE_CHILDREN)
    begun = perf_counter()
    subprocess.run(
        [sys.executable, "-m", "accord", "query", str(folder), phrase],
        check=True,
        capture_output=True,
    )
    seconds = perf_counter() - begun
    after = getrusage(RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def most_frequent(phrases: Phrases, count: int) -> list[int]:
    """Return the phrases whose rarest word is the most frequent."""
    frequency = np.bincount(phrases.words, minlength=len(phrases.vocabulary))
    rarest = np.minimum.reduceat(frequency[phrases.words], phrases.offsets[1:-1])
    chosen: list[int] = (np.argsort(-rarest, kind="stable")[:count] + 1).tolist()
    return chosen


def write_model(folder: Path, size: int, words: int) -> None:
    """Write the folder of a finished run without running it."""
    generator = np.random.default_rng(0)
    # Every word alone is a phrase, so that all of them occur.
    single = NumberedText([], np.arange(words, dtype=np.int32), np.ones(words, np.int32))
    shared = draw_phrases(generator, size // 2, words)
    source, target = (
        join_phrases(side, [single, shared, draw_phrases(generator, size * 2 // 3, words)], words)
        for side in "st"
    )
    pairs = find_translations(source, target)
    settings = Settings()
    runner = Threads()
    forward = draw_model(generator, source, target, pairs, settings)
    backward = draw_model(generator, target, source, pairs.swapped(), settings)
    state = State(
        iteration=9,
        forward=forward,
        backward=backward,
        forward_alignment=make_alignment(source, target, forward, pairs, runner),
        backward_alignment=make_alignment(target, source, backward, pairs.swapped(), runner),
        agreed=Links(
            pairs.source, pairs.target, generator.uniform(0.4, 1, len(pairs.source))
        ).sorted(),
        changed=0.0,
        log_q=(np.zeros(len(pairs.source)), np.zeros(len(pairs.source))),
        translated=0.8,
    )
    seed = SeedLexicon.of([(f"s{word}", f"t{word}") for word in range(min(1000, words))])
    write_run(folder, state, (source, target), seed, with_pairs=False)


def draw_phrases(generator: np.random.Generator, size: int, words: int) -> NumberedText:
    """Draw phrases of words that are numbered by their rank."""
    lengths = (1 + generator.choice(len(LENGTHS), size, p=LENGTHS)).astype(np.int32)
    drawn = generator.choice(words, lengths.sum(), p=zipf(words, 2)).astype(np.int32)
    return NumberedText([], drawn, lengths)


def zipf(words: int, flatter: int) -> NDArray[np.float64]:
    weights: NDArray[np.float64] = 1 / np.arange(flatter, words + flatter)
    return np.asarray(weights / weights.sum())


def join_phrases(side: str, parts: list[NumberedText], words: int) -> Phrases:
    """Name the words of a language by their ranks: s0, s1 and so on, or t0."""
    all_words, lengths = (np.concatenate([part[n] for part in parts]) for n in (1, 2))
    names = [f"{side}{rank}" for rank in range(words)]
    return Phrases.of_numbered(NumberedText(names, all_words, lengths))


def find_translations(source: Phrases, target: Phrases) -> CandidatePairs:
    """Return the phrases that both sides have: words have the same numbers in both."""
    _, s, t = np.intersect1d(hash_phrases(source), hash_phrases(target), return_indices=True)
    there = np.ones(len(s), np.bool_)
    return CandidatePairs((s + 1).astype(np.int32), (t + 1).astype(np.int32), there, there)


def hash_phrases(phrases: Phrases) -> NDArray[np.int64]:
    marks = np.random.default_rng(2).integers(2**62, size=len(phrases.vocabulary))
    places = np.arange(len(phrases.words)) - np.repeat(phrases.offsets[:-1], phrases.lengths)
    sums: NDArray[np.int64] = np.add.reduceat(
        marks[phrases.words] * (2 * places + 1), phrases.offsets[1:-1]
    )
    return sums


def draw_model(
    generator: np.random.Generator,
    source: Phrases,
    target: Phrases,
    pairs: CandidatePairs,
    settings: Settings,
) -> Model:
    """Draw a model in which every word has its translation and wrong ones."""
    words = len(source.vocabulary)
    frequency = np.bincount(target.words, minlength=words)
    by_rank = np.argsort(-frequency[1:], kind="stable") + 1
    e = np.repeat(np.arange(words), ENTRIES)
    f = by_rank[generator.choice(words - 1, len(e), p=zipf(words - 1, FLATTER))]
    f[::ENTRIES] = np.maximum(e[::ENTRIES], 1)
    counts = generator.exponential(0.5, len(e)) + 0.05
    counts[::ENTRIES] = 5.0
    translation = TranslationModel.from_counts(
        Counts.total(e.astype(np.int32), f.astype(np.int32), counts),
        words,
        make_floors(target, settings),
        settings.prune,
        settings.word_smoothing,
    )
    lengths = np.zeros((source.max_length + 1, target.max_length + 1))
    np.add.at(lengths, (source.lengths[pairs.source], target.lengths[pairs.target]), 1.0)
    order = OrderModel.uncounted(settings.word_model, source.max_length, target.max_length)
    return Model(LengthModel.from_counts(lengths, 1.0), translation, order.normalised(), 0.4)


def make_alignment(
    source: Phrases, target: Phrases, model: Model, pairs: CandidatePairs, runner: Threads
) -> Alignment:
    """Return the translations as the alignment of one direction."""
    found = Alignment.empty(len(target))
    found.phrases[pairs.target] = pairs.source
    scores, _ = score_candidates(Task(source, target, Settings(), runner), model, pairs)
    found.log_prob[pairs.target] = scores + model.translation.log_floors(target)[pairs.target]
    return found


if __name__ == "__main__":
    main()
