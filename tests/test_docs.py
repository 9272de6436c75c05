"""What docs/paper.md names exists, and the examples of the old README run; more in tests/docs."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.test_prose import NOT_REWRITTEN

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAPER = (ROOT / "docs" / "paper.md").read_text(encoding="utf-8")


# To be removed with the old README: tests/docs/test_examples.py runs the new one.
old_readme = pytest.mark.skipif("README.md" not in NOT_REWRITTEN, reason="README.md is rewritten")


def block(language: str) -> str:
    (found,) = re.findall(rf"^```{language}\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
    return str(found)


@old_readme
def test_the_readmes_shell_example(tmp_path: Path) -> None:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euc", block("sh")],
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        capture_output=True,
        check=True,
    )
    lexicon = done.stdout.decode()
    shown = re.search(r"^```\n(alte\told.*?)^```", README, re.DOTALL | re.MULTILINE)
    assert shown is not None
    assert lexicon.endswith(shown[1])


@old_readme
def test_the_readmes_python_example(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", block("python")], cwd=tmp_path, capture_output=True, check=True
    )
    assert "die rote tür = the red door ((0, 0), (1, 1), (2, 2))" in done.stdout.decode()


def test_every_function_and_test_that_the_paper_page_names_exists() -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in ROOT.glob("src/accord/**/*.py"))
    tests = "".join(path.read_text(encoding="utf-8") for path in ROOT.glob("tests/**/test_*.py"))
    table = [line for line in PAPER.splitlines() if line.startswith("| ") and "`" in line]
    assert len(table) >= 12
    for line in table:
        for name in re.findall(r"`(?:\w+\.)?([A-Za-z_]\w+)`", line.split("|")[-3]):
            assert re.search(rf"(def|class) {name}\b", sources) or name == "agree", name
        for name in re.findall(r"::(test_\w+)", line):
            assert f"def {name}" in tests, name


def test_contributing_is_short() -> None:
    assert len((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").splitlines()) < 80
