"""The index of the search: posting lists for as many blocks of source phrases as fit in memory."""

from typing import NamedTuple

import numpy as np

from accord.corpus.phrases import BLOCK, Block, Phrases
from accord.corpus.vocabulary import NULL
from accord.errors import SettingError
from accord.learning.model.translation import TranslationModel
from accord.learning.search.ranking import join_shards
from accord.learning.search.search_kernels import (
    PLACE_BITS,
    BlockPhrases,
    Index,
    Postings,
    make_postings,
)
from accord.system.arrays import offsets_of
from accord.system.runners import Runner

# Words per shard: few enough to balance threads, and so many that its buffers cost little.
WORD_SHARD = 1024
# Bytes of a posting, and of its growth. They are made in shards and then joined, one part (places,
# impacts or growths) after the other: one of the parts exists twice.
POSTING_BYTES, GROWTH_BYTES = 4 + 4 + 4, 4
# Bytes of an offset or score.
WIDE_BYTES = 8

# A key of the search holds the place of a phrase in its block.
assert BLOCK <= 2**PLACE_BITS


class MemoryNeed(NamedTuple):
    """The bytes that a search needs: for its largest block, and for each of its blocks."""

    fixed: int
    blocks: list[int]


def group_blocks(
    source: Phrases, translation: TranslationModel, memory: int, *, growths: bool
) -> list[list[Block]]:
    """The blocks in their order, in groups whose index fits in memory."""
    need = count_bytes(source, translation, growths=growths)
    if need.fixed + max(need.blocks) > memory:
        largest = source.blocks[int(np.argmax(need.blocks))]
        raise SettingError(
            f"memory: must be at least {-(-(need.fixed + max(need.blocks)) // 2**10):,}K, for the "
            f"index of a block of {len(largest.phrases):,} phrases, found {memory // 2**10:,}K; "
            "a run that has a folder can be continued with more (--resume)"
        )
    groups: list[list[Block]] = []
    taken = 0
    for block, needed in zip(source.blocks, need.blocks, strict=True):
        if not groups or need.fixed + taken + needed > memory:
            groups.append([])
            taken = 0
        groups[-1].append(block)
        taken += needed
    return groups


def count_bytes(source: Phrases, translation: TranslationModel, *, growths: bool) -> MemoryNeed:
    """The memory that the index needs.

    Three parts grow with the vocabularies, however few postings there are. Every block has an
    offset for each source word, where it occurs, as long as the run lasts; and one for each target
    word, where its posting list begins, made from as many sizes. Every target word has a score for
    each length of source phrases, made from as many others.
    """
    entries = np.diff(translation.offsets)
    entries[NULL] = 0
    posting = POSTING_BYTES + (GROWTH_BYTES if growths else 0)
    words = len(translation.floors)
    occurrences = len(source.blocks) * len(source.vocabulary)
    offsets = 2 * WIDE_BYTES * words
    return MemoryNeed(
        WIDE_BYTES * (occurrences + 2 * words * (source.max_length + 1)),
        [posting * int(np.diff(block.offsets) @ entries) + offsets for block in source.blocks],
    )


def build_index(
    blocks: list[Block], translation: TranslationModel, runner: Runner, *, growths: bool
) -> Index:
    """The posting list of every target word in each of the blocks."""
    words = len(translation.floors)
    shards = []
    for block in blocks:
        shared = (translation.by_target, block, growths)
        shards += runner.map(make_postings, shared, items=words, shard=WORD_SHARD)
    sizes, places, impacts, grown = join_shards(shards)
    phrases = [block.phrases for block in blocks]
    return Index(
        Postings(offsets_of(sizes), places, impacts, grown),
        BlockPhrases(
            offsets_of(np.array([*map(len, phrases)])),
            np.array([block.length for block in blocks]),
            np.concatenate(phrases),
        ),
    )
