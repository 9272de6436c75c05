"""BLEU and chrF by sacrebleu, case-insensitive as in the paper, and significance tests."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from accord.corpus.text.elision import find_clitic_splitter
from accord.corpus.text.languages import find_language
from accord.errors import AccordError
from accord.system.arrays import Floats

SAMPLES = 1_000
# sacrebleu's tokenisers for languages that are written without spaces; others have its default.
TOKENISERS = {"zh": "zh", "ja": "char", "th": "char"}
DEFAULT = "13a"


class Score(NamedTuple):
    """A score, and the signature that makes it comparable."""

    score: float
    signature: str


class References(NamedTuple):
    """Human translations, and their language."""

    texts: Sequence[str]
    language: str

    def bleu(self, translations: Sequence[str]) -> Score:
        """Return the BLEU of the translations of all sentences."""
        return self._score(self._metric(), translations)

    def chrf(self, translations: Sequence[str]) -> Score:
        """Return chrF2, which compares letters, and so gives credit for similar words."""
        load_sacrebleu()
        from sacrebleu import CHRF

        return self._score(CHRF(lowercase=True), translations)

    def _score(self, metric: Any, translations: Sequence[str]) -> Score:
        separate = self._separate
        texts = [*map(separate, self.texts)]
        score = metric.corpus_score([*map(separate, translations)], [texts]).score
        return Score(float(score), str(metric.get_signature()))

    def statistics(self, translations: Iterable[tuple[int, str]]) -> Floats:
        """Return one row per (number of a sentence, translation) with the statistics of BLEU.

        A row holds the matches of 1 to 4 words, their totals, and the lengths of the translation
        and of the reference.
        """
        metric, separate = self._metric(of_sentences=True), self._separate
        texts = [*map(separate, self.texts)]
        rows = (metric.sentence_score(separate(words), [texts[n]]) for n, words in translations)
        return np.array(
            [[*row.counts, *row.totals, row.sys_len, row.ref_len] for row in rows], np.float64
        ).reshape(-1, 10)

    def p_values(self, systems: Mapping[str, Sequence[str]], baseline: str) -> dict[str, float]:
        """Return the p-value of the difference between the baseline and each other system.

        The test is paired bootstrap resampling (Koehn 2004).
        """
        metric = self._metric()
        from sacrebleu.significance import PairedTest

        others = [name for name in systems if name != baseline]
        separate = self._separate
        named: list[tuple[str, Sequence[str]]] = [
            (name, [*map(separate, systems[name])]) for name in (baseline, *others)
        ]
        texts = [*map(separate, self.texts)]
        test = PairedTest(named, {"BLEU": metric}, [texts], "bs", SAMPLES)
        results: Any = test()[1]["BLEU"]  # in their order, the baseline first
        # For systems with the same BLEU, sacrebleu may return the smallest p there is.
        return {
            name: 1.0 if found.score == results[0].score else float(found.p_value)
            for name, found in zip(others, results[1:], strict=True)
        }

    @property
    def _separate(self) -> Callable[[str], str]:
        """What makes l'eau and l' eau the same words, as translations consist of separate words."""
        clitics = find_clitic_splitter(find_language(self.language).code)
        return clitics.separate if clitics else str

    def _metric(self, *, of_sentences: bool = False) -> Any:
        tokenise = TOKENISERS.get(find_language(self.language).code, DEFAULT)
        # Forced: otherwise it warns that the translations seem to be tokenised already. It
        # tokenises the references, too.
        return load_sacrebleu()(
            lowercase=True, tokenize=tokenise, force=True, effective_order=of_sentences
        )


def load_sacrebleu() -> Any:
    """Return the class BLEU of sacrebleu, or raise an error if it is not installed."""
    try:
        from sacrebleu import BLEU
    except ImportError:
        raise AccordError("BLEU needs sacrebleu: pip install 'accord[translate]'") from None
    return BLEU
