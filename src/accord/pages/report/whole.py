"""The whole report of a run, and small enough to be sent by mail."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from accord.formats.records import Record
from accord.pages.contexts import read_contexts
from accord.pages.html import Html, element, foreign, joined, packed, page
from accord.pages.pair import PairViewer
from accord.pages.picture import probability_shown
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
from accord.pages.report.run import Run
from accord.pages.report.tables import Column, counted, table_frame

MOST_BYTES = 2_000_000
# Rows of either table, and of these the ones that have a picture; halved until the page fits.
MOST_ROWS, MOST_PICTURES = 20_000, 3_000
# The pairs whose rivals are looked for, at some hundredths of a second each.
MOST_RIVALS = 300
LEAST_CERTAIN = 8
STYLES, SCRIPTS = ["style.css", "picture.css", "report.css"], ["report.js"]
LEGEND = (
    "Rows are source words, columns target words. Above the diagonal of a cell is how sure the "
    "model P(target|source) is of the link, below it P(source|target); a dot marks what both "
    "agree on, and ∅ stands for no word."
)


def report(run: Run, looked: Callable[[int], object] = lambda _: None) -> str:
    """The page; `looked` is called as rivals are looked for, MOST_RIVALS at most."""
    ordered = by_sureness(run.sureness)
    with_rivals = surest_and_sample(ordered, MOST_RIVALS)
    seen = read_contexts(run.folder.contexts, {*run.pairs})
    details = Details(PairViewer(run.trained), seen, looked)
    details.look_for_rivals([run.pairs[n] for n in with_rivals.tolist()])
    share = 1
    while True:
        made = _page(run, details, ordered, MOST_ROWS // share, MOST_PICTURES // share)
        if len(made.encode()) < MOST_BYTES or share > MOST_PICTURES:
            return made
        share *= 2


def _page(run: Run, details: Details, ordered: NDArray[np.int64], rows: int, pictures: int) -> str:
    chosen = surest_and_sample(ordered, rows)
    table = run.contents.phrases.only(chosen.tolist())
    phrases = run.contents.records(weighed=True, table=table)
    opened = {int(n) for n in surest_and_sample(ordered, pictures)}
    words_by_sureness = np.arange(len(run.words))
    words = [run.words[n] for n in surest_and_sample(words_by_sureness, rows).tolist()]
    data = {
        "rows": {"phrases": [*map(_row, phrases)], "lexicon": [*map(_row, words)]},
        "details": {
            "phrases": {
                place: str(details.of(run.pairs[n]))
                for place, n in enumerate(chosen.tolist())
                if n in opened
            }
        },
        "seed": _seed_words(run, [*phrases, *words]),
    }
    sections = joined(
        _head(run),
        element(
            "section",
            element("h2", "Iteration by iteration"),
            curves(run),
            trace_table(run),
            class_="card",
            id="curves",
        ),
        table_frame(
            "phrases",
            "Phrase pairs",
            _columns(run, "q←", "q→"),
            _phrases_note(run, len(phrases), len(opened)),
            opens=True,
        ),
        table_frame(
            "lexicon",
            "Lexicon",
            _columns(run, "p(target|source)", "p(source|target)"),
            joined(counted(len(words), len(run.words), "word pairs"), _marked_note()),
        ),
        _least_certain(run, details, ordered),
        element(
            "section",
            element("h2", "Can the probabilities be trusted?"),
            calibration(run),
            class_="card",
            id="calibration",
        ),
        element(
            "section",
            element("h2", "How long translations are"),
            element("p", "The length model of either direction, in percent.", class_="muted"),
            length_maps(run),
            class_="card",
            id="lengths",
        ),
        element(
            "section",
            element("h2", "What it was made with"),
            signature_line(run),
            settings_list(run),
            class_="card",
            id="made-with",
        ),
    )
    body = joined(element("main", sections), packed("data", data))
    return page(f"{run.name} – report of a run", body, STYLES, SCRIPTS)


def _head(run: Run) -> Html:
    one, other = run.languages
    between = f"{one} → {other}" if one and other else ""
    links = {
        "curves": "Curves",
        "phrases": "Phrases",
        "lexicon": "Lexicon",
        "least-certain": "Least certain",
        "calibration": "Calibration",
        "lengths": "Lengths",
        "made-with": "Settings",
    }
    return element(
        "header",
        element("p", "Accord · report of a run", class_="overline"),
        element("h1", run.name, element("span", between, class_="languages") if between else None),
        element("p", told_in_a_sentence(run), class_="sentence"),
        verdict(run),
        tiles(run),
        element(
            "nav",
            *(element("a", text, href=f"#{name}") for name, text in links.items()),
            aria_label="Parts of this page",
        ),
    )


def _columns(run: Run, forward: str, backward: str) -> list[Column]:
    one, other = run.languages
    return [
        Column("source", "text", one, "source"),
        Column("target", "text", other, "target"),
        *([Column("probability")] if run.contents.has_confidence else []),
        Column(forward),
        Column(backward),
    ]


def _row(record: Record) -> list[object]:
    numbers = [record.confidence] if record.confidence is not None else []
    return [
        *record[:2],
        *(round(number or 0.0, 3) for number in (*numbers, record.forward, record.backward)),
    ]


def _seed_words(run: Run, records: list[Record]) -> dict[str, list[str]]:
    """The words of the seed that are in the tables."""
    sources = {word for record in records for word in record.source.split()}
    targets = {word for record in records for word in record.target.split()}
    one, other = run.seed_words
    return {"source": sorted(sources & one), "target": sorted(targets & other)}


def _phrases_note(run: Run, shown: int, opened: int) -> Html:
    rivals = min(MOST_RIVALS, len(run.pairs))
    pictures = (
        "Each opens to the picture of its words"
        if opened == shown
        else f"{opened:,} of them open to the picture of their words"
    )
    those = "and its rivals" if rivals == shown else f"and {rivals:,} of them to their rivals"
    return joined(
        counted(shown, len(run.pairs), "phrase pairs"),
        f" {pictures} {those}. q← and q→ say how clear the choice is among all target and all "
        "source phrases.",
        _marked_note(),
    )


def _marked_note() -> Html:
    return joined(
        " Words that the seed does not have are ", element("em", "marked", class_="new"), "."
    )


def _least_certain(run: Run, details: Details, ordered: NDArray[np.int64]) -> Html:
    """The pairs that a person had best look at first."""
    places = ordered[::-1][:LEAST_CERTAIN].tolist()
    one, other = run.languages
    cards = (
        element(
            "article",
            element(
                "h3",
                joined(foreign(pair[0], one), " = ", foreign(pair[1], other)),
                element("span", _sureness(run, n), class_="number"),
            ),
            element("div", details.of(pair), class_="detail"),
        )
        for n in places
        for pair in [run.pairs[n]]
    )
    note = f"The {len(places)} pairs that the run itself is least sure of. {LEGEND}"
    return element(
        "section",
        element("h2", "The least certain pairs"),
        element("p", note, class_="muted"),
        element("div", *cards, class_="samples"),
        class_="card",
        id="least-certain",
    )


def _sureness(run: Run, n: int) -> str:
    return probability_shown(float(run.sureness[n])) if run.contents.has_confidence else ""
