"""How the pairs of a run relate to each other: several may share a source or a target phrase.

best         no pair with the same source or the same target has a higher confidence
variant      a better pair has another form of the same words: distributions = 发行版, if
             distribution = 发行版 is better
alternative  a better pair has other words
"""

from collections.abc import Sequence

from accord.evidence.seed import Entry
from accord.evidence.spelling import are_variants
from accord.formats.records import Relation


def relate_pairs(pairs: Sequence[Entry], confidence: Sequence[float]) -> list[Relation]:
    """Return the relation of each pair to the best pair of its source and of its target."""
    # As they are printed: what looks equal in the files is equal.
    rounded = [round(value, 3) for value in confidence]
    best: tuple[dict[str, int], dict[str, int]] = {}, {}
    for n, pair in enumerate(pairs):
        for side, known in enumerate(best):
            other = known.get(pair[side])
            # Of equally good pairs, the first in the order of the other phrase: any would do.
            if other is None or (-rounded[n], pair) < (-rounded[other], pairs[other]):
                known[pair[side]] = n
    return [
        _relate(
            pair,
            [
                (1 - side, pairs[known[pair[side]]])
                for side, known in enumerate(best)
                if rounded[known[pair[side]]] > rounded[n]
            ],
        )
        for n, pair in enumerate(pairs)
    ]


def _relate(pair: Entry, better: list[tuple[int, Entry]]) -> Relation:
    """Relate a pair to better ones, given on which side they differ from it."""
    if not better:
        return "best"
    if any(_are_forms(pair[side], other[side]) for side, other in better):
        return "variant"
    return "alternative"


def _are_forms(one: str, other: str) -> bool:
    """Return whether two phrases consist of the same words in perhaps other forms."""
    words, others = one.split(), other.split()
    return len(words) == len(others) and all(
        a == b or are_variants(a, b) for a, b in zip(words, others, strict=True)
    )
