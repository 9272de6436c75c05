"""A seed lexicon out of a dictionary and two texts: the entries that teach the most.

Of all words of the texts, the entry (e, f) can explain at most the part m = min(p(e), p(f)), p
being relative frequencies; and so of all f' that the dictionary gives for e, as far as the target
text has them, at most m / Σ p(f'), and of all e' that it gives for f at most m / Σ p(e').
It is worth

    m · (m / Σ_f' p(f'))² · (m / Σ_e' p(e'))²

so that words come first that are frequent, as frequent on either side and without rivals. A word
is in one entry only. (Without the squares, words of many meanings come too early; were words with
rivals left out, the commonest would be missing, without which the paper's own method fails.)
Entries of several words come after all of single words, since a seed cannot say which of them
goes with which.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from accord.corpus.text.languages import find_language
from accord.errors import InputError
from accord.evidence.seed import Entry, swapped_fits_better
from accord.evidence.usage import Usage, read_usage
from accord.formats.dictionaries.glosses import clean_gloss
from accord.formats.dictionaries.readers import read_dictionary
from accord.system.reading import STANDARD_INPUT

# Letters are the same by chance if there are fewer of them (was, also; In; 的), or if one text has
# them more than so many times as often (die).
SHORTEST_SMALL, SHORTEST_CAPITAL, SHORTEST_UNCASED = 5, 3, 2
MOST_UNLIKE = 10

Languages = tuple[str | None, str | None]


class Seed(NamedTuple):
    """The entries chosen, and what they were chosen from."""

    entries: list[Entry]
    read: int  # entries of the dictionary
    known: int  # those with words in both texts
    swapped: bool  # the dictionary's second column is the source language
    coverage: tuple[float, float]  # share of the words of each text that the seed has


def make_seed(
    dictionary: str | None,
    source: str | Path,
    target: str | Path,
    languages: Languages,
    size: int,
    *,
    identical: bool,
) -> Seed:
    """Out of a dictionary, strings that are the same in both texts, or both."""
    if dictionary is None and not identical:
        raise InputError("give a dictionary (a file, or cedict), or --identical, or both")
    if [str(path) for path in (dictionary, source, target)].count(STANDARD_INPUT) > 1:
        raise InputError("standard input (-) can be given for one file only")
    codes = [language and find_language(language).code for language in languages]
    languages = codes[0], codes[1]
    pairs = [] if dictionary is None else list(dict.fromkeys(read_dictionary(dictionary)))
    if dictionary is not None and not pairs:
        raise InputError(f"{dictionary}: expected entries of a dictionary, found none")
    backwards = [(right, left) for left, right in pairs]
    straight, reverse = (_terms(way, languages) for way in (pairs, backwards))
    sides = [{entry[side] for entry in (*straight, *reverse)} for side in (0, 1)]
    texts = read_usage(source, sides[0]), read_usage(target, sides[1])
    known, known_reverse = within(straight, texts), within(reverse, texts)
    swapped = swapped_fits_better(len(known), len(known_reverse))
    if swapped:
        known = known_reverse
    if dictionary is not None and not known:
        raise InputError(
            f"{dictionary}: none of its {len(pairs):,} entries has its words in both texts; "
            "check the languages, the case and the segmentation"
        )
    candidates = known | (identical_strings(texts) if identical else set())
    if not candidates:
        raise InputError(
            f"{source} and {target}: no name, number or code is the same in both; give a dictionary"
        )
    entries = choose(candidates, texts, size)
    return Seed(entries, len(pairs), len(known), swapped, coverage(entries, texts))


def _terms(pairs: Iterable[Entry], languages: Languages) -> set[Entry]:
    """What is left of the entries after cleaning."""
    clean = cache(clean_gloss)  # the same words come again and again
    terms = {(clean(e, languages[0]), clean(f, languages[1])) for e, f in pairs}
    return {entry for entry in terms if all(entry)}


def within(entries: Collection[Entry], texts: tuple[Usage, Usage]) -> set[Entry]:
    """The entries that occur in both texts, as these spell them."""
    spelled = ((texts[0].spelling(e), texts[1].spelling(f)) for e, f in entries)
    return {(e, f) for e, f in spelled if e is not None and f is not None}


def identical_strings(texts: tuple[Usage, Usage]) -> set[Entry]:
    """Names, numbers and code: words that are the same in both texts, and not by chance."""
    source, target = texts
    return {
        (word, word)
        for word in source.counts.keys() & target.counts.keys()
        if any(letter.isalnum() for letter in word) and " " not in word
        if not word.isalpha() or (len(word) >= _shortest(word) and _alike(word, texts))
    }


def _shortest(word: str) -> int:
    if word.islower():
        return SHORTEST_SMALL
    return SHORTEST_UNCASED if word.lower() == word else SHORTEST_CAPITAL


def _alike(word: str, texts: tuple[Usage, Usage]) -> bool:
    frequencies = [text.frequency(word) for text in texts]
    return max(frequencies) <= MOST_UNLIKE * min(frequencies)


def choose(entries: Collection[Entry], texts: tuple[Usage, Usage], size: int) -> list[Entry]:
    """So many of the entries, all of which occur in the texts; the best first."""
    source, target = texts
    # Whole numbers, whose sums are the same in any order.
    of_source: Counter[str] = Counter()
    of_target: Counter[str] = Counter()
    for e, f in entries:
        of_source[e] += target.counts[f]
        of_target[f] += source.counts[e]

    def rank(entry: Entry) -> tuple[bool, float, float, list[str]]:
        e, f = entry
        p, q = source.frequency(e), target.frequency(f)
        rivals = (of_source[e] / target.words) * (of_target[f] / source.words)
        # Of entries worth the same, those first whose words are the most alike.
        return " " in e or " " in f, -(min(p, q) ** 5) / rivals**2, max(p, q), sorted(entry)

    chosen: list[Entry] = []
    used: tuple[set[str], set[str]] = set(), set()
    for e, f in sorted(entries, key=rank):
        if len(chosen) < size and e not in used[0] and f not in used[1]:
            chosen.append((e, f))
            used[0].add(e)
            used[1].add(f)
    return chosen


def coverage(entries: Collection[Entry], texts: tuple[Usage, Usage]) -> tuple[float, float]:
    """The share of each text's words that are in an entry."""
    shares = []
    for side, text in enumerate(texts):
        words = {word for entry in entries for word in entry[side].split()}
        shares.append(sum(text.counts[word] for word in words) / text.words)
    return shares[0], shares[1]
