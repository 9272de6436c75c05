"""The command `translate`: from sentences to their translations."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import typer

from accord.cli import flags
from accord.cli.groups import INPUT, METHOD
from accord.cli.messages import announce_compilation
from accord.cli.progress import show_count
from accord.errors import InputError, SettingError
from accord.system.reading import STANDARD_INPUT

if TYPE_CHECKING:
    from accord.translate.decoder import DecoderLimits
    from accord.translate.phrase_table import Sentence
    from accord.translate.weights import Weights

# The files that `adapt` writes; RESULTS names its languages.
LANGUAGE_MODEL, WEIGHTS, TABLE = "lm.arpa", "weights.ini", "table.gz"
RESULTS = "results.json"
# Sentences are printed in blocks of so many.
BLOCK = 200


class ModelFiles(NamedTuple):
    """The files of the model that translates."""

    pairs: Path
    is_run: bool  # whether `pairs` is the folder of a run, or a phrase table
    lm: Path
    weights: Path | None  # None for the default weights
    results: Path | None  # of `adapt`, if the table is from there


class Job(NamedTuple):
    """Sentences, and how to translate them."""

    sentences: "Sequence[Sentence]"
    files: ModelFiles
    weights: "Weights"
    limits: "DecoderLimits"
    threads: int | None
    n_best: int | None


TableFile = Annotated[
    Path | None,
    flags.option(
        group=INPUT,
        metavar="PATH",
        text="Moses phrase table. Default: the phrase pairs of RUN.",
    ),
]
LanguageModelFile = Annotated[
    Path | None,
    flags.option(
        group=INPUT,
        metavar="PATH",
        text=f"Language model in ARPA format. Default: {LANGUAGE_MODEL} of RUN.",
    ),
]
WeightsFile = Annotated[
    Path | None,
    flags.option(
        group=INPUT,
        metavar="PATH",
        text="File with the [weight] section of a moses.ini. "
        f"Default: {WEIGHTS} of RUN, or the defaults of Moses.",
    ),
]
StackSize = Annotated[
    int,
    flags.option(group=METHOD, metavar="N", min=1, text="Maximum number of hypotheses per stack."),
]
DistortionLimit = Annotated[
    int,
    flags.option(
        group=METHOD,
        metavar="N",
        min=0,
        max=63,
        text="Maximum number of words to jump over.",
    ),
]
DecoderName = Annotated[
    Literal["accord", "moses"],
    flags.option(
        group=METHOD,
        metavar="NAME",
        text="The decoder: accord, or the program moses on the PATH.",
    ),
]


def translate(
    folder: Annotated[
        Path | None, typer.Argument(metavar="RUN", help="Folder of a finished run or of adapt.")
    ] = None,
    table: TableFile = None,
    lm: LanguageModelFile = None,
    weights: WeightsFile = None,
    top: Annotated[
        int | None,
        flags.make_top("Number of translations per sentence, as an n-best list of Moses."),
    ] = None,
    stack: StackSize = 100,
    distortion_limit: DistortionLimit = 6,
    decoder: DecoderName = "accord",
    pretokenised: flags.Pretokenised = False,
    threads: flags.Threads = None,
) -> None:
    """Translate the sentences on standard input, one per line.

    With a folder of adapt, sentences are tokenised and lower-cased like its texts. With a run or
    --table, they must be tokenised like its phrases, with space-separated words. Words that are in
    no phrase are copied.
    """
    from accord.system.reading import read_lines
    from accord.translate.decoder import DecoderLimits
    from accord.translate.phrase_table import split_sentences
    from accord.translate.weights import Weights, read_weights

    limits = DecoderLimits(stack=stack, distortion=distortion_limit)
    files = _find_model(folder, table, lm, weights)
    prepare = _read_preparation(files.results, pretokenised) if files.results else str
    chosen = read_weights(files.weights) if files.weights else Weights()
    sentences = split_sentences((line for _, line in read_lines(STANDARD_INPUT)), prepare)
    job = Job(sentences, files, chosen, limits, threads, top)
    for line in _translate_with_moses(job) if decoder == "moses" else _translate(job):
        print(line)


def _find_model(
    folder: Path | None, table: Path | None, lm: Path | None, weights: Path | None
) -> ModelFiles:
    """Return the given files and, for those that are not, the files of the folder."""
    if STANDARD_INPUT in map(str, (table, lm, weights)):
        raise SettingError("translate: standard input (-) has the sentences; name a file")
    if folder and not folder.is_dir():
        raise InputError(f"{folder}: expected the folder of a run or of adapt, found none")
    adapted = None if table else _find_file(folder, TABLE)
    pairs = table or adapted or folder
    if pairs is None:
        raise SettingError("translate: expected the folder of a run or --table, found neither")
    lm = lm or _find_file(folder, LANGUAGE_MODEL)
    if lm is None:
        raise SettingError("translate: expected a language model, found none; name one with --lm")
    return ModelFiles(
        pairs=pairs,
        is_run=not (table or adapted),
        lm=lm,
        weights=weights or _find_file(folder, WEIGHTS),
        results=adapted.with_name(RESULTS) if adapted else None,
    )


def _find_file(folder: Path | None, name: str) -> Path | None:
    """Return the file of this name in the folder, if there is one."""
    return folder / name if folder and (folder / name).exists() else None


def _read_preparation(results: Path, pretokenised: bool) -> Callable[[str], str]:
    """Return the function that tokenises source text as `adapt` did."""
    from accord.corpus.text.extraction import Preparation

    try:
        source, _ = json.loads(results.read_bytes())["languages"]
    except (OSError, ValueError, KeyError, TypeError):
        raise InputError(
            f"{results}: expected the languages of adapt, found none; adapt again, or name the "
            "table of the folder with --table"
        ) from None
    return Preparation(source, lower=True, pretokenised=pretokenised)


def _translate(job: Job) -> Iterator[str]:
    from accord.system.runners.threads import Threads
    from accord.translate.decoder import Decoder, n_best_lines
    from accord.translate.decoder_kernels import search_sentence
    from accord.translate.language_model.arpa import read_arpa
    from accord.translate.phrase_table import read_phrase_table, read_run_table

    runner = Threads(job.threads)
    announce_compilation(search_sentence)
    read = read_run_table if job.files.is_run else read_phrase_table
    table = read(job.files.pairs, job.sentences)
    decoder = Decoder(table, read_arpa(job.files.lm), job.weights, job.limits)
    with show_count("translated", len(job.sentences)) as translated:
        for first in range(0, len(job.sentences), BLOCK):
            some = job.sentences[first : first + BLOCK]
            for number, best in enumerate(decoder.translate(some, runner, job.n_best or 1), first):
                yield from n_best_lines(number, best) if job.n_best else [best[0].words]
            translated(len(some))


def _translate_with_moses(job: Job) -> Iterator[str]:
    from accord.formats.moses import write_table
    from accord.runs.export.contents import ALL, Contents
    from accord.runs.export.moses import make_moses_rows
    from accord.runs.folder import RunFolder
    from accord.system.runners.threads import checked_threads
    from accord.translate.moses_decoder import MosesModel, translate_with_moses

    with TemporaryDirectory() as folder:
        table = job.files.pairs
        if job.files.is_run:
            table = Path(folder) / "table.gz"
            write_table(table, make_moses_rows(Contents(RunFolder(job.files.pairs), ALL)))
        workers = checked_threads(job.threads)
        model = MosesModel(table, job.files.lm, job.weights, job.limits)
        yield from translate_with_moses(job.sentences, model, workers, job.n_best or 0)
