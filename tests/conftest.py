"""Small pieces that many tests use."""

import contextlib
import fcntl
import json
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from accord import Accord
from accord.experiments.artificial import Planted, plant
from accord.runs.folder import RunFolder
from accord.system.runners.threads import Threads

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# Time must not fail a test, and a green run must be green again.
settings.register_profile("accord", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("accord")

Run = Callable[..., "subprocess.CompletedProcess[str]"]
Golden = Callable[[str, str], None]
GOLDEN = Path(__file__).parent / "golden"
CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
HOSTILE = "<script>alert(1)</script>"
HOSTILE_WORDS = (
    HOSTILE,
    "</script>",
    "<!--",
    '"onload="x',
    "'&amp;",
    "<img/src=x>",
    "\u202ex",
    "]]>",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="write the golden files anew: look at the diff"
    )


@pytest.fixture
def golden(request: pytest.FixtureRequest, tmp_path: Path) -> Golden:
    """Compares a text with a file of tests/golden; what differs is kept beside the test's files."""

    def compare(name: str, text: str) -> None:
        file = GOLDEN / name
        if request.config.getoption("--update-golden"):
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, encoding="utf-8")
            return
        (tmp_path / name).write_text(text, encoding="utf-8")
        expected = file.read_text(encoding="utf-8").splitlines()
        assert text.splitlines() == expected, (
            f"{tmp_path / name} is not {file}; if it should be: pytest --update-golden"
        )

    return compare


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    """The system's Chromium, without a window; what needs it is skipped where there is none."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    path = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if path is None:
        pytest.skip("needs Chromium: apt-get install chromium")
    # Whoever runs tests as root has no sandbox; the pages are our own.
    flags = ["--no-sandbox"]
    with (
        playwright.sync_playwright() as driver,
        driver.chromium.launch(executable_path=path, args=flags) as found,
    ):
        yield found


@pytest.fixture
def runner() -> Threads:
    return Threads(2)


@pytest.fixture(scope="session")
def small() -> Planted:
    return plant(words=60, phrases=150, noise=50, random=1)


@pytest.fixture(scope="session")
def small_run(small: Planted, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished run; to be read, not written."""
    folder = tmp_path_factory.mktemp("small") / "run"
    Accord().fit(small.source, small.target, small.lexicon[:30], out=folder)
    return folder


@pytest.fixture(scope="session")
def run_with_names(small: Planted, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run in which ten words, like names, are the same in both languages."""
    names = {f: e for e, f in small.lexicon[:10]}
    target = [" ".join(names.get(word, word) for word in text.split()) for text in small.target]
    seed = [(e, names.get(f, f)) for e, f in small.lexicon[:30]]
    folder = tmp_path_factory.mktemp("names") / "run"
    Accord().fit(small.source, target, seed, out=folder)
    return folder


@pytest.fixture(scope="session")
def tiny_runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two runs, `one` and `other`: one of text in two languages, with contexts."""
    folder = tmp_path_factory.mktemp("tiny")
    planted = plant(words=20, phrases=60, noise=6, longest=3, random=1)
    for name, seeds in (("one", 14), ("other", 10)):
        Accord(min_probability=0.3, held_out=0.3).fit(
            planted.source,
            planted.target,
            planted.lexicon[:seeds],
            gold=planted.gold,
            out=folder / name,
        )
    record = json.loads((folder / "one" / "run.json").read_bytes())
    (folder / "one" / "run.json").write_text(json.dumps(record | {"languages": ["en", "he"]}))
    pairs = RunFolder(folder / "one").read_phrase_pairs()
    lines = [
        f"{source}\t{target}\tsaid [{source}] once\t\t\tthe [{target}]\t[{target}] & more\t\n"
        for source, target in pairs[:3]
    ]
    (folder / "one" / "contexts.tsv").write_text("".join(lines), encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def hostile_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run on phrases that would like to be more, with contexts of the kind."""
    planted = plant(words=20, phrases=60, noise=6, longest=3, random=1)
    names = dict(
        zip((word for pair in planted.lexicon for word in pair), HOSTILE_WORDS, strict=False)
    )

    def spoilt(text: str) -> str:
        return " ".join(names.get(word, word) for word in text.split())

    folder = tmp_path_factory.mktemp("hostile") / f"a<b>&{'c' * 3}"
    Accord(min_probability=0.3).fit(
        [*map(spoilt, planted.source)],
        [*map(spoilt, planted.target)],
        [(spoilt(e), spoilt(f)) for e, f in planted.lexicon[:14]],
        out=folder,
    )
    lines = [
        "\t".join([*pair, *[f"{HOSTILE} [{pair[0]}] </p>"] * 3, *["[x] <b>"] * 3])
        for pair in RunFolder(folder).read_phrase_pairs()
    ]
    (folder / "contexts.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def planted_halves(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two parts of the same corpora: source1.txt, target1.txt, source2.txt and so
    on, with a seed and more of it, and the gold of either part and of both."""
    planted = plant(words=100, phrases=600, noise=40, random=3)
    folder = tmp_path_factory.mktemp("halves")
    of_gold = [set(side) for side in zip(*planted.gold, strict=True)]
    noise = [
        sorted(set(side) - gold)
        for side, gold in zip((planted.source, planted.target), of_gold, strict=True)
    ]
    for n in (1, 2):
        gold = planted.gold[n - 1 :: 2]
        for name, number in (("source", 0), ("target", 1)):
            phrases = sorted([pair[number] for pair in gold] + noise[number][n - 1 :: 2])
            (folder / f"{name}{n}.txt").write_text("\n".join(phrases) + "\n", encoding="utf-8")
        (folder / f"gold{n}.tsv").write_text(tab_separated(gold), encoding="utf-8")
    (folder / "gold.tsv").write_text(tab_separated(planted.gold), encoding="utf-8")
    (folder / "seed.tsv").write_text(tab_separated(planted.lexicon[:30]), encoding="utf-8")
    (folder / "more.tsv").write_text(tab_separated(planted.lexicon[30:50]), encoding="utf-8")
    return folder


@pytest.fixture
def laid_out(small: Planted, tmp_path: Path) -> Path:
    """A folder with source.txt, target.txt, seed.tsv and gold.tsv."""
    lay_out(small, tmp_path, seeds=15)
    return tmp_path


def lay_out(planted: Planted, folder: Path, seeds: int) -> None:
    (folder / "source.txt").write_text("\n".join(planted.source) + "\n", encoding="utf-8")
    (folder / "target.txt").write_text("\n".join(planted.target) + "\n", encoding="utf-8")
    (folder / "seed.tsv").write_text(tab_separated(planted.lexicon[:seeds]), encoding="utf-8")
    (folder / "gold.tsv").write_text(tab_separated(planted.gold), encoding="utf-8")


def tab_separated(pairs: list[tuple[str, str]]) -> str:
    return "".join(f"{source}\t{target}\n" for source, target in pairs)


@pytest.fixture
def accord(tmp_path: Path) -> Run:
    """The command itself, in a process of its own."""

    def run(
        *arguments: object, stdin: bytes | None = None, cwd: Path = tmp_path
    ) -> "subprocess.CompletedProcess[str]":
        done = subprocess.run(
            [sys.executable, "-m", "accord", *map(str, arguments)],
            input=stdin,
            capture_output=True,
            cwd=cwd,
            env={**os.environ, "COLUMNS": "80"},
            check=False,
        )
        return subprocess.CompletedProcess(
            done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
        )

    return run


def files_of(folder: Path) -> dict[str, bytes]:
    """Every file of a run but the trace, whose seconds differ."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "trace.jsonl"
    }


def on_a_terminal(folder: Path, *arguments: str) -> str:
    """What the command shows on the standard error of a terminal of 80 columns."""
    parent, child = pty.openpty()
    fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-m", "accord", *arguments],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=child,
        env={**os.environ, "TERM": "xterm"},
    )
    os.close(child)
    shown = b""
    with contextlib.suppress(OSError):  # the end of a terminal is an error on Linux
        while part := os.read(parent, 4096):
            shown += part
    os.close(parent)
    assert process.wait() == 0
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode())
