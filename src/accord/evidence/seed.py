"""The seed lexicon d, and its pseudo-counts σ(f, e, d).

σ is 1 for an entry of one word on each side (the paper's "checks whether an entry exists").
An entry of I and J words also has a total count of 1, spread evenly over its I·J word pairs.

A reviewer may have accepted or rejected an entry.
- An accepted entry is never held out. If both its sides are phrases of the corpora, it is a certain
  link. An accepted entry of several words counts only as this link: EM then finds out which of its
  words belong together.
- A rejected entry is kept, so that it is never learned: see `constraints.py`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

import numpy as np

from accord.corpus.phrases import Phrases
from accord.corpus.vocabulary import Vocabulary, normalise
from accord.errors import InputError
from accord.evidence.counts import Counts
from accord.system.columns import read_rows

ACCEPTED, REJECTED = "accepted", "rejected"
# So many held-out entries are enough to measure the quality of a run.
MOST_HELD_OUT = 100

Entry = tuple[str, str]
# (source, target, "accepted" or "rejected")
ReviewedEntry = tuple[str, str, str]


@dataclass(frozen=True)
class SeedLexicon:
    """Distinct entries (source, target), sorted; and the entries that reviewers rejected."""

    entries: tuple[Entry, ...]
    rejected: tuple[Entry, ...] = ()
    accepted: frozenset[Entry] = frozenset()  # a subset of the entries

    @classmethod
    def of(cls, entries: Iterable[Entry | ReviewedEntry], name: str = "seed") -> "SeedLexicon":
        """Check entries given as tuples. Errors begin with the name."""
        statuses = collect_statuses(entries, name)
        return cls(
            tuple(sorted(entry for entry, status in statuses.items() if status != REJECTED)),
            tuple(sorted(entry for entry, status in statuses.items() if status == REJECTED)),
            frozenset(entry for entry, status in statuses.items() if status == ACCEPTED),
        )

    @property
    def entries_with_status(self) -> list[Entry | ReviewedEntry]:
        """All entries, rejected ones included; those that were reviewed with their status."""
        return [
            *((*entry, ACCEPTED) if entry in self.accepted else entry for entry in self.entries),
            *((e, f, REJECTED) for e, f in self.rejected),
        ]

    @property
    def lines(self) -> list[str]:
        """The lines of a file that `read_seed` reads."""
        return ["\t".join(entry) for entry in self.entries_with_status]

    @property
    def signature(self) -> str:
        return sha256("\n".join(self.lines).encode()).hexdigest()

    @property
    def words(self) -> tuple[set[str], set[str]]:
        """The words of each language."""
        source, target = (
            {word for entry in self.entries for word in entry[side].split()} for side in (0, 1)
        )
        return source, target

    def swapped(self) -> "SeedLexicon":
        """Return the same lexicon with the two languages exchanged."""
        entries, rejected = (
            tuple(sorted((f, e) for e, f in some)) for some in (self.entries, self.rejected)
        )
        return SeedLexicon(entries, rejected, frozenset((f, e) for e, f in self.accepted))

    def merge_over(self, older: "SeedLexicon") -> "SeedLexicon":
        """Return the entries of both; where the two disagree on an entry, this lexicon wins."""
        rejected = {*self.rejected} | ({*older.rejected} - {*self.entries})
        entries = {*self.entries, *older.entries} - rejected
        accepted = (self.accepted | older.accepted) - rejected
        return SeedLexicon(tuple(sorted(entries)), tuple(sorted(rejected)), accepted)

    def limit_accepted(self, max_words: int) -> "SeedLexicon":
        """Treat longer accepted entries like entries that nobody reviewed: they cannot be links."""
        short = (entry for entry in self.accepted if max(e.count(" ") for e in entry) < max_words)
        return replace(self, accepted=frozenset(short))

    def subtract(self, other: "SeedLexicon") -> "SeedLexicon":
        """Return the entries that are not in the other lexicon."""
        return self._select({*self.entries} - {*other.entries})

    def restrict_to(self, source: Phrases, target: Phrases) -> "SeedLexicon":
        """Return the entries whose words all occur in the corpora, and all rejected entries."""
        kept = (
            (e, f)
            for e, f in self.entries
            if all(word in source.vocabulary.index for word in e.split())
            and all(word in target.vocabulary.index for word in f.split())
        )
        return self._select(kept, self.rejected)

    def split_held_out(
        self, share: float, earlier: "SeedLexicon | None" = None
    ) -> tuple["SeedLexicon", "SeedLexicon"]:
        """Return (the entries to learn from, the entries of the held-out source words).

        A share of the entries of single words is held out, but not more than are needed. Nothing
        may be known about their words: other entries of these words are not learned from, and words
        of accepted entries or of the `earlier` seed, which a model has already learned from, are
        not held out. The choice is by the hash of an entry, whatever its direction, so that
        swapping the languages does not change it.
        """
        single = [one for one in self.entries if is_word_pair(one) and one not in self.accepted]
        known = [*(earlier.entries if earlier else ()), *self.accepted]
        known_words = {e for e, _ in known}, {f for _, f in known}
        unknown = [(e, f) for e, f in single if e not in known_words[0] and f not in known_words[1]]
        count = min(int(share * len(single)), MOST_HELD_OUT)
        chosen = sorted(unknown, key=_hash_unordered)[:count]
        sources, targets = {e for e, _ in chosen}, {f for _, f in chosen}
        learned = ((e, f) for e, f in self.entries if e not in sources and f not in targets)
        held_out = (entry for entry in self.entries if entry[0] in sources)
        return self._select(learned, self.rejected), self._select(held_out)

    def pseudo_counts(self, source: Vocabulary, target: Vocabulary) -> Counts:
        """Return σ. All words of the entries must be in the vocabularies."""
        counted = (one for one in self.entries if is_word_pair(one) or one not in self.accepted)
        triples = [
            (source.index[e], target.index[f], 1 / (len(es) * len(fs)))
            for es, fs in ((e.split(), f.split()) for e, f in counted)
            for e in es
            for f in fs
        ]
        if not triples:
            return Counts.none()
        e, f, values = zip(*triples, strict=True)
        return Counts.total(np.array(e, np.int32), np.array(f, np.int32), np.array(values))

    def _select(self, entries: Iterable[Entry], rejected: tuple[Entry, ...] = ()) -> "SeedLexicon":
        kept = tuple(sorted(entries))
        return SeedLexicon(kept, rejected, self.accepted.intersection(kept))


def read_seed(path: str | Path) -> SeedLexicon:
    """Read two tab-separated columns; white space is enough between single words.

    A third column may hold `accepted` or `rejected`.
    """
    entries: list[Entry | ReviewedEntry] = []
    for row in read_rows(path):
        if not row.text.strip():
            continue
        columns = row.columns_or_words
        pair, status = columns[:2], [column.strip() for column in columns[2:]]
        is_entry = len(pair) == 2 and all(column.strip() for column in pair) and _is_valid(status)
        if not is_entry or (status and "\t" not in row.text):
            raise row.error(
                "two columns (source word, target word; tab-separated if an entry has several "
                "words) and optionally accepted or rejected in a third"
            )
        entries.append(attach_status(pair[0], pair[1], status))
    return SeedLexicon.of(entries, str(path))


def collect_statuses(entries: Iterable[Entry | ReviewedEntry], name: str) -> dict[Entry, str]:
    """Return the status of each distinct entry: accepted, rejected, or empty for neither.

    Of several lines with the same entry, those with a status win.
    """
    statuses: dict[Entry, str] = {}
    for given in entries:
        match given:
            case (str(e), str(f), *rest) if e.strip() and f.strip() and _is_valid(rest):
                entry, status = (normalise(e), normalise(f)), str(rest[0]) if rest else ""
            case _:
                raise InputError(f"{name}: expected (source, target), found {given!r}")
        earlier = statuses.get(entry, "")
        if earlier and status and earlier != status:
            raise InputError(
                f"{name}: the entry {' = '.join(entry)} is both accepted and rejected; "
                "remove one of the two"
            )
        statuses[entry] = earlier or status
    return statuses


def _is_valid(status: Sequence[object]) -> bool:
    return list(status) in ([], [ACCEPTED], [REJECTED])


def attach_status(e: str, f: str, status: Sequence[str]) -> Entry | ReviewedEntry:
    """Return the entry with its status, given as a list of at most one."""
    return (e, f, status[0]) if status else (e, f)


def is_word_pair(entry: Entry) -> bool:
    """Whether both sides are single words."""
    return " " not in entry[0] and " " not in entry[1]


def are_columns_swapped(found_as_given: int, found_swapped: int) -> bool:
    """Whether the columns are in the wrong order, by the entries found in the corpora either way.

    Some entries are found in the wrong order, too: names, and words of both languages.
    """
    return found_swapped > 2 * found_as_given


def _hash_unordered(entry: Entry) -> str:
    return sha256("\t".join(sorted(entry)).encode()).hexdigest()
