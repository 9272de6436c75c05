"""The sets: two texts that are not parallel, cut from parallel text, and dictionaries for them.

technology   zh-en: Chinese of one half of lctt, English of the other
parliament   en-de: English of one half of europarl, German of the other
sources      zh-en from different sources: one language of lctt, the other of the documentation of
             Kubernetes, Python and LibreOffice

Every set has a development part and a test part. The test part has the language of each half that
the development part lacks, so the two have no sentence in common. Nothing is chosen on a test part.
Each part is also cut to 10,000 lines per side, in blocks of neighbouring lines.
"""

import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from accord.corpus.text.extraction import Preparation
from accord.evidence.seed import Entry
from accord.evidence.seed_selection import choose_entries, find_in_texts, read_term_frequencies
from accord.experiments.synthesis.pipeline import AlignedText, align_into, drop_unusable_pairs
from accord.formats.dictionaries.glosses import clean_gloss
from accord.system.reading import read_lines
from accord.system.writing import write_text
from benchmarks.halves import report

Part = Literal["dev", "test"]
PARTS: tuple[Part, ...] = ("dev", "test")
SIZES = 200_000, 10_000
SEEDS = 1_000, None  # None is the whole dictionary
# Neighbouring lines that stay together when a text is cut: about a document.
BLOCK = 500
NEWS, DOCUMENTATION = ("lctt",), ("k8s-zh", "pydocs-zh", "libreoffice-zh")


class Collection(NamedTuple):
    """Parallel texts in two languages, aligned together."""

    source_lang: str
    target_lang: str
    texts: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"{self.source_lang}-{self.target_lang}"

    @property
    def languages(self) -> tuple[str, str]:
        return self.source_lang, self.target_lang


class RealSet(NamedTuple):
    """Two monolingual texts of a collection, and dictionaries."""

    collection: Collection
    # The parallel texts that give the source text of the test part, and those of its target text.
    # If they are the same, each gives one half.
    texts: tuple[tuple[str, ...], tuple[str, ...]]
    seed_dictionary: str
    word_dictionaries: tuple[str, ...]  # evaluate words; the seed is not taken from them


class CutSet(NamedTuple):
    """A part of a set, of some size, with a seed: what a run needs."""

    name: str
    folder: Path
    seeds: int | None

    @property
    def source(self) -> Path:
        return self.folder / "source.txt"

    @property
    def target(self) -> Path:
        return self.folder / "target.txt"

    @property
    def seed(self) -> Path:
        return self.folder / f"seed-{self.seeds or 'all'}.tsv"


ZH_EN = Collection("zh", "en", (*NEWS, *DOCUMENTATION))
EN_DE = Collection("en", "de", ("europarl-de",))
CEDICT, MUSE = "dict.cedict.zh-en.tsv.xz", ("dict.muse.zh-en.simp.txt",)
XLING = "dict.xling.train.freq.5k.en-de.tsv"
XLING_TEST = ("dict.xling.test.freq.2k.en-de.tsv", "dict.muse-clean.en-de.5000-6500.txt")

SETS = {
    "technology": RealSet(ZH_EN, (NEWS, NEWS), CEDICT, MUSE),
    "parliament": RealSet(EN_DE, (EN_DE.texts, EN_DE.texts), XLING, XLING_TEST),
    "sources": RealSet(ZH_EN, (NEWS, DOCUMENTATION), CEDICT, MUSE),
}


def align_collection(collection: Collection, data: Path, work: Path) -> AlignedText:
    """Return the parallel text as the words of `mine`, with its alignments; they are kept."""
    folder = work / collection.name
    if not (folder / "backward.pharaoh").exists():
        folder.mkdir(parents=True, exist_ok=True)
        report(f"tokenising and aligning {', '.join(collection.texts)}")
        source: list[str] = []
        target: list[str] = []
        origins: list[str] = []
        for name in collection.texts:
            sides = _tokenise_pairs(collection, data, name)
            source += sides[0]
            target += sides[1]
            origins += [name] * len(sides[0])
        write_text(folder / "origins.txt", origins)
        align_into(folder, source, target)
    return AlignedText.read(folder)


def _tokenise_pairs(collection: Collection, data: Path, name: str) -> tuple[list[str], list[str]]:
    languages = collection.languages
    first, second = sorted(languages, key="en".__ne__)  # files have English first
    with lzma.open(data / f"{name}.{first}-{second}.tsv.xz", "rt", encoding="utf-8") as file:
        pairs = [line.rstrip("\n").split("\t")[:2] for line in file]
    sides = [
        _tokenise([pair[(first, second).index(language)] for pair in pairs], language)
        for language in languages
    ]
    return drop_unusable_pairs(sides[0], sides[1])


def _tokenise(lines: list[str], language: str) -> list[str]:
    prepare = Preparation(language, lower=True)
    block = "".join(f"{' '.join(line.split())}\n" for line in lines)
    return prepare(block).split("\n")[: len(lines)]


def cut_set(name: str, part: Part, size: int, seeds: int | None, data: Path, work: Path) -> CutSet:
    """Return the texts and the seed of a part of a set; they are written once."""
    chosen = SETS[name]
    cut = CutSet(f"{name}-{part}-{size}", work / "sets" / f"{name}-{part}-{size}", seeds)
    if not cut.target.exists():
        cut.folder.mkdir(parents=True, exist_ok=True)
        source, target = _cut_texts(chosen, part, size, data, work)
        write_text(cut.source, source)
        write_text(cut.target, target)
    if not cut.seed.exists():
        dictionary = read_dictionary(data / chosen.seed_dictionary, chosen.collection.languages)
        entries = _tokenise_entries([*dictionary], chosen.collection.languages)
        write_text(cut.seed, ("\t".join(entry) for entry in _choose_seed(cut, entries)))
    return cut


def _cut_texts(
    chosen: RealSet, part: Part, size: int, data: Path, work: Path
) -> tuple[list[str], list[str]]:
    aligned = align_collection(chosen.collection, data, work)
    path = work / chosen.collection.name / "origins.txt"
    origins = [line for _, line in read_lines(path)]
    rows, others = ([n for n, name in enumerate(origins) if name in side] for side in chosen.texts)
    if chosen.texts[0] == chosen.texts[1]:
        rows, others = rows[: len(rows) // 2], rows[len(rows) // 2 :]
    if part == "dev":
        rows, others = others, rows
    return (
        [aligned.source[n] for n in _thin(rows, size)],
        [aligned.target[n] for n in _thin(others, size)],
    )


def _thin(rows: list[int], size: int) -> list[int]:
    """Return at most `size` of the rows, in blocks from all parts of the text."""
    if len(rows) <= size:
        return rows
    starts = [n * len(rows) // (size // BLOCK) for n in range(size // BLOCK)]
    return [row for start in starts for row in rows[start : start + BLOCK]]


def _tokenise_entries(entries: list[Entry], languages: tuple[str, str]) -> list[Entry]:
    sides = (
        _tokenise([entry[n] for entry in entries], language) for n, language in enumerate(languages)
    )
    return [(e, f) for e, f in zip(*sides, strict=True) if e and f]


def _choose_seed(cut: CutSet, entries: list[Entry]) -> list[Entry]:
    """Return the entries that occur in the texts: all, or the most informative ones."""
    texts = (
        read_term_frequencies(cut.source, {e for e, _ in entries}),
        read_term_frequencies(cut.target, {f for _, f in entries}),
    )
    known = find_in_texts(entries, texts)
    return choose_entries(known, texts, cut.seeds) if cut.seeds else sorted(known)


def read_dictionary(path: Path, languages: tuple[str, str]) -> Iterator[Entry]:
    """Yield the entries of a dictionary, without the remarks of its glosses."""
    for _, line in read_lines(path):
        columns = line.split("\t") if "\t" in line else line.split()
        e, f = (
            clean_gloss(column.lower(), language)
            for column, language in zip(columns[:2], languages, strict=True)
        )
        if e and f:
            yield e, f
