"""Take the pictures of the tutorial anew, and print the figures that it gives beside them.

    python docs/_ext/take_pictures.py FOLDER

Needs Playwright, Pillow and Chromium. In the folder, the tutorial's run is made, its report is
opened, 41 of its pairs are reviewed as the grammar of the sample says, and another run learns from
them.
"""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

from PIL import Image
from playwright.sync_api import Page, sync_playwright

import accord
from accord.experiments.sample import ACCUSATIVES, list_word_pairs, read_grammar

DOCS = Path(__file__).resolve().parent.parent
DECISIONS = 41
# Which preposition a place has depends on the language, but "hinter" is always "behind".
PREPOSITIONS = {"am", "an", "auf", "im", "in", "vor"}
ENGLISH_PREPOSITIONS = {"at", "by", "in", "on"}
ARTICLES = {"der", "die", "das", "den", "dem", "the"}
# "living" is a part of "living room", "front" of "in front of".
FUNCTION_WORDS = {*ARTICLES, *PREPOSITIONS, *ENGLISH_PREPOSITIONS, "front", "of", "living"}
# The phrase pair whose row is open in the picture of the report.
SHOWN = "dichter liebt die königin"


def list_translations() -> dict[str, set[str]]:
    """Return the translations of every content word of the sample in lower case."""
    grammar = read_grammar()
    pairs = [(german.lower(), english.lower()) for german, english in list_word_pairs(grammar)]
    places = [place for scene in grammar.scenes for place in scene.places]
    for german, english in [*places, *grammar.times]:
        pairs.append((german.split()[-1].lower(), english.split()[-1].lower()))
    accusatives = {noun.lower(): form.lower() for noun, form in ACCUSATIVES.items()}
    found: dict[str, set[str]] = {"hinter": {"behind"}}
    for german, english in pairs:
        forms = {german, accusatives.get(german, german)}
        if german.endswith("e"):
            forms.add(f"{german}n")
        for form in forms:
            found.setdefault(form, set()).add(english)
    return found


def is_right(source: str, target: str, translations: dict[str, set[str]]) -> bool:
    """Return whether the content words of a pair are translations of each other, one by one."""
    german, english = source.split(), target.split()
    if bool(PREPOSITIONS & {*german}) != bool(ENGLISH_PREPOSITIONS & {*english}):
        return False
    left = [word for word in german if word not in FUNCTION_WORDS]
    right = [word for word in english if word not in FUNCTION_WORDS]
    return len(left) == len(right) > 0 and _can_be_matched(left, right, translations)


def _can_be_matched(left: list[str], right: list[str], translations: dict[str, set[str]]) -> bool:
    if not left:
        return True
    return any(
        word in translations.get(left[0], ())
        and _can_be_matched(left[1:], right[:n] + right[n + 1 :], translations)
        for n, word in enumerate(right)
    )


def list_wrong_pairs(run: accord.Accord, translations: dict[str, set[str]]) -> Iterator[str]:
    for pair in run.phrases_:
        if not is_right(pair.source, pair.target, translations):
            yield f"{pair.source} = {pair.target} ({pair.confidence:.3f})"


def take_report(page: Page, file: Path, picture: Path) -> None:
    page.set_viewport_size({"width": 1100, "height": 1640})
    page.goto(file.resolve().as_uri())
    page.locator("#phrases input[type=search]").fill(SHOWN)
    page.locator("#phrases tbody button").first.click()
    page.wait_for_timeout(500)
    take_screenshot(page, picture)


def take_screenshot(page: Page, picture: Path) -> None:
    page.screenshot(path=picture)
    # With 256 colours, the file is half as large.
    Image.open(picture).convert("RGB").quantize(256).save(picture, optimize=True)


def review_pairs(page: Page, url: str, translations: dict[str, set[str]]) -> None:
    page.set_viewport_size({"width": 1280, "height": 850})
    page.goto(url)
    for _ in range(DECISIONS):
        page.wait_for_selector("#pair:not([hidden])")
        source, target = (page.locator(f"#{side}").inner_text() for side in ("source", "target"))
        page.keyboard.press("y" if is_right(source, target, translations) else "n")
        page.wait_for_function(
            "([e, f]) => document.getElementById('source').innerText !== e"
            " || document.getElementById('target').innerText !== f",
            arg=[source, target],
        )
    # The page shows most about a long pair.
    while len(page.locator("#source").inner_text().split()) < 4:
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(300)
    page.wait_for_timeout(500)


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    os.chdir(folder)
    translations = list_translations()
    files = accord.write_sample(".", force=True)
    texts = files.german, files.english, files.dictionary

    def mine(name: str, decisions: str | None = None) -> accord.Accord:
        shutil.rmtree(name, ignore_errors=True)
        run = accord.mine(
            *texts,
            source_lang="de",
            target_lang="en",
            lower=True,
            out=name,
            decisions=decisions,
        )
        wrong = [*list_wrong_pairs(run, translations)]
        pairs = f"{len(run.lexicon_)} word pairs, {len(run.phrases_)} phrase pairs"
        print(f"{name}: {pairs}, {len(run.phrases_) - len(wrong)} of these right")
        print(run.quality_)
        return run

    mine("de-en")
    report = accord.report("de-en")
    with sync_playwright() as driver:
        path = shutil.which("chromium") or shutil.which("google-chrome")
        # Whoever is root has no sandbox; the pages are our own.
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page()
        take_report(page, report, DOCS / "report.png")
        urls: list[str] = []
        server = Thread(
            target=accord.review,
            args=["de-en"],
            kwargs={"port": 0, "open_page": False, "on_ready": urls.append},
            daemon=True,
        )
        server.start()
        while not urls:
            page.wait_for_timeout(100)
        review_pairs(page, urls[0], translations)
        take_screenshot(page, DOCS / "review.png")
        print(page.locator("header").inner_text())
        browser.close()
    mine("de-en-2", "de-en/review.sqlite")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
