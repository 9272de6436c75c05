"""What learning starts from: a phrase table of another domain, a dictionary, or both."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from accord.corpus.text.extraction import Preparation
from accord.corpus.vocabulary import normalise
from accord.errors import InputError
from accord.evidence.seed import Entry, ReviewedEntry, read_seed
from accord.formats.moses import SEPARATOR, read_moses
from accord.system.arrays import pair_keys, split_keys
from accord.system.columns import Row, read_rows
from accord.system.reading import STANDARD_INPUT
from accord.translate.table_training import LinkedPair

# A word pair of the table is in the seed if it has this share of the links of both words.
LEAST_SHARE = 0.3


class StartingPairs(NamedTuple):
    """Phrase pairs for the first table, and entries of the seed."""

    pairs: list[LinkedPair]
    seed: list[Entry | ReviewedEntry]

    @classmethod
    def read(
        cls, table: Path | None, dictionary: Path | None, prepare: tuple[Preparation, Preparation]
    ) -> "StartingPairs":
        """Read a table, a dictionary, or both."""
        pairs = [] if table is None else read_outside_table(table)
        seed: list[Entry | ReviewedEntry] = [*seed_from_links(pairs)]
        if dictionary is not None:
            entries = read_seed(dictionary)
            pairs += link_entries(entries.entries, prepare)
            seed += entries.entries_with_status
        if not seed:
            raise InputError(
                f"{table}: expected pairs of single words or word links, which learning "
                "starts from, found none"
            )
        return cls(pairs, seed)


def seed_from_links(pairs: Sequence[LinkedPair]) -> list[Entry]:
    """Return the word pairs with a sufficient share of the links of both words."""
    words = [
        (source[i], target[j])
        for source, target, links in ((p.source.split(), p.target.split(), p.links) for p in pairs)
        for i, j in links
    ]
    sides = [np.unique([pair[side] for pair in words], return_inverse=True) for side in (0, 1)]
    (sources, source_numbers), (targets, target_numbers) = sides
    keys, counts = np.unique(pair_keys(source_numbers, target_numbers), return_counts=True)
    e, f = split_keys(keys)
    shares = [counts / np.bincount(side, counts)[side] for side in (e, f)]
    kept = np.flatnonzero(np.minimum(*shares) >= LEAST_SHARE)
    return [(str(sources[e[n]]), str(targets[f[n]])) for n in kept.tolist()]


def read_outside_table(path: Path) -> list[LinkedPair]:
    """Read phrase pairs: a Moses table, or two columns. Pairs of single words are linked."""
    if str(path) == STANDARD_INPUT:
        raise InputError("standard input (-): expected a file, as the table is read twice")
    rows = (row for row in read_rows(path) if row.text.strip())
    first = next(rows, None)
    if first is None:
        raise InputError(f"{path}: expected phrase pairs, found none")
    if SEPARATOR in first.text:
        found = [(record.source, record.target, record.alignment) for record in read_moses(path)]
    else:
        found = [(*_split_columns(row), ()) for row in (first, *rows)]
    pairs = ((_prepare_phrase(s), _prepare_phrase(t), links) for s, t, links in found)
    return [
        LinkedPair(source, target, links or ([(0, 0)] if " " not in source + target else []))
        for source, target, links in pairs
    ]


def link_entries(
    entries: Sequence[Entry], prepare: tuple[Preparation, Preparation]
) -> list[LinkedPair]:
    """Return the entries of a dictionary as phrase pairs, in the form of the prepared texts."""
    source, target = (
        of_side("".join(f"{entry[side]}\n" for entry in entries)).split("\n")
        for side, of_side in enumerate(prepare)
    )
    return [
        LinkedPair(e, f, [(0, 0)] if " " not in e + f else [])
        for e, f in zip(source, target, strict=True)
        if e and f
    ]


def _split_columns(row: Row) -> tuple[str, str]:
    columns = [" ".join(column.split()) for column in row.columns]
    if len(columns) != 2 or not all(columns):
        raise row.error("two phrases with a tab between them, or a Moses table")
    return columns[0], columns[1]


def _prepare_phrase(phrase: str) -> str:
    """Bring a phrase into the form of the prepared texts."""
    return normalise(phrase.lower())
