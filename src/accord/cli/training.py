"""What the commands share that make a run: `mine`, `learn` and `apply`."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from accord.cli.messages import announce_compilation, print_inputs
from accord.cli.output import print_detail, print_message
from accord.cli.progress import show_iterations
from accord.errors import FAILED_RUN, INTERRUPTED, OutputError
from accord.settings import Settings

if TYPE_CHECKING:
    from accord.runs.folder import IfExists, RunResults
    from accord.runs.inputs import Inputs
    from accord.system.runners.ray import Ray
    from accord.system.runners.threads import Threads


def check_paths(out: Path, *inputs: Path | None) -> None:
    """Raise an error for a wrong output folder before the inputs are read."""
    if out.exists() and not out.is_dir():
        raise OutputError(f"{out}: expected a folder for the results, found a file")
    for path in inputs:
        if path is not None and path.resolve().parent == out.resolve():
            raise OutputError(f"{out}: holds the input {path}; choose another folder")


def train(
    inputs: "Inputs",
    settings: Settings,
    runner: "Threads | Ray",
    out: Path,
    if_exists: "IfExists",
    *,
    is_lower: bool = False,
) -> "RunResults":
    """Learn from the inputs, and show the progress. Ctrl-C keeps the finished iterations."""
    from accord.runs.folder import RunFolder
    from accord.runs.learn import learn

    announce_compilation()
    print_inputs(inputs, is_lower=is_lower)
    used = (f"{name} {value}" for name, value in settings.used.items())
    print_detail(f"settings: {', '.join(used)}")
    phrases = inputs.source_lines.phrases + inputs.target_lines.phrases
    with show_iterations(settings, phrases) as (runner.searched, watch):
        try:
            return learn(
                inputs,
                settings,
                runner,
                RunFolder(out),
                if_exists=if_exists,
                watch=watch,
                tell=print_message,
            )
        except (KeyboardInterrupt, SystemError) as error:
            if not is_interrupt(error):
                raise
            print_message(describe_interrupt(out))
            raise SystemExit(INTERRUPTED) from None


def describe_interrupt(out: Path) -> str:
    """Return what an interrupted run has kept in its folder, and what to do."""
    from accord.runs.folder import RunFolder

    folder = RunFolder(out)
    if iteration := folder.count_kept_iterations():
        return (
            f"Interrupted; {out} keeps the run up to iteration {iteration}. Give the same command "
            "again: continue with --resume, or start again with --force."
        )
    if folder.is_finished:
        return (
            f"Interrupted; {out} has the results of a finished run. Give the same command again if "
            "a file is missing."
        )
    return (
        "Interrupted before the end of the first iteration: nothing was kept. Give the same "
        "command again to start anew."
    )


def check_quality(results: "RunResults") -> None:
    """Exit with a code of its own if the run has failed."""
    if results.quality.failed:
        raise typer.Exit(FAILED_RUN)


def is_interrupt(error: BaseException | None) -> bool:
    """Return whether the user has pressed Ctrl-C.

    In compiled code, Numba raises a SystemError whose cause is the interrupt.
    """
    return isinstance(error, KeyboardInterrupt) or (
        isinstance(error, SystemError) and is_interrupt(error.__cause__)
    )
