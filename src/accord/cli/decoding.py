"""The command that translates: sentences in, sentences out."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from accord.cli import flags
from accord.cli.progress import counted
from accord.errors import SettingError

if TYPE_CHECKING:
    from accord.translate.decoder import Limits
    from accord.translate.table import Sentence
    from accord.translate.weights import Weights

# What a folder may have for its table, besides a run.
LANGUAGE_MODEL, WEIGHTS = "lm.arpa", "weights.ini"
# Sentences between two lines of output.
BLOCK = 200


def translate(
    folder: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="Folder of a finished run.")
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
    threads: flags.Threads = None,
) -> None:
    """Translate the sentences of standard input: a line each, words parted by spaces.

    Words that no phrase has are passed through. The pairs are those of a run, or of --table.
    """
    from accord.reading import STANDARD_INPUT, read_lines
    from accord.runners.threads import checked_threads
    from accord.translate.decoder import Limits
    from accord.translate.table import words_of
    from accord.translate.weights import Weights, read_weights

    limits = Limits(stack=stack, distortion=distortion_limit)
    lm = lm or _of(folder, LANGUAGE_MODEL)
    if folder is None and table is None:
        raise SettingError("translate: expected the folder of a run or --table, found neither")
    if lm is None:
        raise SettingError("translate: expected a language model, found none; name one with --lm")
    weights = weights or _of(folder, WEIGHTS)
    chosen = read_weights(weights) if weights else Weights()
    sentences = [words_of(line) for _, line in read_lines(STANDARD_INPUT)]
    with _table(folder, table, export=decoder == "moses") as path:
        if decoder == "moses":
            from accord.translate.moses import with_moses

            assert path is not None
            workers = checked_threads(threads)
            lines = iter(with_moses(sentences, path, lm, chosen, limits, workers, n_best or 0))
        else:
            lines = _lines(sentences, folder, path, lm, chosen, limits, threads, n_best)
        for line in lines:
            print(line)
    sys.stdout.flush()


def _of(folder: Path | None, name: str) -> Path | None:
    """The file of that name in the folder, if it has one."""
    return folder / name if folder and (folder / name).exists() else None


@contextmanager
def _table(folder: Path | None, table: Path | None, *, export: bool) -> Iterator[Path | None]:
    """The table that is to be read; the run's own as a file only if it is to be exported."""
    if table or not export or folder is None:
        yield table
        return
    from accord.folder import RunFolder
    from accord.formats.contents import ALL, Contents
    from accord.formats.exporting import moses_rows
    from accord.formats.moses import write_table

    with TemporaryDirectory() as temporary:
        path = Path(temporary) / "table.gz"
        write_table(path, moses_rows(Contents(RunFolder(folder), ALL)))
        yield path


def _lines(
    sentences: "Sequence[Sentence]",
    folder: Path | None,
    table: Path | None,
    lm: Path,
    weights: "Weights",
    limits: "Limits",
    threads: int | None,
    n_best: int | None,
) -> Iterator[str]:
    from accord.folder import RunFolder
    from accord.runners.threads import Threads
    from accord.translate.decoder import Decoder, n_best_lines
    from accord.translate.lm.arpa import read_arpa
    from accord.translate.table import read_table, table_of_run

    runner = Threads(threads)
    if table:
        phrases = read_table(table, sentences)
    else:
        assert folder is not None
        phrases = table_of_run(RunFolder(folder), sentences)
    made = Decoder(phrases, read_arpa(lm), weights, limits)
    with counted("translated", len(sentences)) as translated:
        for first in range(0, len(sentences), BLOCK):
            some = sentences[first : first + BLOCK]
            for number, best in enumerate(made.translate(some, runner, n_best or 1), first):
                yield from n_best_lines(number, best) if n_best else [best[0].words]
            translated(len(some))
