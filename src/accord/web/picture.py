"""A pair of phrases as a picture: its words, and how sure each direction is of each word link.

Each cell is parted in two: above the diagonal is what P(target|source) says, below it what
P(source|target) says; the darker, the surer. A dot marks the links on which both agree. NULL, for
words without a translation, is the last row and the last column.
"""

import unicodedata

from accord.web.html import Html, element, foreign, joined
from accord.web.pair import PairView

# Shades from 0 to this. They are classes, as a page may forbid styles that stand in attributes.
DARKEST = 10
NULL_SIGN = "∅"


def alignment_picture(view: PairView) -> Html:
    """A table: a row for each source word, a column for each target word."""
    one, other = view.languages
    agreed = set(view.links)
    head = element(
        "tr",
        element("td"),
        *(foreign(word, other, "th", scope="col") for word in view.target),
        element("th", NULL_SIGN, scope="col", title="no source word"),
    )
    rows = [
        element(
            "tr",
            foreign(word, one, "th", scope="row"),
            *(
                _cell(
                    f"{word} – {other_word}",
                    float(view.forward[i + 1, j]),
                    float(view.backward[j + 1, i]),
                    is_agreed=(i, j) in agreed,
                )
                for j, other_word in enumerate(view.target)
            ),
            _cell(f"{word} – nothing", None, float(view.backward[0, i])),
        )
        for i, word in enumerate(view.source)
    ]
    unlinked = (
        _cell(f"nothing – {word}", float(view.forward[0, j]), None)
        for j, word in enumerate(view.target)
    )
    null = element("th", NULL_SIGN, scope="row", title="no target word")
    rows.append(element("tr", null, *unlinked, element("td")))
    words = f"{' '.join(view.source)} = {' '.join(view.target)}"
    return element(
        "table",
        element("thead", head),
        element("tbody", *rows),
        class_="alignment",
        dir="rtl" if _is_rtl("".join(view.target)) else None,  # columns are read as words are
        aria_label=f"Word links of {words}: {_told(view)}",
    )


def rivals_list(view: PairView) -> Html:
    """The pairs that it has beaten, or that have beaten it."""
    if not view.rivals:
        return element("p", "No other pair of these phrases is probable.", class_="muted")
    one, other = view.languages
    rows = (
        element(
            "li",
            joined(foreign(rival.source, one), " = ", foreign(rival.target, other)),
            element("span", probability_shown(rival.probability), class_="number"),
        )
        for rival in view.rivals
    )
    return element("ol", *rows, class_="rivals")


def probability_shown(value: float | None) -> str:
    """To two digits; what is not 1 is not shown as if it were."""
    if value is None:
        return ""
    if 0.995 <= value < 1:
        return ">0.99"
    return "<0.01" if 0 < value < 0.005 else f"{value:.2f}"


def _cell(
    words: str, forward: float | None, backward: float | None, *, is_agreed: bool = False
) -> Html:
    said = [
        f"{sign} {probability_shown(value)}"
        for sign, value in (("→", forward), ("←", backward))
        if value is not None
    ]
    title = f"{words}: {', '.join(said)}{', agreed' if is_agreed else ''}"
    shades = f"f{_shade(forward)} b{_shade(backward)}{' agreed' if is_agreed else ''}"
    return element("td", "●" if is_agreed else None, class_=shades, title=title, aria_label=title)


def _shade(value: float | None) -> int:
    return round((value or 0.0) * DARKEST)


def _told(view: PairView) -> str:
    links = ", ".join(f"{view.source[i]} – {view.target[j]}" for i, j in view.links)
    return links or "none"


def _is_rtl(text: str) -> bool:
    """Whether the first letter with a direction is written from right to left."""
    classes = map(unicodedata.bidirectional, text)
    return next((kind for kind in classes if kind in ("L", "R", "AL")), "L") != "L"
