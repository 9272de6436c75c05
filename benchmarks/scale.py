"""How time and memory grow with the number of phrases.

    python -m benchmarks.scale --text A.en-zh.tsv.xz [B.en-zh.tsv.xz …] --source-lang zh
                               --target-lang en --seed DICTIONARY --work FOLDER
                               [--sizes 50000 200000 800000 3000000] [--agreement METHOD …]
                               [--iterations N] [--seeds 1000] [--prune P] [--threads N]
                               [--memory SIZE] [--fast] [--json]

Source phrases are n-grams of up to five words of the first half of each text, target phrases
those of the second half, without digits and punctuation: the most frequent, as many as the largest
size. If there are too few, real phrases with their words in another order are added, and their
number is reported (padded). Smaller sizes are random subsets. Seeds are the first entries of a
dictionary (two columns) whose words the smallest size has on both sides; they are the same for all
sizes. Phrases are made once, and kept in --work.

Each size and agreement method runs in a process of its own, after a warm-up that compiles. The
exponents are the slopes of lines fitted to the logarithms of the seconds of the last iteration, and
of the peak memory, over the logarithm of the number of phrases. (On a machine with other load, look
at the CPU seconds.) Peak memory is that of the whole process, including some 200 MB for the
interpreter and the libraries, which hide the growth at small sizes. The shares of the parts are
those of all iterations together. Without --text, and with --fast, on a few hundred synthetic
phrases.
"""

import argparse
import json
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any, get_args

import numpy as np

from accord.evidence.prior import Prior
from accord.evidence.seed import Entry
from accord.experiments.artificial import plant
from accord.learning.em import em_iterations, initial_state
from accord.learning.model.translation import find_shared_entries
from accord.learning.task import Task
from accord.runs.inputs import Inputs
from accord.settings import Agreement, Settings
from accord.system.runners.threads import Threads
from accord.system.writing import write_text
from benchmarks.halves import report
from benchmarks.harness import add_figures_flag, format_rounded, write_figures
from benchmarks.isolation import peak_mb, run_isolated
from benchmarks.profiler import PARTS, Profiler, compute_shares
from benchmarks.sized_corpora import (
    SIDES,
    count_padding,
    phrase_file,
    read_first_phrases,
    read_seeds,
    write_phrases,
)

SIZES = [50_000, 200_000, 800_000, 3_000_000]
FEW = [200, 400, 800]
MAX_WORDS = 20

Run = dict[str, Any]


def main(arguments: list[str] | None = None) -> None:
    options = parse_options(arguments)
    with TemporaryDirectory() as temporary:
        folder = Path(temporary) if options.fast else options.work
        largest, smallest = max(options.sizes), min(options.sizes)
        # Isolated, as everything large: processes inherit the peak memory of their parent.
        if options.fast:
            seeds = run_isolated(write_synthetic_phrases, largest, options.seeds, folder)
        else:
            run_isolated(
                write_phrases,
                options.text,
                (options.source_lang, options.target_lang),
                largest,
                folder,
            )
            seeds = run_isolated(read_seeds, options.seed, options.seeds, folder, largest, smallest)
        runs = [
            measure(folder, largest, size, method, seeds, options)
            for method in options.agreement
            for size in options.sizes
        ]
    exponents = {method: fit_exponents(runs, method) for method in options.agreement}
    if options.figures:
        write_scale_figures(options.figures, [run for run in runs if "killed" not in run])
    if options.json:
        print(json.dumps({"runs": runs, "exponents": exponents}))
        return
    for run in runs:
        show(run)
    for method, numbers in exponents.items():
        print(f"{method} agreement, by the number of phrases")
        for name, value in numbers.items():
            print(f"  {name.replace('_', ' '):42s} {value:6.2f}")


def write_scale_figures(path: Path, runs: list[Run]) -> None:
    """Write what the last iteration of each run took."""
    write_figures(
        path,
        "scale",
        "python -m benchmarks.scale --text A.en-zh.tsv.xz B.en-zh.tsv.xz --source-lang zh "
        "--target-lang en --seed DICTIONARY --work FOLDER",
        {
            "phrases": "phrases per side",
            "agreement": "agreement",
            "cpu_seconds": "CPU seconds",
            "search": "of it search",
            "start": "start, seconds",
            "memory": "peak memory",
        },
        {
            f"{run['agreement']}_{run['size']}": {
                "phrases": f"{run['size']:,}",
                "agreement": run["agreement"],
                "cpu_seconds": format_rounded(run["iterations"][-1]["cpu_seconds"]),
                "search": f"{run['shares']['search']:.0%}",
                "start": f"{run['start_seconds']:,.0f}",
                "memory": f"{run['peak_mb'] / 1000:.1f} GB",
            }
            for run in runs
        },
    )


def parse_options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--text", type=Path, nargs="+", help="sentence pairs: .tsv or .tmx")
    parser.add_argument("--source-lang")
    parser.add_argument("--target-lang")
    parser.add_argument("--seed", type=Path, help="dictionary: two columns")
    parser.add_argument("--work", type=Path, help="folder for the phrases")
    parser.add_argument("--sizes", type=int, nargs="+", help="phrases per side")
    methods = get_args(Agreement)
    parser.add_argument("--agreement", nargs="+", choices=methods, default=["inner", "posterior"])
    parser.add_argument("--iterations", type=int, default=4)
    parser.add_argument("--seeds", type=int, default=1_000)
    parser.add_argument("--prune", type=float, help="as the setting of accord learn")
    parser.add_argument("--memory", help="as the flag of accord learn")
    parser.add_argument("--threads", type=int, help="default: the number of cores")
    parser.add_argument("--fast", action="store_true", help="small, on synthetic phrases")
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_figures_flag(parser)
    options = parser.parse_args(arguments)
    options.fast |= options.text is None
    options.sizes = sorted(set(options.sizes or (FEW if options.fast else SIZES)))
    needed = options.source_lang, options.target_lang, options.seed, options.work
    if not options.fast and not all(needed):
        parser.error("--text needs --source-lang, --target-lang, --seed and --work")
    return options


def write_synthetic_phrases(largest: int, seeds: int, folder: Path) -> list[Entry]:
    """Write synthetic phrases in random order, in files like those of real ones; return seeds."""
    half = largest // 2
    made = plant(words=max(50, largest // 4), phrases=largest - half, noise=half)
    generator = np.random.default_rng(0)
    for side, phrases in zip(SIDES, (made.source, made.target), strict=True):
        order = generator.permutation(largest).tolist()
        write_text(phrase_file(folder, side, largest), [phrases[n] for n in order])
    return made.lexicon[: min(seeds, len(made.lexicon) // 2)]


def measure(
    folder: Path,
    largest: int,
    size: int,
    method: Agreement,
    seeds: list[Entry],
    options: argparse.Namespace,
) -> Run:
    padded = [0, 0]
    if not options.fast:
        padded = [count_padding(folder, side, largest, size) for side in SIDES]
    run: Run = {"agreement": method, "size": size}
    run |= {f"{side}_padded": number for side, number in zip(SIDES, padded, strict=True)}
    report(f"{method} agreement, {size:,} phrases per side")
    settings = Settings(
        agreement=method, iterations=options.iterations, tolerance=0.0, prune=options.prune
    )
    try:
        run |= run_isolated(
            learn, folder, largest, size, seeds, settings, options.threads, options.memory
        )
    except BrokenProcessPool:
        report("the process was killed, perhaps for lack of memory")
        run["killed"] = True
    return run


def learn(
    folder: Path,
    largest: int,
    size: int,
    seeds: list[Entry],
    settings: Settings,
    threads: int | None,
    memory: str | None,
) -> Run:
    """Run one job in its own process, and measure each iteration."""
    runner = Threads(threads, memory=memory)
    warm_up(settings, runner)
    begun = perf_counter()
    source, target = (read_first_phrases(folder, side, largest, size) for side in SIDES)
    given = Inputs.of(source, target, seeds, None, max_words=MAX_WORDS)
    read = perf_counter()
    run: Run = {
        "source_phrases": len(given.source) - 1,
        "target_phrases": len(given.target) - 1,
        "seeds": len(given.seed.entries),
        "threads": runner.threads,
        "reading_seconds": read - begun,
        "peak_mb_after_reading": peak_mb(),
    }
    run["iterations"] = iterations_of(given, settings, runner)
    run["start_seconds"] = perf_counter() - read - sum(row["seconds"] for row in run["iterations"])
    run["peak_mb"] = peak_mb()
    seconds = {
        part: sum(row["parts"][part] for row in run["iterations"]) for part in PARTS.values()
    }
    return run | {"shares": compute_shares(seconds)}


def iterations_of(given: Inputs, settings: Settings, runner: Threads) -> list[Run]:
    """Return what each iteration took, and what it found."""
    source, target = given.source, given.target
    seed, _ = given.seed.split_held_out(settings.held_out)
    prior = Prior.of(seed, source, target, settings)
    task = Task(source, target, settings, runner)
    state = initial_state(task, prior)
    iterations = em_iterations(task, prior, state)
    rows: list[Run] = []
    while True:
        begun, worked = perf_counter(), process_time()
        with Profiler() as parts:
            following = next(iterations, None)
        seconds, cpu_seconds = perf_counter() - begun, process_time() - worked
        if following is None:
            return rows
        translations = following.forward.translation, following.backward.translation
        rows.append(
            {
                "iteration": following.iteration,
                "seconds": seconds,
                "cpu_seconds": cpu_seconds,
                # Word pairs that both directions have learned, whatever their probability.
                "lexicon_entries": len(find_shared_entries(*translations)[0]),
                "agreed_links": len(following.agreed),
                "parts": parts.seconds,
            }
        )
        report(iteration_line(rows[-1]))


def warm_up(settings: Settings, runner: Threads) -> None:
    """Run an iteration on synthetic phrases, so that compiling is not measured."""
    made = plant(words=50, phrases=100, noise=0)
    given = Inputs.of(made.source, made.target, made.lexicon[:25], None, max_words=MAX_WORDS)
    prior = Prior.of(given.seed, given.source, given.target, settings)
    task = Task(given.source, given.target, settings, runner)
    next(em_iterations(task, prior, initial_state(task, prior)))


def fit_exponents(runs: list[Run], method: str) -> dict[str, float]:
    """Return how the last iteration and the peak memory grow; nothing for a single size."""
    done = [run for run in runs if run["agreement"] == method and "killed" not in run]
    if len(done) < 2:
        return {}
    phrases = [run["source_phrases"] + run["target_phrases"] for run in done]
    last = [run["iterations"][-1] for run in done]
    return {
        "exponent_of_last_iteration_seconds": fit_exponent(
            phrases, [row["seconds"] for row in last]
        ),
        "exponent_of_last_iteration_cpu_seconds": fit_exponent(
            phrases, [row["cpu_seconds"] for row in last]
        ),
        "exponent_of_peak_mb": fit_exponent(phrases, [run["peak_mb"] for run in done]),
    }


def fit_exponent(sizes: list[int], values: list[float]) -> float:
    """Return the slope of log(values) over log(sizes), by least squares."""
    return float(np.polyfit(np.log(sizes), np.log(values), 1)[0])


def show(run: Run) -> None:
    print(f"{run['agreement']} agreement, {run['size']:,} phrases per side", end="")
    if "killed" in run:
        print(": killed\n")
        return
    print(
        f" ({run['source_padded']:,} and {run['target_padded']:,} padded), "
        f"{run['seeds']:,} seeds, {run['threads']} threads"
    )
    print(f"  reading {run['reading_seconds']:.1f} s, start {run['start_seconds']:.1f} s")
    for row in run["iterations"]:
        print(f"  {iteration_line(row)}")
    print(
        f"  peak memory {run['peak_mb']:,.0f} MB, {run['peak_mb_after_reading']:,.0f} MB of it "
        "after reading the phrases"
    )
    print("  " + ", ".join(f"{part} {share:.0%}" for part, share in run["shares"].items()) + "\n")


def iteration_line(row: Run) -> str:
    return (
        f"iteration {row['iteration']}: {row['seconds']:.2f} s, {row['cpu_seconds']:.2f} CPU s, "
        f"{row['lexicon_entries']:,} word pairs, {row['agreed_links']:,} links"
    )


if __name__ == "__main__":
    main()
