"""One direction of a model, queried about a few phrases: the best source phrases for each.

Notation: f  a queried target phrase, of J words;  s  a source phrase e⁽ˢ⁾ of I words
          score  log P(f|e) relative to the floors of f, as in learning/search

This is the search of a whole corpus (learning/search) for phrases that need not be in the corpus.
Only source phrases that contain a translation of some word of f are ranked. All others count only
in the sum over all phrases, where their lengths determine their share.
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

# Phrases and words per shard: all cores read simultaneously.
PHRASE_SHARD, WORD_SHARD = 131_072, 32_768


class NearestPhrases(NamedTuple):
    """The best source phrases of a queried phrase, the best first."""

    phrases: Ids
    scores: Floats
    log_total: float  # log of the sum over all phrases, including the empty one


@dataclass(frozen=True, eq=False)
class QueriedCorpus:
    """The phrases of one language, with lookups that queries need."""

    phrases: Phrases

    @cached_property
    def lengths(self) -> Offsets:
        """The number of phrases of each length."""
        return np.bincount(self.phrases.lengths[1:])

    @cached_property
    def frequency(self) -> Offsets:
        """The number of occurrences of each word; the last entry stands for unknown words."""
        return np.append(self.phrases.frequency, 0)

    def number_words(self, words: Sequence[str]) -> Ids:
        """Return the numbers of the words; an unknown word has the number after the last."""
        known = self.phrases.vocabulary.words  # sorted; a dictionary would take longer to build
        places = [(bisect_left(known, word), word) for word in words]
        numbers = [at if known[at : at + 1] == (word,) else len(known) for at, word in places]
        return np.array(numbers, np.int32)

    def is_known(self, words: Ids) -> Mask:
        return words < len(self.phrases.vocabulary)

    def single_phrase(self, words: Ids) -> Phrases:
        """Return a corpus of one phrase, which need not be in this one."""
        return Phrases(self.phrases.vocabulary, words, np.array([0, 0, len(words)]))

    def find(self, text: str) -> int:
        """Return the number of a phrase, or 0. Phrases are numbered alphabetically."""
        number = bisect_left(range(len(self.phrases)), text, key=self.phrases.__getitem__)
        return number if number < len(self.phrases) and self.phrases[number] == text else 0


@dataclass(frozen=True, eq=False)
class QueriedDirection:
    """P(f|e) as a run has learned it, and its alignment of the target phrases."""

    source: QueriedCorpus
    target: QueriedCorpus
    learned: Model
    alignment: Alignment
    settings: Settings
    runner: Runner

    @cached_property
    def model(self) -> Model:
        """The model with an additional word on either side, which stands for unknown words."""
        return self.learned._replace(translation=add_unknown_word(self.learned.translation))

    @cached_property
    def log_empty(self) -> Floats:
        """The score of the empty phrase for each length; a length that does not occur gets the
        lowest score of the others."""
        task = Task(self.source.phrases, self.target.phrases, self.settings, self.runner)
        scores = score_empty_phrase(task, self.learned)
        scores[np.isneginf(scores)] = scores[np.isfinite(scores)].min()
        return scores

    def search(self, queried: Sequence[Ids]) -> list[NearestPhrases]:
        """Return the best source phrases of each target phrase."""
        known = [f[self.target.is_known(f)] for f in queried]
        distinct, numbered = np.unique(np.concatenate(known), return_inverse=True)
        entries = self._select_entries(distinct)
        null = _expand_row(entries, NULL, len(distinct))
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
        """Return [q, I]: the part of the score that depends only on the length of s."""
        lengths = np.arange(len(self.source.lengths))
        log_base = np.log1p(null / (lengths[:, None] + 1))
        return np.stack(
            [
                self.learned.lengths.log_prob[: len(lengths), len(f)] + log_base[:, m].sum(axis=1)
                for f, m in zip(queried, words, strict=True)
            ]
        )

    def _select_entries(self, wanted: Ids) -> QueriedEntries:
        """Return the entries of the translation table that have these target words."""
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
        """Merge the best phrases of all shards, and compute the sum over all phrases."""
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

    def find_best_scores(self, phrases: Ids) -> Floats:
        """Return the best scores of these target phrases in the run, together with the empty
        phrase: a lower bound of the sum over all phrases."""
        some = self.target.phrases.select(phrases)
        log_floors = np.log(self.learned.translation.floors[some.words])
        scores = self.alignment.log_prob[phrases] - np.add.reduceat(log_floors, some.offsets[1:-1])
        # An unlinked phrase has the empty phrase, which the paper's methods score differently.
        scores = np.where(self.alignment.phrases[phrases] > 0, scores, -np.inf)
        return np.logaddexp(scores, self.log_empty[some.lengths[1:]])


def add_unknown_word(translation: TranslationModel) -> TranslationModel:
    """Return the model with a source and a target word that have no translation."""
    return replace(
        translation,
        offsets=np.append(translation.offsets, translation.offsets[-1]),
        room=np.append(translation.room, 1.0),
        floors=np.append(translation.floors, 1.0),
    )


def _expand_row(entries: QueriedEntries, word: int, size: int) -> Floats:
    """Return the ratio of a source word for each queried word, 0 without an entry."""
    own = slice(entries.offsets[word], entries.offsets[word + 1])
    row = np.zeros(size)
    row[entries.words[own]] = entries.ratios[own]
    return row
