"""The command `languages`: which tokeniser each language has."""

import json

from rich.text import Text

from accord.cli import flags
from accord.cli.output import make_table, print_table


def languages(as_json: flags.Json = False) -> None:
    """List the languages and their tokenisers."""
    from accord.corpus.text.language_support import list_languages

    support = list_languages()
    if as_json:
        answer = {name: [row._asdict() for row in rows] for name, rows in support._asdict().items()}
        print(json.dumps(answer | {"others": "UAX #29"}))
        return
    table = make_table("code", "language", "tokeniser", "installed")
    for code, name, packages, installed, install in support.languages:
        state = "yes" if installed else f"no: {install}"
        table.add_row(code, name, " + ".join(packages), Text(state))
    print_table(table)
    print("\nAt the word boundaries of Unicode (UAX #29), and at clitics; nothing to install:\n")
    table = make_table("code", "language", "clitics")
    for row in sorted(support.clitics, key=lambda row: row.name):
        table.add_row(row.code, row.name, Text(row.example))
    print_table(table)
    names = ", ".join(language.name for language in support.unserved)
    print("\nAll others: at the word boundaries of Unicode (UAX #29); nothing to install.")
    print(f"Except {names}: tokenise these first (--pretokenized).")
