"""Old spellings of options: they work for one release, and print a hint."""

from collections.abc import Iterable

from accord.cli.output import print_message

RENAMED = {
    "--jobs": "--threads",
    "--size": "--top",
    "--n-best": "--top",
    "--no-browser": "--no-open",
    "--min-probability": "--min-confidence",
}
# Options that are inputs now, in their order, by command.
MOVED = {
    "seed": ("--source", "--target"),
    "adapt": ("--source-text", "--target-text"),
}
# Values of --to and --from that are no formats of Accord, and what to use.
SPREADSHEETS = ("xlsx", "xls", "ods", "excel")
USE_CSV = "for a spreadsheet, use csv, which Excel and LibreOffice open and save"
# Both are right, and one of them is in the help.
SYNONYMS = {"--pretokenised": "--pretokenized"}


def suggest_format(message: str) -> str:
    """Return an error about a choice; if it was a format of spreadsheets, with csv as a hint."""
    value, _, formats = message.partition(" is not one of ")
    if value.strip("'").lower() in SPREADSHEETS and "'csv'" in formats:
        return f"{message.removesuffix('.')}; {USE_CSV}."
    return message


def modernise(command: str, arguments: Iterable[str], options: set[str]) -> list[str]:
    """Return the arguments of a command in the spelling of today, and print a hint for each change.

    `options` are those that the command has. Inputs that were options come first.
    """
    kept: list[str] = []
    inputs: dict[str, str] = {}
    moved = MOVED.get(command, ())
    rest = iter(arguments)
    for argument in rest:
        if argument == "--":
            kept += [argument, *rest]
            break
        name, equals, value = argument.partition("=")
        if name in moved:
            inputs[name] = value if equals else next(rest, "")
            continue
        new = SYNONYMS.get(name) or RENAMED.get(name)
        if new in options and name not in options:
            if name in RENAMED:
                print_message(f"{name} is now {new}")
            argument = new + equals + value
        kept.append(argument)
    if inputs:
        print_message(f"{' and '.join(moved)} are now inputs: accord {command} SOURCE TARGET …")
    return [inputs[name] for name in moved if name in inputs] + kept
