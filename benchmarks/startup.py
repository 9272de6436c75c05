"""How long a user waits: for the first run, which compiles, and for a second one.

    python -m benchmarks.startup [--json]

Both learn from 1,000 x 1,000 synthetic phrases, in a process of their own, including imports.
"""

import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from accord.experiments.artificial import plant
from accord.system.writing import write_text
from benchmarks.harness import parse_options, print_answer


def main(arguments: list[str] | None = None) -> None:
    options = parse_options(__doc__, arguments)
    with TemporaryDirectory() as name:
        folder = Path(name)
        planted = plant(words=500, phrases=500, noise=500)
        write_text(folder / "source.txt", planted.source)
        write_text(folder / "target.txt", planted.target)
        write_text(folder / "seed.tsv", ["\t".join(entry) for entry in planted.lexicon[:50]])
        first = time_learning(folder)
        second = median(time_learning(folder) for _ in range(options.repeats))
    answer = {
        "first_run_seconds": first,
        "second_run_seconds": second,
        "first_run_seconds_over_second_run_seconds": first / second,
    }
    print_answer(answer, as_json=options.json)


def time_learning(folder: Path) -> float:
    """Return the seconds of one `accord learn`, whose compiled kernels are kept in the folder."""
    command = "learn source.txt target.txt --seed seed.tsv --out out --force"
    begun = perf_counter()
    subprocess.run(
        [sys.executable, "-m", "accord", *command.split()],
        cwd=folder,
        env={**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache")},
        check=True,
        capture_output=True,
    )
    return perf_counter() - begun


if __name__ == "__main__":
    main()
