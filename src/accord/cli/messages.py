"""What `mine`, `learn` and `apply` print about their inputs and their results."""

import json
from dataclasses import asdict
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from rich.markup import escape

from accord.cli.output import is_quiet, make_table, print_message, print_table, warn
from accord.cli.progress import has_line_per_iteration
from accord.cli.trace_lines import format_heading, format_row
from accord.settings import Settings

if TYPE_CHECKING:
    from accord.runs.folder import RunResults
    from accord.runs.inputs import Inputs

# With texts of fewer words, or fewer seed entries, few pairs are found (docs/benchmarks.md).
FEW_WORDS, FEW_SEEDS = 200_000, 500
# How many new terms `mine` prints, and how many letters of the context before each.
BEST_TERMS, BEFORE = 20, 12
FEW_ENTRIES = (
    "most entries are missing; check case (--lower of mine and phrases), tokenisation and languages"
)
# The same if seed and texts are lower-case.
FEW_LOWER_ENTRIES = "most entries are missing; check tokenisation and languages"
# Where a user finds what to do after a failed run.
TROUBLESHOOTING = "docs/troubleshooting.md: My run failed: why, and what now?"


def announce_compilation(kernel: Any = None) -> None:
    """Print a message if this kernel, by default that of the search, is not compiled yet."""
    from accord.learning.search.search_kernels import search_index
    from accord.system.compiled import is_compiled

    if not is_compiled(kernel or search_index):
        print_message("Compiling for this machine; this is needed once, and takes half a minute.")


def print_inputs(inputs: "Inputs", *, is_lower: bool = False) -> None:
    """Print what was read; `is_lower` means that seed and texts have been lower-cased."""
    print_message(f"source: {inputs.source_lines}")
    print_message(f"target: {inputs.target_lines}")
    if inputs.start:
        phrases = f"{len(inputs.source) - 1:,} source and {len(inputs.target) - 1:,} target phrases"
        print_message(f"with those of the model: {phrases}, and its seed")
    used = f"{len(inputs.seed.entries):,} of {inputs.seed_entries:,} entries"
    print_message(f"seed: {used} have their words in both corpora")
    if 2 * len(inputs.seed.entries) < inputs.seed_entries:
        print_message(f"seed: {FEW_LOWER_ENTRIES if is_lower else FEW_ENTRIES}")
    _print_expectation(inputs)
    if inputs.seed.accepted or inputs.seed.rejected:
        accepted, rejected = len(inputs.seed.accepted), len(inputs.seed.rejected)
        print_message(f"reviewed: {accepted:,} accepted, {rejected:,} rejected")
    for side, vectors in zip(("source", "target"), inputs.vectors or (), strict=False):
        print_message(f"{side} vectors: of {len(vectors.words):,} words")
    if inputs.gold:
        known = f"{inputs.count_known_gold():,} of {len(inputs.gold.pairs):,} pairs"
        print_message(f"gold: {known} have their phrases in both corpora")


def _print_expectation(inputs: "Inputs") -> None:
    """Say before a long run that the texts or the seed are too small to expect much."""
    if not inputs.sentences:
        return
    words = min(int(side.frequency.sum()) for side in inputs.sentences)
    if words < FEW_WORDS:
        print_message(
            f"The shorter text has {words:,} words: with fewer than {FEW_WORDS:,}, expect few new "
            "pairs, and check each."
        )
    if len(inputs.seed.entries) < FEW_SEEDS:
        print_message(
            f"With fewer than {FEW_SEEDS:,} seed entries in the texts, expect few new words; "
            "`accord seed` finds more in a dictionary."
        )


def print_results(
    results: "RunResults", settings: Settings, out: Path, *, as_json: bool, applied: bool = False
) -> None:
    from accord.runs.changes import count_changes, describe_changes
    from accord.runs.folder import RunFolder

    folder = RunFolder(out)
    if as_json:
        answer = {
            "settings": asdict(settings),
            "trace": results.trace,
            "quality": results.quality.as_dict(),
            "files": folder.files,
        }
        if results.changes is not None:
            answer["changes"] = count_changes(results.changes)
        print(json.dumps(answer, ensure_ascii=False))
        if results.quality.failed:
            warn(results.quality.describe(advice=not applied))
        return
    if results.is_old or is_quiet():
        if results.quality.failed:
            warn(results.quality.describe(advice=not applied))
        return
    if not (applied or has_line_per_iteration()):
        print(format_heading(results.trace[-1]), *map(format_row, results.trace), sep="\n")
    print(f"{len(results.lexicon):,} word pairs in {folder.lexicon}")
    print(f"{len(results.phrases):,} phrase pairs in {folder.phrases}")
    if folder.contexts.exists():
        print(f"contexts of the phrase pairs in {folder.contexts}")
    if results.changes is not None:
        print(f"{describe_changes(results.changes)} All are listed in {folder.changes}.")
    for sentence in results.quality.list_sentences(advice=not applied):
        print(sentence)
    if folder.contexts.exists() and not results.quality.failed:
        _print_best_terms(results, folder.contexts)
    _print_next_steps(out, has_failed=results.quality.failed)


def _print_best_terms(results: "RunResults", contexts: Path) -> None:
    """Print the best new pairs, each with a context of its source."""
    from accord.runs.terms import find_best_terms
    from accord.runs.tsv import read_contexts

    best = find_best_terms(results.phrases, results.trained.whole_seed.entries, BEST_TERMS)
    if not best:
        return
    found = read_contexts(contexts, {pair[:2] for pair in best})
    table = make_table()
    for heading, narrowest, widest in (
        ("source", 12, 32), ("target", 12, 32), ("confidence", 10, 10), ("in context", 20, 60)
    ):  # fmt: skip
        table.add_column(heading, no_wrap=True, min_width=narrowest, max_width=widest)
    for pair in best:
        seen = found.get(pair[:2])
        snippet = _shorten_context(seen.source[0]) if seen and seen.source else ""
        confidence = "" if pair.confidence is None else f"{pair.confidence:.2f}"
        table.add_row(*map(escape, (pair.source, pair.target, confidence, snippet)))
    print("\nThe best new terms:")
    print_table(table)


def _shorten_context(snippet: str) -> str:
    """Return a snippet with only a few letters before the phrase, which is in brackets."""
    before, bracket, rest = snippet.partition("[")
    if len(before) > BEFORE:
        before = "…" + before[-BEFORE:]
    return f"{before}{bracket}{rest}"


def _print_next_steps(out: Path, *, has_failed: bool) -> None:
    run = quote(str(out))
    print(f"\nNext:\n  accord report {run} --open")
    if has_failed:
        print(f"  read {TROUBLESHOOTING}")
    else:
        print(f"  accord review {run}\n  accord export {run} --to csv --out pairs.csv")
