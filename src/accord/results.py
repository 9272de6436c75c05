"""What a run has learned, in words: the lexicon out of the tables, the phrases out of m̂."""

from typing import NamedTuple

from accord.em import State
from accord.phrases import NULL, Phrases
from accord.translation import TranslationModel
from accord.words import kernels


class LexiconEntry(NamedTuple):
    """A word pair; the probabilities are the learned parts, without the floor."""

    source: str
    target: str
    forward: float  # p(target|source)
    backward: float  # p(source|target)


class PhrasePair(NamedTuple):
    """A pair of phrases on which the two directions agree."""

    source: str
    target: str
    forward: float  # log P(target|source)
    backward: float  # log P(source|target)
    alignment: tuple[tuple[int, int], ...]  # 0-based (source word, target word)


def lexicon(
    source: Phrases, target: Phrases, state: State, min_probability: float
) -> list[LexiconEntry]:
    """The word pairs of high probability both ways, the surest first, of these the commonest."""
    forward = _word_pairs(state.forward.translation, min_probability)
    backward = _word_pairs(state.backward.translation, min_probability)
    pairs = [pair for pair in forward if pair[::-1] in backward]
    # How many phrases a word pair can have in common.
    support = {
        (e, f): min(source.occurrences.phrases_with(e), target.occurrences.phrases_with(f))
        for e, f in pairs
    }
    certainty = {(e, f): round(forward[e, f] * backward[f, e], 2) for e, f in pairs}
    pairs.sort(key=lambda pair: (-certainty[pair], -support[pair], pair))
    return [
        LexiconEntry(
            source.vocabulary.words[e],
            target.vocabulary.words[f],
            forward[e, f],
            backward[f, e],
        )
        for e, f in pairs
    ]


def _word_pairs(
    translation: TranslationModel, min_probability: float
) -> dict[tuple[int, int], float]:
    likely = (translation.probabilities >= min_probability) & (translation.sources != NULL)
    pairs = zip(
        translation.sources[likely].tolist(), translation.targets[likely].tolist(), strict=True
    )
    return dict(zip(pairs, translation.probabilities[likely].tolist(), strict=True))


def phrase_pairs(source: Phrases, target: Phrases, state: State) -> list[PhrasePair]:
    """The agreed links under the final parameters, with the words that are each other's best."""
    links = state.agreed
    forward_log, backward_log, offsets, i, j = kernels.align_words(
        state.forward.translation.table,
        state.backward.translation.table,
        tuple(state.forward.order),
        tuple(state.backward.order),
        source.words,
        source.offsets,
        target.words,
        target.offsets,
        links.source,
        links.target,
    )
    I, J = source.lengths[links.source], target.lengths[links.target]
    forward = forward_log + state.forward.length_terms(I, J)
    forward += state.forward.translation.log_floors(target)[links.target]
    backward = backward_log + state.backward.length_terms(J, I)
    backward += state.backward.translation.log_floors(source)[links.source]
    words = list(zip(i.tolist(), j.tolist(), strict=True))
    return sorted(
        PhrasePair(
            source[s],
            target[t],
            float(forward[n]),
            float(backward[n]),
            tuple(sorted(words[offsets[n] : offsets[n + 1]])),
        )
        for n, (s, t) in enumerate(zip(links.source, links.target, strict=True))
    )
