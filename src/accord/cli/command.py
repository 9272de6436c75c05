"""What all commands have in common: their help, old spellings, and errors that name the option."""

import re
from collections.abc import Callable
from inspect import Parameter, signature
from time import perf_counter
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from accord.cli import output
from accord.cli.groups import ADVANCED, GENERAL, GROUPS, INPUT
from accord.cli.spellings import modernise, suggest_format
from accord.errors import INTERRUPTED, SettingError

ALL = "accord.help-all"
# One line for both options.
HELP = ("-h, --help, --help-all", "Show the common options, or all, and exit.")
# The width of the names of options in the help.
NAMES = 24
# The length of a help text that fits one line of a terminal of 80 columns.
LINE = 50


class Command(TyperCommand):
    """A command whose help has its options in groups, the advanced ones with --help-all only."""

    def collect_usage_pieces(self, _: Any) -> list[str]:
        parameters: list[Any] = self.params
        arguments = [p for p in parameters if p.param_type_name == "argument" and not p.hidden]
        names = [f"{p.metavar}" if p.required else f"[{p.metavar}]" for p in arguments]
        return [*names, "[OPTIONS]"]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        groups: dict[str, list[tuple[str, str]]] = {name: [] for name in GROUPS}
        parameters: list[Any] = self.get_params(ctx)
        for parameter in parameters:
            if record := parameter.get_help_record(ctx):
                option = parameter.param_type_name == "option"
                name, text = record if option else (parameter.metavar or parameter.name, record[1])
                if "--help-all" in parameter.opts:
                    continue
                if "--help" in parameter.opts:
                    name, text = HELP
                group = parameter.rich_help_panel or (GENERAL if option else INPUT)
                groups[group].append((name, _format_facts(text)))
        if not ctx.meta.get(ALL) and groups[ADVANCED]:
            del groups[ADVANCED]
            groups = {name: [*map(_shorten, rows)] for name, rows in groups.items()}
        for group, rows in groups.items():
            if rows:
                with formatter.section(group):
                    formatter.write_dl([(n.ljust(NAMES), text) for n, text in rows], NAMES)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        output.set_verbosity(0)
        if not ctx.resilient_parsing:  # as it is for shell completion
            options = {name for p in self.params for name in (*p.opts, *p.secondary_opts)}
            args = modernise(self.name or "", args, options)
        try:
            return super().parse_args(ctx, args)
        except typer.BadParameter as error:
            # Typer passes on the words of Pydantic.
            error.message = error.message.removeprefix("Value error, ")
            error.message = error.message.replace("Input should be", "must be")
            error.message = suggest_format(error.message)
            raise

    def invoke(self, ctx: Any) -> Any:
        begun = perf_counter()
        try:
            _check_languages(ctx.params)
            result = super().invoke(ctx)
        except SettingError as error:
            raise SettingError(self.name_options(str(error))) from error
        except KeyboardInterrupt:
            output.print_message(_describe_interrupt(ctx.params))
            raise typer.Exit(INTERRUPTED) from None
        output.print_detail(f"accord {self.name}: {perf_counter() - begun:.1f} seconds")
        return result

    def name_options(self, message: str) -> str:
        """Replace the names of parameters by their options: first in a message, or with a _."""
        flags = {p.name: p.opts[-1] for p in self.params if p.param_type_name == "option"}

        def replace(found: re.Match[str]) -> str:
            name = found[0]
            return flags.get(name, name) if "_" in name or found.start() == 0 else name

        return re.sub(r"^\w+(?=:)|\b[a-z]+_[a-z_]+\b", replace, message)


def _check_languages(given: dict[str, Any]) -> None:
    """Raise an error if both languages of a command are the same, before any file is read."""
    if given.get("source_lang") and given.get("target_lang"):
        from accord.corpus.text.languages import check_two_languages

        check_two_languages(given["source_lang"], given["target_lang"])


def _describe_interrupt(given: dict[str, Any]) -> str:
    """Return what an interrupted command has kept, and what to do."""
    if "resume" in given:
        from accord.cli.training import describe_interrupt

        return describe_interrupt(given["out"])
    return "Interrupted. Give the same command again."


def _format_facts(text: str) -> str:
    """Return a help text without limits, which errors report, and with its default at the end."""
    text = re.sub(r"(\[|; )(-?\d+<=)?x[<>]=\d+(?=\])", r"\1", text)
    return text.replace("; ]", "]").replace("  []", "").replace("  [", " [")


def _shorten(row: tuple[str, str]) -> tuple[str, str]:
    """Return the name of an option with the first sentence of its help, its default and facts.

    The default is that of posterior agreement. Of a default for which there is no room in the line,
    nothing is shown: --help-all has it.
    """
    name, text = row
    text = re.sub(r"^(Posterior|Paper's methods) only\. ", "", text)
    default = re.search(r" Default: [^.]*(\.\d[^.]*)?\.", text)
    text = re.sub(r"\. [A-Z].*?(?=$| \[)", ".", text)
    if default and "[" not in text:
        text += re.sub(r" with posterior,.*", ".", default[0])
    return name, text if len(text) <= LINE else re.sub(r" (\[d|D)efault: .*", "", text)


def with_common_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add to a command the options that all commands have."""
    own = signature(command)
    common = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=False, annotation=annotation)
        for name, annotation in COMMON.items()
    ]

    def run(**arguments: Any) -> None:
        command(**{name: value for name, value in arguments.items() if name not in COMMON})

    parameters = [p.replace(kind=Parameter.KEYWORD_ONLY) for p in own.parameters.values()] + common
    run.__name__, run.__doc__ = command.__name__, command.__doc__
    run.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {p.name: p.annotation for p in parameters}
    return run


def _be_quiet(given: bool) -> None:
    if given:
        output.set_verbosity(-1)


def _be_verbose(given: bool) -> None:
    if given:
        output.set_verbosity(1)


def _show_all(ctx: typer.Context, given: bool) -> None:
    if given and not ctx.resilient_parsing:
        ctx.meta[ALL] = True
        print(ctx.get_help())
        raise typer.Exit


def _flag(*names: str, text: str, callback: Callable[..., None]) -> Any:
    """Return an option that acts by itself, before the command runs."""
    option = typer.Option(
        *names, help=text, callback=callback, is_eager=True, rich_help_panel=GENERAL
    )
    return Annotated[bool, option]


COMMON = {
    "quiet": _flag(
        "-q", "--quiet", text="Print results, errors and failures only.", callback=_be_quiet
    ),
    "verbose": _flag("-v", "--verbose", text="Print more messages.", callback=_be_verbose),
    "help_all": _flag("--help-all", text="Show all options in detail.", callback=_show_all),
}
