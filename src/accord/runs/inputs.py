"""All that a run is given: two corpora, a seed lexicon, and where they are known gold pairs and
word vectors."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.corpus.loading import LineCounts, load_phrases, read_phrases
from accord.corpus.phrases import Phrases
from accord.corpus.vocabulary import NULL
from accord.errors import InputError
from accord.evidence.constraints import Constraints
from accord.evidence.decisions import read_decisions
from accord.evidence.seed import (
    Entry,
    ReviewedEntry,
    SeedLexicon,
    are_columns_swapped,
    is_word_pair,
    read_seed,
)
from accord.evidence.vectors import VectorInput, WordVectors
from accord.learning.model.state import State
from accord.runs.evaluation import Gold, read_gold
from accord.runs.trained import Trained
from accord.settings import Settings
from accord.system.reading import STANDARD_INPUT

Sides = tuple[Phrases, Phrases]
Wanted = tuple[NDArray[np.bool_], NDArray[np.bool_]]


@dataclass(frozen=True, eq=False)
class Inputs:
    """The data of a run; of the seed, only entries whose words are in both corpora."""

    source: Phrases
    target: Phrases
    seed: SeedLexicon
    gold: Gold | None
    source_intake: LineCounts
    target_intake: LineCounts
    seed_entries: int  # before those without words in the corpora were left out
    vectors: tuple[WordVectors, WordVectors] | None = None
    # Which phrases of either side the results may have; others are there to learn from.
    wanted: Wanted | None = None
    # The model that is gone on with: its phrases and its seed are among these.
    start: Trained | None = None
    unused: SeedLexicon = SeedLexicon(())  # entries without words in the corpora
    decisions: SeedLexicon | None = None  # what people have decided; it is among the seed
    languages: tuple[str, str] | None = None

    @classmethod
    def of(
        cls,
        source: Iterable[str],
        target: Iterable[str],
        seed: Iterable[Entry | ReviewedEntry],
        gold: Iterable[tuple[str, str]] | None,
        max_words: int,
        start: Trained | None = None,
        decisions: SeedLexicon | None = None,
        seed_name: str = "seed",
    ) -> "Inputs":
        """Inputs from Python: phrases, seed entries and gold pairs as strings."""
        for name, phrases in [("source", source), ("target", target)]:
            if isinstance(phrases, str):
                raise InputError(f"{name}: expected a list of phrases, found one string")
        return cls._checked(
            load_phrases(source, max_words, "source"),
            load_phrases(target, max_words, "target"),
            SeedLexicon.of(seed),
            None if gold is None else Gold.of(gold),
            seed_name,
            start,
            decisions,
            max_words,
        )

    @classmethod
    def read(
        cls,
        source: str | Path,
        target: str | Path,
        seed: str | Path | None,
        gold: str | Path | None,
        max_words: int,
        start: Trained | None = None,
        decisions: str | Path | None = None,
    ) -> "Inputs":
        """Inputs from files; whoever goes on with a model, or has decided, need not have a seed."""
        if [str(path) for path in (source, target, seed, gold)].count(STANDARD_INPUT) > 1:
            raise InputError("standard input (-) can be given for one file only")
        return cls._checked(
            read_phrases(source, max_words),
            read_phrases(target, max_words),
            SeedLexicon(()) if seed is None else read_seed(seed),
            None if gold is None else read_gold(gold),
            str(seed or "seed"),
            start,
            None if decisions is None else read_decisions(decisions),
            max_words,
        )

    @classmethod
    def _checked(
        cls,
        source: tuple[Phrases, LineCounts],
        target: tuple[Phrases, LineCounts],
        seed: SeedLexicon,
        gold: Gold | None,
        seed_name: str,
        start: Trained | None,
        decisions: SeedLexicon | None,
        max_words: int,
    ) -> "Inputs":
        new = sides = source[0], target[0]
        if decisions:
            seed = decisions.merge_over(seed)
        seed = seed.limit_accepted(max_words)
        if start:
            sides = new[0].merge(start.source), new[1].merge(start.target)
            seed = seed.merge_over(start.whole_seed)
        if not seed.entries:
            raise InputError(f"{seed_name}: expected entries of a dictionary, found none")
        straight, swapped = (len(way.restrict_to(*sides).entries) for way in (seed, seed.swapped()))
        if are_columns_swapped(straight, swapped):
            raise InputError(
                f"{seed_name}: {straight:,} of its {len(seed.entries):,} entries have "
                f"their words in both corpora, but {swapped:,} with the columns swapped; "
                "put the source word first"
            )
        sides = _with_accepted(sides, seed)
        usable = seed.restrict_to(*sides)
        if not usable.entries:
            raise InputError(
                f"{seed_name}: none of its {len(seed.entries):,} entries has its words in both "
                "corpora; check the languages, the case and the segmentation"
            )
        return cls(
            *(*sides, usable, gold),
            *(source[1], target[1], len(seed.entries)),
            wanted=_wanted_of(start, new, sides) if start else None,
            start=start,
            unused=seed.subtract(usable),
            decisions=decisions,
            languages=start.languages if start else None,
        )

    def record(self) -> dict[str, Any]:
        """What became of the lines, as `run.json` has it."""
        seed = {"entries": self.seed_entries, "used": len(self.seed.entries)}
        for status in ("accepted", "rejected"):
            if judged := getattr(self.seed, status):
                seed[status] = len(judged)
        lines = {
            "source": asdict(self.source_intake),
            "target": asdict(self.target_intake),
            "seed": seed,
        }
        if self.decisions:
            accepted, rejected = len(self.decisions.accepted), len(self.decisions.rejected)
            lines["decisions"] = {"accepted": accepted, "rejected": rejected}
        return lines

    def with_vectors(self, source: VectorInput | None, target: VectorInput | None) -> "Inputs":
        """The same with word vectors, of both languages or of none."""
        if source is None and target is None:
            return self
        if source is None or target is None:
            raise InputError("vectors: expected those of both languages, found one")
        pair = (
            WordVectors.of(source, self.source, "source vectors"),
            WordVectors.of(target, self.target, "target vectors"),
        )
        if pair[0].rows.shape[1] != pair[1].rows.shape[1]:
            sizes = " and ".join(f"{side.rows.shape[1]:,}" for side in pair)
            raise InputError(f"vectors: expected the same length in both languages, found {sizes}")
        return replace(self, vectors=pair)

    def with_wanted(self, source: Iterable[str], target: Iterable[str]) -> "Inputs":
        """The same with no other phrases than these in the results."""
        return replace(self, wanted=(_mask(self.source, source), _mask(self.target, target)))

    def known_gold(self) -> int:
        """How many of the gold pairs have both their phrases in the corpora."""
        pairs = self.gold.pairs if self.gold else ()
        sources = self.source.find(e for e, _ in pairs)
        targets = self.target.find(f for _, f in pairs)
        return sum(e in sources and f in targets for e, f in pairs)

    def hashes(self) -> dict[str, str | None]:
        """What the inputs are: equal hashes and settings mean equal results."""
        return {
            "source": self.source.signature,
            "target": self.target.signature,
            "seed": self.seed.signature,
            "decisions": self.decisions.signature if self.decisions else None,
            "gold": self.gold.signature if self.gold else None,
            "vectors": " ".join(side.signature for side in self.vectors) if self.vectors else None,
            "wanted": " ".join(map(_hash, self.wanted)) if self.wanted else None,
            "start": self.start.signature if self.start else None,
        }

    def trained(self, state: State, settings: Settings) -> Trained:
        """What was learned of these, with no pairs but those wanted."""
        one, other = self.wanted or (
            np.ones(len(self.source), bool),
            np.ones(len(self.target), bool),
        )
        # What people have accepted they want.
        accepted = Constraints.of(self.seed, self.source, self.target).accepted
        wanted = one.copy(), other.copy()
        wanted[0][accepted.source] = wanted[1][accepted.target] = True
        agreed = state.agreed
        kept = wanted[0][agreed.source] & wanted[1][agreed.target]
        forward, backward = (log_q[kept[: len(log_q)]] for log_q in state.log_q)
        state = state._replace(agreed=agreed.where(kept), log_q=(forward, backward))
        seeds = *self.parted_seed(settings), self.unused
        return Trained(self.source, self.target, state, settings, *seeds, wanted, self.languages)

    def parted_seed(self, settings: Settings) -> tuple[SeedLexicon, SeedLexicon]:
        """(what is learned from, what is held out)."""
        return self.seed.split_held_out(settings.held_out, self.start.seed if self.start else None)


def _with_accepted(sides: Sides, seed: SeedLexicon) -> Sides:
    """The corpora with the phrases of accepted entries, but for those of single words, which count
    as words. What a person has written is text, too."""
    pairs = [entry for entry in seed.accepted if not is_word_pair(entry)]
    one, other = (_joined(side, {pair[n] for pair in pairs}) for n, side in enumerate(sides))
    return one, other


def _joined(phrases: Phrases, texts: set[str]) -> Phrases:
    more = texts - {*phrases.find(texts)}
    return phrases.merge(Phrases.of(sorted(more))) if more else phrases


def _wanted_of(start: Trained, new: Sides, both: Sides) -> Wanted | None:
    """What was wanted before, and all that is new; none where that is everything."""
    if all(mask.all() for mask in start.wanted):
        return None
    before = (
        (old[number] for number in np.flatnonzero(mask).tolist())
        for old, mask in zip(start.sides, start.wanted, strict=True)
    )
    one, other = (
        _mask(phrases, chain(old, side.numbers))
        for phrases, old, side in zip(both, before, new, strict=True)
    )
    return one, other


def _mask(phrases: Phrases, wanted: Iterable[str]) -> NDArray[np.bool_]:
    mask = np.zeros(len(phrases), np.bool_)
    mask[[NULL, *phrases.find(wanted).values()]] = True
    return mask


def _hash(mask: NDArray[np.bool_]) -> str:
    return sha256(mask.tobytes()).hexdigest()
