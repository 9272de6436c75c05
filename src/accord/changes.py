"""What a run that went on with a model has changed in it: pairs that are new, lost, or others."""

from collections import Counter
from collections.abc import Iterable
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
    then, now = _firsts(before), _firsts(after)
    return [
        Change(what, _kind(source, then, now), source, then.get(source, ""), now.get(source, ""))
        for source in sorted({*then, *now})
        if then.get(source) != now.get(source)
    ]


def _firsts(pairs: Iterable[Pair]) -> dict[str, str]:
    firsts: dict[str, str] = {}
    for source, target, *_ in pairs:
        firsts.setdefault(source, target)
    return firsts


def _kind(
    source: str, then: dict[str, str], now: dict[str, str]
) -> Literal["new", "lost", "changed"]:
    if source not in then:
        return "new"
    return "changed" if source in now else "lost"


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
