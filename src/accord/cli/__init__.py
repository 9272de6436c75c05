"""The command-line door: argv to the same calls as in Python.

Results go to standard output, words about them to standard error. Exit 0, or 2 with one sentence.
What loads NumPy and Numba is imported inside the commands, so that `--help` answers at once.
"""

import os
import sys
from io import TextIOWrapper
from typing import Annotated, NoReturn

import typer

from accord import __version__
from accord.cli.adapting import adapt
from accord.cli.decoding import translate
from accord.cli.demonstration import demo
from accord.cli.experiments import evaluate, paper, synth
from accord.cli.exporting import export
from accord.cli.importing import import_
from accord.cli.interruption import interrupted
from accord.cli.learning import apply, learn, mine
from accord.cli.query import query
from accord.cli.reporting import report
from accord.cli.reviewing import review
from accord.cli.sample import sample
from accord.cli.text import languages, phrases, seed
from accord.cli.translation import lm
from accord.errors import AccordError

app = typer.Typer(
    help="Learn bilingual lexicons and phrase tables from text that is not parallel.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def version(
    show: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    if show:
        print(f"accord {__version__}")
        raise typer.Exit


# As `accord --help` lists them: what most people come for, its steps, then the experiments.
for command in (mine, learn, report, review, apply, query, export, phrases, seed):
    app.command()(command)
app.command("import")(import_)
for command in (adapt, translate, lm, languages, sample, demo, evaluate, synth, paper):
    app.command()(command)


def main() -> None:
    """The `accord` command."""
    if sys.stdout is None:  # closed by the caller
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a terminal that has no arrows gets question marks
            stream.reconfigure(errors="replace")
    try:
        app()
    except AccordError as error:
        _fail(str(error))
    except OSError as error:
        _fail(f"{error.filename or 'the system'}: {error.strerror or error}")
    except RuntimeError as error:
        if "cannot cache function" not in str(error):
            raise
        _fail("no folder for compiled code can be written; name one in NUMBA_CACHE_DIR")
    except SystemError as error:
        if not interrupted(error):
            raise
        raise SystemExit(130) from None
    except MemoryError:
        _fail("not enough memory for so many phrases")


def _fail(sentence: str) -> NoReturn:
    print(f"accord: {sentence}", file=sys.stderr)
    raise SystemExit(2)
