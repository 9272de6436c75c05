"""What spelling tells: forms of one word within a language, the same word in both.

Notation: relatives  K[a, b] > 0 for two words of one language that begin alike

A rare word is often another form of a frequent one ("areas", "area"), and its translation is a
word that is known already. So the counts of every pair are lent to the pairs of their relatives.
"""

import numpy as np
from scipy.sparse import csr_array

from accord.counts import Counts
from accord.phrases import Vocabulary

# Relatives share so much of their letters: twice what is common, over what both have.
LEAST_SHARE = 0.6
# Words of an alphabet are compared by their beginnings, of so many letters at least. In scripts
# where a letter is a syllable or a word, as the Chinese, any letter may be the common one.
LEAST_BEGINNING = 4
SYLLABIC = [("\u3040", "\u30ff"), ("\u3400", "\u9fff"), ("\uac00", "\ud7a3"), ("𠀀", "𳿿")]
BLOCK = 1024
# Identical words in both languages have so many letters.
LEAST_IDENTICAL = 4
# What a pair that was counted for certain lends to another form.
LENT = 1.0
LEAST_LENT = 1e-3


def relatives_of(vocabulary: Vocabulary) -> csr_array:
    """How much of their letters two words share, 0 for those not related.

    Words with digits in them are nobody's relatives.
    """
    features: dict[str, int] = {}
    rows: list[int] = []
    columns: list[int] = []
    sizes = np.ones(len(vocabulary))
    for number, word in enumerate(vocabulary.words):
        own = _features(word) if _has_forms(word) else []
        sizes[number] = max(len(own), 1)
        rows += [number] * len(own)
        columns += [features.setdefault(feature, len(features)) for feature in own]
    ones = np.ones(len(rows), np.float32)
    has = csr_array((ones, (rows, columns)), (len(vocabulary), len(features)))
    transposed = has.T.tocsr()
    blocks = []
    for first in range(0, len(vocabulary), BLOCK):
        shared = (has[first : first + BLOCK] @ transposed).tocoo()
        row, column = shared.coords
        row = row + first
        share = 2 * shared.data / (sizes[row] + sizes[column])
        kept = (share >= LEAST_SHARE) & (row != column)
        blocks.append((row[kept], column[kept], share[kept]))
    row, column, share = (np.concatenate(part) for part in zip(*blocks, strict=True))
    return csr_array((share, (row, column)), (len(vocabulary), len(vocabulary)))


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
    lent = LENT * (pairs @ target + source @ pairs).tocoo()
    kept = lent.data >= LEAST_LENT
    e, f = (axis[kept].astype(np.int32) for axis in lent.coords)
    return Counts.total(e, f, lent.data[kept])


def identical_words(source: Vocabulary, target: Vocabulary, seed: Counts) -> Counts:
    """Words that both languages have and the seed has not: names, mostly, and numbers."""
    seeded = set(seed.source.tolist()), set(seed.target.tolist())
    pairs = [
        (number, target.index[word])
        for word, number in source.index.items()
        if word in target.index
        and len(word) >= LEAST_IDENTICAL
        and number not in seeded[0]
        and target.index[word] not in seeded[1]
    ]
    e, f = np.array(pairs, np.int32).reshape(-1, 2).T
    return Counts.total(e, f, np.ones(len(e)))
