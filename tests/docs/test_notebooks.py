"""The notebooks run, and print what they store. `--update-golden` stores the outputs anew."""

import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.docs.pages import NOTEBOOKS, name_of

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")


@pytest.mark.filterwarnings("default")  # those of Jupyter are not ours
@pytest.mark.parametrize("path", NOTEBOOKS, ids=name_of)
def test_notebooks_print_what_they_store(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    notebook = nbformat.read(path, as_version=4)
    stored = list_texts(notebook)
    client = nbclient.NotebookClient(
        notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}, record_timing=False
    )
    client.execute()
    if request.config.getoption("--update-golden"):
        nbformat.write(tidy(notebook), path)
    else:
        assert list_texts(notebook) == stored


def list_texts(notebook: Any) -> list[str]:
    """Return the printed outputs of each cell; plots may differ in a pixel."""
    cells = [cell for cell in tidy(notebook).cells if cell.cell_type == "code"]
    return ["".join(map(read_text, cell.outputs)) for cell in cells]


def read_text(output: Any) -> str:
    return str(output.get("text") or output.get("data", {}).get("text/plain", ""))


def tidy(notebook: Any) -> Any:
    """Return the notebook with its printed text in one output per cell, as plain text."""
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = merge_streams(cell.outputs)
    notebook.metadata.language_info = {"name": "python"}
    return notebook


def merge_streams(outputs: list[Any]) -> list[Any]:
    """Return the outputs of a cell with adjacent text joined, and without colours."""
    merged: list[Any] = []
    for output in outputs:
        if merged and output.get("name") and output.get("name") == merged[-1].get("name"):
            merged[-1].text += output.text
        else:
            merged.append(output)
    for output in merged:
        if "text" in output:
            output.text = re.sub(r"\x1b\[[\d;]*m|\r", "", output.text)
    return merged
