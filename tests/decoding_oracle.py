"""Plain counterparts of the decoder: language models from n-grams, and all translations."""

from collections.abc import Iterator, Mapping, Sequence
from math import log

import numpy as np

from accord.translate.decoder import DecoderLimits
from accord.translate.language_model.trie import BEGIN, END, UNKNOWN, LanguageModel
from accord.translate.weights import Weights

# (log10 p, log10 of the back-off weight) of n-grams.
Grams = Mapping[tuple[str, ...], tuple[float, float]]
# Scored target phrases of source phrases.
Table = Mapping[tuple[str, ...], Sequence[tuple[tuple[str, ...], Sequence[float]]]]


def language_model(grams: Grams) -> LanguageModel:
    """Return a language model of n-grams; the prefix of each must be among them."""
    vocabulary = [UNKNOWN, *sorted({gram[0] for gram in grams if len(gram) == 1} - {UNKNOWN})]
    numbers = {word: number for number, word in enumerate(vocabulary)}
    nodes: dict[tuple[int, ...], int] = {(): 0}
    keys: list[tuple[int, ...]] = [()]
    order = max(map(len, grams))
    contexts = 0
    for length in range(1, order + 1):
        contexts = len(keys)
        some = [tuple(numbers[word] for word in gram) for gram in grams if len(gram) == length]
        for key in sorted(some, key=lambda key: (nodes[key[:-1]], key[-1])):
            nodes[key] = len(keys)
            keys.append(key)
    values = {tuple(numbers[word] for word in gram): value for gram, value in grams.items()}
    children = [0] * (len(keys) + 1)
    for key in keys[1:]:
        children[nodes[key[:-1]] + 1] += 1
    suffix = []
    for key in keys:
        end = key[1:]
        while end not in nodes:
            end = end[1:]
        suffix.append(nodes[end])
    return LanguageModel(
        order,
        numbers,
        1 + np.cumsum(children, dtype=np.int64),
        np.array([-1, *(key[-1] for key in keys[1:])], np.int32),
        np.array([0.0, *(values[key][0] for key in keys[1:])], np.float32),
        np.array([0.0, *(values[key][1] for key in keys[1:])], np.float32),
        np.array(suffix, np.int32),
        contexts,
    )


def language_model_score(grams: Grams, sentence: Sequence[str]) -> float:
    """Return log10 p of a sentence and its end, by the definition of backing off."""
    order = max(map(len, grams))
    known = {gram[0] for gram in grams if len(gram) == 1}
    words = [word if word in known else UNKNOWN for word in (BEGIN, *sentence, END)]

    def price(context: tuple[str, ...], word: str) -> float:
        if (*context, word) in grams:
            return float(np.float32(grams[*context, word][0]))
        backoff = grams[context][1] if context in grams else 0.0
        return float(np.float32(backoff)) + price(context[1:], word)

    return sum(
        price(tuple(words[max(0, at - order + 1) : at]), words[at]) for at in range(1, len(words))
    )


Phrases = tuple[tuple[int, int, tuple[str, ...], tuple[float, ...]], ...]


def derivations(
    sentence: Sequence[str], table: Table, back_off: Table, limit: int
) -> Iterator[Phrases]:
    """Yield every way to translate the sentence, as phrases: (start, end, target words, scores).

    The scores are four of the table, two of the back-off table, and −100 for an unknown word.
    """
    size = len(sentence)

    def options(start: int, end: int) -> list[tuple[tuple[str, ...], tuple[float, ...]]]:
        source = tuple(sentence[start:end])
        if found := table.get(source):
            return [(target, (*logs(scores), 0.0, 0.0, 0.0)) for target, scores in found]
        if found := back_off.get(source):
            return [(target, (*[0.0] * 4, *logs(scores), 0.0)) for target, scores in found]
        return [(source, (*[0.0] * 6, -100.0))] if end == start + 1 else []

    def logs(scores: Sequence[float]) -> list[float]:
        return [max(log(score), -100.0) if score else -100.0 for score in scores]

    def grown(covered: frozenset[int], last: int, done: Phrases) -> Iterator[Phrases]:
        if len(covered) == size:
            yield done
            return
        gap = min(set(range(size)) - covered)
        for start in range(size):
            for end in range(start + 1, size + 1):
                words = frozenset(range(start, end))
                if covered & words or abs(start - last) > limit:
                    continue
                if start != gap and end - gap > limit:
                    continue
                for target, scores in options(start, end):
                    yield from grown(covered | words, end, (*done, (start, end, target, scores)))

    return grown(frozenset(), 0, ())


def features(phrases: Phrases, grams: Grams) -> list[float]:
    """Return the features in the order of `Weights`."""
    words = [word for _, _, target, _ in phrases for word in target]
    ends = [0, *(end for _, end, _, _ in phrases)]
    distortion = sum(abs(phrase[0] - end) for phrase, end in zip(phrases, ends, strict=False))
    scores = [sum(phrase[3][n] for phrase in phrases) for n in range(7)]
    fluency = language_model_score(grams, words) * log(10)
    return [scores[6], -len(words), len(phrases), *scores[:4], -distortion, fluency, *scores[4:6]]


def ranking(
    sentence: Sequence[str],
    tables: tuple[Table, Table],
    grams: Grams,
    weights: Weights,
    limits: DecoderLimits,
) -> list[tuple[float, list[float], Phrases]]:
    """Return all translations by a table and a back-off table, the best first: score, features,
    phrases."""
    found = []
    for phrases in derivations(sentence, *tables, limits.distortion):
        values = features(phrases, grams)
        score = sum(w * value for w, value in zip(weights.values, values, strict=True))
        found.append((score, values, phrases))
    return sorted(found, key=lambda row: -row[0])
