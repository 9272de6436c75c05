"""A language model of order 4: training, writing, reading and scoring, beside KenLM in one run.

    python -m benchmarks.language_model [--words N] [--fast] [--json]

The text is synthetic: words with Zipf frequencies, half of them drawn independently, half as they
followed the previous word, in sentences of 20. Training is from the text file to the ARPA file, in
a process of its own. KenLM (`pip install '.[kenlm]'`) has no trainer in its package; it reads the
same ARPA file, also in a process of its own, and both score the same sentences, whose scores are
checked to be equal. Sentences are Python strings, as in KenLM; `compiled` is the way of the
decoder: words are numbers, without Python between them. With --fast, and without --words: 20,000
words. Without KenLM there are no ratios.
"""

from argparse import ArgumentParser
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, NamedTuple

import numpy as np

from accord.translate.language_model import trie_kernels as kernels
from accord.translate.language_model.arpa import read_arpa, write_arpa
from accord.translate.language_model.kneser_ney import train_language_model
from accord.translate.language_model.training_text import read_training_text
from accord.translate.language_model.trie import END
from benchmarks.harness import parse_options, print_answer
from benchmarks.isolation import peak_mb, run_isolated

FEW = 20_000
SENTENCE = 20
SCORED = 10_000
ORDER = 4
# KenLM sums in 32 bits.
TOLERANCE = 1e-4


class Trained(NamedTuple):
    cpu_seconds: float
    peak_mb: float
    ngrams: int


class Scored(NamedTuple):
    """What reading took, and the scores of sentences."""

    read_cpu_seconds: float
    read_peak_mb: float
    words_per_second: float
    scores: list[float]
    compiled_words_per_second: float = 0.0


def main(arguments: list[str] | None = None) -> None:
    def add_flags(parser: ArgumentParser) -> None:
        parser.add_argument("--words", type=int, default=FEW, help="words of the text")

    options = parse_options(__doc__, arguments, add_flags)
    scorers: dict[str, Callable[[Path, Path], Scored]] = {"accord": with_accord}
    if find_spec("kenlm"):
        scorers["kenlm"] = with_kenlm
    with TemporaryDirectory() as name:
        text, held_out, arpa = (Path(name) / file for file in ("text", "held-out", "lm.arpa"))
        run_isolated(write_synthetic_text, text, options.words, 0)
        run_isolated(write_synthetic_text, held_out, min(options.words, SCORED * SENTENCE), 1)
        trained = [run_isolated(train, text, arpa) for _ in range(options.repeats)]
        scored = [
            {name: run_isolated(scorer, arpa, held_out) for name, scorer in scorers.items()}
            for _ in range(options.repeats)
        ]
        answer = {
            "words": options.words,
            "ngrams": trained[0].ngrams,
            "arpa_mb": arpa.stat().st_size / 1e6,
            "training_words_per_cpu_second": median(
                options.words / one.cpu_seconds for one in trained
            ),
            "training_peak_mb": median(one.peak_mb for one in trained),
        }
    check(
        [row["accord"].scores for row in scored],
        [row[name].scores for row in scored for name in row],
    )
    for name in scorers:
        for part in ("read_cpu_seconds", "read_peak_mb", "words_per_second"):
            answer[f"{name}_{part}"] = median(getattr(row[name], part) for row in scored)
    answer["accord_compiled_words_per_second"] = median(
        row["accord"].compiled_words_per_second for row in scored
    )
    if "kenlm" in scorers:
        answer |= compute_ratios(scored)
    print_answer(answer, as_json=options.json)


def compute_ratios(scored: list[dict[str, Scored]]) -> dict[str, float]:
    pairs = [(row["accord"], row["kenlm"]) for row in scored]
    return {
        "accord_read_cpu_seconds_over_kenlm_read_cpu_seconds": median(
            ours.read_cpu_seconds / theirs.read_cpu_seconds for ours, theirs in pairs
        ),
        "accord_words_per_second_over_kenlm_words_per_second": median(
            ours.words_per_second / theirs.words_per_second for ours, theirs in pairs
        ),
        "accord_compiled_words_per_second_over_kenlm_words_per_second": median(
            ours.compiled_words_per_second / theirs.words_per_second for ours, theirs in pairs
        ),
    }


def check(expected: list[float], found: list[list[float]]) -> None:
    for scores in found:
        if not np.allclose(scores, expected, rtol=0, atol=TOLERANCE):
            raise SystemExit("the scores are not the same")


def train(text: Path, arpa: Path) -> Trained:
    run_once(text, arpa)
    begun = process_time()
    model = train_language_model(read_training_text([text]), ORDER)
    write_arpa(arpa, model)
    return Trained(process_time() - begun, peak_mb(), sum(model.sizes))


def run_once(text: Path, arpa: Path) -> None:
    """Run everything once, so that loading compiled code is not measured."""
    small = text.with_name("small")
    small.write_text("a b c d\n", encoding="utf-8")
    write_arpa(arpa, train_language_model(read_training_text([small]), ORDER))
    read_arpa(arpa).score("ab")


def with_accord(arpa: Path, text: Path) -> Scored:
    run_once(text, text.with_name("small.arpa"))
    begun = process_time()
    model = read_arpa(arpa)
    read = process_time() - begun
    peak = peak_mb()
    sentences = [line.split() for line in text.read_text(encoding="utf-8").splitlines()]
    scores, seconds = time_scoring(model.score, sentences)
    numbers = [model.number(word) for sentence in sentences for word in (*sentence, END)]
    trie, node = model.trie, model.begin
    _, compiled = time_scoring(
        lambda text: kernels.score_words(trie, node, text), [np.array(numbers, np.int32)]
    )
    words = sum(map(len, sentences))
    return Scored(read, peak, words / seconds, scores, words / compiled)


def with_kenlm(arpa: Path, text: Path) -> Scored:
    import kenlm

    begun = process_time()
    model = kenlm.Model(str(arpa))
    read = process_time() - begun
    peak = peak_mb()
    sentences = text.read_text(encoding="utf-8").splitlines()
    scores, seconds = time_scoring(model.score, sentences)
    return Scored(read, peak, sum(len(line.split()) for line in sentences) / seconds, scores)


def time_scoring(score: Callable[[Any], float], sentences: list[Any]) -> tuple[list[float], float]:
    begun = process_time()
    return [score(sentence) for sentence in sentences], process_time() - begun


def write_synthetic_text(path: Path, words: int, seed: int) -> None:
    """Draw each word by Zipf's law, or as the successor of the word before."""
    generator = np.random.default_rng(seed)
    size = max(100, words // 60)
    weights = np.cumsum(1 / np.arange(3, size + 3))
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for begin in range(0, words, 1_000 * SENTENCE):
            count = -(-min(words - begin, 1_000 * SENTENCE) // SENTENCE)
            drawn = np.searchsorted(weights, generator.random((count, SENTENCE)) * weights[-1])
            follows = generator.random((count, SENTENCE)) < 0.5
            for at in range(1, SENTENCE):
                near = (drawn[:, at - 1] * 7 + drawn[:, at] % 5) % size
                drawn[:, at] = np.where(follows[:, at], near, drawn[:, at])
            file.writelines(" ".join(f"w{word}" for word in row) + "\n" for row in drawn.tolist())


if __name__ == "__main__":
    main()
