"""An index of the pairs of a run for the review page: in review order, and fast to filter.

It is built once, which takes as long as reading the run, and kept in the folder of the run: arrays
that are mapped into memory. So a page of a million pairs opens immediately, and a filter reads only
a few columns. If the run has changed since, the index is built again.
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
from accord.runs.trained import Trained, map_array
from accord.system.arrays import Floats32, Ids, Mask, Offsets
from accord.system.writing import write_folder, write_text
from accord.web.review.precision import order_pairs
from accord.web.review.text_column import TextColumn, fold_text

# Increase this whenever older indexes would be misread.
VERSION = 4
# The place in contexts.tsv of a pair without contexts.
NOWHERE = -1
# Longer pairs count as this long, in words.
LONGEST = 255


class ReviewPair(NamedTuple):
    """A pair as the page shows it."""

    place: int
    kind: PairKind
    source: str
    target: str
    confidence: float | None
    has_new_word: bool


@dataclass(frozen=True, eq=False)
class PairIndex:
    """The pairs by columns, in review order: places count from 0."""

    texts: TextColumn  # source, tab, target
    searched: TextColumn  # the same, case-folded
    confidence: Floats32  # NaN where the run has none
    length: NDArray[np.uint8]  # words of the longer side
    has_new_word: Mask  # whether a word is not in the seed
    is_identical: Mask  # whether both sides are the same
    by_information: Ids  # the places, most informative first
    at_random: Ids  # the places in a random order
    keys: NDArray[np.uint64]  # hashes of the texts, ascending
    places: Ids  # the place of each key
    contexts: Offsets  # the byte in contexts.tsv, or NOWHERE

    def __len__(self) -> int:
        return len(self.texts)

    def __getitem__(self, place: int) -> ReviewPair:
        source, _, target = self.texts[place].partition("\t")
        confidence = float(self.confidence[place])
        return ReviewPair(
            place,
            "word" if self.is_word[place] else "phrase",
            source,
            target,
            None if np.isnan(confidence) else round(confidence, 3),
            bool(self.has_new_word[place]),
        )

    @cached_property
    def is_word(self) -> Mask:
        return np.asarray(self.length == 1)

    @cached_property
    def has_confidence(self) -> bool:
        return not bool(np.isnan(self.confidence[:1]).any())

    def find(self, source: str, target: str) -> int | None:
        """Return the place of a pair, or None."""
        line = f"{source}\t{target}"
        key = hash_line(line.encode("utf-8", "replace"))
        at = int(np.searchsorted(self.keys, np.uint64(key)))
        while at < len(self.keys) and self.keys[at] == key:
            place = int(self.places[at])
            if self.texts[place] == line:
                return place
            at += 1
        return None


TEXT_COLUMNS = ("texts", "searched")
ARRAY_COLUMNS = (
    "confidence",
    "length",
    "has_new_word",
    "is_identical",
    "by_information",
    "at_random",
    "keys",
    "places",
    "contexts",
)


def hash_line(line: bytes) -> int:
    """Return a hash of a pair's text."""
    return int.from_bytes(blake2b(line, digest_size=8).digest(), "little")


def open_pair_index(folder: RunFolder, tell: Callable[[str], object] = lambda _: None) -> PairIndex:
    """Return the index that is kept beside the run; build it if it is missing or outdated."""
    kept, wanted = folder.path / "review.pairs", _sign_files(folder)
    try:
        is_current = json.loads((kept / "of.json").read_bytes()) == wanted
    except (OSError, ValueError):
        is_current = False
    if not is_current:
        built = build_pair_index(folder, tell)
        write_folder(kept, lambda path: _write_index(path, built, wanted))
    return _read_index(kept)


def _sign_files(folder: RunFolder) -> dict[str, object]:
    """Return which files an index was built from."""
    files = (folder.run, folder.lexicon, folder.phrases, folder.contexts)
    stats = {file.name: file.stat() for file in files if file.exists()}
    sizes = {name: [stat.st_size, stat.st_mtime_ns] for name, stat in stats.items()}
    return {"version": VERSION, "files": sizes}


def build_pair_index(folder: RunFolder, tell: Callable[[str], object]) -> PairIndex:
    """Index the pairs of the lexicon and of the phrases; a pair that is in both appears once."""
    contents = Contents(folder, ALL, tell, with_rejected=True)
    scores_of = _score_pairs(contents)
    tell(f"Sorting {len(scores_of):,} pairs.")
    trained = contents.trained
    scores = np.fromiter(scores_of.values(), np.float64, len(scores_of))
    entries = [*scores_of]
    rarest = _count_rarest(entries, trained.source, trained.target)
    order = order_pairs(scores, rarest, _find_terms(entries, trained))
    entries = [entries[number] for number in order.shown.tolist()]
    place_of = np.argsort(order.shown).astype(np.int32)
    lines = ["\t".join(entry) for entry in entries]
    keys = np.fromiter((hash_line(line.encode()) for line in lines), np.uint64, len(lines))
    by_key = np.argsort(keys)
    places = by_key.astype(np.int32)
    lengths = (min(LONGEST, 1 + max(e.count(" "), f.count(" "))) for e, f in entries)
    confidence = scores[order.shown] if contents.has_confidence else np.full(len(lines), np.nan)
    return PairIndex(
        texts=TextColumn.of(lines),
        searched=TextColumn.of(f"{fold_text(e)}\t{fold_text(f)}" for e, f in entries),
        confidence=confidence.astype(np.float32),
        length=np.fromiter(lengths, np.uint8, len(lines)),
        has_new_word=_find_new_words(entries, *trained.whole_seed.words),
        is_identical=np.fromiter((e == f for e, f in entries), np.bool_, len(entries)),
        by_information=place_of[order.by_information],
        at_random=place_of[order.at_random],
        keys=keys[by_key],
        places=places,
        contexts=_find_contexts(folder.contexts, keys[by_key], places),
    )


def _score_pairs(contents: Contents) -> dict[Entry, float]:
    """Return the confidence of each pair or, without confidences, the product of its
    probabilities."""
    table = contents.phrases
    if table.confidence is None:
        found = [
            (record[:2], score_record(record))
            for record in contents.make_records(with_probabilities=True)
        ]
    else:
        pairs = zip(table.source, table.target, strict=True)
        found = [*zip(pairs, table.confidence, strict=True)]
    scores = {record[:2]: score_record(record) for record in contents.words}
    for entry, value in found:
        scores[entry] = max(value, scores.get(entry, 0.0))
    return scores


def _count_rarest(entries: list[Entry], source: Phrases, target: Phrases) -> Offsets:
    """Return the frequency of the rarest word of each pair."""
    both = []
    for phrases, texts in zip((source, target), zip(*entries, strict=True), strict=False):
        counts = dict(zip(phrases.vocabulary.words, phrases.frequency.tolist(), strict=True))
        least = (min(map(counts.__getitem__, text.split(" "))) for text in texts)
        both.append(np.fromiter(least, np.int64, len(entries)))
    return np.minimum(*both) if both else np.zeros(0, np.int64)


def _find_terms(entries: list[Entry], trained: Trained) -> Mask:
    """Return whether both sides of a pair may be results: function words of a text may not."""
    is_term = np.ones(len(entries), np.bool_)
    for side, (phrases, wanted) in enumerate(zip(trained.sides, trained.wanted, strict=True)):
        if not wanted.all():
            numbers = phrases.find(entry[side] for entry in entries)
            own = np.array([numbers.get(entry[side], 0) for entry in entries], np.int64)
            is_term &= (own > 0) & wanted[own]
    return is_term


def _find_new_words(entries: list[Entry], source: set[str], target: set[str]) -> Mask:
    """Return whether a pair has a word that is not among these, the words of the seed."""
    values = (
        not (source.issuperset(e.split(" ")) and target.issuperset(f.split(" ")))
        for e, f in entries
    )
    return np.fromiter(values, np.bool_, len(entries))


def _find_contexts(file: Path, keys: NDArray[np.uint64], places: Ids) -> Offsets:
    """Return the byte at which the line of each pair begins."""
    found = np.full(len(keys), NOWHERE, np.int64)
    if not file.exists() or not len(keys):
        return found
    begins: list[int] = []
    hashes: list[int] = []
    begin = 0
    with file.open("rb") as stream:
        for line in stream:
            begins.append(begin)
            hashes.append(hash_line(b"\t".join(line.rstrip(b"\n").split(b"\t", 2)[:2])))
            begin += len(line)
    wanted = np.array(hashes, np.uint64)
    nearest = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    same = keys[nearest] == wanted
    found[places[nearest[same]]] = np.array(begins, np.int64)[same]
    return found


def _write_index(path: Path, index: PairIndex, signature: dict[str, object]) -> None:
    for name in ARRAY_COLUMNS:
        np.save(path / f"{name}.npy", getattr(index, name))
    for name in TEXT_COLUMNS:
        column = getattr(index, name)
        np.save(path / f"{name}.letters.npy", column.letters)
        np.save(path / f"{name}.offsets.npy", column.offsets)
    write_text(path / "of.json", [json.dumps(signature)])


def _read_index(path: Path) -> PairIndex:
    texts, searched = (
        TextColumn(map_array(path / f"{name}.letters.npy"), map_array(path / f"{name}.offsets.npy"))
        for name in TEXT_COLUMNS
    )
    arrays = {name: map_array(path / f"{name}.npy") for name in ARRAY_COLUMNS}
    return PairIndex(texts, searched, **arrays)
