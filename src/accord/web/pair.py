"""A pair of phrases, seen from close up: the posteriors of its words in both directions, and the
other pairs that its phrases could be in.

The pair need not be one that the run has found, nor its words ones that the run has ever seen.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.corpus.phrases import Phrases
from accord.corpus.vocabulary import normalise
from accord.errors import InputError
from accord.learning import word_kernels as kernels
from accord.learning.model.parameters import Model, Models
from accord.runs.query.direction import QueriedDirection
from accord.runs.query.translator import LinkPositions, Translation, Translator
from accord.runs.trained import Trained

# Of either phrase.
RIVALS = 3

Array = NDArray[np.float64]
Words = tuple[str, ...]


class Rival(NamedTuple):
    """Another pair of one of the two phrases."""

    source: str
    target: str
    probability: float | None  # of being right; the paper's kinds of agreement have none


class PairView(NamedTuple):
    """What is to be seen of a pair."""

    source: Words
    target: Words
    forward: Array  # [i, j] the posterior that target word j comes from source word i - 1, or NULL
    backward: Array  # [j, i] the same the other way round
    links: LinkPositions  # 0-based (source word, target word): those that both directions agree on
    rivals: tuple[Rival, ...] = ()  # the most probable first
    languages: tuple[str, str] = ("", "")  # as in run.json


class PairViewer:
    """A model that is looked at, pair by pair; to be made once, and asked often."""

    def __init__(self, trained: Trained) -> None:
        self.translator = Translator(trained)
        self.languages = trained.languages or ("", "")

    def view(self, source: str, target: str, *, rivals: int = RIVALS) -> PairView:
        """The pair, and so many rivals of either phrase, at most."""
        source, target = normalise(source), normalise(target)
        if not source or not target:
            raise InputError("expected a pair of phrases, found an empty one")
        one, other = tuple(source.split()), tuple(target.split())
        return PairView(
            *(one, other, *self._words(one, other)),
            self._rivals(source, target, rivals) if rivals else (),
            self.languages,
        )

    def _rivals(self, source: str, target: str, count: int) -> tuple[Rival, ...]:
        """The best other translations of either phrase."""
        found: dict[tuple[str, str], Rival] = {}
        for phrase, reverse in ((source, False), (target, True)):
            # One more than is wanted, as the pair itself may be there.
            pairs = self._translations(phrase, count + 1, reverse=reverse)
            others = [pair for pair in pairs if pair[:2] != (source, target)]
            found |= {pair[:2]: Rival(*pair[:3]) for pair in others[:count]}
        return tuple(sorted(found.values(), key=lambda rival: -(rival.probability or 0.0)))

    def _translations(self, phrase: str, count: int, *, reverse: bool) -> list[Translation]:
        try:
            return self.translator.translate(phrase, count, reverse=reverse).phrases
        except InputError:  # a phrase of which the run knows nothing, or longer than any
            return []

    def _words(self, source: Words, target: Words) -> tuple[Array, Array, LinkPositions]:
        """The posteriors both ways, and the words that are each other's best."""
        forward, backward = self.translator.forward, self.translator.backward
        one, other = _phrase_of(source, forward), _phrase_of(target, backward)
        first = np.ones(1, np.int32)
        models = Models(forward.model, backward.model)
        words = kernels.PhraseWords(one.ragged, other.ragged)
        pairs = kernels.PhrasePairs(first, first)
        _, _, _, i, j = kernels.align_words(models.tables, words, pairs)
        return (
            _posteriors(one, other, forward.model),
            _posteriors(other, one, backward.model),
            tuple(sorted(zip(i.tolist(), j.tolist(), strict=True))),
        )


def _phrase_of(words: Words, one: QueriedDirection) -> Phrases:
    return one.source.single_phrase(one.source.number_words(words))


def _posteriors(source: Phrases, target: Phrases, model: Model) -> Array:
    room = np.empty((len(source.words) + 1, len(target.words)))
    kernels.find_link_posteriors(model.tables, source.words, target.words, room)
    return room
