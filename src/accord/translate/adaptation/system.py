"""A translation system in either direction: two tables, a language model and weights."""

from collections.abc import Sequence
from typing import NamedTuple

from accord.system.runners import Runner
from accord.translate.adaptation.inputs import TestSet
from accord.translate.decoder import Decoder, DecoderLimits, ScoredTranslation
from accord.translate.language_model.trie import LanguageModel
from accord.translate.phrase_table import NeededPhrases, PhraseTable, ScoredPair, Sentence
from accord.translate.tuning import TunedWeights, tune_weights
from accord.translate.weights import Weights

# The number of translations of each sentence that tuning chooses from in a round.
N_BEST = 50


class Tables(NamedTuple):
    """The phrase table, and the one for source phrases that it does not have."""

    main: Sequence[ScoredPair]
    back_off: Sequence[ScoredPair] | None = None

    def swapped(self) -> "Tables":
        """Return the tables of the other direction."""
        return Tables(
            _swap_pairs(self.main), None if self.back_off is None else _swap_pairs(self.back_off)
        )

    def trimmed(self, *, both: bool = True) -> "Tables":
        """Leave out of the back-off table what is never used, in both directions or in this one."""
        if self.back_off is None:
            return self
        sources, targets = ({pair[side] for pair in self.main} for side in (0, 1))
        used = [
            pair
            for pair in self.back_off
            if pair[0] not in sources or (both and pair[1] not in targets)
        ]
        return self._replace(back_off=used)

    def select(self, sentences: Sequence[Sentence]) -> PhraseTable:
        """Return what these sentences need."""
        needed = NeededPhrases(sentences)
        main, back_off = (
            None if pairs is None else (pair for pair in pairs if pair[0] in needed)
            for pairs in self
        )
        return PhraseTable.of(main or (), sentences, back_off)

    def measure_unknown(self, sentences: Sequence[Sentence]) -> float:
        """Return the share of words that neither table translates by themselves."""
        known = {source for pairs in self for source, _, _ in pairs or () if " " not in source}
        words = [word for sentence in sentences for word in sentence]
        return sum(word not in known for word in words) / max(1, len(words))


def _swap_pairs(pairs: Sequence[ScoredPair]) -> list[ScoredPair]:
    """Exchange the phrases of each pair, and the scores of the two directions."""
    half = len(pairs[0][2]) // 2 if pairs else 0
    return [(target, source, (*scores[half:], *scores[:half])) for source, target, scores in pairs]


class TranslationSystem(NamedTuple):
    """One direction of translation: what its tables are tried with."""

    lm: LanguageModel
    runner: Runner
    limits: DecoderLimits = DecoderLimits()

    def tune(self, tables: Tables, dev: TestSet, start: Weights) -> TunedWeights:
        """Return the weights that are the best for the development set."""
        table = tables.select(dev.sentences)

        def translate(weights: Weights) -> list[list[ScoredTranslation]]:
            decoder = Decoder(table, self.lm, weights, self.limits)
            return decoder.translate(dev.sentences, self.runner, N_BEST)

        return tune_weights(translate, dev.references, start)

    def translate(
        self, tables: Tables, weights: Weights, sentences: Sequence[Sentence]
    ) -> list[ScoredTranslation]:
        """Return the best translation of each sentence."""
        decoder = Decoder(tables.select(sentences), self.lm, weights, self.limits)
        return [best[0] for best in decoder.translate(sentences, self.runner)]
