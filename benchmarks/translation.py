"""Translation with what is learned: the paper's Table 4, on parallel text that is split up.

    python -m benchmarks.translation --text PAIRS --outside PAIRS --source-lang L --target-lang L \\
        --work DIR [--vectors] [--iterations 10] [--min-count N] [--json] [--fast]

PAIRS are .tsv or .tmx files: of the domain to translate, and of another. The other domain provides
10,000 phrase pairs; the first one provides the source language of one half, the target language of
the other, and 1,000 pairs each for tuning and testing (`benchmarks.domains`). The ceiling is the
same decoder with a table of the parallel text. DIR keeps the alignments. --vectors: word vectors
of either text by gensim. With --fast, and without --text: synthetic phrases, three iterations.
"""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

import numpy as np

from accord.corpus.text.extraction import Preparation
from accord.experiments.artificial import plant
from accord.experiments.synthesis.pipeline import AlignedText, link_sentences
from accord.formats.sentence_pairs import read_sentence_pairs
from accord.system.runners.threads import Threads
from accord.system.writing import write_text
from accord.translate.adaptation.evaluation import (
    FIRST,
    TableStep,
    TranslationSystem,
    evaluate_tables,
    learn_all_tables,
)
from accord.translate.adaptation.inputs import AdaptationPlan
from accord.translate.adaptation.methods import methods_for
from accord.translate.phrase_table import NeededPhrases
from accord.translate.table_training import train_aligned_table
from benchmarks.domains import Domains, SentencePairs, Sizes, make_domains
from benchmarks.halves import report
from benchmarks.harness import name_figure, parse_options, write_figures
from benchmarks.isolation import peak_mb

CEILING = "parallel text"
# The names of columns in docs/figures.json.
COLUMNS = {
    "source → target": "forward",
    "target → source": "backward",
    "posterior with vectors": "vectors",
}
# Skip-gram, smaller than is usual, as the texts are.
VECTORS = {"vector_size": 150, "min_count": 5, "epochs": 5, "sg": 1, "negative": 5}


def main(arguments: list[str] | None = None) -> None:
    def add_flags(parser: ArgumentParser) -> None:
        parser.add_argument("--text", type=Path, help="sentence pairs of the domain: .tsv or .tmx")
        parser.add_argument("--outside", type=Path, help="sentence pairs of another domain")
        parser.add_argument("--source-lang", default="en")
        parser.add_argument("--target-lang", default="de")
        parser.add_argument("--work", type=Path, help="folder for the alignments")
        parser.add_argument("--vectors", action="store_true", help="a column with word vectors")
        parser.add_argument("--iterations", type=int, default=10)
        parser.add_argument("--min-count", type=int, default=6, help="of phrases in the text")

    options = parse_options(__doc__, arguments, add_flags)
    if not options.fast and not (options.text and options.outside and options.work):
        raise SystemExit("--text needs --outside and --work")
    languages = options.source_lang, options.target_lang
    runner = Threads()
    with TemporaryDirectory() as temporary:
        if options.fast:
            options.iterations, options.min_count = 3, 4
            made = make_synthetic_domains(Path(temporary) / "synthetic", runner)
        else:
            options.work.mkdir(parents=True, exist_ok=True)
            inside, outside = (
                read_pairs(path, languages) for path in (options.text, options.outside)
            )
            folder = options.work / "domains"
            made = make_domains(folder, inside, outside, languages, Sizes(1_000, 10_000), runner)
        answer = measure(made, options, runner)
    if options.figures:
        write_translation_figures(options, answer)
    print(
        json.dumps(answer, ensure_ascii=False) if options.json else "\n".join(format_lines(answer))
    )


def write_translation_figures(options: Namespace, answer: dict[str, Any]) -> None:
    """Write BLEU, with the number of pairs, by iteration and method; and the bounds."""
    languages = options.source_lang, options.target_lang
    pair = "_".join(languages)
    inside, outside = (path.name if path else "PAIRS" for path in (options.text, options.outside))
    command = (
        f"python -m benchmarks.translation --text {inside} --outside {outside} "
        f"--source-lang {languages[0]} --target-lang {languages[1]} --work DIR"
    )
    columns = {name_figure(COLUMNS.get(name, name)): name for name in answer["methods"]}
    rows: dict[str, dict[str, str]] = {}
    for found in answer["rows"]:
        if found["method"] in answer["methods"]:
            number = str(found["iteration"])
            row = rows.setdefault(f"iteration_{number}", {"iteration": number})
            column = name_figure(COLUMNS.get(found["method"], found["method"]))
            row[column] = f"{found['bleu']:.2f} ({found['pairs']:,})"
    write_figures(
        options.figures, f"translation_{pair}", command, {"iteration": "iteration"} | columns, rows
    )
    bounds = {row["method"]: f"{row['bleu']:.2f}" for row in answer["rows"]}
    write_figures(
        options.figures,
        "translation_bounds",
        command,
        {"pair": "", "first_table": FIRST, "parallel_text": CEILING},
        {
            pair: {
                "pair": " → ".join(languages),
                "first_table": bounds[FIRST],
                "parallel_text": bounds[CEILING],
            }
        },
    )


def read_pairs(path: Path, languages: tuple[str, str]) -> SentencePairs:
    return [*zip(*read_sentence_pairs([path], *languages), strict=True)]


def measure(made: Domains, options: Namespace, runner: Threads) -> dict[str, Any]:
    """Return the table with its ceiling, hours and memory."""
    vectors = train_vectors(made, options) if options.vectors else (None, None)
    begun = perf_counter(), process_time()
    plan = AdaptationPlan(
        outside=made.outside,
        source_text=made.source_text,
        target_text=made.target_text,
        dev=[made.dev],
        test=[made.test],
        lm_text=made.target_text,
        languages=(options.source_lang, options.target_lang),
        vectors=vectors,
        iterations=options.iterations,
        min_count=options.min_count,
    )
    given = plan.read(lambda _: None)
    phrases = len(given.inputs.source), len(given.inputs.target)
    report(f"{phrases[0]:,} x {phrases[1]:,} phrases, {len(given.inputs.seed.entries):,} seeds")
    lm = plan.train_language_model()
    methods = [method.name for method in methods_for(given.inputs)]
    found = learn_all_tables(given, plan.iterations, runner, report)
    learned, learned_gb = perf_counter(), peak_mb() / 1000
    text = link_sentences(AlignedText.read(made.parallel), runner)
    needed = NeededPhrases([*given.dev.sentences, *given.test.sentences])
    table = train_aligned_table(text, runner, needed)
    found.steps[CEILING] = [TableStep(0, len(text.source), table)]
    # The others are compared with the last one.
    found.steps[methods[-1]] = found.steps.pop(methods[-1])
    result = evaluate_tables(found, TranslationSystem(given, lm, runner), report).result
    ended = perf_counter(), process_time()
    return result.as_dict() | {
        "source_phrases": phrases[0],
        "target_phrases": phrases[1],
        "seeds": len(given.inputs.seed.entries),
        "methods": methods,
        "learning_hours": (learned - begun[0]) / 3600,
        "learning_peak_gb": learned_gb,
        "hours": (ended[0] - begun[0]) / 3600,
        "cpu_hours": (ended[1] - begun[1]) / 3600,
        "peak_gb": peak_mb() / 1000,
    }


def train_vectors(made: Domains, options: Namespace) -> tuple[Path, Path]:
    """Return files of word vectors, each trained on one text; they are made once."""
    from gensim.models import Word2Vec

    paths = made.folder / "source.vec", made.folder / "target.vec"
    languages = options.source_lang, options.target_lang
    for path, text, language in zip(
        paths, (made.source_text, made.target_text), languages, strict=True
    ):
        if not path.exists():
            report(f"{path.name}: training")
            words = Preparation(language, lower=True)(text.read_text(encoding="utf-8"))
            sentences = [line.split() for line in words.split("\n")]
            # One worker and a fixed seed, so that the vectors are always the same.
            model = Word2Vec(sentences, **VECTORS, workers=1, seed=1)
            model.wv.save_word2vec_format(str(path))
    return paths


def format_lines(answer: dict[str, Any]) -> Iterable[str]:
    """Format the table as Markdown, followed by its figures."""
    methods = answer["methods"]
    found = {(row["method"], row["iteration"]): row for row in answer["rows"]}
    heads = [f"{name}, pairs" for name in methods] + methods
    yield f"| iteration | {' | '.join(heads)} |"
    yield "|---" * (1 + 2 * len(methods)) + "|"
    for iteration in range(1, 1 + max(number for _, number in found)):
        rows = [found[method, iteration] for method in methods]
        pairs, scores = (
            [f"{row['pairs']:,}" for row in rows],
            [f"{row['bleu']:.2f}" for row in rows],
        )
        yield f"| {iteration} | {' | '.join(pairs)} | {' | '.join(scores)} |"
    yield ""
    for name in (FIRST, CEILING):
        row = found[name, 0]
        yield f"{name}: BLEU {row['bleu']:.2f} with {row['pairs']:,} pairs"
    for name, p in answer["p_values"].items():
        yield f"{methods[-1]} against {name}: p = {p:.3f}"
    yield f"BLEU: {answer['signature']}"
    for name in ("source_phrases", "target_phrases", "seeds"):
        yield f"{name.replace('_', ' ')}: {answer[name]:,}"
    for name in ("learning_hours", "learning_peak_gb", "hours", "cpu_hours", "peak_gb"):
        yield f"{name.replace('_', ' ')}: {answer[name]:.2f}"


def make_synthetic_domains(folder: Path, runner: Threads) -> Domains:
    """Make domains of synthetic text: three phrases per sentence; the outside table is words."""
    made = plant(words=200, phrases=400, noise=0)
    translations = dict(made.lexicon)

    def align(path: Path, source: list[str], target: list[str]) -> None:
        links = [
            " ".join(
                f"{i}-{j}"
                for i, word in enumerate(e.split())
                for j, other in enumerate(f.split())
                if translations[word] == other
            )
            for e, f in zip(source, target, strict=True)
        ]
        write_text(path / "source.txt", source)
        write_text(path / "target.txt", target)
        for name in ("forward", "backward"):
            write_text(path / f"{name}.pharaoh", links)

    # A phrase occurs in about fifteen sentences, so that its n-grams are found on both sides.
    generator = np.random.default_rng(0)
    drawn = ([made.gold[n] for n in generator.integers(0, len(made.gold), 3)] for _ in range(2_000))
    sentences = [(" ".join(e for e, _ in three), " ".join(f for _, f in three)) for three in drawn]
    return make_domains(
        folder, sentences, made.lexicon[:60], ("en", "de"), Sizes(60, 100), runner, align
    )


if __name__ == "__main__":
    main()
