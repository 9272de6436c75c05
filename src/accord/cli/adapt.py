"""The command `adapt`: from a phrase table of another domain to one of this domain."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from accord.cli import flags
from accord.cli.groups import INPUT, METHOD, TEXT
from accord.cli.messages import announce_compilation
from accord.cli.output import make_table, print_message, print_table
from accord.cli.progress import show_megabytes

if TYPE_CHECKING:
    from rich.table import Table

    from accord.translate.adaptation.evaluation import AdaptationResult, BleuRow

OutsideTable = Annotated[
    Path,
    flags.option(
        "--table",
        group=INPUT,
        metavar="PATH",
        text="Phrase pairs of another domain: a Moses table, or TSV.",
    ),
]
FILES = ".tsv, .tmx, or two files of lines, with the option given twice"
TuningPairs = Annotated[
    list[Path],
    flags.option(group=INPUT, metavar="PATH", text=f"Sentence pairs to tune on: {FILES}."),
]
TestPairs = Annotated[
    list[Path],
    flags.option(group=INPUT, metavar="PATH", text=f"Sentence pairs to test on: {FILES}."),
]
LanguageModelText = Annotated[
    Path | None,
    flags.option(
        group=INPUT,
        metavar="PATH",
        text="Text for the language model. Default: the target text.",
    ),
]
MethodIterations = Annotated[
    int,
    flags.option(group=METHOD, metavar="N", min=1, text="Number of iterations of each method."),
]
MinimumCount = Annotated[
    int,
    flags.option(group=TEXT, metavar="N", min=1, text="Minimum count of a phrase."),
]
ModelOrder = Annotated[
    int,
    flags.option(
        group=METHOD, metavar="N", min=1, max=6, text="Order of the language model, 1 to 6."
    ),
]


def adapt(
    source_text: Annotated[
        Path, typer.Argument(metavar="SOURCE", help="Source text of this domain.")
    ],
    target_text: Annotated[
        Path, typer.Argument(metavar="TARGET", help="Target text of this domain, not parallel.")
    ],
    outside: OutsideTable,
    dev: TuningPairs,
    test: TestPairs,
    source_lang: flags.SourceLanguage,
    target_lang: flags.TargetLanguage,
    out: flags.ResultsFolder,
    lm_text: LanguageModelText = None,
    source_vectors: flags.Vectors = None,
    target_vectors: flags.Vectors = None,
    iterations: MethodIterations = 10,
    min_count: MinimumCount = 5,
    max_words: flags.MaxWords = 4,
    order: ModelOrder = 4,
    threads: flags.Threads = None,
    force: flags.Force = False,
    as_json: flags.Json = False,
) -> None:
    """Adapt a phrase table to the domain of two texts.

    Learns from text that is not parallel, and evaluates the translations. The paper's Table 4: the
    number of pairs and the BLEU after each iteration, for each direction alone, outer agreement,
    inner agreement, posterior agreement and, with word vectors, posterior agreement with these.
    Text is lower-cased. The folder gets table.gz, lm.arpa and weights.ini of the last method, for
    `translate`, and results.json.
    """
    from accord.system.runners.threads import Threads
    from accord.system.writing import check_new_folder
    from accord.translate.adaptation.evaluation import FILES, adapt_and_evaluate
    from accord.translate.adaptation.inputs import AdaptationPlan

    check_new_folder(out, FILES, force=force)
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
