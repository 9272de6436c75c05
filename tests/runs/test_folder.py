"""A run that is killed at any moment can be resumed, and ends with the same bytes."""

import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from accord import Accord
from accord.errors import InputError, OutputError
from accord.experiments.artificial import Planted
from accord.runs.record import RunRecord, describe_differences
from tests.conftest import Run, files_of

LEARN = ("learn", "source.txt", "target.txt", "--seed", "seed.tsv", "--iterations", "3", "--out")

# The command in one process after the other, each of which kills itself just before it changes the
# file system for the nth time, until one comes to its end. What is printed are the moments.
KILLED = """
import os, shutil, signal, sys
from accord.cli import main
import accord.runs.learn  # once for all
step, before, *arguments = sys.argv[1:]
def killing(change):
    def changed(*arguments, **options):
        global changes
        changes += 1
        if changes == moment:
            os.kill(os.getpid(), signal.SIGKILL)
        return change(*arguments, **options)
    return changed
for moment in range(1, 200, int(step)):
    out = f"out{moment}"
    if before:
        shutil.copytree(before, out)
    child = os.fork()
    if not child:
        changes = 0
        for name in ("replace", "unlink", "rmdir", "mkdir"):
            setattr(os, name, killing(getattr(os, name)))
        sys.argv = ["accord", *arguments, out, "--quiet"]
        sys.exit(main())
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code == 0:
        break
    assert code == -signal.SIGKILL
    print(moment)
"""


def learned_from(planted: Planted) -> tuple[list[str], list[str], list[tuple[str, str]]]:
    return planted.source, planted.target, planted.lexicon[:15]


def without_time(folder: Path) -> list[dict[str, object]]:
    lines = (folder / "trace.jsonl").read_text().splitlines()
    return [{**json.loads(line), "seconds": 0} for line in lines]


# What is in the folder, what runs there, and every how manieth change is tried: the many in the
# middle are deletions of one model file after the other.
@pytest.mark.parametrize(
    ("before", "arguments", "step", "least"),
    [
        ("", (), 1, 10),
        ("whole", ("--force",), 5, 0),
        ("whole", (), 1, 0),
        ("other", ("--force",), 9, 0),
    ],
    ids=["fresh", "again", "finished", "forced"],
)
def test_killed_at_any_change(
    laid_out: Path,
    small: Planted,
    accord: Run,
    before: str,
    arguments: tuple[str, ...],
    step: int,
    least: int,
) -> None:
    assert accord(*LEARN, "whole").returncode == 0
    expected = files_of(laid_out / "whole")
    if before == "other":
        assert accord(*LEARN, "other", "--iterations", 1).returncode == 0
    learn = *LEARN[:-1], *arguments, LEARN[-1]
    command = [sys.executable, "-c", KILLED, str(step), before, *learn]
    killed = subprocess.run(command, cwd=laid_out, stdout=subprocess.PIPE, check=True).stdout
    moments = killed.split()
    assert len(moments) >= least
    for moment in moments:
        out = laid_out / f"out{moment.decode()}"
        # A kill before the folder was this run's leaves the other run in it: force once more.
        other = before == "other"
        Accord(iterations=3).fit(*learned_from(small), out=out, force=other, resume=not other)
        assert files_of(out) == expected
        assert without_time(out) == without_time(laid_out / "whole")


def test_killed_at_random_moments(laid_out: Path, accord: Run) -> None:
    """Whenever the signal arrives."""
    forty = ("--agreement", "outer", "--iterations", "40")
    assert accord(*LEARN, "whole", *forty).returncode == 0
    for wait in (0.0, 0.05, 0.3):
        out = laid_out / f"killed{wait}"
        arguments = [*LEARN, str(out), *forty]
        process = subprocess.Popen(
            [sys.executable, "-m", "accord", *arguments], cwd=laid_out, stderr=subprocess.DEVNULL
        )
        while process.poll() is None and not (out / "trace.jsonl").exists():
            time.sleep(0.002)
        time.sleep(wait)
        process.kill()
        process.wait()
        assert accord(*arguments, "--resume").returncode == 0
        assert files_of(out) == files_of(laid_out / "whole")


def test_resuming_a_finished_run_searches_no_more(laid_out: Path, accord: Run) -> None:
    assert accord(*LEARN, "out").returncode == 0
    before = files_of(laid_out / "out")
    trace = (laid_out / "out" / "trace.jsonl").read_bytes()
    done = accord(*LEARN, "out", "--resume")
    assert done.returncode == 0
    assert files_of(laid_out / "out") == before
    # The seconds are those of the run itself: nothing ran again.
    assert (laid_out / "out" / "trace.jsonl").read_bytes() == trace


@pytest.mark.usefixtures("laid_out")
def test_resuming_nothing_starts(accord: Run) -> None:
    assert accord(*LEARN, "out", "--resume").returncode == 0


def test_a_converged_run_is_not_resumed_past_its_end(laid_out: Path, accord: Run) -> None:
    arguments = (*LEARN, "out", "--tolerance", "1.0")
    assert accord(*arguments).returncode == 0
    trace = (laid_out / "out" / "trace.jsonl").read_bytes()
    assert trace.count(b"\n") == 1
    assert accord(*arguments, "--resume").returncode == 0
    assert (laid_out / "out" / "trace.jsonl").read_bytes() == trace


@pytest.mark.parametrize("content", [b"not a zip", b""], ids=["other", "empty"])
def test_a_damaged_checkpoint(small: Planted, tmp_path: Path, content: bytes) -> None:
    learner = Accord(iterations=1)
    inputs = small.source, small.target, small.lexicon[:15]
    learner.fit(*inputs, out=tmp_path)
    (tmp_path / "checkpoint.npz").write_bytes(content)
    with pytest.raises(InputError, match="cannot be resumed, its files are damaged"):
        learner.fit(*inputs, out=tmp_path, resume=True)


def test_a_checkpoint_that_would_run_code(small: Planted, tmp_path: Path) -> None:
    """Arrays of objects are pickles; they are refused."""
    learner = Accord(iterations=1)
    inputs = small.source, small.target, small.lexicon[:15]
    learner.fit(*inputs, out=tmp_path)
    np.savez(tmp_path / "checkpoint.npz", iteration=np.array([print], dtype=object))
    with pytest.raises(InputError, match="cannot be resumed, its files are damaged"):
        learner.fit(*inputs, out=tmp_path, resume=True)


def test_python_and_command_line_leave_the_same_files(
    laid_out: Path, small: Planted, accord: Run
) -> None:
    assert accord(*LEARN, "out").returncode == 0
    Accord(iterations=3).fit(
        small.source, small.target, small.lexicon[:15], out=laid_out / "python"
    )
    assert files_of(laid_out / "python") == files_of(laid_out / "out")


@pytest.mark.parametrize("content", ["{", "[1]"])
def test_an_unreadable_signature_is_another_run(
    small: Planted, tmp_path: Path, content: str
) -> None:
    (tmp_path / "run.json").write_text(content)
    with pytest.raises(OutputError, match=r"another run: made by accord unreadable, this is 0\."):
        Accord().fit(small.source, small.target, small.lexicon[:15], out=tmp_path)


def test_differences_in_words() -> None:
    one = {"accord": "1", "settings": {"floor": 0.1}, "inputs": {"seed": "a", "gold": None}}
    other = {"accord": "1", "settings": {"floor": 0.2}, "inputs": {"seed": "b", "gold": "c"}}
    words = "different --floor (0.1, now 0.2); different seed; different gold pairs"
    assert "; ".join(describe_differences(one, other)) == words
    assert describe_differences(one, one) == []


def test_differences_between_texts() -> None:
    """What follows from another difference is not listed; older records have no options."""
    options = {"min_count": 3, "lower": False, "source_lang": "de"}
    inputs = dict.fromkeys(("source", "target", "seed", "sentences", "wanted"), "a")
    one = {"accord": "1", "settings": {}, "options": options, "inputs": inputs}

    def compare(then: RunRecord, **now: RunRecord) -> str:
        return "; ".join(describe_differences(then, one | now))

    other = {"inputs": dict.fromkeys(inputs, "b") | {"seed": "a"}}
    assert compare(one, **other) == "different source text; different target text"
    reviewed = {"inputs": other["inputs"] | {"seed": "b", "decisions": "c"}}
    assert compare(one, **reviewed) == "different decisions"
    every = describe_differences(one, one | reviewed, every=True)
    assert len(every) == 6
    sentences = {"inputs": inputs | {"sentences": "b"}}
    assert compare(one, **sentences) == "different sentences"
    changed = options | {"min_count": 2, "lower": True}
    words = "different --min-count (3, now 2); different --lower (off, now on)"
    assert compare(one, options=changed, **sentences) == words
    older = {name: part for name, part in one.items() if name != "options"}
    assert compare(older, options=changed) == ""
    wanted = {"inputs": inputs | {"wanted": "b"}}
    assert compare(older, **wanted) == "different choice of phrases"


def test_duplicate_lines_are_the_same_run(laid_out: Path, accord: Run) -> None:
    assert accord(*LEARN, "out").returncode == 0
    source = laid_out / "source.txt"
    source.write_text(source.read_text() * 2)
    assert "has this very run already" in accord(*LEARN, "out").stderr
    assert accord(*LEARN, "out", "--force").returncode == 0
    assert (
        json.loads((laid_out / "out" / "run.json").read_text())["lines"]["source"]["duplicates"]
        == 200
    )
