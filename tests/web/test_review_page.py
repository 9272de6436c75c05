"""The review page in a real browser: what its keys and buttons do, and what it survives."""

import re
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from accord import Accord
from accord.evidence.decisions import DecisionLog
from accord.experiments.artificial import plant
from accord.runs.folder import RunFolder
from accord.web.review.filters import PairFilter
from accord.web.review.pair_index import open_pair_index
from tests.conftest import HOSTILE
from tests.web.browser import PATIENCE, PHONE, TOKEN, Process, decided, served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Dialog, Locator, Page, Route

# Processes of their own, and a browser: on one worker.
pytestmark = pytest.mark.xdist_group("browser")

ODD = (HOSTILE, '"><img/src=x/onerror=alert(1)>', "&lt;b&gt;", "שלום", "世界", "{{7*7}}", "</p>")
Open = Callable[..., "Page"]


@pytest.fixture(scope="module")
def odd_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with hostile and right-to-left words, and with contexts."""
    planted = plant(words=60, phrases=150, noise=50, random=1)
    words = sorted({word for phrase in planted.source for word in phrase.split()})
    other = dict(zip(words, ODD, strict=False))

    def odd(phrase: str) -> str:
        return " ".join(other.get(word, word) for word in phrase.split())

    folder = tmp_path_factory.mktemp("odd") / "run"
    seed = [(odd(source), target) for source, target in planted.lexicon[:30]]
    learned = Accord().fit([odd(text) for text in planted.source], planted.target, seed, out=folder)
    lines = (
        "\t".join([e, f, *[f"[1] {HOSTILE} [{e}] x"] * 3, *[f"[1] {HOSTILE} [{f}] x"] * 3])
        for e, f, *_ in learned.phrases_
    )
    (folder / "contexts.tsv").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return folder


@pytest.fixture
def run(odd_run: Path, tmp_path: Path) -> Path:
    """A copy that a test may change."""
    return shutil.copytree(odd_run, tmp_path / "run")


@pytest.fixture
def open_page(browser: "Browser", run: Path) -> Iterator[Open]:
    """Opens the page of the run; any error in the page fails the test."""
    wrong: list[str] = []

    def asked(dialog: "Dialog") -> None:
        """Accept only the question whether to leave a page with unsaved changes."""
        if dialog.type == "beforeunload":
            dialog.accept()
        else:
            wrong.append(dialog.message)
            dialog.dismiss()

    with ExitStack() as stack:
        url = stack.enter_context(served(run, ("he", "en")))

        def opened(beside: "Page | None" = None, **settings: Any) -> "Page":
            """Open a new browser, or a tab beside another."""
            context = beside.context if beside else browser.new_context(**settings)
            if not beside:
                stack.enter_context(context)
            page = context.new_page()
            page.on("pageerror", lambda error: wrong.append(str(error)))
            page.on("dialog", asked)
            page.goto(url)
            ready(page)
            return page

        yield opened
    assert not wrong


def ready(page: "Page") -> None:
    """Wait until a pair is shown and the page accepts keys."""
    page.set_default_timeout(PATIENCE)
    page.wait_for_selector("#pair[aria-busy=false]:not([hidden])")


def press(page: "Page", *keys: str) -> None:
    for key in keys:
        ready(page)
        page.keyboard.press(key)
    ready(page)


def shown(page: "Page") -> tuple[str, str]:
    return page.inner_text("#source"), page.inner_text("#target")


def count(page: "Page", status: str) -> "Locator":
    return page.locator(f"#{status}")


def expects(found: "Locator", text: str | re.Pattern[str]) -> None:
    from playwright.sync_api import expect

    expect(found).to_have_text(text, timeout=PATIENCE)


def test_keys_accept_reject_and_skip(open_page: Open, run: Path) -> None:
    page = open_page()
    pairs = []
    for key in ("y", "n", " "):
        pairs.append(shown(page))
        press(page, key)
    assert len({*pairs, shown(page)}) == 4
    assert [(*one.pair[1:], one.status) for one in decided(run)] == [
        (*pairs[0], "accepted"),
        (*pairs[1], "rejected"),
        (*pairs[2], "skipped"),
    ]
    for status in ("accepted", "rejected", "skipped"):
        expects(count(page, status), "1")
    expects(page.locator("#said"), "Skipped: " + " = ".join(pairs[2]))


def test_buttons_do_the_same(open_page: Open, run: Path) -> None:
    page = open_page()
    for name in ("Accept", "Reject"):
        page.get_by_role("button", name=re.compile(name)).click()
        ready(page)
    # After a click the space bar skips, and does not press the button again.
    press(page, " ")
    assert [one.status for one in decided(run)] == ["accepted", "rejected", "skipped"]
    # On a button that was reached by the keyboard it presses that.
    page.get_by_role("button", name=re.compile("Accept")).focus()
    press(page, " ")
    assert decided(run)[-1].status == "accepted"


def test_undo(open_page: Open, run: Path) -> None:
    page = open_page()
    first = shown(page)
    press(page, "y", "n")
    # Kept for the case that the page crashes.
    assert page.evaluate("sessionStorage.tab") == decided(run)[0].tab
    press(page, "u", "u")
    assert shown(page) == first
    assert decided(run) == []
    expects(count(page, "accepted"), "0")
    press(page, "u")
    expects(page.locator("#said"), "Nothing to undo in this tab.")
    expects(page.locator("#chosen"), f"{chosen(run)} pairs to show")


def test_an_undone_pair_is_in_the_queue_once(open_page: Open) -> None:
    page = open_page()
    press(page, "y", "y", "y")
    page.reload()
    press(page, "ArrowRight", "ArrowRight", "u", "ArrowLeft", "ArrowLeft", "ArrowLeft")
    turn = page.locator("#turn li").all_inner_texts()
    assert len(set(turn)) == len(turn)


def test_undo_of_what_the_run_no_longer_has(open_page: Open, run: Path) -> None:
    page = open_page()
    press(page, "y")
    tab = decided(run)[0].tab
    with DecisionLog(run / "review.sqlite") as decisions:
        decisions.decide("word", "gone", "away", "rejected", tab=tab)
    press(page, "u")
    said = "Undone, although the run no longer has it: gone = away"
    expects(page.locator("#said"), said)
    assert [made.status for made in decided(run)] == ["accepted"]


def test_arrows_move_without_deciding(open_page: Open, run: Path) -> None:
    page = open_page()
    first = shown(page)
    press(page, "ArrowRight")
    assert shown(page) != first
    press(page, "ArrowLeft")
    assert shown(page) == first
    press(page, "y", "ArrowLeft")
    assert shown(page) == first
    expects(page.locator("#status"), "✓ accepted")
    press(page, "n")
    assert [one.status for one in decided(run)] == ["rejected"]


def test_a_reload_keeps_everything(open_page: Open) -> None:
    page = open_page()
    press(page, "y", "n", "y")
    page.select_option("[name=kind]", "phrases")
    page.wait_for_url(re.compile("kind=phrases"))
    ready(page)
    following = shown(page)
    page.reload()
    ready(page)
    assert shown(page) == following
    assert page.input_value("[name=kind]") == "phrases"
    expects(count(page, "accepted"), "2")
    # A tab keeps its name after a reload.
    press(page, "u")
    expects(count(page, "accepted"), "1")


def chosen(run: Path, **asked: str) -> int:
    """Return how many pairs match the filters."""
    return int(PairFilter.of(asked).match(open_pair_index(RunFolder(run))).sum())


def test_filters(open_page: Open, run: Path) -> None:
    page = open_page()
    every = chosen(run)
    page.keyboard.press("/")
    page.keyboard.type("שלום")
    expects(page.locator("#source"), re.compile("שלום"))
    expects(page.locator("#chosen"), f"{chosen(run, contains='שלום')} pairs to show")
    # In a field, keys are letters.
    page.keyboard.type("yn")
    expects(page.locator("#chosen"), "0 pairs to show")
    page.wait_for_selector("#done:not([hidden])")
    page.click("#done-clear")
    expects(page.locator("#chosen"), f"{every} pairs to show")
    page.fill("[name=least]", "0.99")
    page.fill("[name=shortest]", "2")
    page.check("[name=new]")
    page.wait_for_url(re.compile("least=0.99.*shortest=2.*new=yes"))
    wanted = chosen(run, least="0.99", shortest="2", new="yes")
    expects(page.locator("#chosen"), f"{wanted} pairs to show")
    ready(page)
    assert page.inner_text("#confidence-number") in ("0.99", ">0.99", "1.00")
    assert max(text.count(" ") for text in shown(page)) >= 1
    assert page.is_visible("#new")


def test_filters_that_change_while_the_server_is_asked(open_page: Open, run: Path) -> None:
    """The last filters count, whether a request for pairs or for a decision is under way."""
    page = open_page()
    waiting: list[Route] = []
    for path, act in (
        ("**/pairs?*", lambda: page.select_option("[name=kind]", "words")),
        ("**/decide?*", lambda: page.keyboard.press("y")),
    ):
        page.route(path, lambda route: waiting.append(route), times=1)
        with page.expect_request(path):
            act()
        page.select_option("[name=kind]", "phrases")
        page.check("[name=new]")
        page.wait_for_url(re.compile("kind=phrases.*new=yes"))
        waiting.pop().continue_()
        # The pair that is decided is a phrase with new words.
        wanted = chosen(run, kind="phrases", new="yes") - ("decide" in path)
        expects(page.locator("#chosen"), f"{wanted} pairs to show")
        expects(page.locator("#kind"), "phrase")
        page.click("#clear")
        expects(page.locator("#chosen"), re.compile(f"^{chosen(run) - len(decided(run))} "))
        ready(page)
        page.focus("#pair")
    assert len(decided(run)) == 1


def test_hostile_phrases_are_text(open_page: Open) -> None:
    page = open_page()
    page.select_option("[name=kind]", "phrases")
    for text in ODD:
        page.fill("[name=contains]", text)
        expects(page.locator("#source"), re.compile(re.escape(text)))
        page.wait_for_selector("#matrix table")
    page.fill("[name=contains]", HOSTILE)
    expects(page.locator("#source"), re.compile(re.escape(HOSTILE)))
    press(page, "Escape", "e", "Enter", "u")
    assert page.locator("script:not([src])").count() == 0
    assert page.locator("img").count() == 0
    assert HOSTILE in page.inner_text("#contexts-list")


def test_the_phrase_is_marked_in_its_contexts(open_page: Open) -> None:
    page = open_page()
    page.select_option("[name=kind]", "phrases")
    expects(page.locator("#kind"), "phrase")
    marks = page.locator("#contexts-list mark").all_inner_texts()
    assert marks == [text for text in shown(page) for _ in range(3)]


def test_correction(open_page: Open, run: Path) -> None:
    page = open_page()
    source, target = shown(page)
    press(page, "e")
    assert page.input_value("#target-input") == target
    page.keyboard.type("something  else")
    page.keyboard.press("Escape")
    assert shown(page) == (source, target)
    press(page, "e")
    page.keyboard.type("y  n")
    page.keyboard.press("Enter")
    expects(page.locator("#said"), f"Corrected: {source} = {target}")
    assert [one.corrected for one in decided(run)] == [(source, "y n")]
    press(page, "ArrowLeft")
    expects(page.locator("#put"), f"corrected to {source} = y n")
    press(page, "e")
    page.fill("#source-input", " ")
    page.keyboard.press("Enter")
    expects(page.locator("#notice"), re.compile("corrected source: expected words, found none"))
    assert page.is_visible("#source-input")
    # With the mouse.
    press(page, "Escape")
    page.get_by_role("button", name=re.compile("Correct")).click()
    page.keyboard.type("z")
    assert page.input_value("#target-input") == "z"


@pytest.mark.parametrize("way", ["the list", "Next"])
def test_going_to_another_pair_cancels_the_correction(open_page: Open, run: Path, way: str) -> None:
    page = open_page()
    first = shown(page)
    press(page, "e")
    page.keyboard.type("of the first pair")
    if way == "Next":
        page.get_by_role("button", name=re.compile("Next")).click()
    else:
        page.click("#turn li:nth-child(3) button")
    page.wait_for_selector("#target-input", state="hidden")
    ready(page)
    other = shown(page)
    assert other != first
    press(page, "e")
    assert (page.input_value("#source-input"), page.input_value("#target-input")) == other
    page.keyboard.type("something else")
    page.keyboard.press("Enter")
    expects(page.locator("#said"), "Corrected: " + " = ".join(other))
    assert [made.corrected for made in decided(run)] == [(other[0], "something else")]


def test_while_correcting_no_key_decides(open_page: Open, run: Path) -> None:
    page = open_page()
    pair = shown(page)
    press(page, "y", "ArrowLeft", "e")
    page.keyboard.type("put otherwise")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Save Enter"
    press(page, "n", "u", "ArrowRight", "ArrowLeft", "e", "/", "?")
    assert [made.status for made in decided(run)] == ["accepted"]
    assert page.input_value("#target-input") == "put otherwise"
    page.keyboard.press("Enter")
    expects(page.locator("#said"), "Corrected: " + " = ".join(pair))
    assert [made.corrected for made in decided(run)] == [(pair[0], "put otherwise")]


def test_a_filter_cancels_the_correction_and_keeps_the_cursor(open_page: Open, run: Path) -> None:
    """Otherwise the next letters of the search would decide."""
    page = open_page()
    press(page, "e")
    page.focus("[name=contains]")
    page.keyboard.type("שלום")
    page.wait_for_selector("#target-input", state="hidden")
    page.keyboard.type("yn")
    expects(page.locator("#chosen"), "0 pairs to show")
    assert decided(run) == []


def test_pairs_that_were_passed_over_come_at_the_end(open_page: Open, run: Path) -> None:
    page = open_page()
    pairs = open_pair_index(RunFolder(run))
    with DecisionLog(run / "review.sqlite") as decisions:
        for place in range(6, len(pairs)):
            decisions.decide(*pairs[place][1:4], "accepted")
    page.reload()
    ready(page)
    passed = shown(page)
    press(page, "ArrowRight", "ArrowRight", "y", "y", "y", "y")
    assert shown(page) == passed
    expects(count(page, "undecided"), "2")
    press(page, "n")
    page.keyboard.press("n")
    expects(page.locator("#done-words"), "Every pair of the run is reviewed.")
    page.wait_for_selector("#done:not([hidden])")
    expects(count(page, "rejected"), "2")
    # So do pairs whose decisions others have undone.
    with DecisionLog(run / "review.sqlite") as decisions:
        undone = decisions.undo(decided(run)[-1].tab)
    page.wait_for_selector("#pair[aria-busy=false]", state="attached")
    page.keyboard.press("ArrowRight")
    ready(page)
    assert undone
    assert shown(page) == undone.pair[1:]


def test_screen_readers_announce_the_next_pair(open_page: Open) -> None:
    page = open_page()
    first = shown(page)
    told = page.locator("main > [aria-live=polite]")
    for key in ("y", "ArrowRight", "ArrowLeft", "u"):
        press(page, key)
        expects(told, " = ".join(shown(page)))
    assert shown(page) == first
    # After choosing a pair in the queue, the focus is on the pair.
    page.focus("#turn li:nth-child(3) button")
    page.keyboard.press("Enter")
    page.wait_for_selector("#pair:focus")
    expects(told, " = ".join(shown(page)))


def test_the_next_pair_is_not_corrected_before_it_is_there(open_page: Open) -> None:
    page = open_page()
    waiting: list[Route] = []
    page.route("**/pair?*", lambda route: waiting.append(route), times=1)
    with page.expect_request("**/pair?*"):
        page.keyboard.press("y")
    page.keyboard.press("e")
    waiting.pop().continue_()
    expects(page.locator("#pair[aria-busy=false] #status"), "")
    assert page.is_hidden("#target-input")


def test_two_tabs_do_not_overwrite_each_other(open_page: Open, run: Path) -> None:
    one = open_page()
    other = open_page(beside=one)
    pair = shown(one)
    assert shown(other) == pair
    press(one, "y")
    press(other, "n")
    expects(other.locator("#notice"), re.compile("has been accepted in another tab"))
    assert shown(other) == pair
    expects(other.locator("#status"), "✓ accepted")
    expects(count(other, "accepted"), "1")
    assert [made.status for made in decided(run)] == ["accepted"]
    # After seeing it, one can decide again.
    press(other, "n")
    assert [made.status for made in decided(run)] == ["rejected"]
    assert other.is_hidden("#notice")
    # Pairs that one tab has decided meanwhile are not shown in the other.
    second = shown(one)
    press(one, "y", "y", "y")
    press(other, "n", "n")
    assert shown(other) == shown(one)
    # A copy of a tab is another.
    with one.expect_popup() as opened:
        one.evaluate("void open(location.href)")
    press(opened.value, "u")
    expects(opened.value.locator("#said"), "Nothing to undo in this tab.")
    # A tab undoes its own decisions: those of the other remain.
    press(one, "u", "u", "u", "u")
    assert [(*made.pair[1:], made.status) for made in decided(run)] == [
        (*pair, "rejected"),
        (*second, "rejected"),
    ]


def test_the_page_continues_after_the_server_was_killed(browser: "Browser", run: Path) -> None:
    with (
        Process(run, "--port", "0", "--token", TOKEN) as first,
        browser.new_context() as context,
        ExitStack() as stack,
    ):
        page = context.new_page()
        page.goto(first.url)
        ready(page)
        press(page, "y")
        pair = shown(page)
        first.end(signal.SIGKILL)
        page.keyboard.press("n")
        expects(page.locator("#notice"), re.compile("The server does not answer"))
        assert shown(page) == pair
        # Another token: the page waits for somebody to open the new address.
        second = stack.enter_context(Process(run, "--port", first.port))
        expects(page.locator("#notice"), re.compile("The server was restarted"))
        context.new_page().goto(second.url)
        expects(page.locator("#said"), "Rejected: " + " = ".join(pair))
        ready(page)
        assert page.is_hidden("#notice")
        assert shown(page) != pair
        assert [made.status for made in decided(run)] == ["accepted", "rejected"]
        code, said = second.end(signal.SIGINT)
    assert code == 0
    assert "Traceback" not in said


def test_an_unconfirmed_decision_survives_a_reload(open_page: Open, run: Path) -> None:
    page = open_page()
    pair = shown(page)
    answered = []

    def lost(route: "Route") -> None:
        """Lose the answer of the server, which has done its work."""
        answered.append(route.fetch().status)
        route.abort()

    page.route("**/decide?*", lost)
    page.keyboard.press("y")
    expects(page.locator("#notice"), re.compile("The server does not answer"))
    page.unroute("**/decide?*")
    page.reload()
    expects(page.locator("#said"), "Accepted: " + " = ".join(pair))
    ready(page)
    assert page.is_hidden("#notice")
    assert page.locator("#turn .sign:not(:empty)").count() == 0
    assert shown(page) != pair
    expects(page.locator("#chosen"), f"{chosen(run) - 1} pairs to show")
    assert answered[0] == 200
    assert [(*one.pair[1:], one.status) for one in decided(run)] == [(*pair, "accepted")]


def test_a_conflict_after_a_reload_is_reported(open_page: Open, run: Path) -> None:
    page = open_page()
    pair = shown(page)
    page.route("**/decide?*", lambda route: route.abort())
    page.keyboard.press("y")
    expects(page.locator("#notice"), re.compile("The server does not answer"))
    with DecisionLog(run / "review.sqlite") as decisions:
        kind = open_pair_index(RunFolder(run))[0].kind
        decisions.decide(kind, *pair, "rejected", tab="another")
    page.unroute("**/decide?*")
    page.reload()
    words = re.escape(" = ".join(pair)) + " has been rejected in another tab"
    expects(page.locator("#notice"), re.compile(words))
    ready(page)
    assert shown(page) != pair
    assert [made.status for made in decided(run)] == ["rejected"]


def test_the_estimate_appears(browser: "Browser", run: Path) -> None:
    pairs = open_pair_index(RunFolder(run))
    with served(run) as url, browser.new_context() as context:
        page = context.new_page()
        page.goto(url)
        expects(
            page.locator("#precision"), "Precision: shown after about 20 pairs reviewed in order"
        )
    with DecisionLog(run / "review.sqlite") as decisions:
        for place in range(30):
            decisions.decide(*pairs[place][1:4], "accepted")
        decisions.undo()
    with served(run) as url, browser.new_context() as context:
        page = context.new_page()
        page.goto(url)
        ready(page)
        expects(
            page.locator("#precision"),
            re.compile(r"Precision 9\d%, 95% interval from \d\d% to over 99%"),
        )
        press(page, "n")
        expects(page.locator("#precision"), re.compile(r"Precision \d\d%, 95% interval"))


def test_export(open_page: Open) -> None:
    page = open_page()
    press(page, "y")
    for form, name, content in (
        ("a table (CSV)", "decisions.csv", "accepted"),
        ("a terminology (TBX)", "decisions.tbx", "preferredTerm-admn-sts"),
        ("a seed for the next run", "decisions.tsv", "\taccepted\n"),
    ):
        page.click("#export summary")
        with page.expect_download() as download:
            page.get_by_role("button", name=form).click()
        assert download.value.suggested_filename == name
        assert content in Path(download.value.path()).read_text(encoding="utf-8")
        expects(page.locator("#said"), f"Exported {name}.")


def test_right_to_left_text(open_page: Open) -> None:
    page = open_page()
    page.fill("[name=contains]", "שלום")
    expects(page.locator("#source"), re.compile("שלום"))
    page.fill("[name=contains]", "")
    for element, language in (("#source", "he"), ("#target", "en")):
        assert page.get_attribute(element, "lang") == language
        assert page.get_attribute(element, "dir") == "auto"
    # In one step: the next pair may be on its way.
    direction = """(element, text) => {
      element.textContent = text;
      return getComputedStyle(element).direction;
    }"""
    assert page.eval_on_selector("#source", direction, "שלום") == "rtl"
    assert page.eval_on_selector("#target", direction, "hello") == "ltr"


def test_keys_can_be_turned_off(open_page: Open, run: Path) -> None:
    page = open_page()
    press(page, "?")
    page.uncheck("#keys")
    page.keyboard.press("Escape")
    page.wait_for_selector("#help:not([open])", state="attached")
    press(page, "y", "n")
    page.reload()
    press(page, "y")
    assert decided(run) == []


def test_no_width_scrolls_sideways(open_page: Open) -> None:
    page = open_page()
    for width in (320, 390, 768, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        assert beyond(page) == [], width
        press(page, "e")
        assert beyond(page) == [], width
        page.keyboard.press("Escape")
        for menu in ("#filters-fold > summary", "#export summary"):
            page.click(menu)
            assert beyond(page) == [], width
            page.click(menu)


def beyond(page: "Page") -> list[str]:
    """Return the elements that are wider than the window, if the whole page is."""
    found: list[str] = page.evaluate(
        """() => {
          const { scrollWidth, clientWidth } = document.documentElement;
          if (scrollWidth === clientWidth) return [];
          const all = [...document.querySelectorAll("body *")];
          return all.filter((one) => one.getBoundingClientRect().right > clientWidth)
            .map((one) => `${one.tagName} ${one.id} ${one.className}`);
        }"""
    )
    return found


@pytest.mark.parametrize(
    ("scheme", "size"), [("dark", PHONE), ("light", {"width": 1280, "height": 900})]
)
def test_accessibility(open_page: Open, scheme: str, size: dict[str, int]) -> None:
    """Check every state of the page with axe-core."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe")
    page = open_page(color_scheme=scheme, viewport=size, reduced_motion="reduce")
    page.wait_for_selector("#matrix table")

    def check(state: str) -> None:
        found = axe.Axe().run(page).response["violations"]
        told = [(one["id"], [node["html"] for node in one["nodes"]]) for one in found]
        assert not told, state

    check("a pair")
    press(page, "y", "n", " ")
    press(page, "ArrowLeft")
    check("a decided pair")
    press(page, "e")
    check("a correction")
    page.keyboard.press("Escape")
    page.click("#export summary")
    check("the menu")
    page.click("#export summary")
    press(page, "?")
    check("the help")
    page.keyboard.press("Escape")
    page.goto(page.url.split("?")[0] + "?contains=nothing-of-the-kind")
    page.wait_for_selector("#done:not([hidden])")
    check("nothing left")
