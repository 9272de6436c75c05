"""The flags of the settings: one for each field of `Settings`."""

import inspect
from collections.abc import Callable
from dataclasses import fields
from functools import wraps
from typing import Annotated, Any

import typer

from accord.settings import Settings, describe_setting


def takes_settings(command: Callable[..., None]) -> Callable[..., None]:
    """Replace the parameter `settings` of a command by a flag for each field of `Settings`.

    A parameter of the command with the name of a setting is the flag of that setting.
    """
    parameters = inspect.signature(command).parameters
    own = [name for name in parameters if name != "settings"]

    @wraps(command)
    def run_command(**arguments: Any) -> None:
        given = {
            setting.name: arguments[setting.name]
            for setting in fields(Settings)
            if arguments[setting.name] is not None
        }
        settings = _combine_settings(arguments.get("continue_from"), given)
        command(settings=settings, **{name: arguments[name] for name in own})

    flags = [
        inspect.Parameter(
            setting.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation=Annotated[
                setting.type | None,  # type: ignore[operator]
                typer.Option(help=describe_setting(setting)),
            ],
        )
        for setting in fields(Settings)
        if setting.name not in own
    ]
    all_parameters = [
        *(parameters[name].replace(kind=inspect.Parameter.KEYWORD_ONLY) for name in own),
        *flags,
    ]
    signature = inspect.Signature(all_parameters)
    run_command.__signature__ = signature  # type: ignore[attr-defined]
    run_command.__annotations__ = {p.name: p.annotation for p in all_parameters}
    return run_command


def _combine_settings(continue_from: Any, given: dict[str, Any]) -> Settings:
    """Return the given settings or, of a run that continues another, that run's with the given."""
    if continue_from is None:
        return Settings(**given)
    from accord.runs.folder import RunFolder

    return RunFolder(continue_from).read_settings().update(given)
