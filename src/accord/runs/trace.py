"""The trace of a run: one row per iteration, with its links, their agreement and their quality.

forward_links     target phrases that P(target|source) links to a source phrase
backward_links    source phrases that P(source|target) links to a target phrase
agreement_ratio   the share of these links that are in both directions (Eq. 33)
agreed_links      the phrase pairs found: the one-to-one matching, without pairs of low confidence.
                  With the paper's methods these are, by default, the links in both directions.

So the agreement ratio compares the two directions, and no threshold changes it.
"""

from typing import Any

from accord.learning.agreement import agreement_ratio, find_links, intersect
from accord.learning.model.state import State
from accord.runs.evaluation import GoldLinks

TraceRow = dict[str, Any]

# The columns that are displayed, with their headings.
HEADS = {
    "iteration": "iteration",
    "forward_links": "links →",
    "backward_links": "links ←",
    "agreement_ratio": "in both",
    "agreed_links": "agreed",
    "ties": "ties",
    "changed": "changed",
    "word_pairs": "word pairs",
    "f1": "F1",
    "precision": "precision",
    "recall": "recall",
    "seconds": "seconds",
}


def make_trace_row(
    state: State, word_pairs: int, seconds: float, gold: GoldLinks | None
) -> TraceRow:
    """Return the numbers of an iteration.

    The log-likelihoods are those of the Viterbi alignments, Σ_t log P(f⁽ᵗ⁾|e⁽ᵐ⁾): the part of the
    objective (Eq. 11) that can be computed.
    """
    forward, backward = state.forward_alignment, state.backward_alignment
    forward_links, backward_links = find_links(forward.phrases), find_links(backward.phrases)
    agreed = state.agreed
    both = intersect(forward.phrases, backward.phrases)
    ratio = agreement_ratio(len(forward_links), len(backward_links), len(both))
    row: TraceRow = {
        "iteration": state.iteration,
        "forward_links": len(forward_links),
        "backward_links": len(backward_links),
        "agreed_links": len(agreed),
        "agreement_ratio": ratio,
        "ties": int(forward.tied.sum() + backward.tied.sum()),
        "changed": state.changed,
        "word_pairs": word_pairs,
        "forward_log_likelihood": float(forward.log_prob[1:].sum()),
        "backward_log_likelihood": float(backward.log_prob[1:].sum()),
    }
    if gold is not None:
        row |= gold.score(agreed)._asdict()
        row["forward_f1"] = gold.score(forward_links).f1
        row["backward_f1"] = gold.score(backward_links.swapped()).f1
    row["seconds"] = seconds
    return row
