"""The translations of a phrase or a word, as a run has learned them.

Notation: source and target are those of the run, whichever of the two is queried
          q→(s|t), q←(t|s)  the posteriors of a pair, as in learning/posterior.py

The phrases of the other language are searched for candidates, and the best of these are scored in
the other direction as well. The posteriors of both directions determine the confidence of a pair,
as they do for the pairs of the run itself.
"""

from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple, TypeVar

import numpy as np

from accord.corpus.phrases import Phrases
from accord.corpus.vocabulary import NULL, normalise
from accord.errors import InputError, SettingError
from accord.formats.records import WordAlignment
from accord.learning.confidence import (
    compute_coverage,
    find_single_words,
    make_word_tables,
    predict_phrase_confidence,
    predict_word_confidence,
    stack_features,
    word_coefficients,
)
from accord.learning.coverage_kernels import WordTables
from accord.learning.model.parameters import Models
from accord.learning.search.candidates import listing_threshold
from accord.learning.word_kernels import PhrasePairs, PhraseWords, align_words
from accord.runs.query.direction import QueriedCorpus, QueriedDirection
from accord.runs.query.posteriors import (
    QueriedPhrase,
    QueryDirections,
    RankedTranslations,
    rank_translations,
)
from accord.runs.query.supporting_pairs import NONE, FoundPairs
from accord.runs.results import LexiconEntry
from accord.runs.trained import Trained
from accord.system.arrays import Floats, Ids, Mask, Offsets
from accord.system.runners.threads import Threads

# How many candidates are scored in the other direction, unless more translations are wanted.
MIN_SCORED_BACK = 10
# How many pairs of the run are shown for a translation.
SUPPORT = 3

T = TypeVar("T")


class Support(NamedTuple):
    """A phrase pair of the run that contains a word link of a translation."""

    source: str
    target: str
    confidence: float | None


class Translation(NamedTuple):
    """A pair of phrases, one of which was queried."""

    source: str
    target: str
    confidence: float | None  # None with the paper's methods
    forward_posterior: float  # q→(s|t)
    backward_posterior: float  # q←(t|s)
    alignment: WordAlignment  # 0-based (source word, target word)
    found: bool  # whether it is a pair of the run
    support: tuple[Support, ...]  # other pairs of the run that contain one of these word links


class Translations(NamedTuple):
    """The translations of a phrase, the best first."""

    phrases: list[Translation]
    words: list[LexiconEntry]  # the word pairs of a single word
    unknown: list[str]  # the words of the phrase that are not in the model


class PairEnds(NamedTuple):
    """One end of each pair: its phrase among a few, its number in the corpus or 0, its text."""

    phrases: Phrases
    places: Ids
    numbers: Ids
    texts: list[str]

    @property
    def lengths(self) -> Offsets:
        """The number of words of each phrase."""
        return self.phrases.lengths[self.places].astype(np.int64)

    def find_word(self, pair: int, position: int) -> int:
        """Return the number of the word at a position of a pair's phrase."""
        return int(self.phrases.words[self.phrases.offsets[self.places[pair]] + position])


class Translator:
    """Answers queries about a model; what a query needs is computed by the first one."""

    def __init__(self, trained: Trained) -> None:
        self.trained = trained
        runner = Threads()
        state, settings = trained.state, trained.settings
        source, target = QueriedCorpus(trained.source), QueriedCorpus(trained.target)
        self.forward = QueriedDirection(
            source, target, state.forward, state.forward_alignment, settings, runner
        )
        self.backward = QueriedDirection(
            target, source, state.backward, state.backward_alignment, settings, runner
        )
        self.found = FoundPairs(trained.source, trained.target, state.agreed, runner)
        self.is_calibrated = settings.agreement == "posterior"

    @property
    def models(self) -> Models:
        """Both directions, with a word on either side that stands for unknown words."""
        return Models(self.forward.model, self.backward.model)

    @cached_property
    def word_tables(self) -> WordTables:
        """What is known about word pairs, including the words that stand for unknown ones."""
        frequency = self.forward.source.frequency, self.forward.target.frequency
        return make_word_tables(self.models, self.trained.odds, frequency)

    def translate(self, phrase: str, top: int = 10, *, reverse: bool = False) -> Translations:
        """Return the best translations of a source phrase; with `reverse`, of a target phrase.

        Words are separated by spaces, as in the phrases of the run.
        """
        if top < 1:
            raise SettingError(f"top: must be a whole number of at least 1, found {top}")
        own, other = order_sides(self.backward, self.forward, reverse=reverse)
        words = normalise(phrase).split()
        numbers = _number_words(words, own)
        text = " ".join(words)
        queried = QueriedPhrase(numbers, own.target.find(text))
        least = listing_threshold(self.trained.settings)
        directions = QueryDirections(own, other, least)
        ranked = rank_translations(directions, queried, max(top, MIN_SCORED_BACK))
        seed = self.trained.seed
        accepted = _select_translations(seed.accepted, text, reverse=reverse)
        ranked = ranked.with_accepted([own.source.find(f) for f in accepted], least)
        known = own.target.is_known(numbers).tolist()
        return Translations(
            self._make_pairs(text, queried, ranked, top, reverse=reverse),
            self._find_entries(int(numbers[0]), top, reverse=reverse) if len(words) == 1 else [],
            [word for word, is_known in zip(words, known, strict=True) if not is_known],
        )

    def _make_pairs(
        self,
        text: str,
        queried: QueriedPhrase,
        ranked: RankedTranslations,
        top: int,
        *,
        reverse: bool,
    ) -> list[Translation]:
        """Return the best pairs, each with the source of the run first."""
        source, target = self._make_ends(text, queried, ranked, reverse=reverse)
        pairs = self.found.find(source.numbers, target.numbers)
        confidence = self._predict_confidence(source, target, ranked, pairs)
        log_q = order_sides(ranked.log_back, ranked.log_q, reverse=reverse)
        forward, backward = (
            np.exp(np.minimum(_prefer_run(of_run, pairs, computed), 0.0))
            for of_run, computed in zip(self.trained.state.log_q, log_q, strict=True)
        )
        alignments = self._align(source, target)
        # Without confidence, the pairs keep their rank.
        order = np.arange(len(pairs))
        if self.is_calibrated:
            order = np.argsort(-confidence, kind="stable")
        is_wanted = self._is_wanted(text, ranked.phrases, reverse=reverse)
        best = order[is_wanted[order]][:top].tolist()
        support = self.found.find_support(
            [
                [(source.find_word(n, i), target.find_word(n, j)) for i, j in alignments[n]]
                for n in best
            ],
            pairs[best].tolist(),
            SUPPORT,
        )
        return [
            Translation(
                source=source.texts[n],
                target=target.texts[n],
                confidence=self._report(confidence[n]),
                forward_posterior=float(forward[n]),
                backward_posterior=float(backward[n]),
                alignment=alignments[n],
                found=bool(pairs[n] != NONE),
                support=tuple(map(self._make_support, supporting)),
            )
            for n, supporting in zip(best, support, strict=True)
        ]

    def _make_ends(
        self, text: str, queried: QueriedPhrase, ranked: RankedTranslations, *, reverse: bool
    ) -> tuple[PairEnds, PairEnds]:
        """Return the sources and the targets of the pairs of the queried phrase and its
        translations."""
        here, there = order_sides(self.forward.source, self.forward.target, reverse=reverse)
        count = len(ranked.phrases)
        each, ones = np.arange(1, count + 1, dtype=np.int32), np.ones(count, np.int32)
        phrase = here.single_phrase(queried.words)
        query = PairEnds(phrase, ones, ones * queried.number, [text] * count)
        texts = [there.phrases[number] for number in ranked.phrases.tolist()]
        answer = PairEnds(there.phrases.select(ranked.phrases), each, ranked.phrases, texts)
        return order_sides(query, answer, reverse=reverse)

    def _is_wanted(self, text: str, phrases: Ids, *, reverse: bool) -> Mask:
        """Return which translations may be shown: no phrases that were only learned from, and none
        that reviewers have rejected."""
        answers, wanted = self.trained.target, self.trained.wanted[1]
        if reverse:
            answers, wanted = self.trained.source, self.trained.wanted[0]
        rejected = _select_translations(self.trained.seed.rejected, text, reverse=reverse)
        allowed = [answers[phrase] not in rejected for phrase in phrases.tolist()]
        return wanted[phrases] & np.array(allowed, np.bool_)

    def _predict_confidence(
        self, source: PairEnds, target: PairEnds, ranked: RankedTranslations, pairs: Ids
    ) -> Floats:
        """Return the confidence of the pairs of the run, and what it would be for the others."""
        rarest = np.minimum(
            _count_rarest_words(source, self.forward.source),
            _count_rarest_words(target, self.forward.target),
        )
        translated = self.trained.state.translated
        coverage = compute_coverage(
            self.word_tables,
            word_coefficients(translated),
            *_words_and_pairs(source, target),
            Threads(1),
        )
        log_qq = ranked.log_q + ranked.log_back
        margin = log_qq - ranked.competing
        lengths = source.lengths, target.lengths
        features = stack_features(margin, log_qq, coverage, rarest, lengths, translated)
        predicted = predict_phrase_confidence(features, find_single_words(lengths))
        return _prefer_run(self.trained.state.agreed.weights, pairs, predicted)

    def _align(self, source: PairEnds, target: PairEnds) -> list[WordAlignment]:
        _, _, offsets, i, j = align_words(self.models.tables, *_words_and_pairs(source, target))
        links = list(zip(i.tolist(), j.tolist(), strict=True))
        return [
            tuple(sorted(links[offsets[n] : offsets[n + 1]])) for n in range(len(source.places))
        ]

    def _make_support(self, pair: int) -> Support:
        s, t, weight = (part[pair] for part in self.trained.state.agreed)
        return Support(self.trained.source[s], self.trained.target[t], self._report(weight))

    def _find_entries(self, word: int, top: int, *, reverse: bool) -> list[LexiconEntry]:
        """Return the word pairs of a word as in the lexicon, the most confident first."""
        own, other = order_sides(self.backward, self.forward, reverse=reverse)
        there, back = other.learned.translation, own.learned.translation
        others = there.targets[there.offsets[word] : there.offsets[word + 1]]
        words = np.full(len(others), word, np.int32)
        others = others[(others != NULL) & (back.learned_probability(others, words) > 0)]
        if self.is_calibrated:
            one, other_side = order_sides(*self.trained.odds[:2], reverse=reverse)
            others = np.union1d(others, other_side[one == word])
        words = np.full(len(others), word, np.int32)
        e, f = order_sides(words, others, reverse=reverse)
        forward, backward = (
            translation.learned_probability(*pair)
            for translation, pair in zip(
                self.trained.state.translations, ((e, f), (f, e)), strict=True
            )
        )
        confidence = forward * backward
        if self.is_calibrated:
            frequency = self.trained.source.frequency[e], self.trained.target.frequency[f]
            odds, translated = self.trained.odds.values_of(e, f), self.trained.state.translated
            confidence = predict_word_confidence(forward, backward, frequency, odds, translated)
        query = own.target.phrases.vocabulary.words[word]
        answers = own.source.phrases.vocabulary.words
        return [
            LexiconEntry(
                *order_sides(query, answers[others[n]], reverse=reverse),
                float(forward[n]),
                float(backward[n]),
                self._report(confidence[n]),
            )
            for n in np.lexsort((others, -confidence))[:top].tolist()
        ]

    def _report(self, confidence: float) -> float | None:
        return float(confidence) if self.is_calibrated else None


def order_sides(query: T, answer: T, *, reverse: bool) -> tuple[T, T]:
    """Return what belongs to the source of the run, and what belongs to its target."""
    return (answer, query) if reverse else (query, answer)


def _select_translations(pairs: Iterable[tuple[str, str]], text: str, *, reverse: bool) -> set[str]:
    """Return the translations of a phrase in a list of pairs."""
    if reverse:
        return {source for source, target in pairs if target == text}
    return {target for source, target in pairs if source == text}


def _prefer_run(of_run: Floats, pairs: Ids, computed: Floats) -> Floats:
    """Return the values of the run for its own pairs, if it has kept them, else the computed
    ones."""
    if not len(of_run):
        return computed
    return np.where(pairs != NONE, of_run[np.maximum(pairs, 0)], computed)


def _number_words(words: list[str], own: QueriedDirection) -> Ids:
    """Return the numbers of the words of a phrase; raise an error if the model knows none."""
    if not words:
        raise InputError("expected a phrase of space-separated words, found none")
    text, numbers = " ".join(words), own.target.number_words(words)
    if not own.target.is_known(numbers).any():
        problem = f"{text}: expected words that the model knows in this language, found none"
        if own.source.is_known(own.source.number_words(words)).any():
            raise InputError(
                f"{problem}, but some of the other language; query the other direction (--reverse)"
            )
        raise InputError(
            f"{problem}; write them as in the phrases of the run (lower case, tokenisation)"
        )
    if len(words) > (longest := own.target.phrases.max_length):
        raise InputError(
            f"{text}: expected a phrase of at most {longest} words, the longest that the model was "
            f"learned from, found {len(words)}; query a part of it"
        )
    return numbers


def _words_and_pairs(source: PairEnds, target: PairEnds) -> tuple[PhraseWords, PhrasePairs]:
    return (
        PhraseWords(source.phrases.ragged, target.phrases.ragged),
        PhrasePairs(source.places, target.places),
    )


def _count_rarest_words(ends: PairEnds, corpus: QueriedCorpus) -> Offsets:
    """Return the frequency of the rarest word of each phrase; unknown words count as seen once."""
    counts = np.maximum(corpus.frequency[ends.phrases.words], 1)
    return np.minimum.reduceat(counts, ends.phrases.offsets[1:-1])[ends.places - 1]
