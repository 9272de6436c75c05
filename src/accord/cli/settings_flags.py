"""The flags of the settings: one for each field of `Settings`."""

import inspect
from collections.abc import Callable
from dataclasses import fields
from functools import wraps
from typing import Annotated, Any

from accord.cli.flags import option
from accord.cli.groups import ADVANCED, METHOD
from accord.cli.output import print_message
from accord.settings import Settings, describe_setting

# The settings in --help; the others are in --help-all.
COMMON = ("agreement", "iterations", "min_confidence")
METAVARS = {
    "agreement": "METHOD",
    "tolerance": "P",
    "background": "NAME",
    "prune": "P",
    "held_out": "P",
    "word_model": "NAME",
    "training_matching": "NAME",
    "matching": "NAME",
    "min_confidence": "P",
    "epsilon": "P",
    "min_probability": "P",
}


def takes_settings(
    command: Callable[..., None], make: Callable[..., Settings] = Settings
) -> Callable[..., None]:
    """Replace the parameter `settings` of a command by a flag for each field of `Settings`.

    A parameter of the command with the name of a setting is the flag of that setting. The settings
    are made from the given flags.
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
        settings = _combine_settings(arguments.get("continue_from"), given, make)
        if settings.agreement == "posterior" and "min_probability" in given:
            print_message("--min-probability is now --min-confidence with posterior agreement")
        command(settings=settings, **{name: arguments[name] for name in own})

    flags = [
        inspect.Parameter(
            setting.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation=Annotated[
                setting.type | None,  # type: ignore[operator]
                option(
                    group=METHOD if setting.name in COMMON else ADVANCED,
                    metavar=METAVARS.get(setting.name, "N" if setting.type is int else "X"),
                    text=describe_setting(setting).replace("min_confidence", "--min-confidence"),
                ),
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


def _combine_settings(
    continue_from: Any, given: dict[str, Any], make: Callable[..., Settings]
) -> Settings:
    """Return the given settings or, of a run that continues another, that run's with the given."""
    earlier = None
    if continue_from is not None:
        from accord.runs.folder import RunFolder

        earlier = RunFolder(continue_from).read_settings()
    agreement = given.get("agreement") or (earlier.agreement if earlier else "posterior")
    if agreement == "posterior" and "epsilon" in given:
        # Earlier versions took the flag, and did not use it.
        print_message("--epsilon has no effect with posterior agreement")
        given = {name: value for name, value in given.items() if name != "epsilon"}
    return earlier.update(given) if earlier else make(**given)
