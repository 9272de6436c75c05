"""What `learn`, `mine` and `apply` say: of their inputs before, of what is learned after."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table

from accord.cli.output import number, show, table, tell
from accord.runs.changes import count_changes, describe_changes
from accord.settings import Settings

if TYPE_CHECKING:
    from accord.runs.folder import RunResults
    from accord.runs.inputs import Inputs
    from accord.runs.trace import TraceRow

# The keys of the trace that are shown.
SHOWN = (
    *("iteration", "forward_links", "backward_links", "agreed_links", "agreement_ratio", "ties"),
    *("changed", "f1", "seconds"),
)


def tell_compiling(kernel: Any = None) -> None:
    """Print a line if this kernel must be compiled first; by default, that of the search."""
    from accord.learning.search.search_kernels import search_index
    from accord.system.compiled import is_compiled

    if not is_compiled(kernel or search_index):
        tell("Compiling for this machine: once, and half a minute.")


def tell_inputs(inputs: "Inputs") -> None:
    tell(f"source: {inputs.source_lines}")
    tell(f"target: {inputs.target_lines}")
    if inputs.start:
        phrases = f"{len(inputs.source) - 1:,} source and {len(inputs.target) - 1:,} target phrases"
        tell(f"with those of the model: {phrases}, and its seed")
    used = f"{len(inputs.seed.entries):,} of {inputs.seed_entries:,} entries"
    tell(f"seed: {used} have their words in both corpora")
    if inputs.seed.accepted or inputs.seed.rejected:
        accepted, rejected = len(inputs.seed.accepted), len(inputs.seed.rejected)
        tell(f"judged by people: {accepted:,} accepted, {rejected:,} rejected")
    for side, vectors in zip(("source", "target"), inputs.vectors or (), strict=False):
        tell(f"{side} vectors: {len(vectors.words):,} words have one")
    if inputs.gold:
        known = f"{inputs.count_known_gold():,} of {len(inputs.gold.pairs):,} pairs"
        tell(f"gold: {known} have their phrases in both corpora")


def show_learned(
    learned: "RunResults", settings: Settings, out: Path, *, as_json: bool, applied: bool = False
) -> None:
    from accord.runs.folder import RunFolder

    folder = RunFolder(out)
    if as_json:
        answer = {
            "settings": asdict(settings),
            "trace": learned.trace,
            "quality": learned.quality.as_dict(),
            "files": folder.files,
        }
        if learned.changes is not None:
            answer["changes"] = count_changes(learned.changes)
        print(json.dumps(answer, ensure_ascii=False))
        return
    if not applied:
        show(_trace_table(learned.trace))
    print(f"{len(learned.lexicon):,} word pairs in {folder.lexicon}")
    print(f"{len(learned.phrases):,} phrase pairs in {folder.phrases}")
    if folder.contexts.exists():
        print(f"where they were seen, in {folder.contexts}")
    if learned.changes is not None:
        print(f"{describe_changes(learned.changes)} Each is in {folder.changes}.")
    if words := learned.quality.describe(advice=not applied):
        print(words)


def _trace_table(trace: "list[TraceRow]") -> Table:
    from accord.runs.trace import HEADS

    heads = HEADS | {"iteration": "iter"}  # as 80 columns are few
    shown = [key for key in SHOWN if key in trace[-1]]
    rows = table()
    for key in shown:
        rows.add_column(heads[key], justify="right", no_wrap=True)
    for row in trace:
        rows.add_row(*(number(row[key], 1 if key == "seconds" else 3) for key in shown))
    return rows
