"""Two runs side by side: what was different, how each went, which pairs were won and lost."""

import numpy as np

from accord.runs.changes import Change, count_changes, list_changes
from accord.runs.record import describe_differences
from accord.web.html import Html, element, joined, packed, page
from accord.web.report.choice import evenly
from accord.web.report.curves import curves_together
from accord.web.report.overview import signature_line, tiles, told_in_a_sentence, verdict
from accord.web.report.run import Run
from accord.web.report.tables import Column, table_frame
from accord.web.report.whole import MOST_BYTES, MOST_ROWS, SCRIPTS, STYLES, section

KINDS = {"new": "won", "lost": "lost", "changed": "changed"}


def comparison(before: Run, after: Run) -> str:
    """The page, small enough whatever has changed."""
    runs = before, after
    phrases = list_changes("phrase", before.pairs, after.pairs)
    words = list_changes("word", *((record[:2] for record in run.words) for run in runs))
    rows = MOST_ROWS
    while True:
        made = _page(runs, phrases, words, rows)
        if len(made.encode()) < MOST_BYTES or rows <= 1:
            return made
        rows //= 2


def _page(runs: tuple[Run, Run], phrases: list[Change], words: list[Change], most: int) -> str:
    names = _names(runs)
    data = {
        "rows": {"phrases": _rows(phrases, most), "lexicon": _rows(words, most)},
        "details": {},
        "seed": {},
    }
    sections = joined(
        _head(runs, names),
        section("different", "What was different", _differences(runs)),
        section("curves", "Iteration by iteration", curves_together(runs, names)),
        *(
            table_frame(name, title, _columns(runs, names), _note(name, some, min(most, len(some))))
            for name, title, some in (
                ("phrases", "Phrase pairs won and lost", phrases),
                ("lexicon", "Words won and lost", words),
            )
        ),
    )
    body = joined(element("main", sections), packed("data", data))
    return page(f"{names[0]} and {names[1]} – comparison of runs", body, STYLES, SCRIPTS)


def _names(runs: tuple[Run, Run]) -> tuple[str, str]:
    """Those of the folders, or where both have the same their paths."""
    one, other = (run.name for run in runs)
    if one != other:
        return one, other
    return f"A: {runs[0].folder.path}", f"B: {runs[1].folder.path}"


def _head(runs: tuple[Run, Run], names: tuple[str, str]) -> Html:
    columns = (
        element(
            "section",
            element("h2", element("span", class_=f"swatch {look}"), name),
            element("p", told_in_a_sentence(run)),
            verdict(run),
            tiles(run),
            signature_line(run),
            class_="card",
        )
        for run, name, look in zip(runs, names, ("forward", "backward"), strict=True)
    )
    return element(
        "header",
        element("p", "Accord · comparison of two runs", class_="overline"),
        element("h1", names[0], " and ", names[1]),
        element("div", *columns, class_="two"),
    )


def _differences(runs: tuple[Run, Run]) -> Html:
    one, other = (run.folder.signature for run in runs)
    found = describe_differences(one | {"accord": other["accord"]}, other)
    if one["accord"] != other["accord"]:
        found = [f"accord was {one['accord']}, is {other['accord']}", *found]
    if not found:
        text = "Nothing: version, settings and inputs are the same, and so is what came out."
        return element("p", text)
    return element("ul", *(element("li", what.replace("_", " ")) for what in found))


def _columns(runs: tuple[Run, Run], names: tuple[str, str]) -> list[Column]:
    one, other = runs[1].languages
    return [
        Column("what", "badge"),
        Column("source", "text", one),
        *(Column(f"in {name}", "text", other) for name in names),
    ]


def _rows(found: list[Change], most: int) -> list[list[str]]:
    some = (found[n] for n in evenly(np.arange(len(found)), most).tolist())
    return [[KINDS[change.kind], change.source, change.before, change.after] for change in some]


def _note(name: str, found: list[Change], shown: int) -> Html:
    counts = count_changes(found)["phrases" if name == "phrases" else "words"]
    told = ", ".join(f"{counts[kind]:,} {word}" for kind, word in KINDS.items())
    if shown == len(found):
        counting = ", of which the surest translation counts" if name == "lexicon" else ""
        return element("p", f"{told}: by the source{counting}.")
    text = f" {shown:,} of these {len(found):,} are here, at even steps by the alphabet."
    return element("p", f"{told}.", element("strong", text))
