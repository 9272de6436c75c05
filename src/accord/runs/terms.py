"""The best new pairs of a run, as a terminologist wants to see them: terms first.

Most terms have several words, so pairs of several words count for more than single words of the
same confidence. Each phrase appears once.
"""

from collections.abc import Iterable

from accord.evidence.seed import Entry
from accord.runs.quality import is_new
from accord.runs.results import PhrasePair

# How much a pair of several words weighs.
SEVERAL_WORDS = 1.5


def find_best_terms(
    pairs: Iterable[PhrasePair], seed: Iterable[Entry], count: int
) -> list[PhrasePair]:
    """Return the best pairs that are neither in the seed nor identical strings."""
    known = set(seed)
    ranked = sorted((pair for pair in pairs if is_new(pair, known)), key=_rank)
    best: list[PhrasePair] = []
    shown: set[str] = set()
    for pair in ranked:
        if len(best) < count and not shown & {f"source {pair.source}", f"target {pair.target}"}:
            best.append(pair)
            shown |= {f"source {pair.source}", f"target {pair.target}"}
    return best


def _rank(pair: PhrasePair) -> tuple[float, str, str]:
    has_several = " " in pair.source or " " in pair.target
    weight = SEVERAL_WORDS if has_several else 1.0
    return -weight * (pair.confidence or 0.0), pair.source, pair.target
