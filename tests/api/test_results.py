"""What a run has found: scores, exports, pages and messages."""

import json
import os
import shutil
import signal
from pathlib import Path
from threading import Thread
from urllib.request import urlopen

import pytest

from accord import InputError, evaluate, export, load, query, report, review
from accord.experiments.artificial import Planted
from accord.web.review import server
from tests.conftest import Run


def test_query_and_evaluate_take_a_folder_or_an_estimator(
    small: Planted, small_run: Path, tmp_path: Path, accord: Run
) -> None:
    model = load(small_run)
    phrase = small.gold[3][0]
    assert query(small_run, phrase, top=2) == query(model, phrase, top=2)
    assert query(model, phrase, top=2) == model.translate_phrase(phrase, 2)
    gold = tmp_path / "gold.tsv"
    gold.write_text("".join(f"{e}\t{f}\n" for e, f in small.gold), encoding="utf-8")
    scores = evaluate(small_run, gold)
    assert scores == evaluate(model, small.gold)
    assert (scores.pairs, scores.gold) == (len(model.phrases_), len(small.gold))
    assert scores._asdict() == json.loads(
        accord("evaluate", small_run, "--gold", gold, "--json").stdout
    )


def test_export(small_run: Path, tmp_path: Path) -> None:
    done = export(small_run, tmp_path / "a.csv", to="csv", top=5)
    assert (done.pairs, done.files) == (5, (tmp_path / "a.csv",))
    less = export(small_run, tmp_path / "b.csv", to="csv", min_confidence=0.9)
    assert less.pairs < export(small_run, tmp_path / "c.csv", to="csv").pairs
    export(small_run, tmp_path / "d.tmx", to="tmx", source_lang="de", target_lang="en")
    assert 'xml:lang="de"' in (tmp_path / "d.tmx").read_text(encoding="utf-8")


def test_messages_are_logged(
    small_run: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    export(small_run, tmp_path / "glossary.txt", to="omegat")
    assert [record.name for record in caplog.records] == ["accord"]
    assert "the languages are not known" in caplog.text


def test_report(tiny_runs: Path, tmp_path: Path) -> None:
    page = report(tiny_runs / "one", out=tmp_path / "page.html", gold=[("a", "x")])
    assert page == tmp_path / "page.html"
    assert "F1" in page.read_text(encoding="utf-8")
    both = report(tiny_runs / "one", tiny_runs / "other", out=tmp_path / "both.html")
    assert both.read_bytes() != page.read_bytes()


def test_review_serves_the_page_until_control_c(small_run: Path, tmp_path: Path) -> None:
    pytest.importorskip("uvicorn", reason="needs accord[review]")
    run = shutil.copytree(small_run, tmp_path / "run")
    pages: list[str] = []

    def visit(url: str) -> None:
        with urlopen(url) as answer:
            pages.append(answer.read().decode())
        os.kill(os.getpid(), signal.SIGINT)

    def on_ready(url: str) -> None:
        Thread(target=visit, args=[url]).start()

    decisions = review(run, port=0, token="a token", open_page=False, on_ready=on_ready)
    assert decisions == run / "review.sqlite"
    assert decisions.exists()
    assert "<html" in pages[0]


def test_the_address_of_the_review_is_shown(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(server, "open_browser", opened.append)
    monkeypatch.setattr(server, "serve_review", lambda *given: given[-1]("http://here"))
    review("run")
    assert opened == ["http://here"]
    assert "The review page is http://here" in caplog.text
    review("run", open_page=False)
    assert opened == ["http://here"]


def test_languages_of_a_review_are_checked(small_run: Path) -> None:
    pytest.importorskip("uvicorn", reason="needs accord[review]")
    with pytest.raises(InputError, match="'Germann': expected a language code or name"):
        review(small_run, source_lang="Germann", open_page=False)
