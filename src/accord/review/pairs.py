"""The pairs of a run as the page needs them: in the order in which they are shown, and quick to
choose from.

They are made once, which takes as long as it takes to read the run, and kept beside it as arrays
that are mapped into memory: so a page of a million pairs comes up at once, and a filter is a look
at some columns. Where the run has changed since, they are made anew.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.decisions import Kind
from accord.folder import RunFolder
from accord.formats.contents import ALL, Contents, sureness
from accord.formats.records import Record
from accord.phrases import Phrases
from accord.review.queue import turns
from accord.review.texts import Texts, folded
from accord.seed import Entry, SeedLexicon
from accord.trained import mapped
from accord.writing import write_folder, write_text

# Goes up whenever what was kept before would be misread.
VERSION = 1
NOWHERE = -1
# Words of a pair, as far as they are counted.
LONGEST = 255


class Pair(NamedTuple):
    """A pair as it is shown."""

    place: int
    kind: Kind
    source: str
    target: str
    probability: float | None
    new: bool


@dataclass(frozen=True, eq=False)
class Pairs:
    """The pairs, by columns, in the order in which they are shown: `place` counts from 0."""

    texts: Texts  # source, tab, target
    searched: Texts  # the same, as they are searched
    probability: NDArray[np.float32]  # of being right; NaN where the run has none
    length: NDArray[np.uint8]  # words of the longer side
    new: NDArray[np.bool_]  # whether a word of it is not in the seed
    by_worth: NDArray[np.int32]  # the places in the order of what is worth most
    at_random: NDArray[np.int32]  # the places in a random order
    keys: NDArray[np.uint64]  # hashes of the texts, ascending
    places: NDArray[np.int32]  # where these pairs are
    contexts: NDArray[np.int64]  # where in contexts.tsv, or NOWHERE

    def __len__(self) -> int:
        return len(self.texts)

    def __getitem__(self, place: int) -> Pair:
        source, _, target = self.texts[place].partition("\t")
        probability = float(self.probability[place])
        return Pair(
            place,
            "word" if self.is_word[place] else "phrase",
            source,
            target,
            None if np.isnan(probability) else round(probability, 3),
            bool(self.new[place]),
        )

    @cached_property
    def is_word(self) -> NDArray[np.bool_]:
        return np.asarray(self.length == 1)

    @cached_property
    def has_probability(self) -> bool:
        return not bool(np.isnan(self.probability[:1]).any())

    def find(self, source: str, target: str) -> int | None:
        """The place of a pair, if it is here."""
        line = f"{source}\t{target}"
        key = key_of(line.encode("utf-8", "replace"))
        at = int(np.searchsorted(self.keys, np.uint64(key)))
        while at < len(self.keys) and self.keys[at] == key:
            place = int(self.places[at])
            if self.texts[place] == line:
                return place
            at += 1
        return None


ARRAYS = ("probability", "length", "new", "by_worth", "at_random", "keys", "places", "contexts")
TEXTS = ("texts", "searched")


def key_of(line: bytes) -> int:
    """A hash of a pair's text."""
    return int.from_bytes(blake2b(line, digest_size=8).digest(), "little")


def open_pairs(folder: RunFolder, tell: Callable[[str], object] = lambda _: None) -> Pairs:
    """The pairs of a run, as they were kept, or made now."""
    kept, wanted = folder.path / "review.pairs", _signature(folder)
    try:
        known = json.loads((kept / "of.json").read_bytes()) == wanted
    except (OSError, ValueError):
        known = False
    if not known:
        made = make_pairs(folder, tell)
        write_folder(kept, lambda path: _write(path, made, wanted))
    return _read(kept)


def _signature(folder: RunFolder) -> dict[str, object]:
    """Which files these are the pairs of."""
    files = (folder.run, folder.lexicon, folder.phrases, folder.contexts)
    stats = {file.name: file.stat() for file in files if file.exists()}
    sizes = {name: [stat.st_size, stat.st_mtime_ns] for name, stat in stats.items()}
    return {"version": VERSION, "files": sizes}


def make_pairs(folder: RunFolder, tell: Callable[[str], object]) -> Pairs:
    """The pairs of the lexicon and of the phrases; one that is in both is there once."""
    contents = Contents(folder, ALL, with_rejected=True)
    weighed = not contents.has_confidence
    records = _distinct([*contents.words, *contents.records(weighed=weighed)])
    tell(f"Putting {len(records):,} pairs in order.")
    trained = contents.trained
    frequency = _frequency(records, trained.source, trained.target)
    sure = np.array([sureness(record) for record in records])
    order = turns(sure, frequency)
    records = [records[number] for number in order.shown.tolist()]
    place_of = np.argsort(order.shown).astype(np.int32)
    lines = [f"{record.source}\t{record.target}" for record in records]
    keys = np.fromiter((key_of(line.encode()) for line in lines), np.uint64, len(lines))
    by_key = np.argsort(keys)
    places = by_key.astype(np.int32)
    known = trained.seed.plus(trained.held_out).plus(trained.unused)
    return Pairs(
        Texts.of(lines),
        Texts.of(map(_searched, records)),
        _probabilities(records),
        np.array([_length(record) for record in records], np.uint8),
        _new(records, known),
        place_of[order.by_worth],
        place_of[order.at_random],
        keys[by_key],
        places,
        _contexts(folder.contexts, keys[by_key], places),
    )


def _distinct(records: Iterable[Record]) -> list[Record]:
    """Of a pair that is there twice what is surer."""
    kept: dict[Entry, Record] = {}
    for record in records:
        known = kept.setdefault(record[:2], record)
        if sureness(record) > sureness(known):
            kept[record[:2]] = record
    return [*kept.values()]


def _searched(record: Record) -> str:
    return f"{folded(record.source)}\t{folded(record.target)}"


def _probabilities(records: list[Record]) -> NDArray[np.float32]:
    values = (np.nan if one.confidence is None else one.confidence for one in records)
    return np.fromiter(values, np.float32, len(records))


def _length(record: Record) -> int:
    return min(LONGEST, 1 + max(record.source.count(" "), record.target.count(" ")))


def _frequency(records: list[Record], source: Phrases, target: Phrases) -> NDArray[np.int64]:
    """How often the rarest word of each pair occurs."""
    rarest = np.full(len(records), np.iinfo(np.int64).max)
    sides = [record.source for record in records], [record.target for record in records]
    for phrases, texts in zip((source, target), sides, strict=True):
        index, counts = phrases.vocabulary.index, phrases.frequency.tolist()
        least = (min(counts[index[word]] for word in text.split(" ")) for text in texts)
        rarest = np.minimum(rarest, np.fromiter(least, np.int64, len(records)))
    return rarest


def _new(records: list[Record], seed: SeedLexicon) -> NDArray[np.bool_]:
    """Whether a word on either side is in no entry of the seed."""
    source, target = (
        {word for entry in seed.entries for word in entry[side].split()} for side in (0, 1)
    )
    values = (
        not (source.issuperset(record.source.split()) and target.issuperset(record.target.split()))
        for record in records
    )
    return np.fromiter(values, np.bool_, len(records))


def _contexts(file: Path, keys: NDArray[np.uint64], places: NDArray[np.int32]) -> NDArray[np.int64]:
    """Where the line of each pair begins."""
    found = np.full(len(keys), NOWHERE, np.int64)
    if not file.exists() or not len(keys):
        return found
    at: list[int] = []
    of: list[int] = []
    begin = 0
    with file.open("rb") as stream:
        for line in stream:
            at.append(begin)
            of.append(key_of(b"\t".join(line.rstrip(b"\n").split(b"\t", 2)[:2])))
            begin += len(line)
    wanted = np.array(of, np.uint64)
    nearest = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    same = keys[nearest] == wanted
    found[places[nearest[same]]] = np.array(at, np.int64)[same]
    return found


def _write(path: Path, pairs: Pairs, signature: dict[str, object]) -> None:
    for name in ARRAYS:
        np.save(path / f"{name}.npy", getattr(pairs, name))
    for name in TEXTS:
        texts = getattr(pairs, name)
        np.save(path / f"{name}.letters.npy", texts.letters)
        np.save(path / f"{name}.offsets.npy", texts.offsets)
    write_text(path / "of.json", [json.dumps(signature)])


def _read(path: Path) -> Pairs:
    texts, searched = (
        Texts(mapped(path / f"{name}.letters.npy"), mapped(path / f"{name}.offsets.npy"))
        for name in TEXTS
    )
    arrays = {name: mapped(path / f"{name}.npy") for name in ARRAYS}
    return Pairs(texts, searched, **arrays)
