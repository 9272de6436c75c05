"""A run that is killed, at any moment, goes on and ends with the bytes it would have had."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from accord import Accord
from accord.errors import InputError, OutputError
from accord.folder import differences
from accord.planted import Planted
from tests.conftest import Run, files_of

LEARN = ("learn", "source.txt", "target.txt", "--seed", "seed.tsv", "--iterations", "3", "--out")

# The command, but the process kills itself just before (or after) it moves the nth file or folder
# into its place: every state that a folder of results can be in.
KILLED = """
import os, signal, sys
moment, after = int(sys.argv.pop(1)), sys.argv.pop(1) == "after"
move, moves = os.replace, 0
def replace(source, target):
    global moves
    moves += 1
    if moves == moment and not after:
        os.kill(os.getpid(), signal.SIGKILL)
    move(source, target)
    if moves == moment:
        os.kill(os.getpid(), signal.SIGKILL)
os.replace = replace
from accord.cli import main
main()
"""


def without_time(folder: Path) -> list[dict[str, object]]:
    lines = (folder / "trace.jsonl").read_text().splitlines()
    return [{**json.loads(line), "seconds": 0} for line in lines]


@pytest.mark.parametrize("when", ["before", "after"])
def test_killed_at_every_move(laid_out: Path, accord: Run, when: str) -> None:
    assert accord(*LEARN, "whole").returncode == 0
    expected = files_of(laid_out / "whole")
    trace = without_time(laid_out / "whole")
    for moment in range(1, 100):
        out = laid_out / f"killed{moment}"
        command = [sys.executable, "-c", KILLED, str(moment), when, *LEARN, str(out)]
        done = subprocess.run(command, cwd=laid_out, capture_output=True, check=False)
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL
        assert accord(*LEARN, out, "--resume").returncode == 0
        assert files_of(out) == expected
        assert without_time(out) == trace
    # run.json, three iterations of trace and checkpoint, and the results.
    assert moment > 10


def test_killed_from_outside(laid_out: Path, accord: Run) -> None:
    """At moments that nobody chose."""
    assert accord(*LEARN, "whole", "--iterations", 40).returncode == 0
    for wait in (0.0, 0.05, 0.3):
        out = laid_out / f"killed{wait}"
        arguments = [*LEARN, str(out), "--iterations", "40"]
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


def test_an_unreadable_signature_is_another_run(small: Planted, tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text("{")
    with pytest.raises(OutputError, match=r"another run \(.*run.json was unreadable"):
        Accord().fit(small.source, small.target, small.lexicon[:15], out=tmp_path)


def test_differences_in_words() -> None:
    one = {"accord": "1", "settings": {"floor": 0.1}, "inputs": {"seed": {"sha256": "a"}}}
    other = {"accord": "2", "settings": {"floor": 0.2}, "inputs": {"seed": {"sha256": "b"}}}
    assert differences(one, other) == [
        "accord was 1, is 2",
        "other seed data",
        "floor was 0.1, is 0.2",
    ]
    assert differences({}, other) == []
