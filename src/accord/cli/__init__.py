"""The command line: one module per command, and what commands share.

application     the list of the commands, and `main`, which turns errors into one sentence
flags           flags of several commands; settings_flags has those of the settings
training        what `mine`, `learn` and `apply` share
messages        what these print about their inputs and results
output          how commands print; progress shows how far they are

Results go to standard output, messages to standard error. Exit 0, or 2 with one sentence.
Commands import what loads NumPy or Numba inside their functions, so that `--help` answers
immediately.
"""

from accord.cli.application import app, main

__all__ = ["app", "main"]
