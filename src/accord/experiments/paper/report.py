"""results.md: all tables and figures of the paper's alignment experiments, ours beside its own."""

from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from accord.experiments.paper import PaperSection, tables
from accord.experiments.paper.cached_runs import CachedRuns
from accord.experiments.paper.corpora import (
    FAST,
    FULL,
    LANGUAGE_PAIRS,
    Experiments,
    LanguagePair,
    prepare_experiments,
)
from accord.experiments.paper.findings import collect_figures, format_findings
from accord.experiments.paper.pictures import draw_bars, draw_ratios
from accord.experiments.paper.tables import PUBLISHED_AGREEMENT_RATIO, ResultRow, Samples
from accord.experiments.synthesis.experiment import Experiment
from accord.settings import Settings
from accord.system.runners import Runner
from accord.system.writing import write_text

INTRODUCTION = """\
# The paper's experiments on public text

Made by `accord paper{fast}`. All figures are F1 in percent, ours with a 95% bootstrap interval. The
paper's own figures are in *italics*; they were measured on Chinese-English news of the LDC, which
cannot be had freely. Each set has {pairs} gold pairs.

- `outer` and `inner` are the paper's methods. x→y is the model P(y|x) alone, without agreement.
- They run for ten iterations, with a floor of {floor:g}, ε = {epsilon:g} and {candidates}
  candidates. These settings were tuned on another development set and not on these.
- `posterior` is the default method of Accord, which is not in the paper.
"""


class PairReport(NamedTuple):
    """The tables and pictures of a language pair, and the folder they are written to."""

    pair: LanguagePair
    folder: Path

    @property
    def names(self) -> dict[str, str]:
        """The names of the models for readers."""
        source, target = self.pair.source, self.pair.target
        alone = {"forward": f"{source}→{target}", "backward": f"{target}→{source}"}
        return alone | {"outer": "outer", "inner": "inner", "posterior": "posterior"}

    @property
    def noise(self) -> str:
        return f"noise, {self.pair.source} + {self.pair.target}"

    def table(self, name: str, rows: list[ResultRow], first: str, title: str) -> str:
        """Return the table as Markdown; write it as CSV and as a picture."""
        file = f"{self.pair.name}.{name}"
        write_text(self.folder / f"{file}.csv", tables.format_csv(rows))
        draw_bars(
            rows, self.names, first, f"{self.pair.name}: {title}", self.folder / f"{file}.png"
        )
        table = tables.format_markdown(rows, [first, *self.names.values()])
        return f"{table}\n![{title}]({self.folder.name}/{file}.png)\n"


def write_results(
    data: Path,
    out: Path,
    sections: Sequence[PaperSection],
    *,
    fast: bool,
    runner: Runner,
    report: Callable[[str], object],
) -> Path:
    """Run the sections asked for; write results.md with its tables and pictures to the folder."""
    scale, settings = (FAST if fast else FULL), Settings(agreement="inner")
    (out / "results").mkdir(parents=True, exist_ok=True)
    parts = [
        INTRODUCTION.format(
            fast=" --fast" if fast else "",
            pairs=f"{scale.development.pairs:,}",
            floor=settings.floor,
            epsilon=settings.epsilon,
            candidates=settings.candidates,
        )
    ]
    for pair in LANGUAGE_PAIRS:
        experiments = prepare_experiments(pair, data, out / "work", scale, runner, report)
        runs = CachedRuns(out / "work" / "runs", pair.name, runner, report)
        parts.append(f"## {pair.name}\n\nMade from {', '.join(pair.files)}.\n")
        pair_report = PairReport(pair, out / "results")
        parts += [SECTIONS[name](pair_report, experiments, runs) for name in sections]
    if not fast and set(sections) == set(SECTIONS):
        parts.append(
            files("accord.experiments.paper").joinpath("discussion.md").read_text(encoding="utf-8")
        )
    write_text(out / "results.md", "\n".join(parts).splitlines())
    return out / "results.md"


def _seeds_section(pair_report: PairReport, experiments: Experiments, runs: CachedRuns) -> str:
    development = experiments.development
    rows = tables.tabulate_seeds(development, runs)
    quiet_rows = tables.tabulate_quiet_seeds(development, runs)
    table = pair_report.table("seeds", rows, "seeds", "effect of the seed lexicon")
    quiet = pair_report.table(
        "quiet-seeds", quiet_rows, "seeds", "effect of the seed lexicon, no noise"
    )
    return (
        f"### Effect of the seed lexicon (Table 1)\n\n{table}\n{_describe_wins(rows)}\n\n"
        f"The same without noise. The paper does not have this table.\n\n{quiet}\n"
        f"{_describe_wins(quiet_rows)}\n"
    )


def _noise_section(pair_report: PairReport, experiments: Experiments, runs: CachedRuns) -> str:
    rows = tables.tabulate_noise(experiments.development, runs)
    table = pair_report.table("noise", rows, pair_report.noise, "effect of noise")
    return f"### Effect of noise (Table 2)\n\n{table}\n{_describe_wins(rows)}\n"


def _ratio_section(pair_report: PairReport, experiments: Experiments, runs: CachedRuns) -> str:
    ratios = tables.collect_ratios(experiments.development, runs)
    name = f"{pair_report.pair.name}.ratio"
    lines = ["iteration,none,outer,inner"]
    lines += [
        f"{k},{','.join(f'{value:.4f}' for value in values)}"
        for k, values in enumerate(zip(*ratios.values(), strict=True), start=1)
    ]
    write_text(pair_report.folder / f"{name}.csv", lines)
    title = "agreement ratios, development set"
    draw_ratios(ratios, f"{pair_report.pair.name}: {title}", pair_report.folder / f"{name}.png")
    last = ", ".join(f"{method} {values[-1]:.2f}" for method, values in ratios.items())
    return (
        f"### Agreement ratios (figure)\n\n![{title}]({pair_report.folder.name}/{name}.png)\n\n"
        f"After ten iterations: {last}; "
        f"the paper has about {PUBLISHED_AGREEMENT_RATIO:.2f} with agreement.\n"
    )


def _test_section(pair_report: PairReport, experiments: Experiments, runs: CachedRuns) -> str:
    rows = tables.tabulate_test_set(experiments.test, runs)
    table = pair_report.table("test", rows, pair_report.noise, "F1 on the test set")
    return (
        f"### F1 on the test set (figure)\n\n{table}\n{_describe_wins(rows)}\n\n"
        "The paper shows this as a bar chart without numbers.\n"
    )


def _findings_section(pair_report: PairReport, experiments: Experiments, runs: CachedRuns) -> str:
    development, test, frequent = experiments
    ceiling = tables.tabulate_ceiling(development, runs)
    write_text(
        pair_report.folder / f"{pair_report.pair.name}.ceiling.csv", tables.format_csv(ceiling)
    )
    # The first and the last row of the noise table are among the others already.
    more = tables.tabulate_noise(development, runs)[1:-1] + tables.tabulate_test_set(test, runs)
    seeds, quiet = (
        tables.tabulate_seeds(development, runs),
        tables.tabulate_quiet_seeds(development, runs),
    )
    frequent_seeds = tables.tabulate_seeds(frequent, runs)
    frequent_quiet = tables.tabulate_quiet_seeds(frequent, runs, seeds=(50, 1_000))
    findings = format_findings(
        collect_figures(development.gold, seeds, quiet, ceiling, more),
        collect_figures(frequent.gold, frequent_seeds, frequent_quiet),
    )
    table = pair_report.table("frequent", frequent_seeds, "seeds", "pairs of frequent words only")
    return (
        "### Which findings of the paper are confirmed, and why figures differ\n\n"
        "F1 of outer and inner agreement, and in brackets of the two directions alone.\n\n"
        f"- *Full dictionary*: the seed contains all {len(development.seed):,} word pairs that are "
        "each other's most frequent\n  link in the word alignment. It is the largest that the "
        f"recipe allows, and covers {_measure_seed_coverage(development)} of\n  the words in the "
        "gold pairs, counted by occurrences. The model could reach this or more.\n"
        "- *Frequent words only*: the same recipe, but gold pairs contain only the most frequent "
        "words, so that\n  each word occurs more often. The noise is drawn as before.\n\n"
        f"{findings}\n"
        f"Table 1 again, on pairs of frequent words.\n\n{table}"
    )


def _samples_section(pair_report: PairReport, experiments: Experiments, runs: CachedRuns) -> str:
    drawn = tables.draw_samples(experiments.development, runs)
    source, target = pair_report.pair.source, pair_report.pair.target
    lines = [
        f"| {source} | {target} | p({target}\\|{source}) | p({source}\\|{target}) |",
        "|---" * 4 + "|",
    ]
    lines += [
        f"| {_mark_new_words(entry.source, drawn)} | {_mark_new_words(entry.target, drawn)} "
        f"| {entry.forward:.2f} | {entry.backward:.2f} |"
        for entry in drawn.lexicon
    ]
    lines += ["", f"| {source} | {target} | |", "|---" * 3 + "|"]
    lines += [
        f"| {_mark_new_words(pair.source, drawn)} | {_mark_new_words(pair.target, drawn)} "
        f"| {'✓' if is_gold else '✗'} |"
        for pair, is_gold in drawn.phrases
    ]
    table = "\n".join(lines)
    return (
        "### Samples (Table 3)\n\nWords that are not in the seed are in *italics*; ✓ marks a "
        "gold pair. The samples are drawn at even\nsteps from everything that inner agreement "
        "learned with 1,000 seeds, and not selected."
        "\n\n"
        f"{table}\n"
    )


SECTIONS: dict[PaperSection, Callable[[PairReport, Experiments, CachedRuns], str]] = {
    "seeds": _seeds_section,
    "noise": _noise_section,
    "ratio": _ratio_section,
    "test": _test_section,
    "samples": _samples_section,
    "findings": _findings_section,
}


def _describe_wins(rows: list[ResultRow]) -> str:
    """State whether both agreement methods beat both single directions in every row."""
    losing = [
        row.setting
        for row in rows
        if min(row.ours["outer"].f1, row.ours["inner"].f1)
        <= max(row.ours["forward"].f1, row.ours["backward"].f1)
    ]
    if losing:
        return f"Agreement does **not** beat both single directions at: {'; '.join(losing)}."
    return "Both agreement methods of the paper beat both single directions in every row."


def _measure_seed_coverage(experiment: Experiment) -> str:
    """Return the shares of the words in gold pairs, source and target, that the seeds contain."""
    shares = []
    for phrases, seeds in zip(
        zip(*experiment.gold, strict=True), zip(*experiment.seed, strict=True), strict=True
    ):
        known, words = set(seeds), [word for phrase in phrases for word in phrase.split()]
        shares.append(f"{100 * sum(word in known for word in words) / len(words):.0f}%")
    return " and ".join(shares)


def _mark_new_words(phrase: str, drawn: Samples) -> str:
    return " ".join(word if word in drawn.seed else f"*{word}*" for word in phrase.split())
