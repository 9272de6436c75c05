"""Phrases and their counts out of text, by one of five methods.

chunk        n-grams that are phrases (`accord.corpus.text.chunks`)
ngram        all n-grams of words within a line that no punctuation interrupts
anchor       link texts and titles of a MediaWiki dump or of web pages
constituent  constituents of parse trees
lines        the lines themselves
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import chain, islice
from pathlib import Path
from typing import Literal

import numpy as np

from accord.corpus.numbering import NumberedText
from accord.corpus.phrases import Phrases
from accord.corpus.text import ExtractionMethod
from accord.corpus.text.chunks import select_phrases
from accord.corpus.text.constituents import read_constituents
from accord.corpus.text.links.anchors import read_anchors
from accord.corpus.text.ngrams import Text, find_frequent_grams, gram_words
from accord.corpus.text.tokenisers import load_tokeniser
from accord.corpus.text.tokens import (
    LINE_END,
    NO_WORD,
    NumberedBlock,
    is_word,
    join_blocks,
    number_chunk,
    number_files,
    read_text,
)
from accord.errors import InputError
from accord.system.arrays import Ids, Mask, Offsets

# Phrases that are tokenised at a time.
BATCH = 20_000
# An n-gram that occurs only once is just a place in the text.
LEAST_COUNT = {"chunk": 3, "ngram": 3, "anchor": 1, "constituent": 1, "lines": 1}
# What `mine` learns from with the method chunk: chunks, and all single words.
CHUNKS_AND_WORDS: Literal["chunks and words"] = "chunks and words"
LEAST_COUNT[CHUNKS_AND_WORDS] = LEAST_COUNT["chunk"]
MAX_WORDS = 5
NOTHING = np.empty(0, np.int32)

cached_tokeniser = lru_cache(load_tokeniser)


@dataclass(frozen=True)
class Preparation:
    """How a block of text becomes lines of words; it can be passed to processes."""

    language: str
    lower: bool = False
    nfkc: bool = False
    pretokenised: bool = False

    def __call__(self, block: str) -> str:
        prepare = cached_tokeniser(
            self.language, pretokenised=self.pretokenised, lower=self.lower, nfkc=self.nfkc
        )
        return prepare(block)


@dataclass(frozen=True, eq=False)
class ExtractedPhrases:
    """The phrases of a text; the arrays have one item for each, the first for the empty phrase."""

    phrases: Phrases
    counts: Offsets  # how often each occurs in the text
    is_whole: Mask  # whether it is a phrase, and not just any n-gram
    # Running text by the ids of the words of the phrases: NO_WORD for other tokens, and LINE_END.
    tokens: Ids | None = None

    def __len__(self) -> int:
        """Return how many there are, without the empty phrase."""
        return len(self.phrases) - 1

    def spell(self) -> Iterator[tuple[str, int]]:
        """Yield each phrase and its count, the most frequent first, then alphabetically."""
        order = np.argsort(-self.counts[1:], kind="stable") + 1
        texts = self.phrases.select(order.astype(np.int32)).texts()
        return zip(texts, self.counts[order].tolist(), strict=True)


def count_phrases(
    paths: Sequence[str | Path],
    method: ExtractionMethod | Literal["chunks and words"],
    prepare: Preparation,
    *,
    min_count: int | None = None,
    max_words: int = MAX_WORDS,
    jobs: int = 1,
    read: Callable[[int], object] = lambda _: None,
) -> ExtractedPhrases:
    """Return the frequent phrases of files. `read` is called with the bytes of each block."""
    prepare("")  # a missing package is better reported here than in a process
    least = LEAST_COUNT[method] if min_count is None else min_count
    if method in ("chunk", CHUNKS_AND_WORDS, "ngram"):
        text = read_text(paths, prepare, jobs, read)
        all_up_to = {"ngram": max_words, CHUNKS_AND_WORDS: 1}.get(method, 0)
        found = _extract_grams(text, least, max_words, all_up_to)
    else:
        blocks = chain.from_iterable(
            _number_phrases(path, method, prepare, max_words, jobs) for path in paths
        )
        found = _select_frequent_lines(join_blocks(blocks, read), least, max_words)
    if not len(found):
        names = ", ".join(map(str, paths))
        often = "once" if least == 1 else f"{least:,} times"
        raise InputError(
            f"{names}: expected phrases of at most {max_words} words that occur {often} or more, "
            "found none; give more text, a higher --max-words or a lower --min-count"
        )
    return found


def _extract_grams(text: Text, least: int, max_words: int, all_up_to: int) -> ExtractedPhrases:
    """Return all n-grams of at most `all_up_to` words, and longer ones that are phrases."""
    # One word more: the longest phrases may be fragments, too.
    levels = find_frequent_grams(text, max_words + 1, least)
    masks = select_phrases(text, levels)
    chosen = [
        np.arange(len(whole)) if n <= all_up_to else np.flatnonzero(whole)
        for n, whole in enumerate(masks, 1)
    ]
    words, lengths, counts, is_whole = [NOTHING], [NOTHING], [NOTHING], [NOTHING]
    for n, (some, whole) in enumerate(zip(chosen, masks, strict=True), 1):
        words.append(gram_words(levels[:n], some).ravel())
        lengths.append(np.full(len(some), n, np.int32))
        counts.append(levels[n - 1].counts[some])
        is_whole.append(whole[some].astype(np.int32))
    grams = NumberedText(text.words, np.concatenate(words), np.concatenate(lengths))
    phrases, numbers = Phrases.with_numbers(grams.drop_unused_words())
    sorted_counts, sorted_whole = np.zeros(len(phrases), np.int64), np.ones(len(phrases), np.bool_)
    sorted_counts[numbers] = np.concatenate(counts)
    sorted_whole[numbers] = np.concatenate(is_whole)
    return ExtractedPhrases(phrases, sorted_counts, sorted_whole, _renumber(text, phrases))


def _renumber(text: Text, phrases: Phrases) -> Ids:
    index = phrases.vocabulary.index
    numbers = [index.get(word, NO_WORD) for word in text.words]
    return np.array([*numbers, LINE_END, NO_WORD], np.int32)[text.tokens]


def _number_phrases(
    path: str | Path, method: ExtractionMethod, prepare: Preparation, max_words: int, jobs: int
) -> Iterable[NumberedBlock]:
    """Return the phrases of a file that lists or marks them, one per line."""
    if method == "lines":
        return number_files([path], prepare, jobs)
    if method == "anchor":
        # `read_anchors` has processes of its own, and two sets must not run at the same time.
        return map(partial(number_chunk, prepare), _join_lines(read_anchors(path, jobs=jobs)))
    has_words = replace(prepare, pretokenised=True)
    return map(partial(number_chunk, has_words), _join_lines(read_constituents(path, max_words)))


def _select_frequent_lines(given: NumberedText, least: int, max_words: int) -> ExtractedPhrases:
    has_letters = np.fromiter(map(is_word, given.distinct), np.bool_, len(given.distinct))
    lines = np.repeat(np.arange(len(given.lengths)), given.lengths)
    words = np.bincount(lines, has_letters[given.words], minlength=len(given.lengths))
    lines_of_words = given.select((words > 0) & (given.lengths <= max_words))
    phrases, numbers = Phrases.with_numbers(lines_of_words)
    counts = np.bincount(numbers, minlength=len(phrases))
    frequent = counts >= least
    if not frequent[1:].all():
        phrases = Phrases.of_numbered(lines_of_words.select(frequent[numbers]))
        counts = np.concatenate([[0], counts[1:][frequent[1:]]])
    return ExtractedPhrases(phrases, counts, np.ones(len(phrases), np.bool_))


def _join_lines(phrases: Iterable[str]) -> Iterator[str]:
    """Yield blocks with one phrase per line."""
    phrases = iter(phrases)
    while batch := list(islice(phrases, BATCH)):
        yield "".join(f"{phrase}\n" for phrase in batch)
