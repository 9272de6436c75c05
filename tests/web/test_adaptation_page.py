"""The report of an adaptation, as text and in a real browser."""

from pathlib import Path
from typing import Any

import pytest

from accord.errors import OutputError
from accord.translate.adaptation.evaluation import AdaptationResult, ScoreRow
from accord.web.report.adaptation import build_adaptation_report
from accord.web.report.page import check_report_path
from tests.conftest import HOSTILE_WORDS
from tests.web.browser import PHONE

ROWS = [
    ScoreRow("first table", 0, 50, 60, 0.3, 8.0, 7.5, 30.25, 1.0),
    ScoreRow("posterior", 1, 5_000, 9_000, 0.1, 12.0, 11.5, 40.5, 60.0),
    ScoreRow("back-translation", 1, 90_000, 120_000, 0.05, 14.0, 13.25, 44.0, 600.0),
]


def make_result(*texts: str) -> AdaptationResult:
    samples = [
        {
            "source": text,
            "reference": text,
            "first table": f"one {text}",
            "posterior 1": f"two {text}",
            "back-translation 1": f"two {text}",
        }
        for text in texts
    ]
    signatures = {"BLEU": "nrefs:1|case:lc", "chrF2": "nrefs:1|nc:6"}
    return AdaptationResult(ROWS, 2, signatures, {"first table": 0.001}, samples, ("zh", "en"))


def test_the_page_has_the_scores_of_all_steps() -> None:
    page = build_adaptation_report(make_result("a sentence"))
    for text in ("13.25", "44.00", "30.0%", "120,000", "600 s", "p = 0.001", "case:lc"):
        assert text in page
    assert page.count(">chosen<") == 2  # of the steps, and of the translations
    assert "posterior 1, back-translation 1" in page
    assert "BLEU, by step: test from 7.50 to 13.25; development from 8.00 to 14.00" in page


def test_a_page_without_a_test_set() -> None:
    rows = [row._replace(unknown=None, dev_bleu=None, bleu=None, chrf=None) for row in ROWS]
    page = build_adaptation_report(AdaptationResult(rows, 2, {}, {}, [], ("zh", "en")))
    assert "Sample translations" not in page
    assert "<figcaption>BLEU</figcaption>" not in page
    assert "<figcaption>Table entries</figcaption>" in page


def test_it_is_a_report_that_may_be_replaced(tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    file.write_text(build_adaptation_report(make_result("a")), encoding="utf-8")
    check_report_path(file)
    file.write_text("my notes")
    with pytest.raises(OutputError, match="exists, and is no report"):
        check_report_path(file)


def test_in_a_browser(browser: Any, tmp_path: Path) -> None:
    """Hostile sentences stay text, nothing is wider than a phone, and axe has no complaint."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe")
    file = tmp_path / "report.html"
    file.write_text(build_adaptation_report(make_result(*HOSTILE_WORDS)), encoding="utf-8")
    page = browser.new_page(viewport=PHONE)
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("dialog", lambda dialog: wrong.append(dialog.message))
    page.on("request", lambda request: wrong.append(request.url))
    page.goto(file.as_uri())
    assert wrong == [file.as_uri()]
    assert page.locator("#samples article").count() == len(HOSTILE_WORDS)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert axe.Axe().run(page).response["violations"] == []
    assert wrong == [file.as_uri()]
