"""Evidence from spelling: morphological variants within a language, cognates between languages.

Notation: V  V[a, b] > 0 for two words of one language that are variants of each other
          share  twice the number of features that two words have in common, divided by the sum of
                 their numbers of features (the Dice coefficient)

A rare word is often a variant of a frequent one ("areas", "area") whose translation is known.
So the count of each word pair is transferred, in part, to the variants of its words.
Languages with the same script share names and cognates ("commission", "kommission"): such pairs
get pseudo-counts.
"""

import unicodedata
from collections import Counter

import numpy as np
from scipy.sparse import csr_array

from accord.corpus.vocabulary import Vocabulary
from accord.evidence.counts import Counts
from accord.system.arrays import Floats, Floats32, Ids, Offsets

# The least share of two variants, by letters, and of two cognates, by trigrams.
MIN_VARIANT_SHARE, MIN_COGNATE_SHARE = 0.6, 0.5
# Variants in an alphabetic script have a common prefix of at least this many letters. In scripts in
# which a character is a syllable or a word, such as the Chinese, they may share any character.
MIN_PREFIX = 4
SYLLABIC = [("\u3040", "\u30ff"), ("\u3400", "\u9fff"), ("\uac00", "\ud7a3"), ("𠀀", "𳿿")]
BLOCK = 1024
# The least length of a cognate.
MIN_COGNATE_LETTERS = 4
# The pseudo-counts of identical words, besides those of cognates.
IDENTICAL = 4.0
# The part of the lexical score of a pair that is transferred to pairs in which one word is replaced
# by a variant, or both are.
ONE_VARIANT, TWO_VARIANTS = 1.0, 0.3
MIN_TRANSFER = 1e-3


def find_variants(vocabulary: Vocabulary) -> csr_array:
    """Return V: the share of letters that two variants have in common, 0 for other words.

    Words with digits have no variants.
    """
    features = [
        _make_letter_features(word) if _is_inflectable(word) else [] for word in vocabulary.words
    ]
    row, column, share = _compare_features(features, features, MIN_VARIANT_SHARE)
    others = row != column
    size = len(vocabulary)
    return csr_array((share[others], (row[others], column[others])), (size, size))


def are_variants(one: str, other: str) -> bool:
    """Return whether two words are variants of each other, as `find_variants` finds them."""
    if one == other or not (_is_inflectable(one) and _is_inflectable(other)):
        return False
    features, others = _make_letter_features(one), _make_letter_features(other)
    common = len({*features} & {*others})
    return 2 * common >= MIN_VARIANT_SHARE * max(len(features) + len(others), 1)


def measure_productivity(variants: csr_array, vocabulary: Vocabulary) -> Floats:
    """Return, for each entry of V, how regular the change of endings is, from 0 to 1.

    "areas" and "area" differ as many other words do, so they are likely to be forms of one word. In
    syllabic scripts, variants are compounds and have no endings: all values are 0.
    """
    pairs = variants.tocoo()
    words = vocabulary.words
    changes = [
        _find_endings(words[a], words[b], share)
        for a, b, share in zip(*pairs.coords, pairs.data.tolist(), strict=True)
    ]
    counts = Counter(changes)
    del counts["", ""]
    most = max(counts.values(), default=1)
    regular = [
        np.log1p(counts[change]) / np.log1p(most) if any(change) else 0 for change in changes
    ]
    return np.array(regular, np.float64)


def _find_endings(one: str, other: str, share: float) -> tuple[str, str]:
    """Return what follows the common prefix of two variants; nothing in syllabic scripts."""
    if _is_syllabic(one):
        return "", ""
    prefix = round(share * (len(one) + len(other)) / 2)
    return one[prefix:], other[prefix:]


def _is_syllabic(word: str) -> bool:
    return any(first <= word[0] <= last for first, last in SYLLABIC)


def _compare_features(
    one: list[list[str]], other: list[list[str]], min_share: float
) -> tuple[Ids, Ids, Floats32]:
    """Return (rows, columns, shares) of the word pairs with enough features in common."""
    numbers: dict[str, int] = {}
    features, sizes = _number_features(one, numbers)
    other_features, other_sizes = _number_features(other, numbers)
    features.resize(len(one), len(numbers))
    transposed = other_features.T.tocsr()
    blocks = []
    for first in range(0, len(one), BLOCK):
        common = (features[first : first + BLOCK] @ transposed).tocoo()
        row, column = common.coords
        row = row + first
        share = 2 * common.data / (sizes[row] + other_sizes[column])
        kept = share >= min_share
        blocks.append((row[kept], column[kept], share[kept]))
    row, column, share = (np.concatenate(part) for part in zip(*blocks, strict=True))
    return row, column, share


def _number_features(words: list[list[str]], numbers: dict[str, int]) -> tuple[csr_array, Offsets]:
    """Return (a 0-1 matrix of words and features, the number of features of each word).

    New features are added to `numbers`.
    """
    sizes = np.array([len(own) for own in words])
    columns = [numbers.setdefault(feature, len(numbers)) for own in words for feature in own]
    rows = np.repeat(np.arange(len(words)), sizes)
    ones = np.ones(len(rows), np.float32)
    return csr_array((ones, (rows, columns)), (len(words), len(numbers))), np.maximum(sizes, 1)


def _is_inflectable(word: str) -> bool:
    """Whether the word begins with a letter and has no digits."""
    return word[:1].isalpha() and not any(letter.isdigit() for letter in word)


def _make_letter_features(word: str) -> list[str]:
    """Return one feature per letter: two words have as many in common as they share letters."""
    if _is_syllabic(word):
        return sorted(set(word))
    # Each prefix stands for its last letter; the short ones only count together with the first that
    # is long enough.
    if len(word) < MIN_PREFIX:
        return []
    return [f"{word[: max(length, MIN_PREFIX)]}{length}" for length in range(1, len(word) + 1)]


def transfer_counts(
    counts: Counts, source_variants: csr_array, target_variants: csr_array, smoothing: float
) -> Counts:
    """Return the counts that word pairs transfer to the pairs of their variants.

    The amount depends on the lexical score of a pair, c / √((Σ_f c + s)·(Σ_e c + s)), which is the
    same in both directions.
    """
    sizes = source_variants.shape[0], target_variants.shape[0]
    source_sums = np.bincount(counts.source, counts.values, minlength=sizes[0]) + smoothing
    target_sums = np.bincount(counts.target, counts.values, minlength=sizes[1]) + smoothing
    score = counts.values / np.sqrt(source_sums[counts.source] * target_sums[counts.target])
    kept = (counts.source > 0) & (score >= MIN_TRANSFER)
    pairs = csr_array((score[kept], (counts.source[kept], counts.target[kept])), sizes)
    with_target_variant = pairs @ target_variants
    one_variant = with_target_variant + source_variants @ pairs
    two_variants = source_variants @ with_target_variant
    added = (ONE_VARIANT * one_variant + TWO_VARIANTS * two_variants).tocoo()
    kept = added.data >= MIN_TRANSFER
    e, f = (axis[kept].astype(np.int32) for axis in added.coords)
    return Counts.total(e, f, added.data[kept])


def find_cognates(source: Vocabulary, target: Vocabulary) -> Counts:
    """Return the words of the two languages with similar spelling, counted by their share.

    Identical words count for more, in particular those of a foreign script: Latin letters in a
    Chinese text are names and terms, whatever their length.
    """
    one, other = ([_split_into_trigrams(word) for word in side.words] for side in (source, target))
    e, f, share = _compare_features(one, other, MIN_COGNATE_SHARE)
    cognates = Counts.total(e.astype(np.int32), f.astype(np.int32), share.astype(np.float64))
    return cognates.plus(_count_identical(source, target))


def _count_identical(source: Vocabulary, target: Vocabulary) -> Counts:
    """Return the counts of words that are in both languages and translate each other."""
    scripts = {_find_script(side) for side in (source, target)}
    pairs = [
        (source.index[word], target.index[word])
        for word in source.words[1:]
        if word in target.index
        and (len(word) >= MIN_COGNATE_LETTERS or scripts - {_name_script(word)})
    ]
    e, f = np.array(pairs, np.int32).reshape(-1, 2).T
    return Counts.total(e, f, np.full(len(e), IDENTICAL))


def _find_script(vocabulary: Vocabulary) -> str:
    """Return the script of most words."""
    scripts = Counter(map(_name_script, vocabulary.words[1:]))
    return max(scripts, key=lambda script: (scripts[script], script), default="")


def _name_script(word: str) -> str:
    """Return the first word of the Unicode name of the first letter: LATIN, CYRILLIC, CJK, …"""
    letter = next(filter(str.isalpha, word), "")
    return unicodedata.name(letter, "").split(" ")[0] if letter else ""


def _split_into_trigrams(word: str) -> list[str]:
    """Return the trigrams without case and accents. Numbers and codes are left whole."""
    if len(word) < MIN_COGNATE_LETTERS:
        return []
    if not word.isalpha():
        return [word]
    letters = unicodedata.normalize("NFKD", word.casefold())
    padded = f"<{''.join(c for c in letters if not unicodedata.combining(c))}>"
    return sorted({padded[at : at + 3] for at in range(len(padded) - 2)})
