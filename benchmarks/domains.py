"""Two domains out of parallel text, for translation: a small table of one, text of the other.

Of the domain to translate, some sentence pairs are held out to tune and to test on. Of the rest the
source side is the first half and the target side the second, as in `benchmarks.halves`. Of the
other domain there are the most frequent phrase pairs. Words are those of `accord adapt`.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from accord.extract.methods import Preparation
from accord.formats.moses import write_table
from accord.runners import Runner
from accord.synthetic.alignment import read_alignment
from accord.synthetic.extraction import Sentences, WordLinks, symmetrise
from accord.synthetic.pipeline import MOST_WORDS, Aligned, align_into
from accord.translate.training import LinkedPair
from accord.writing import write_folder, write_text

LONGEST = 4
LEAST_SHARE = 0.1
RANDOM = 1

SentencePairs = list[tuple[str, str]]
Align = Callable[[Path, list[str], list[str]], object]


class Sizes(NamedTuple):
    """Sentence pairs to tune on, and to test on; and phrase pairs of the other domain."""

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
        """The sentence pairs whose sides the two texts are of, aligned: nobody has them but the
        ceiling."""
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
    """The files, unless they are there already."""

    def fill(path: Path) -> None:
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
            align(name, *_words(pairs, languages))
        chosen = frequent_pairs(*linked(path / "aligned", runner), sizes.outside)
        rows = ((e, f, 1.0, 1.0, 1.0, 1.0, _spelled(links), 1.0) for e, f, links in chosen)
        write_table(made.outside, rows)

    if not folder.exists():
        write_folder(folder, fill)
    return Domains(folder)


def linked(folder: Path, runner: Runner) -> tuple[Sentences, Sentences, WordLinks]:
    """Aligned sentences and the links between their words."""
    aligned = Aligned.read(folder)
    source, target = Sentences.of(aligned.source), Sentences.of(aligned.target)
    forward, backward = (
        read_alignment(path, source, target) for path in (aligned.forward, aligned.backward)
    )
    return source, target, symmetrise(source, target, forward, backward, runner)


def frequent_pairs(
    source: Sentences, target: Sentences, links: WordLinks, size: int
) -> list[LinkedPair]:
    """The phrase pairs extracted most often, each with the links it mostly has: a tenth at least of
    what is extracted of either phrase."""
    counts = defaultdict[tuple[str, str], Counter[tuple[tuple[int, int], ...]]](Counter)
    of_source, of_target = Counter[str](), Counter[str]()
    for found in _phrase_pairs(source, target, links):
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


def _phrase_pairs(source: Sentences, target: Sentences, links: WordLinks) -> Iterator[LinkedPair]:
    """Those that begin and end with linked words."""
    for n in range(len(links.offsets) - 1):
        e, f = (
            [side.vocabulary.words[w] for w in side.words[slice(*side.offsets[n : n + 2])]]
            for side in (source, target)
        )
        here = slice(*links.offsets[n : n + 2])
        own = [*zip(links.i[here].tolist(), links.j[here].tolist(), strict=True)]
        starts = sorted({i for i, _ in own})
        for first in starts:
            for last in (i for i in starts if first <= i < first + LONGEST):
                inside = [(i, j) for i, j in own if first <= i <= last]
                low, high = min(j for _, j in inside), max(j for _, j in inside)
                across = any(low <= j <= high and not first <= i <= last for i, j in own)
                if high < low + LONGEST and not across:
                    phrases = " ".join(e[first : last + 1]), " ".join(f[low : high + 1])
                    yield LinkedPair(*phrases, [(i - first, j - low) for i, j in inside])


def _words(pairs: SentencePairs, languages: tuple[str, str]) -> tuple[list[str], list[str]]:
    """As `accord adapt` has them; pairs that are empty or too long then are left out."""
    sides = (
        Preparation(language, lower=True)("".join(f"{pair[n]}\n" for pair in pairs)).split("\n")
        for n, language in enumerate(languages)
    )
    kept = [
        pair
        for pair in zip(*sides, strict=True)
        if all(side and side.count(" ") < MOST_WORDS for side in pair)
    ]
    return [source for source, _ in kept], [target for _, target in kept]


def _spelled(links: Sequence[tuple[int, int]]) -> str:
    return " ".join(f"{i}-{j}" for i, j in links)
