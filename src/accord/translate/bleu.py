"""BLEU by sacrebleu, case-insensitive as in the paper, and whether two systems differ."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.corpus.text.languages import find_language
from accord.errors import AccordError

SAMPLES = 1_000
# How sacrebleu parts words, where the language has no spaces; of others its own default.
TOKENISERS = {"zh": "zh", "ja": "char", "th": "char"}
DEFAULT = "13a"


class Bleu(NamedTuple):
    """A score, and what makes it comparable."""

    score: float
    signature: str


class References(NamedTuple):
    """Translations as people wrote them, and the language they are in."""

    texts: Sequence[str]
    language: str

    def bleu(self, translations: Sequence[str]) -> Bleu:
        metric = self._metric()
        score = metric.corpus_score(translations, [self.texts]).score
        return Bleu(float(score), str(metric.get_signature()))

    def statistics(self, translations: Iterable[tuple[int, str]]) -> NDArray[np.float64]:
        """A row for each translation of sentence n: the matches of 1 to 4 words, their totals, and
        the two lengths."""
        metric = self._metric(of_sentences=True)
        rows = (metric.sentence_score(words, [self.texts[n]]) for n, words in translations)
        return np.array(
            [[*row.counts, *row.totals, row.sys_len, row.ref_len] for row in rows], np.float64
        ).reshape(-1, 10)

    def p_values(self, systems: Mapping[str, Sequence[str]], baseline: str) -> dict[str, float]:
        """Paired bootstrap resampling (Koehn 2004): how probable it is that each of these systems
        differs from the baseline by chance."""
        metric = self._metric()
        from sacrebleu.significance import PairedTest

        others = [name for name in systems if name != baseline]
        named = [(name, systems[name]) for name in (baseline, *others)]
        test = PairedTest(named, {"BLEU": metric}, [self.texts], "bs", SAMPLES)
        results: Any = test()[1]["BLEU"]  # in their order, the baseline first
        # Of systems with the same BLEU sacrebleu may give the smallest p there is.
        return {
            name: 1.0 if found.score == results[0].score else float(found.p_value)
            for name, found in zip(others, results[1:], strict=True)
        }

    def _metric(self, *, of_sentences: bool = False) -> Any:
        tokenise = TOKENISERS.get(find_language(self.language).code, DEFAULT)
        # Forced, or it warns of words that are parted already; it parts those of people as well.
        return sacrebleu_class()(
            lowercase=True, tokenize=tokenise, force=True, effective_order=of_sentences
        )


def sacrebleu_class() -> Any:
    """Its BLEU; an error where it is not installed."""
    try:
        from sacrebleu import BLEU
    except ImportError:
        raise AccordError("BLEU needs sacrebleu: pip install 'accord[translate]'") from None
    return BLEU
