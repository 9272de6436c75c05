"""How many sentences per CPU second are translated, with stacks of 100 and of 10, in one run.

    python -m benchmarks.decoding [--pairs N] [--sentences N] [--stack N] [--fast] [--json]

The text is synthetic: words follow a Zipf distribution with favourite successors, have up to 20
translations, and are sometimes reordered. The table contains its phrases of up to four words, the
language model its trigrams. The time for reading the table is reported separately. With --fast, and
without --pairs: 5,000 pairs.
"""

from argparse import ArgumentParser
from collections import Counter
from math import log10
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

import numpy as np
from numpy.typing import NDArray

from accord.system.runners.threads import Threads
from accord.system.writing import write_text
from accord.translate.decoder import Decoder, DecoderLimits
from accord.translate.language_model.arpa import read_arpa
from accord.translate.language_model.trie import BEGIN, END, UNKNOWN
from accord.translate.phrase_table import read_phrase_table
from benchmarks.harness import parse_options, print_answer

LENGTH = 20
LONGEST = 4
TRANSLATIONS = 20
FAVOURITES = 4
FEW = 10
BACKOFF = "\t-0.4"


def main(arguments: list[str] | None = None) -> None:
    def add_flags(parser: ArgumentParser) -> None:
        parser.add_argument("--pairs", type=int, default=5_000, help="phrase pairs")
        parser.add_argument("--sentences", type=int, default=50, help="sentences to translate")
        parser.add_argument("--stack", type=int, default=100, help="hypotheses per stack")

    options = parse_options(__doc__, arguments, add_flags)
    pairs, count = options.pairs, options.sentences
    text = SyntheticText(pairs // 15)
    table = text.table(pairs)
    sentences = [text.sentence()[0] for _ in range(count)]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "table"
        write_text(path, table)
        begun = perf_counter()
        read = read_phrase_table(path, sentences)
        reading = perf_counter() - begun
        arpa = Path(folder) / "lm.arpa"
        write_text(arpa, text.language_model(max(100, pairs // 30)))
        lm = read_arpa(arpa)
    rows = []
    for _ in range(options.repeats):
        row = {}
        for stack in (options.stack, FEW):
            decoder = Decoder(read, lm, limits=DecoderLimits(stack=stack))
            decoder.translate(sentences[:1], Threads(1))
            begun = process_time()
            done = decoder.translate(sentences, Threads(1))
            row[f"sentences_per_cpu_second_stack_{stack}"] = count / (process_time() - begun)
            row[f"mean_score_stack_{stack}"] = float(np.mean([best[0].score for best in done]))
        rows.append(row)
    answer = {"pairs": pairs, "sentences": count, "options": len(read.targets)}
    answer |= {"reading_seconds": reading, "nodes": len(lm.words)}
    answer |= {key: median(row[key] for row in rows) for key in rows[0]}
    name = "sentences_per_cpu_second_stack_"
    ratios = [row[f"{name}{FEW}"] / row[f"{name}{options.stack}"] for row in rows]
    answer["few_over_many"] = median(ratios)
    print_answer(answer, as_json=options.json)


class SyntheticText:
    """An endless supply of sentences and their translations."""

    def __init__(self, words: int) -> None:
        self._random = np.random.default_rng(0)
        self._words = words
        self._weights = np.cumsum(1 / np.arange(3, words + 3))
        self._favourites = self._draw(words * FAVOURITES).reshape(words, FAVOURITES)
        # Frequent words have many translations.
        most = np.maximum(1, TRANSLATIONS - np.log2(1 + np.arange(words))).astype(np.int64)
        self._translations = [self._draw(n).tolist() for n in most.tolist()]

    def _draw(self, count: int) -> NDArray[np.int64]:
        drawn = self._random.random(count) * self._weights[-1]
        return np.asarray(np.searchsorted(self._weights, drawn), np.int64)

    def sentence(self) -> tuple[list[str], list[str]]:
        """Draw a sentence: source and target words."""
        drawn = self._draw(LENGTH).tolist()
        chances = self._random.random((LENGTH, 2))
        for at in range(1, LENGTH):
            if chances[at, 0] < 0.6:
                of = int(chances[at, 1] * FAVOURITES)
                drawn[at] = int(self._favourites[drawn[at - 1], of])
        target = []
        for word, (chance, _) in zip(drawn, chances.tolist(), strict=True):
            known = self._translations[word]
            target.append(f"v{known[int(chance**3 * len(known))]}")
        return [f"w{word}" for word in drawn], target

    def table(self, pairs: int) -> list[str]:
        counts: Counter[tuple[str, str]] = Counter()
        while len(counts) < pairs:
            source, target = self.sentence()
            for at in range(LENGTH):
                for end in range(at + 1, min(at + LONGEST, LENGTH) + 1):
                    words = target[at:end]
                    if self._random.random() < 0.2:
                        words = words[::-1]
                    counts[" ".join(source[at:end]), " ".join(words)] += 1
        sides = Counter[str](), Counter[str]()
        for (s, t), count in counts.items():
            sides[0][s] += count
            sides[1][t] += count
        return sorted(
            f"{s} ||| {t} ||| {n / sides[1][t]:.6g} 0.1 {n / sides[0][s]:.6g} 0.1 ||| |||"
            for (s, t), n in [*counts.items()][:pairs]
        )

    def language_model(self, sentences: int) -> list[str]:
        """Return an ARPA file with the trigrams of new sentences and a fixed discount."""
        counts: list[Counter[tuple[str, ...]]] = [Counter() for _ in range(4)]
        for _ in range(sentences):
            words = BEGIN, *self.sentence()[1], END
            for length in (1, 2, 3):
                counts[length].update(zip(*(words[n:] for n in range(length)), strict=False))
        counts[1][UNKNOWN,] += 1
        counts[0][()] = counts[1].total()
        lines = ["\\data\\", *(f"ngram {length}={len(counts[length])}" for length in (1, 2, 3))]
        for length in (1, 2, 3):
            lines += ["", f"\\{length}-grams:"]
            for gram, count in counts[length].items():
                log_prob = log10((count - 0.5) / counts[length - 1][gram[:-1]])
                lines.append(f"{log_prob:.6f}\t{' '.join(gram)}{BACKOFF * (length < 3)}")
        return [*lines, "", "\\end\\"]


if __name__ == "__main__":
    main()
