"""Tables of many rows: the page has a frame for each, and report.js fills it out of the data."""

from collections.abc import Sequence
from typing import NamedTuple

from accord.web.html import Html, element, joined, scrollable


class Column(NamedTuple):
    """A column: numbers stand right; words may be of a language, and of a side of the seed. What is
    minor is not shown where there is little room."""

    name: str
    kind: str = "number"  # or text, or a badge: one of a few words
    language: str = ""
    side: str = ""  # whose words are marked that the seed has not
    minor: bool = False


def table_frame(
    name: str, title: str, columns: Sequence[Column], note: Html, *, opens: bool = False
) -> Html:
    """What the rows `name` of the data are shown in. `opens`: whether rows may have details."""
    marked = any(column.side for column in columns)
    controls = element(
        "div",
        element(
            "label",
            element("span", f"Search in {title.lower()}", class_="hidden-text"),
            element("input", type="search", placeholder="Search …", class_="search"),
        ),
        element(
            "label",
            element("input", type="checkbox", class_="only-new"),
            "only with words that the seed does not have",
            class_="check",
        )
        if marked
        else None,
        class_="controls",
    )
    head = element(
        "tr",
        element("th", element("span", "Details", class_="hidden-text"), scope="col")
        if opens
        else None,
        *(_head(column) for column in columns),
    )
    pager = element(
        "div",
        element("button", "‹ Back", type="button", class_="back"),
        element("span", class_="where", role="status"),
        element("button", "Next ›", type="button", class_="next"),
        class_="pager",
    )
    table = element("table", element("thead", head), element("tbody"), class_="rows")
    return element(
        "section",
        element("h2", title),
        element("div", note, class_="muted"),
        controls,
        element("noscript", element("p", "The rows of this table need JavaScript.")),
        scrollable(table, f"{title}, table"),
        pager,
        class_="card pairs",
        id=name,
        data_table=name,
        data_opens=opens,
    )


def _head(column: Column) -> Html:
    return element(
        "th",
        element("button", column.name, type="button", class_="sort"),
        scope="col",
        class_=_look(column),
        data_kind=column.kind,
        data_lang=column.language or None,
        data_side=column.side or None,
    )


def _look(column: Column) -> str | None:
    looks = ["number"] * (column.kind == "number") + ["minor"] * column.minor
    return " ".join(looks) or None


def counted(shown: int, total: int, what: str) -> Html:
    """How many there are, and plainly so where the page does not have all."""
    if shown == total:
        return joined(f"All {total:,} {what}.")
    return joined(
        element("strong", f"{shown:,} of {total:,} {what}"),
        ": one half the surest, the other a sample at even steps down to the least sure.",
    )
