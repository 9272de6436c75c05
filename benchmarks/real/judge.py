"""Which phrase pairs are right, by the word alignment of the parallel text.

Notation: c(e, f)  links of two words;  c(e)  occurrences of a word
          partners  two words with c(e, f) ≥ 2 and c(e, f) ≥ 5% of the occurrences of either

A pair is right in either of two cases:

- the two phrases were extracted from the parallel text as translations of each other, in at least
  5% of the extractions of either phrase;
- the words of the two phrases cover each other: every word has a partner on the other side. Words
  that are often without a link, such as articles, need no partner.

The second case accepts pairs that the parallel text does not contain, because none of its sentences
has them. `docs/benchmarks.md` reports how often the judge agrees with people.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from accord.corpus.text.extraction import Preparation, count_phrases
from accord.corpus.text.tokens import is_word
from accord.experiments.synthesis.pipeline import AlignedText, link_sentences
from accord.system.arrays import Ids, Mask, Offsets, pair_keys, split_keys
from accord.system.reading import read_lines
from accord.system.runners.threads import Threads, available_cores
from accord.system.writing import write_text
from accord.translate.phrase_extraction import (
    LinkedSentences,
    NumberedSentences,
    compute_phi,
    extract_pairs,
    find_linked_words,
    locate_links,
    number_ngrams,
)
from benchmarks.halves import report
from benchmarks.real.sets import CutSet

LONGEST, MIN_COUNT = 5, 3
MIN_LINKS, MIN_SHARE = 2, 0.05
# The share of the occurrences of a word without a link from which on it needs no partner.
UNLINKED = 0.4

Pair = tuple[str, str]


class WordTable(NamedTuple):
    """The partners of each source word, and the words of both languages that need none."""

    partners: dict[str, set[str]]
    optional: tuple[set[str], set[str]]

    def covers(self, pair: Pair) -> bool:
        """Whether every word has a partner on the other side, or needs none."""
        e, f = pair[0].split(), pair[1].split()
        linked = [[word in self.partners.get(other, ()) for word in f] for other in e]
        by_source = [any(row) for row in linked]
        by_target = [any(row[j] for row in linked) for j in range(len(f))]
        sides = zip((e, f), (by_source, by_target), self.optional, strict=True)
        return any(by_source) and all(
            is_linked or word in optional
            for words, covered, optional in sides
            for word, is_linked in zip(words, covered, strict=True)
        )


class Judge(NamedTuple):
    """Decides whether pairs are right."""

    words: WordTable
    extracted: set[Pair]

    @classmethod
    def of(cls, aligned: AlignedText, cut: CutSet) -> "Judge":
        """Return the judge of the phrases of a set; what it knows is written once."""
        folder = aligned.forward.parent
        paths = [folder / name for name in ("partners.tsv", "optional.0.txt", "optional.1.txt")]
        extracted = cut.folder / "extracted.tsv"
        if not (extracted.exists() and all(path.exists() for path in paths)):
            report(f"extracting the phrases of {cut.name}")
            text = link_sentences(aligned, Threads())
            _write_words(paths, make_word_table(text))
            write_text(extracted, sorted("\t".join(pair) for pair in find_extracted(text, cut)))
        partners: dict[str, set[str]] = {}
        for e, f in _read_pairs(paths[0]):
            partners.setdefault(e, set()).add(f)
        one, other = ({line for _, line in read_lines(path)} for path in paths[1:])
        return cls(WordTable(partners, (one, other)), set(_read_pairs(extracted)))

    def accepts(self, pair: Pair) -> bool:
        return pair in self.extracted or self.words.covers(pair)


def _write_words(paths: list[Path], words: WordTable) -> None:
    pairs = ((e, f) for e, partners in words.partners.items() for f in partners)
    write_text(paths[0], sorted("\t".join(pair) for pair in pairs))
    for path, optional in zip(paths[1:], words.optional, strict=True):
        write_text(path, sorted(optional))


def _read_pairs(path: Path) -> list[Pair]:
    pairs = (line.split("\t") for _, line in read_lines(path))
    return [(e, f) for e, f in pairs]


def make_word_table(text: LinkedSentences) -> WordTable:
    """Find the partners of all words, and those that are often without a link."""
    keys, counts = np.unique(pair_keys(*find_linked_words(text)), return_counts=True)
    e, f = split_keys(keys)
    sides = text.source, text.target
    of_source, of_target = (
        np.bincount(side.words, minlength=len(side.vocabulary)) for side in sides
    )
    share = counts / np.minimum(of_source[e], of_target[f])
    kept = np.flatnonzero((counts >= MIN_LINKS) & (share >= MIN_SHARE))
    partners: dict[str, set[str]] = {}
    for one, other in zip(e[kept].tolist(), f[kept].tolist(), strict=True):
        partners.setdefault(text.source.vocabulary.words[one], set()).add(
            text.target.vocabulary.words[other]
        )
    one, other = (
        _find_optional(side, places) for side, places in zip(sides, locate_links(text), strict=True)
    )
    return WordTable(partners, (one, other))


def _find_optional(side: NumberedSentences, linked: Offsets) -> set[str]:
    """Return the words that are without a link in a large share of their occurrences."""
    is_linked = np.zeros(len(side.words), np.bool_)
    is_linked[linked] = True
    size = len(side.vocabulary)
    alone = np.bincount(side.words[~is_linked], minlength=size)
    counts = np.bincount(side.words, minlength=size)
    optional = np.flatnonzero((alone >= UNLINKED * counts) & (counts > 0))
    return {side.vocabulary.words[word] for word in optional.tolist()}


def find_extracted(text: LinkedSentences, cut: CutSet) -> set[Pair]:
    """Return the likely extractions of the parallel text whose sides are n-grams of the set."""
    sides = [number_ngrams(side, _find_words(side), LONGEST) for side in (text.source, text.target)]
    table = extract_pairs(sides[0], sides[1], text.links, Threads())
    forward, backward = compute_phi(table)
    rows = np.flatnonzero(np.maximum(forward, backward) >= MIN_SHARE)
    texts: list[dict[int, str]] = []
    for side, ngrams, path in zip((0, 1), sides, (cut.source, cut.target), strict=True):
        frequent = rows[ngrams.counts[table[side][rows]] >= MIN_COUNT]
        distinct: Ids = np.unique(table[side][frequent])
        own = set(_list_ngrams(path))
        names = zip(distinct.tolist(), ngrams.texts(distinct), strict=True)
        texts.append({number: name for number, name in names if name in own})
        rows = frequent[np.isin(table[side][frequent], [*texts[-1]])]
    e, f = table.source[rows].tolist(), table.target[rows].tolist()
    return {(texts[0][one], texts[1][other]) for one, other in zip(e, f, strict=True)}


def _find_words(side: NumberedSentences) -> Mask:
    return np.array([is_word(word) for word in side.vocabulary.words])


def _list_ngrams(path: Path) -> list[str]:
    prepare = Preparation("en", pretokenised=True)
    found = count_phrases(
        [path], "ngram", prepare, min_count=MIN_COUNT, max_words=LONGEST, jobs=available_cores()
    )
    return [*found.phrases.texts()]
