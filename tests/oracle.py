"""The equations of the paper as plain loops, one function each, over words and phrases as strings.

Notation: E, F  lists of phrases, each a tuple of words; E[0] and F[0] are the empty phrase ()
          p  {(e, f): learned p(f|e)}, with None for the NULL word;  floor  added to every pair
          length  {(I, J): p(J|I)};  m  a source phrase for each target phrase, 0 for none
"""

import itertools
import math
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

Phrase = tuple[str, ...]
Table = dict[tuple[str | None, str], float]
Lengths = dict[tuple[int, int], float]
LinkSet = set[tuple[int, int]]
NULL = None


def word_probability(p: Table, floor: float, e: str | None, f: str) -> float:
    return floor + p.get((e, f), 0.0)


def phrase_probability(p: Table, floor: float, length: Lengths, e: Phrase, f: Phrase) -> float:
    """Eq. 3 and 4, for a phrase that is not empty: the sum over all word alignments a."""
    total = 0.0
    for a in itertools.product([NULL, *e], repeat=len(f)):
        total += math.prod(
            word_probability(p, floor, e_i, f_j) for e_i, f_j in zip(a, f, strict=True)
        )
    return length[len(e), len(f)] / float((len(e) + 1) ** len(f)) * total


def log_phrase_probability(p: Table, floor: float, length: Lengths, e: Phrase, f: Phrase) -> float:
    """The same in closed form."""
    result = math.log(length[len(e), len(f)]) - len(f) * math.log(len(e) + 1)
    for f_j in f:
        result += math.log(sum(word_probability(p, floor, e_i, f_j) for e_i in [NULL, *e]))
    return result


def link_posterior(p: Table, floor: float, e: Phrase, f: Phrase, i: int, j: int) -> float:
    """P(<i, j>|e, f), i from 0 (NULL) and j from 1."""
    words = [NULL, *e]
    numerator = word_probability(p, floor, words[i], f[j - 1])
    return numerator / sum(word_probability(p, floor, e_i, f[j - 1]) for e_i in words)


def word_agreement(p: Table, q: Table, floor: float, e: Phrase, f: Phrase) -> float:
    """The double sum of Eq. 31, with p(f|e) and q(e|f)."""
    return sum(
        link_posterior(p, floor, e, f, i, j) * link_posterior(q, floor, f, e, j, i)
        for i in range(1, len(e) + 1)
        for j in range(1, len(f) + 1)
    )


def word_alignment(p: Table, q: Table, floor: float, e: Phrase, f: Phrase) -> LinkSet:
    """The 0-based word pairs that are each other's best; ties go to NULL, then to the first."""

    def best(table: Table, given: Phrase, word: str) -> int:
        words = [NULL, *given]
        scores = [word_probability(table, floor, other, word) for other in words]
        return scores.index(max(scores))

    return {
        (i - 1, j - 1)
        for j in range(1, len(f) + 1)
        for i in range(1, len(e) + 1)
        if best(p, e, f[j - 1]) == i and best(q, f, e[i - 1]) == j
    }


def lexical_weight(p: Table, floor: float, e: Phrase, f: Phrase, alignment: LinkSet) -> float:
    """lex(f|e) of Moses, over 0-based word links (i, j)."""
    weight = 1.0
    for j, f_j in enumerate(f):
        linked = [i for i in range(len(e)) if (i, j) in alignment]
        words = [e[i] for i in linked] if linked else [NULL]
        probabilities = [min(word_probability(p, floor, e_i, f_j), 1.0) for e_i in words]
        weight *= sum(probabilities) / len(probabilities)
    return weight


def best_sources(
    p: Table, floor: float, length: Lengths, E: list[Phrase], f: Phrase
) -> list[tuple[float, int]]:
    """(score, s) of the phrases with a word that translates a word of f, the best first."""
    scores = [
        (log_phrase_probability(p, floor, length, e, f) - len(f) * math.log(floor), s)
        for s, e in enumerate(E)
        if any((e_i, f_j) in p for e_i in e for f_j in f)
    ]
    return sorted(scores, key=lambda one: (-one[0], one[1]))


def pairs_with_words(
    E: list[Phrase], F: list[Phrase], pairs: list[tuple[int, int, float]], e: str, f: str
) -> list[int]:
    """The pairs that contain both words, by descending weight; the sort is stable."""
    found = [n for n, (s, t, _) in enumerate(pairs) if e in E[s] and f in F[t]]
    return sorted(found, key=lambda n: (-pairs[n][2], n))


def links(m: list[int]) -> LinkSet:
    """Eq. 9, with m[0] for the first target phrase, number 1."""
    return {(s, t) for t, s in enumerate(m, start=1) if s != 0}


def swapped(pairs: LinkSet) -> LinkSet:
    """The links of Eq. 10, given those of Eq. 9."""
    return {(t, s) for s, t in pairs}


def agreement_ratio(forward: LinkSet, backward: LinkSet) -> float:
    """Eq. 33."""
    return 2 * len(forward & backward) / (len(forward) + len(backward))


def length_counts(E: list[Phrase], F: list[Phrase], pairs: LinkSet) -> dict[tuple[int, int], int]:
    """Eq. 24."""
    counts: dict[tuple[int, int], int] = defaultdict(int)
    for s, t in pairs:
        counts[len(E[s]), len(F[t])] += 1
    return counts


def length_model(
    counts: dict[tuple[int, int], int], longest_e: int, longest_f: int, smoothing: float
) -> Lengths:
    """Eq. 25, with the smoothing added to every count."""
    model = {}
    for I in range(1, longest_e + 1):
        total = sum(counts.get((I, J), 0) + smoothing for J in range(1, longest_f + 1))
        for J in range(1, longest_f + 1):
            model[I, J] = (counts.get((I, J), 0) + smoothing) / total
    return model


def outer_counts(E: list[Phrase], F: list[Phrase], pairs: LinkSet, p: Table, floor: float) -> Table:
    """Eq. 26 without σ, word by word as in the paper."""
    counts: Table = defaultdict(float)
    for s, t in pairs:
        words = [NULL, *E[s]]
        for e in set(words):
            for f in set(F[t]):
                total = sum(word_probability(p, floor, e_i, f) for e_i in words)
                share = word_probability(p, floor, e, f) / total
                counts[e, f] += share * F[t].count(f) * words.count(e)
    return counts


def inner_counts(
    E: list[Phrase], F: list[Phrase], pairs: LinkSet, p: Table, q: Table, floor: float
) -> Table:
    """Eq. 32 without σ."""
    counts: Table = defaultdict(float)
    for s, t in pairs:
        for i, e_i in enumerate(E[s], start=1):
            for j, f_j in enumerate(F[t], start=1):
                counts[e_i, f_j] += link_posterior(p, floor, E[s], F[t], i, j) * link_posterior(
                    q, floor, F[t], E[s], j, i
                )
    return counts


def seed_counts(entries: list[tuple[str, str]]) -> Table:
    """σ; an entry may have several words on each side."""
    counts: Table = defaultdict(float)
    for source, target in set(entries):
        for e in source.split():
            for f in target.split():
                counts[e, f] += 1 / (len(source.split()) * len(target.split()))
    return counts


def translation_model(counts: Table, sigma: Table, prune: float, smoothing: float = 0.0) -> Table:
    """Eq. 27 with the smoothing in the denominator, without entries below `prune`."""
    total: dict[str | None, float] = defaultdict(float)
    both = {pair: counts.get(pair, 0.0) + sigma.get(pair, 0.0) for pair in {**counts, **sigma}}
    for (e, _), count in both.items():
        total[e] += count
    model = {(e, f): count / (total[e] + smoothing) for (e, f), count in both.items()}
    return {pair: value for pair, value in model.items() if value >= prune}


class Corpus(NamedTuple):
    """The sorted phrases and words of some lines, the number of lines left out, and the hash."""

    phrases: list[str]
    words: list[str]
    duplicates: int
    empty: int
    too_long: int
    signature: str


def take_in(lines: Iterable[str], max_words: int) -> Corpus:
    """Load a corpus line by line."""
    kept: set[str] = set()
    total = empty = too_long = 0
    for line in lines:
        total += 1
        phrase = " ".join(unicodedata.normalize("NFC", line).split())
        if not phrase:
            empty += 1
        elif phrase.count(" ") >= max_words:
            too_long += 1
        else:
            kept.add(phrase)
    phrases = sorted(kept)
    words = sorted({word for phrase in phrases for word in phrase.split(" ")})
    signature = sha256("\n".join(phrases).encode()).hexdigest()
    duplicates = total - empty - too_long - len(kept)
    return Corpus(phrases, words, duplicates, empty, too_long, signature)


def number_words(text: bytes) -> tuple[list[int], list[int], list[bytes]]:
    """(the words, numbered by first occurrence; the length of each line; the distinct words)."""
    numbers: dict[bytes, int] = {}
    lines = [[word for word in line.split(b" ") if word] for line in text.split(b"\n")[:-1]]
    words = [numbers.setdefault(word, len(numbers)) for line in lines for word in line]
    return words, [len(line) for line in lines], list(numbers)


def sort_by_number(numbers: list[int], size: int) -> tuple[list[int], list[int]]:
    """(where each number begins among the sorted ones, the places of the sorted numbers)."""
    offsets = [sum(other < number for other in numbers) for number in range(size + 1)]
    return offsets, sorted(range(len(numbers)), key=numbers.__getitem__)


def distinct_in_order(items: list[Phrase], order: list[int]) -> list[Phrase]:
    return [item for item, _ in itertools.groupby(items[place] for place in order)]


def occurrences(items: list[Phrase], word: str) -> dict[int, int]:
    """In which items a word occurs, and how often."""
    return {place: item.count(word) for place, item in enumerate(items) if word in item}


def find_lines(lines: list[str], piece: str) -> list[bool]:
    """Which lines contain a piece of text."""
    return [piece in line for line in lines]
