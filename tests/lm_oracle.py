"""Language models straight from the formulas, with dictionaries and recursion."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise

Gram = tuple[str, ...]
BEGIN, END, UNKNOWN = "<s>", "</s>", "<unk>"


class KneserNey:
    """Interpolated modified Kneser-Ney, without back-off: p by its definition."""

    def __init__(self, sentences: Sequence[Sequence[str]], order: int) -> None:
        self.order = order
        self.vocabulary = sorted({word for sentence in sentences for word in sentence})
        self.vocabulary += [END, UNKNOWN]
        seen: Counter[Gram] = Counter()
        for sentence in sentences:
            tokens = (BEGIN, *sentence, END)
            for length in range(1, order + 1):
                for at in range(len(tokens) - length + 1):
                    seen[tokens[at : at + length]] += 1
        before: dict[Gram, set[str]] = defaultdict(set)
        for gram in seen:
            before[gram[1:]].add(gram[0])
        self.counts = {
            gram: times if len(gram) == order or gram[0] == BEGIN else len(before[gram])
            for gram, times in seen.items()
            if gram != (BEGIN,)
        }
        self.discounts = [self._discounts(length) for length in range(1, order + 1)]

    def _discounts(self, length: int) -> list[float]:
        n = Counter(count for gram, count in self.counts.items() if len(gram) == length)
        if n[1] and n[2] and n[3]:
            y = n[1] / (n[1] + 2 * n[2])
            found = [j - (j + 1) * y * n[j + 1] / n[j] for j in (1, 2, 3)]
            if all(0 < one <= j for j, one in enumerate(found, 1)):
                return [0.0, *found]
        return [0.0, 0.5, 1.0, 1.5]

    def probability(self, word: str, context: Gram) -> float:
        if len(context) >= self.order:
            return self.probability(word, context[1 - self.order :] if self.order > 1 else ())
        discounts = self.discounts[len(context)]
        following = {w: self.counts.get((*context, w), 0) for w in self.vocabulary}
        total = sum(following.values())
        lower = self.probability(word, context[1:]) if context else 1 / len(self.vocabulary)
        if not total:
            return lower
        taken = sum(discounts[min(count, 3)] for count in following.values())
        count = following[word]
        return (count - discounts[min(count, 3)] + taken * lower) / total


def score(grams: Mapping[Gram, tuple[float, float]], sentence: Sequence[str]) -> float:
    """log10 P of a sentence by (log10 p, log10 of the back-off weight) of n-grams."""

    def log_prob(word: str, context: Gram) -> float:
        if (*context, word) in grams:
            return grams[*context, word][0]
        return grams.get(context, (0.0, 0.0))[1] + log_prob(word, context[1:])

    longest = max(map(len, grams))
    words = [word if (word,) in grams else UNKNOWN for word in (BEGIN, *sentence, END)]
    return sum(
        log_prob(words[at], tuple(words[max(0, at - longest + 1) : at]))
        for _, at in pairwise(range(len(words)))
    )
