"""The seed lexicon d, and its pseudo-counts σ(f, e, d).

σ is 1 for an entry of one word on either side (the paper's "checks whether an entry exists").
An entry of I and J words has one count as well, spread evenly over its I·J word pairs.

People may have said of an entry that it is right (accepted) or wrong (rejected). An accepted entry
is never held out, and a certain link where both its sides are phrases; one of several words counts
as that link alone, in which EM finds out which word belongs to which. A rejected entry is kept, and
never learned: see judged.py.
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
from accord.system.reading import place, read_lines

ACCEPTED, REJECTED = "accepted", "rejected"

Entry = tuple[str, str]
# With what a person said of it.
JudgedEntry = tuple[str, str, str]


@dataclass(frozen=True)
class SeedLexicon:
    """Distinct entries (source, target), sorted; and those that people rejected."""

    entries: tuple[Entry, ...]
    rejected: tuple[Entry, ...] = ()
    accepted: frozenset[Entry] = frozenset()  # of the entries

    @classmethod
    def of(cls, entries: Iterable[Entry | JudgedEntry], name: str = "seed") -> "SeedLexicon":
        """Entries from Python; the name is for the errors."""
        statuses = statuses_of(entries, name)
        return cls(
            tuple(sorted(entry for entry, status in statuses.items() if status != REJECTED)),
            tuple(sorted(entry for entry, status in statuses.items() if status == REJECTED)),
            frozenset(entry for entry, status in statuses.items() if status == ACCEPTED),
        )

    @property
    def judged(self) -> list[Entry | JudgedEntry]:
        """All entries, those marked that people have judged."""
        return [
            *((*entry, ACCEPTED) if entry in self.accepted else entry for entry in self.entries),
            *((e, f, REJECTED) for e, f in self.rejected),
        ]

    @property
    def lines(self) -> list[str]:
        """As a file has them that `read_seed` reads."""
        return ["\t".join(entry) for entry in self.judged]

    @property
    def signature(self) -> str:
        return sha256("\n".join(self.lines).encode()).hexdigest()

    @property
    def words(self) -> tuple[set[str], set[str]]:
        """Those of either language."""
        source, target = (
            {word for entry in self.entries for word in entry[side].split()} for side in (0, 1)
        )
        return source, target

    @property
    def swapped(self) -> "SeedLexicon":
        """The same from target to source."""
        entries, rejected = (
            tuple(sorted((f, e) for e, f in some)) for some in (self.entries, self.rejected)
        )
        return SeedLexicon(entries, rejected, frozenset((f, e) for e, f in self.accepted))

    def plus(self, earlier: "SeedLexicon") -> "SeedLexicon":
        """The entries of both; where the two say different things of one, this counts."""
        rejected = {*self.rejected} | ({*earlier.rejected} - {*self.entries})
        entries = {*self.entries, *earlier.entries} - rejected
        accepted = (self.accepted | earlier.accepted) - rejected
        return SeedLexicon(tuple(sorted(entries)), tuple(sorted(rejected)), accepted)

    def certain_up_to(self, words: int) -> "SeedLexicon":
        """The same; accepted entries of more words, which can be no link, are like any other."""
        short = (entry for entry in self.accepted if max(e.count(" ") for e in entry) < words)
        return replace(self, accepted=frozenset(short))

    def without(self, other: "SeedLexicon") -> "SeedLexicon":
        """The entries that the other has not."""
        return self._only({*self.entries} - {*other.entries})

    def _only(self, entries: Iterable[Entry], rejected: tuple[Entry, ...] = ()) -> "SeedLexicon":
        kept = tuple(sorted(entries))
        return SeedLexicon(kept, rejected, self.accepted.intersection(kept))

    def within(self, source: Phrases, target: Phrases) -> "SeedLexicon":
        """The entries whose words all occur in the two corpora; all rejected ones stay."""
        kept = (
            (e, f)
            for e, f in self.entries
            if all(word in source.vocabulary.index for word in e.split())
            and all(word in target.vocabulary.index for word in f.split())
        )
        return self._only(kept, self.rejected)

    def parted(
        self, share: float, before: "SeedLexicon | None" = None
    ) -> tuple["SeedLexicon", "SeedLexicon"]:
        """(the entries to learn from, those of the source words held out).

        Chosen are a share of the entries of single words, those with the least hash, which knows
        no order: swapping the languages chooses the same. Nothing is learned of their words, nor
        must it have been before, nor must people have told it.
        """
        single = [one for one in self.entries if is_of_words(one) and one not in self.accepted]
        known = [*(before.entries if before else ()), *self.accepted]
        known_words = {e for e, _ in known}, {f for _, f in known}
        unknown = [(e, f) for e, f in single if e not in known_words[0] and f not in known_words[1]]
        chosen = sorted(unknown, key=_unordered_hash)[: int(share * len(single))]
        sources, targets = {e for e, _ in chosen}, {f for _, f in chosen}
        learned = ((e, f) for e, f in self.entries if e not in sources and f not in targets)
        held_out = (entry for entry in self.entries if entry[0] in sources)
        return self._only(learned, self.rejected), self._only(held_out)

    def counts(self, source: Vocabulary, target: Vocabulary) -> Counts:
        """σ: the pseudo-counts of the entries, all of whose words must be known."""
        counted = (one for one in self.entries if is_of_words(one) or one not in self.accepted)
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


def is_of_words(entry: Entry) -> bool:
    """Whether both sides are single words."""
    return " " not in entry[0] and " " not in entry[1]


def swapped_fits_better(straight: int, swapped: int) -> bool:
    """Whether columns are in the wrong order, from how many entries either order finds in the
    corpora. Some are found in the wrong one as well: names, and words of both languages."""
    return swapped > 2 * straight


def _unordered_hash(entry: Entry) -> str:
    return sha256("\t".join(sorted(entry)).encode()).hexdigest()


def statuses_of(entries: Iterable[Entry | JudgedEntry], name: str) -> dict[Entry, str]:
    """What is said of each entry: accepted, rejected, or nothing, which either outweighs."""
    statuses: dict[Entry, str] = {}
    for given in entries:
        match given:
            case (str(e), str(f), *said) if e.strip() and f.strip() and _is_status(said):
                entry, status = (normalise(e), normalise(f)), str(said[0]) if said else ""
            case _:
                raise InputError(f"{name}: expected (source, target), found {given!r}")
        earlier = statuses.get(entry, "")
        if earlier and status and earlier != status:
            raise InputError(
                f"{name}: the entry {' = '.join(entry)} is both accepted and rejected; "
                "take one of the two out"
            )
        statuses[entry] = earlier or status
    return statuses


def _is_status(said: Sequence[object]) -> bool:
    return list(said) in ([], [ACCEPTED], [REJECTED])


def with_status(e: str, f: str, said: Sequence[str]) -> Entry | JudgedEntry:
    """The entry with what a person said of it, if anything."""
    return (e, f, said[0]) if said else (e, f)


def read_seed(path: str | Path) -> SeedLexicon:
    """Two columns, parted by a tab, or by white space where both sides are single words. After a
    second tab there may be `accepted` or `rejected`."""
    entries: list[Entry | JudgedEntry] = []
    for number, line in read_lines(path):
        if not line.strip():
            continue
        columns = line.split("\t") if "\t" in line else line.split()
        pair, said = columns[:2], [column.strip() for column in columns[2:]]
        is_one = len(pair) == 2 and all(column.strip() for column in pair) and _is_status(said)
        if not is_one or (said and "\t" not in line):
            raise InputError(
                f"{place(path, number)}: expected two columns (source word, target word; "
                "a tab between them where an entry has several words) and, if anything, "
                f"accepted or rejected in a third, found {line[:60]!r}"
            )
        entries.append(with_status(pair[0], pair[1], said))
    return SeedLexicon.of(entries, str(path))
