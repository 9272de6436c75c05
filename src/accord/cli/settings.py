"""The flags that come from Settings: one for each field, with its default and its help."""

import inspect
from collections.abc import Callable
from dataclasses import Field, fields
from functools import wraps
from typing import Annotated, Any

import typer

from accord.settings import Settings


def takes_settings(command: Callable[..., None]) -> Callable[..., None]:
    """Give the command a flag for each field of Settings, in place of its parameter `settings`;
    but for those that it has itself, which go before."""
    parameters = inspect.signature(command).parameters

    @wraps(command)
    def with_settings(**arguments: Any) -> None:
        values = {setting.name: arguments[setting.name] for setting in fields(Settings)}
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
    kept = [
        parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for parameter in parameters.values()
        if parameter.name != "settings"
    ]
    with_settings.__signature__ = inspect.Signature(kept + flags)  # type: ignore[attr-defined]
    with_settings.__annotations__ = {p.name: p.annotation for p in kept + flags}
    return with_settings


def _flag_type(setting: "Field[Any]") -> Any:
    """A flag that is not given leaves its setting to the kind of agreement."""
    return setting.type | None if setting.default is None else setting.type  # type: ignore[operator]
