"""How phrases are taken out of text: five ways, each with how often its phrases stand there.

chunk        n-grams that are phrases (`accord.corpus.text.chunks`)
ngram        all n-grams within a line and between punctuation
anchor       link texts and titles of a MediaWiki dump or of web pages
constituent  constituents of parse trees
lines        the lines themselves
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from accord.corpus.text.chunks import phrase_grams
from accord.corpus.text.constituents import read_constituents
from accord.corpus.text.links.anchors import read_anchors
from accord.corpus.text.ngrams import Text, frequent_grams, spelled
from accord.corpus.text.tokenisers import load_tokeniser
from accord.corpus.text.tokens import chunks_of, is_word, read_text
from accord.errors import InputError
from accord.system.processes import in_order

Method = Literal["chunk", "ngram", "anchor", "constituent", "lines"]
# Phrases that are tokenised at a time.
BATCH = 20_000
# An n-gram has to stand more often than once to be more than a place in the text.
LEAST_COUNT = {"chunk": 3, "ngram": 3, "anchor": 1, "constituent": 1, "lines": 1}
MAX_WORDS = 5

cached_tokeniser = lru_cache(load_tokeniser)


@dataclass(frozen=True)
class Preparation:
    """How a block of text becomes lines of words; processes can be given it."""

    language: str
    lower: bool = False
    nfkc: bool = False
    pretokenised: bool = False

    def __call__(self, block: str) -> str:
        prepare = cached_tokeniser(
            self.language, pretokenised=self.pretokenised, lower=self.lower, nfkc=self.nfkc
        )
        return prepare(block)


class Extracted(NamedTuple):
    """A phrase, how often it stands there, and whether it is a phrase and not any n-gram."""

    phrase: str
    times: int
    whole: bool = True


def extracted_phrases(
    paths: Sequence[str | Path],
    method: Method,
    prepare: Preparation,
    *,
    min_count: int | None = None,
    max_words: int = MAX_WORDS,
    jobs: int = 1,
    read: Callable[[int], object] = lambda _: None,
) -> list[Extracted]:
    """The phrases that stand often enough, the most frequent first. `read` is told the bytes."""
    prepare("")  # what is missing is better missed here than in a process
    least = LEAST_COUNT[method] if min_count is None else min_count
    if method in ("chunk", "ngram"):
        text = read_text(paths, prepare, jobs, read)
        found = _grams(text, least, max_words, whole_only=method == "chunk")
    else:
        blocks = (
            block for path in paths for block in _blocks(path, method, prepare, max_words, jobs)
        )
        found = _counted(blocks, least, max_words, read)
    phrases = sorted(found, key=lambda found: (-found.times, found.phrase))
    if not phrases:
        names = ", ".join(map(str, paths))
        often = "once" if least == 1 else f"{least:,} times"
        raise InputError(
            f"{names}: expected phrases of {max_words} words at most that stand there {often} or "
            "more, found none; give more text, a higher --max-words or a lower --min-count"
        )
    return phrases


def _grams(text: Text, least: int, max_words: int, *, whole_only: bool) -> Iterator[Extracted]:
    # One word more: the longest phrases may be fragments, too.
    levels = frequent_grams(text, max_words + 1, least)
    for n, whole in enumerate(phrase_grams(text, levels), 1):
        chosen = np.flatnonzero(whole) if whole_only else np.arange(len(whole))
        times = levels[n - 1].counts[chosen].tolist()
        yield from map(Extracted, spelled(text, levels[:n], chosen), times, whole[chosen].tolist())


def _blocks(
    path: str | Path, method: Method, prepare: Preparation, max_words: int, jobs: int
) -> Iterator[str]:
    """Phrases that come as such, a line each."""
    if method == "lines":
        return in_order(prepare, chunks_of(path), jobs)
    if method == "anchor":  # has processes of its own, and two kinds must not run at once
        return map(prepare, _lines_of(read_anchors(path, jobs=jobs)))
    has_words = replace(prepare, pretokenised=True)
    return map(has_words, _lines_of(read_constituents(path, max_words)))


def _counted(
    blocks: Iterable[str], least: int, max_words: int, read: Callable[[int], object]
) -> Iterator[Extracted]:
    counts: Counter[str] = Counter()
    for block in blocks:
        counts.update(block.split("\n"))
        read(len(block.encode()))
    for phrase, count in counts.items():
        words = phrase.split(" ")
        if count >= least and len(words) <= max_words and any(map(is_word, words)):
            yield Extracted(phrase, count)


def _lines_of(phrases: Iterable[str]) -> Iterator[str]:
    phrases = iter(phrases)
    while batch := list(islice(phrases, BATCH)):
        yield "".join(f"{phrase}\n" for phrase in batch)
