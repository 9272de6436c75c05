"""The reference pages as Markdown, generated from the code of Accord.

`PAGES` maps names to functions that return Markdown, which the directive of `accord_site.py`
inserts. This module does not import Sphinx, so that tests can use it.
"""

import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from textwrap import dedent
from types import SimpleNamespace
from typing import Any

import typer

import accord
from accord.cli import app
from accord.cli.groups import GENERAL, GROUPS, INPUT
from accord.formats.readers import READERS
from accord.runs.export import FORMATS
from accord.settings import Settings

# Every command has these, and the page says so once.
COMMON = {"--help", "--help-all"}


def list_commands() -> str:
    """Return a table of the commands."""
    rows = [(f"[`{name}`](#accord-{name})", summarise(c.help)) for name, c in find_commands()]
    return format_table(("Command", "Purpose"), rows)


def describe_commands() -> str:
    """Return a section for each command: synopsis, description, arguments, groups of options."""
    return "\n\n".join(part for name, c in find_commands() for part in _command(name, c))


def find_commands() -> list[tuple[str, Any]]:
    return [(name, c) for name, c in root_command().commands.items() if not c.hidden]


def root_command() -> Any:
    return typer.main.get_command(app)


def _command(name: str, command: Any) -> Iterator[str]:
    context = typer.Context(command, info_name=f"accord {name}")
    yield f"## accord {name}"
    usage = command.get_usage(context).removeprefix("Usage: ")
    yield f"```text\n{usage}\n```"
    yield to_markdown(command.help)
    groups: dict[str, list[tuple[str, str]]] = {name: [] for name in GROUPS}
    for parameter in command.params:
        record = None if parameter.hidden else parameter.get_help_record(context)
        if record and COMMON.isdisjoint(parameter.opts):
            is_option = parameter.param_type_name == "option"
            group = parameter.rich_help_panel or (GENERAL if is_option else INPUT)
            term = record[0] if is_option else parameter.metavar
            groups[group].append((f"`{term}`", escape(record[1])))
    for group, rows in groups.items():
        if not rows:
            continue
        yield f"**{group}**"
        yield "\n\n".join(f"{term}\n: {description}" for term, description in rows)


def describe_settings() -> str:
    """Return a table of all settings: limits, and the default of each method that uses them."""
    methods = {
        "posterior agreement": Settings(),
        "the paper's methods": Settings(agreement="inner"),
    }
    sections = []
    for setting in fields(Settings):
        name = setting.name
        help_text, limits = describe_field(setting.metadata)
        defaults = {
            method: f"`{show(getattr(values, name))}`"
            for method, values in methods.items()
            if name == "agreement" or is_used(values, name)
        }
        default = "; ".join(f"{value} with {method}" for method, value in defaults.items())
        if name == "agreement" or (len(defaults) == 2 and len(set(defaults.values())) == 1):
            default = next(iter(defaults.values()))
        facts = f"- Keyword: `{name}`\n- Values: {limits}\n- Default: {default}"
        sections.append(f"## `--{name.replace('_', '-')}`\n\n{escape(help_text)}\n\n{facts}")
    return "\n\n".join(sections)


def describe_field(metadata: Any) -> tuple[str, str]:
    """Return the help of a setting without its defaults, and its limits in words."""
    limits = metadata["limits"]
    help_text = metadata.get("description") or metadata["help"]
    words = getattr(limits, "description", None) or limits.words
    return re.sub(r" Default: .*", "", help_text), words


def is_used(values: Settings, name: str) -> bool:
    return name in getattr(values, "used", vars(values))


def show(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else f"{value}"


def describe_formats() -> str:
    """Return a section for each file format, from the docstring of its module."""
    modules: dict[str, SimpleNamespace] = {}
    writers: Any = FORMATS
    readers: Any = READERS
    for name in writers | readers:
        writer = find_writer(writers[name]) if name in writers else readers[name]
        document = inspect.getdoc(inspect.getmodule(writer)) or ""
        first = modules.setdefault(document, SimpleNamespace(names=[], uses=[]))
        first.names.append(name)
        first.uses += [f"`--to {name}`"] * (name in writers)
        first.uses += [f"`--from {name}`"] * (name in readers)
    return "\n\n".join(
        f"### {', '.join(entry.names)}\n\n{', '.join(entry.uses)}\n\n{to_markdown(document)}"
        for document, entry in modules.items()
    )


def find_writer(function: Any) -> Any:
    """Return the function of `accord.formats` that this one wraps, or else the function itself."""
    if getattr(function, "__module__", "").startswith("accord.formats."):
        return function
    cells = getattr(function, "__closure__", None) or ()
    parts = function if isinstance(function, tuple) else [cell.cell_contents for cell in cells]
    wrapped = [find_writer(part) for part in parts if callable(part)]
    return wrapped[0] if wrapped else function


def describe_python() -> str:
    """Return autodoc directives for the public names: classes, functions, then errors."""
    public = {name: getattr(accord, name) for name in accord.__all__ if name != "__version__"}
    kinds: dict[str, list[str]] = {"Classes": [], "Functions": [], "Errors": []}
    for name, value in public.items():
        if not inspect.isclass(value):
            kinds["Functions"].append(f".. autofunction:: accord.{name}")
        elif issubclass(value, Exception):
            kinds["Errors"].append(f".. autoexception:: accord.{name}\n   :show-inheritance:")
        else:
            options = "   :members:" if value is not Settings else ""
            kinds["Classes"].append(f".. autoclass:: accord.{name}\n{options}")
    return "\n\n".join(
        f"## {kind}\n\n```{{eval-rst}}\n" + "\n\n".join(directives) + "\n```"
        for kind, directives in kinds.items()
        if directives
    )


def summarise(text: str | None) -> str:
    """Return the first sentence or paragraph of a help text."""
    return " ".join(dedent(text or "").strip().split("\n\n")[0].split())


def to_markdown(text: str | None) -> str:
    """Return a docstring as Markdown: indented blocks become fenced ones, tags are escaped."""
    parts = re.split(r"\n\n(?=\S)|\n\n(?= {4})", inspect.cleandoc(text or ""))
    return "\n\n".join(
        f"```text\n{dedent(part)}\n```" if part.startswith("    ") else escape(part)
        for part in parts
    )


def escape(text: str) -> str:
    """Escape what Markdown would read as a tag, outside code."""
    pieces = re.split(r"(`[^`]*`)", text)
    return "".join(
        p if p.startswith("`") else re.sub(r"([<>*_{}\[\]])", r"\\\1", p) for p in pieces
    )


def format_table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    escaped = ((cell.replace("|", r"\|") for cell in row) for row in lines)
    return "\n".join(f"| {' | '.join(row)} |" for row in escaped)


PAGES: dict[str, Callable[[], str]] = {
    "command-list": list_commands,
    "commands": describe_commands,
    "settings": describe_settings,
    "formats": describe_formats,
    "python": describe_python,
}
