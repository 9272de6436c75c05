"""Phrase-based translation by beam search, as in Moses.

Notation: see `decoder_kernels`; the features are those of `accord.translate.weights`.

A hypothesis is the beginning of a translation. It is extended by a source phrase that is not yet
covered and one of its target phrases. Hypotheses that cover equally many words compete on one
stack, where the best are kept, according to their scores and an estimate of the future score.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf, log
from typing import NamedTuple

import numpy as np

from accord.errors import InputError, SettingError
from accord.system.arrays import Floats, Offsets, offsets_of
from accord.system.runners import Runner
from accord.translate import decoder_kernels as kernels
from accord.translate.decoder_kernels import DecoderModel, Paths, SentenceSearch, StackLimits
from accord.translate.language_model.trie import END, LanguageModel
from accord.translate.phrase_table import PhraseTable, Sentence
from accord.translate.translation_options import TranslationOptions
from accord.translate.weights import (
    BACK_OFF,
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
    format_values,
)

# The words after the first gap are the bits of a 64-bit number.
FARTHEST = 63
# Sentences that one thread translates at a time.
SHARD = 8
# Where the columns of `PhraseTable.log_scores` stand among the features.
TRANSLATION_PLACES = np.r_[PLACES[TRANSLATION], PLACES[BACK_OFF]]


@dataclass(frozen=True)
class DecoderLimits:
    """How much is searched."""

    stack: int = 100  # hypotheses that cover equally many words
    distortion: int = 6  # source words between the end of a phrase and the next one
    options: int = 20  # per source phrase
    beam: float = 1e-5  # the least probability, relative to the best of a stack

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


class ScoredTranslation(NamedTuple):
    """The words of a translation, its features and score, and its phrases."""

    words: str
    features: Floats
    score: float
    phrases: tuple[tuple[int, str], ...]  # where a source phrase begins, the target phrase


class Decoder:
    """Translates with a table, a language model and weights."""

    def __init__(
        self,
        table: PhraseTable,
        lm: LanguageModel,
        weights: Weights | None = None,
        limits: DecoderLimits | None = None,
    ) -> None:
        self.table, self.lm = table, lm
        self.weights, self.limits = weights or Weights(), limits or DecoderLimits()
        self._shortest = kernels.shortest_contexts(lm.trie)
        self._begin = int(self._shortest[lm.begin])
        self._end = lm.number(END)
        self._options = TranslationOptions.of(
            table, lm, self._model(), self.weights, self.limits.options
        )

    def translate(
        self, sentences: Sequence[Sentence], runner: Runner, count: int = 1
    ) -> list[list[ScoredTranslation]]:
        """Return up to `count` translations of each sentence, the best first.

        Different phrases may give the same words. The table must have been read for the sentences.
        """
        shards = runner.map(
            _translate_shard, (self, sentences, count), items=len(sentences), shard=SHARD
        )
        return [translations for shard in shards for translations in shard]

    def _model(self) -> DecoderModel:
        """Return the language model with an empty cache, which only one thread may use."""
        size = 1 << kernels.CACHE_BITS
        lm, cache = self.lm, (np.full(size, -1, np.int64), np.empty(size, np.int32), np.empty(size))
        return DecoderModel(
            lm.offsets, lm.words, lm.log_prob, lm.backoff, lm.suffix, self._shortest, *cache
        )

    def _translate(
        self, sentence: Sentence, model: DecoderModel, count: int
    ) -> list[ScoredTranslation]:
        if not sentence:
            return [ScoredTranslation("", np.zeros(SIZE), 0.0, ())]
        limits = self.limits
        search = SentenceSearch(
            spans=self._find_spans(sentence),
            options=self._options.arrays,
            model=model,
            limits=StackLimits(
                size=limits.stack,
                reach=limits.distortion,
                beam=log(limits.beam) if limits.beam else -inf,
                with_arcs=count > 1,
            ),
            lm_weight=float(self.weights[LANGUAGE_MODEL][0]) * kernels.LN_10,
            distortion_weight=float(self.weights[DISTORTION][0]),
            begin=self._begin,
            sentence_end=self._end,
        )
        return self._follow(kernels.best_paths(kernels.search_sentence(search), count), model)

    def _find_spans(self, sentence: Sentence) -> Offsets:
        """Return the options of each span of source words: the first, and after the last."""
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

    def _follow(self, paths: Paths, model: DecoderModel) -> list[ScoredTranslation]:
        """Return the translations of paths through a graph of hypotheses."""
        options, starts, begins = paths.options, paths.starts, paths.begins
        places, arrays = self._options.places[options], self._options.arrays
        lengths = np.diff(arrays.offsets)[options]
        ends = starts + self._options.source_lengths[options]
        before = np.concatenate([[0], ends[:-1]])
        before[begins[:-1]] = 0
        features = np.empty((len(places), SIZE))
        features[:, TRANSLATION_PLACES] = self.table.log_scores[places]
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
        every = np.arange(word_begins[-1]) + np.repeat(
            arrays.offsets[options] - word_begins[:-1], lengths
        )
        prices = kernels.price_sentences(
            model, self._begin, self._end, arrays.words[every], word_begins[begins]
        )
        features[:, PLACES[LANGUAGE_MODEL].start] = prices * kernels.LN_10
        targets = [self.table.targets[place] for place in places.tolist()]
        phrases = [*zip(starts.tolist(), targets, strict=True)]
        return [
            ScoredTranslation(" ".join(targets[first:last]), row, score, tuple(phrases[first:last]))
            for (first, last), row, score in zip(
                pairwise(begins.tolist()), features, paths.scores.tolist(), strict=True
            )
        ]


def _translate_shard(
    decoder: Decoder, sentences: Sequence[Sentence], count: int, first: int, last: int
) -> list[list[ScoredTranslation]]:
    model = decoder._model()
    return [decoder._translate(sentence, model, count) for sentence in sentences[first:last]]


def n_best_lines(
    number: int, translations: Sequence[ScoredTranslation], *, has_back_off: bool = False
) -> list[str]:
    """Return the translations of one sentence in the format of Moses's n-best lists."""
    values = (
        " ".join(format_values(one.features.tolist(), has_back_off=has_back_off))
        for one in translations
    )
    return [
        f"{number} ||| {one.words} ||| {of_one} ||| {one.score:.6g}"
        for one, of_one in zip(translations, values, strict=True)
    ]
