"""The command that translates: sentences in, sentences out."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import typer

from accord.cli import flags
from accord.cli.progress import counted
from accord.cli.telling import tell_compiling
from accord.errors import InputError, SettingError

if TYPE_CHECKING:
    from accord.translate.decoder import DecoderLimits
    from accord.translate.phrase_table import Sentence
    from accord.translate.weights import Weights

# What a folder may have for its table, besides a run.
LANGUAGE_MODEL, WEIGHTS, TABLE = "lm.arpa", "weights.ini", "table.gz"
RESULTS = "results.json"  # of adapt, with its languages
# Sentences that are translated before they are printed.
BLOCK = 200


class Job(NamedTuple):
    """What is to be translated, and with what."""

    sentences: "Sequence[Sentence]"
    pairs: Path
    is_run: bool  # whether these are the pairs of a run, or a table
    lm: Path
    weights: "Weights"
    limits: "DecoderLimits"
    threads: int | None
    n_best: int | None


def translate(
    folder: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="Folder of a finished run, or of adapt.")
    ] = None,
    table: Annotated[
        Path | None, typer.Option(help="Moses phrase table, instead of the pairs of the run.")
    ] = None,
    lm: Annotated[
        Path | None,
        typer.Option(help=f"Language model, ARPA. Default: {LANGUAGE_MODEL} of the folder."),
    ] = None,
    weights: Annotated[
        Path | None,
        typer.Option(
            help="The [weight] section of a moses.ini. "
            f"Default: {WEIGHTS} of the folder, or Moses's defaults."
        ),
    ] = None,
    n_best: Annotated[
        int | None,
        typer.Option(min=1, help="Print so many translations of each, as Moses lists them."),
    ] = None,
    stack: Annotated[int, typer.Option(min=1, help="Hypotheses that are kept at a time.")] = 100,
    distortion_limit: Annotated[
        int, typer.Option(min=0, max=63, help="Words that a translation may jump over.")
    ] = 6,
    decoder: Annotated[
        Literal["accord", "moses"],
        typer.Option(help="moses: the program of that name on the PATH."),
    ] = "accord",
    pretokenised: flags.Pretokenised = False,
    threads: flags.Threads = None,
) -> None:
    """Translate the sentences of standard input, a line each.

    With a folder of adapt they are parted into words and lower-cased, as its texts were; for a run
    or --table they must be as its phrases are, their words parted by spaces. Words that no phrase
    has are passed through. The pairs are those of the folder, or of --table.
    """
    from accord.system.reading import STANDARD_INPUT, read_lines
    from accord.translate.decoder import DecoderLimits
    from accord.translate.phrase_table import split_sentences
    from accord.translate.weights import Weights, read_weights

    if STANDARD_INPUT in map(str, (table, lm, weights)):
        raise SettingError("translate: standard input (-) has the sentences; name a file")
    if folder and not folder.is_dir():
        raise InputError(f"{folder}: expected the folder of a run or of adapt, found none")
    limits = DecoderLimits(stack=stack, distortion=distortion_limit)
    adapted = None if table else _of(folder, TABLE)
    prepare = _preparation(adapted.with_name(RESULTS), pretokenised) if adapted else str
    table = table or adapted
    pairs = table or folder
    if pairs is None:
        raise SettingError("translate: expected the folder of a run or --table, found neither")
    lm = lm or _of(folder, LANGUAGE_MODEL)
    if lm is None:
        raise SettingError("translate: expected a language model, found none; name one with --lm")
    weights = weights or _of(folder, WEIGHTS)
    chosen = read_weights(weights) if weights else Weights()
    sentences = split_sentences((line for _, line in read_lines(STANDARD_INPUT)), prepare)
    job = Job(sentences, pairs, table is None, lm, chosen, limits, threads, n_best)
    for line in _by_moses(job) if decoder == "moses" else _by_accord(job):
        print(line)


def _of(folder: Path | None, name: str) -> Path | None:
    """The file of that name in the folder, if it has one."""
    return folder / name if folder and (folder / name).exists() else None


def _preparation(results: Path, pretokenised: bool) -> Callable[[str], str]:
    """What makes words of a text as `adapt` did."""
    from accord.corpus.text.extraction import Preparation

    try:
        source, _ = json.loads(results.read_bytes())["languages"]
    except (OSError, ValueError, KeyError, TypeError):
        raise InputError(
            f"{results}: expected the languages of adapt, found none; adapt again, or name the "
            "table of the folder with --table"
        ) from None
    return Preparation(source, lower=True, pretokenised=pretokenised)


def _by_accord(job: Job) -> Iterator[str]:
    from accord.system.runners.threads import Threads
    from accord.translate.decoder import Decoder, n_best_lines
    from accord.translate.decoder_kernels import search_sentence
    from accord.translate.language_model.arpa import read_arpa
    from accord.translate.phrase_table import read_phrase_table, read_run_table

    runner = Threads(job.threads)
    tell_compiling(search_sentence)
    read = read_run_table if job.is_run else read_phrase_table
    table = read(job.pairs, job.sentences)
    decoder = Decoder(table, read_arpa(job.lm), job.weights, job.limits)
    with counted("translated", len(job.sentences)) as translated:
        for first in range(0, len(job.sentences), BLOCK):
            some = job.sentences[first : first + BLOCK]
            for number, best in enumerate(decoder.translate(some, runner, job.n_best or 1), first):
                yield from n_best_lines(number, best) if job.n_best else [best[0].words]
            translated(len(some))


def _by_moses(job: Job) -> Iterator[str]:
    from accord.formats.moses import write_table
    from accord.runs.export.contents import ALL, Contents
    from accord.runs.export.moses import make_moses_rows
    from accord.runs.folder import RunFolder
    from accord.system.runners.threads import checked_threads
    from accord.translate.moses_decoder import MosesModel, translate_with_moses

    with TemporaryDirectory() as folder:
        table = job.pairs
        if job.is_run:
            table = Path(folder) / "table.gz"
            write_table(table, make_moses_rows(Contents(RunFolder(job.pairs), ALL)))
        workers = checked_threads(job.threads)
        model = MosesModel(table, job.lm, job.weights, job.limits)
        yield from translate_with_moses(job.sentences, model, workers, job.n_best or 0)
