"""The flags that come from Settings: one for each field, with its default and its help."""

import inspect
from collections.abc import Callable
from dataclasses import Field, asdict, fields
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer

from accord.settings import Settings


def takes_settings(command: Callable[..., None]) -> Callable[..., None]:
    """Give the command a flag for each field of Settings, in place of its parameter `settings`;
    but for those that it has itself, which go before."""
    parameters = inspect.signature(command).parameters

    @wraps(command)
    def with_settings(invocation: typer.Context, **arguments: Any) -> None:
        values = {setting.name: arguments[setting.name] for setting in fields(Settings)}
        if before := arguments.get("continue_from"):
            values = _gone_on_with(before, values, invocation)
        own = {name: value for name, value in arguments.items() if name in parameters}
        command(settings=Settings(**values), **own)

    flags = [
        inspect.Parameter(
            setting.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=setting.default,
            annotation=Annotated[_flag_type(setting), typer.Option(help=setting.metadata["help"])],
        )
        for setting in fields(Settings)
        if setting.name not in parameters
    ]
    invocation = inspect.Parameter(
        "invocation", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context
    )
    kept = [
        parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for parameter in parameters.values()
        if parameter.name != "settings"
    ]
    all_of_them = [invocation, *kept, *flags]
    with_settings.__signature__ = inspect.Signature(all_of_them)  # type: ignore[attr-defined]
    with_settings.__annotations__ = {p.name: p.annotation for p in all_of_them}
    return with_settings


def _gone_on_with(
    folder: Path, values: dict[str, Any], invocation: typer.Context
) -> dict[str, Any]:
    """The settings of an earlier run, but for the flags that are given; another kind of agreement
    has defaults of its own."""
    from accord.runs.folder import RunFolder

    # Compared by name, as Typer has a ParameterSource of its own or that of Click.
    given = {
        name: value
        for name, value in values.items()
        if getattr(invocation.get_parameter_source(name), "name", "") == "COMMANDLINE"
    }
    earlier = asdict(RunFolder(folder).read_settings())
    if given.get("agreement", earlier["agreement"]) != earlier["agreement"]:
        return values
    return earlier | given


def _flag_type(setting: "Field[Any]") -> Any:
    """A flag that is not given leaves its setting to the kind of agreement."""
    return setting.type | None if setting.default is None else setting.type  # type: ignore[operator]
