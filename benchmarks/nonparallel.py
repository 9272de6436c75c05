"""Phrases out of text that is really not parallel, judged by the parallel text it was cut from.

    python -m benchmarks.nonparallel --text lctt.en-zh.tsv.xz --source-lang zh --target-lang en
                                     --work FOLDER [--seeds 1000] [--kinds KIND …]
                                     [--dictionary FILE] [--vectors] [--json]

The source side is the first half of the sentence pairs, the target side the second: no sentence
has its translation in the data. Phrases are n-grams of up to four words, without digits and
punctuation, that occur at least four times. The whole parallel text is word-aligned (once, kept
in --work) and its phrases are extracted: a pair counts as right if it has a share of at least 5%
of the extractions of either phrase. Precision is that of the surest pairs.

With --dictionary (two columns), the lexicon is judged too: of the words that the dictionary has
and the seed has not, with a translation in the target phrases, the share for which the best
translation is one of the dictionary's (P@1), however improbable; beside it mapped word vectors of
the same sentences. With --vectors, the best also runs with these vectors as evidence. (They are
made once, and kept in --work.)
"""

import argparse
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from accord.inputs import Inputs
from accord.learning import Learned, learn
from accord.runners.threads import Threads, available_cores
from accord.seed import SeedLexicon, read_seed
from accord.settings import Agreement, Settings
from accord.synthetic.extraction import Sentences, gram_texts, phi
from accord.synthetic.pipeline import extract_aligned
from accord.synthetic.recipe import Extraction
from benchmarks.accuracy import KINDS
from benchmarks.halves import add_text_flags, aligned, halves, inputs_of, occurring, tell
from benchmarks.vectors import Vectors, mapped_translations, trained

LEAST_COUNT = 4
LEAST_SHARE = 0.05
TOPS = (1_000, 5_000, 20_000)

TextPairs = set[tuple[str, str]]


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_text_flags(parser, required=True)
    parser.add_argument("--kinds", nargs="*", choices=KINDS, default=["outer", "best"])
    parser.add_argument("--dictionary", type=Path, help="judge of the lexicon")
    parser.add_argument("--vectors", action="store_true", help="run the best with vectors too")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args(arguments)
    extraction = extract_aligned(aligned(options), Threads(), tell)
    given = inputs_of(extraction, options.seeds, occurring(LEAST_COUNT))
    true = true_pairs(extraction, given)
    tell(f"{given.source_intake} and {given.target_intake}; {len(true):,} pairs are true")
    judge = read_seed(options.dictionary) if options.dictionary else None
    rows = []

    def add(kind: str, agreement: Agreement, given: Inputs) -> None:
        tell(kind)
        settings = Settings(agreement=agreement, min_probability=0.0)
        learned = learn(given, settings, Threads(), watch=tell)
        row = {"kind": kind, "pairs": len(learned.phrases)} | precisions(learned, true)
        rows.append(row | (lexicon_precision(given, judge, best_of(learned)) if judge else {}))

    for kind in options.kinds:
        add(kind, KINDS[kind], given)
    if options.vectors or judge:
        source, target = vectors_of_halves(extraction, options.work)
    if options.vectors:
        with_vectors = given.with_vectors(by_word(source), by_word(target))
        add("best with vectors", "posterior", with_vectors)
    if judge:
        new = sorted(judged_words(given, judge))
        best = mapped_translations(source, target, list(given.seed.entries), new)
        rows.append({"kind": "vectors alone"} | lexicon_precision(given, judge, best))
    if options.json:
        print(json.dumps(rows))
        return
    print(f"| | pairs | {' | '.join(f'top {top:,}' for top in TOPS)} |\n|---|---|---|---|---|")
    for row in rows:
        if options.dictionary:
            p, words, known = row["p_at_1"], row["judged_words"], row["translated_words"]
            tell(f"{row['kind']}: P@1 {p:.3f} of {words:,} words, {known:,} have a translation")
        if "pairs" not in row:
            continue
        cells = (f"{row[f'precision_at_{top}']:.3f}" for top in TOPS)
        print(f"| {row['kind']} | {row['pairs']:,} | {' | '.join(cells)} |")


def texts_of(side: Sentences) -> list[list[str]]:
    words = side.vocabulary.words
    return [
        [words[word] for word in side.words[begin:end]]
        for begin, end in pairwise(side.offsets.tolist())
    ]


def true_pairs(extraction: Extraction, given: Inputs) -> TextPairs:
    """The pairs of these phrases that the parallel text bears out."""
    table = extraction.table
    forward, backward = phi(table)
    likely = np.maximum(forward, backward) >= LEAST_SHARE
    sources, targets = given.source.numbers, given.target.numbers
    wanted = []
    for side, grams, numbers, known in [
        (extraction.source, extraction.source_grams, table.source, sources),
        (extraction.target, extraction.target_grams, table.target, targets),
    ]:
        distinct = np.unique(numbers)
        is_known = np.zeros(int(distinct[-1]) + 1, np.bool_)
        is_known[distinct] = [text in known for text in gram_texts(side, grams, distinct.tolist())]
        wanted.append(is_known[numbers])
    rows = np.flatnonzero(likely & wanted[0] & wanted[1])
    return set(
        zip(
            gram_texts(extraction.source, extraction.source_grams, table.source[rows].tolist()),
            gram_texts(extraction.target, extraction.target_grams, table.target[rows].tolist()),
            strict=True,
        )
    )


def best_of(learned: Learned) -> dict[str, str]:
    """The best translation of each word of the lexicon."""
    best: dict[str, tuple[float, str]] = {}
    for entry in learned.lexicon:
        strength = entry.forward * entry.backward
        best[entry.source] = max(best.get(entry.source, (0.0, "")), (strength, entry.target))
    return {word: target for word, (_, target) in best.items()}


def judged_words(given: Inputs, dictionary: SeedLexicon) -> dict[str, set[str]]:
    """New words of the dictionary, with their translations."""
    seeded = {source for source, _ in given.seed.entries}
    words: dict[str, set[str]] = {}
    for source, target in dictionary.within(given.source, given.target).entries:
        if source not in seeded:
            words.setdefault(source, set()).add(target)
    return words


def lexicon_precision(
    given: Inputs, dictionary: SeedLexicon, best: dict[str, str]
) -> dict[str, Any]:
    words = judged_words(given, dictionary)
    right = sum(best.get(word) in true for word, true in words.items())
    return {
        "p_at_1": right / len(words),
        "judged_words": len(words),
        "translated_words": sum(word in best for word in words),
    }


def vectors_of_halves(extraction: Extraction, work: Path) -> tuple[Vectors, Vectors]:
    """The vectors of the words of either half, made once."""
    made = []
    for name, half in zip(("source", "target"), halves(extraction), strict=True):
        path = work / f"{name}.vectors.npz"
        if not path.exists():
            tell(f"vectors of the {name} half")
            index, rows = trained(texts_of(half), available_cores())
            np.savez(path, words=np.array(list(index)), rows=rows)
        with np.load(path) as kept:
            index = {word: n for n, word in enumerate(kept["words"].tolist())}
            made.append((index, kept["rows"]))
    return made[0], made[1]


def by_word(vectors: Vectors) -> dict[str, Any]:
    index, rows = vectors
    return {word: rows[n] for word, n in index.items()}


def precisions(learned: Learned, true: TextPairs) -> dict[str, Any]:
    """Of the surest pairs; without probabilities, of those with the greatest P a word."""

    def surest(pair: Any) -> float:
        if pair.confidence is not None:
            return float(pair.confidence)
        words = pair.source.count(" ") + pair.target.count(" ") + 2
        return float((pair.forward + pair.backward) / words)

    ranked = sorted(learned.phrases, key=lambda pair: (-surest(pair), pair.source))
    right = [pair[:2] in true for pair in ranked]
    return {f"precision_at_{top}": sum(right[:top]) / max(len(right[:top]), 1) for top in TOPS}


if __name__ == "__main__":
    main()
