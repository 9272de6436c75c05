"""The command `synth`: an experiment from parallel text."""

from pathlib import Path
from typing import Annotated, Any

import typer

from accord.cli import flags
from accord.cli.groups import INPUT, METHOD
from accord.cli.output import print_answer
from accord.cli.progress import show_steps


def _number(least: int, text: str) -> Any:
    return flags.option(group=METHOD, metavar="N", min=least, text=text)


def synth(
    parallel: Annotated[
        list[Path],
        typer.Argument(metavar="PARALLEL...", help="Sentence pairs: .tsv, .tmx, or two files."),
    ],
    source_lang: flags.AnySourceLanguage,
    target_lang: flags.AnyTargetLanguage,
    out: flags.ResultsFolder,
    pairs: Annotated[int, _number(1, "Number of gold phrase pairs.")] = 20_000,
    noise_source: Annotated[
        int, _number(0, "Number of source phrases without a translation.")
    ] = 20_000,
    noise_target: Annotated[
        int, _number(0, "Number of target phrases without a translation.")
    ] = 20_000,
    seed_lexicon: Annotated[int, _number(1, "Number of seed word pairs.")] = 1_000,
    alignments: Annotated[
        tuple[Path, Path] | None,
        flags.option(
            group=INPUT,
            metavar="PATH PATH",
            text="Word alignments of tokenised text in Pharaoh format, in both directions.",
        ),
    ] = None,
    random: Annotated[
        int, flags.option(group=METHOD, metavar="N", text="Random seed of the sample.")
    ] = 0,
    threads: flags.Threads = None,
    force: flags.Force = False,
    as_json: flags.Json = False,
) -> None:
    """Make an experiment like those of the paper from parallel text.

    Writes source.txt and target.txt (shuffled), gold.tsv and seed.tsv for `learn`, and the word
    alignments, which reproduce the same experiment with --alignments.
    """
    from accord.experiments.synthesis.pipeline import (
        CONTENTS,
        ExperimentChoice,
        ParallelText,
        synthesise,
    )
    from accord.experiments.synthesis.recipe import Size
    from accord.formats.sentence_pairs import read_sentence_pairs
    from accord.system.runners.threads import Threads
    from accord.system.writing import check_new_folder

    check_new_folder(out, CONTENTS, force=force)
    source, target = read_sentence_pairs(parallel, source_lang, target_lang)
    text = ParallelText(source, target, (source_lang, target_lang), alignments)
    choice = ExperimentChoice(Size(pairs, noise_source, noise_target), seed_lexicon, random)
    with show_steps() as begin:
        synthesise(text, choice, out, Threads(threads), begin)
    summary = f"{pairs:,} pairs, {noise_source:,} + {noise_target:,} other phrases in {out}"
    facts: dict[str, object] = {"pairs": pairs, "noise": [noise_source, noise_target]}
    print_answer(out, summary, facts if as_json else None)
