"""What is measured of a run: pairs found, precision, yield, calibration, new words.

Notation: new pairs  delivered phrase pairs that are not in the dictionary, and not identical
          strings
          yield at 80%  how many of the most confident new pairs have a precision of 80%
          new words  words of the evaluating dictionary that are not in the seed, and one of whose
          translations occurs in the target text
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from accord.runs.evaluation import bin_by_confidence, estimate_share_interval
from accord.system.arrays import Floats, Mask

YIELD_PRECISION = 0.8
# The least frequencies of the bands in which new words are evaluated.
BANDS = (1, 5, 20, 100)
# A confidence is reported as true or not from this many pairs on.
ENOUGH = 100


class Judged(NamedTuple):
    """Pairs with their confidence, the most confident first, and whether they are right."""

    confidence: Floats
    right: Mask

    @classmethod
    def of(cls, confidence: Iterable[float], right: Iterable[bool]) -> "Judged":
        values, marks = np.array([*confidence]), np.array([*right], np.bool_)
        order = np.argsort(-values, kind="stable")
        return cls(values[order], marks[order])


def measure_pairs(judged: Judged, least: float) -> dict[str, Any]:
    """Return the number, precision and calibration of the pairs with the least confidence, and the
    yield of all."""
    precision = np.cumsum(judged.right) / np.arange(1, len(judged.right) + 1)
    enough = np.flatnonzero(precision >= YIELD_PRECISION)
    delivered = judged.confidence >= least
    confidence, right = judged.confidence[delivered], judged.right[delivered]
    total = len(right)
    measured = {"pairs": total, "yield_80": int(enough[-1]) + 1 if len(enough) else 0}
    if not total:
        return measured
    share = float(right.mean())
    low, high = estimate_share_interval(share, total)
    return measured | {
        "right": int(right.sum()),
        "precision": share,
        "precision_interval": [low, high],
        "expected": float(confidence.mean()),
        "ece": measure_calibration_error(confidence, right),
    }


def measure_calibration_error(confidence: Floats, right: Mask) -> float:
    """Return the mean difference of confidence and precision, over ten bins."""
    bins = bin_by_confidence(confidence, right.astype(np.float64))
    total = sum(part.pairs for part in bins)
    return sum(part.pairs * abs(part.confidence - part.precision) for part in bins) / total


def measure_new_words(
    best: dict[str, str], wanted: dict[str, set[str]], counts: Counter[str]
) -> dict[str, Any]:
    """Return P@1, coverage and precision of the best translations, by the frequency of the word."""
    measured = {}
    bounds = [*BANDS[1:], None]
    for least, below in [*zip(BANDS, bounds, strict=True), (1, None)]:
        words = [
            word for word in wanted if counts[word] >= least and (not below or counts[word] < below)
        ]
        found = [word for word in words if word in best]
        right = sum(best[word] in wanted[word] for word in found)
        name = "all" if (least, below) == (1, None) else f"{least}-{below - 1 if below else ''}"
        if words:
            measured[name] = {
                "words": len(words),
                "coverage": len(found) / len(words),
                "p_at_1": right / len(words),
                "p_at_1_interval": estimate_share_interval(right / len(words), len(words)),
                "precision": right / len(found) if found else None,
            }
    return measured
