"""The alignment matrix of a pair: its words, and the posterior of each word link both ways.

Each cell has two halves: the upper left one is the posterior by P(target|source), the lower right
one that by P(source|target); the stronger the colour, the higher. A dot marks the links on which
both directions agree.
NULL, for words without a translation, is the last row and the last column.
"""

import unicodedata
from typing import NamedTuple

from accord.web.pair_view import PairView
from accord.web.templates import format_confidence

# Shades go from 0 to this. They are CSS classes, since a page may forbid styles in attributes.
DARKEST = 10


class MatrixCell(NamedTuple):
    """One word link."""

    classes: str
    title: str
    is_agreed: bool


class MatrixRow(NamedTuple):
    """A source word, and its links to each target word and to NULL."""

    word: str
    cells: list[MatrixCell]


class AlignmentMatrix(NamedTuple):
    """What the template draws."""

    languages: tuple[str, str]
    columns: tuple[str, ...]
    rows: list[MatrixRow]
    null_row: list[MatrixCell]
    is_right_to_left: bool  # columns follow the direction of the target words
    label: str


def build_matrix(view: PairView) -> AlignmentMatrix:
    """Return the matrix of a pair: one row per source word, one column per target word."""
    agreed = set(view.links)
    forward, backward = view.forward.tolist(), view.backward.tolist()
    rows = [
        MatrixRow(
            word,
            [
                _make_link_cell(
                    f"{word} – {other}",
                    forward[i + 1][j],
                    backward[j + 1][i],
                    is_agreed=(i, j) in agreed,
                )
                for j, other in enumerate(view.target)
            ]
            + [_make_link_cell(f"{word} – nothing", None, backward[0][i])],
        )
        for i, word in enumerate(view.source)
    ]
    null_row = [
        _make_link_cell(f"nothing – {word}", forward[0][j], None)
        for j, word in enumerate(view.target)
    ]
    links = ", ".join(f"{view.source[i]} – {view.target[j]}" for i, j in view.links)
    return AlignmentMatrix(
        view.languages,
        view.target,
        rows,
        null_row,
        _is_right_to_left("".join(view.target)),
        f"Word links of {view.text}: {links or 'none'}",
    )


def _make_link_cell(
    words: str, forward: float | None, backward: float | None, *, is_agreed: bool = False
) -> MatrixCell:
    posteriors = [
        f"{arrow} {format_confidence(value)}"
        for arrow, value in (("→", forward), ("←", backward))
        if value is not None
    ]
    agreed = ", agreed" if is_agreed else ""
    classes = f"f{_shade(forward)} b{_shade(backward)}{' agreed' if is_agreed else ''}"
    return MatrixCell(classes, f"{words}: {', '.join(posteriors)}{agreed}", is_agreed)


def _shade(value: float | None) -> int:
    return round((value or 0.0) * DARKEST)


def _is_right_to_left(text: str) -> bool:
    """Return whether the first letter that has a direction is written from right to left."""
    classes = map(unicodedata.bidirectional, text)
    return next((kind for kind in classes if kind in ("L", "R", "AL")), "L") != "L"
