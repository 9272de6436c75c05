"""One pair of phrases in detail: the posteriors of its word links in both directions, and the
competing candidates of its phrases.

The run need not have found the pair, nor know its words.
"""

from typing import NamedTuple

import numpy as np

from accord.corpus.phrases import Phrases
from accord.corpus.vocabulary import normalise
from accord.errors import InputError
from accord.formats.records import WordAlignment
from accord.learning import word_kernels as kernels
from accord.learning.model.parameters import Model, Models
from accord.runs.query.direction import QueriedDirection
from accord.runs.query.translator import Translation, Translator
from accord.runs.trained import Trained
from accord.system.arrays import Floats

# Competing candidates that are shown for each of the two phrases.
MOST_COMPETING = 3


class CompetingPair(NamedTuple):
    """Another candidate pair of one of the two phrases."""

    source: str
    target: str
    confidence: float | None  # None with the paper's methods


class PairView(NamedTuple):
    """The details of a pair."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    forward: Floats  # [i, j] the posterior that target word j comes from source word i - 1, or NULL
    backward: Floats  # [j, i] the same in the other direction
    links: WordAlignment  # the links that both directions agree on
    competing: tuple[CompetingPair, ...] = ()  # highest confidence first
    languages: tuple[str, str] = ("", "")  # as in run.json

    @property
    def text(self) -> str:
        return f"{' '.join(self.source)} = {' '.join(self.target)}"


class PairViewer:
    """A model, to view pairs one by one. Creating it takes longer than a view."""

    def __init__(self, trained: Trained) -> None:
        self.translator = Translator(trained)
        self.languages = trained.languages or ("", "")

    def view(self, source: str, target: str, *, competing: int = MOST_COMPETING) -> PairView:
        """Return a pair, with up to `competing` other candidates for each of its two phrases."""
        source, target = normalise(source), normalise(target)
        if not source or not target:
            raise InputError("expected a pair of phrases, found an empty one")
        one, other = tuple(source.split()), tuple(target.split())
        forward, backward, links = self._align_words(one, other)
        found = self._find_competing(source, target, competing) if competing else ()
        return PairView(one, other, forward, backward, links, found, self.languages)

    def _find_competing(self, source: str, target: str, count: int) -> tuple[CompetingPair, ...]:
        """Return the best other translations of both phrases."""
        found: dict[tuple[str, str], CompetingPair] = {}
        for phrase, reverse in ((source, False), (target, True)):
            # One more than requested, since the pair itself may be among them.
            pairs = self._translate(phrase, count + 1, reverse=reverse)
            others = [pair for pair in pairs if pair[:2] != (source, target)]
            found |= {pair[:2]: CompetingPair(*pair[:3]) for pair in others[:count]}
        return tuple(sorted(found.values(), key=lambda pair: -(pair.confidence or 0.0)))

    def _translate(self, phrase: str, count: int, *, reverse: bool) -> list[Translation]:
        try:
            return self.translator.translate(phrase, count, reverse=reverse).phrases
        except InputError:  # the run does not know the phrase, or it is longer than any
            return []

    def _align_words(
        self, source: tuple[str, ...], target: tuple[str, ...]
    ) -> tuple[Floats, Floats, WordAlignment]:
        """Return the posteriors of both directions, and the links on which they agree."""
        forward, backward = self.translator.forward, self.translator.backward
        one, other = _make_phrase(source, forward), _make_phrase(target, backward)
        first = np.ones(1, np.int32)
        models = Models(forward.model, backward.model)
        words = kernels.PhraseWords(one.ragged, other.ragged)
        pairs = kernels.PhrasePairs(first, first)
        _, _, _, i, j = kernels.align_words(models.tables, words, pairs)
        return (
            _link_posteriors(one, other, forward.model),
            _link_posteriors(other, one, backward.model),
            tuple(sorted(zip(i.tolist(), j.tolist(), strict=True))),
        )


def _make_phrase(words: tuple[str, ...], one: QueriedDirection) -> Phrases:
    return one.source.single_phrase(one.source.number_words(words))


def _link_posteriors(source: Phrases, target: Phrases, model: Model) -> Floats:
    room = np.empty((len(source.words) + 1, len(target.words)))
    uncounted = np.empty(0)
    kernels.find_link_posteriors(model.tables, source.words, target.words, room, uncounted, 0.0)
    return room
