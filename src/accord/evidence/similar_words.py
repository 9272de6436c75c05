"""Likely translations of words, by what whole sentences or given vectors say about them.

Notation: mapped  the cosine of two words in the space of `mapping`
          anchored  the cosine of their associations with the words of known pairs, as in `context`,
          but in sentences
          π(f|e)  the share of word e that f gets, for its nearest words

The two similarities make different errors: the map generalises over all contexts, and known pairs
need no map. So words are compared by the sum of both, and each learns from the other: the words
that match best by the sum become known pairs of both. Everything is computed once, before the first
iteration, from the seed alone.
"""

from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array, hstack

from accord.evidence.cooccurrence import Cooccurrences
from accord.evidence.counts import Counts
from accord.evidence.mapping import (
    NEIGHBOURS,
    KnownPairs,
    Space,
    embed,
    fit_map,
    learn_map,
)
from accord.evidence.similarity import (
    Matches,
    Similarity,
    find_mutual_best,
    find_nearest,
    measure_hubness,
)
from accord.evidence.vectors import WordVectors
from accord.system.arrays import Floats, Floats32, Ids, Mask, Offsets, find_keys
from accord.system.blas import limit_blas_to_one_thread
from accord.system.runners import Runner
from accord.system.runners.threads import Threads

# How much the anchored similarity weighs, compared to the mapped one.
ANCHORED = 2.0
# The map and the anchors are refined in this many rounds. Each matches the most frequent words, and
# takes the best matches for the map, and the best of these as anchors.
ROUNDS, MATCHED_WORDS = 2, 8_000
MAX_MATCHES, MAX_ANCHORS = 4_000, 2_000
NEAREST = 10
# Shares are proportional to exp(similarity / TEMPERATURE).
TEMPERATURE = 0.2
# A logistic regression: the log odds that a pair is right, by log π→ + log π← and the log frequency
# of the rarer word. It was fitted on development parts of real text, large and small, in two
# language pairs: rare words have few contexts, and what contexts prove depends on little else.
BIAS, BY_SHARE, BY_FREQUENCY = -3.854, 0.598, 1.036
LEAST_SHARE = 1e-4
MIN_PROBABILITY = 0.05
# Words with vectors that the user brings count as if they were at least this frequent: the text
# that the vectors come from is larger.
WITH_VECTORS = 100
# The pseudo-counts of a pair that is certainly right.
PSEUDO_COUNT = 5.0
# Pairs that are compared at a time.
COMPARED = 65_536

AnySides = tuple[Cooccurrences, Cooccurrences] | tuple[WordVectors, WordVectors]


class WordEvidence(NamedTuple):
    """What is known about the words of both languages besides the phrases."""

    sentences: tuple[Cooccurrences, Cooccurrences] | None = None
    vectors: tuple[WordVectors, WordVectors] | None = None


class ComparedWords(NamedTuple):
    """Words of one language, and what each is compared by."""

    words: Offsets  # ascending
    frequency: Offsets
    mapped: Floats32  # one row for each word
    anchored: csr_array

    @classmethod
    def none(cls) -> "ComparedWords":
        nothing = np.empty(0, np.int64)
        return cls(nothing, nothing, np.empty((0, 1), np.float32), csr_array((0, 1), dtype="f4"))

    def find_rows(self, words: Ids) -> tuple[Offsets, Mask]:
        """Return (the row of each word, whether it has one)."""
        return find_keys(self.words, words.astype(np.int64))

    def select_known(self) -> "ComparedWords":
        """Leave out words about which nothing is known: they are equally similar to all words."""
        known = self.mapped.any(axis=1) | (np.diff(self.anchored.indptr) > 0)
        return self.select(np.flatnonzero(known))

    def select_frequent(self, count: int) -> "ComparedWords":
        """The most frequent of these words."""
        return self.select(np.sort(np.argsort(-self.frequency, kind="stable")[:count]))

    def select(self, rows: Offsets) -> "ComparedWords":
        return ComparedWords(
            self.words[rows], self.frequency[rows], self.mapped[rows], self.anchored[rows]
        )


class SimilarWords(NamedTuple):
    """The words of both languages in one space, and which are nearest to each other."""

    source: ComparedWords
    target: ComparedWords
    hubness: tuple[Floats32, Floats32]  # of the words of each language
    counts: Counts  # of the nearest words: the probability that each pair is right

    @classmethod
    def none(cls) -> "SimilarWords":
        nothing = ComparedWords.none(), np.empty(0, np.float32)
        return cls(nothing[0], nothing[0], (nothing[1], nothing[1]), Counts.none())

    def compare(self, e: Ids, f: Ids) -> tuple[Floats, Mask]:
        """Return (half of the CSLS of each pair, whether both its words can be compared)."""
        row, has_row = self.source.find_rows(e)
        column, has_column = self.target.find_rows(f)
        known = has_row & has_column
        similarity = np.zeros(len(e))
        places = np.flatnonzero(known)
        for first in range(0, len(places), COMPARED):
            some = places[first : first + COMPARED]
            similarity[some] = self._compare_rows(row[some], column[some])
        return similarity, known

    def find_nearest(self, count: int, runner: Runner) -> Counts:
        """Return the nearest words of each word, in either direction, with their CSLS."""
        if not len(self.source.words) or not len(self.target.words):
            return Counts.none()
        with limit_blas_to_one_thread():
            similarity = _add_both(self.source, self.target)
            found = find_nearest(similarity, self.hubness, count, runner)
        row = np.repeat(np.arange(found.shape[0]), np.diff(found.indptr))
        return Counts.total(
            self.source.words[row].astype(np.int32),
            self.target.words[found.indices].astype(np.int32),
            found.data.astype(np.float64),
        )

    def _compare_rows(self, row: Offsets, column: Offsets) -> Floats:
        (_, _, X, A), (_, _, Y, B) = self.source, self.target
        mapped = np.einsum("ij,ij->i", X[row], Y[column])
        anchored = A[row].multiply(B[column]).sum(axis=1)
        hubness = self.hubness[0][row] + self.hubness[1][column]
        compared: Floats = mapped + ANCHORED * anchored - hubness / 2
        return compared


@limit_blas_to_one_thread()
def find_similar_words(evidence: WordEvidence, seed: Counts, runner: Runner) -> SimilarWords:
    """Compare the words of both languages by sentences or vectors, starting from the seed."""
    sentences, vectors = evidence
    sides: AnySides | None = sentences or vectors
    if not sides:
        return SimilarWords.none()
    one, other = sides
    known = find_known_rows(one.words, other.words, seed)
    if not len(known.source):
        return SimilarWords.none()
    # Workers elsewhere may have other BLAS threads, and this takes little time.
    local = runner if isinstance(runner, Threads) else Threads()
    if vectors:
        X, Y = vectors[0].rows_of(one.words), vectors[1].rows_of(other.words)
    else:
        assert sentences
        X, Y = local.map(_embed_side, sentences, items=2, shard=1)
    space = Space(X, Y, one.frequency, other.frequency)
    mapped, matches = learn_map(space, known, local)
    least = WITH_VECTORS if vectors else 0
    for _ in range(ROUNDS):
        compared = _collect_both(
            sides, mapped, known.extended(matches.take_best(MAX_ANCHORS)), least
        )
        matches = _match_frequent(compared, sides, local)
        mapped = fit_map(space, known.extended(matches.take_best(MAX_MATCHES)), len(known.source))
    source, target = _collect_both(
        sides, mapped, known.extended(matches.take_best(MAX_ANCHORS)), least
    )
    if not len(source.words) or not len(target.words):
        return SimilarWords.none()
    return _compare_words(source, target, local)


def _collect_both(
    sides: AnySides, mapped: Space, anchors: KnownPairs, least: int
) -> tuple[ComparedWords, ComparedWords]:
    one, other = sides
    return (
        _collect_words(one, mapped.source, anchors.source, least),
        _collect_words(other, mapped.target, anchors.target, least),
    )


def _match_frequent(
    compared: tuple[ComparedWords, ComparedWords], sides: AnySides, runner: Runner
) -> Matches:
    """Match the most frequent words by both similarities; return the rows of the sides."""
    source, target = (side.select_frequent(MATCHED_WORDS) for side in compared)
    if not len(source.words) or not len(target.words):
        return Matches.none()
    matches = find_mutual_best(_add_both(source, target), runner)
    rows, _ = find_keys(sides[0].words, source.words[matches.rows])
    columns, _ = find_keys(sides[1].words, target.words[matches.columns])
    return matches._replace(rows=rows, columns=columns)


def _collect_words(
    side: Cooccurrences | WordVectors, mapped: Floats32, anchors: Offsets, least: int
) -> ComparedWords:
    """Return the words of one language that can be compared."""
    frequency = np.maximum(side.frequency, least)
    anchored = _select_anchors(side, anchors)
    return ComparedWords(side.words, frequency, mapped, anchored).select_known()


def _add_both(source: ComparedWords, target: ComparedWords) -> Similarity:
    """The sum of both similarities."""
    anchored = source.anchored, target.anchored.T.tocsr()
    compute = partial(_add_similarities, source.mapped, target.mapped.T, *anchored)
    return Similarity(compute, len(source.words), NEIGHBOURS)


def _compare_words(source: ComparedWords, target: ComparedWords, runner: Runner) -> SimilarWords:
    similarity = _add_both(source, target)
    hubness = measure_hubness(similarity, runner)
    nearest = find_nearest(similarity, hubness, NEAREST, runner)
    return SimilarWords(source, target, hubness, _estimate_counts(nearest, source, target))


def _embed_side(one: Cooccurrences, other: Cooccurrences, first: int, _last: int) -> Floats32:
    """The vectors of one of the languages: a shard is a language."""
    return embed((one, other)[first])


def find_known_rows(source: Offsets, target: Offsets, known: Counts) -> KnownPairs:
    """The rows of the known pairs, given the words of the rows."""
    if not len(source) or not len(target):
        return KnownPairs(np.empty(0, np.int64), np.empty(0, np.int64))
    pairs = []
    for words, wanted in ((source, known.source), (target, known.target)):
        rows = np.minimum(np.searchsorted(words, wanted), len(words) - 1)
        pairs.append((rows, words[rows] == wanted))
    (e, has_e), (f, has_f) = pairs
    return KnownPairs(e[has_e & has_f], f[has_e & has_f])


def _select_anchors(counts: Cooccurrences | WordVectors, anchors: Offsets) -> csr_array:
    """Return rows of length 1: the associations of each word with the anchors in the sentences."""
    if isinstance(counts, WordVectors):
        return csr_array((len(counts.words), 1), dtype=np.float32)
    features = hstack([matrix[:, anchors] for matrix in counts.associations], format="csr")
    norms = np.sqrt(features.multiply(features).sum(axis=1))
    norms[norms == 0] = 1
    features.data /= np.repeat(norms, np.diff(features.indptr))
    return features.astype(np.float32)


def _add_similarities(
    X: Floats32, Y: Floats32, anchored_X: csr_array, anchored_Y: csr_array, first: int, last: int
) -> Floats32:
    anchored: Floats32 = (anchored_X[first:last] @ anchored_Y).toarray()
    anchored *= np.float32(ANCHORED)
    anchored += X[first:last] @ Y
    return anchored


def _estimate_counts(nearest: csr_array, one: ComparedWords, other: ComparedWords) -> Counts:
    """Return the probability that each of the nearest pairs is right, in pseudo-counts."""
    row = np.repeat(np.arange(nearest.shape[0]), np.diff(nearest.indptr))
    column = nearest.indices
    shares = _share_rows(nearest).data, _share_rows(nearest.T.tocsr()).T.tocsr().data
    rarer = np.minimum(one.frequency[row], other.frequency[column])
    odds = BIAS + BY_SHARE * sum(np.log(share + LEAST_SHARE) for share in shares)
    probability = 1 / (1 + np.exp(-odds - BY_FREQUENCY * np.log(rarer)))
    kept = probability >= MIN_PROBABILITY
    return Counts.total(
        one.words[row[kept]].astype(np.int32),
        other.words[column[kept]].astype(np.int32),
        PSEUDO_COUNT * probability[kept],
    )


def _share_rows(nearest: csr_array) -> csr_array:
    """Return π: how much of each row goes to each of its nearest columns."""
    row = np.repeat(np.arange(nearest.shape[0]), np.diff(nearest.indptr))
    best = np.full(nearest.shape[0], -np.inf)
    np.maximum.at(best, row, nearest.data)
    shares = np.exp((nearest.data - best[row]) / TEMPERATURE)
    shares /= np.bincount(row, shares, minlength=nearest.shape[0])[row]
    return csr_array((shares, nearest.indices, nearest.indptr), nearest.shape)
