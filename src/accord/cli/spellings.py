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
# Both are right, and one of them is in the help.
SYNONYMS = {"--pretokenised": "--pretokenized"}


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
