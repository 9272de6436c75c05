"""Word links between sentences and their translations by the decoder.

Notation: e, f  a given word and a word to be linked to it; e may be NULL
          block  a phrase and the phrase that the decoder chose for it
          place  the number of a word in the whole text

The decoder knows which phrases translate each other, so a word can only be linked to words of its
block. Within these limits, both directions of IBM Model 1 are trained on the whole text, and their
links are symmetrised. That is far less work than aligning the sentences from scratch, and, unlike
sampling, gives the same links every time.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from accord.corpus.vocabulary import NULL
from accord.system.arrays import Floats, Integers, Offsets, offsets_of, pair_keys, split_keys
from accord.system.runners import Runner
from accord.translate.decoder import ScoredTranslation
from accord.translate.phrase_extraction import LinkedSentences, NumberedSentences, symmetrise
from accord.translate.phrase_extraction_kernels import SentenceLinks
from accord.translate.phrase_table import Sentence

ITERATIONS = 6
# How likely NULL is, compared to one word of the block.
NULL_WEIGHT = 0.2
# Pseudo-counts added to the total of each given word: a single count does not give probability 1.
SMOOTHING = 0.5


class Blocks(NamedTuple):
    """Phrases that translate each other, with one item for each."""

    sentence: Offsets
    source: Offsets  # the position of the first word
    source_length: Offsets
    target: Offsets
    target_length: Offsets

    def swapped(self) -> "Blocks":
        return Blocks(
            self.sentence, self.target, self.target_length, self.source, self.source_length
        )


class TranslatedText(NamedTuple):
    """Sentences, their translations, and which phrases translate each other."""

    source: list[str]
    target: list[str]
    blocks: Blocks

    @classmethod
    def of(
        cls, sentences: Sequence[Sentence], translations: Sequence[ScoredTranslation]
    ) -> "TranslatedText":
        rows = [
            (number, *block)
            for number, sentence in enumerate(sentences)
            for block in _locate_phrases(translations[number], len(sentence))
        ]
        return cls(
            [" ".join(sentence) for sentence in sentences],
            [translation.words for translation in translations],
            Blocks(*np.array(rows, np.int64).reshape(-1, 5).T),
        )

    def swapped(self) -> "TranslatedText":
        return TranslatedText(self.target, self.source, self.blocks.swapped())

    def followed_by(self, other: "TranslatedText") -> "TranslatedText":
        """Return both texts as one."""
        later = other.blocks._replace(sentence=other.blocks.sentence + len(self.source))
        blocks = Blocks(*map(np.concatenate, zip(self.blocks, later, strict=True)))
        return TranslatedText(self.source + other.source, self.target + other.target, blocks)


class WordPlaces(NamedTuple):
    """Pairs of words of the same block, or links, by their places."""

    source: Offsets
    target: Offsets

    def swapped(self) -> "WordPlaces":
        return WordPlaces(self.target, self.source)


def _locate_phrases(translation: ScoredTranslation, length: int) -> list[tuple[int, int, int, int]]:
    """Return the begin and the length of each source phrase, and the same of its target phrase."""
    begins = sorted(start for start, _ in translation.phrases)
    ends = dict(pairwise([*begins, length]))
    found, place = [], 0
    for start, target in translation.phrases:
        size = target.count(" ") + 1
        found.append((start, ends[start] - start, place, size))
        place += size
    return found


def align_translations(text: TranslatedText, runner: Runner) -> LinkedSentences:
    """Return the sentences with the word links of both directions, symmetrised."""
    source, target = NumberedSentences.of(text.source), NumberedSentences.of(text.target)
    places = _list_places(source, target, text.blocks)
    forward = _find_links(source, target, places)
    backward = _find_links(target, source, places.swapped()).swapped()
    links = symmetrise(
        source,
        target,
        _split_by_sentence(source, target, forward),
        _split_by_sentence(source, target, backward),
        runner,
    )
    return LinkedSentences(source, target, links)


def _list_places(
    source: NumberedSentences, target: NumberedSentences, blocks: Blocks
) -> WordPlaces:
    """Return all pairs of a source word and a target word of the same block."""
    sizes = blocks.source_length * blocks.target_length
    block = np.repeat(np.arange(len(sizes)), sizes)
    within = np.arange(sizes.sum()) - np.repeat(offsets_of(sizes)[:-1], sizes)
    i, j = np.divmod(within, blocks.target_length[block])
    sentence = blocks.sentence[block]
    return WordPlaces(
        source.offsets[sentence] + blocks.source[block] + i,
        target.offsets[sentence] + blocks.target[block] + j,
    )


def _find_links(
    source: NumberedSentences, target: NumberedSentences, places: WordPlaces
) -> WordPlaces:
    """Return, for each target word, the most probable source word, unless NULL is more probable."""
    posteriors, null = _train_model_1(source.words, target.words, places)
    order = np.lexsort((places.source, -posteriors, places.target))
    at = places.target[order]
    best = order[np.concatenate([[True], at[1:] != at[:-1]])] if len(order) else order
    best = best[posteriors[best] >= null[places.target[best]]]
    return WordPlaces(places.source[best], places.target[best])


def _train_model_1(e: Integers, f: Integers, places: WordPlaces) -> tuple[Floats, Floats]:
    """Return the posterior of each pair of places, and of NULL for each target word."""
    size = len(f)
    target = np.concatenate([places.target, np.arange(size)])
    given = np.concatenate([e[places.source], np.full(size, NULL)])
    weights = np.where(given == NULL, NULL_WEIGHT, 1.0)
    keys, pairs = np.unique(pair_keys(given, f[target]), return_inverse=True)
    of_pairs = split_keys(keys)[0]
    counts = np.bincount(pairs, minlength=len(keys)).astype(np.float64)
    for _ in range(ITERATIONS + 1):
        probability = counts / (np.bincount(of_pairs, counts)[of_pairs] + SMOOTHING)
        posteriors = probability[pairs] * weights
        posteriors /= np.bincount(target, posteriors, minlength=size)[target]
        counts = np.bincount(pairs, posteriors, minlength=len(keys)).astype(np.float64)
    return posteriors[: len(places.target)], posteriors[len(places.target) :]


def _split_by_sentence(
    source: NumberedSentences, target: NumberedSentences, links: WordPlaces
) -> SentenceLinks:
    order = np.lexsort((links.target, links.source))
    i, j = links.source[order], links.target[order]
    sentence = np.searchsorted(source.offsets, i, side="right") - 1
    return SentenceLinks(
        (i - source.offsets[sentence]).astype(np.int16),
        (j - target.offsets[sentence]).astype(np.int16),
        offsets_of(np.bincount(sentence, minlength=len(source))),
    )
