"""The grammar of the commands: their help, their spellings old and new, outputs and exit codes."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer

from accord.cli import app, spellings
from accord.cli.command import Command
from accord.cli.estimate import estimate_iterations, estimate_seconds, format_time_left
from accord.cli.groups import GROUPS
from accord.settings import Settings
from tests.conftest import Run, on_a_terminal

ROOT: Any = typer.main.get_command(app)
# What STYLE asks not to write.
AVOID = re.compile(
    r"parted|comes? to rest|\ba side\b|\ba line an?\b|sure(st|r)\b|prob\.|alike,|relatives|sighting"
    r"|rivals?\b|planted|made-up|gone on with|goes on|true pairs|alphabet|from [\d.]+ on\b",
    re.IGNORECASE,
)


def help_of(name: str, *, everything: bool = False) -> str:
    command = ROOT.commands[name]
    context = typer.Context(command, info_name=f"accord {name}", terminal_width=80)
    context.meta["accord.help-all"] = everything
    text: str = command.get_help(context)
    return text


@pytest.mark.parametrize("name", list(ROOT.commands))
@pytest.mark.parametrize("everything", [False, True])
def test_the_help_of_a_command(name: str, everything: bool) -> None:
    text = help_of(name, everything=everything)
    shown = text.replace("<s>, </s> or <unk>", "").replace("<s>,\n  </s> or <unk>", "")
    assert "<" not in shown
    assert "[[" not in text
    assert " range" not in text
    assert "…" not in text
    assert not AVOID.search(text)
    assert max(map(len, text.splitlines())) <= 80
    assert text.startswith(f"Usage: accord {name} ")


def test_the_help_of_mine_fits_one_screen() -> None:
    text = help_of("mine")
    assert len(text.splitlines()) <= 40
    heads = [line.rstrip(":") for line in text.splitlines() if re.match(r"\w+:$", line)]
    assert heads == [group for group in GROUPS if group != "Advanced"]
    assert "--floor" not in text
    assert "\nAdvanced:\n" in help_of("mine", everything=True)
    assert "--floor" in help_of("mine", everything=True)


def test_the_help_has_the_defaults_that_fit() -> None:
    text = help_of("mine")
    assert "Maximum number of EM iterations. Default: 40." in text
    assert "Minimum confidence of the results. Default: 0.4." in text
    assert "Threads and processes. Default: one per core." in text
    assert "Maximum words of a phrase. [default: 5]" in text
    assert "Minimum count. Default: 3 (chunk, ngram) or 1." in text
    assert "Seed dictionary: word, tab, translation." in text
    whole = " ".join(help_of("mine", everything=True).split())
    assert "One pair per line. A third column may hold the status accepted or rejected." in whole


def test_a_spreadsheet_is_csv(tmp_path: Path, accord: Run) -> None:
    done = accord("export", tmp_path, "--to", "xlsx", "--out", "out.xlsx")
    assert done.returncode == 2
    assert "use csv, which Excel and LibreOffice open" in " ".join(done.stderr.split())
    done = accord("export", tmp_path, "--to", "cvs", "--out", "out.csv")
    assert done.returncode == 2
    assert "Excel" not in done.stderr
    done = accord("import", "terms.xlsx", "--from", "Excel", "--out", "out.tsv")
    assert "use csv" in " ".join(done.stderr.split())


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (("--min-count", "0"), "'--min-count': must be greater than or equal to 1"),
        (("--method", "x"), "'--method': 'x' is not one of 'chunk', "),
        (("--lang", "xx"), "accord: --lang: 'xx': expected a language code"),
    ],
)
def test_errors_name_the_option(accord: Run, given: tuple[str, str], expected: str) -> None:
    done = accord("phrases", "text", "--out", "out", "--lang", "en", *given)
    assert done.returncode == 2
    assert expected in done.stderr


@pytest.mark.parametrize("option", ["--source-lang", "--target-lang"])
@pytest.mark.parametrize(
    "command",
    [
        "import pairs.tsv --from muse --out out",
        "export run --to csv --out out",
        "review run --no-open",
    ],
)
def test_errors_about_a_language_name_the_option(command: str, option: str, accord: Run) -> None:
    done = accord(*command.split(), option, "Germann")
    assert done.returncode == 2
    assert f"accord: {option}: 'Germann': expected a language code or name" in done.stderr
    assert "did you mean de (German)?" in done.stderr


def test_errors_about_missing_languages_name_the_options(
    small_run: Path, tmp_path: Path, accord: Run
) -> None:
    done = accord("export", small_run, "--to", "tbx", "--out", "out")
    assert done.returncode == 2
    assert "give --source-lang and --target-lang" in done.stderr
    units = "".join(f'<tuv xml:lang="{lang}"><seg>x</seg></tuv>' for lang in ("de", "en", "fr"))
    memory = f'<tmx version="1.4"><header/><body><tu>{units}</tu></body></tmx>'
    (tmp_path / "a.tmx").write_text(memory)
    imported = ("import", "a.tmx", "--from", "tmx", "--out", "out")
    assert "name two with --source-lang and --target-lang" in accord(*imported).stderr
    done = accord(*imported, "--source-lang", "de", "--target-lang", "it")
    assert "expected terms in 'it' (--target-lang), found the languages de, en, fr" in done.stderr
    same = accord(*imported, "--source-lang", "de", "--target-lang", "de")
    expected = "--source-lang and --target-lang: expected two languages, found 'de' for both"
    assert expected in same.stderr


def test_codes_that_no_standard_knows_can_be_written(
    small_run: Path, tmp_path: Path, accord: Run
) -> None:
    """Unlike a language whose text is read, one that is only written needs no tokeniser."""
    languages = ("--source-lang", "qqq", "--target-lang", "en")
    done = accord("export", small_run, "--to", "tmx", "--out", "out", *languages)
    assert done.returncode == 0, done.stderr
    assert 'xml:lang="qqq"' in (tmp_path / "out").read_text(encoding="utf-8")


@pytest.mark.usefixtures("laid_out")
def test_a_seed_that_hardly_fits_has_a_hint(laid_out: Path, accord: Run) -> None:
    lines = (laid_out / "seed.tsv").read_text().splitlines()
    capitals = "".join(f"{line.upper()}\n" for line in lines)
    (laid_out / "seed.tsv").write_text(lines[0] + "\n" + lines[1] + "\n" + capitals)
    learn = ("learn", "source.txt", "target.txt", "--seed", "seed.tsv", "--iterations", 1)
    assert "seed: most entries are missing; check case" in accord(*learn, "--out", "out").stderr


def test_the_command_shows_its_help(accord: Run) -> None:
    assert accord("mine", "-h").stdout == accord("mine", "--help").stdout
    shown = accord("mine", "--help-all").stdout
    assert "--floor X" in shown
    assert shown.startswith("Usage: accord mine SOURCE TARGET [OPTIONS]\n")


def test_one_name_for_one_thing() -> None:
    """An option has the same short form everywhere, and a short form one meaning."""
    short: dict[str, set[str]] = {}
    for command in ROOT.commands.values():
        for parameter in command.params:
            names = [name for name in parameter.opts if name.startswith("--")]
            for name in parameter.opts:
                if re.fullmatch("-[a-z]", name):
                    short.setdefault(name, set()).update(names)
        assert not set(spellings.RENAMED) - {"--min-probability"} & {
            name for parameter in command.params for name in parameter.opts
        }
    assert short == {
        "-o": {"--out"},
        "-s": {"--seed"},
        "-n": {"--top"},
        "-t": {"--threads"},
        "-f": {"--force"},
        "-q": {"--quiet"},
        "-v": {"--verbose"},
        "-l": {"--lang"},
        "-d": {"--dictionary"},
    }


@pytest.mark.parametrize(
    ("command", "given", "expected", "hint"),
    [
        ("mine", "a b --jobs 2", "a b --threads 2", "--jobs is now --threads"),
        ("phrases", "a --jobs=2", "a --threads=2", "--jobs is now --threads"),
        ("seed", "a b --size 5", "a b --top 5", "--size is now --top"),
        ("translate", "--n-best 5", "--top 5", "--n-best is now --top"),
        ("review", "r --no-browser", "r --no-open", "--no-browser is now --no-open"),
        ("export", "r --min-probability 1", "r --min-confidence 1", "is now --min-confidence"),
        ("learn", "a b --min-probability 1", "a b --min-probability 1", ""),
        ("phrases", "a --pretokenised", "a --pretokenized", ""),
        ("phrases", "-- --jobs", "-- --jobs", ""),
        ("adapt", "--target-text t --dev d --source-text=s", "s t --dev d", "are now inputs"),
        ("seed", "d --source s --target t", "s t d", "accord seed SOURCE TARGET"),
        ("learn", "a b --threads 2", "a b --threads 2", ""),
    ],
)
def test_old_spellings(
    command: str, given: str, expected: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    parameters = ROOT.commands[command].params
    options = {name for p in parameters for name in (*p.opts, *p.secondary_opts)}
    assert spellings.modernise(command, given.split(), options) == expected.split()
    said = capsys.readouterr().err
    assert hint in said
    assert len(said.splitlines()) == bool(hint)


def test_the_old_command_line_of_seed(laid_out: Path, accord: Run) -> None:
    new = accord("seed", "source.txt", "target.txt", "-d", "seed.tsv", "-n", 5, "-o", "new.tsv")
    assert new.returncode == 0, new.stderr
    assert "now" not in new.stderr
    rest = ("--source", "source.txt", "--target", "target.txt", "--size", 5, "--out", "old.tsv")
    old = accord("seed", "seed.tsv", *rest)
    assert old.returncode == 0, old.stderr
    assert "seed.tsv: is now given with -d/--dictionary" in old.stderr
    assert (laid_out / "old.tsv").read_bytes() == (laid_out / "new.tsv").read_bytes()


@pytest.mark.usefixtures("laid_out")
def test_the_old_name_of_min_confidence(accord: Run) -> None:
    run = ("learn", "source.txt", "target.txt", "-s", "seed.tsv", "--iterations", 1)
    done = accord(*run, "-o", "one", "--min-probability", 0.5)
    assert "--min-probability is now --min-confidence with posterior agreement" in done.stderr
    done = accord(*run, "-o", "two", "--min-probability", 0.5, "--agreement", "outer")
    assert "is now" not in done.stderr


def test_an_output_is_replaced_with_force_only(
    small_run: Path, tmp_path: Path, accord: Run
) -> None:
    export = ("export", small_run, "--to", "csv", "--out", "pairs.csv")
    assert accord(*export).returncode == 0
    (tmp_path / "pairs.csv").write_text("mine")
    refused = accord(*export)
    assert refused.returncode == 2
    assert "pairs.csv: exists; replace it with --force, or choose another file" in refused.stderr
    assert (tmp_path / "pairs.csv").read_text() == "mine"
    answer = json.loads(accord(*export, "-f", "--json").stdout)
    assert answer["file"] == "pairs.csv"
    assert answer["pairs"] == len((tmp_path / "pairs.csv").read_text().splitlines()) - 1
    for device in ("-", "/dev/null"):
        assert accord(*export[:-1], device).returncode == 0
        assert accord(*export[:-1], device).returncode == 0


def test_strict(laid_out: Path, accord: Run) -> None:
    learn = ("learn", "source.txt", "target.txt", "--seed", "seed.tsv")
    assert accord(*learn, "-o", "good", "--strict").returncode == 0
    lines = (laid_out / "seed.tsv").read_text().splitlines()
    pairs = [line.split("\t") for line in lines]
    wrong = [f"{e}\t{pairs[n - 4][1]}\n" for n, (e, _) in enumerate(pairs)]
    (laid_out / "wrong.tsv").write_text("".join(wrong))
    poor = (*learn[:-1], "wrong.tsv", "-o", "poor", "--held-out", 0.5)
    done = accord(*poor, "--strict")
    assert done.returncode == 3, done.stdout
    assert "This run has failed: it found next to nothing." in done.stdout
    assert accord(*poor).returncode == 0


@pytest.mark.usefixtures("laid_out")
def test_quiet_and_verbose(accord: Run) -> None:
    learn = ("learn", "source.txt", "target.txt", "--seed", "seed.tsv", "--iterations", 1)
    quiet = accord(*learn, "-o", "quiet", "-q")
    assert (quiet.stdout, quiet.stderr) == ("", "")
    verbose = accord(*learn, "-o", "verbose", "-v").stderr
    assert "settings: agreement posterior, iterations 1," in verbose
    assert re.search(r"accord learn: \d+\.\d seconds\n$", verbose)


def test_verbose_on_a_terminal(laid_out: Path) -> None:
    learn = ("learn", "source.txt", "target.txt", "--seed", "seed.tsv", "--out", "out", "-v")
    shown = on_a_terminal(laid_out, *learn)
    assert re.search(r"iter +links → +links ← +agreed ", shown)
    assert re.search(r"\s1 +\d+ +\d+ +\d+ +0\.\d+ ", shown)


def test_names_of_settings_become_options() -> None:
    command: Command = ROOT.commands["learn"]
    assert command.name_options("ray_address: wrong") == "--ray-address: wrong"
    assert command.name_options("runner: one of a_b, threads") == "--runner: one of a_b, threads"
    assert command.name_options("tmx: needs out") == "tmx: needs out"


def test_completion(tmp_path: Path) -> None:
    def complete(**variables: str) -> str:
        return subprocess.run(
            [sys.executable, "-m", "accord"],
            env={**os.environ, **variables},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        ).stdout

    assert "complete -o default -F _accord_completion accord" in complete(
        _ACCORD_COMPLETE="source_bash"
    )
    words = {"_ACCORD_COMPLETE": "complete_bash", "COMP_WORDS": "accord mi", "COMP_CWORD": "1"}
    assert complete(**words).split() == ["mine"]
    words |= {"COMP_WORDS": "accord mine --thr", "COMP_CWORD": "2"}
    assert complete(**words).split() == ["--threads"]
    assert (
        "--show-completion"
        in subprocess.run(
            [sys.executable, "-m", "accord", "--help"], capture_output=True, text=True, check=False
        ).stdout
    )


def trace(*changed: float) -> list[dict[str, float]]:
    return [{"changed": share, "seconds": 2.0} for share in changed]


def test_estimates_extrapolate_the_share_of_changed_links() -> None:
    settings = Settings()  # a tolerance of 0.01, at most 40 iterations
    assert estimate_iterations(trace(1.0, 0.5), settings) is None
    assert estimate_iterations(trace(1.0, 0.4, 0.16), settings) == 4
    assert estimate_iterations(trace(*[1.0] * 5, 0.2, 0.1, 0.05), settings) == 3
    assert estimate_iterations(trace(0.5, 0.5, 0.5), settings) == 37
    assert estimate_iterations(trace(0.5, 0.49, 0.48), Settings(iterations=5)) == 2
    assert estimate_iterations(trace(0.5, 0.01), settings) == 0
    assert estimate_iterations(trace(1.0), Settings(agreement="outer")) == 9
    assert estimate_seconds(trace(1.0, 0.4, 0.16), settings) == 8
    slow_start = trace(1.0, 0.4, 0.16)
    slow_start[0]["seconds"] = 60
    assert estimate_seconds(slow_start, settings) == 8
    assert estimate_seconds([], settings) is None


def test_time_left_in_words() -> None:
    words = [format_time_left(seconds) for seconds in (None, 0, 3.2, 300, 36_000)]
    assert words == ["", "finished", "about 3 s left", "about 5 min left", "about 10 h left"]


INTERRUPTED = {
    "new": "Interrupted before the end of the first iteration: nothing was kept. Give the same "
    "command again to start anew.\n",
    "run": "Interrupted; run has the results of a finished run. Give the same command again if a "
    "file is missing.\n",
    "": "Interrupted. Give the same command again.\n",
}


@pytest.mark.parametrize(("name", "out"), [("mine", "new"), ("mine", "run"), ("languages", "")])
def test_an_interrupted_command_says_what_to_do(
    name: str,
    out: str,
    small_run: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("typer.core.TyperCommand.invoke", interrupt)
    command: Command = ROOT.commands[name]
    context = typer.Context(command)
    if out:
        monkeypatch.chdir(small_run.parent)
        context.params = {"out": Path(out), "resume": False}
    with pytest.raises(typer.Exit) as stopped:
        command.invoke(context)
    assert stopped.value.exit_code == 130
    assert capsys.readouterr().err == INTERRUPTED[out]
