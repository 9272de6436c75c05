"""The seed lexicon d, and its pseudo-counts σ(f, e, d).

σ is 1 for an entry of one word on either side (the paper's "checks whether an entry exists").
An entry of I and J words has one count as well, spread evenly over its I·J word pairs.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np

from accord.counts import Counts
from accord.errors import InputError
from accord.phrases import Phrases, Vocabulary, normalise
from accord.reading import place, read_lines

Entry = tuple[str, str]


@dataclass(frozen=True)
class SeedLexicon:
    """Distinct entries (source, target), sorted."""

    entries: tuple[Entry, ...]

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> "SeedLexicon":
        distinct = set()
        for entry in entries:
            match entry:
                case (str(e), str(f)) if e.strip() and f.strip():
                    distinct.add((normalise(e), normalise(f)))
                case _:
                    raise InputError(f"seed: expected (source, target), found {entry!r}")
        return cls(tuple(sorted(distinct)))

    @property
    def signature(self) -> str:
        return sha256("\n".join("\t".join(entry) for entry in self.entries).encode()).hexdigest()

    @property
    def swapped(self) -> "SeedLexicon":
        """The same from target to source."""
        return SeedLexicon(tuple(sorted((f, e) for e, f in self.entries)))

    def plus(self, other: "SeedLexicon") -> "SeedLexicon":
        return SeedLexicon(tuple(sorted({*self.entries, *other.entries})))

    def without(self, other: "SeedLexicon") -> "SeedLexicon":
        return SeedLexicon(tuple(sorted({*self.entries} - {*other.entries})))

    def within(self, source: Phrases, target: Phrases) -> "SeedLexicon":
        """The entries whose words all occur in the two corpora."""
        return SeedLexicon(
            tuple(
                (e, f)
                for e, f in self.entries
                if all(word in source.vocabulary.index for word in e.split())
                and all(word in target.vocabulary.index for word in f.split())
            )
        )

    def parted(
        self, share: float, learned: "SeedLexicon | None" = None
    ) -> tuple["SeedLexicon", "SeedLexicon"]:
        """(the entries to learn from, those of the source words held out).

        Chosen are a share of the entries of single words, those with the least hash, which knows
        no order: swapping the languages chooses the same. Nothing is learned of their words, nor
        must it have been before.
        """
        single = [entry for entry in self.entries if not any(" " in word for word in entry)]
        before = learned.entries if learned else ()
        known = {e for e, _ in before}, {f for _, f in before}
        unknown = [(e, f) for e, f in single if e not in known[0] and f not in known[1]]
        chosen = sorted(unknown, key=_unordered_hash)[: int(share * len(single))]
        sources, targets = {e for e, _ in chosen}, {f for _, f in chosen}
        return (
            SeedLexicon(
                tuple((e, f) for e, f in self.entries if e not in sources and f not in targets)
            ),
            SeedLexicon(tuple(entry for entry in self.entries if entry[0] in sources)),
        )

    def counts(self, source: Vocabulary, target: Vocabulary) -> Counts:
        """σ: the pseudo-counts of the entries, all of whose words must be known."""
        if not self.entries:
            return Counts.none()
        triples = [
            (source.index[e], target.index[f], 1 / (len(es) * len(fs)))
            for es, fs in ((e.split(), f.split()) for e, f in self.entries)
            for e in es
            for f in fs
        ]
        e, f, values = zip(*triples, strict=True)
        return Counts.total(np.array(e, np.int32), np.array(f, np.int32), np.array(values))


def swapped_fits_better(straight: int, swapped: int) -> bool:
    """Whether columns are in the wrong order, from how many entries either order finds in the
    corpora. Some are found in the wrong one as well: names, and words of both languages."""
    return swapped > 2 * straight


def _unordered_hash(entry: Entry) -> str:
    return sha256("\t".join(sorted(entry)).encode()).hexdigest()


def read_seed(path: str | Path) -> SeedLexicon:
    """Two columns, parted by a tab, or by white space where both sides are single words."""
    entries: list[Entry] = []
    for number, line in read_lines(path):
        if not line.strip():
            continue
        columns = line.split("\t") if "\t" in line else line.split()
        if len(columns) != 2 or not all(column.strip() for column in columns):
            raise InputError(
                f"{place(path, number)}: expected two columns (source word, target word; "
                f"a tab between them where an entry has several words), found {line[:60]!r}"
            )
        entries.append((columns[0], columns[1]))
    return SeedLexicon.of(entries)
