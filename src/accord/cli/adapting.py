"""The command `adapt`: from a small table of another domain to one of this domain."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from accord.cli import flags
from accord.cli.output import show, table, tell
from accord.cli.progress import megabytes
from accord.cli.telling import tell_compiling
from accord.errors import OutputError

if TYPE_CHECKING:
    from rich.table import Table

    from accord.translate.adaptation.evaluation import BleuRow

PAIRS = ".tsv or .tmx, or the flag twice, for a file of lines each"


def adapt(
    outside: Annotated[
        Path,
        typer.Option("--table", help="Phrase pairs of another domain: a Moses table, or TSV."),
    ],
    source_text: Annotated[Path, typer.Option(help="Source text of this domain.")],
    target_text: Annotated[Path, typer.Option(help="Target text of this domain; not parallel.")],
    dev: Annotated[
        list[Path], typer.Option(metavar="<path>", help=f"Sentence pairs to tune on: {PAIRS}.")
    ],
    test: Annotated[
        list[Path], typer.Option(metavar="<path>", help=f"Sentence pairs to test on: {PAIRS}.")
    ],
    source_lang: flags.SourceLanguage,
    target_lang: flags.TargetLanguage,
    out: Annotated[Path, typer.Option(help="Folder for the tables and results; must not exist.")],
    lm_text: Annotated[
        Path | None, typer.Option(help="Text for the language model. Default: the target text.")
    ] = None,
    source_vectors: flags.Vectors = None,
    target_vectors: flags.Vectors = None,
    iterations: Annotated[int, typer.Option(min=1, help="Iterations of each method.")] = 10,
    min_count: Annotated[int, typer.Option(min=1, help="Phrases stand in the text so often.")] = 5,
    max_words: Annotated[int, typer.Option(min=1, help="Words of a phrase, at most.")] = 4,
    order: Annotated[int, typer.Option(min=1, max=6, help="Of the language model.")] = 4,
    threads: flags.Threads = None,
    as_json: flags.Json = False,
) -> None:
    """Learn a phrase table from text that is not parallel, and see it translate.

    The paper's Table 4: the pairs and the BLEU after each iteration, of each direction alone, of
    outer and inner agreement, of what Accord does by itself, and of that with word vectors where
    there are any. Text is lower-cased. The folder gets table.gz, lm.arpa and weights.ini of the
    last, for `translate`, and results.json.
    """
    from accord.system.runners.threads import Threads
    from accord.translate.adaptation.evaluation import adapt_and_evaluate
    from accord.translate.adaptation.inputs import AdaptationPlan

    if out.exists():
        raise OutputError(f"{out}: exists; choose another folder")
    plan = AdaptationPlan(
        outside=outside,
        source_text=source_text,
        target_text=target_text,
        dev=dev,
        test=test,
        lm_text=lm_text or target_text,
        languages=(source_lang, target_lang),
        vectors=(source_vectors, target_vectors),
        iterations=iterations,
        min_count=min_count,
        max_words=max_words,
        order=order,
    )
    tell_compiling()
    with megabytes("Reading") as read:
        given = plan.read(read)
    result = adapt_and_evaluate(given, plan, Threads(threads), out, tell)
    if as_json:
        print(json.dumps(result.as_dict(), ensure_ascii=False))
        return
    show(_table(result.rows, "pairs", lambda row: f"{row.pairs:,}"))
    show(_table(result.rows, "BLEU", lambda row: f"{row.bleu:.2f}"))
    print(result.signature)
    for name, p in result.p_values.items():
        print(f"{result.rows[-1].method} against {name}: p = {p:.3f} (paired bootstrap)")
    print(f"table, language model and weights in {out}")


def _table(rows: "list[BleuRow]", title: str, shown: "Callable[[BleuRow], str]") -> "Table":
    """A column for each method; all begin with the first table."""
    methods = list(dict.fromkeys(row.method for row in rows if row.iteration))
    made = table(title, *methods)
    for column in made.columns:
        column.justify = "right"
    for iteration in sorted({row.iteration for row in rows}):
        found = {row.method: row for row in rows if row.iteration == iteration}
        cells = (
            [found[method] for method in methods] if iteration else [*found.values()] * len(methods)
        )
        made.add_row(str(iteration), *map(shown, cells))
    return made
