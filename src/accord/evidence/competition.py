"""How much better a word pair is than those that it competes with.

Notation: e, f  a source and a target word
          margin  the odds of a pair minus those of the best other pair of one of its words
          form margin  the same, but only with other forms of its words: "reports" = "berichte"
          competes with "report" = "berichte" and with "reports" = "bericht"

The odds of a pair alone do not tell whether one of its words has a better translation.
"""

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from accord.evidence.counts import Counts
from accord.system.arrays import Floats, Ids, Offsets, offsets_of

# Larger margins say nothing more.
MAX_MARGIN = 6.0


class Margins(NamedTuple):
    """The margins of each pair."""

    forms: Floats  # the least of both sides
    others: Floats  # the sum of both sides


def measure_margins(odds: Counts, variants: tuple[csr_array, csr_array] | None) -> Margins:
    """Compare each pair with the others that have evidence; those without have odds of 0."""
    sides = (odds.source, odds.target), (odds.target, odds.source)
    others = sum(
        _limit(odds.values - find_best_others(odds.values, own, int(own.max(initial=0)) + 1, 0.0))
        for own, _ in sides
    )
    best_forms = np.zeros(len(odds.values))
    for side, own_variants in enumerate(variants or ()):
        own, other = sides[side]
        entry, places = list_rows(own_variants, own)
        form = own_variants.indices[places].astype(np.int32)
        pairs = (form, other[entry]) if side == 0 else (other[entry], form)
        np.maximum.at(best_forms, entry, odds.values_of(*pairs))
    return Margins(_limit(odds.values - best_forms), np.asarray(others))


def _limit(margins: Floats) -> Floats:
    return np.clip(margins, -MAX_MARGIN, MAX_MARGIN)


def find_best_others(values: Floats, items: Ids, size: int, least: float) -> Floats:
    """For each pair the greatest value of another pair of the same item, or the least value."""
    best, second = np.full(size, least), np.full(size, least)
    np.maximum.at(best, items, values)
    is_best = values == best[items]
    np.maximum.at(second, items[~is_best], values[~is_best])
    tied = np.bincount(items[is_best], minlength=size) > 1
    second[tied] = best[tied]
    return np.where(is_best, second[items], best[items])


def list_rows(matrix: csr_array, rows: Ids) -> tuple[Offsets, Offsets]:
    """Return all entries of these rows: (the place of the row in `rows`, that of the entry)."""
    sizes = np.diff(matrix.indptr)[rows]
    number = np.repeat(np.arange(len(rows)), sizes)
    begins = matrix.indptr[rows].astype(np.int64) - offsets_of(sizes)[:-1]
    return number, np.arange(len(number)) + begins[number]
