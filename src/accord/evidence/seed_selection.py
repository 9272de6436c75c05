"""Select a seed lexicon from a dictionary: the most informative entries for two texts.

Let p be relative frequency. An entry (e, f) can explain at most the part m = min(p(e), p(f)) of the
words of the texts. So it covers at most m / Σ p(f') of the words f' that the dictionary lists for
e, and at most m / Σ p(e') of the words e' that it lists for f. Its value is

    m · (m / Σ_f' p(f'))² · (m / Σ_e' p(e'))²

The best entries are therefore frequent, equally frequent on both sides, and without competing
translations. Each word is used in one entry only, unless all entries are wanted: a large seed may
have several translations of a word, but a small one is better without. (Without the squares, words
with many meanings rank too high. If words with competing translations were left out altogether, the
most frequent words would be missing, and the paper's own method fails without them.)
Entries of several words come after all entries of single words, since a seed does not show which of
their words belong together.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from accord.corpus.text.languages import find_language
from accord.corpus.vocabulary import normalise
from accord.errors import InputError
from accord.evidence.seed import Entry, are_columns_swapped
from accord.formats.dictionaries.glosses import clean_gloss
from accord.formats.dictionaries.readers import read_dictionary
from accord.system.reading import STANDARD_INPUT, place, read_lines

# Shorter words may be identical by chance (was, also; In; 的), and so may words that are much more
# frequent in one text than in the other (die).
MIN_LOWERCASE, MIN_CAPITALISED, MIN_UNCASED = 5, 3, 2
MAX_FREQUENCY_RATIO = 10


@dataclass(frozen=True)
class TermFrequencies:
    """The counts of the words, and of some terms of several words, in a text."""

    counts: Counter[str]
    words: int  # in total

    def find_spelling(self, term: str) -> str | None:
        """Return the term as it occurs in the text: as it is, or in lower case."""
        return next((form for form in (term, term.lower()) if form in self.counts), None)

    def frequency(self, term: str) -> float:
        return self.counts[term] / self.words


BothTexts = tuple[TermFrequencies, TermFrequencies]


class SelectedSeed(NamedTuple):
    """The entries selected, and figures about the selection."""

    entries: list[Entry]
    read: int  # entries of the dictionary
    known: int  # entries that occur in both texts
    swapped: bool  # whether the second column of the dictionary is the source language
    coverage: tuple[float, float]  # share of the words of each text that the seed covers


def select_seed(
    dictionary: str | None,
    source: str | Path,
    target: str | Path,
    languages: tuple[str | None, str | None],
    size: int | None,
    *,
    identical: bool,
) -> SelectedSeed:
    """Select entries from a dictionary, from strings that are identical in both texts, or both.

    Without a size, all entries are selected whose words are in the texts.
    """
    if dictionary is None and not identical:
        raise InputError("give a dictionary (a file, or cedict), or --identical, or both")
    if [str(path) for path in (dictionary, source, target)].count(STANDARD_INPUT) > 1:
        raise InputError("standard input (-) can be given for one file only")
    codes = [language and find_language(language).code for language in languages]
    pairs = [] if dictionary is None else list(dict.fromkeys(read_dictionary(dictionary)))
    if dictionary is not None and not pairs:
        raise InputError(f"{dictionary}: expected entries of a dictionary, found none")
    swapped_pairs = [(right, left) for left, right in pairs]
    as_given, swapped = (_clean_entries(way, *codes) for way in (pairs, swapped_pairs))
    sides = [{entry[side] for entry in (*as_given, *swapped)} for side in (0, 1)]
    texts = read_term_frequencies(source, sides[0]), read_term_frequencies(target, sides[1])
    known, known_swapped = find_in_texts(as_given, texts), find_in_texts(swapped, texts)
    is_swapped = are_columns_swapped(len(known), len(known_swapped))
    if is_swapped:
        known = known_swapped
    if dictionary is not None and not known:
        raise InputError(
            f"{dictionary}: none of its {len(pairs):,} entries has its words in both texts; "
            "check the languages, the case and the segmentation"
        )
    candidates = known | (find_identical_strings(texts) if identical else set())
    if not candidates:
        raise InputError(
            f"{source} and {target}: no name, number or code is the same in both; give a dictionary"
        )
    entries = choose_entries(candidates, texts, size)
    coverage = measure_coverage(entries, texts)
    return SelectedSeed(entries, len(pairs), len(known), is_swapped, coverage)


def _clean_entries(pairs: Iterable[Entry], source: str | None, target: str | None) -> set[Entry]:
    """Clean both sides of each entry by the rules of its language, and drop empty ones."""
    clean = cache(clean_gloss)  # many entries share their words
    terms = {(clean(e, source), clean(f, target)) for e, f in pairs}
    return {entry for entry in terms if all(entry)}


def read_term_frequencies(path: str | Path, terms: Collection[str]) -> TermFrequencies:
    """Count all words of a file of phrases, and those of the `terms` that have several words.

    A line may hold the count of its phrase in a second column.
    """
    counts: Counter[str] = Counter()
    # The lengths of the terms, by their first word: few words begin a term.
    lengths: defaultdict[str, set[int]] = defaultdict(set)
    wanted = {form for term in terms if " " in term for form in (term, term.lower())}
    for term in wanted:
        lengths[term.split(" ", 1)[0]].add(term.count(" ") + 1)
    total = 0
    for number, line in read_lines(path):
        phrase, times = _parse_phrase(path, number, line)
        words = normalise(phrase).split()
        total += times * len(words)
        for at, word in enumerate(words):
            counts[word] += times
            for length in lengths.get(word, ()):
                term = " ".join(words[at : at + length])
                if term in wanted:
                    counts[term] += times
    if not total:
        raise InputError(f"{path}: expected phrases, one per line, found none")
    return TermFrequencies(+counts, total)


def _parse_phrase(path: str | Path, number: int, line: str) -> tuple[str, int]:
    phrase, tab, count = line.partition("\t")
    if not tab:
        return phrase, 1
    if not count.strip().isdecimal():
        raise InputError(
            f"{place(path, number)}: expected a phrase and, after a tab, its count, "
            f"found {line[:60]!r}"
        )
    return phrase, int(count)


def find_in_texts(entries: Collection[Entry], texts: BothTexts) -> set[Entry]:
    """Return the entries that occur in both texts, spelled as they are there."""
    spelled = ((texts[0].find_spelling(e), texts[1].find_spelling(f)) for e, f in entries)
    return {(e, f) for e, f in spelled if e is not None and f is not None}


def find_identical_strings(texts: BothTexts) -> set[Entry]:
    """Return names, numbers and codes: words that are identical in both texts, not by chance."""
    source, target = texts
    return {
        (word, word)
        for word in source.counts.keys() & target.counts.keys()
        if any(letter.isalnum() for letter in word) and " " not in word
        if not word.isalpha()
        or (len(word) >= _choose_min_length(word) and _is_similarly_frequent(word, texts))
    }


def _choose_min_length(word: str) -> int:
    if word.islower():
        return MIN_LOWERCASE
    return MIN_UNCASED if word.lower() == word else MIN_CAPITALISED


def _is_similarly_frequent(word: str, texts: BothTexts) -> bool:
    frequencies = [text.frequency(word) for text in texts]
    return max(frequencies) <= MAX_FREQUENCY_RATIO * min(frequencies)


def choose_entries(entries: Collection[Entry], texts: BothTexts, size: int | None) -> list[Entry]:
    """Return at most `size` of the entries, each word in one of them only; or all entries.

    The best come first. All of them must occur in the texts.
    """
    source, target = texts
    # Sums of integers do not depend on their order.
    translation_counts: Counter[str] = Counter()
    source_counts: Counter[str] = Counter()
    for e, f in entries:
        translation_counts[e] += target.counts[f]
        source_counts[f] += source.counts[e]

    def rank(entry: Entry) -> tuple[bool, float, float, list[str]]:
        e, f = entry
        p, q = source.frequency(e), target.frequency(f)
        competing = (translation_counts[e] / target.words) * (source_counts[f] / source.words)
        # Among entries of equal value, those with the most similar frequencies come first.
        return " " in e or " " in f, -(min(p, q) ** 5) / competing**2, max(p, q), sorted(entry)

    if size is None:
        return sorted(entries, key=rank)
    chosen: list[Entry] = []
    used: tuple[set[str], set[str]] = set(), set()
    for e, f in sorted(entries, key=rank):
        if len(chosen) < size and e not in used[0] and f not in used[1]:
            chosen.append((e, f))
            used[0].add(e)
            used[1].add(f)
    return chosen


def measure_coverage(entries: Collection[Entry], texts: BothTexts) -> tuple[float, float]:
    """Return the share of the words of each text that are in an entry."""
    shares = []
    for side, text in enumerate(texts):
        words = {word for entry in entries for word in entry[side].split()}
        shares.append(sum(text.counts[word] for word in words) / text.words)
    return shares[0], shares[1]
