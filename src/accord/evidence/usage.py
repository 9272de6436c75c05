"""How often words, and the terms asked for, occur in a file of phrases."""

from collections import Counter, defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from accord.corpus.vocabulary import normalise
from accord.errors import InputError
from accord.system.reading import place, read_lines


@dataclass(frozen=True)
class Usage:
    """How often each word and each term of several words occurs, and all words together."""

    counts: Counter[str]
    words: int

    def spelling(self, term: str) -> str | None:
        """The term as the text has it, by itself or in small letters."""
        return next((form for form in (term, term.lower()) if form in self.counts), None)

    def frequency(self, term: str) -> float:
        return self.counts[term] / self.words


def read_usage(path: str | Path, terms: Collection[str]) -> Usage:
    """Words are all counted, terms of several words if they are asked for.

    A phrase may have its count in a second column.
    """
    counts: Counter[str] = Counter()
    # The lengths of the terms that begin with a word: few words begin one.
    lengths: defaultdict[str, set[int]] = defaultdict(set)
    wanted = {form for term in terms if " " in term for form in (term, term.lower())}
    for term in wanted:
        lengths[term.split(" ", 1)[0]].add(term.count(" ") + 1)
    total = 0
    for number, line in read_lines(path):
        phrase, times = _phrase_and_count(path, number, line)
        words = normalise(phrase).split()
        total += times * len(words)
        for place_of, word in enumerate(words):
            counts[word] += times
            for length in lengths.get(word, ()):
                term = " ".join(words[place_of : place_of + length])
                if term in wanted:
                    counts[term] += times
    if not total:
        raise InputError(f"{path}: expected phrases, a line each, found none")
    return Usage(+counts, total)


def _phrase_and_count(path: str | Path, number: int, line: str) -> tuple[str, int]:
    phrase, tab, count = line.partition("\t")
    if not tab:
        return phrase, 1
    if not count.strip().isdecimal():
        raise InputError(
            f"{place(path, number)}: expected a phrase and, after a tab, its count, "
            f"found {line[:60]!r}"
        )
    return phrase, int(count)
