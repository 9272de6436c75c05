"""The command `adapt`: from a phrase table of another domain to one of this domain."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from accord.cli import flags
from accord.cli.messages import announce_compilation
from accord.cli.output import make_table, print_message, print_table
from accord.cli.progress import show_megabytes
from accord.errors import OutputError

if TYPE_CHECKING:
    from rich.table import Table

    from accord.translate.adaptation.evaluation import AdaptationResult, BleuRow

OutsideTable = Annotated[
    Path, typer.Option("--table", help="Phrase pairs of another domain: a Moses table, or TSV.")
]
FILES = ".tsv, .tmx, or two files of lines, with the flag given twice"
TuningPairs = Annotated[
    list[Path], typer.Option(metavar="<path>", help=f"Sentence pairs to tune on: {FILES}.")
]
TestPairs = Annotated[
    list[Path], typer.Option(metavar="<path>", help=f"Sentence pairs to test on: {FILES}.")
]


def adapt(
    outside: OutsideTable,
    source_text: Annotated[Path, typer.Option(help="Source text of this domain.")],
    target_text: Annotated[Path, typer.Option(help="Target text of this domain, not parallel.")],
    dev: TuningPairs,
    test: TestPairs,
    source_lang: flags.SourceLanguage,
    target_lang: flags.TargetLanguage,
    out: Annotated[Path, typer.Option(help="Folder for the tables and results; must not exist.")],
    lm_text: Annotated[
        Path | None, typer.Option(help="Text for the language model. Default: the target text.")
    ] = None,
    source_vectors: flags.Vectors = None,
    target_vectors: flags.Vectors = None,
    iterations: Annotated[
        int, typer.Option(min=1, help="Number of iterations of each method.")
    ] = 10,
    min_count: Annotated[int, typer.Option(min=1, help="Least count of a phrase in the text.")] = 5,
    max_words: Annotated[int, typer.Option(min=1, help="Maximum words of a phrase.")] = 4,
    order: Annotated[int, typer.Option(min=1, max=6, help="Order of the language model.")] = 4,
    threads: flags.Threads = None,
    as_json: flags.Json = False,
) -> None:
    """Learn a phrase table from text that is not parallel, and evaluate its translations.

    The paper's Table 4: the number of pairs and the BLEU after each iteration, for each direction
    alone, outer agreement, inner agreement, posterior agreement and, with word vectors, posterior
    agreement with these. Text is lower-cased. The folder gets table.gz, lm.arpa and weights.ini of
    the last method, for `translate`, and results.json.
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
    announce_compilation()
    with show_megabytes("Reading") as read:
        inputs = plan.read(read)
    result = adapt_and_evaluate(inputs, plan, Threads(threads), out, print_message)
    if as_json:
        print(json.dumps(result.as_dict(), ensure_ascii=False))
    else:
        _print_result(result, out)


def _print_result(result: "AdaptationResult", out: Path) -> None:
    print_table(_make_comparison_table(result.rows, "pairs", lambda row: f"{row.pairs:,}"))
    print_table(_make_comparison_table(result.rows, "BLEU", lambda row: f"{row.bleu:.2f}"))
    print(result.signature)
    for name, p in result.p_values.items():
        print(f"{result.rows[-1].method} against {name}: p = {p:.3f} (paired bootstrap)")
    print(f"table, language model and weights in {out}")


def _make_comparison_table(
    rows: "list[BleuRow]", title: str, show: "Callable[[BleuRow], str]"
) -> "Table":
    """Return a table with a column per method and a row per iteration.

    Before the first iteration, all methods have the given table.
    """
    methods = list(dict.fromkeys(row.method for row in rows if row.iteration))
    table = make_table(title, *methods)
    for column in table.columns:
        column.justify = "right"
    for iteration in sorted({row.iteration for row in rows}):
        found = {row.method: row for row in rows if row.iteration == iteration}
        if iteration:
            cells = [found[method] for method in methods]
        else:
            cells = [*found.values()] * len(methods)
        table.add_row(str(iteration), *map(show, cells))
    return table
