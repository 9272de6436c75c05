"""The examples of the documentation run, and print what the pages show.

A page's blocks are run in order, in a folder with the files of `accord sample .`:

```shell    is run with bash
```python   is run if a ```text block shows its output; each block in a process of its own
```text     right after one of these is its output: … stands for any characters, and alone in a
            line for any lines
```console  is not run
"""

import os
import re
import shutil
import subprocess
import sys
from itertools import pairwise, takewhile
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple

import pytest

from tests.docs.pages import DOCS, MARKDOWN, README, Block, name_of, read_blocks

SAMPLE = "accord sample ."
PAGES = [
    path
    for path in MARKDOWN
    if any(block.language == "shell" for block in read_blocks(path.read_text(encoding="utf-8")))
]


class Example(NamedTuple):
    """A block that is run, and the output that the page shows, if any."""

    block: Block
    shown: str | None


class Session:
    """Runs commands in folders. Pages that begin with the same commands share their results."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.results: dict[tuple[Block, ...], tuple[Path, list[str]]] = {}

    def run(self, commands: tuple[Block, ...]) -> tuple[Path, list[str]]:
        """Return the folder after the commands, and the possible outputs of the last one."""
        if commands not in self.results:
            folder = Path(mkdtemp(dir=self.root))
            if commands:
                shutil.copytree(self.run(commands[:-1])[0], folder, dirs_exist_ok=True)
            outputs = run_block(commands[-1], folder) if commands else []
            self.results[commands] = folder, outputs
        return self.results[commands]


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    return Session(tmp_path_factory.mktemp("pages"))


@pytest.mark.xdist_group("pages")
@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_examples_run_and_print_what_the_page_shows(path: Path, session: Session) -> None:
    commands: tuple[Block, ...] = (Block("shell", SAMPLE),)
    for example in list_examples(path.read_text(encoding="utf-8")):
        outputs = [""] * 3
        for command in split_commands(example.block):
            if command.text == SAMPLE:
                outputs = session.run(commands[:1])[1]
                continue
            commands += (command,)
            more = session.run(commands)[1]
            outputs = [a + b for a, b in zip(outputs, more, strict=True)]
        if example.shown is not None:
            assert is_shown(example.shown, outputs), f"{example.shown}\n≠\n{outputs[-1]}"


@pytest.mark.xdist_group("pages")
def test_the_picture_shows_confidences_of_the_quickstart(session: Session) -> None:
    quickstart = list_examples(README.read_text(encoding="utf-8"))[0]
    folder, _ = session.run((*split_commands(quickstart.block)[:2],))
    rows = [
        line.split("\t")
        for name in ("phrases.tsv", "lexicon.tsv")  # words are shown as in the lexicon
        for line in (folder / "de-en" / name).read_text(encoding="utf-8").splitlines()
    ]
    # The sixth column of phrases, the fifth and last of words.
    confidences = {(row[0], row[1]): row[min(5, len(row) - 1)] for row in rows}
    picture = (DOCS / "_static" / "overview.svg").read_text(encoding="utf-8")
    text, bar = r"<text [^>]*>([^<]+)</text>\n", r'<rect class="bar"[^>]*width="([\d.]+)"[^>]*/>\n'
    shown = re.findall(rf'{text}{text}<rect class="track"[^>]*/>{bar}{text}', picture)
    assert len(shown) == 3
    for source, target, width, confidence in shown:
        assert confidences[source, target] == confidence
        assert float(width) == pytest.approx(56 * float(confidence), abs=0.1)


def list_examples(text: str) -> list[Example]:
    blocks = [*read_blocks(text), Block("", "")]
    examples = []
    for block, after in pairwise(blocks):
        shown = after.text if after.language == "text" else None
        if block.language == "shell" or (block.language == "python" and shown is not None):
            examples.append(Example(block, shown))
    return examples


def split_commands(block: Block) -> list[Block]:
    """Return one block per `accord` command at the start of a block, and the rest as one block."""
    if block.language != "shell":
        return [block]
    lines = re.sub(r" *\\\n *", " ", block.text).strip().splitlines()
    commands = [*takewhile(lambda line: line.startswith("accord "), lines)]
    rest = "".join(f"{line}\n" for line in lines[len(commands) :])
    return [Block("shell", command) for command in [*commands, *([rest] if rest else [])]]


def run_block(block: Block, folder: Path) -> list[str]:
    """Return what a reader may see: standard output, with the messages before or after it."""
    python = Path(sys.executable)
    program = ["bash", "-euo", "pipefail", "-c"] if block.language == "shell" else [python, "-c"]
    path = f"{python.parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [*program, block.text],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, f"{block.text}\n{done.stdout}\n{done.stderr}"
    return [done.stdout, done.stdout + done.stderr, done.stderr + done.stdout]


def is_shown(shown: str, outputs: list[str]) -> bool:
    pattern = "".join(
        r"(.*\n)*?"
        if line.strip() == "…"
        else ".*".join(map(re.escape, line.rstrip().split("…"))) + "\n"
        for line in shown.rstrip().splitlines()
    )
    lines = ("".join(f"{line.rstrip()}\n" for line in text.splitlines()) for text in outputs)
    return any(re.fullmatch(pattern, text.rstrip() + "\n") for text in lines)


PAGE = """
```shell
echo one > file
cat file
```

Prints:

```text
one
```

```python
print(open("file").read())
```
"""


def test_a_page_is_run(tmp_path: Path) -> None:
    session = Session(tmp_path)
    (example,) = list_examples(PAGE.replace("\nPrints:\n", ""))
    folder, outputs = session.run((example.block,))
    assert (folder / "file").read_text() == "one\n"
    assert example.shown is not None
    assert is_shown(example.shown, outputs)
    later = Block("python", "print(open('file').read())")
    assert session.run((example.block, later))[1][0] == "one\n\n"
    assert len(session.results) == 3


def test_accord_commands_are_shared_one_by_one() -> None:
    block = Block("shell", "accord sample .\naccord mine a \\\n    b\nls\naccord mine\n")
    assert [command.text for command in split_commands(block)] == [
        SAMPLE,
        "accord mine a b",
        "ls\naccord mine\n",
    ]


def test_what_a_page_shows() -> None:
    assert is_shown("a\n…\nd", ["a\nb\nc\nd\n"])
    assert is_shown("a\n…", ["a  \n"])
    assert is_shown("took … s", ["took 1.2 s\n"])
    assert not is_shown("a\nd", ["a\nb\nd\n"])
    assert is_shown("a", ["b", "a"])
