"""Which pairs are new, lost or changed in a run that continued a model."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import zip_longest
from typing import Literal, NamedTuple

# Of two phrases or of two words. (This module is imported by the commands, and stays light.)
TextPair = tuple[str, str]


class Change(NamedTuple):
    """A source phrase or word whose translation has changed; "" means no translation."""

    what: Literal["phrase", "word"]
    kind: Literal["new", "lost", "changed"]
    source: str
    before: str
    after: str


def list_changes(
    what: Literal["phrase", "word"], before: Iterable[TextPair], after: Iterable[TextPair]
) -> list[Change]:
    """Return the changes by source; of several translations of a word, only the first counts."""
    most = 1 if what == "word" else None
    then, now = _group_by_source(before, most), _group_by_source(after, most)
    return [
        Change(what, _classify(lost, new), source, lost, new)
        for source in sorted({*then, *now})
        for lost, new in zip_longest(
            [target for target in then[source] if target not in now[source]],
            [target for target in now[source] if target not in then[source]],
            fillvalue="",
        )
    ]


def _group_by_source(pairs: Iterable[TextPair], most: int | None) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for source, target in pairs:
        if len(found[source]) != most:
            found[source].append(target)
    return found


def _classify(lost: str, new: str) -> Literal["new", "lost", "changed"]:
    if not lost:
        return "new"
    return "changed" if new else "lost"


def count_changes(changes: list[Change]) -> dict[str, dict[str, int]]:
    """Return how many changes of each kind there are, of phrases and of words."""
    counts = Counter((change.what, change.kind) for change in changes)
    return {
        f"{what}s": {kind: counts[what, kind] for kind in ("new", "lost", "changed")}
        for what in ("phrase", "word")
    }


def describe_changes(changes: list[Change]) -> str:
    """Return the counts as a sentence."""
    parts = (
        f"{what.removesuffix('s')} pairs " + ", ".join(f"{n:,} {kind}" for kind, n in kinds.items())
        for what, kinds in count_changes(changes).items()
    )
    return "Compared with the continued model: " + "; ".join(parts) + "."
