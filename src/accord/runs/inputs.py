"""The data of a run: two corpora and a seed lexicon; optionally decisions, gold pairs, word vectors
and an earlier model."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import numpy as np

from accord.corpus.loading import LineCounts, LoadedCorpus, load_phrases, read_phrases
from accord.corpus.phrases import Phrases
from accord.errors import InputError
from accord.evidence.constraints import Constraints
from accord.evidence.cooccurrence import Cooccurrences
from accord.evidence.counts import Counts
from accord.evidence.decisions import read_decisions
from accord.evidence.seed import (
    Entry,
    ReviewedEntry,
    SeedLexicon,
    are_columns_swapped,
    is_word_pair,
    read_seed,
)
from accord.evidence.similar_words import WordEvidence
from accord.evidence.vectors import VectorInput, WordVectors
from accord.learning.model.state import State
from accord.runs.evaluation import Gold, read_gold
from accord.runs.trained import Trained
from accord.settings import Settings
from accord.system.arrays import Mask
from accord.system.reading import STANDARD_INPUT


class GivenDictionary(NamedTuple):
    """The seed and the decisions, and the name of the seed in error messages."""

    seed: SeedLexicon
    decisions: SeedLexicon | None = None
    name: str = "seed"
    is_lower: bool = False  # whether the seed has been lower-cased, like the texts


@dataclass(frozen=True, eq=False)
class Inputs:
    """The data of a run. The seed only has entries whose words are in both corpora."""

    source: Phrases
    target: Phrases
    seed: SeedLexicon
    gold: Gold | None
    source_lines: LineCounts
    target_lines: LineCounts
    seed_entries: int  # including those whose words are not in the corpora
    vectors: tuple[WordVectors, WordVectors] | None = None
    sentences: tuple[Cooccurrences, Cooccurrences] | None = None
    # Which phrases may appear in the results; the others are only learned from. None means all.
    wanted: tuple[Mask, Mask] | None = None
    # The model that this run continues: its phrases and its seed are among these.
    start: Trained | None = None
    unused: SeedLexicon = SeedLexicon(())  # entries whose words are not in the corpora
    decisions: SeedLexicon | None = None  # of reviewers; they are part of the seed
    languages: tuple[str, str] | None = None
    options: dict[str, object] | None = None  # how phrases were extracted, if from texts

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
    ) -> "Inputs":
        """Return the inputs from Python: phrases, seed entries and gold pairs as strings."""
        for name, phrases in [("source", source), ("target", target)]:
            if isinstance(phrases, str):
                raise InputError(f"{name}: expected a list of phrases, found one string")
        corpora = (
            load_phrases(source, max_words, "source"),
            load_phrases(target, max_words, "target"),
        )
        dictionary = GivenDictionary(SeedLexicon.of(seed), decisions)
        return cls.combine(
            corpora, dictionary, max_words, None if gold is None else Gold.of(gold), start
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
        """Read the inputs from files. With an earlier model or decisions, no seed is needed."""
        if [str(path) for path in (source, target, seed, gold)].count(STANDARD_INPUT) > 1:
            raise InputError("standard input (-) can be given for one file only")
        corpora = read_phrases(source, max_words), read_phrases(target, max_words)
        dictionary = GivenDictionary(
            SeedLexicon(()) if seed is None else read_seed(seed),
            None if decisions is None else read_decisions(decisions),
            str(seed or "seed"),
        )
        return cls.combine(
            corpora, dictionary, max_words, None if gold is None else read_gold(gold), start
        )

    @classmethod
    def combine(
        cls,
        corpora: tuple[LoadedCorpus, LoadedCorpus],
        dictionary: GivenDictionary,
        max_words: int,
        gold: Gold | None = None,
        start: Trained | None = None,
    ) -> "Inputs":
        """Check that the parts fit together, and add the phrases of `start` and of decisions."""
        seed, decisions, name, is_lower = dictionary
        sides = [_Side(corpus.phrases, corpus.wanted) for corpus in corpora]
        if decisions:
            seed = decisions.merge_over(seed)
        seed = seed.limit_accepted(max_words)
        if start:
            wanted = (None, None) if all(mask.all() for mask in start.wanted) else start.wanted
            sides = [*map(_Side.merge, sides, map(_Side, start.sides, wanted))]
            seed = seed.merge_over(start.whole_seed)
        _check_columns(seed, name, *(side.phrases for side in sides))
        # Single words count as words. Accepted phrases count as text: a reviewer has read them.
        accepted = [entry for entry in seed.accepted if not is_word_pair(entry)]
        source, target = (side.add({pair[n] for pair in accepted}) for n, side in enumerate(sides))
        usable = seed.restrict_to(source.phrases, target.phrases)
        if not usable.entries:
            causes = "languages and" if is_lower else "languages, the case and"
            raise InputError(
                f"{name}: none of its {len(seed.entries):,} entries has its words in both "
                f"corpora; check the {causes} the segmentation"
            )
        wanted_both = None
        if source.wanted is not None and target.wanted is not None:
            wanted_both = source.wanted, target.wanted
        return cls(
            source=source.phrases,
            target=target.phrases,
            seed=usable,
            gold=gold,
            source_lines=corpora[0].lines,
            target_lines=corpora[1].lines,
            seed_entries=len(seed.entries),
            wanted=wanted_both,
            start=start,
            unused=seed.subtract(usable),
            decisions=decisions,
            languages=start.languages if start else None,
        )

    def with_vectors(self, source: VectorInput | None, target: VectorInput | None) -> "Inputs":
        """Return the inputs with word vectors, of both languages or of none."""
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

    def count_known_gold(self) -> int:
        """Return how many gold pairs have both their phrases in the corpora."""
        pairs = self.gold.pairs if self.gold else ()
        sources = self.source.find(e for e, _ in pairs)
        targets = self.target.find(f for _, f in pairs)
        return sum(e in sources and f in targets for e, f in pairs)

    def compute_hashes(self) -> dict[str, str | None]:
        """Return a hash of each input: equal hashes and settings mean equal results."""
        return {
            "source": self.source.signature,
            "target": self.target.signature,
            "seed": self.seed.signature,
            "decisions": self.decisions.signature if self.decisions else None,
            "gold": self.gold.signature if self.gold else None,
            "vectors": " ".join(side.signature for side in self.vectors) if self.vectors else None,
            "sentences": (
                " ".join(side.signature for side in self.sentences) if self.sentences else None
            ),
            "wanted": " ".join(map(_hash, self.wanted)) if self.wanted else None,
            "start": self.start.signature if self.start else None,
        }

    def to_trained(self, state: State, settings: Settings, odds: Counts) -> Trained:
        """Return the model that was learned from these inputs, with wanted pairs only."""
        one, other = self.wanted or (
            np.ones(len(self.source), bool),
            np.ones(len(self.target), bool),
        )
        # Accepted pairs are always wanted, and entries of the seed.
        seed, held_out = self.split_seed(settings)
        constraints = Constraints.of(seed, self.source, self.target)
        accepted, agreed = constraints.accepted, state.agreed
        wanted = one.copy(), other.copy()
        wanted[0][accepted.source] = wanted[1][accepted.target] = True
        kept = wanted[0][agreed.source] & wanted[1][agreed.target]
        kept |= constraints.given.contains(agreed.source, agreed.target)
        forward, backward = (log_q[kept[: len(log_q)]] for log_q in state.log_q)
        state = state._replace(agreed=agreed.where(kept), log_q=(forward, backward))
        return Trained(
            source=self.source,
            target=self.target,
            state=state,
            settings=settings,
            seed=seed,
            held_out=held_out,
            unused=self.unused,
            wanted=wanted,
            odds=odds,
            languages=self.languages,
        )

    @property
    def word_evidence(self) -> WordEvidence:
        """What is known about words besides the phrases."""
        return WordEvidence(self.sentences, self.vectors)

    def split_seed(self, settings: Settings) -> tuple[SeedLexicon, SeedLexicon]:
        """Return (the entries to learn from, those held out)."""
        return self.seed.split_held_out(settings.held_out, self.start.seed if self.start else None)


def _check_columns(seed: SeedLexicon, name: str, source: Phrases, target: Phrases) -> None:
    """Check that the seed has entries, and that their source words come first."""
    if not seed.entries:
        raise InputError(f"{name}: expected entries of a dictionary, found none")
    straight, swapped = (
        len(way.restrict_to(source, target).entries) for way in (seed, seed.swapped())
    )
    if are_columns_swapped(straight, swapped):
        raise InputError(
            f"{name}: {straight:,} of its {len(seed.entries):,} entries have "
            f"their words in both corpora, but {swapped:,} with the columns swapped; "
            "put the source word first, or give the two texts in the other order"
        )


class _Side(NamedTuple):
    """The phrases of one side, and which of them are wanted; None means all."""

    phrases: Phrases
    wanted: Mask | None

    def merge(self, other: "_Side") -> "_Side":
        """Return the phrases of both, wanted if they are wanted here or there."""
        both, own, others = self.phrases.merge(other.phrases)
        if self.wanted is None and other.wanted is None:
            return _Side(both, None)
        wanted = np.zeros(len(both), np.bool_)
        wanted[own if self.wanted is None else own[self.wanted]] = True
        wanted[others if other.wanted is None else others[other.wanted]] = True
        return _Side(both, wanted)

    def add(self, texts: set[str]) -> "_Side":
        """Return the side with these phrases as well; they are not wanted unless all are."""
        new = texts - {*self.phrases.find(texts)}
        if not new:
            return self
        phrases = Phrases.of(sorted(new))
        wanted = None if self.wanted is None else np.zeros(len(phrases), np.bool_)
        return self.merge(_Side(phrases, wanted))


def _hash(mask: Mask) -> str:
    return sha256(mask.tobytes()).hexdigest()
