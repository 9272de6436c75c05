"""The commands of experiments, where the true pairs are known: `evaluate`, `synth` and `paper`."""

import json
from pathlib import Path
from typing import Annotated, Literal

import typer

from accord.cli import flags
from accord.cli.output import number, show, table
from accord.cli.progress import steps

# As in accord.experiments.paper.report, which is not loaded for --help.
PaperSection = Literal["seeds", "noise", "ratio", "test", "samples", "findings"]


def evaluate(
    folder: Annotated[Path, typer.Argument(help="Folder of a finished run.")],
    gold: Annotated[Path, typer.Option(help="True pairs: two phrases a line, a tab between.")],
    as_json: flags.Json = False,
) -> None:
    """F1, precision and recall of the phrases of a run against gold pairs."""
    from accord.runs.evaluation import read_gold
    from accord.runs.folder import RunFolder

    pairs = RunFolder(folder).read_phrase_pairs()
    true_pairs = read_gold(gold)
    answer = true_pairs.score(pairs)._asdict()
    answer |= {"pairs": len(pairs), "gold": len(true_pairs.pairs)}
    if as_json:
        print(json.dumps(answer))
        return
    scores = table(*answer)
    scores.add_row(*(number(value) for value in answer.values()))
    show(scores)


def synth(
    parallel: Annotated[
        list[Path], typer.Argument(help="Sentence pairs: .tsv, .tmx, or two files.")
    ],
    source_lang: flags.SourceLanguage,
    target_lang: flags.TargetLanguage,
    out: Annotated[Path, typer.Option(help="Folder for the experiment; must not exist.")],
    pairs: Annotated[int, typer.Option(min=1, help="True pairs of phrases.")] = 20_000,
    noise_source: Annotated[int, typer.Option(min=0, help="Source noise phrases.")] = 20_000,
    noise_target: Annotated[int, typer.Option(min=0, help="Target noise phrases.")] = 20_000,
    seed_lexicon: Annotated[int, typer.Option(min=1, help="Seed word pairs.")] = 1_000,
    alignments: Annotated[
        tuple[Path, Path] | None,
        typer.Option(help="Pharaoh files, both ways; the text is then taken as words."),
    ] = None,
    random: Annotated[int, typer.Option(help="Random seed of the choice.")] = 0,
    threads: flags.Threads = None,
) -> None:
    """Make an experiment out of parallel text, as the paper did: E, F, G and d.

    Leaves source.txt and target.txt (shuffled), gold.tsv and seed.tsv for `learn`, and the word
    alignments, which make the same experiment again with --alignments.
    """
    from accord.experiments.synthesis.pipeline import ExperimentChoice, ParallelText, synthesise
    from accord.experiments.synthesis.recipe import Size
    from accord.formats.sentence_pairs import read_sentence_pairs
    from accord.system.runners.threads import Threads

    sentences = read_sentence_pairs(parallel, source_lang, target_lang)
    text = ParallelText(*sentences, (source_lang, target_lang), alignments)
    choice = ExperimentChoice(Size(pairs, noise_source, noise_target), seed_lexicon, random)
    with steps() as tell:
        synthesise(text, choice, out, Threads(threads), tell)
    print(f"{pairs:,} pairs, {noise_source:,} + {noise_target:,} noise phrases in {out}")


def paper(
    data: Annotated[Path, typer.Option(help="Folder with parallel text, NAME.en-zh.tsv.xz.")],
    out: Annotated[Path, typer.Option(help="Folder for results.md, tables and pictures.")],
    only: Annotated[PaperSection | None, typer.Option(help="Only this part.")] = None,
    fast: Annotated[bool, typer.Option("--fast", help="Small sizes, some minutes.")] = False,
    threads: flags.Threads = None,
) -> None:
    """Repeat the paper's alignment experiments on public text, its figures beside ours."""
    from accord.experiments.paper.report import SECTIONS, write_results
    from accord.system.runners.threads import Threads

    runner = Threads(threads)
    sections = [only] if only else [*SECTIONS]
    with steps() as tell:
        results = write_results(data, out, sections, fast=fast, runner=runner, report=tell)
    print(results)
