"""Two domains from parallel text, for translation: a small table of one, text of the other.

Some sentence pairs of the domain to translate are held out for tuning and testing. The first half
of the rest provides the source text and the second half the target text, as in `benchmarks.halves`.
The other domain provides its most frequent phrase pairs. Text is prepared as in `accord adapt`.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import numpy as np

from accord.corpus.text.extraction import Preparation
from accord.experiments.synthesis.pipeline import (
    AlignedText,
    align_into,
    drop_unusable_pairs,
    link_sentences,
)
from accord.formats.annotations import format_alignment
from accord.formats.moses import TableRow, write_table
from accord.system.runners import Runner
from accord.system.writing import write_folder, write_text
from accord.translate import phrase_extraction_kernels as kernels
from accord.translate.phrase_extraction import LinkedSentences
from accord.translate.table_training import LinkedPair
from benchmarks.halves import check_origin

LONGEST = 4
LEAST_SHARE = 0.1
RANDOM = 1

SentencePairs = list[tuple[str, str]]
Align = Callable[[Path, list[str], list[str]], object]


class Sizes(NamedTuple):
    """The number of sentence pairs to tune and to test on, and of outside phrase pairs."""

    held_out: int
    outside: int


class Domains(NamedTuple):
    """The files of an experiment in a folder."""

    folder: Path

    @property
    def outside(self) -> Path:
        return self.folder / "outside.gz"

    @property
    def source_text(self) -> Path:
        return self.folder / "source.txt"

    @property
    def target_text(self) -> Path:
        return self.folder / "target.txt"

    @property
    def dev(self) -> Path:
        return self.folder / "dev.tsv"

    @property
    def test(self) -> Path:
        return self.folder / "test.tsv"

    @property
    def parallel(self) -> Path:
        """The aligned sentence pairs from which the two texts come; only the ceiling uses them."""
        return self.folder / "parallel"


def make_domains(
    folder: Path,
    inside: SentencePairs,
    outside: SentencePairs,
    languages: tuple[str, str],
    sizes: Sizes,
    runner: Runner,
    align: Align = align_into,
) -> Domains:
    """Write the files, unless they exist already."""
    digests = [sha256(repr(pairs).encode()).hexdigest() for pairs in (inside, outside)]
    check = partial(check_origin, texts=digests, languages=languages, sizes=sizes)

    def fill(path: Path) -> None:
        check(path)
        made = Domains(path)
        order = np.random.default_rng(RANDOM).permutation(len(inside)).tolist()
        held = [inside[n] for n in order[: 2 * sizes.held_out]]
        known = {side for pair in held for side in pair}
        rest = [pair for pair in inside if known.isdisjoint(pair)]
        half = len(rest) // 2
        write_text(made.dev, map("\t".join, held[: sizes.held_out]))
        write_text(made.test, map("\t".join, held[sizes.held_out :]))
        write_text(made.source_text, (source for source, _ in rest[:half]))
        write_text(made.target_text, (target for _, target in rest[half:]))
        for name, pairs in ((made.parallel, rest), (path / "aligned", outside)):
            name.mkdir()
            align(name, *_prepare_words(pairs, languages))
        text = link_sentences(AlignedText.read(path / "aligned"), runner)
        chosen = frequent_pairs(text, sizes.outside)
        rows = (
            TableRow(
                pair.source, pair.target, (1.0, 1.0, 1.0, 1.0), format_alignment(tuple(pair.links))
            )
            for pair in chosen
        )
        write_table(made.outside, rows)

    if not folder.exists():
        write_folder(folder, fill)
    check(folder)
    return Domains(folder)


def frequent_pairs(text: LinkedSentences, size: int) -> list[LinkedPair]:
    """Return the phrase pairs that are extracted most often, with their most frequent links.

    Each has at least a tenth of the extractions of both of its phrases.
    """
    counts = defaultdict[tuple[str, str], Counter[tuple[tuple[int, int], ...]]](Counter)
    of_source, of_target = Counter[str](), Counter[str]()
    for found in _extract_pairs(text):
        counts[found.source, found.target][tuple(found.links)] += 1
        of_source[found.source] += 1
        of_target[found.target] += 1
    totals = {pair: found.total() for pair, found in counts.items()}
    likely = (
        pair
        for pair, total in totals.items()
        if total >= LEAST_SHARE * max(of_source[pair[0]], of_target[pair[1]])
    )
    most = sorted(likely, key=lambda pair: (-totals[pair], pair))[:size]
    return [LinkedPair(*pair, counts[pair].most_common(1)[0][0]) for pair in most]


def _extract_pairs(text: LinkedSentences) -> Iterator[LinkedPair]:
    """Yield the consistent phrase pairs that begin and end with linked words."""
    source, target, links = text
    spans = kernels.allocate_spans(source.offsets, LONGEST)
    for n in range(len(links.offsets) - 1):
        e, f = (
            [side.vocabulary.words[w] for w in side.words[slice(*side.offsets[n : n + 2])]]
            for side in (source, target)
        )
        here = slice(*links.offsets[n : n + 2])
        own = [*zip(links.i[here].tolist(), links.j[here].tolist(), strict=True)]
        found = kernels.consistent_spans(
            links.i[here], links.j[here], len(e), len(f), LONGEST, spans
        )
        for i1, i2, j1, j2 in spans[:found].tolist():
            inside = [(i, j) for i, j in own if i1 <= i <= i2]
            if {i1, i2} <= {i for i, _ in inside} and {j1, j2} <= {j for _, j in inside}:
                phrases = " ".join(e[i1 : i2 + 1]), " ".join(f[j1 : j2 + 1])
                yield LinkedPair(*phrases, [(i - i1, j - j1) for i, j in inside])


def _prepare_words(pairs: SentencePairs, languages: tuple[str, str]) -> tuple[list[str], list[str]]:
    """Prepare both sides as `accord adapt` does."""
    source, target = (
        Preparation(language, lower=True)("".join(f"{pair[n]}\n" for pair in pairs)).split("\n")
        for n, language in enumerate(languages)
    )
    return drop_unusable_pairs(source, target)
