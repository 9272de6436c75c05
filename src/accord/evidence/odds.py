"""How likely two words are to translate each other by all prior evidence, without the phrases.

Notation: e, f  a source and a target word
          features  what is known of a pair, one column for each `Feature`
          odds  the weighted sum of the features: how much they add to the log odds that a pair is
          right

The probability p(f|e) of a word is divided among its translations, so it says little about each of
them. The odds of a pair are not divided. They are computed in two steps: what is known of a pair
gives it odds of its own, by which it is compared with the pairs that compete for its words; these
margins are further features.

Many words of a text are forms of words in the dictionary: if "produce" has a translation, then it
is likely to translate "produces", too. How likely depends on how similar the two forms are, how
regular their endings are, and whether the other word has translations of its own.
"""

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from accord.corpus.phrases import Phrases
from accord.corpus.vocabulary import Vocabulary
from accord.evidence.competition import list_rows, measure_margins
from accord.evidence.counts import Counts
from accord.evidence.prior import Prior
from accord.evidence.similar_words import PSEUDO_COUNT, SimilarWords
from accord.evidence.spelling import IDENTICAL, MIN_VARIANT_SHARE, measure_productivity
from accord.system.arrays import Floats, Ids, Mask, Offsets, pair_keys, split_keys


class Feature(IntEnum):
    """What is known of a word pair."""

    SEED = 0  # is an entry of the seed
    PART = 1  # the share in an entry of several words
    NEAREST = 2  # log of the probability by the nearest words
    COMPARED = 3  # both words can be compared
    SIMILARITY = 4  # half the CSLS of the two words
    FREQUENT = 5  # the same times the log frequency of the rarer word
    COGNATE = 6  # the similarity of the spellings
    IDENTICAL = 7  # are spelled in the same way
    VARIANT = 8  # one word is a variant of a seed translation of the other
    CLOSE_VARIANT = 9  # how similar the variants are
    PRODUCTIVE = 10  # how regular their endings are
    OTHERS = 11  # of a new pair: how many of the two words have translations in the seed
    BOTH_OTHERS = 12  # of a transferred pair: both have
    AGREEMENT = 13  # how often the endings of the two words go together in the seed
    SIMILAR_COGNATE = 14  # COGNATE times SIMILARITY
    INFLECTED = 15  # of a transferred pair: both words have regular forms, which have to match
    FORM_MARGIN = 16  # over pairs of other forms of the two words
    MARGIN = 17  # over all other pairs of the two words


# Of each feature, first without the margins, for the odds by which pairs are compared, then with
# them. `accord.learning.confidence` says on what they were fitted, together with WORD_COEFFICIENTS.
COMPARED_COEFFICIENTS, ODDS_COEFFICIENTS = np.array(
    [
        (5, 5),  # seed
        (1.161, 1.83),  # part
        (-0.002, 0.115),  # nearest
        (-0.189, 0.091),  # compared
        (1.342, 1.288),  # similarity
        (0.441, 0.509),  # frequent
        (0.421, 0.586),  # cognate
        (5, 5),  # identical
        (1, -0.984),  # variant
        (1.407, 1.291),  # close variant
        (1.378, 1.422),  # productive
        (-0.001, 1.12),  # others
        (-0.535, -0.437),  # both others
        (0.534, 0.566),  # agreement
        (2.465, 2.514),  # similar cognate
        (-0.454, -0.45),  # inflected
        (0, -0.398),  # form margin
        (0, 0.266),  # margin
    ]
).T
# The least probability by the nearest words that says something.
LEAST_PROBABILITY = 0.03
ENDINGS = 1, 2, 3  # letters


class Evidence(NamedTuple):
    """Word pairs of which something is known, sorted by e and then f, and their features."""

    source: Ids
    target: Ids
    features: Floats

    @property
    def odds(self) -> Counts:
        """How much the evidence adds to the log odds of each pair."""
        return self._weigh(ODDS_COEFFICIENTS)

    def with_margins(
        self, variants: tuple[csr_array, csr_array] | None, coefficients: Floats
    ) -> "Evidence":
        """The same evidence, with the margins by the odds of these coefficients."""
        margins = measure_margins(self._weigh(coefficients), variants)
        features = self.features.copy()
        features[:, Feature.FORM_MARGIN], features[:, Feature.MARGIN] = margins
        return self._replace(features=features)

    def _weigh(self, coefficients: Floats) -> Counts:
        """The weighted sum of the features."""
        # Added one by one: the sum of a matrix product depends on the number of rows.
        odds = np.zeros(len(self.source))
        for feature, coefficient in zip(self.features.T, coefficients, strict=True):
            odds += coefficient * feature
        return Counts(self.source, self.target, odds)


class _Forms(NamedTuple):
    """The morphological variants of a language, and how regular the change of each is."""

    variants: csr_array
    regularity: Floats

    def count_regular(self) -> Floats:
        """How many other forms each word has, weighted by how regular they are."""
        size = self.variants.shape[0]
        row = np.repeat(np.arange(size), np.diff(self.variants.indptr))
        counts: Floats = np.bincount(row, self.regularity, minlength=size).astype(np.float64)
        return counts


class _Transferred(NamedTuple):
    """Pairs of a word and a variant of its seed translation, on either side."""

    shares: Counts  # of the letters that the closest variants have in common
    productivity: Counts  # of the most regular endings


def collect_evidence(
    prior: Prior, similar: SimilarWords, source: Phrases, target: Phrases, seed_weight: float
) -> Evidence:
    """Return all pairs of which something is known, apart from the phrases."""
    given = prior.seed.times(1 / seed_weight)
    seed = given.where(given.values >= 1)
    vocabularies = source.vocabulary, target.vocabulary
    forms = _find_forms(prior.variants, vocabularies)
    transferred = _transfer_to_variants(seed, forms)
    known = given, similar.counts, prior.cognates, transferred.shares
    keys = np.unique(np.concatenate([pair_keys(pairs.source, pairs.target) for pairs in known]))
    e, f = split_keys(keys)
    is_seed = seed.values_of(e, f) > 0
    cognate = prior.cognates.values_of(e, f)
    share = transferred.shares.values_of(e, f)
    similarity, is_compared = similar.compare(e, f)
    rarer = np.minimum(source.frequency[e], target.frequency[f])
    nearest = similar.counts.values_of(e, f) / PSEUDO_COUNT
    own_e = np.bincount(seed.source, minlength=len(source.vocabulary))[e]
    own_f = np.bincount(seed.target, minlength=len(target.vocabulary))[f]
    others = ~is_seed * ((own_e > 0) * 1.0 + (own_f > 0))
    features = np.zeros((len(keys), len(Feature)))
    features[:, Feature.SEED] = is_seed
    features[:, Feature.PART] = np.where(is_seed, 0, given.values_of(e, f))
    features[:, Feature.NEAREST] = np.log(nearest / LEAST_PROBABILITY + 1)
    features[:, Feature.COMPARED] = is_compared
    features[:, Feature.SIMILARITY] = similarity
    features[:, Feature.FREQUENT] = similarity * np.log(np.maximum(rarer, 1))
    features[:, Feature.COGNATE] = np.minimum(cognate, 1)
    features[:, Feature.IDENTICAL] = cognate >= IDENTICAL
    features[:, Feature.VARIANT] = share > 0
    features[:, Feature.CLOSE_VARIANT] = np.maximum(share - MIN_VARIANT_SHARE, 0)
    features[:, Feature.PRODUCTIVE] = transferred.productivity.values_of(e, f)
    features[:, Feature.OTHERS] = others
    features[:, Feature.BOTH_OTHERS] = (share > 0) * (others == 2)
    features[:, Feature.AGREEMENT] = _measure_agreement((e, f), is_seed, seed, vocabularies)
    if forms:
        of_e, of_f = (np.log1p(side.count_regular()) for side in forms)
        features[:, Feature.INFLECTED] = (share > 0) * np.minimum(of_e[e], of_f[f])
    features[:, Feature.SIMILAR_COGNATE] = features[:, Feature.COGNATE] * similarity
    return Evidence(e, f, features).with_margins(prior.variants, COMPARED_COEFFICIENTS)


def _find_forms(
    variants: tuple[csr_array, csr_array] | None, vocabularies: tuple[Vocabulary, Vocabulary]
) -> "list[_Forms]":
    """Return the variants of both languages; nothing without spelling as evidence."""
    sides = zip(variants or (), vocabularies, strict=False)
    return [_Forms(side, measure_productivity(side, vocabulary)) for side, vocabulary in sides]


def _transfer_to_variants(seed: Counts, forms: "list[_Forms]") -> _Transferred:
    """Find the pairs in which one word of a seed entry is replaced by a variant."""
    if not forms:
        return _Transferred(Counts.none(), Counts.none())
    keys, shares, productivity = [], [], []
    for side, (variants, regularity) in enumerate(forms):
        own = (seed.source, seed.target)[side]
        entry, places = list_rows(variants, own)
        replaced = variants.indices[places].astype(np.int32)
        pair = (replaced, seed.target[entry]) if side == 0 else (seed.source[entry], replaced)
        keys.append(pair_keys(*pair))
        shares.append(variants.data[places])
        productivity.append(regularity[places])
    return _Transferred(
        _take_maximum(np.concatenate(keys), np.concatenate(shares)),
        _take_maximum(np.concatenate(keys), np.concatenate(productivity)),
    )


def _take_maximum(keys: Offsets, values: Floats) -> Counts:
    """Return the largest value of each pair."""
    distinct, places = np.unique(keys, return_inverse=True)
    largest = np.zeros(len(distinct))
    np.maximum.at(largest, places, values)
    return Counts(*split_keys(distinct), largest)


def _measure_agreement(
    pairs: tuple[Ids, Ids], is_seed: Mask, seed: Counts, vocabularies: tuple[Vocabulary, Vocabulary]
) -> Floats:
    """Return how much more often the endings of two words go together in the seed than by chance.

    It is the log of the ratio, for endings of one, two and three letters on average. A seed entry
    does not count for itself.
    """
    agreement = np.zeros(len(is_seed))
    for letters in ENDINGS:
        one, other = (_number_endings(vocabulary, letters) for vocabulary in vocabularies)
        e, f, seed_e, seed_f = one[pairs[0]], other[pairs[1]], one[seed.source], other[seed.target]
        together = Counts.total(seed_e, seed_f, np.ones(len(seed_e)))
        of_e, of_f = (
            np.bincount(seed_e, minlength=len(one)),
            np.bincount(seed_f, minlength=len(other)),
        )
        expected = of_e[e] * of_f[f] / max(1, len(seed_e))
        agreement += np.log((together.values_of(e, f) - is_seed + 1) / (expected + 1))
    return agreement / len(ENDINGS)


def _number_endings(vocabulary: Vocabulary, letters: int) -> Ids:
    """Return the number of the ending of each word."""
    numbers: dict[str, int] = {}
    return np.array(
        [numbers.setdefault(word[-letters:], len(numbers)) for word in vocabulary.words], np.int32
    )
