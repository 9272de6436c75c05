"""One direction asked about some phrases: which source phrases each may come from.

Notation: f  a target phrase asked about, of J words;  s  a source phrase e⁽ˢ⁾ of I words
          score  log P(f|e) over the floors of f, as everywhere

As the search has it for a whole corpus, and rivals.py its sums; but of phrases that need not be in
the corpus. Only phrases that hold a translation of some word of f are ranked. All others count in
the sum over all phrases, by their lengths.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.corpus.numbering_kernels import sort_by_number
from accord.corpus.phrases import NULL, Phrases
from accord.learning.agreement import Alignment
from accord.learning.model.parameters import Model
from accord.learning.model.translation import TranslationModel
from accord.learning.search.candidates import score_empty_phrase
from accord.learning.search.ranking import join_shards
from accord.learning.task import Task
from accord.runs.query import query_kernels as kernels
from accord.settings import Settings
from accord.system.arrays import offsets_of
from accord.system.runners import Runner

# Phrases and words a shard: all cores read at once.
PHRASE_SHARD, WORD_SHARD = 131_072, 32_768

Array = NDArray[np.float64]
Numbers = NDArray[np.int32]


class Found(NamedTuple):
    """The best source phrases, the best first."""

    phrases: Numbers
    scores: Array
    log_total: float  # log of the sum over all phrases, and the empty one


class Entries(NamedTuple):
    """The entries of a table that have one of some target words, CSR by source word."""

    is_known: NDArray[np.bool_]  # which source words have any
    offsets: NDArray[np.int64]
    words: Numbers  # which of the target words
    ratios: Array

    def row(self, word: int, size: int) -> Array:
        """The ratios of a source word, 0 where it has none."""
        own = slice(self.offsets[word], self.offsets[word + 1])
        row = np.zeros(size)
        row[self.words[own]] = self.ratios[own]
        return row


@dataclass(frozen=True, eq=False)
class Side:
    """The phrases of one language, and what else is asked about them."""

    phrases: Phrases

    @cached_property
    def lengths(self) -> NDArray[np.int64]:
        """How many phrases are of each length."""
        return np.bincount(self.phrases.lengths[1:])

    @cached_property
    def frequency(self) -> NDArray[np.int64]:
        """How often each word occurs; the last is the one that nobody knows."""
        return np.append(self.phrases.frequency, 0)

    def numbers_of(self, words: Sequence[str]) -> Numbers:
        """The numbers of the words; one that nobody knows has the number after the last."""
        known = self.phrases.vocabulary.words  # by the alphabet; to index them all takes longer
        places = [(bisect_left(known, word), word) for word in words]
        numbers = [at if known[at : at + 1] == (word,) else len(known) for at, word in places]
        return np.array(numbers, np.int32)

    def knows(self, words: Numbers) -> NDArray[np.bool_]:
        return words < len(self.phrases.vocabulary)

    def phrase_of(self, words: Numbers) -> Phrases:
        """A phrase that need not be one of these, as the only one of its kind."""
        return Phrases(self.phrases.vocabulary, words, np.array([0, 0, len(words)]))

    def find(self, text: str) -> int:
        """The number of a phrase, or 0. They are numbered by the alphabet."""
        number = bisect_left(range(len(self.phrases)), text, key=self.phrases.__getitem__)
        return number if number < len(self.phrases) and self.phrases[number] == text else 0


@dataclass(frozen=True, eq=False)
class OneWay:
    """P(f|e) of a run, and the alignment that it has found for the target phrases."""

    source: Side
    target: Side
    learned: Model
    alignment: Alignment
    settings: Settings
    runner: Runner

    @cached_property
    def model(self) -> Model:
        """With a word more on either side, of which nothing is known."""
        return self.learned._replace(translation=with_strangers(self.learned.translation))

    @cached_property
    def log_empty(self) -> Array:
        """The score of the empty phrase for each length; one that no phrase has is as rare as the
        rarest."""
        task = Task(self.source.phrases, self.target.phrases, self.settings, self.runner)
        scores = score_empty_phrase(task, self.learned)
        scores[np.isneginf(scores)] = scores[np.isfinite(scores)].min()
        return scores

    def search(self, asked: Sequence[Numbers]) -> list[Found]:
        """For each target phrase the best source phrases of those that know a word of it."""
        known = [f[self.target.knows(f)] for f in asked]
        distinct, numbered = np.unique(np.concatenate(known), return_inverse=True)
        entries = self._entries(distinct)
        null = entries.row(NULL, len(distinct))
        lengths = np.arange(len(self.source.lengths))
        log_base = np.log1p(null / (lengths[:, None] + 1))
        ends = offsets_of(np.array([len(f) for f in known]))
        words = [numbered[ends[q] : ends[q + 1]] for q in range(len(asked))]
        base = np.stack(
            [
                self.learned.lengths.log_prob[: len(lengths), len(f)] + log_base[:, m].sum(axis=1)
                for f, m in zip(asked, words, strict=True)
            ]
        )
        highest = base[:, 1:].max(axis=1, keepdims=True)
        query = np.repeat(np.arange(len(asked), dtype=np.int32), np.diff(ends))
        asker_offsets, order = sort_by_number(numbered, len(distinct))
        phrases = self.source.phrases
        shared = (
            *(asker_offsets, query[order], *entries, null),
            *(phrases.words, phrases.offsets, np.exp(base - highest), self.settings.candidates),
        )
        shards = self.runner.map(
            kernels.best_of_all, shared, items=len(phrases), shard=PHRASE_SHARD
        )
        return [
            self._found([tuple(part[q] for part in shard) for shard in shards], base[q], len(f))
            for q, f in enumerate(asked)
        ]

    def _entries(self, wanted: Numbers) -> "Entries":
        """The entries of the table that have these target words."""
        translation = self.learned.translation
        is_wanted = np.zeros(len(translation.floors), np.bool_)
        is_wanted[wanted] = True
        number = np.empty(len(translation.floors), np.int32)
        number[wanted] = np.arange(len(wanted))
        shared = (
            *(translation.offsets, translation.targets, translation.probabilities),
            *(translation.floors, is_wanted, number),
        )
        rows = len(translation.offsets) - 1
        shards = self.runner.map(kernels.wanted_entries, shared, items=rows, shard=WORD_SHARD)
        sizes, words, ratios = join_shards(shards)
        return Entries(sizes > 0, offsets_of(sizes), words, ratios)

    def _found(self, shards: list[tuple[NDArray[np.generic], ...]], base: Array, J: int) -> Found:
        """The best of all shards, and the sum over all phrases."""
        phrases, products = (
            np.concatenate([shard[part][: shard[0]] for shard in shards]) for part in (1, 2)
        )
        sums = self.source.lengths + np.sum([shard[3] for shard in shards], axis=0)
        offsets = self.source.phrases.offsets
        scores = base[offsets[phrases + 1] - offsets[phrases]] + np.log(products)
        there = self.source.lengths > 0
        each = base[there] + np.log(sums[there])
        log_total = np.logaddexp.reduce([*each, self.log_empty[J]])
        best = np.lexsort((phrases, -scores))[: self.settings.candidates]
        return Found(phrases[best], scores[best], float(log_total))

    def best(self, phrases: Numbers) -> Array:
        """The best score that the run has for some target phrases, the empty phrase's included:
        what the sum over all is no less than."""
        some = self.target.phrases.only(phrases)
        log_floors = np.log(self.learned.translation.floors[some.words])
        scores = self.alignment.log_prob[phrases] - np.add.reduceat(log_floors, some.offsets[1:-1])
        # What has none has the empty phrase; the paper's kinds have another than is meant here.
        scores = np.where(self.alignment.phrases[phrases] > 0, scores, -np.inf)
        return np.logaddexp(scores, self.log_empty[some.lengths[1:]])


def with_strangers(translation: TranslationModel) -> TranslationModel:
    """A source and a target word more, which have no translation; all room is for floors."""
    return replace(
        translation,
        offsets=np.append(translation.offsets, translation.offsets[-1]),
        room=np.append(translation.room, 1.0),
        floors=np.append(translation.floors, 1.0),
    )
