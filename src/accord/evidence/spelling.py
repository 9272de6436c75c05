"""What spelling tells: forms of one word within a language, words that both languages have.

Notation: relatives  K[a, b] > 0 for two words of one language that begin alike
          share  twice what two words have in common, over what both have

A rare word is often another form of a frequent one ("areas", "area"), and its translation is a
word that is known already. So the counts of every pair are lent to the pairs of their relatives.
And where two languages share a script, they share names, and words with a history
("commission", "kommission"): words spelt alike count as if they had been seen together.
"""

import unicodedata
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from accord.corpus.vocabulary import Vocabulary
from accord.evidence.counts import Counts

# Relatives share so much of their letters; words of two languages so much of their trigrams.
LEAST_SHARE, LEAST_ALIKE = 0.6, 0.5
# Words of an alphabet are compared by their beginnings, of so many letters at least. In scripts
# where a letter is a syllable or a word, as the Chinese, any letter may be the common one.
LEAST_BEGINNING = 4
SYLLABIC = [("\u3040", "\u30ff"), ("\u3400", "\u9fff"), ("\uac00", "\ud7a3"), ("𠀀", "𳿿")]
BLOCK = 1024
# Words of two languages that are spelt alike have so many letters.
LEAST_LETTERS = 4
# What a pair that was counted for certain lends where one of its words has another form, and where
# both have.
LENT, LENT_TWICE = 1.0, 0.3
LEAST_LENT = 1e-3

Array = NDArray[Any]
Shares = tuple[Array, Array, Array]


def relatives_of(vocabulary: Vocabulary) -> csr_array:
    """How much of their letters two words share, 0 for those not related.

    Words with digits in them are nobody's relatives.
    """
    features = [_features(word) if _has_forms(word) else [] for word in vocabulary.words]
    row, column, share = shares(features, features, LEAST_SHARE)
    others = row != column
    size = len(vocabulary)
    return csr_array((share[others], (row[others], column[others])), (size, size))


def shares(one: list[list[str]], other: list[list[str]], least: float) -> Shares:
    """(rows, columns, shares) of the words that have enough of their features in common."""
    numbers: dict[str, int] = {}
    has, sizes = _matrix(one, numbers)
    other_has, other_sizes = _matrix(other, numbers)
    has.resize(len(one), len(numbers))
    transposed = other_has.T.tocsr()
    blocks = []
    for first in range(0, len(one), BLOCK):
        common = (has[first : first + BLOCK] @ transposed).tocoo()
        row, column = common.coords
        row = row + first
        share = 2 * common.data / (sizes[row] + other_sizes[column])
        kept = share >= least
        blocks.append((row[kept], column[kept], share[kept]))
    row, column, share = (np.concatenate(part) for part in zip(*blocks, strict=True))
    return row, column, share


def _matrix(words: list[list[str]], numbers: dict[str, int]) -> tuple[csr_array, Array]:
    """Which features each word has, and how many; new features get the next numbers."""
    sizes = np.array([len(own) for own in words])
    columns = [numbers.setdefault(feature, len(numbers)) for own in words for feature in own]
    rows = np.repeat(np.arange(len(words)), sizes)
    ones = np.ones(len(rows), np.float32)
    return csr_array((ones, (rows, columns)), (len(words), len(numbers))), np.maximum(sizes, 1)


def _has_forms(word: str) -> bool:
    """Whether it begins with a letter and holds no digit."""
    return word[:1].isalpha() and not any(letter.isdigit() for letter in word)


def _features(word: str) -> list[str]:
    """One for each letter of the word; two words have as many in common as they share letters."""
    if any(first <= word[0] <= last for first, last in SYLLABIC):
        return sorted(set(word))
    # All beginnings stand for their letters, those too short to tell with the shortest that does.
    if len(word) < LEAST_BEGINNING:
        return []
    return [f"{word[: max(length, LEAST_BEGINNING)]}{length}" for length in range(1, len(word) + 1)]


def lent_counts(counts: Counts, source: csr_array, target: csr_array, smoothing: float) -> Counts:
    """What the counts of all pairs lend to the relatives of their words.

    A pair lends by its strength c / √((Σ_f c + s)·(Σ_e c + s)), the same in both directions.
    """
    from_sums = np.bincount(counts.source, counts.values, minlength=source.shape[0]) + smoothing
    to_sums = np.bincount(counts.target, counts.values, minlength=target.shape[0]) + smoothing
    strength = counts.values / np.sqrt(from_sums[counts.source] * to_sums[counts.target])
    kept = (counts.source > 0) & (strength >= LEAST_LENT)
    pairs = csr_array(
        (strength[kept], (counts.source[kept], counts.target[kept])),
        (source.shape[0], target.shape[0]),
    )
    other_target = pairs @ target
    lent = LENT * (other_target + source @ pairs) + LENT_TWICE * (source @ other_target)
    lent = lent.tocoo()
    kept = lent.data >= LEAST_LENT
    e, f = (axis[kept].astype(np.int32) for axis in lent.coords)
    return Counts.total(e, f, lent.data[kept])


def alike_words(source: Vocabulary, target: Vocabulary) -> Counts:
    """Words of the two languages that are spelt alike, each pair counted by what it shares."""
    one, other = ([_trigrams(word) for word in side.words] for side in (source, target))
    e, f, share = shares(one, other, LEAST_ALIKE)
    return Counts.total(e.astype(np.int32), f.astype(np.int32), share.astype(np.float64))


def _trigrams(word: str) -> list[str]:
    """Without case and accents; a word that is not all letters is like itself only."""
    if len(word) < LEAST_LETTERS:
        return []
    if not word.isalpha():
        return [word]
    letters = unicodedata.normalize("NFKD", word.casefold())
    padded = f"<{''.join(c for c in letters if not unicodedata.combining(c))}>"
    return sorted({padded[at : at + 3] for at in range(len(padded) - 2)})
