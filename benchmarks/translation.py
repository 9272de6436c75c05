"""Translation with what is learned from text that is not parallel, step by step.

    python -m benchmarks.translation --text PAIRS --outside PAIRS --source-lang L --target-lang L \\
        --work DIR [--other PAIRS] [--against FILE] [--compare] [--rounds 3] [--sample N]
        [--no-back-off] [--no-agreement] [--cyclic] [--min-count N] [--json] [--fast]

PAIRS are .tsv or .tmx files: of the domain to translate, and of another. The other domain provides
10,000 phrase pairs; the first one provides the source language of one half, the target language of
the other, and 1,000 pairs each for tuning and testing (`benchmarks.domains`). The ceiling is the
same decoder with a table of the parallel text. DIR keeps the alignments, and the steps of each
adaptation, so that an interrupted benchmark continues. --other: sentence pairs of a third domain,
which are only translated. --against: translations of the test set by another system, one per line.
With --fast, and without --text: synthetic phrases.
"""

import json
from argparse import ArgumentParser, BooleanOptionalAction, Namespace
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np

from accord.experiments.artificial import plant
from accord.experiments.synthesis.pipeline import AlignedText, link_sentences
from accord.formats.sentence_pairs import read_sentence_pairs
from accord.system.reading import read_lines
from accord.system.runners.threads import Threads
from accord.system.writing import write_text
from accord.translate import LANGUAGE_MODEL
from accord.translate.adaptation.folder import AdaptationFolder
from accord.translate.adaptation.inputs import (
    AdaptationInputs,
    AdaptationPlan,
    PhraseLimits,
    SentencePairs,
)
from accord.translate.adaptation.model import read_forward_model
from accord.translate.adaptation.pipeline import adapt
from accord.translate.adaptation.system import Tables, TranslationSystem
from accord.translate.language_model.arpa import read_arpa
from accord.translate.phrase_table import NeededPhrases, Sentence
from accord.translate.table_training import train_aligned_table
from accord.translate.weights import Weights
from benchmarks import domains
from benchmarks.domains import Domains, Sizes, make_domains
from benchmarks.halves import report
from benchmarks.harness import name_figure, parse_options, write_figures
from benchmarks.isolation import peak_mb

CEILING = "parallel text"
COLUMNS = {
    "step": "step",
    "pairs": "trained on",
    "entries": "table entries",
    "unknown": "unknown words",
    "dev_bleu": "BLEU, development",
    "bleu": "BLEU, test",
    "chrf": "chrF2, test",
    "minutes": "minutes",
}


def main(arguments: list[str] | None = None) -> None:
    def add_flags(parser: ArgumentParser) -> None:
        parser.add_argument("--text", type=Path, help="sentence pairs of the domain: .tsv or .tmx")
        parser.add_argument("--outside", type=Path, help="sentence pairs of another domain")
        parser.add_argument("--other", type=Path, help="sentence pairs of a third domain, to test")
        parser.add_argument("--against", type=Path, help="translations by another system")
        parser.add_argument("--source-lang", default="en")
        parser.add_argument("--target-lang", default="de")
        parser.add_argument("--work", type=Path, help="folder for the alignments and the steps")
        parser.add_argument("--compare", action="store_true", help="also the paper's methods")
        parser.add_argument("--rounds", type=int, default=3)
        parser.add_argument("--sample", type=int, default=100_000)
        parser.add_argument("--back-off", action=BooleanOptionalAction, default=True)
        parser.add_argument("--agreement", action=BooleanOptionalAction, default=True)
        parser.add_argument("--cyclic", action="store_true", help="tune without sentence pairs")
        parser.add_argument("--min-count", type=int, default=6, help="of phrases in the text")

    options = parse_options(__doc__, arguments, add_flags)
    if not options.fast and not (options.text and options.outside and options.work):
        raise SystemExit("--text needs --outside and --work")
    languages = options.source_lang, options.target_lang
    runner = Threads()
    with TemporaryDirectory() as temporary:
        if options.fast:
            options.work, options.min_count, options.rounds = Path(temporary), 4, 1
            options.compare = True
            made = make_synthetic_domains(options.work / "domains", runner)
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


def read_pairs(path: Path, languages: tuple[str, str]) -> domains.SentencePairs:
    return [*zip(*read_sentence_pairs([path], *languages), strict=True)]


def measure(made: Domains, options: Namespace, runner: Threads) -> dict[str, Any]:
    """Return the scores of all steps and of the ceiling, hours and memory."""
    plan = AdaptationPlan(
        outside=made.outside,
        texts=(made.source_text, made.target_text),
        dev=[made.dev],
        test=[made.test],
        lm_text=made.target_text,
        languages=(options.source_lang, options.target_lang),
        phrases=PhraseLimits(options.min_count),
        compare=options.compare,
        rounds=options.rounds,
        sample=options.sample,
        back_off=options.back_off,
        agree=options.agreement,
        cyclic=options.cyclic,
    )
    kept: list[AdaptationInputs] = []

    def read(plan: AdaptationPlan) -> AdaptationInputs:
        kept.append(plan.read(lambda _: None))
        return kept[0]

    begun = perf_counter()
    name = sha256(json.dumps(plan.make_record()).encode()).hexdigest()[:8]
    folder = AdaptationFolder(options.work / f"adapted-{name}")
    result = adapt(plan, folder.path, runner, "resume", read, report)
    ended, peak_gb = perf_counter(), peak_mb() / 1000
    given = kept[0] if kept else read(plan)
    system = TranslationSystem(read_arpa(folder / LANGUAGE_MODEL), runner)
    other = None
    if options.other:
        other = SentencePairs.read([options.other], plan.languages, plan.preparations)
    ceiling, ceiling_weights = train_ceiling(made, given, system, other)
    rows = [
        *(row._asdict() for row in result.rows),
        score_ceiling(system, ceiling, ceiling_weights, given),
    ]
    return result.as_dict() | {
        "rows": rows,
        "folder": folder.path.name,
        "source_phrases": len(given.inputs.source),
        "target_phrases": len(given.inputs.target),
        "seeds": len(given.inputs.seed.entries),
        "hours": (ended - begun) / 3600,
        "step_hours": sum(row.seconds for row in result.rows) / 3600,
        "peak_gb": peak_gb,
        **compare_with(options.against, system, folder, given),
        **score_other(system, folder, other, (ceiling, ceiling_weights)),
    }


def train_ceiling(
    made: Domains, given: AdaptationInputs, system: TranslationSystem, other: SentencePairs | None
) -> tuple[Tables, Weights]:
    """Train a table on the parallel text, as far as it is needed, and tune its weights."""
    assert given.dev
    assert given.test
    report(f"{CEILING}: training")
    text = link_sentences(AlignedText.read(made.parallel), system.runner)
    sentences = [
        sentence
        for pairs in (given.dev, given.test, other)
        if pairs
        for sentence in pairs.forward.sentences
    ]
    table = Tables(train_aligned_table(text, system.runner, NeededPhrases(sentences)))
    report(f"{CEILING}: tuning")
    return table, system.tune(table, given.dev.forward, Weights()).weights


def score_ceiling(
    system: TranslationSystem, tables: Tables, weights: Weights, given: AdaptationInputs
) -> dict[str, Any]:
    assert given.test
    sentences, references = given.test.forward
    words = translate(system, tables, weights, sentences)
    return {
        "method": CEILING,
        "iteration": 0,
        "pairs": 0,
        "entries": len(tables.main),
        "unknown": tables.measure_unknown(sentences),
        "dev_bleu": None,
        "bleu": references.bleu(words).score,
        "chrf": references.chrf(words).score,
        "seconds": 0.0,
    }


def translate(
    system: TranslationSystem, tables: Tables, weights: Weights, sentences: Sequence[Sentence]
) -> list[str]:
    return [one.words for one in system.translate(tables, weights, sentences)]


def compare_with(
    against: Path | None,
    system: TranslationSystem,
    folder: AdaptationFolder,
    given: AdaptationInputs,
) -> dict[str, Any]:
    """Compare the chosen step with translations of the test set by another system."""
    if not against:
        return {}
    assert given.test
    sentences, references = given.test.forward
    others = [line for _, line in read_lines(against)]
    own = translate(system, *read_forward_model(folder.path), sentences)
    return {
        "against_bleu": references.bleu(others).score,
        "against_p_value": references.p_values({"own": own, "other": others}, "own")["other"],
    }


def score_other(
    system: TranslationSystem,
    folder: AdaptationFolder,
    other: SentencePairs | None,
    ceiling: tuple[Tables, Weights],
) -> dict[str, Any]:
    """Return the scores of the third domain, by the chosen step and by the ceiling."""
    if not other:
        return {}
    sentences, references = other.forward
    own = translate(system, *read_forward_model(folder.path), sentences)
    best = translate(system, *ceiling, sentences)
    return {
        "other_bleu": references.bleu(own).score,
        "other_chrf": references.chrf(own).score,
        "other_ceiling_bleu": references.bleu(best).score,
        "other_ceiling_chrf": references.chrf(best).score,
    }


def format_row(row: dict[str, Any]) -> dict[str, str]:
    """Return the cells of a step as the docs show them."""
    name = f"{row['method']} {row['iteration']}" if row["iteration"] else row["method"]
    return {
        "step": name,
        "pairs": f"{row['pairs']:,}",
        "entries": f"{row['entries']:,}",
        "unknown": f"{row['unknown']:.1%}",
        "dev_bleu": "" if row["dev_bleu"] is None else f"{row['dev_bleu']:.2f}",
        "bleu": f"{row['bleu']:.2f}",
        "chrf": f"{row['chrf']:.2f}",
        "minutes": f"{row['seconds'] / 60:.1f}",
    }


def format_lines(answer: dict[str, Any]) -> Iterable[str]:
    """Format the table as Markdown, followed by its figures."""
    yield f"| {' | '.join(COLUMNS.values())} |"
    yield "|---" * len(COLUMNS) + "|"
    for row in answer["rows"]:
        yield f"| {' | '.join(format_row(row).values())} |"
    yield ""
    chosen = answer["rows"][answer["chosen"]]
    yield f"chosen: {format_row(chosen)['step']}"
    for name, p in answer["p_values"].items():
        yield f"against {name}: p = {p:.3f}"
    yield from answer["signatures"].values()
    for name, value in answer.items():
        if isinstance(value, int | float) and name != "chosen":
            yield f"{name.replace('_', ' ')}: {value:,.3f}"


def write_translation_figures(options: Namespace, answer: dict[str, Any]) -> None:
    """Write the scores of all steps."""
    languages = options.source_lang, options.target_lang
    inside, outside = (path.name if path else "PAIRS" for path in (options.text, options.outside))
    command = (
        f"python -m benchmarks.translation --text {inside} --outside {outside} "
        f"--source-lang {languages[0]} --target-lang {languages[1]} --work DIR"
    )
    cells = map(format_row, answer["rows"])
    rows = {name_figure(row["step"]): row for row in cells}
    write_figures(options.figures, f"translation_{'_'.join(languages)}", command, COLUMNS, rows)


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
