"""The command as a user types it: what it prints, and one sentence for everything wrong."""

import gzip
import json
import os
import pty
import re
import resource
import signal
import subprocess
import sys
import time
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from subprocess import PIPE, STDOUT
from typing import get_args

import pytest

from accord import cli
from accord.cli import application
from accord.errors import ResourceError
from accord.experiments.artificial import plant
from accord.experiments.paper import PaperSection
from accord.experiments.paper.report import SECTIONS
from accord.learning.search.index import WORD_SHARD
from accord.learning.search.retrieval import QUERY_SHARD
from accord.system.locks import lock_folder
from tests.conftest import Run, files_of, lay_out, on_a_terminal

LEARN = ("learn", "source.txt", "target.txt", "--seed", "seed.tsv", "--out", "out")
TRACE_KEYS = {
    "iteration",
    "forward_links",
    "backward_links",
    "agreed_links",
    "agreement_ratio",
    "ties",
    "changed",
    "word_pairs",
    "forward_log_likelihood",
    "backward_log_likelihood",
    "seconds",
}
GOLD_KEYS = {"f1", "precision", "recall", "forward_f1", "backward_f1"}


def test_learn_and_evaluate(laid_out: Path, accord: Run) -> None:
    done = accord(*LEARN, "--gold", "gold.tsv")
    assert done.returncode == 0, done.stderr
    assert "source: 200 phrases" in done.stderr
    assert "gold: 150 of 150 pairs have their phrases in both corpora" in done.stderr
    assert "seed: 15 of 15 entries have their words in both corpora" in done.stderr
    assert "iter" not in done.stdout
    headings = "iter links → links ← agreed in both ties changed F1 seconds"
    table = done.stderr.splitlines()
    table = table[[line.split() for line in table].index(headings.split()) :]
    iterations = len([line for line in table if re.match(r" +\d+ ", line)])
    assert 3 < iterations < 40
    assert "word pairs in out/lexicon.tsv" in done.stdout
    assert re.search(r"Held-out seed words: \d+; translated: \d+; correct: \d+\.\n", done.stdout)
    assert "\n  accord report out --open\n  accord review out\n  accord export out" in done.stdout
    assert "…" not in done.stdout

    out = laid_out / "out"
    assert sorted(path.name for path in out.iterdir()) == [
        ".lock",
        "lexicon.tsv",
        "model",
        "phrases.tsv",
        "quality.json",
        "run.json",
        "trace.jsonl",
    ]
    for line in (out / "lexicon.tsv").read_text(encoding="utf-8").splitlines():
        _, _, forward, backward, confidence = line.split("\t")
        assert 0 < float(forward) <= 1
        assert 0 < float(backward) <= 1
        assert 0.4 <= float(confidence) <= 1
    for line in (out / "phrases.tsv").read_text(encoding="utf-8").splitlines():
        source, target, forward, backward, alignment, confidence, relation = line.split("\t")
        assert 0.4 <= float(confidence) <= 1
        assert relation == "best"  # one translation per phrase
        assert float(forward) < 0
        assert float(backward) < 0
        for link in alignment.split():
            i, j = map(int, link.split("-"))
            assert i < len(source.split())
            assert j < len(target.split())
    rows = [json.loads(line) for line in (out / "trace.jsonl").read_text().splitlines()]
    assert [row["iteration"] for row in rows] == list(range(1, iterations + 1))
    assert all(set(row) == TRACE_KEYS | GOLD_KEYS for row in rows)
    assert rows[-1]["word_pairs"] == len((out / "lexicon.tsv").read_bytes().splitlines())

    shown = accord("evaluate", "out", "--gold", "gold.tsv")
    assert shown.stdout.split()[:5] == ["f1", "precision", "recall", "pairs", "gold"]
    answer = json.loads(accord("evaluate", "out", "--gold", "gold.tsv", "--json").stdout)
    assert set(answer) == {"f1", "precision", "recall", "pairs", "gold"}
    assert answer["f1"] == rows[-1]["f1"]
    assert answer["gold"] == 150


def test_json(laid_out: Path, accord: Run) -> None:
    done = accord(*LEARN, "--json", "--iterations", 2)
    answer = json.loads(done.stdout)
    assert answer["settings"]["iterations"] == 2
    assert len(answer["trace"]) == 2
    assert all(set(row) == TRACE_KEYS for row in answer["trace"])
    assert all((laid_out / path).exists() for path in answer["files"].values())


def test_threads_change_no_byte(tmp_path: Path, accord: Run) -> None:
    """With more phrases and words than a shard has."""
    planted = plant(words=2500, phrases=3000, noise=2000)
    lay_out(planted, tmp_path, seeds=200)
    assert len({word for phrase in planted.target for word in phrase.split()}) > 2 * WORD_SHARD
    assert len(planted.target) > 2 * QUERY_SHARD
    results = []
    for threads in (1, 2, 5):
        arguments = (*LEARN[:-1], f"out{threads}", "--threads", threads, "--iterations", 4)
        assert accord(*arguments).returncode == 0
        results.append(files_of(tmp_path / f"out{threads}"))
    assert results[0] == results[1] == results[2]


def test_compressed_and_standard_input_are_the_same_run(laid_out: Path, accord: Run) -> None:
    assert accord(*LEARN).returncode == 0
    text = (laid_out / "source.txt").read_bytes()
    (laid_out / "source.txt.gz").write_bytes(gzip.compress(b"\xef\xbb\xbf" + text))
    rest = ("target.txt", "--seed", "seed.tsv", "--out")
    assert accord("learn", "source.txt.gz", *rest, "gz").returncode == 0
    assert accord("learn", "-", *rest, "stdin", stdin=text.replace(b"\n", b"\r\n")).returncode == 0
    expected = files_of(laid_out / "out")
    assert files_of(laid_out / "gz") == files_of(laid_out / "stdin") == expected


def test_version_and_help(accord: Run) -> None:
    assert accord("--version").stdout.startswith("accord 0.")
    commands = accord("--help").stdout.split("Commands:\n")[1].splitlines()
    order = (
        "mine learn report review apply query export phrases seed import adapt translate lm "
        "languages sample demo evaluate synth paper"
    )
    assert [line.split()[0] for line in commands] == order.split()


def test_every_section_of_the_paper_has_a_name() -> None:
    assert get_args(PaperSection) == tuple(SECTIONS)


def fails(done: "subprocess.CompletedProcess[str]", *words: str, code: int = 2) -> None:
    """This exit code, one sentence on standard error with these words, and no standard output."""
    assert done.returncode == code, done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    sentence = done.stderr.splitlines()[-1]
    assert sentence.startswith("accord: ")
    for word in words:
        assert word in sentence


def test_missing_file(laid_out: Path, accord: Run) -> None:
    fails(accord("learn", "nowhere.txt", *LEARN[2:]), "nowhere.txt", "no such file")
    (laid_out / "seed.tsv").unlink()
    fails(accord(*LEARN), "seed.tsv", "no such file")


def test_input_is_a_folder(laid_out: Path, accord: Run) -> None:
    (laid_out / "folder").mkdir()
    fails(accord("learn", "folder", *LEARN[2:]), "folder: expected a file, found a folder")


def test_not_utf8(laid_out: Path, accord: Run) -> None:
    (laid_out / "target.txt").write_bytes(b"good\n\n\xff\xfe bad\n")
    fails(accord(*LEARN), "target.txt, line 3", "expected UTF-8, found the byte 0xff")


def test_seed_line_without_two_columns(laid_out: Path, accord: Run) -> None:
    (laid_out / "seed.tsv").write_text("one two\nthree\n")
    fails(accord(*LEARN), "seed.tsv, line 2: expected two columns", "'three'")


def test_seed_out_of_the_corpora(laid_out: Path, accord: Run) -> None:
    (laid_out / "seed.tsv").write_text("one two\nthree four\n")
    fails(accord(*LEARN), "seed.tsv: none of its 2 entries has its words in both corpora")


def test_empty_corpus(laid_out: Path, accord: Run) -> None:
    (laid_out / "source.txt").write_text("\n \n")
    fails(accord(*LEARN), "source.txt: expected one phrase per line, found none (2 lines")


@pytest.mark.usefixtures("laid_out")
def test_standard_input_twice(accord: Run) -> None:
    done = accord("learn", "-", "-", *LEARN[3:], stdin=b"a\n")
    fails(done, "standard input (-) can be given for one file only")


@pytest.mark.usefixtures("laid_out")
def test_settings_of_other_methods(accord: Run) -> None:
    wrong = "--min-confidence: is for posterior agreement only, found agreement inner"
    fails(accord(*LEARN, "--agreement", "inner", "--min-confidence", 0.5), wrong)
    done = accord(*LEARN, "--epsilon", 0.5)
    assert done.returncode == 0
    assert "--epsilon has no effect with posterior agreement" in done.stderr


@pytest.mark.parametrize(
    ("flag", "value", "words"),
    [
        ("--iterations", 0, "--iterations: must be a whole number of at least 1, found 0"),
        ("--power", 0, "--power: must be between 0 and 2, both excluded, found 0.0"),
        ("--min-confidence", 2, "--min-confidence: must be between 0 and 1, found 2.0"),
        ("--min-probability", 2, "--min-confidence: must be between 0 and 1, found 2.0"),
        ("--floor", 1.5, "--floor: must be between 1e-13 and 1, both excluded, found 1.5"),
        ("--threads", 0, "--threads: must be a whole number of at least 1, found 0"),
    ],
)
def test_settings_outside_their_limits(
    laid_out: Path, accord: Run, flag: str, value: float, words: str
) -> None:
    fails(accord(*LEARN, flag, value), words)
    assert not (laid_out / "out" / "phrases.tsv").exists()


def test_another_runs_folder(laid_out: Path, accord: Run) -> None:
    assert accord(*LEARN, "--iterations", 2).returncode == 0
    before = files_of(laid_out / "out")
    fails(
        accord(*LEARN, "--iterations", 3),
        "out: holds the files of another run: different --iterations (2, now 3);",
        "--force",
    )
    fails(accord(*LEARN, "--iterations", 3, "--resume"), "different --iterations (2, now 3);")
    again = accord(*LEARN, "--iterations", 2)
    assert "out has this very run already; nothing was done" in again.stderr
    assert again.stdout == ""
    (laid_out / "target.txt").write_text((laid_out / "target.txt").read_text() + "more\n")
    fails(accord(*LEARN, "--iterations", 2), "run: different target phrases;")
    assert files_of(laid_out / "out") == before
    assert accord(*LEARN, "--iterations", 3, "--force").returncode == 0
    assert files_of(laid_out / "out") != before


def test_a_folder_of_somebody_elses_files(laid_out: Path, accord: Run) -> None:
    (laid_out / "out").mkdir()
    (laid_out / "out" / "phrases.tsv").write_text("mine")
    fails(accord(*LEARN), "out: holds the files of another run: a stray phrases.tsv;")
    assert (laid_out / "out" / "phrases.tsv").read_text() == "mine"


def test_an_input_in_the_output_folder(laid_out: Path, accord: Run) -> None:
    fails(accord(*LEARN[:-1], "."), "holds the input source.txt; choose another folder")
    assert not (laid_out / "run.json").exists()


def test_a_run_cut_short_is_not_thrown_away(laid_out: Path, accord: Run) -> None:
    assert accord(*LEARN).returncode == 0
    (laid_out / "out" / "checkpoint.npz").write_bytes(b"")
    fails(accord(*LEARN), "out: holds this very run, interrupted; continue with --resume, or")
    assert accord(*LEARN, "--force").returncode == 0


def test_two_runs_in_one_folder(laid_out: Path, accord: Run) -> None:
    (laid_out / "out").mkdir()
    with lock_folder(laid_out / "out"):
        fails(accord(*LEARN), "out: another run is writing there; wait for it, or choose another")
    assert accord(*LEARN).returncode == 0


def test_columns_are_no_phrases(laid_out: Path, accord: Run) -> None:
    (laid_out / "source.txt").write_text("a\nb\tc\n")
    fails(accord(*LEARN), "source.txt, line 2: expected a phrase, found tab-separated columns")


def test_interrupted(laid_out: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "accord", *LEARN, "--agreement", "outer", "--iterations", "100000"],
        cwd=laid_out,
        stderr=subprocess.PIPE,
        text=True,
        # Tests that run in the background may ignore it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    while process.poll() is None and not (laid_out / "out" / "checkpoint.npz").exists():
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    message = process.communicate(timeout=60)[1]
    assert re.search(r"\nInterrupted; out keeps the run up to iteration [1-9]\d*\. Give", message)
    assert "continue with --resume" in message
    assert process.returncode == 130


def test_out_is_a_file(laid_out: Path, accord: Run) -> None:
    (laid_out / "out").write_text("mine")
    fails(accord(*LEARN), "out: expected a folder for the results, found a file")


def test_full_disk(laid_out: Path, accord: Run) -> None:
    """No file may grow past 2 kB, which fails like a full disk, in the middle of a write."""
    assert accord(*LEARN[:-1], "first").returncode == 0  # so that Numba has no cache to write
    done = subprocess.run(
        [sys.executable, "-m", "accord", *LEARN],
        cwd=laid_out,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000)),
    )
    fails(done, "out/checkpoint.npz: cannot be written: File too large", code=1)
    assert sorted(path.name for path in (laid_out / "out").iterdir()) == [
        ".lock",
        "run.json",
        "trace.jsonl",
    ]


@pytest.mark.usefixtures("laid_out")
def test_evaluate_without_a_run(accord: Run) -> None:
    fails(accord("evaluate", "nowhere", "--gold", "gold.tsv"), "nowhere: expected the folder of a")


def test_evaluate_a_damaged_run(accord: Run, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "phrases.tsv").write_text("a\tb\nalone\n")
    fails(accord("evaluate", "out", "--gold", "gold.tsv"), "phrases.tsv, line 2: expected two")


@pytest.mark.usefixtures("laid_out")
def test_a_name_too_long(accord: Run) -> None:
    fails(accord(*LEARN[:-1], "x" * 300), "File name too long")


def test_closed_standard_input(laid_out: Path) -> None:
    command = f"{sys.executable} -m accord learn - {' '.join(LEARN[2:])} <&-"
    done = subprocess.run(
        ["bash", "-c", command], cwd=laid_out, capture_output=True, text=True, check=False
    )
    fails(done, "standard input: expected text, but it is closed")


@pytest.mark.usefixtures("laid_out")
def test_a_terminal_without_arrows(accord: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "latin-1")
    done = accord(*LEARN)
    assert done.returncode == 0
    assert "links ?" in done.stderr


@pytest.mark.parametrize(
    ("error", "sentence", "code"),
    [
        (RuntimeError("cannot cache function 'f': no locator"), "name one in NUMBA_CACHE_DIR", 2),
        (OSError(28, "No space left on device", "cache.nbi"), "cache.nbi: No space left on dev", 1),
        (OSError(13, "Permission denied", "cache.nbi"), "cache.nbi: Permission denied", 2),
        (MemoryError(), "not enough memory", 1),
        (BrokenProcessPool(), "a process that reads text has died", 1),
        (ResourceError("Ray has not started"), "Ray has not started", 1),
    ],
)
def test_what_others_raise(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: BaseException,
    sentence: str,
    code: int,
) -> None:
    def fail(prog_name: str) -> None:
        assert prog_name == "accord"
        raise error

    monkeypatch.setattr(application, "app", fail)
    with pytest.raises(SystemExit, match=str(code)):
        cli.main()
    assert sentence in capsys.readouterr().err


def test_interrupted_in_compiled_code(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(prog_name: str) -> None:
        assert prog_name == "accord"
        raise SystemError from KeyboardInterrupt()

    monkeypatch.setattr(application, "app", fail)
    with pytest.raises(SystemExit, match="130"):
        cli.main()


def test_the_first_compilation_is_announced(
    laid_out: Path, accord: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(laid_out / "cache"))
    outer = (*LEARN, "--agreement", "outer")
    assert "Compiling for this machine" in accord(*outer).stderr
    assert "Compiling" not in accord(*outer).stderr


@pytest.mark.usefixtures("laid_out")
def test_a_log_has_a_line_per_iteration(accord: Run) -> None:
    log = accord(*LEARN).stderr
    lines = log.splitlines()
    lines = lines[lines.index(next(line for line in lines if line.startswith("iter "))) :]
    headings = "iter links → links ← agreed in both ties changed seconds"
    assert lines.pop(0).split() == headings.split()
    numbers = r" +(\d+)( +[\d,]+){3} +\d\.\d{3} +\d+ +\d\.\d{3} +\d+\.\d"
    pattern = numbers + "(  about \\d+ s left|  finished)?"
    found = [re.fullmatch(pattern, line) for line in lines]
    assert [match and match[1] for match in found] == [str(n + 1) for n in range(len(lines))]
    assert lines[-1].endswith("  finished")
    assert "\r" not in log
    assert "\x1b" not in log


def test_the_trace_is_printed_once(laid_out: Path) -> None:
    """On a terminal at the end; in a log row by row."""
    command = [sys.executable, "-m", "accord", *LEARN, "--iterations", "3"]
    parent, child = pty.openpty()
    try:
        shown = subprocess.run(command, cwd=laid_out, stdout=PIPE, stderr=child, check=True).stdout
    finally:
        os.close(child)
        os.close(parent)
    rows = [line.split()[0] for line in shown.decode().splitlines()[:4]]
    assert rows == ["iter", "1", "2", "3"]
    log = subprocess.run(
        [*command, "--force"], cwd=laid_out, stdout=PIPE, stderr=STDOUT, check=True
    ).stdout.decode()
    assert len(re.findall("^iter ", log, re.MULTILINE)) == 1
    assert len(re.findall(r"^ +\d+ +[\d,]+ ", log, re.MULTILINE)) == 3


def test_progress_on_a_terminal(laid_out: Path) -> None:
    """All of it fits 80 columns: iteration, phrases searched, agreed pairs, time left."""
    text = on_a_terminal(laid_out, *LEARN, "--iterations", "200")
    line = r"iteration \d+ \S+ [\d,]+ searched · \d+ agreed · about \d+ s left"
    assert re.search(line, text), text[-500:]
    assert "…" not in text
