"""One direction of a model, queried about some phrases: which source phrases each may come from.

Notation: f  a queried target phrase, of J words;  s  a source phrase e⁽ˢ⁾ of I words
          score  log P(f|e) relative to the floors of f, as everywhere

The same as the search for a whole corpus, but for phrases that need not be in the corpus. Only
phrases that contain a translation of some word of f are ranked. All others count in the sum over
all phrases, by their lengths.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from accord.corpus.numbering_kernels import sort_by_number
from accord.corpus.phrases import Phrases
from accord.corpus.vocabulary import NULL
from accord.learning.agreement import Alignment
from accord.learning.model.parameters import Model
from accord.learning.model.translation import TranslationModel
from accord.learning.search.candidates import score_empty_phrase
from accord.learning.search.ranking import join_shards
from accord.learning.task import Task
from accord.runs.query.query_kernels import (
    QueriedEntries,
    QueriedWords,
    TableEntries,
    search_phrases,
    select_entries,
)
from accord.settings import Settings
from accord.system.arrays import Array, Floats, Ids, Mask, Offsets, offsets_of
from accord.system.runners import Runner

# Phrases and words per shard: all cores read at the same time.
PHRASE_SHARD, WORD_SHARD = 131_072, 32_768


class NearestPhrases(NamedTuple):
    """The best source phrases of a queried phrase, the best first."""

    phrases: Ids
    scores: Floats
    log_total: float  # log of the sum over all phrases, including the empty one


@dataclass(frozen=True, eq=False)
class QueriedCorpus:
    """The phrases of one language, and what queries need to know about them."""

    phrases: Phrases

    @cached_property
    def lengths(self) -> Offsets:
        """How many phrases have each length."""
        return np.bincount(self.phrases.lengths[1:])

    @cached_property
    def frequency(self) -> Offsets:
        """How often each word occurs; the last entry stands for unknown words."""
        return np.append(self.phrases.frequency, 0)

    def number_words(self, words: Sequence[str]) -> Ids:
        """The numbers of the words; an unknown word has the number after the last."""
        known = self.phrases.vocabulary.words  # sorted; to index them all would take longer
        places = [(bisect_left(known, word), word) for word in words]
        numbers = [at if known[at : at + 1] == (word,) else len(known) for at, word in places]
        return np.array(numbers, np.int32)

    def is_known(self, words: Ids) -> Mask:
        return words < len(self.phrases.vocabulary)

    def single_phrase(self, words: Ids) -> Phrases:
        """A corpus of one phrase, which need not be one of these."""
        return Phrases(self.phrases.vocabulary, words, np.array([0, 0, len(words)]))

    def find(self, text: str) -> int:
        """The number of a phrase, or 0. Phrases are numbered alphabetically."""
        number = bisect_left(range(len(self.phrases)), text, key=self.phrases.__getitem__)
        return number if number < len(self.phrases) and self.phrases[number] == text else 0


@dataclass(frozen=True, eq=False)
class QueriedDirection:
    """P(f|e) of a run, and the alignment that it has found for the target phrases."""

    source: QueriedCorpus
    target: QueriedCorpus
    learned: Model
    alignment: Alignment
    settings: Settings
    runner: Runner

    @cached_property
    def model(self) -> Model:
        """The model with one more word on either side, which stands for unknown words."""
        return self.learned._replace(translation=with_unknown_word(self.learned.translation))

    @cached_property
    def log_empty(self) -> Floats:
        """The score of the empty phrase for each length; lengths that do not occur are as rare as
        the rarest."""
        task = Task(self.source.phrases, self.target.phrases, self.settings, self.runner)
        scores = score_empty_phrase(task, self.learned)
        scores[np.isneginf(scores)] = scores[np.isfinite(scores)].min()
        return scores

    def search(self, queried: Sequence[Ids]) -> list[NearestPhrases]:
        """For each target phrase the best source phrases that know a word of it."""
        known = [f[self.target.is_known(f)] for f in queried]
        distinct, numbered = np.unique(np.concatenate(known), return_inverse=True)
        entries = self._select_entries(distinct)
        null = _row_of(entries, NULL, len(distinct))
        ends = offsets_of(np.array([len(f) for f in known]))
        words = [numbered[ends[q] : ends[q + 1]] for q in range(len(queried))]
        base = self._score_lengths(queried, words, null)
        highest = base[:, 1:].max(axis=1, keepdims=True)
        query = np.repeat(np.arange(len(queried), dtype=np.int32), np.diff(ends))
        offsets, order = sort_by_number(numbered, len(distinct))
        phrases = self.source.phrases
        shared = (
            QueriedWords(offsets, query[order], null),
            entries,
            phrases.ragged,
            np.exp(base - highest),
            self.settings.candidates,
        )
        shards = self.runner.map(search_phrases, shared, items=len(phrases), shard=PHRASE_SHARD)
        return [
            self._merge([tuple(part[q] for part in shard) for shard in shards], base[q], len(f))
            for q, f in enumerate(queried)
        ]

    def _score_lengths(
        self, queried: Sequence[Ids], words: Sequence[Offsets], null: Floats
    ) -> Floats:
        """[q, I]: the part of the score that depends on s only by its length."""
        lengths = np.arange(len(self.source.lengths))
        log_base = np.log1p(null / (lengths[:, None] + 1))
        return np.stack(
            [
                self.learned.lengths.log_prob[: len(lengths), len(f)] + log_base[:, m].sum(axis=1)
                for f, m in zip(queried, words, strict=True)
            ]
        )

    def _select_entries(self, wanted: Ids) -> QueriedEntries:
        """The entries of the table that have these target words."""
        translation = self.learned.translation
        is_wanted = np.zeros(len(translation.floors), np.bool_)
        is_wanted[wanted] = True
        numbers = np.empty(len(translation.floors), np.int32)
        numbers[wanted] = np.arange(len(wanted))
        table = TableEntries(
            translation.offsets, translation.targets, translation.probabilities, translation.floors
        )
        rows = len(translation.offsets) - 1
        shared = (table, is_wanted, numbers)
        shards = self.runner.map(select_entries, shared, items=rows, shard=WORD_SHARD)
        sizes, words, ratios = join_shards(shards)
        return QueriedEntries(sizes > 0, offsets_of(sizes), words, ratios)

    def _merge(self, shards: list[tuple[Array, ...]], base: Floats, J: int) -> NearestPhrases:
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
        return NearestPhrases(phrases[best], scores[best], float(log_total))

    def best_scores(self, phrases: Ids) -> Floats:
        """The best score that the run has for some target phrases, including the empty phrase: a
        lower bound of the sum over all phrases."""
        some = self.target.phrases.select(phrases)
        log_floors = np.log(self.learned.translation.floors[some.words])
        scores = self.alignment.log_prob[phrases] - np.add.reduceat(log_floors, some.offsets[1:-1])
        # An unlinked phrase has the empty phrase; the paper's methods score it differently.
        scores = np.where(self.alignment.phrases[phrases] > 0, scores, -np.inf)
        return np.logaddexp(scores, self.log_empty[some.lengths[1:]])


def with_unknown_word(translation: TranslationModel) -> TranslationModel:
    """Add a source and a target word without any translation."""
    return replace(
        translation,
        offsets=np.append(translation.offsets, translation.offsets[-1]),
        room=np.append(translation.room, 1.0),
        floors=np.append(translation.floors, 1.0),
    )


def _row_of(entries: QueriedEntries, word: int, size: int) -> Floats:
    """The ratios of a source word, 0 where it has none."""
    own = slice(entries.offsets[word], entries.offsets[word + 1])
    row = np.zeros(size)
    row[entries.words[own]] = entries.ratios[own]
    return row
