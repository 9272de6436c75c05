"""How seconds and memory grow with the number of phrases.

    python -m benchmarks.scale --text A.en-zh.tsv.xz [B.en-zh.tsv.xz …] --source-lang zh
                               --target-lang en --seed DICTIONARY --work FOLDER
                               [--sizes 50000 200000 800000 3000000] [--agreement KIND …]
                               [--iterations N] [--seeds 1000] [--prune P] [--threads N]
                               [--memory SIZE] [--fast] [--json]

Source phrases are n-grams of up to five words of the first half of each text, target phrases
those of the second half, without digits and punctuation: as many of the most frequent as the
largest size has. If there are too few, real phrases with their words in another order make up
the rest, and it is told how many (padded). Smaller sizes are random subsets. Seeds are the first
entries of a dictionary (two columns) whose words the smallest size has on both sides; they are the
same for all. Phrases are made once, and kept in --work.

Each size and kind of agreement runs in a process of its own, after a warm-up that compiles. The
exponents are the slopes of the lines fitted to the logarithms of the seconds of the last
iteration, and of the peak memory, by the logarithm of the number of phrases. (On a machine that
has other work, look at the CPU seconds.) Peak memory is that of the whole process, of which the
interpreter and the libraries are some 200 MB: where sizes are small, there seems to be little
growth. The shares of the parts are those of all iterations together.
Without --text, and with --fast, on a few hundred planted phrases.
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
from benchmarks.alone import alone, peak_mb
from benchmarks.growing import (
    SIDES,
    first_phrases,
    first_seeds,
    grow,
    padded_phrases,
    phrase_file,
)
from benchmarks.halves import tell
from benchmarks.parts import PARTS, Parts, shares

SIZES = [50_000, 200_000, 800_000, 3_000_000]
FEW = [200, 400, 800]
MAX_WORDS = 20

Run = dict[str, Any]


def main(arguments: list[str] | None = None) -> None:
    options = options_of(arguments)
    with TemporaryDirectory() as temporary:
        folder = Path(temporary) if options.fast else options.work
        largest, smallest = max(options.sizes), min(options.sizes)
        # Alone, as all that is large: processes inherit the peak of the one that starts them.
        if options.fast:
            seeds = alone(plant_files, largest, options.seeds, folder)
        else:
            alone(grow, options.text, (options.source_lang, options.target_lang), largest, folder)
            seeds = alone(first_seeds, options.seed, options.seeds, folder, largest, smallest)
        runs = [
            measured(folder, largest, size, kind, seeds, options)
            for kind in options.agreement
            for size in options.sizes
        ]
    exponents = {kind: exponents_of(runs, kind) for kind in options.agreement}
    if options.json:
        print(json.dumps({"runs": runs, "exponents": exponents}))
        return
    for run in runs:
        show(run)
    for kind, numbers in exponents.items():
        print(f"{kind} agreement, by the number of phrases")
        for name, value in numbers.items():
            print(f"  {name.replace('_', ' '):42s} {value:6.2f}")


def options_of(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--text", type=Path, nargs="+", help="sentence pairs: .tsv or .tmx")
    parser.add_argument("--source-lang")
    parser.add_argument("--target-lang")
    parser.add_argument("--seed", type=Path, help="dictionary: two columns")
    parser.add_argument("--work", type=Path, help="folder for the phrases")
    parser.add_argument("--sizes", type=int, nargs="+", help="phrases a side")
    kinds = get_args(Agreement)
    parser.add_argument("--agreement", nargs="+", choices=kinds, default=["inner", "posterior"])
    parser.add_argument("--iterations", type=int, default=4)
    parser.add_argument("--seeds", type=int, default=1_000)
    parser.add_argument("--prune", type=float, help="as the setting of accord learn")
    parser.add_argument("--memory", help="as the flag of accord learn")
    parser.add_argument("--threads", type=int, help="as many as there are cores, if not given")
    parser.add_argument("--fast", action="store_true", help="small, on planted phrases")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args(arguments)
    options.fast |= options.text is None
    options.sizes = sorted(set(options.sizes or (FEW if options.fast else SIZES)))
    needed = options.source_lang, options.target_lang, options.seed, options.work
    if not options.fast and not all(needed):
        parser.error("--text needs --source-lang, --target-lang, --seed and --work")
    return options


def plant_files(largest: int, seeds: int, folder: Path) -> list[Entry]:
    """Planted phrases in random order, in files as those of real ones; and seeds."""
    half = largest // 2
    made = plant(words=max(50, largest // 4), phrases=largest - half, noise=half)
    generator = np.random.default_rng(0)
    for side, phrases in zip(SIDES, (made.source, made.target), strict=True):
        order = generator.permutation(largest).tolist()
        write_text(phrase_file(folder, side, largest), [phrases[n] for n in order])
    return made.lexicon[: min(seeds, len(made.lexicon) // 2)]


def measured(
    folder: Path,
    largest: int,
    size: int,
    kind: Agreement,
    seeds: list[Entry],
    options: argparse.Namespace,
) -> Run:
    padded = [0, 0]
    if not options.fast:
        padded = [padded_phrases(folder, side, largest, size) for side in SIDES]
    run: Run = {"agreement": kind, "size": size}
    run |= {f"{side}_padded": number for side, number in zip(SIDES, padded, strict=True)}
    tell(f"{kind} agreement, {size:,} phrases a side")
    settings = Settings(
        agreement=kind, iterations=options.iterations, tolerance=0.0, prune=options.prune
    )
    try:
        run |= alone(learn, folder, largest, size, seeds, settings, options.threads, options.memory)
    except BrokenProcessPool:
        tell("the process was killed; was there too little memory?")
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
    """One job, in its own process, with what each iteration took."""
    runner = Threads(threads, memory=memory)
    warm_up(settings, runner)
    begun = perf_counter()
    source, target = (first_phrases(folder, side, largest, size) for side in SIDES)
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
    return run | {"shares": shares(seconds)}


def iterations_of(given: Inputs, settings: Settings, runner: Threads) -> list[Run]:
    """What each iteration took, and what it found."""
    source, target = given.source, given.target
    seed, _ = given.seed.split_held_out(settings.held_out)
    prior = Prior.of(seed, source, target, settings)
    task = Task(source, target, settings, runner)
    state = initial_state(task, prior)
    iterations = em_iterations(task, prior, state)
    rows: list[Run] = []
    while True:
        begun, worked = perf_counter(), process_time()
        with Parts() as parts:
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
                # Of word pairs, those that both directions have learned, however improbable.
                "lexicon_entries": len(find_shared_entries(*translations)[0]),
                "agreed_links": len(following.agreed),
                "parts": parts.seconds,
            }
        )
        tell(iteration_line(rows[-1]))


def warm_up(settings: Settings, runner: Threads) -> None:
    """An iteration on planted phrases, so that compiling is not measured."""
    made = plant(words=50, phrases=100, noise=0)
    given = Inputs.of(made.source, made.target, made.lexicon[:25], None, max_words=MAX_WORDS)
    prior = Prior.of(given.seed, given.source, given.target, settings)
    task = Task(given.source, given.target, settings, runner)
    next(em_iterations(task, prior, initial_state(task, prior)))


def exponents_of(runs: list[Run], kind: str) -> dict[str, float]:
    """How the last iteration and the peak memory grow; nothing, of a single size."""
    done = [run for run in runs if run["agreement"] == kind and "killed" not in run]
    if len(done) < 2:
        return {}
    phrases = [run["source_phrases"] + run["target_phrases"] for run in done]
    last = [run["iterations"][-1] for run in done]
    return {
        "exponent_of_last_iteration_seconds": exponent(phrases, [row["seconds"] for row in last]),
        "exponent_of_last_iteration_cpu_seconds": exponent(
            phrases, [row["cpu_seconds"] for row in last]
        ),
        "exponent_of_peak_mb": exponent(phrases, [run["peak_mb"] for run in done]),
    }


def exponent(sizes: list[int], values: list[float]) -> float:
    """The slope of log(values) by log(sizes), by least squares."""
    return float(np.polyfit(np.log(sizes), np.log(values), 1)[0])


def show(run: Run) -> None:
    print(f"{run['agreement']} agreement, {run['size']:,} phrases a side", end="")
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
        "when the phrases were read"
    )
    print("  " + ", ".join(f"{part} {share:.0%}" for part, share in run["shares"].items()) + "\n")


def iteration_line(row: Run) -> str:
    return (
        f"iteration {row['iteration']}: {row['seconds']:.2f} s, {row['cpu_seconds']:.2f} CPU s, "
        f"{row['lexicon_entries']:,} word pairs, {row['agreed_links']:,} links"
    )


if __name__ == "__main__":
    main()
