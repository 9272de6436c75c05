"""What docs/paper.md names exists. More tests of the documentation are in tests/docs."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAPER = (ROOT / "docs" / "paper.md").read_text(encoding="utf-8")


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
