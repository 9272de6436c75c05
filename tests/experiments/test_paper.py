"""Small versions of the paper's experiments, from a folder of parallel text to results.md."""

import csv
import lzma
import re
from importlib.resources import files
from pathlib import Path

import pytest

from accord.experiments.paper import PaperSection, corpora, pictures, tables
from accord.experiments.paper.cached_runs import CachedRuns, F1Figure
from accord.experiments.paper.corpora import LANGUAGE_PAIRS, LanguagePair
from accord.experiments.paper.report import write_results
from accord.experiments.paper.tables import PUBLISHED_BY_NOISE, PUBLISHED_BY_SEEDS, ResultRow
from accord.experiments.synthesis.experiment import Experiment
from accord.experiments.synthesis.recipe import Size
from accord.runs.evaluation import estimate_f1_interval
from accord.system.runners.threads import Threads
from tests.cli.test_cli import fails
from tests.conftest import Run
from tests.experiments.test_synthesis import parallel_text

DOCS = Path(__file__).parent.parent.parent / "docs"


def test_the_interval_holds_f1_and_narrows() -> None:
    low, high = estimate_f1_interval(300, 500, 500)
    assert low < 0.6 < high
    wide = high - low
    low, high = estimate_f1_interval(30_000, 50_000, 50_000)
    assert low < 0.6 < high
    assert high - low == pytest.approx(wide / 10, rel=0.2)
    assert estimate_f1_interval(0, 0, 5) == (0.0, 0.0)
    assert estimate_f1_interval(5, 5, 5) == (1.0, 1.0)


def test_the_papers_numbers() -> None:
    assert PUBLISHED_BY_SEEDS[1_000] == PUBLISHED_BY_NOISE[20_000, 20_000]
    assert len(PUBLISHED_BY_NOISE) == 7


def rows() -> list[ResultRow]:
    figures = {
        model: F1Figure(0.1 * n, 0.1 * n - 0.02, 0.1 * n + 0.03)
        for n, model in enumerate(tables.MODELS, start=2)
    }
    return [ResultRow("50", figures, PUBLISHED_BY_SEEDS[50]), ResultRow("0 + 0", figures, None)]


def test_markdown_and_csv() -> None:
    heads = ["seeds", "zh→en", "en→zh", "outer", "inner", "posterior"]
    text = tables.format_markdown(rows(), heads)
    percentages = " | ".join(f"{p}.0 ({p - 2}.0–{p + 3}.0)" for p in range(20, 70, 10))
    assert text.splitlines() == [
        "| seeds | zh→en | en→zh | outer | inner | posterior |",
        "| --- | --- | --- | --- | --- | --- |",
        f"| 50 | {percentages} |",
        "| *paper* | *4.1* | *4.8* | *60.8* | *66.2* | – |",
        f"| 0 + 0 | {percentages} |",
    ]
    lines = list(csv.DictReader(tables.format_csv(rows())))
    assert len(lines) == 10
    assert lines[0]["paper_f1"] == "0.041"
    assert lines[-1] == {
        "setting": "0 + 0",
        "model": "posterior",
        "f1": "0.6000",
        "low": "0.5800",
        "high": "0.6300",
        "paper_f1": "",
    }


def test_no_matplotlib(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.figure", None)
    with pytest.raises(Exception, match="pictures need Matplotlib: pip install 'accord"):
        pictures.draw_ratios({"none": [0.1]}, "title", tmp_path / "a.png")


def test_runs_are_kept(tmp_path: Path) -> None:
    source, target, _ = parallel_text(60)
    pairs = list(zip(source, target, strict=True))
    words = [(e.split()[0], f.split()[0]) for e, f in pairs if " " not in e]
    experiment = Experiment(pairs, [], [], words)
    reported: list[str] = []
    runs = CachedRuns(tmp_path, "xx-yy", Threads(1), reported.append)
    inputs = experiment.inputs(source_noise=0, target_noise=0, seeds=10)
    first = runs.figures("small", inputs)
    assert len(reported) == 4
    assert runs.figures("small", inputs) == first
    assert len(reported) == 4
    assert set(first) == set(tables.MODELS)
    assert all(figure.low <= figure.f1 <= figure.high for figure in first.values())


def test_no_data(tmp_path: Path, accord: Run) -> None:
    done = accord("paper", "--data", tmp_path, "--out", "out", "--fast")
    fails(done, "expected parallel text, found no", "lctt.en-zh.tsv.xz")


def test_all_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run all sections on synthetic text in place of the real files."""
    pytest.importorskip("eflomal")
    source, target, _ = parallel_text(2500)
    pair = LanguagePair("xx", "yy", ("synthetic.xx-yy",))
    with lzma.open(tmp_path / "synthetic.xx-yy.tsv.xz", "wt", encoding="utf-8") as stream:
        stream.writelines(f"{e}\t{f}\n" for e, f in zip(source, target, strict=True))
    size = Size(150, 100, 100)
    monkeypatch.setattr("accord.experiments.paper.report.LANGUAGE_PAIRS", (pair,))
    monkeypatch.setattr(
        "accord.experiments.paper.report.FAST", corpora.Scale(size, size, 60, 2_400)
    )
    reported: list[str] = []

    def results(*sections: PaperSection) -> str:
        path = write_results(
            tmp_path,
            tmp_path / "out",
            sections,
            fast=True,
            runner=Threads(2),
            report=reported.append,
        )
        return path.read_text(encoding="utf-8")

    text = results("seeds", "noise", "ratio", "test", "samples", "findings")
    for heading in (
        "Table 1",
        "Table 2",
        "Agreement ratios",
        "test set",
        "Table 3",
        "Which findings of the paper are confirmed",
    ):
        assert heading in text
    assert "| 50 + 0 |" in text
    assert "| *paper* | *22.4* | *23.1* | *73.6* | *74.3* | – |" in text
    names = {path.name for path in (tmp_path / "out" / "results").iterdir()}
    for section in ("seeds", "quiet-seeds", "noise", "ratio", "test", "frequent"):
        assert {f"xx-yy.{section}.csv", f"xx-yy.{section}.png"} <= names
    before = len(reported)
    assert "Table 1" in results("seeds")
    assert len(reported) == before  # nothing ran again


def test_the_language_pairs_are_two() -> None:
    assert [pair.name for pair in LANGUAGE_PAIRS] == ["zh-en", "en-de"]


def test_the_results_in_the_docs_are_of_the_full_command() -> None:
    results = (DOCS / "results.md").read_text(encoding="utf-8")
    assert "Made by `accord paper`." in results
    discussion = (
        files("accord.experiments.paper").joinpath("discussion.md").read_text(encoding="utf-8")
    )
    assert results.endswith(discussion)
    for picture in re.findall(r"\]\((results/.*?\.png)\)", results):
        assert (DOCS / picture).exists()


@pytest.mark.parametrize("pair", LANGUAGE_PAIRS, ids=lambda pair: pair.name)
@pytest.mark.parametrize("name", ["seeds", "quiet-seeds", "noise", "test", "frequent"])
def test_the_tables_in_the_docs_have_the_figures_of_the_files(
    pair: LanguagePair, name: str
) -> None:
    file = DOCS / "results" / f"{pair.name}.{name}.csv"
    measured: dict[str, list[str]] = {}
    for row in csv.DictReader(file.read_text(encoding="utf-8").splitlines()):
        measured.setdefault(row["setting"], []).extend(row[key] for key in ("f1", "low", "high"))
    page = (DOCS / "results.md").read_text(encoding="utf-8")
    table = page.partition(f"](results/{file.stem}.png)")[0].rpartition("\n\n|")[2]
    lines = [[*map(str.strip, line.split("|"))] for line in table.splitlines()]
    shown = {cells[1]: cells[2:-1] for cells in lines if cells[1:] and cells[1] in measured}
    assert shown.keys() == measured.keys()
    for setting, cells in shown.items():
        percentages = re.findall(r"[\d.]+", " ".join(cells))
        assert len(cells) == len(tables.MODELS)
        # The files have four digits, of rounded figures.
        expected = [100 * float(value) for value in measured[setting]]
        assert [*map(float, percentages)] == pytest.approx(expected, abs=0.0551)
