"""The command `accord`: its subcommands, and one sentence for whatever goes wrong."""

import os
import sys
from concurrent.futures import BrokenExecutor
from io import TextIOWrapper
from typing import Annotated, NoReturn

import typer

from accord import __version__
from accord.cli.adapt import adapt
from accord.cli.apply import apply
from accord.cli.command import Command, with_common_options
from accord.cli.demo import demo
from accord.cli.evaluate import evaluate
from accord.cli.export import export
from accord.cli.import_ import import_
from accord.cli.languages import languages
from accord.cli.learn import learn
from accord.cli.lm import lm
from accord.cli.mine import mine
from accord.cli.paper import paper
from accord.cli.phrases import phrases
from accord.cli.query import query
from accord.cli.report import report
from accord.cli.review import review
from accord.cli.sample import sample
from accord.cli.seed import seed
from accord.cli.synth import synth
from accord.cli.training import is_interrupt
from accord.cli.translate import translate
from accord.errors import INTERRUPTED, AccordError, is_machine_error

app = typer.Typer(
    help="Learn bilingual lexicons and phrase tables from text that is not parallel.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def show_version(
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    if version:
        print(f"accord {__version__}")
        raise typer.Exit


# In the order of `accord --help`: what most users need, the steps around it, then experiments.
COMMANDS = (
    *(mine, learn, report, review, apply, query, export, phrases, seed, import_),
    *(adapt, translate, lm, languages, sample, demo, evaluate, synth, paper),
)
for command in COMMANDS:
    app.command(command.__name__.rstrip("_"), cls=Command)(with_common_options(command))


def main() -> None:
    """Run the `accord` command."""
    if sys.stdout is None:  # closed by the caller
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a terminal without arrows gets question marks
            stream.reconfigure(errors="replace")
    try:
        app(prog_name="accord")
    except AccordError as error:
        _fail(str(error), error.exit_code)
    except OSError as error:
        exit_code = 1 if is_machine_error(error) else 2
        _fail(f"{error.filename or 'the system'}: {error.strerror or error}", exit_code)
    except BrokenExecutor:
        _fail("a process that reads text has died; give fewer --threads, or free memory", 1)
    except RuntimeError as error:
        if "cannot cache function" not in str(error):
            raise
        _fail("no folder for compiled code can be written; name one in NUMBA_CACHE_DIR")
    except SystemError as error:
        if not is_interrupt(error):
            raise
        raise SystemExit(INTERRUPTED) from None
    except MemoryError:
        _fail("not enough memory for so many phrases", 1)


def _fail(sentence: str, exit_code: int = 2) -> NoReturn:
    print(f"accord: {sentence}", file=sys.stderr)
    raise SystemExit(exit_code)
