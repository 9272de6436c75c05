"""What pages are made of: templates that text cannot break out of, and alignment matrices."""

import re
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import UndefinedError

from accord import Accord, InputError
from accord.experiments.artificial import Planted
from accord.runs.folder import RunFolder
from accord.runs.results import build_phrase_pairs
from accord.web.alignment_matrix import build_matrix
from accord.web.contexts import Snippet, SnippetList
from accord.web.pair_view import CompetingPair, PairView, PairViewer
from accord.web.templates import (
    ENVIRONMENT,
    format_confidence,
    format_count,
    get_macro,
    inline_asset,
    read_asset,
    render,
)
from tests.conftest import HOSTILE


class Reader(HTMLParser):
    """The elements, the text and the attributes that a browser would find."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_templates_are_found_in_the_package() -> None:
    names = ENVIRONMENT.list_templates()
    assert {"page.html", "report.html", "comparison.html", "pair.html"} <= {*names}
    for name in names:
        assert ENVIRONMENT.get_template(name).name == name


@pytest.mark.parametrize("name", ENVIRONMENT.list_templates())
def test_nothing_is_exempt_from_escaping(name: str) -> None:
    assert ENVIRONMENT.autoescape is True
    source = (files("accord.web") / "templates" / name).read_text(encoding="utf-8")
    assert not re.search(r"\bsafe\b|autoescape|Markup", source)


def test_what_a_template_does_not_get_is_an_error() -> None:
    with pytest.raises(UndefinedError, match="'overview' is undefined"):
        render("report.html")


@given(st.text(), st.text())
def test_text_stays_text_inside_elements_and_attributes(text: str, value: str) -> None:
    lists = [SnippetList(value, [Snippet(text, "x", text)])]
    found = Reader(get_macro("pair.html", "contexts")(lists))
    assert found.tags == ["ul", "li", "mark"]
    assert "".join(found.text).strip("\n") == f"{text}x{text}".strip("\n")
    expected = [("class", "contexts"), *([("lang", value)] if value else []), ("dir", "auto")]
    assert found.attributes == expected


@pytest.mark.parametrize("name", ["style.css", "alignment.css", "report.css", "report.js"])
def test_no_asset_ends_the_element_that_it_is_in(name: str) -> None:
    assert read_asset(name) == inline_asset(name)


def test_counts_have_their_nouns() -> None:
    counted = [format_count(*given) for given in ((1, "entry"), (2000, "entry"), (0, "pair"))]
    assert counted == ["1 entry", "2,000 entries", "0 pairs"]


@pytest.fixture(scope="module")
def viewer(small_run: Path) -> PairViewer:
    return PairViewer(RunFolder(small_run).read_trained())


def test_views_have_the_posteriors_and_the_word_links_of_the_run(
    viewer: PairViewer, small_run: Path
) -> None:
    trained = RunFolder(small_run).read_trained()
    for pair in build_phrase_pairs(trained):
        view = viewer.view(pair.source, pair.target, competing=0)
        assert view.links == pair.alignment
        assert view.forward.shape == (len(view.source) + 1, len(view.target))
        assert view.backward.shape == (len(view.target) + 1, len(view.source))
        np.testing.assert_allclose(view.forward.sum(axis=0), 1)
        np.testing.assert_allclose(view.backward.sum(axis=0), 1)
        assert view.competing == ()


def test_competing_candidates_are_other_pairs_of_either_phrase(
    viewer: PairViewer, small_run: Path
) -> None:
    some = [
        (pair, candidate)
        for pair in RunFolder(small_run).read_phrase_pairs()[:40]
        for candidate in viewer.view(*pair, competing=2).competing
    ]
    assert some
    for pair, candidate in some:
        assert candidate[:2] != pair
        assert (candidate.source == pair[0]) != (candidate.target == pair[1])
        assert candidate.confidence is not None
    for pair in RunFolder(small_run).read_phrase_pairs()[:40]:
        competing = viewer.view(*pair, competing=2).competing
        for n in (0, 1):
            assert sum(candidate[n] == pair[n] for candidate in competing) <= 2
        confidences = [candidate.confidence or 0 for candidate in competing]
        assert confidences == sorted(confidences, reverse=True)


def test_a_pair_that_the_run_does_not_know_has_a_view(viewer: PairViewer) -> None:
    view = viewer.view("nobody knows", HOSTILE)
    assert view.target == (HOSTILE,)
    assert view.forward.shape == (3, 1)
    assert view.competing == ()
    with pytest.raises(InputError, match="expected a pair of phrases, found an empty one"):
        viewer.view("nobody knows", " ")


def test_runs_without_confidence_have_candidates_without(small: Planted, tmp_path: Path) -> None:
    Accord(agreement="inner").fit(
        small.source, small.target, small.lexicon[:30], out=tmp_path / "run"
    )
    folder = RunFolder(tmp_path / "run")
    viewer = PairViewer(folder.read_trained())
    competing = [
        candidate
        for pair in folder.read_phrase_pairs()[:20]
        for candidate in viewer.view(*pair).competing
    ]
    assert competing
    assert all(candidate.confidence is None for candidate in competing)


def test_the_matrix_has_a_title_for_each_cell_and_marks_agreed_links() -> None:
    view = PairView(
        ("rotes", HOSTILE),
        ("red", "house"),
        np.array([[0.0, 0.02], [0.996, 0.5], [0.004, 0.48]]),
        np.array([[0.1, 0.0], [0.9, 0.5], [0.0, 0.5]]),
        ((0, 0),),
        (CompetingPair("rotes", "<b>", 0.25), CompetingPair("x", "red", None)),
        ("de", "en"),
    )
    matrix = get_macro("pair.html", "alignment_matrix")(build_matrix(view))
    found = Reader(matrix)
    assert "script" not in found.tags
    assert HOSTILE in found.text
    titles = [value for name, value in found.attributes if name == "title"]
    assert titles == [
        "no source word",
        "rotes – red: → >0.99, ← 0.90, agreed",
        "rotes – house: → 0.50, ← 0.00",
        "rotes – nothing: ← 0.10",
        f"{HOSTILE} – red: → <0.01, ← 0.50",
        f"{HOSTILE} – house: → 0.48, ← 0.50",
        f"{HOSTILE} – nothing: ← 0.00",
        "no target word",
        "nothing – red: → 0.00",
        "nothing – house: → 0.02",
    ]
    assert matrix.count("●") == 1
    assert 'class="f10 b9 agreed"' in matrix
    assert '<th lang="de" dir="auto" scope="row">rotes</th>' in matrix
    assert '<th lang="en" dir="auto" scope="col">house</th>' in matrix
    labels = dict(found.attributes)
    assert labels["aria-label"]
    assert f"Word links of rotes {HOSTILE} = red house: rotes – red" in (
        value for name, value in found.attributes if name == "aria-label"
    )
    draw = get_macro("pair.html", "competing_candidates")
    competing = draw(view.competing, view.languages)
    assert "<b>" not in competing
    assert [text for text in Reader(competing).text if text.strip()] == [
        "rotes",
        " = ",
        "<b>",
        "0.25",
        "x",
        " = ",
        "red",
    ]
    assert "There are none." in draw((), view.languages)


@pytest.mark.parametrize(
    ("value", "shown"),
    [(None, ""), (0, "0.00"), (1e-9, "<0.01"), (0.5, "0.50"), (0.9951, ">0.99"), (1, "1.00")],
)
def test_confidence_is_not_rounded_to_certainty(value: float | None, shown: str) -> None:
    assert format_confidence(value) == shown
