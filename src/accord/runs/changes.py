"""What a run that went on with a model has changed in it: pairs that are new, lost, or others."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import zip_longest
from typing import Any, Literal, NamedTuple

Pair = tuple[Any, ...]  # source, target, and whatever else


class Change(NamedTuple):
    """A source phrase or word whose translation is another than before; empty is none."""

    what: Literal["phrase", "word"]
    kind: Literal["new", "lost", "changed"]
    source: str
    before: str
    after: str


def changes(
    what: Literal["phrase", "word"], before: Iterable[Pair], after: Iterable[Pair]
) -> list[Change]:
    """By the source; of a word with several translations the first counts, the surest."""
    most = 1 if what == "word" else None
    then, now = _translations(before, most), _translations(after, most)
    return [
        Change(what, _kind(lost, new), source, lost, new)
        for source in sorted({*then, *now})
        for lost, new in zip_longest(
            [target for target in then[source] if target not in now[source]],
            [target for target in now[source] if target not in then[source]],
            fillvalue="",
        )
    ]


def _translations(pairs: Iterable[Pair], most: int | None) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for source, target, *_ in pairs:
        if len(found[source]) != most:
            found[source].append(target)
    return found


def _kind(lost: str, new: str) -> Literal["new", "lost", "changed"]:
    if not lost:
        return "new"
    return "changed" if new else "lost"


def numbers(found: list[Change]) -> dict[str, dict[str, int]]:
    """How many of each kind, of phrases and of words."""
    counted = Counter((change.what, change.kind) for change in found)
    return {
        f"{what}s": {kind: counted[what, kind] for kind in ("new", "lost", "changed")}
        for what in ("phrase", "word")
    }


def told(found: list[Change]) -> str:
    """The same in a sentence."""
    parts = (
        f"{what.removesuffix('s')} pairs " + ", ".join(f"{n:,} {kind}" for kind, n in kinds.items())
        for what, kinds in numbers(found).items()
    )
    return "Since the model before: " + "; ".join(parts) + "."
