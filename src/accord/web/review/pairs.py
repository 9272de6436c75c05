"""The pairs of a run as the page needs them: in the order in which they are shown, and quick to
choose from.

They are made once, which takes as long as it takes to read the run, and kept beside it as arrays
that are mapped into memory: so a page of a million pairs comes up at once, and a filter is a look
at some columns. Where the run has changed since, they are made anew.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.corpus.phrases import Phrases
from accord.evidence.decisions import PairKind
from accord.evidence.seed import Entry
from accord.runs.export.contents import ALL, Contents, score_record
from accord.runs.folder import RunFolder
from accord.runs.trained import map_array
from accord.system.writing import write_folder, write_text
from accord.web.review.queue import turns
from accord.web.review.texts import Texts, folded

# Goes up whenever what was kept before would be misread.
VERSION = 1
NOWHERE = -1
# Words of a pair, as far as they are counted.
LONGEST = 255


class Pair(NamedTuple):
    """A pair as it is shown."""

    place: int
    kind: PairKind
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
    contents = Contents(folder, ALL, tell, with_rejected=True)
    sureness_of = _distinct(contents)
    tell(f"Putting {len(sureness_of):,} pairs in order.")
    trained = contents.trained
    sure = np.fromiter(sureness_of.values(), np.float64, len(sureness_of))
    entries = [*sureness_of]
    order = turns(sure, _frequency(entries, trained.source, trained.target))
    entries = [entries[number] for number in order.shown.tolist()]
    place_of = np.argsort(order.shown).astype(np.int32)
    lines = ["\t".join(entry) for entry in entries]
    keys = np.fromiter((key_of(line.encode()) for line in lines), np.uint64, len(lines))
    by_key = np.argsort(keys)
    places = by_key.astype(np.int32)
    lengths = (min(LONGEST, 1 + max(e.count(" "), f.count(" "))) for e, f in entries)
    probability = sure[order.shown] if contents.has_confidence else np.full(len(lines), np.nan)
    return Pairs(
        Texts.of(lines),
        Texts.of(f"{folded(e)}\t{folded(f)}" for e, f in entries),
        probability.astype(np.float32),
        np.fromiter(lengths, np.uint8, len(lines)),
        _new(entries, *trained.whole_seed.words),
        place_of[order.by_worth],
        place_of[order.at_random],
        keys[by_key],
        places,
        _contexts(folder.contexts, keys[by_key], places),
    )


def _distinct(contents: Contents) -> dict[Entry, float]:
    """How sure each pair is: its probability, or what both directions say where there is none."""
    table = contents.phrases
    if table.confidence is None:
        found = [(record[:2], score_record(record)) for record in contents.records(weighed=True)]
    else:
        pairs = zip(table.source, table.target, strict=True)
        found = [*zip(pairs, table.confidence, strict=True)]
    sure = {record[:2]: score_record(record) for record in contents.words}
    for entry, value in found:
        sure[entry] = max(value, sure.get(entry, 0.0))
    return sure


def _frequency(entries: list[Entry], source: Phrases, target: Phrases) -> NDArray[np.int64]:
    """How often the rarest word of each pair occurs."""
    both = []
    for phrases, texts in zip((source, target), zip(*entries, strict=True), strict=False):
        counts = dict(zip(phrases.vocabulary.words, phrases.frequency.tolist(), strict=True))
        least = (min(map(counts.__getitem__, text.split(" "))) for text in texts)
        both.append(np.fromiter(least, np.int64, len(entries)))
    return np.minimum(*both) if both else np.zeros(0, np.int64)


def _new(entries: list[Entry], source: set[str], target: set[str]) -> NDArray[np.bool_]:
    """Whether a word on either side is not among these, which the seed has."""
    values = (
        not (source.issuperset(e.split(" ")) and target.issuperset(f.split(" ")))
        for e, f in entries
    )
    return np.fromiter(values, np.bool_, len(entries))


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
        Texts(map_array(path / f"{name}.letters.npy"), map_array(path / f"{name}.offsets.npy"))
        for name in TEXTS
    )
    arrays = {name: map_array(path / f"{name}.npy") for name in ARRAYS}
    return Pairs(texts, searched, **arrays)
