"""The tables of a report in a real browser; skipped without Chromium or Playwright."""

from pathlib import Path
from typing import Any

from accord.runs.folder import RunFolder
from accord.web.report.page import build_report
from accord.web.report.run import ReportedRun
from tests.conftest import HOSTILE


def opened(browser: Any, run: Path, folder: Path, width: int = 1200) -> tuple[Any, list[str]]:
    """Open the report of a run; return the page, and a list of its errors and network requests."""
    file = folder / "report.html"
    file.write_text(build_report(ReportedRun.read(RunFolder(run))), encoding="utf-8")
    page = browser.new_page(viewport={"width": width, "height": 900})
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text))
    page.on("dialog", lambda dialog: wrong.append(dialog.message))
    page.on("request", lambda request: wrong.append(request.url))
    page.goto(file.as_uri())
    page.wait_for_selector("#phrases tbody tr")
    assert wrong.pop(0) == file.as_uri()
    return page, wrong


def column(page: Any, number: int) -> list[str]:
    texts: list[str] = page.locator(f"#phrases tbody tr > td:nth-child({number})").all_inner_texts()
    return texts


def test_tables_are_searched_sorted_and_paged(
    browser: Any, small_run: Path, tmp_path: Path
) -> None:
    page, wrong = opened(browser, small_run, tmp_path)
    pairs = RunFolder(small_run).read_phrase_pairs()
    assert page.inner_text("#phrases .where") == f"1–20 of {len(pairs)}"
    page.click("#phrases .next")
    assert page.inner_text("#phrases .where") == f"21–40 of {len(pairs)}"
    page.click("#phrases th[data-side=source] button")
    assert column(page, 2) == sorted(e for e, _ in pairs)[:20]
    assert page.get_attribute("#phrases th[data-side=source]", "aria-sort") == "ascending"
    page.click("#phrases th[data-side=source] button")
    assert column(page, 2) == sorted((e for e, _ in pairs), reverse=True)[:20]
    word = pairs[0][1].split()[0]
    page.fill("#phrases .search", word.upper())
    assert {*column(page, 3)} <= {f for _, f in pairs if word in f}
    assert column(page, 3)
    page.fill("#phrases .search", "nobody has this")
    assert page.inner_text("#phrases .where") == "No rows match."
    assert wrong == []


def test_new_words_are_marked_and_can_be_filtered(
    browser: Any, small_run: Path, tmp_path: Path
) -> None:
    page, wrong = opened(browser, small_run, tmp_path)
    seed = RunFolder(small_run).read_trained().whole_seed.entries
    known = {word for e, _ in seed for word in e.split()}
    rows = page.locator("#lexicon tbody tr > td:first-child")
    for row in rows.all():
        assert (row.locator("em.new").count() == 1) == (row.inner_text() not in known)
    page.check("#lexicon .only-new")
    assert rows.count() > 0
    assert all(row.locator("em.new").count() for row in page.locator("#lexicon tbody tr").all())
    assert wrong == []


def test_identical_pairs_can_be_filtered_out(
    browser: Any, run_with_names: Path, tmp_path: Path
) -> None:
    page, wrong = opened(browser, run_with_names, tmp_path)
    words = [
        tuple(line.split("\t")[:2])
        for line in (run_with_names / "lexicon.tsv").read_text(encoding="utf-8").splitlines()
    ]
    different = sum(source != target for source, target in words)
    assert different < len(words)
    page.check("#lexicon .no-identical")
    assert page.inner_text("#lexicon .where").endswith(f" of {different}")
    page.uncheck("#lexicon .no-identical")
    assert page.inner_text("#lexicon .where").endswith(f" of {len(words)}")
    assert wrong == []


def test_a_pair_opens_and_closes(browser: Any, small_run: Path, tmp_path: Path) -> None:
    page, wrong = opened(browser, small_run, tmp_path)
    button = page.locator("#phrases .opener button").first
    button.press("Enter")
    assert button.get_attribute("aria-expanded") == "true"
    table = page.locator("#phrases .below .alignment")
    label = " = ".join([column(page, 2)[0], column(page, 3)[0]])
    assert table.get_attribute("aria-label").startswith(f"Word links of {label}: ")
    button.press("Enter")
    assert table.count() == 0
    assert wrong == []


def test_hostile_phrases_stay_text_in_the_browser(
    browser: Any, hostile_run: Path, tmp_path: Path
) -> None:
    page, wrong = opened(browser, hostile_run, tmp_path)
    page.fill("#phrases .search", HOSTILE)
    assert any(HOSTILE in text for text in column(page, 2) + column(page, 3))
    for button in page.locator("#phrases .opener button").all():
        button.click()
    assert HOSTILE in page.inner_text("#phrases .below >> nth=0")
    assert page.locator("img").count() == 0
    assert wrong == []


def test_nothing_is_wider_than_a_phone(browser: Any, tiny_runs: Path, tmp_path: Path) -> None:
    page, wrong = opened(browser, tiny_runs / "one", tmp_path, width=390)
    page.locator("#phrases .opener button").first.click()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert wrong == []
