"""BLEU by sacrebleu, case-insensitive as in the paper, and whether two systems differ."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.errors import AccordError

SAMPLES = 1_000


class Bleu(NamedTuple):
    """A score, and what makes it comparable."""

    score: float
    signature: str


def _metric(*, of_sentences: bool = False) -> Any:
    try:
        from sacrebleu import BLEU
    except ImportError:
        raise AccordError("BLEU needs sacrebleu: pip install 'accord[translate]'") from None
    return BLEU(lowercase=True, effective_order=of_sentences)


def bleu(translations: Sequence[str], references: Sequence[str]) -> Bleu:
    metric = _metric()
    score = metric.corpus_score(translations, [references]).score
    return Bleu(float(score), str(metric.get_signature()))


def statistics(translations: Sequence[str], references: Sequence[str]) -> NDArray[np.float64]:
    """A row each: the matches of 1 to 4 words, their totals, and the two lengths."""
    metric = _metric(of_sentences=True)
    rows = (
        metric.sentence_score(translation, [reference])
        for translation, reference in zip(translations, references, strict=True)
    )
    return np.array(
        [[*row.counts, *row.totals, row.sys_len, row.ref_len] for row in rows], np.float64
    ).reshape(-1, 10)


def p_values(
    systems: Mapping[str, Sequence[str]], baseline: str, references: Sequence[str]
) -> dict[str, float]:
    """Paired bootstrap resampling (Koehn 2004): how probable it is that each of these systems
    differs from the baseline by chance."""
    from sacrebleu.significance import PairedTest

    others = [name for name in systems if name != baseline]
    named = [(name, systems[name]) for name in (baseline, *others)]
    test = PairedTest(named, {"BLEU": _metric()}, [references], "bs", SAMPLES)
    results: Any = test()[1]["BLEU"]  # in their order, the baseline first
    # Of systems that say the same sacrebleu gives the smallest p there is.
    return {
        name: 1.0 if systems[name] == systems[baseline] else float(found.p_value)
        for name, found in zip(others, results[1:], strict=True)
    }
