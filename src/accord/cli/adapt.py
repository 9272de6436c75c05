"""The command `adapt`: from two texts and a dictionary or a phrase table to a translation model."""

import json
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

    from accord.translate.adaptation.evaluation import AdaptationResult
    from accord.translate.adaptation.inputs import AdaptationInputs, AdaptationPlan

OutsideTable = Annotated[
    Path | None,
    flags.option(
        "--table",
        group=INPUT,
        metavar="PATH",
        text="Phrase pairs of another domain: a Moses table, or TSV.",
    ),
]
FILES = ".tsv, .tmx, or two files of lines, with the option given twice"
TuningPairs = Annotated[
    list[Path] | None,
    flags.option(
        group=INPUT,
        metavar="PATH",
        text=f"Sentence pairs to tune on: {FILES}. Default: tune on back-translations.",
    ),
]
TestPairs = Annotated[
    list[Path] | None,
    flags.option(
        group=INPUT,
        metavar="PATH",
        text=f"Sentence pairs to test on: {FILES}. Default: none, and no scores.",
    ),
]
LanguageModelText = Annotated[
    Path | None,
    flags.option(
        group=INPUT,
        metavar="PATH",
        text="Text for the language model. Default: the target text.",
    ),
]
MostIterations = Annotated[
    int,
    flags.option(
        group=METHOD,
        metavar="N",
        min=1,
        text="Maximum number of iterations of posterior agreement, which ends when it converges.",
    ),
]
BackOff = Annotated[
    bool,
    flags.option(
        "--back-off/--no-back-off",
        group=METHOD,
        text="Whether words without a translation get many candidates, of which the language "
        "model chooses.",
    ),
]
Rounds = Annotated[
    int,
    flags.option(
        group=METHOD,
        metavar="N",
        min=0,
        text="Maximum number of rounds of back-translation. They end when the BLEU of the "
        "development set does not rise.",
    ),
]
Sample = Annotated[
    int,
    flags.option(
        group=METHOD,
        metavar="N",
        min=1,
        text="Maximum number of sentences of each text that a round translates.",
    ),
]
Cyclic = Annotated[
    bool,
    flags.option(
        "--cyclic",
        group=METHOD,
        text="Tune on back-translations of sentences of both texts, as without --dev. The "
        "development set then only chooses among the steps.",
    ),
]
Compare = Annotated[
    bool,
    flags.option(
        "--compare",
        group=METHOD,
        text="Also evaluate the methods of the paper, for ten iterations each: its Table 4.",
    ),
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
    source_lang: flags.SourceLanguage,
    target_lang: flags.TargetLanguage,
    out: flags.ResultsFolder,
    seed: flags.OptionalSeed = None,
    outside: OutsideTable = None,
    dev: TuningPairs = None,
    test: TestPairs = None,
    lm_text: LanguageModelText = None,
    source_vectors: flags.Vectors = None,
    target_vectors: flags.Vectors = None,
    iterations: MostIterations = 40,
    back_off: BackOff = True,
    rounds: Rounds = 3,
    sample: Sample = 100_000,
    cyclic: Cyclic = False,
    compare: Compare = False,
    min_count: MinimumCount = 5,
    max_words: flags.MaxWords = 4,
    order: ModelOrder = 4,
    threads: flags.Threads = None,
    resume: flags.Resume = False,
    force: flags.Force = False,
    as_json: flags.Json = False,
) -> None:
    """Learn to translate from two texts that are not parallel.

    Starts from a dictionary (--seed), a phrase table of another domain (--table), or both. Learns
    phrase pairs by posterior agreement, adds candidates for words without a translation, and trains
    on translations of both texts. Text is lower-cased. With sentence pairs to test on, each step is
    scored. The folder gets the tables, language model and weights for `translate`.
    """
    from accord.runs.folder import choose_if_exists
    from accord.system.runners.threads import Threads
    from accord.translate.adaptation.inputs import AdaptationPlan, PhraseLimits
    from accord.translate.adaptation.pipeline import adapt

    plan = AdaptationPlan(
        outside=outside,
        seed=seed,
        texts=(source_text, target_text),
        dev=dev or [],
        test=test or [],
        lm_text=lm_text or target_text,
        languages=(source_lang, target_lang),
        vectors=(source_vectors, target_vectors),
        iterations=iterations,
        back_off=back_off,
        rounds=rounds,
        sample=sample,
        cyclic=cyclic,
        compare=compare,
        phrases=PhraseLimits(min_count, max_words),
        order=order,
    )
    announce_compilation()
    if_exists = choose_if_exists(force, resume)
    result = adapt(plan, out, Threads(threads), if_exists, _read_inputs, print_message)
    _write_report(result, out)
    _print_result(result, out, as_json=as_json)


def _write_report(result: "AdaptationResult", out: Path) -> None:
    from accord.system.writing import write_file
    from accord.translate.adaptation.folder import REPORT
    from accord.web.report.adaptation import build_adaptation_report

    page = build_adaptation_report(result).encode()
    write_file(out / REPORT, lambda stream: stream.write(page))


def _read_inputs(plan: "AdaptationPlan") -> "AdaptationInputs":
    with show_megabytes("Reading") as read:
        return plan.read(read)


def _print_result(result: "AdaptationResult", out: Path, *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(result.as_dict(), ensure_ascii=False))
        return
    print_table(_make_score_table(result))
    for name, signature in result.signatures.items():
        print(f"{name}: {signature}")
    for name, p in result.p_values.items():
        print(f"{result.rows[result.chosen].name} against {name}: p = {p:.3f} (paired bootstrap)")
    print(f"tables, language model and weights of {result.rows[result.chosen].name} in {out}")
    print(f"scores and samples in {out}/report.html")
    print(f"translate with: accord translate {out} < SENTENCES")


def _make_score_table(result: "AdaptationResult") -> "Table":
    """Return a table with a row for each step, and a mark at the chosen one."""
    table = make_table("step", "pairs", "table", "unknown", "dev BLEU", "BLEU", "chrF2", "time")
    for column in table.columns[1:]:
        column.justify = "right"
    for number, row in enumerate(result.rows):
        scores = (row.dev_bleu, row.bleu, row.chrf)
        table.add_row(
            f"{row.name}{' *' if number == result.chosen else ''}",
            f"{row.pairs:,}",
            f"{row.entries:,}",
            "" if row.unknown is None else f"{row.unknown:.1%}",
            *("" if score is None else f"{score:.2f}" for score in scores),
            f"{row.seconds:,.0f} s",
        )
    return table
