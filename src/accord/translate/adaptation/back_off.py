"""The back-off table: many possible translations of words, for those that the phrase table lacks.

Notation: e, f  a source and a target word;  x  what is known of them, one column per `Clue`
          p(f|e) = exp(w·x(e, f)) / Σ exp(w·x(e, f')), where the sum is over the candidates of e
          w  the weights of the clues: the greater, the lower the temperature of the softmax

The learner has no confident translation for these words, but it knows which words occur in similar
contexts and which are spelled alike. Each word gets up to a hundred candidates, and the language
model chooses among them. w is fitted on words of which the translation is known: the agreed pairs.
"""

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

from accord.corpus.phrases import Phrases
from accord.corpus.vocabulary import NULL, Vocabulary
from accord.evidence.counts import Counts
from accord.evidence.similar_words import SimilarWords
from accord.evidence.spelling import IDENTICAL
from accord.system.arrays import (
    Floats,
    Ids,
    Integers,
    Offsets,
    find_keys,
    pair_keys,
    split_keys,
)
from accord.system.blas import limit_blas_to_one_thread
from accord.system.runners import Runner
from accord.translate.phrase_table import ScoredPair

# Candidates of each word in either direction, and the least probability of one.
CANDIDATES, LEAST_PROBABILITY = 100, 1e-3
# The agreed pairs that w is fitted on: the most confident ones.
MOST_FITTED, LEAST_CONFIDENCE = 5_000, 0.5
RIDGE = 1e-3


class Clue(IntEnum):
    """What is known of a word and one of its candidates."""

    SIMILARITY = 0  # half the CSLS of the two words, by sentences or vectors
    COMPARED = 1  # both words can be compared
    COGNATE = 2  # the similarity of the spellings
    IDENTICAL = 3  # are spelled in the same way: the word is copied
    FREQUENCY = 4  # how much the logs of the relative frequencies differ


class WordKnowledge(NamedTuple):
    """What a run knows of words, besides the phrases."""

    source: Phrases
    target: Phrases
    similar: SimilarWords
    cognates: Counts


class WordCandidates(NamedTuple):
    """Word pairs with their clues, sorted by e and then f.

    Words that are copied into a language which does not have them have numbers after those of its
    vocabulary.
    """

    source: Ids
    target: Ids
    clues: Floats
    source_words: list[str]
    target_words: list[str]


def make_back_off_table(known: WordKnowledge, agreed: Counts, runner: Runner) -> list[ScoredPair]:
    """Return the candidates of all words with p(e|f) and p(f|e).

    `agreed` has pairs of words with their confidence.
    """
    candidates = collect_candidates(known, runner)
    rows = _find_rows(candidates, agreed)
    groups = candidates.target, candidates.source
    weights = fit_weights(candidates.clues, groups, rows)
    backward, forward = (
        compute_probabilities(candidates.clues, of_group, weights) for of_group in groups
    )
    kept = (forward >= LEAST_PROBABILITY) | (backward >= LEAST_PROBABILITY)
    e, f = candidates.source[kept].tolist(), candidates.target[kept].tolist()
    scores = np.stack([backward, forward], axis=1)[kept].tolist()
    return [
        (candidates.source_words[i], candidates.target_words[j], tuple(row))
        for i, j, row in zip(e, f, scores, strict=True)
    ]


def collect_candidates(known: WordKnowledge, runner: Runner) -> WordCandidates:
    """Collect the most similar words, cognates, and copies of words."""
    vocabularies = known.source.vocabulary, known.target.vocabulary
    only_source = _find_copied(*vocabularies)
    only_target = _find_copied(*vocabularies[::-1])
    sizes = len(vocabularies[0]), len(vocabularies[1])
    nearest = known.similar.find_nearest(CANDIDATES, runner)
    pairs: list[tuple[Integers, Integers]] = [
        (nearest.source, nearest.target),
        (known.cognates.source, known.cognates.target),
        (only_source, sizes[1] + np.arange(len(only_source))),
        (sizes[0] + np.arange(len(only_target)), only_target),
    ]
    e, f = split_keys(np.unique(np.concatenate([pair_keys(*pair) for pair in pairs])))
    is_copy = (e >= sizes[0]) | (f >= sizes[1])
    cognate = known.cognates.values_of(e, f)
    similarity, is_compared = known.similar.compare(e, f)
    frequency = [
        np.log(_share_frequency(phrases, len(added))[words])
        for phrases, added, words in (
            (known.source, only_target, e),
            (known.target, only_source, f),
        )
    ]
    clues = np.zeros((len(e), len(Clue)))
    clues[:, Clue.SIMILARITY] = similarity
    clues[:, Clue.COMPARED] = is_compared
    clues[:, Clue.COGNATE] = np.where(is_copy, 1, np.minimum(cognate, 1))
    clues[:, Clue.IDENTICAL] = is_copy | (cognate >= IDENTICAL)
    clues[:, Clue.FREQUENCY] = np.abs(frequency[0] - frequency[1])
    return WordCandidates(
        e,
        f,
        clues,
        [*vocabularies[0].words, *(vocabularies[1].words[word] for word in only_target.tolist())],
        [*vocabularies[1].words, *(vocabularies[0].words[word] for word in only_source.tolist())],
    )


def _find_copied(own: Vocabulary, other: Vocabulary) -> Ids:
    """Return the words that the other language does not have, but could: it has their letters."""
    letters = set().union(*other.words)
    index = other.index
    return np.array(
        [
            number
            for number, word in enumerate(own.words)
            if number != NULL and word not in index and letters.issuperset(word)
        ],
        np.int32,
    )


def _share_frequency(phrases: Phrases, added: int) -> Floats:
    """Return the share of each word in the words of a language, and of words that it lacks."""
    counts = np.maximum(phrases.frequency, 1)
    shares: Floats = np.concatenate([counts, np.ones(added)]) / counts[NULL + 1 :].sum()
    return shares


@limit_blas_to_one_thread()
def fit_weights(clues: Floats, groups: tuple[Ids, Ids], rows: Offsets) -> Floats:
    """Return the weights that make the pairs in these rows most probable, in both directions."""
    sides = [_select_groups(group, rows) for group in groups]

    def measure_loss(w: Floats) -> tuple[float, Floats]:
        loss, slope = RIDGE * float(w @ w), 2 * RIDGE * w
        for places, group, right in sides:
            x = clues[places]
            probability = _compute_softmax(x @ w, group)
            loss -= float(np.log(probability[right]).mean())
            slope -= (x[right].sum(axis=0) - probability @ x) / len(right)
        return loss, slope

    start = np.zeros(clues.shape[1])
    if not len(rows):
        return start
    fitted: Floats = minimize(measure_loss, start, jac=True, method="L-BFGS-B").x
    return fitted


def _select_groups(groups: Ids, rows: Offsets) -> tuple[Offsets, Offsets, Offsets]:
    """Return the places of all candidates of the words in these rows, once for each row; the
    number of the row; and where the row itself is among the places."""
    order = np.argsort(groups, kind="stable")
    ordered = groups[order]
    begins = np.searchsorted(ordered, groups[rows])
    sizes = np.searchsorted(ordered, groups[rows], side="right") - begins
    number = np.repeat(np.arange(len(rows)), sizes)
    within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    places = order[begins[number] + within]
    return places, number, np.flatnonzero(places == rows[number])


def compute_probabilities(clues: Floats, groups: Ids, weights: Floats) -> Floats:
    """Return the softmax of the weighted clues among the candidates of each word."""
    # Added one by one: the sum of a matrix product depends on the number of rows.
    scores = np.zeros(len(clues))
    for clue, weight in zip(clues.T, weights.tolist(), strict=True):
        scores += weight * clue
    return _compute_softmax(scores, groups)


def _compute_softmax(scores: Floats, groups: Integers) -> Floats:
    size = int(groups.max(initial=0)) + 1
    most = np.full(size, -np.inf)
    np.maximum.at(most, groups, scores)
    shares: Floats = np.exp(scores - most[groups])
    shares /= np.bincount(groups, shares, minlength=size)[groups]
    return shares


def _find_rows(candidates: WordCandidates, agreed: Counts) -> Offsets:
    """Return the rows of the most confident agreed pairs."""
    best = np.argsort(-agreed.values, kind="stable")[:MOST_FITTED]
    best = best[agreed.values[best] >= LEAST_CONFIDENCE]
    keys = pair_keys(candidates.source, candidates.target)
    places, is_known = find_keys(keys, pair_keys(agreed.source[best], agreed.target[best]))
    return places[is_known]
