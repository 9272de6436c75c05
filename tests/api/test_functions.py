"""The functions of the package: they have what the commands have, and their examples run."""

import doctest
import inspect
import re
from collections.abc import Callable
from dataclasses import fields
from keyword import iskeyword
from pathlib import Path
from typing import Any

import pytest
import typer

import accord as package
from accord import Accord, Settings, api, cli, estimator
from accord.api import experiments, learning, preparation, results, translation

FUNCTIONS = [
    function for name in package.__all__ if inspect.isfunction(function := getattr(package, name))
]
METHODS: list[Callable[..., Any]] = [
    Accord.fit,
    Accord.load,
    Accord.translate_phrase,
    Accord.get_params,
    Accord.set_params,
]
CALLABLES: list[Callable[..., Any]] = [*FUNCTIONS, *METHODS]
COMMANDS: dict[str, Any] = typer.main.get_command(cli.app).commands  # type: ignore[attr-defined]
# The functions that have another name than their command: a verb, and no name of a package.
RENAMED = {
    "demo": "run_demo",
    "import": "import_seed",
    "languages": "list_languages",
    "lm": "train_language_model",
    "paper": "reproduce_paper",
    "phrases": "extract_phrases",
    "sample": "write_sample",
    "seed": "select_seed",
    "synth": "make_experiment",
    "translate": "translate_sentences",
}
# Options about what a command prints. A function prints nothing, and returns its results.
PRINTING = {"help", "help_all", "json", "quiet", "strict", "verbose"}
# Functions that write one file replace it.
FILE_WRITERS = {"export", "import", "lm", "phrases", "report", "seed"}


def collect_documented(function: Callable[..., Any]) -> list[str]:
    """The names in the section on parameters of a docstring."""
    _, *sections = (inspect.getdoc(function) or "").split("Parameters\n----------\n")
    section = "".join(sections).split("\n\nReturns\n")[0]
    heads = re.findall(r"^(\S.*?)(?: : .*)?$", section, re.MULTILINE)
    return [name.lstrip("*") for head in heads for name in head.split(", ")]


def find_function(command: str) -> Callable[..., Any]:
    function: Callable[..., Any] = getattr(package, RENAMED.get(command, command))
    return function


def list_options(command: str) -> dict[str, Any]:
    """The options of a command that its function should have, by the name of its parameter."""
    left_out = PRINTING | ({"force"} if command in FILE_WRITERS else set())
    if command == "report":
        left_out |= {"open"}
    found = {}
    for option in COMMANDS[command].params:
        if option.param_type_name == "option" and not option.hidden:
            name = option.opts[-1].removeprefix("--").replace("-", "_")
            if name not in left_out:
                # `open` is a function of Python, and `from` a keyword.
                name = "open_page" if name == "open" else name
                found[f"{name}_" if iskeyword(name) else name] = option
    if "settings" in inspect.signature(find_function(command)).parameters:
        own = inspect.signature(find_function(command)).parameters
        settings = {setting.name for setting in fields(Settings)} - own.keys()
        found = {name: option for name, option in found.items() if name not in settings}
    return found


# Signatures and documentation


@pytest.mark.parametrize("function", CALLABLES, ids=lambda function: function.__name__)
def test_all_parameters_are_typed_and_documented(function: Callable[..., Any]) -> None:
    signature = inspect.signature(function)
    own = [p for name, p in signature.parameters.items() if name != "self"]
    assert all(p.annotation is not p.empty for p in own)
    assert signature.return_annotation is not signature.empty
    assert collect_documented(function) == [p.name for p in own]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_options_are_given_by_name(function: Callable[..., Any]) -> None:
    parameters = inspect.signature(function).parameters.values()
    positional = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    assert len(positional) <= 3
    assert ">>> " in (inspect.getdoc(function) or "")


@pytest.mark.parametrize(
    "module",
    [experiments, learning, preparation, results, translation, estimator],
    ids=lambda module: module.__name__,
)
def test_the_examples(module: Any, sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(sample)
    failed, tried = doctest.testmod(module)
    assert tried > 1
    assert not failed


# The functions and the commands


def test_every_command_has_a_function() -> None:
    commands = {name for name, command in COMMANDS.items() if not command.hidden}
    assert {find_function(name).__name__ for name in commands} == {*api.__all__} - {"load"}


@pytest.mark.parametrize("command", list(COMMANDS))
def test_a_function_has_the_options_of_its_command(command: str) -> None:
    parameters = inspect.signature(find_function(command)).parameters
    for name, option in list_options(command).items():
        assert name in parameters
        default = parameters[name].default
        if default is inspect.Parameter.empty:
            assert option.required, name
        elif (command, name) == ("phrases", "threads"):
            # Several processes need a script that can be imported again, which not all can.
            assert default == 1
        elif (command, name) == ("learn", "seed"):
            assert default == ()  # no entries, rather than no file
        elif not option.required:
            assert default == option.default, name
