"""The command `languages`: which tokeniser each language has."""

import json

from rich.text import Text

from accord.cli import flags
from accord.cli.output import make_table, print_table


def languages(as_json: flags.Json = False) -> None:
    """List the languages and their tokenisers."""
    from accord.corpus.text.clitics import ELISIONS
    from accord.corpus.text.tokenisers import TOKENISERS, UNSUPPORTED

    if as_json:
        served = [
            {
                **library.language._asdict(),
                "packages": library.packages,
                "installed": library.is_installed,
                "install": library.install_command,
            }
            for library in TOKENISERS.values()
        ]
        unserved = [language._asdict() for language in UNSUPPORTED]
        elided = [
            {**row.language._asdict(), "example": row.example, "source": row.source}
            for row in ELISIONS.values()
        ]
        answer = {"languages": served, "clitics": elided, "unserved": unserved}
        print(json.dumps(answer | {"others": "UAX #29"}))
        return
    table = make_table("code", "language", "tokeniser", "installed")
    for library in TOKENISERS.values():
        state = "yes" if library.is_installed else f"no: {library.install_command}"
        table.add_row(*library.language, " + ".join(library.packages), Text(state))
    print_table(table)
    print("\nAt the word boundaries of Unicode (UAX #29), and at clitics; nothing to install:\n")
    table = make_table("code", "language", "clitics")
    for row in sorted(ELISIONS.values(), key=lambda row: row.language.name):
        table.add_row(*row.language, Text(row.example))
    print_table(table)
    names = ", ".join(language.name for language in UNSUPPORTED)
    print("\nAll others: at the word boundaries of Unicode (UAX #29); nothing to install.")
    print(f"Except {names}: tokenise these first (--pretokenized).")
