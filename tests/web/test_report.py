"""The report of a run: complete, small, and safe against hostile text."""

import json
import re
import zlib
from base64 import b64decode
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from shutil import copytree
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord import Accord, InputError, OutputError
from accord.cli.report import report as command
from accord.experiments.artificial import Planted
from accord.runs.evaluation import Gold, bin_by_confidence, estimate_share_interval
from accord.runs.folder import RunFolder
from accord.runs.quality import Quality
from accord.runs.tsv import Contexts, read_contexts
from accord.web.contexts import mark_phrases
from accord.web.pair_view import PairViewer
from accord.web.report import page as report_page
from accord.web.report.calibration import label_pairs
from accord.web.report.charts import SHARE, Series, choose_ticks, draw_chart
from accord.web.report.comparison import build_comparison
from accord.web.report.overview import judge_quality, summarise_run
from accord.web.report.page import MOST_BYTES, build_report, check_report_path
from accord.web.report.pair_details import PairInspector
from accord.web.report.run import ReportedRun
from accord.web.report.sampling import take_nested_samples, take_sample
from accord.web.templates import get_macro
from benchmarks.export import write_synthetic_run
from tests.conftest import HOSTILE, Golden, Run
from tests.web.test_templates import Reader


def read(folder: Path, gold: Gold | None = None) -> ReportedRun:
    return ReportedRun.read(RunFolder(folder), gold)


def data_of(page: str) -> dict[str, Any]:
    """Return the data with which the tables of a page are filled."""
    (bits,) = re.findall(
        r'<script type="application/octet-stream" id="data">([^<]*)</script>', page
    )
    found: dict[str, Any] = json.loads(zlib.decompress(b64decode(bits)))
    return found


def scrubbed(page: str) -> str:
    """Return the page with its data as text, without what differs from run to run: version,
    signature and seconds. Styles and scripts are files of their own."""
    data = data_of(page)
    details = {name: [*some.items()][:2] for name, some in data["details"].items()}
    text = json.dumps(data | {"details": details}, ensure_ascii=False, indent=1)
    page = re.sub(r"<(style|script)\b.*?</\1>", r"<\1/>", page, flags=re.DOTALL)
    page = re.sub(r"(?i)accord \d[\w.]*", "accord VERSION", page)
    page = re.sub(r"\b[0-9a-f]{12}\b", "SIGNATURE", page)
    page = re.sub(
        r'<figure class="chart">\n<figcaption>Time.*?</figure>', "TIME", page, flags=re.DOTALL
    )
    page = re.sub(r"\([\d.,]+&nbsp;s\)", "(SECONDS)", page)
    page = re.sub(r'<td class="number">[\d.,]+</td></tr>', "<td>SECONDS</td></tr>", page)
    return page + text + "\n"


def test_the_report_equals_its_golden_file(
    tiny_runs: Path, golden: Golden, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tiny_runs)
    golden("report.html", scrubbed(build_report(read(Path("one")))))


def test_the_comparison_equals_its_golden_file(
    tiny_runs: Path, golden: Golden, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tiny_runs)
    golden("comparison.html", scrubbed(build_comparison(read(Path("one")), read(Path("other")))))


def test_the_tables_have_all_pairs_of_the_run(small_run: Path) -> None:
    run = read(small_run)
    data = data_of(build_report(run))
    rows = data["rows"]["phrases"]
    assert sorted((e, f) for e, f, *_ in rows) == RunFolder(small_run).read_phrase_pairs()
    sure = [row[2] for row in rows]
    assert sure == sorted(sure, reverse=True)
    words = [line.split("\t")[:2] for line in RunFolder(small_run).lexicon.read_text().splitlines()]
    assert [row[:2] for row in data["rows"]["lexicon"]] == words
    assert len(data["details"]["phrases"]) == len(rows)
    for place, (source, target, *_) in enumerate(rows[:5]):
        assert f"Word links of {source} = {target}" in data["details"]["phrases"][str(place)]
    seed = {word for word, _ in run.trained.whole_seed.entries}
    used = {word for row in rows + data["rows"]["lexicon"] for word in row[0].split()}
    assert set(data["seed"]["source"]) == seed & used


def test_a_page_needs_nothing_else(small_run: Path) -> None:
    page = build_report(read(small_run))
    assert not re.search(r"https?:|src=|url\(|@import|<link|fetch\(", page)
    found = Reader(page)
    linked = {value for name, value in found.attributes if name == "href"}
    names = {value for name, value in found.attributes if name == "id"}
    assert {f"#{name}" for name in names} >= linked
    assert found.tags.count("main") == 1


def test_hostile_phrases_are_shown_as_text(hostile_run: Path) -> None:
    run = read(hostile_run)
    assert any(HOSTILE in pair[0].split() for pair in run.pairs)
    page = build_report(run)
    found = Reader(page)
    assert found.tags.count("script") == 2  # the data, and what reads it
    assert "img" not in found.tags
    assert HOSTILE not in page
    assert any(HOSTILE in text for text in found.text)
    assert not [name for name, _ in found.attributes if name.startswith("on")]
    data = data_of(page)
    assert {(row[0], row[1]) for row in data["rows"]["phrases"]} == set(run.pairs)
    for detail in data["details"]["phrases"].values():
        inside = Reader(detail)
        assert not {"script", "img", "b"}.intersection(inside.tags)
        assert not [name for name, _ in inside.attributes if name.startswith("on")]
    compared = build_comparison(run, run)
    assert Reader(compared).tags.count("script") == 2
    assert "are the same" in compared


def test_hundreds_of_thousands_of_pairs_make_a_small_page(tmp_path: Path) -> None:
    write_synthetic_run(tmp_path / "run", 100_000)
    with patch.object(report_page, "SEARCHED_HALVINGS", 11):
        page = build_report(read(tmp_path / "run"))
    assert len(page.encode()) < MOST_BYTES
    rows = data_of(page)["rows"]["phrases"]
    assert 10_000 <= len(rows) < 100_000
    assert f"{len(rows):,} of 100,000 phrase pairs" in page
    sure = np.array([row[2] for row in rows])
    # One half ranks highest, and the others are from everywhere.
    assert sure[: len(rows) // 2].min() > 0.85
    assert sure[-1] < 0.001
    assert np.abs(np.diff(sure)).max() < 0.01


def test_rows_are_dropped_until_the_page_is_small_enough(small_run: Path) -> None:
    run = read(small_run)
    full = build_report(run)
    pairs = len(run.pairs)
    with patch.object(report_page, "MOST_BYTES", len(full) * 9 // 10):
        smaller = build_report(run)
    assert len(smaller.encode()) < len(full) * 9 // 10
    assert 0 < len(data_of(smaller)["details"]["phrases"]) < pairs
    with patch.object(report_page, "MOST_BYTES", 1):
        smallest = build_report(run)
    assert data_of(smallest)["rows"] == {"phrases": [], "lexicon": []}
    assert f"0 of {pairs:,} phrase pairs</strong> are here: one half ranks highest" in smallest


def test_very_long_phrases_have_no_matrix(small_run: Path) -> None:
    viewer = PairViewer(RunFolder(small_run).read_trained())
    inspector = PairInspector(viewer, {})
    draw = get_macro("pair.html", "pair_details")
    assert "<table" in draw(inspector.inspect(("a b", "c d")))
    assert "too long for an alignment matrix" in draw(inspector.inspect(("a " * 30, "c " * 30)))


@given(st.integers(0, 60), st.integers(0, 70))
def test_a_sample_has_the_highest_and_the_lowest_scores(size: int, count: int) -> None:
    ordered = np.arange(size)[::-1]
    chosen = take_sample(ordered, count).tolist()
    assert len(chosen) == len(set(chosen)) == min(size, count)
    assert chosen == sorted(chosen, reverse=True)
    assert chosen[: count // 2] == ordered[: count // 2].tolist()
    if 0 < count < size:
        assert chosen[-1] == ordered[-1]


def draw_verdict(run: ReportedRun) -> str:
    return get_macro("overview.html", "verdict")(judge_quality(run.quality))


def test_the_report_says_whether_the_run_converged(small_run: Path) -> None:
    run = read(small_run)
    tolerance = run.trained.settings.tolerance
    assert run.is_converged == (run.trace[-1]["changed"] <= (tolerance or 0.0))
    for changed, words in ((0.0, "It converged after"), (1.0, "It stopped after")):
        last = run.trace[-1] | {"changed": changed}
        summary = summarise_run(replace(run, trace=[*run.trace[:-1], last]))
        assert words in get_macro("overview.html", "sentence")(summary)


def test_a_failed_run_is_reported_as_failed(small_run: Path) -> None:
    run = read(small_run)
    contradicted = replace(run.quality, held_out=50, found=40, right=2, expected_right=35.0)
    failed = replace(run, quality=contradicted)
    told = draw_verdict(failed)
    assert 'class="verdict bad" role="alert"' in told
    assert "This run has failed." in told
    assert "its results cannot be trusted, by the held-out seed words." in told
    assert "Held-out seed words: 50; translated: 40; correct: 2." in told
    assert "none, because the run has failed" in {
        tile.remark for tile in summarise_run(failed).tiles
    }
    empty = draw_verdict(replace(run, quality=replace(run.quality, phrase_pairs=0)))
    assert "The reason is that it found no phrase pairs." in empty


def test_a_run_that_succeeded_or_cannot_tell_is_reported_as_such(small_run: Path) -> None:
    run = read(small_run)
    assert not run.quality.failed
    told = draw_verdict(run)
    assert "This run has succeeded." in told
    assert run.quality.describe() in told
    without = Quality(held_out=2, found=0, right=0, phrase_pairs=9, expected_precision=None)
    few = draw_verdict(replace(run, quality=without))
    assert "It is unknown whether this run has succeeded." in few
    assert "Held-out seed words: 2; at least 3 are needed." in few


def test_pairs_are_checked_against_gold_pairs(small: Planted, small_run: Path) -> None:
    run = read(small_run, Gold.of(small.gold))
    found = label_pairs(run)
    assert found is not None
    assert found.right.sum() == len(set(run.pairs).intersection(small.gold))
    page = build_report(run)
    assert f"{len(run.pairs):,} phrase pairs, correct if they are gold pairs" in page
    assert "against 150 gold pairs" in page
    without = label_pairs(read(small_run))
    assert without is not None
    assert without.what == "word pairs of held-out seed words, correct if they are in the seed"
    held_out = {word for word, _ in run.trained.held_out.entries}
    assert len(without.right) == sum(record.source in held_out for record in run.words)


def test_runs_with_the_papers_methods_have_a_report(small: Planted, tmp_path: Path) -> None:
    Accord(agreement="outer").fit(
        small.source, small.target, small.lexicon[:30], out=tmp_path / "run"
    )
    page = build_report(read(tmp_path / "run"))
    assert "Pairs of a run with agreement method outer have no confidence." in page
    assert ">confidence</button>" not in page
    assert all(len(row) == 4 for row in data_of(page)["rows"]["phrases"])


def test_a_run_without_pairs_or_trace_has_a_report(small: Planted, tmp_path: Path) -> None:
    Accord(min_probability=1.0).fit(
        small.source, small.target, small.lexicon[:30], out=tmp_path / "run"
    )
    (tmp_path / "run" / "trace.jsonl").write_text("")
    page = build_report(read(tmp_path / "run"))
    assert "it found no phrase pairs" in page
    assert "The run has no trace of its iterations." in page
    assert data_of(page)["rows"] == {"phrases": [], "lexicon": []}


def test_two_runs_side_by_side(tiny_runs: Path) -> None:
    one, other = read(tiny_runs / "one"), read(tiny_runs / "other")
    page = build_comparison(one, other)
    rows = data_of(page)["rows"]["phrases"]
    before, after = dict(one.pairs), dict(other.pairs)
    for what, source, then, now in rows:
        assert before.get(source, "") == then
        assert after.get(source, "") == now
        assert what == ("new" if not then else "lost" if not now else "changed")
    changed = {source for source in {*before, *after} if before.get(source) != after.get(source)}
    assert {row[1] for row in rows} == changed
    assert changed
    assert "different seed" in page
    assert page.count('class="line forward"') == page.count('class="line backward"') == 5


def test_many_changes_are_sampled(tiny_runs: Path) -> None:
    with patch("accord.web.report.comparison.MOST_ROWS", 4):
        page = build_comparison(read(tiny_runs / "one"), read(tiny_runs / "other"))
    assert len(data_of(page)["rows"]["phrases"]) == 4
    assert re.search(r"4 of these \d+ are here, sampled at even steps", page)


def test_runs_of_the_same_name_are_distinguished(tiny_runs: Path, tmp_path: Path) -> None:
    for name in "ab":
        copytree(tiny_runs / "one", tmp_path / name / "one")
    page = build_comparison(read(tmp_path / "a" / "one"), read(tmp_path / "b" / "one"))
    assert "a/one" in page
    assert "b/one" in page


def test_contexts_mark_the_phrase(tmp_path: Path) -> None:
    file = tmp_path / "contexts.tsv"
    assert read_contexts(file, {("a", "b")}) == {}
    file.write_text("四个 边框\tb\t有[四个边框]的 [x]\t\t\t\t<i> [b]\t\na\tb\t\t\t\t\t\t\n")
    wanted = {("四个 边框", "b")}
    found = read_contexts(file, wanted)
    assert found == {("四个 边框", "b"): Contexts(("有[四个边框]的 [x]",), ("<i> [b]",))}
    shown = get_macro("pair.html", "contexts")(
        mark_phrases(found["四个 边框", "b"], ("四个 边框", "b"), ("zh", ""))
    )
    assert '<li lang="zh" dir="auto">有<mark>四个边框</mark>的 [x]</li>' in shown
    assert '<li dir="auto">&lt;i&gt; <mark>b</mark></li>' in shown
    file.write_text("a\tb\tc\n")
    with pytest.raises(InputError, match=r"line 1: expected two phrases and 6 snippets, tab-sep"):
        read_contexts(file, wanted)


def test_samples_are_nested() -> None:
    samples = take_nested_samples(np.arange(1000), 100)
    assert [len(places) for places in samples] == [100, 50, 25, 12, 6, 3, 1, 0]
    for larger, smaller in pairwise(samples):
        assert set(smaller.tolist()) <= set(larger.tolist())
    assert all(len(places) == 5 for places in take_nested_samples(np.arange(5), 100)[:4])


@given(st.floats(1e-3, 1e9))
def test_ticks_are_round_and_reach_the_highest(highest: float) -> None:
    marks = choose_ticks(highest)
    assert marks[0] == 0
    assert marks[-1] >= highest * (1 - 1e-6)
    assert marks[-2] < highest
    assert 2 <= len(marks) <= 5
    assert choose_ticks(0) == [0, 1]


def test_a_chart_describes_its_content() -> None:
    draw = get_macro("charts.html", "line_chart")
    chart = draw(draw_chart("Links", [Series("agreed", "agreed", [10, None, 1200])]))
    assert 'aria-label="Links, by iteration: agreed from 10 to 1,200"' in chart
    assert "<title>agreed, iteration 3: 1,200</title>" in chart
    assert chart.count("<circle") == 2
    single = draw_chart("F1", [Series("x", "forward", [0.5])], SHARE)
    assert "from 50.0% to 50.0%" in single.label


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans())))
def test_bins_are_what_a_plain_loop_finds(pairs: list[tuple[float, bool]]) -> None:
    said, right = (np.array([pair[n] for pair in pairs], np.float64) for n in (0, 1))
    for n, found in enumerate(bin_by_confidence(said, right)):
        inside = [pair for pair in pairs if min(int(pair[0] * 10), 9) == n]
        assert found.pairs == len(inside)
        if inside:
            assert found.confidence == pytest.approx(np.mean([p for p, _ in inside]))
            assert found.precision == pytest.approx(np.mean([r for _, r in inside]))


def test_intervals_of_shares() -> None:
    assert estimate_share_interval(0.5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    assert estimate_share_interval(1.0, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)


def test_the_command(small_run: Path, tmp_path: Path, accord: Run) -> None:
    run = tmp_path / "run"
    copytree(small_run, run)
    done = accord("report", run)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith(f"MB in {run / 'report.html'}\n")
    page = (run / "report.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    # An older report is replaced; other files are not.
    assert accord("report", run).returncode == 0
    compared = accord("report", run, small_run)
    assert compared.stdout.endswith(f"MB in {run / 'comparison.html'}\n")
    assert accord("report", run, small_run, "--out", "-").stdout.startswith("<!DOCTYPE html>")
    assert accord("report", run, "--out", tmp_path / "page.html").returncode == 0
    refused = accord("report", run, "--out", tmp_path / "page.html")
    assert "page.html: exists; replace it with --force, or choose another file" in refused.stderr
    assert accord("report", run, "--out", tmp_path / "page.html", "-f").returncode == 0
    assert accord("report", run, "--out", run / "report.html").returncode == 0
    for file in ("phrases.tsv", "run.json"):
        refused = accord("report", run, "--out", run / file, "--force")
        assert refused.returncode == 2
        expected = "exists, and is no report; choose another file with --out"
        assert refused.stderr.splitlines()[-1] == f"accord: {run / file}: {expected}"


def test_folders_without_a_finished_run_are_refused(
    small_run: Path, tmp_path: Path, accord: Run
) -> None:
    nothing = accord("report", tmp_path / "nowhere")
    assert nothing.returncode == 2
    assert nothing.stderr.endswith("expected the folder of a finished run, found none\n")
    copytree(small_run, tmp_path / "run")
    (tmp_path / "run" / "checkpoint.npz").touch()
    unfinished = accord("report", small_run, tmp_path / "run", "--out", tmp_path / "x.html")
    assert unfinished.returncode == 2
    assert unfinished.stderr.endswith("found an interrupted one; continue it with --resume\n")
    assert not (tmp_path / "x.html").exists()
    for told in (nothing, unfinished):
        assert told.stderr.count("\n") == 1
        assert "Traceback" not in told.stderr


def test_paths_where_no_report_can_be_written(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="expected the name of a file, found a folder"):
        check_report_path(tmp_path)
    with pytest.raises(OutputError, match="there is no folder"):
        check_report_path(tmp_path / "no" / "report.html")
    (tmp_path / "mine.html").write_text("<html>")
    with pytest.raises(OutputError, match="exists, and is no report"):
        check_report_path(tmp_path / "mine.html")
    check_report_path(Path("-"))


def test_opening_the_page(
    small_run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "report.html"
    with patch("webbrowser.open", return_value=True) as opened:
        command(small_run, None, out, None, open_page=True)
    opened.assert_called_once_with(out.resolve().as_uri())
    assert "MB in" in capsys.readouterr().out
    with patch("webbrowser.open", return_value=False):
        command(small_run, small_run, out, None, force=True, open_page=True)
    assert f"No browser was found; open {out} yourself." in capsys.readouterr().err


def test_a_new_run_removes_the_old_report(small: Planted, tmp_path: Path) -> None:
    def learn(seeds: int, *, force: bool) -> None:
        Accord(iterations=1).fit(
            small.source, small.target, small.lexicon[:seeds], out=tmp_path / "run", force=force
        )

    learn(30, force=False)
    (tmp_path / "run" / "report.html").write_text("old")
    learn(20, force=True)
    assert not (tmp_path / "run" / "report.html").exists()
