"""Co-occurrence in sentences: counts against plain loops, and PPMI against its formula."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.corpus.text.tokens import LINE_END, NO_WORD
from accord.evidence import cooccurrence
from accord.evidence.cooccurrence import (
    DISCOUNT,
    SMOOTHING,
    Cooccurrences,
    count_cooccurrences,
)
from accord.evidence.cooccurrence_kernels import (
    UNIT,
    WINDOW,
    Occurrences,
    RightContexts,
    count_right_contexts,
)
from accord.system.arrays import Floats, Ids, Offsets
from accord.system.runners.threads import Threads

WORDS = 4
# Several lines, some of them longer than the window; other tokens and empty lines in between.
TOKENS = st.lists(st.integers(LINE_END, WORDS - 1), max_size=60) | st.lists(
    st.integers(NO_WORD, WORDS - 1), min_size=WINDOW, max_size=3 * WINDOW
)


def count_plainly(tokens: list[int]) -> Counter[tuple[int, int]]:
    """The same counts by plain loops over the lines."""
    counts: Counter[tuple[int, int]] = Counter()
    lines: list[list[int]] = [[]]
    for token in tokens:
        if token == LINE_END:
            lines.append([])
        else:
            lines[-1].append(token)
    for line in lines:
        for i, word in enumerate(line):
            for d, other in enumerate(line[i + 1 : i + 1 + WINDOW], 1):
                if word >= 0 and other >= 0:
                    counts[word, other] += UNIT // d
    return counts


def count_by_kernel(tokens: list[int], first: int, last: int) -> RightContexts:
    array = np.array(tokens, np.int32)
    places = [np.flatnonzero(array == word) for word in range(WORDS)]
    offsets = np.cumsum([0, *map(len, places)])
    occurrences = Occurrences(array, np.concatenate(places), offsets)
    return RightContexts(*count_right_contexts(occurrences, LINE_END, first, last))


def dense(counts: Cooccurrences) -> dict[tuple[int, int], int]:
    """The counts by the ids of the words."""
    matrix = counts.counts.tocoo()
    row, column = (counts.words[axis].tolist() for axis in matrix.coords)
    return {(e, f): n for e, f, n in zip(row, column, matrix.data.tolist(), strict=True)}


def random_lines(seed: int, words: int = 30) -> list[Offsets]:
    generator = np.random.default_rng(seed)
    return [generator.integers(1, words, generator.integers(1, 25)) for _ in range(80)]


def join(lines: list[Offsets]) -> Ids:
    return np.concatenate([np.append(line, LINE_END) for line in lines]).astype(np.int32)


@given(TOKENS)
def test_the_kernel_counts_as_plain_loops_do(tokens: list[int]) -> None:
    found = count_by_kernel(tokens, 0, WORDS)
    rows = np.repeat(np.arange(WORDS), found.sizes)
    pairs = [*zip(rows.tolist(), found.words.tolist(), strict=True)]
    assert pairs == sorted(pairs)
    assert dict(zip(pairs, found.weights.tolist(), strict=True)) == count_plainly(tokens)


@given(TOKENS, st.integers(0, WORDS))
def test_shards_of_the_kernel_are_parts_of_the_whole(tokens: list[int], middle: int) -> None:
    whole = count_by_kernel(tokens, 0, WORDS)
    parts = count_by_kernel(tokens, 0, middle), count_by_kernel(tokens, middle, WORDS)
    for together, one, other in zip(whole, *parts, strict=True):
        np.testing.assert_array_equal(np.concatenate([one, other]), together)


def test_more_contexts_than_the_first_buffer_holds() -> None:
    words = 400
    tokens = np.random.default_rng(0).integers(0, words, 60_000).astype(np.int32)
    order = np.argsort(tokens, kind="stable")
    offsets = np.append(0, np.cumsum(np.bincount(tokens, minlength=words)))
    found = RightContexts(
        *count_right_contexts(Occurrences(tokens, order, offsets), LINE_END, 0, words)
    )
    assert len(found.words) == found.sizes.sum() > 1 << 16
    expected = count_plainly(tokens.tolist())
    assert found.weights.sum() == sum(expected.values())
    first = dict(zip(found.words.tolist(), found.weights.tolist()[: found.sizes[0]], strict=False))
    assert first == {other: n for (word, other), n in expected.items() if word == 0}


def test_the_weights_of_distances_are_whole_numbers() -> None:
    assert all(UNIT % distance == 0 for distance in range(1, WINDOW + 1))


def test_the_window_ends_after_ten_words_and_at_the_end_of_a_line() -> None:
    near = [1, *[NO_WORD] * (WINDOW - 1), 2, LINE_END]
    far = [1, *[NO_WORD] * WINDOW, 2, LINE_END]
    apart = [1, LINE_END, 2, LINE_END]
    for line, expected in ((near, {(1, 2): 3 * UNIT // WINDOW}), (far, {}), (apart, {})):
        counts = count_cooccurrences(np.array(line * 3, np.int32), Threads(1))
        assert counts.frequency.tolist() == [3, 3]
        assert dense(counts) == expected


def test_a_text_without_line_ends_is_one_line() -> None:
    tokens = np.array([1, 2] * 3, np.int32)
    expected = {(word + 1, other + 1): n for (word, other), n in count_plainly([0, 1] * 3).items()}
    assert dense(count_cooccurrences(tokens, Threads(1))) == expected


def test_neither_the_order_of_lines_nor_threads_nor_shards_matter(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = random_lines(0)
    signatures = {count_cooccurrences(join(lines), Threads(1)).signature}
    signatures.add(count_cooccurrences(join(lines[::-1]), Threads(2)).signature)
    monkeypatch.setattr(cooccurrence, "SHARD", 3)
    signatures.add(count_cooccurrences(join(lines[40:] + lines[:40]), Threads(3)).signature)
    assert len(signatures) == 1
    assert count_cooccurrences(join(lines[1:]), Threads(1)).signature not in signatures


def test_only_frequent_words_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    # Word 3 occurs twice; as it is not compared, it only makes others more distant.
    tokens = np.array([*[5, 3, 9, LINE_END] * 2, *[5, 9, 7, LINE_END] * 3], np.int32)
    counts = count_cooccurrences(tokens, Threads(1))
    assert counts.words.tolist() == [5, 7, 9]
    assert counts.frequency.tolist() == [5, 3, 5]
    assert dense(counts) == {
        (5, 9): 2 * UNIT // 2 + 3 * UNIT,
        (5, 7): 3 * UNIT // 2,
        (9, 7): 3 * UNIT,
    }
    monkeypatch.setattr(cooccurrence, "MAX_WORDS", 2)
    assert count_cooccurrences(tokens, Threads(1)).words.tolist() == [5, 9]


@pytest.mark.parametrize(
    "tokens", [[], [NO_WORD, LINE_END], [1, 2, LINE_END, 1, LINE_END], [1, LINE_END] * 3]
)
def test_texts_without_words_to_compare(tokens: list[int]) -> None:
    """Empty, without words, with rare words only, and with a single word."""
    counts = count_cooccurrences(np.array(tokens, np.int32), Threads(2))
    size = len(counts.words)
    assert size == (tokens.count(1) >= 3)
    assert counts.counts.shape == (size, size)
    assert all(matrix.shape == (size, size) and not matrix.nnz for matrix in counts.associations)
    assert counts.signature


def test_associations_are_ppmi_of_both_directions() -> None:
    counts = count_cooccurrences(join(random_lines(1)), Threads(1))
    n = counts.counts.toarray().astype(float)
    for found, matrix in zip(counts.associations, (n, n.T), strict=True):
        np.testing.assert_allclose(found.toarray(), compute_ppmi(matrix), rtol=1e-5, atol=1e-6)
        assert found.nnz == np.count_nonzero(found.toarray())
        assert found.indices.dtype == counts.counts.indices.dtype == np.int32


def compute_ppmi(n: Floats) -> Floats:
    """max(0, log p(w, c) / (p(w)·p_α(c))) for each pair, discounted."""
    smoothed = n.sum(axis=0) ** SMOOTHING
    information = np.zeros_like(n)
    for w, c in np.argwhere(n).tolist():
        joint, word = n[w, c] / n.sum(), n[w].sum() / n.sum()
        information[w, c] = max(0, np.log(joint / (word * smoothed[c] / smoothed.sum())))
        information[w, c] *= n[w, c] / (n[w, c] + DISCOUNT * UNIT)
    return information
