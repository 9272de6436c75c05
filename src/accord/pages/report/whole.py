"""The whole report of a run, and small enough to be sent by mail."""

from collections.abc import Callable

from accord.pages.contexts import read_contexts
from accord.pages.html import Html, element, joined, packed, page
from accord.pages.pair import PairViewer
from accord.pages.report.calibration import calibration
from accord.pages.report.choice import by_sureness, surest_and_sample
from accord.pages.report.curves import curves, trace_table
from accord.pages.report.details import Details
from accord.pages.report.lengths import length_maps
from accord.pages.report.overview import (
    settings_list,
    signature_line,
    tiles,
    told_in_a_sentence,
    verdict,
)
from accord.pages.report.pairs import PairTables
from accord.pages.report.run import Run
from accord.pages.report.uncertain import LEAST_CERTAIN, least_certain

MOST_BYTES = 2_000_000
# Rows of either table, and of these the ones that open; halved until the page is small enough.
MOST_ROWS, MOST_OPEN = 20_000, 3_000
# The pairs whose rivals are looked for, at some hundredths of a second each.
MOST_RIVALS = 500
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
    least, some = ordered[-LEAST_CERTAIN:], MOST_RIVALS - LEAST_CERTAIN
    with_rivals = dict.fromkeys([*least, *surest_and_sample(ordered, some)])
    wanted = {*run.pairs, *(record[:2] for record in run.words)}
    contexts = read_contexts(run.folder.contexts, wanted)
    details = Details(PairViewer(run.trained), contexts)
    for n in with_rivals:
        details.look_for_rivals(run.pairs[n])
        looked(1)
    share = 1
    while True:
        tables = PairTables(run, details, ordered, MOST_ROWS // share, MOST_OPEN // share)
        made = _page(run, tables, least_certain(run, details, ordered))
        if len(made.encode()) < MOST_BYTES or share > MOST_OPEN:
            return made
        share *= 2


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
