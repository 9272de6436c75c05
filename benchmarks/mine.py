"""Phrases mined out of text that is really not parallel, judged by the text it was cut from.

    python -m benchmarks.mine --text lctt.en-zh.tsv.xz --source-lang zh --target-lang en
                              --work FOLDER [--seeds 1000] [--kinds KIND …]
                              [--dictionary FILE] [--vectors] [--json]

The source side is the first half of the sentence pairs, the target side the second: no sentence
has its translation in the data. Phrases are n-grams of up to four words, without digits and
punctuation, that occur at least four times; and of these, chunks (`accord phrases`). Both are
learned from all n-grams, as `accord mine` does; with --chunks-alone, also from chunks only. The
whole parallel text is word-aligned (once, kept in --work) and its phrases are extracted: a pair
counts as right if it has a share of at least 5% of the extractions of either phrase. Precision is
that of the surest pairs, without the seed itself.

With --dictionary (two columns), the lexicon is judged too: of the words that the dictionary has
and the seed has not, with a translation in the target phrases, the share for which the best
translation is one of the dictionary's (P@1), however improbable. Beside it mapped word vectors of
the same sentences and seeds: all words that are each other's nearest, the nearest first. With
--vectors, the best also runs with these vectors as evidence. (They are made once, and kept in
--work.)
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
from accord.experiments.synthesis.recipe import Extraction, wanted_words
from accord.runs.folder import RunResults
from accord.runs.inputs import Inputs
from accord.runs.learn import learn
from accord.runs.results import PhrasePair
from accord.settings import Agreement, Settings
from accord.system.runners.threads import Threads, available_cores
from accord.translate.extraction import Sentences, gram_texts, phi
from benchmarks.accuracy import KINDS
from benchmarks.halves import LONGEST, add_text_flags, aligned, halves, inputs_of, occurring, tell
from benchmarks.vectors import Mapped, Vectors, trained

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
    parser.add_argument("--chunks-alone", action="store_true", help="learn from chunks only too")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args(arguments)
    extraction = extract_aligned(aligned(options), Threads(), tell)
    given = inputs_of(extraction, options.seeds, occurring(LEAST_COUNT))
    true = true_pairs(extraction, given)
    tell(f"{given.source_lines} and {given.target_lines}; {len(true):,} pairs are true")
    judge = read_seed(options.dictionary) if options.dictionary else None
    chunks = [chunks_of(half) for half in halves(extraction)]
    seeds = set(given.seed.entries)
    rows = []

    def add(kind: str, agreement: Agreement, given: Inputs) -> None:
        tell(kind)
        settings = Settings(agreement=agreement, min_probability=0.0)
        learned = learn(given, settings, Threads(), watch=tell)
        words = lexicon_precision(given, judge, best_of(learned)) if judge else {}
        ranked = new_pairs(by_sureness(learned.phrases))
        rows.append({"kind": kind} | precisions(ranked, true) | words)
        whole = [(e, f) for e, f in ranked if e in chunks[0] and f in chunks[1]]
        if len(whole) < len(ranked):
            rows.append({"kind": f"{kind}, chunks of it"} | precisions(whole, true))

    def new_pairs(ranked: list[tuple[str, str]]) -> list[tuple[str, str]]:
        return [pair for pair in ranked if pair not in seeds]

    for kind in options.kinds:
        add(kind, KINDS[kind], given)
    if options.chunks_alone:
        alone = Inputs.of(
            sorted(chunks[0]), sorted(chunks[1]), given.seed.entries, None, max_words=20
        )
        add("best of chunks alone", "posterior", alone)
    if options.vectors or judge:
        source, target = vectors_of_halves(extraction, options.work)
    if options.vectors:
        with_vectors = given.with_vectors(by_word(source), by_word(target))
        add("best with vectors", "posterior", with_vectors)
    if judge:
        mapped = Mapped.by(source, target, list(given.seed.entries))
        best = mapped.translations(sorted(judged_words(given, judge)))
        words = lexicon_precision(given, judge, best)
        rows.append(
            {"kind": "vectors alone"} | precisions(new_pairs(mapped.mutual()), true) | words
        )
    if options.json:
        print(json.dumps(rows))
        return
    tops = " | ".join(f"top {top:,}" for top in TOPS)
    print(f"| | pairs | {tops} | P@1 |\n|---|---|---|---|---|---|")
    for row in rows:
        cells = [f"{row[f'precision_at_{top}']:.3f}" for top in TOPS]
        cells.append(f"{row['p_at_1']:.3f}" if "p_at_1" in row else "")
        print(f"| {row['kind']} | {row['pairs']:,} | {' | '.join(cells)} |")


def chunks_of(side: Sentences) -> set[str]:
    """The n-grams of a half that are phrases."""
    lines = np.repeat(np.arange(len(side.offsets) - 1), np.diff(side.offsets))
    tokens = np.full(len(side.words) + len(side.offsets) - 1, NO_WORD, np.int32)
    wanted = wanted_words(side)[side.words]
    tokens[np.arange(len(side.words)) + lines] = np.where(wanted, side.words, NO_WORD)
    text = Text(list(side.vocabulary.words), tokens)
    levels = find_frequent_grams(text, LONGEST + 1, LEAST_COUNT)
    return {
        phrase
        for n, whole in enumerate(select_phrases(text, levels), 1)
        for phrase in spell_grams(text, levels[:n], np.flatnonzero(whole))
    }


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
        is_known[distinct] = [text in known for text in gram_texts(side, grams, distinct)]
        wanted.append(is_known[numbers])
    rows = np.flatnonzero(likely & wanted[0] & wanted[1])
    return set(
        zip(
            gram_texts(extraction.source, extraction.source_grams, table.source[rows]),
            gram_texts(extraction.target, extraction.target_grams, table.target[rows]),
            strict=True,
        )
    )


def best_of(learned: RunResults) -> dict[str, str]:
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
    for source, target in dictionary.restrict_to(given.source, given.target).entries:
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


def by_sureness(phrases: list[PhrasePair]) -> list[tuple[str, str]]:
    """The surest first; without probabilities, those with the greatest P a word."""

    def sureness(pair: PhrasePair) -> float:
        if pair.confidence is not None:
            return pair.confidence
        words = pair.source.count(" ") + pair.target.count(" ") + 2
        return (pair.forward + pair.backward) / words

    ranked = sorted(phrases, key=lambda pair: (-sureness(pair), pair.source))
    return [(pair.source, pair.target) for pair in ranked]


def precisions(ranked: list[tuple[str, str]], true: TextPairs) -> dict[str, Any]:
    """Of the first pairs; of all, where there are fewer."""
    right = [pair in true for pair in ranked]
    shares = {f"precision_at_{top}": sum(right[:top]) / max(len(right[:top]), 1) for top in TOPS}
    return {"pairs": len(ranked)} | shares


if __name__ == "__main__":
    main()
