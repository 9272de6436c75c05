"""What Accord finds in real text that is not parallel, and how much of it is right.

    python -m benchmarks.real --data FOLDER --work FOLDER [--sets technology …] [--part dev]
                              [--sizes 200000 10000] [--seeds 1000 all]
                              [--methods accord skipgram ppmi vecmap monoses …] [--json]
                              [--figures docs/figures.json]
    python -m benchmarks.real --fast [--methods …] [--json]

`--data` is a folder of parallel texts and dictionaries (`sets.py` names them), which are cut into
texts that are not parallel. `judge.py` describes when a pair counts as right, `measures.py` what is
measured. Results are kept in --work, and are measured again without learning again unless --again
is given. `baselines.py` describes the methods besides Accord. --fast needs no data: it measures a
tiny artificial set.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from accord import __version__
from accord.settings import Settings
from accord.system.reading import read_lines
from benchmarks.halves import report
from benchmarks.harness import add_figures_flag, name_figure, write_figures
from benchmarks.real.baselines import BASELINES, learn_with_baseline
from benchmarks.real.judge import Judge, Pair
from benchmarks.real.measures import Judged, measure_new_words, measure_pairs
from benchmarks.real.sets import (
    PARTS,
    SEEDS,
    SETS,
    SIZES,
    Collection,
    CutSet,
    align_collection,
    cut_set,
    read_dictionary,
)
from benchmarks.real.synthetic import ARTIFICIAL, make_set
from benchmarks.real.systems import MIN_CONFIDENCE, Learned, learn_with_accord

ACCORD = "accord"
METHODS = ACCORD, *BASELINES


class Gold(NamedTuple):
    """What is right: the judge of phrase pairs, and the dictionary that evaluates words."""

    judge: Judge
    words: list[Pair]


def parse_flags(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, help="folder of parallel texts")
    parser.add_argument("--work", type=Path, help="folder for what takes long")
    parser.add_argument("--fast", action="store_true", help="a tiny artificial set, without data")
    parser.add_argument("--sets", nargs="*", choices=SETS, default=[*SETS])
    parser.add_argument("--part", choices=PARTS, default="dev")
    parser.add_argument("--sizes", nargs="*", type=int, choices=SIZES, default=SIZES)
    parser.add_argument("--seeds", nargs="*", type=_seeds, default=SEEDS, metavar="N|all")
    parser.add_argument("--methods", nargs="*", choices=METHODS, default=[ACCORD])
    parser.add_argument("--again", action="store_true", help="learn again")
    parser.add_argument("--name", default=ACCORD, help="of Accord's results, to keep several")
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_figures_flag(parser)
    options = parser.parse_args(arguments)
    if not options.fast and not (options.data and options.work):
        parser.error("give --data and --work, or --fast")
    return options


def _seeds(text: str) -> int | None:
    return None if text == "all" else int(text)


def main(arguments: list[str] | None = None) -> None:
    options = parse_flags(arguments)
    rows = []
    for row in measure_synthetic(options) if options.fast else measure_sets(options):
        report(json.dumps(row, ensure_ascii=False))
        rows.append(row)
    if options.figures:
        write_real_figures(options.figures, rows)
    if options.json:
        print(json.dumps(rows, ensure_ascii=False))
    else:
        show(rows)


def measure_synthetic(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    with TemporaryDirectory() as folder:
        cut, judge, words = make_set(Path(folder))
        for method in options.methods:
            learned = learn_set(cut, ARTIFICIAL, method, options)
            yield measure_set(cut, Gold(judge, words), method, learned)


def measure_sets(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    for name in options.sets:
        chosen, collection = SETS[name], SETS[name].collection
        for size in options.sizes:
            for seeds in options.seeds:
                cut = cut_set(name, options.part, size, seeds, options.data, options.work)
                for method in options.methods:
                    learned = learn_set(cut, collection, method, options)
                    judge = Judge.of(align_collection(collection, options.data, options.work), cut)
                    words = [
                        entry
                        for dictionary in chosen.word_dictionaries
                        for entry in read_dictionary(
                            options.data / dictionary, collection.languages
                        )
                    ]
                    name_of_results = options.name if method == ACCORD else method
                    yield measure_set(cut, Gold(judge, words), name_of_results, learned)


def learn_set(
    cut: CutSet, collection: Collection, method: str, options: argparse.Namespace
) -> Learned:
    """Return what a method learns from a set; it is kept with the set."""
    name = options.name if method == ACCORD else method
    path = cut.folder / f"{name}-{cut.seeds or 'all'}.json"
    if options.again or not path.exists():
        if method == ACCORD:
            learned = learn_with_accord(cut, collection, Settings())
        else:
            report(f"{cut.name}: {method}")
            learned = learn_with_baseline(method, cut, collection)
        learned.write(path)
    return Learned.read(path)


def measure_set(cut: CutSet, gold: Gold, name: str, learned: Learned) -> dict[str, Any]:
    return {
        "set": cut.name,
        "seeds": cut.seeds or "all",
        "method": name,
        "seconds": round(learned.seconds),
        "iterations": learned.iterations,
        **measure_phrases(cut, gold.judge, learned),
        "words": measure_words(cut, gold.words, learned),
        "quality": learned.quality,
        "verdict": learned.verdict,
        "signature": make_signature(cut, Settings()),
    }


def measure_phrases(cut: CutSet, judge: Judge, learned: Learned) -> dict[str, Any]:
    """Measure new pairs; count identical strings and entries of the dictionary apart."""
    seed = set(_read_seed(cut))
    new = [pair for pair in learned.phrases if pair[0] != pair[1] and pair[:2] not in seed]
    delivered = [pair for pair in learned.phrases if pair[2] >= MIN_CONFIDENCE]
    judged = Judged.of(
        (confidence for _, _, confidence in new), (judge.accepts((e, f)) for e, f, _ in new)
    )
    return {
        **measure_pairs(judged, MIN_CONFIDENCE),
        "identical": sum(e == f for e, f, _ in delivered),
        "entries": sum((e, f) in seed for e, f, _ in delivered),
    }


def measure_words(
    cut: CutSet, dictionary: list[Pair], learned: Learned
) -> dict[str, dict[str, Any]]:
    """Measure new words: of all pairs, and of those with the least confidence."""
    counts, others = _count_words(cut.source), _count_words(cut.target)
    seeded = {e for e, _ in _read_seed(cut)}
    wanted: dict[str, set[str]] = {}
    for e, f in dictionary:
        if counts[e] >= 3 and others[f] >= 3 and e not in seeded and e != f:
            wanted.setdefault(e, set()).add(f)
    best: dict[str, tuple[float, str]] = {}
    for e, f, confidence in sorted(learned.words):
        best[e] = max(best.get(e, (-1.0, "")), (confidence, f))
    every = {e: f for e, (_, f) in best.items()}
    sure = {e: f for e, (confidence, f) in best.items() if confidence >= MIN_CONFIDENCE}
    return {
        "any_confidence": measure_new_words(every, wanted, counts),
        "delivered": measure_new_words(sure, wanted, counts),
    }


def _count_words(path: Path) -> Counter[str]:
    return Counter(word for _, line in read_lines(path) for word in line.split())


def _read_seed(cut: CutSet) -> list[tuple[str, str]]:
    pairs = (line.split("\t") for _, line in read_lines(cut.seed))
    return [(e, f) for e, f in pairs]


def make_signature(cut: CutSet, settings: Settings) -> str:
    """Return the version, the settings and the inputs of a run, in one line."""
    hashed = sha256(json.dumps(asdict(settings), sort_keys=True).encode())
    inputs = sha256()
    for path in (cut.source, cut.target, cut.seed):
        inputs.update(path.read_bytes())
    return f"accord:{__version__}|settings:{hashed.hexdigest()[:8]}|inputs:{inputs.hexdigest()[:8]}"


def write_real_figures(path: Path, rows: list[dict[str, Any]]) -> None:
    """Write the main figures to the docs."""
    command = "python -m benchmarks.real --data FOLDER --work FOLDER"
    heads = {
        "set": "set",
        "lines": "lines",
        "seeds": "seed",
        "method": "method",
        "pairs": "new pairs",
        "precision": "precision",
        "yield_80": "yield at 80%",
        "expected": "expected precision",
        "ece": "ECE",
        "p_at_1": "P@1",
    }
    figures = {
        name_figure(f"{row['set']} seeds {row['seeds']} {row['method']}"): {
            "set": row["set"].rpartition("-")[0] or row["set"],
            "lines": _read_size(row["set"]),
            "seeds": f"{row['seeds']:,}" if isinstance(row["seeds"], int) else row["seeds"],
            "method": row["method"],
            "pairs": f"{row['pairs']:,}",
            "precision": f"{row.get('precision', 0):.3f}",
            "yield_80": f"{row['yield_80']:,}",
            "expected": f"{row.get('expected', 0):.3f}",
            "ece": f"{row.get('ece', 0):.3f}",
            "p_at_1": f"{row['words']['any_confidence']['all']['p_at_1']:.3f}",
        }
        for row in rows
    }
    write_figures(path, "real_text", command, heads, figures)


def _read_size(name: str) -> str:
    """Return the lines of a set, which end its name."""
    size = name.rpartition("-")[2]
    return f"{int(size):,}" if size.isdigit() else ""


def show(rows: list[dict[str, Any]]) -> None:
    print(
        "| set | seeds | method | pairs | precision | yield at 80% | expected | ECE | "
        "P@1 | P@1 delivered | words covered | identical | entries | iterations | seconds |"
    )
    print("|---" * 15 + "|")
    for row in rows:
        words = [row["words"][which]["all"] for which in ("any_confidence", "delivered")]
        cells = [
            row["set"],
            row["seeds"],
            row["method"],
            f"{row['pairs']:,}",
            *(f"{row[name]:.3f}" if name in row else "" for name in ("precision",)),
            f"{row['yield_80']:,}",
            *(f"{row[name]:.3f}" if name in row else "" for name in ("expected", "ece")),
            *(f"{part['p_at_1']:.3f}" for part in words),
            f"{words[1]['coverage']:.3f}",
            *(f"{row[name]:,}" for name in ("identical", "entries", "iterations", "seconds")),
        ]
        print(f"| {' | '.join(map(str, cells))} |")


if __name__ == "__main__":
    main()
