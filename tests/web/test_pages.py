"""What pages are made of: HTML that text cannot break out of, and pictures of pairs."""

import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord import Accord, InputError
from accord.experiments.artificial import Planted
from accord.runs.folder import RunFolder
from accord.runs.results import build_phrase_pairs
from accord.web.html import Html, asset, element, foreign, inlined, joined, page
from accord.web.pair import PairView, PairViewer, Rival
from accord.web.picture import alignment_picture, probability_shown, rivals_list
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


@given(st.text(), st.text())
def test_text_stays_text_inside_elements_and_attributes(text: str, value: str) -> None:
    found = Reader(element("p", text, element("b", text), title=value))
    assert found.tags == ["p", "b"]
    assert "".join(found.text) == text + text
    assert found.attributes == [("title", value)]


def test_elements() -> None:
    assert element("input", type="search", disabled=True, hidden=False, id=None) == (
        '<input type="search" disabled>'
    )
    assert element("td", 3, class_="number", aria_label='"x"') == (
        '<td class="number" aria-label="&quot;x&quot;">3</td>'
    )
    assert joined("a&b", Html("&amp;"), None, 1.5) == "a&amp;b&amp;1.5"
    assert foreign("שלום", "he") == '<span lang="he" dir="auto">שלום</span>'
    assert 'lang=""' not in foreign("x")


def test_a_page_has_its_assets_inside_and_its_text_escaped() -> None:
    made = page(HOSTILE, element("p", HOSTILE), ["style.css", "picture.css"], [])
    found = Reader(made)
    assert "script" not in found.tags
    assert HOSTILE in found.text
    assert "--forward" in made
    assert not re.search(r"https?:|url\(|@import", made)


@pytest.mark.parametrize("name", ["style.css", "picture.css"])
def test_no_asset_ends_the_element_that_it_is_in(name: str) -> None:
    assert asset(name) in inlined(name)


@pytest.fixture(scope="module")
def viewer(small_run: Path) -> PairViewer:
    return PairViewer(RunFolder(small_run).trained())


def test_views_have_the_posteriors_and_the_word_links_of_the_run(
    viewer: PairViewer, small_run: Path
) -> None:
    trained = RunFolder(small_run).trained()
    for pair in build_phrase_pairs(trained):
        view = viewer.view(pair.source, pair.target, rivals=0)
        assert view.links == pair.alignment
        assert view.forward.shape == (len(view.source) + 1, len(view.target))
        assert view.backward.shape == (len(view.target) + 1, len(view.source))
        np.testing.assert_allclose(view.forward.sum(axis=0), 1)
        np.testing.assert_allclose(view.backward.sum(axis=0), 1)
        assert view.rivals == ()


def test_rivals_are_other_pairs_of_either_phrase(viewer: PairViewer, small_run: Path) -> None:
    some = [
        (pair, rival)
        for pair in RunFolder(small_run).phrase_pairs()[:40]
        for rival in viewer.view(*pair, rivals=2).rivals
    ]
    assert some
    for pair, rival in some:
        assert rival[:2] != pair
        assert (rival.source == pair[0]) != (rival.target == pair[1])
        assert rival.probability is not None
    for pair in RunFolder(small_run).phrase_pairs()[:40]:
        rivals = viewer.view(*pair, rivals=2).rivals
        for n in (0, 1):
            assert sum(rival[n] == pair[n] for rival in rivals) <= 2
        sure = [rival.probability or 0 for rival in rivals]
        assert sure == sorted(sure, reverse=True)


def test_a_pair_that_the_run_knows_nothing_of_has_a_view(viewer: PairViewer) -> None:
    view = viewer.view("nobody knows", HOSTILE)
    assert view.target == (HOSTILE,)
    assert view.forward.shape == (3, 1)
    assert view.rivals == ()
    with pytest.raises(InputError, match="expected a pair of phrases, found an empty one"):
        viewer.view("nobody knows", " ")


def test_runs_without_probabilities_have_rivals_without(small: Planted, tmp_path: Path) -> None:
    Accord(agreement="inner").fit(
        small.source, small.target, small.lexicon[:30], out=tmp_path / "run"
    )
    folder = RunFolder(tmp_path / "run")
    viewer = PairViewer(folder.trained())
    rivals = [rival for pair in folder.phrase_pairs()[:20] for rival in viewer.view(*pair).rivals]
    assert rivals
    assert all(rival.probability is None for rival in rivals)


def test_the_picture_has_a_title_for_each_cell_and_marks_what_is_agreed() -> None:
    view = PairView(
        ("rotes", HOSTILE),
        ("red", "house"),
        np.array([[0.0, 0.02], [0.996, 0.5], [0.004, 0.48]]),
        np.array([[0.1, 0.0], [0.9, 0.5], [0.0, 0.5]]),
        ((0, 0),),
        (Rival("rotes", "<b>", 0.25), Rival("x", "red", None)),
        ("de", "en"),
    )
    picture = alignment_picture(view)
    found = Reader(picture)
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
    assert picture.count("●") == 1
    assert 'class="f10 b9 agreed"' in picture
    assert '<th lang="de" dir="auto" scope="row">rotes</th>' in picture
    assert '<th lang="en" dir="auto" scope="col">house</th>' in picture
    labels = dict(found.attributes)
    assert labels["aria-label"]
    assert f"Word links of rotes {HOSTILE} = red house: rotes – red" in (
        value for name, value in found.attributes if name == "aria-label"
    )
    rivals = rivals_list(view)
    assert "<b>" not in rivals
    assert Reader(rivals).text == ["rotes", " = ", "<b>", "0.25", "x", " = ", "red"]
    assert "No other pair" in rivals_list(view._replace(rivals=()))


@pytest.mark.parametrize(
    ("value", "shown"),
    [(None, ""), (0, "0.00"), (1e-9, "<0.01"), (0.5, "0.50"), (0.9951, ">0.99"), (1, "1.00")],
)
def test_probabilities_are_not_rounded_to_certainty(value: float | None, shown: str) -> None:
    assert probability_shown(value) == shown
