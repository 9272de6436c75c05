"""The translations of a phrase or a word, by what a run has learned.

Notation: source and target are those of the run, whichever of the two is asked about
          q→(s|t), q←(t|s)  the posteriors of a pair, as in posterior.py

The phrases of the other side are searched for those that the phrase asked about may come from,
and the best of these are looked at from their side in turn. What both directions say of a pair
makes the probability that it is right, as it does for the pairs of the run itself.
"""

from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from accord.corpus.phrases import NULL, Phrases, normalise
from accord.errors import InputError, SettingError
from accord.learning.confidence import (
    PHRASE_COEFFICIENTS,
    WORD_COEFFICIENTS,
    compute_lexical_scores,
    compute_word_features,
    predict_confidence,
    stack_features,
)
from accord.learning.model.parameters import Models
from accord.learning.model.translation import TranslationModel
from accord.learning.search.candidates import listing_threshold
from accord.learning.word_kernels import PhrasePairs, PhraseWords, align_words
from accord.runs.query.look import Asked, Ranked, best_both_ways
from accord.runs.query.oneway import OneWay, Side
from accord.runs.query.support import NONE, FoundPairs
from accord.runs.results import LexiconEntry
from accord.runs.trained import Trained
from accord.system.runners.threads import Threads

# So many candidates are looked at from their side, or as many as are asked for.
LOOKED_BACK = 10
# Pairs of the run that are shown for a translation, at most.
SUPPORT = 3

T = TypeVar("T")
Array = NDArray[np.float64]
Numbers = NDArray[np.int32]
WordLinks = tuple[tuple[int, int], ...]


class Support(NamedTuple):
    """A phrase pair that the run has found, and that has a word link of a translation."""

    source: str
    target: str
    confidence: float | None


class Translation(NamedTuple):
    """A pair of phrases, one of which was asked about."""

    source: str
    target: str
    probability: float | None  # of being right; the paper's kinds of agreement have none
    forward_posterior: float  # q→(s|t)
    backward_posterior: float  # q←(t|s)
    alignment: WordLinks  # 0-based (source word, target word)
    found: bool  # whether the run has found this very pair
    support: tuple[Support, ...]  # other pairs of the run with one of these word links


class Translations(NamedTuple):
    """What the model says of a phrase, the best first."""

    phrases: list[Translation]
    words: list[LexiconEntry]  # of a single word, whether these are phrases of the corpus or not
    unknown: list[str]  # the words of the phrase that the model has never seen


class Few(NamedTuple):
    """One end of each pair: which of a few phrases it is, and which of the whole corpus, or 0."""

    phrases: Phrases
    places: Numbers
    numbers: Numbers
    texts: list[str]

    def word(self, pair: int, position: int) -> int:
        return int(self.phrases.words[self.phrases.offsets[self.places[pair]] + position])


class Translator:
    """A model that is asked; what it needs for that is made when it is first needed."""

    def __init__(self, trained: Trained) -> None:
        self.trained = trained
        runner = Threads()
        state, settings = trained.state, trained.settings
        source, target = Side(trained.source), Side(trained.target)
        there = state.forward, state.forward_alignment
        back = state.backward, state.backward_alignment
        self.forward = OneWay(source, target, *there, settings, runner)
        self.backward = OneWay(target, source, *back, settings, runner)
        self.found = FoundPairs(trained.source, trained.target, state.agreed, runner)
        self.is_calibrated = settings.agreement == "posterior"

    @property
    def models(self) -> Models:
        """Both directions, with an unknown word on either side."""
        return Models(self.forward.model, self.backward.model)

    def translate(self, phrase: str, top: int = 10, *, reverse: bool = False) -> Translations:
        """The best translations of a source phrase, or of a target phrase the other way round.

        Words are parted by spaces, as they are in the phrases of the run.
        """
        if top < 1:
            raise SettingError(f"top: must be a whole number of at least 1, found {top}")
        one, other = in_order(self.backward, self.forward, reverse=reverse)
        words = normalise(phrase).split()
        numbers = _checked(words, one)
        text = " ".join(words)
        asked = Asked(numbers, one.target.find(text))
        least = listing_threshold(self.trained.settings)
        ranked = best_both_ways(one, other, asked, max(top, LOOKED_BACK), least)
        accepted = [one.source.find(f) for f in self._told(text, "accepted", reverse=reverse)]
        ranked = ranked.with_certain(accepted, least)
        known = one.target.knows(numbers).tolist()
        return Translations(
            self._pairs(text, asked, ranked, top, reverse=reverse),
            self._entries(int(numbers[0]), top, reverse=reverse) if len(words) == 1 else [],
            [word for word, is_known in zip(words, known, strict=True) if not is_known],
        )

    def _pairs(
        self, text: str, asked: Asked, ranked: Ranked, top: int, *, reverse: bool
    ) -> list[Translation]:
        """The best, with the source of the run first, whichever side was asked about."""
        here, there = in_order(self.forward.source, self.forward.target, reverse=reverse)
        count = len(ranked.phrases)
        each, ones = np.arange(1, count + 1, dtype=np.int32), np.ones(count, np.int32)
        asked_about = Few(here.phrase_of(asked.words), ones, ones * asked.number, [text] * count)
        texts = [there.phrases[number] for number in ranked.phrases.tolist()]
        answer = Few(there.phrases.only(ranked.phrases), each, ranked.phrases, texts)
        source, target = in_order(asked_about, answer, reverse=reverse)
        posteriors = in_order(ranked.log_back, ranked.log_q, reverse=reverse)
        pairs = self.found.between(source.numbers, target.numbers)
        kept = self.trained.state.log_q
        forward, backward = (
            np.exp(np.minimum(self._of_the_run(own, pairs, log_q), 0.0))
            for own, log_q in zip(kept, posteriors, strict=True)
        )
        sure = self._probabilities(source, target, ranked, pairs)
        alignments = self._alignments(source, target)
        # Where nothing is calibrated, they stay as they are ranked.
        order = np.argsort(-sure if self.is_calibrated else each, kind="stable")
        # A run that was mined out of text has phrases that it only learns from.
        wanted = self.trained.wanted[0 if reverse else 1][ranked.phrases]
        rejected = self._told(text, "rejected", reverse=reverse)
        wanted &= np.array([other not in rejected for other in texts], np.bool_)
        best = order[wanted[order]][:top].tolist()
        support = self.found.with_words(
            [[(source.word(n, i), target.word(n, j)) for i, j in alignments[n]] for n in best],
            pairs[best].tolist(),
            SUPPORT,
        )
        return [
            Translation(
                source.texts[n],
                target.texts[n],
                self._shown(sure[n]),
                float(forward[n]),
                float(backward[n]),
                alignments[n],
                bool(pairs[n] != NONE),
                tuple(map(self._support, supporting)),
            )
            for n, supporting in zip(best, support, strict=True)
        ]

    def _told(self, text: str, status: str, *, reverse: bool) -> set[str]:
        """What people have accepted or rejected as a translation of a phrase."""
        seed = self.trained.seed
        pairs = seed.accepted if status == "accepted" else seed.rejected
        return {pair[reverse - 1] for pair in pairs if pair[reverse] == text}

    def _of_the_run(self, own: Array, pairs: Numbers, others: Array) -> Array:
        """What the run itself has said of the pairs that it has found, where it has kept it."""
        if not len(own):
            return others
        return np.where(pairs != NONE, own[np.maximum(pairs, 0)], others)

    def _probabilities(self, source: Few, target: Few, ranked: Ranked, pairs: Numbers) -> Array:
        """What the run says of the pairs that it has found, and would say of the others."""
        lexical = compute_lexical_scores(self.models, *_words_and_pairs(source, target))
        rarest = np.minimum(
            _rarest(source, self.forward.source), _rarest(target, self.forward.target)
        )
        log_qq = ranked.log_q + ranked.log_back
        run = self.trained.state.mean_q
        features = stack_features(log_qq, ranked.rivals, rarest, lexical, run)
        would = predict_confidence(features, PHRASE_COEFFICIENTS)
        return self._of_the_run(self.trained.state.agreed.weights, pairs, would)

    def _alignments(self, source: Few, target: Few) -> list[WordLinks]:
        _, _, offsets, i, j = align_words(self.models.tables, *_words_and_pairs(source, target))
        links = list(zip(i.tolist(), j.tolist(), strict=True))
        return [
            tuple(sorted(links[offsets[n] : offsets[n + 1]])) for n in range(len(source.places))
        ]

    def _support(self, pair: int) -> Support:
        s, t, weight = (part[pair] for part in self.trained.state.agreed)
        return Support(self.trained.source[s], self.trained.target[t], self._shown(weight))

    def _entries(self, word: int, top: int, *, reverse: bool) -> list[LexiconEntry]:
        """The word pairs of a word that both directions have learned, the surest first."""
        one, other = in_order(self.backward, self.forward, reverse=reverse)
        others, p = _row(other.learned.translation, word)
        back = [_row(one.learned.translation, other) for other in others.tolist()]
        q = np.array([_entry(*row, word) for row in back])
        both = (others != NULL) & (q > 0)
        others, p, q = others[both], p[both], q[both]
        support = np.minimum(one.source.frequency[others], one.target.frequency[word])
        forward, backward = in_order(p, q, reverse=reverse)
        sure = forward * backward
        if self.is_calibrated:
            sure = predict_confidence(
                compute_word_features(forward, backward, support), WORD_COEFFICIENTS
            )
        own = one.target.phrases.vocabulary.words[word]
        texts = one.source.phrases.vocabulary.words
        return [
            LexiconEntry(
                *in_order(own, texts[others[n]], reverse=reverse),
                float(forward[n]),
                float(backward[n]),
                self._shown(sure[n]),
            )
            for n in np.lexsort((others, -sure))[:top].tolist()
        ]

    def _shown(self, confidence: float) -> float | None:
        return float(confidence) if self.is_calibrated else None


def in_order(asked: T, answer: T, *, reverse: bool) -> tuple[T, T]:
    """What belongs to the source of the run, and what to its target."""
    return (answer, asked) if reverse else (asked, answer)


def _checked(words: list[str], one: OneWay) -> Numbers:
    """The numbers of the words of a phrase about which something can be said."""
    if not words:
        raise InputError("expected a phrase, its words parted by spaces; found none")
    told, numbers = " ".join(words), one.target.numbers_of(words)
    if not one.target.knows(numbers).any():
        told = f"{told}: expected words that the model knows in this language, found none"
        if one.source.knows(one.source.numbers_of(words)).any():
            raise InputError(f"{told}, but some of the other; ask the other way round (--reverse)")
        raise InputError(f"{told}; part them by spaces as in the phrases of the run")
    if len(words) > (longest := one.target.phrases.max_length):
        raise InputError(
            f"{told}: expected a phrase of at most {longest} words, as those that the model was "
            f"learned from, found {len(words)}; ask about a part of it"
        )
    return numbers


def _words_and_pairs(source: Few, target: Few) -> tuple[PhraseWords, PhrasePairs]:
    return (
        PhraseWords(source.phrases.ragged, target.phrases.ragged),
        PhrasePairs(source.places, target.places),
    )


def _rarest(few: Few, side: Side) -> NDArray[np.int64]:
    """How often the rarest word of each phrase occurs; one that does not is like one seen once."""
    counts = np.maximum(side.frequency[few.phrases.words], 1)
    return np.minimum.reduceat(counts, few.phrases.offsets[1:-1])[few.places - 1]


def _row(translation: TranslationModel, word: int) -> tuple[Numbers, Array]:
    row = slice(translation.offsets[word], translation.offsets[word + 1])
    return translation.targets[row], translation.probabilities[row]


def _entry(targets: Numbers, probabilities: Array, word: int) -> float:
    at = np.searchsorted(targets, word)
    return float(probabilities[at]) if at < len(targets) and targets[at] == word else 0.0
