"""Phrase-based translation by beam search, as Moses does it.

Notation: see `decoder_kernels`; the features are those of `accord.translate.weights`.

A hypothesis is a beginning of a translation. It grows by a source phrase that is not yet covered
and one of its target phrases. Hypotheses that cover as many words compete on one stack, where the
best stay, judged with an estimate of what is still to come.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.errors import InputError, SettingError
from accord.system.arrays import offsets_of
from accord.system.runners import Runner
from accord.translate import decoder_kernels as kernels
from accord.translate.language_model import END, LanguageModel
from accord.translate.options import Options
from accord.translate.table import PhraseTable, Sentence
from accord.translate.weights import (
    DISTORTION,
    LANGUAGE_MODEL,
    LOWEST,
    PHRASE,
    PLACES,
    SIZE,
    TRANSLATION,
    UNKNOWN_WORD,
    WORD,
    Weights,
    named_values,
)

# The words behind the first gap are bits of a number of 64.
FARTHEST = 63
# Sentences that are translated at a time by one thread.
SHARD = 8


@dataclass(frozen=True)
class Limits:
    """How far the search goes."""

    stack: int = 100  # hypotheses that cover as many words
    distortion: int = 6  # source words between the end of a phrase and the next one
    options: int = 20  # of a source phrase
    beam: float = 1e-5  # of the best probability of a stack

    def __post_init__(self) -> None:
        for name, least, most in (
            ("stack", 1, 100_000),
            ("distortion", 0, FARTHEST),
            ("options", 1, 100_000),
            ("beam", 0, 1),
        ):
            value = getattr(self, name)
            if not least <= value <= most:
                raise SettingError(f"{name}: must be from {least} to {most}, found {value}")


class Translation(NamedTuple):
    """The words of a translation, why it was chosen, and how."""

    words: str
    features: NDArray[np.float64]
    score: float
    phrases: tuple[tuple[int, str], ...]  # where a source phrase begins, the target phrase


class Decoder:
    """A table, a language model and weights."""

    def __init__(
        self,
        table: PhraseTable,
        lm: LanguageModel,
        weights: Weights | None = None,
        limits: Limits | None = None,
    ) -> None:
        self.table, self.lm = table, lm
        self.weights, self.limits = weights or Weights(), limits or Limits()
        self._shortest = kernels.shortest_contexts(lm.trie)
        self._begin = int(self._shortest[lm.begin])
        self._end = lm.number(END)
        self._options = Options.of(table, lm, self._model(), self.weights, self.limits.options)

    def translate(
        self, sentences: Sequence[Sentence], runner: Runner, count: int = 1
    ) -> list[list[Translation]]:
        """Up to `count` translations of each sentence, the best first; different phrases may make
        the same words. Only of sentences that the table was read for."""
        shards = runner.map(
            _translated, (self, sentences, count), items=len(sentences), shard=SHARD
        )
        return [translations for shard in shards for translations in shard]

    def _model(self) -> tuple[NDArray[np.generic], ...]:
        """The language model as the kernels take it, with a cache of its own: one for a thread."""
        size = 1 << kernels.CACHE_BITS
        cache = np.full(size, -1, np.int64), np.empty(size, np.int32), np.empty(size)
        return (*self.lm.trie[:-1], self._shortest, *cache)

    def _translated(
        self, sentence: Sentence, model: tuple[NDArray[np.generic], ...], count: int
    ) -> list[Translation]:
        if not sentence:
            return [Translation("", np.zeros(SIZE), 0.0, ())]
        limits = self.limits
        lm_weight = float(self.weights[LANGUAGE_MODEL][0]) * kernels.LN_10
        edges, scores, places = kernels.search(
            self._spans(sentence),
            self._options.arrays,
            model,
            self._begin,
            (lm_weight, float(self.weights[DISTORTION][0]), self._end),
            (limits.stack, limits.distortion, log(limits.beam) if limits.beam else -inf, count > 1),
        )
        paths = kernels.best_paths(edges, scores, places, count)
        return self._along(model, *paths)

    def _spans(self, sentence: Sentence) -> NDArray[np.int64]:
        """The options of each span of source words: the first, and after the last."""
        size, longest = len(sentence), self.table.longest
        spans = np.zeros((size, min(longest, size), 2), np.int64)
        find = self._options.spans.get
        for start in range(size):
            source = ""
            for length, word in enumerate(sentence[start : start + longest]):
                source = f"{source} {word}" if length else word
                if found := find(source):
                    spans[start, length] = found
                elif not length:
                    raise InputError(
                        f"decoder: expected a sentence that the table was read for, found {word!r}"
                    )
        return spans

    def _along(
        self,
        model: tuple[NDArray[np.generic], ...],
        options: NDArray[np.int64],
        starts: NDArray[np.int64],
        begins: NDArray[np.int64],
        scores: NDArray[np.float64],
    ) -> list[Translation]:
        """The translations of the paths through a graph of hypotheses."""
        places, (*_, offsets, words, _, _) = self._options.places[options], self._options.arrays
        lengths = np.diff(offsets)[options]
        ends = starts + self._options.source_lengths[options]
        before = np.concatenate([[0], ends[:-1]])
        before[begins[:-1]] = 0
        features = np.empty((len(places), SIZE))
        features[:, PLACES[TRANSLATION]] = self.table.log_scores[places]
        for name, column in (
            (UNKNOWN_WORD, LOWEST * self.table.unknown[places]),
            (WORD, -lengths),
            (PHRASE, 1.0),
            (DISTORTION, -np.abs(starts - before)),
            (LANGUAGE_MODEL, 0.0),
        ):
            features[:, PLACES[name].start] = column
        features = np.add.reduceat(features, begins[:-1])
        word_begins = offsets_of(lengths)
        every = np.arange(word_begins[-1]) + np.repeat(offsets[options] - word_begins[:-1], lengths)
        prices = kernels.sentence_prices(
            model, self._begin, self._end, words[every], word_begins[begins]
        )
        features[:, PLACES[LANGUAGE_MODEL].start] = prices * kernels.LN_10
        targets = [self.table.targets[place] for place in places.tolist()]
        phrases = [*zip(starts.tolist(), targets, strict=True)]
        return [
            Translation(" ".join(targets[first:last]), values, score, tuple(phrases[first:last]))
            for first, last, values, score in zip(
                *(begins.tolist(), begins[1:].tolist(), features, scores.tolist()), strict=False
            )
        ]


def _translated(
    decoder: Decoder, sentences: Sequence[Sentence], count: int, first: int, last: int
) -> list[list[Translation]]:
    model = decoder._model()
    return [decoder._translated(sentence, model, count) for sentence in sentences[first:last]]


def n_best_lines(number: int, translations: Sequence[Translation]) -> list[str]:
    """Translations of one sentence as a list of Moses has them."""
    return [
        f"{number} ||| {words} ||| {' '.join(named_values(features.tolist()))} ||| {score:.6g}"
        for words, features, score, _ in translations
    ]
