"""The whole report of a run, and small enough to be sent by mail."""

from collections.abc import Callable

import numpy as np

from accord.web.contexts import read_contexts
from accord.web.html import Html, element, joined, packed, page
from accord.web.pair import PairViewer
from accord.web.report.calibration import calibration
from accord.web.report.choice import by_sureness, nested
from accord.web.report.curves import curves, trace_table
from accord.web.report.details import Details
from accord.web.report.lengths import length_maps
from accord.web.report.overview import (
    settings_list,
    signature_line,
    tiles,
    told_in_a_sentence,
    verdict,
)
from accord.web.report.pairs import PairTables
from accord.web.report.run import Run
from accord.web.report.uncertain import LEAST_CERTAIN, least_certain

MOST_BYTES = 2_000_000
# Rows of either table; halved until the page is small enough.
MOST_ROWS = 20_000
# Of all rows that there may be, the share whose rivals are looked for: that takes some hundredths
# of a second each.
WITH_RIVALS = 5  # halvings
MOST_RIVALS = (MOST_ROWS >> WITH_RIVALS) + LEAST_CERTAIN
STYLES, SCRIPTS = ["style.css", "picture.css", "report.css"], ["report.js"]
PARTS = {
    "curves": "Curves",
    "phrases": "Phrases",
    "lexicon": "Lexicon",
    "least-certain": "Least certain",
    "calibration": "Calibration",
    "lengths": "Lengths",
    "made-with": "Settings",
}


def report(run: Run, looked: Callable[[int], object] = lambda _: None) -> str:
    """The page; `looked` is told of each pair whose rivals are found, MOST_RIVALS at most."""
    ordered = by_sureness(run.sureness)
    phrases, words = (nested(places, MOST_ROWS) for places in (ordered, np.arange(len(run.words))))
    with_rivals = {*phrases[WITH_RIVALS].tolist(), *ordered[-LEAST_CERTAIN:].tolist()}
    wanted = {*run.pairs, *(record[:2] for record in run.words)}
    contexts = read_contexts(run.folder.contexts, wanted)
    details = Details(PairViewer(run.trained), contexts)
    for n in sorted(with_rivals):
        details.look_for_rivals(run.pairs[n])
        looked(1)
    uncertain = least_certain(run, details, ordered)
    # Without any rows, at last, it is small.
    for rows in range(len(phrases)):
        tables = PairTables(run, details, phrases[rows:], words[rows:])
        made = _page(run, tables, uncertain)
        if len(made.encode()) < MOST_BYTES:
            break
    return made


def _page(run: Run, tables: PairTables, uncertain: Html) -> str:
    sections = joined(
        _head(run),
        section("curves", "Iteration by iteration", curves(run), trace_table(run)),
        tables.phrases_section(),
        tables.lexicon_section(),
        uncertain,
        section("calibration", "Can the probabilities be trusted?", calibration(run)),
        section(
            "lengths",
            "How long translations are",
            element("p", "The length model of either direction, in percent.", class_="muted"),
            length_maps(run),
        ),
        section("made-with", "What it was made with", signature_line(run), settings_list(run)),
    )
    body = joined(element("main", sections), packed("data", tables.data()))
    return page(f"{run.name} – report of a run", body, STYLES, SCRIPTS)


def section(name: str, title: str, *parts: Html) -> Html:
    """A part of the page."""
    return element("section", element("h2", title), *parts, class_="card", id=name)


def _head(run: Run) -> Html:
    one, other = run.languages
    between = element("span", f"{one} → {other}", class_="languages") if one and other else None
    links = (element("a", text, href=f"#{name}") for name, text in PARTS.items())
    return element(
        "header",
        element("p", "Accord · report of a run", class_="overline"),
        element("h1", run.name, between),
        element("p", told_in_a_sentence(run), class_="sentence"),
        verdict(run),
        tiles(run),
        element("nav", *links, aria_label="Parts of this page"),
    )
