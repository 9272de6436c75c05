"""Random corpora and models, small enough for plain loops."""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from accord.corpus.loading import OTHER_SPACES
from accord.corpus.phrases import Phrases
from accord.evidence.counts import Counts
from accord.learning.agreement import Links
from accord.learning.model.lengths import LengthModel
from accord.learning.model.parameters import Model
from accord.learning.model.translation import TranslationModel
from accord.learning.model.word_order import MODEL_1
from accord.learning.search.pairs import CandidatePairs
from accord.learning.task import Task
from accord.settings import Settings
from accord.system.runners import Runner
from accord.system.runners.threads import Threads
from tests import oracle

SOURCE_WORDS = "abcdef"
TARGET_WORDS = "uvwxyz"


def corpora(words: str) -> st.SearchStrategy[Phrases]:
    """Up to a dozen phrases of up to four words, which may be repeated."""
    phrase = st.lists(st.sampled_from(words), min_size=1, max_size=4).map(" ".join)
    return st.lists(phrase, min_size=1, max_size=12).map(Phrases.of)


def odd_lines() -> st.SearchStrategy[list[str]]:
    """Unusual lines: all kinds of white space, combining marks, control characters."""
    usual = st.sampled_from([*"aab  \u4e2d\U0001f600"])
    # In NFC e + U+0301 is one letter, as are the two Hangul, U+2001 is U+2003, and U+212B is Å.
    composed = st.sampled_from(["e\u0301", "\u1100\u1161", "\u0301", "\u2001", "\u212b"])
    odd = st.sampled_from([*"\x00\x01\x1b\x7f\ufeff", *OTHER_SPACES])
    line = st.lists(usual, max_size=6) | st.lists(usual | composed) | st.lists(usual | odd)
    return st.lists(line.map("".join), max_size=8)


# Few different values, so that ties are common, and arbitrary ones.
values = st.sampled_from([0.1, 0.5, 1.0]) | st.floats(0.001, 1.0)


@dataclass(frozen=True)
class Direction:
    """A model, and the same parameters in the form of the oracle."""

    model: Model
    table: oracle.Table
    lengths: oracle.Lengths


@st.composite
def directions(draw: st.DrawFn, source: Phrases, target: Phrases, floor: float) -> Direction:
    """Any translation and length model of the right shape, with entries (0, f) of NULL."""
    keys = st.tuples(
        st.integers(0, len(source.vocabulary) - 1), st.integers(1, len(target.vocabulary) - 1)
    )
    entries = sorted(draw(st.dictionaries(keys, values, max_size=15)).items())
    counts = Counts(
        np.array([e for (e, _), _ in entries], np.int32),
        np.array([f for (_, f), _ in entries], np.int32),
        np.array([value for _, value in entries], np.float64),
    )
    translation = TranslationModel.from_counts(
        counts, len(source.vocabulary), np.full(len(target.vocabulary), floor), 0.0, 0.0
    )
    shape = source.max_length + 1, target.max_length + 1
    cells = st.lists(st.integers(0, 3), min_size=shape[0] * shape[1], max_size=shape[0] * shape[1])
    length_counts = np.array(draw(cells), np.float64).reshape(shape)
    lengths = LengthModel.from_counts(length_counts, 1.0)
    return Direction(
        Model(lengths, translation, MODEL_1, 0.5),
        oracle_table(translation, source, target),
        oracle_lengths(lengths),
    )


def oracle_table(model: TranslationModel, source: Phrases, target: Phrases) -> oracle.Table:
    return {
        (source.vocabulary.words[e] or oracle.NULL, target.vocabulary.words[f]): float(value)
        for e, f, value in zip(model.sources, model.targets, model.probabilities, strict=True)
    }


def oracle_lengths(model: LengthModel) -> oracle.Lengths:
    return {
        (I, J): float(np.exp(model.log_prob[I, J]))
        for I in range(1, model.log_prob.shape[0])
        for J in range(1, model.log_prob.shape[1])
    }


def oracle_phrases(phrases: Phrases) -> list[oracle.Phrase]:
    return [tuple(phrases[number].split()) for number in range(len(phrases))]


def pairs_of(links: Links) -> set[tuple[int, int]]:
    return set(zip(links.source.tolist(), links.target.tolist(), strict=True))


def plain_task(source: Phrases, target: Phrases, runner: Runner | None = None) -> Task:
    """A task of which only the corpora matter."""
    return Task(source, target, Settings(), runner or Threads(1))


def one_pair(s: int, t: int) -> CandidatePairs:
    return CandidatePairs(
        np.array([s], np.int32), np.array([t], np.int32), *[np.ones(1, np.bool_)] * 2
    )
