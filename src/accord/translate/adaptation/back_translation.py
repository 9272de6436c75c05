"""Back-translation: tables that are trained on translations of both texts.

The source text is translated into the target language, and the target text into the source
language. Both pairs of texts are word-aligned, and phrase pairs are extracted from them. A phrase
pair is kept only if the translations of both directions support it, or if it was known before.
p(target|source) is estimated from the pairs whose target side is real text, and p(source|target)
from the others: what the decoder wrote is only ever what is given.
"""

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import NamedTuple

import numpy as np

from accord.system.runners import Runner
from accord.translate.phrase_extraction import SentenceWeights
from accord.translate.phrase_table import ScoredPair, Sentence
from accord.translate.table_training import LinkedPair, join_pairs, train_aligned_table, weigh_pairs
from accord.translate.word_alignment import TranslatedText, align_translations

# Longer phrases are rare, and take most of the memory.
LONGEST = 5
# Longer sentences take long to translate, and shorter ones teach nothing.
FEWEST_WORDS, MOST_WORDS = 3, 50


class Translations(NamedTuple):
    """Both texts with their translations, source language first."""

    of_source: TranslatedText  # the target side is written by the decoder
    of_target: TranslatedText  # the source side is


def rank_sentences(lines: Iterable[str]) -> list[Sentence]:
    """Return the different sentences in the order of a hash.

    So the first ones are spread over the text, and the same for any order of its lines.
    """
    sizes = range(FEWEST_WORDS, MOST_WORDS + 1)
    usable = {line for line in lines if line.count(" ") + 1 in sizes}
    keys = ((blake2b(line.encode(), digest_size=8).digest(), line) for line in usable)
    return [line.split() for _, line in sorted(keys)]


def train_on_translations(
    known: Sequence[LinkedPair], translations: Translations, runner: Runner, *, agree: bool = True
) -> list[ScoredPair]:
    """Train a table on translations, and on phrase pairs that are known.

    Without agreement, both directions are estimated from all of them.
    """
    real, written = translations
    aligned = align_translations(real.followed_by(written), runner)
    of_known = weigh_pairs(known)
    is_real_source = np.repeat([1.0, 0.0], [len(real.source), len(written.source)])
    weights = SentenceWeights.rounded(
        np.concatenate([of_known, 1 - is_real_source]), np.concatenate([of_known, is_real_source])
    )
    if not agree:
        most = np.maximum(*weights)
        weights = SentenceWeights(most, most)
    text = join_pairs(known).followed_by(aligned)
    return train_aligned_table(text, runner, weights=weights, longest=LONGEST)
