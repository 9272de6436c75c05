"""Phrase extraction in plain loops, over lines of tokens.

Notation: c  {n-gram: its count};  N  the number of words of the text
"""

import math
from collections import Counter

Lines = list[list[str]]
Gram = tuple[str, ...]


def counted_grams(lines: Lines, longest: int) -> Counter[Gram]:
    """The counts of all n-grams within a line whose tokens all have a letter."""
    c: Counter[Gram] = Counter()
    for line in lines:
        for begin in range(len(line)):
            for end in range(begin + 1, min(begin + longest, len(line)) + 1):
                if all(any(map(str.isalpha, token)) for token in line[begin:end]):
                    c[tuple(line[begin:end])] += 1
    return c


def function_words(
    lines: Lines, *, size: int, least: int, one_in: int, most_bits: float, most_at_edge: float
) -> set[str]:
    """Frequent words that occur in about as many slices of the text as by chance, and are seldom
    last between two ends of phrases; or first, if that is what they avoid."""
    runs: Lines = [[]]
    for line in lines:
        for token in line:
            runs[-1].append(token) if any(map(str.isalpha, token)) else runs.append([])
        runs.append([])
    runs = [run for run in runs if run]
    words = [word for run in runs for word in run]
    slices = [set(words[begin : begin + size]) for begin in range(0, len(words), size)]
    found = set()
    for word, count in Counter(words).items():
        spread = sum(word in part for part in slices) / len(slices)
        by_chance = 1 - math.exp(-count / len(slices))
        bits = math.log2(by_chance) - math.log2(spread)
        if count >= max(least, len(words) / one_in) and bits <= most_bits:
            found.add(word)
    edges = [Counter(run[place] for run in runs) for place in (-1, 0)]
    edge = min(edges, key=lambda edge: sum(edge[word] for word in found))
    usual = len(runs) / max(len(words), 1)
    c = Counter(words)
    return {word for word in found if edge[word] <= most_at_edge * usual * c[word]}


def cohesion(c: Counter[Gram], gram: Gram, N: int) -> float:
    """Normalised pointwise mutual information, the least over all ways to split the n-gram."""
    return min(
        math.log(c[gram] * N / (c[gram[:n]] * c[gram[n:]])) / math.log(N / c[gram])
        for n in range(1, len(gram))
    )


def chunks(
    lines: Lines, longest: int, least: int, functions: set[str], least_cohesion: float
) -> dict[Gram, int]:
    """N-grams that neither begin nor end with a function word, are cohesive, and do not occur only
    within a longer one; such a longer one may have one word more than the longest."""
    c = counted_grams(lines, longest + 1)
    N = sum(count for gram, count in c.items() if len(gram) == 1)
    good = {
        gram
        for gram, count in c.items()
        if count >= least
        and gram[0] not in functions
        and gram[-1] not in functions
        and (len(gram) == 1 or cohesion(c, gram, N) >= least_cohesion)
    }

    def is_fragment(gram: Gram) -> bool:
        return any(
            c[other] == c[gram]
            and any(other[n : n + len(gram)] == gram for n in range(len(other) - len(gram) + 1))
            for other in good
            if len(other) > len(gram)
        )

    return {gram: c[gram] for gram in good if len(gram) <= longest and not is_fragment(gram)}
