"""The reference names every command, option, setting, format, file, column and key."""

import json
import re
from dataclasses import fields
from pathlib import Path

import pytest
import reference
import typer

import accord
from accord import Accord, Settings
from accord.experiments.artificial import plant
from accord.formats.readers import READERS
from accord.runs.export import FORMATS
from tests.docs.pages import DOCS


def test_every_command_and_option_is_described() -> None:
    text = reference.describe_commands()
    assert "## accord mine\n" in text
    for name, command in reference.find_commands():
        section = text.split(f"## accord {name}\n")[1].split("\n## ")[0]
        for parameter in command.params:
            if not parameter.hidden and reference.COMMON.isdisjoint(parameter.opts):
                record = parameter.get_help_record(typer.Context(command))
                is_option = parameter.param_type_name == "option"
                assert f"`{record[0] if is_option else parameter.metavar}`" in section
        assert "<" not in section.replace("\\<", "")


def test_hidden_options_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    (command,) = (found for name, found in reference.find_commands() if name == "mine")
    (seed,) = (parameter for parameter in command.params if parameter.name == "seed")
    seed.hidden = True
    monkeypatch.setattr(reference, "find_commands", lambda: [("mine", command)])
    assert "--seed <" not in reference.describe_commands()
    assert "--seed PATH" not in reference.describe_commands()


def test_every_setting_is_described() -> None:
    text = reference.describe_settings()
    for setting in fields(Settings):
        assert f"- Keyword: `{setting.name}`\n- Values: " in text
    assert "- Default: `40` with posterior agreement; `10` with the paper's methods" in text


def test_every_format_is_described() -> None:
    details = reference.describe_formats()
    page = (DOCS / "reference" / "formats.md").read_text(encoding="utf-8")
    for name in FORMATS:
        assert f"`--to {name}`" in details
        assert f"\n| `{name}` |" in page
    for name in READERS:
        assert f"`--from {name}`" in details
    assert "LEX source target alpha" in details.split("### eflomal")[1].split("###")[0]


def test_every_public_name_is_described() -> None:
    text = reference.describe_python()
    for line in (".. autoclass:: accord.Accord\n", ".. autoexception:: accord.InputError\n"):
        assert line in text
    page = (DOCS / "reference" / "python.md").read_text(encoding="utf-8")
    for name in accord.api.__all__:
        assert f".. autofunction:: accord.{name}\n" in f"{text}\n"
        assert f"{{py:func}}`~accord.{name}`" in page


def test_docstrings_become_markdown() -> None:
    text = reference.to_markdown("First <b>.\n\n    a *line*\n\nLast `<b>`.")
    assert text == "First \\<b\\>.\n\n```text\na *line*\n```\n\nLast `<b>`."


def test_the_run_folder_is_described(tmp_path: Path) -> None:
    made = plant(words=40, phrases=60, noise=0)
    model = Accord(agreement="outer", iterations=1, held_out=0.1)
    model.fit(made.source, made.target, made.lexicon[:20], gold=made.gold, out=tmp_path / "run")
    page = (DOCS / "reference" / "run-folder.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## (\S+)\n(.*?)(?=^## |\Z)", page, re.DOTALL | re.MULTILINE))
    for file in (tmp_path / "run").iterdir():
        name = f"{file.name}/" if file.is_dir() else file.name
        assert f"\n| `{name}` |" in page
        if file.suffix in (".json", ".jsonl"):
            text = file.read_text(encoding="utf-8")
            keys = json.loads(text.splitlines()[0] if file.suffix == ".jsonl" else text)
            missing = [key for key in keys if f"`{key}`" not in sections[file.name]]
            assert not missing, file.name
        if file.suffix == ".tsv":
            columns = re.findall(r"^\| (\d) \|.*$", sections[file.name], re.MULTILINE)
            values = file.read_text(encoding="utf-8").splitlines()[0].split("\t")
            # Without confidence and, of phrases, without relation, as the page says.
            unused = 2 if file.name == "phrases.tsv" else 1
            assert len(values) == len(columns) - unused
