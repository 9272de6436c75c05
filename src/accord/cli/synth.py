"""The command `synth`: an experiment from parallel text."""

from pathlib import Path
from typing import Annotated

import typer

from accord.cli import flags
from accord.cli.progress import show_steps


def synth(
    parallel: Annotated[
        list[Path], typer.Argument(help="Sentence pairs: .tsv, .tmx, or two files.")
    ],
    source_lang: flags.SourceLanguage,
    target_lang: flags.TargetLanguage,
    out: Annotated[Path, typer.Option(help="Folder for the experiment; must not exist.")],
    pairs: Annotated[int, typer.Option(min=1, help="Number of gold phrase pairs.")] = 20_000,
    noise_source: Annotated[
        int, typer.Option(min=0, help="Number of source phrases without a translation.")
    ] = 20_000,
    noise_target: Annotated[
        int, typer.Option(min=0, help="Number of target phrases without a translation.")
    ] = 20_000,
    seed_lexicon: Annotated[int, typer.Option(min=1, help="Number of seed word pairs.")] = 1_000,
    alignments: Annotated[
        tuple[Path, Path] | None,
        typer.Option(
            help="Word alignments in both directions, in Pharaoh format, of text that is tokenised."
        ),
    ] = None,
    random: Annotated[int, typer.Option(help="Random seed of the sample.")] = 0,
    threads: flags.Threads = None,
) -> None:
    """Make an experiment from parallel text, like the paper: E, F, G and d.

    Writes source.txt and target.txt (shuffled), gold.tsv and seed.tsv for `learn`, and the word
    alignments, which reproduce the same experiment with --alignments.
    """
    from accord.experiments.synthesis.pipeline import ExperimentChoice, ParallelText, synthesise
    from accord.experiments.synthesis.recipe import Size
    from accord.formats.sentence_pairs import read_sentence_pairs
    from accord.system.runners.threads import Threads

    source, target = read_sentence_pairs(parallel, source_lang, target_lang)
    text = ParallelText(source, target, (source_lang, target_lang), alignments)
    choice = ExperimentChoice(Size(pairs, noise_source, noise_target), seed_lexicon, random)
    with show_steps() as begin:
        synthesise(text, choice, out, Threads(threads), begin)
    print(f"{pairs:,} pairs, {noise_source:,} + {noise_target:,} other phrases in {out}")
