"""A phrase table out of phrase pairs with word links, as Moses trains one on parallel text.

Each pair is taken for a pair of sentences: out of it come all pairs of shorter phrases of which no
word is linked to one outside, φ by relative frequency and lexical weights by the links. So what
was learned of `a b c = x y z` serves where only `a b` stands.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from accord.system.arrays import offsets_of
from accord.system.runners import Runner
from accord.translate.extraction import (
    PhraseTable,
    Sentences,
    WordLinks,
    extract,
    gram_texts,
    lexical_weights,
    number_grams,
    phi,
)
from accord.translate.table import Needed, ScoredPair

# Words of a phrase at most, as in Moses.
LONGEST = 7


class LinkedPair(NamedTuple):
    """A pair of phrases and its word links, 0-based (source word, target word)."""

    source: str
    target: str
    links: Sequence[tuple[int, int]]


def trained_table(
    pairs: Sequence[LinkedPair], runner: Runner, needed: Needed | None = None
) -> list[ScoredPair]:
    """Source and target with φ(s|t), lex(s|t), φ(t|s), lex(t|s), sorted; all, or those needed."""
    if not pairs:
        return []
    source = Sentences.of([pair.source for pair in pairs])
    target = Sentences.of([pair.target for pair in pairs])
    return table_of_aligned(source, target, _links(pairs), runner, needed)


def table_of_aligned(
    source: Sentences,
    target: Sentences,
    links: WordLinks,
    runner: Runner,
    needed: Needed | None = None,
) -> list[ScoredPair]:
    """The same of sentence pairs."""
    grams, target_grams = (
        number_grams(side, np.ones(len(side.vocabulary), np.bool_), LONGEST)
        for side in (source, target)
    )
    table = extract(source, target, links, grams, target_grams, runner)
    there, back = phi(table)
    sources, which = np.unique(table.source, return_inverse=True)
    texts = gram_texts(source, grams, sources)
    wanted = np.array([needed is None or text in needed for text in texts])
    rows = np.flatnonzero(wanted[which])
    kept = PhraseTable(table.source[rows], table.target[rows], table.counts[rows])
    lexical, lexical_back = lexical_weights(
        source, target, links, grams, target_grams, kept, runner
    )
    target_texts = gram_texts(target, target_grams, kept.target)
    scores = np.stack([back[rows], lexical_back, there[rows], lexical], axis=1).tolist()
    of_rows = (texts[number] for number in which[rows].tolist())
    return sorted(zip(of_rows, target_texts, map(tuple, scores), strict=True))


def _links(pairs: Sequence[LinkedPair]) -> WordLinks:
    """A pair without links is linked throughout: it stays whole."""
    each = [pair.links or [*_all_links(pair)] for pair in pairs]
    flat = np.array([*chain.from_iterable(each)], np.int16).reshape(-1, 2)
    i, j = flat.T
    return WordLinks(i.copy(), j.copy(), offsets_of(np.array([*map(len, each)])))


def _all_links(pair: LinkedPair) -> Iterator[tuple[int, int]]:
    for i in range(len(pair.source.split())):
        for j in range(len(pair.target.split())):
            yield i, j
