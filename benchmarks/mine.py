"""Phrase pairs mined from non-parallel text, evaluated by the parallel text it was cut from.

    python -m benchmarks.mine --text lctt.en-zh.tsv.xz --source-lang zh --target-lang en
                              --work FOLDER [--seeds 1000] [--methods METHOD …]
                              [--dictionary FILE] [--vectors] [--json]

The source side is the first half of the sentence pairs, the target side the second: no sentence
has its translation in the data. Phrases are n-grams of up to four words, without digits and
punctuation, that occur at least four times; and of these, chunks (`accord phrases`). Both are
learned from all n-grams, as in `accord mine`; with --chunks-alone, also from chunks only. The
whole parallel text is word-aligned (once, kept in --work) and its phrases are extracted: a pair
counts as right if it has at least 5% of the extractions of either phrase. Precision is that of the
most confident pairs, without the seed itself.

With --dictionary (two columns), the lexicon is evaluated, too: P@1 is the share of the words for
which the best translation is in the dictionary, whatever its confidence. The words are those of the
dictionary that are not in the seed and have a translation in the target phrases. For comparison:
mapped word vectors of the same sentences and seeds, with all words that are each other's nearest,
the nearest first. With --vectors, posterior agreement also runs with these vectors as evidence.
(They are computed once, and kept in --work.)
"""

import argparse
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from accord.corpus.text.chunks import select_phrases
from accord.corpus.text.ngrams import Text, find_frequent_grams, spell_grams
from accord.corpus.text.tokens import NO_WORD
from accord.evidence.seed import SeedLexicon, read_seed
from accord.experiments.synthesis.pipeline import extract_aligned
from accord.experiments.synthesis.recipe import Extraction, find_wanted_words
from accord.runs.folder import RunResults
from accord.runs.inputs import Inputs
from accord.runs.learn import learn
from accord.runs.results import PhrasePair
from accord.settings import Agreement, Settings
from accord.system.runners.threads import Threads, available_cores
from accord.translate.phrase_extraction import NumberedSentences, compute_phi
from benchmarks.accuracy import METHODS
from benchmarks.halves import (
    LONGEST,
    add_text_flags,
    align_text,
    inputs_of,
    report,
    split_halves,
    with_count,
)
from benchmarks.harness import add_figures_flag, name_figure, write_figures
from benchmarks.vectors import MappedVectors, Vectors, train_vectors

LEAST_COUNT = 4
LEAST_SHARE = 0.05
TOPS = (1_000, 5_000, 20_000)

PairSet = set[tuple[str, str]]


def parse_flags(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_text_flags(parser, required=True)
    parser.add_argument("--methods", nargs="*", choices=METHODS, default=["outer", "posterior"])
    parser.add_argument("--dictionary", type=Path, help="evaluates the lexicon")
    parser.add_argument("--vectors", action="store_true", help="also run with vectors")
    parser.add_argument("--chunks-alone", action="store_true", help="also learn from chunks only")
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_figures_flag(parser)
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> None:
    options = parse_flags(arguments)
    extraction = extract_aligned(align_text(options), Threads(), report)
    given = inputs_of(extraction, options.seeds, with_count(LEAST_COUNT))
    right = right_pairs(extraction, given)
    report(f"{given.source_lines} and {given.target_lines}; {len(right):,} pairs are right")
    dictionary = read_seed(options.dictionary) if options.dictionary else None
    chunks = [find_chunks(half) for half in split_halves(extraction)]
    seeds = set(given.seed.entries)
    rows = []

    def add(name: str, agreement: Agreement, given: Inputs) -> None:
        report(name)
        settings = Settings(agreement=agreement, min_probability=0.0)
        learned = learn(given, settings, Threads(), watch=report)
        words = (
            lexicon_precision(given, dictionary, best_translations(learned)) if dictionary else {}
        )
        ranked = new_pairs(rank_by_confidence(learned.phrases))
        rows.append({"method": name} | precisions(ranked, right) | words)
        whole = [(e, f) for e, f in ranked if e in chunks[0] and f in chunks[1]]
        if len(whole) < len(ranked):
            rows.append({"method": f"{name}, chunks of it"} | precisions(whole, right))

    def new_pairs(ranked: list[tuple[str, str]]) -> list[tuple[str, str]]:
        return [pair for pair in ranked if pair not in seeds]

    for method in options.methods:
        add(method, method, given)
    if options.chunks_alone:
        alone = Inputs.of(
            sorted(chunks[0]), sorted(chunks[1]), given.seed.entries, None, max_words=20
        )
        add("posterior of chunks alone", "posterior", alone)
    if options.vectors or dictionary:
        source, target = train_vectors_of_halves(extraction, options.work)
    if options.vectors:
        with_vectors = given.with_vectors(by_word(source), by_word(target))
        add("posterior with vectors", "posterior", with_vectors)
    if dictionary:
        mapped = MappedVectors.by(source, target, list(given.seed.entries))
        best = mapped.translations(sorted(evaluated_words(given, dictionary)))
        words = lexicon_precision(given, dictionary, best)
        rows.append(
            {"method": "vectors alone"} | precisions(new_pairs(mapped.mutual()), right) | words
        )
    if options.figures:
        write_mine_figures(options, rows)
    if options.json:
        print(json.dumps(rows))
    else:
        show(rows)


def write_mine_figures(options: argparse.Namespace, rows: list[dict[str, Any]]) -> None:
    languages = f"--source-lang {options.source_lang} --target-lang {options.target_lang}"
    columns = {"method": "method", "pairs": "pairs"} | {f"top_{n}": f"top {n:,}" for n in TOPS}
    write_figures(
        options.figures,
        f"mine_{options.source_lang}_{options.target_lang}",
        f"python -m benchmarks.mine --text {options.text.name} {languages} --work FOLDER",
        columns | {"p_at_1": "P@1"},
        {
            name_figure(row["method"]): {"method": row["method"], "pairs": f"{row['pairs']:,}"}
            | {f"top_{n}": f"{row[f'precision_at_{n}']:.3f}" for n in TOPS}
            | ({"p_at_1": f"{row['p_at_1']:.3f}"} if "p_at_1" in row else {})
            for row in rows
        },
    )


def show(rows: list[dict[str, Any]]) -> None:
    tops = " | ".join(f"top {top:,}" for top in TOPS)
    print(f"| | pairs | {tops} | P@1 |\n|---|---|---|---|---|---|")
    for row in rows:
        cells = [f"{row[f'precision_at_{top}']:.3f}" for top in TOPS]
        cells.append(f"{row['p_at_1']:.3f}" if "p_at_1" in row else "")
        print(f"| {row['method']} | {row['pairs']:,} | {' | '.join(cells)} |")


def find_chunks(side: NumberedSentences) -> set[str]:
    """Return the n-grams of a half that are chunks."""
    lines = np.repeat(np.arange(len(side.offsets) - 1), np.diff(side.offsets))
    tokens = np.full(len(side.words) + len(side.offsets) - 1, NO_WORD, np.int32)
    wanted = find_wanted_words(side)[side.words]
    tokens[np.arange(len(side.words)) + lines] = np.where(wanted, side.words, NO_WORD)
    text = Text(list(side.vocabulary.words), tokens)
    levels = find_frequent_grams(text, LONGEST + 1, LEAST_COUNT)
    return {
        phrase
        for n, whole in enumerate(select_phrases(text, levels), 1)
        for phrase in spell_grams(text, levels[:n], np.flatnonzero(whole))
    }


def spell_sentences(side: NumberedSentences) -> list[list[str]]:
    words = side.vocabulary.words
    return [
        [words[word] for word in side.words[begin:end]]
        for begin, end in pairwise(side.offsets.tolist())
    ]


def right_pairs(extraction: Extraction, given: Inputs) -> PairSet:
    """Return the pairs of these phrases that the parallel text confirms."""
    table = extraction.pairs
    forward, backward = compute_phi(table)
    likely = np.maximum(forward, backward) >= LEAST_SHARE
    sources, targets = given.source.numbers, given.target.numbers
    wanted = []
    for ngrams, numbers, known in [
        (extraction.source, table.source, sources),
        (extraction.target, table.target, targets),
    ]:
        distinct = np.unique(numbers)
        is_known = np.zeros(int(distinct[-1]) + 1, np.bool_)
        is_known[distinct] = [text in known for text in ngrams.texts(distinct)]
        wanted.append(is_known[numbers])
    rows = np.flatnonzero(likely & wanted[0] & wanted[1])
    return set(
        zip(
            extraction.source.texts(table.source[rows]),
            extraction.target.texts(table.target[rows]),
            strict=True,
        )
    )


def best_translations(learned: RunResults) -> dict[str, str]:
    """Return the best translation of each word of the lexicon."""
    best: dict[str, tuple[float, str]] = {}
    for entry in learned.lexicon:
        score = entry.forward * entry.backward
        best[entry.source] = max(best.get(entry.source, (0.0, "")), (score, entry.target))
    return {word: target for word, (_, target) in best.items()}


def evaluated_words(given: Inputs, dictionary: SeedLexicon) -> dict[str, set[str]]:
    """Return the words of the dictionary that are not in the seed, with their translations."""
    seeded = {source for source, _ in given.seed.entries}
    words: dict[str, set[str]] = {}
    for source, target in dictionary.restrict_to(given.source, given.target).entries:
        if source not in seeded:
            words.setdefault(source, set()).add(target)
    return words


def lexicon_precision(
    given: Inputs, dictionary: SeedLexicon, best: dict[str, str]
) -> dict[str, Any]:
    words = evaluated_words(given, dictionary)
    right = sum(best.get(word) in true for word, true in words.items())
    return {
        "p_at_1": right / len(words),
        "evaluated_words": len(words),
        "translated_words": sum(word in best for word in words),
    }


def train_vectors_of_halves(extraction: Extraction, work: Path) -> tuple[Vectors, Vectors]:
    """Return the vectors of the words of either half, which are computed once."""
    made = []
    for name, half in zip(("source", "target"), split_halves(extraction), strict=True):
        path = work / f"{name}.vectors.npz"
        if not path.exists():
            report(f"vectors of the {name} half")
            index, rows = train_vectors(spell_sentences(half), available_cores())
            np.savez(path, words=np.array(list(index)), rows=rows)
        with np.load(path) as kept:
            index = {word: n for n, word in enumerate(kept["words"].tolist())}
            made.append((index, kept["rows"]))
    return made[0], made[1]


def by_word(vectors: Vectors) -> dict[str, Any]:
    index, rows = vectors
    return {word: rows[n] for word, n in index.items()}


def rank_by_confidence(phrases: list[PhrasePair]) -> list[tuple[str, str]]:
    """Sort by confidence; without confidences, by the geometric mean of P per word."""

    def confidence(pair: PhrasePair) -> float:
        if pair.confidence is not None:
            return pair.confidence
        words = pair.source.count(" ") + pair.target.count(" ") + 2
        return (pair.log_forward + pair.log_backward) / words

    ranked = sorted(phrases, key=lambda pair: (-confidence(pair), pair.source))
    return [(pair.source, pair.target) for pair in ranked]


def precisions(ranked: list[tuple[str, str]], true: PairSet) -> dict[str, Any]:
    """Return the precision of the first pairs, or of all if there are fewer."""
    right = [pair in true for pair in ranked]
    shares = {f"precision_at_{top}": sum(right[:top]) / max(len(right[:top]), 1) for top in TOPS}
    return {"pairs": len(ranked)} | shares


if __name__ == "__main__":
    main()
