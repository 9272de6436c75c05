"""results.md: every table and figure of the paper's alignment experiments, ours beside its own."""

from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from accord.experiments.paper import tables
from accord.experiments.paper.corpora import (
    FAST,
    FULL,
    LANGUAGE_PAIRS,
    Experiments,
    LanguagePair,
    experiments_of,
)
from accord.experiments.paper.findings import evidence, findings_table
from accord.experiments.paper.pictures import bars, ratio_lines
from accord.experiments.paper.published import AGREEMENT_RATIO
from accord.experiments.paper.runs import Runs
from accord.experiments.paper.tables import Row, Samples
from accord.experiments.synthesis.experiment import Experiment
from accord.settings import Settings
from accord.system.runners import Runner
from accord.system.writing import write_text

INTRODUCTION = """\
# The paper's experiments on public text

Made by `accord paper{fast}`. F1 in percent, with its 95% bootstrap interval; in *italics* the
paper's own figures, on LDC Chinese-English news that cannot be had freely. {pairs} pairs of
phrases; ten iterations; floor {floor:g}, ε {epsilon:g}, {candidates} candidates, which were tuned
on another development set and not on these. x→y is the model P(y|x) by itself, without agreement.
"""


class Place(NamedTuple):
    """Where a language pair's tables and pictures go."""

    pair: LanguagePair
    folder: Path

    @property
    def names(self) -> dict[str, str]:
        """The models as a reader knows them."""
        source, target = self.pair.source, self.pair.target
        alone = {"forward": f"{source}→{target}", "backward": f"{target}→{source}"}
        return alone | {"outer": "outer", "inner": "inner"}

    @property
    def noise(self) -> str:
        return f"noise, {self.pair.source} + {self.pair.target}"

    def table(self, name: str, rows: list[Row], first: str, title: str) -> str:
        """The table as Markdown; CSV and a picture are written beside it."""
        file = f"{self.pair.name}.{name}"
        write_text(self.folder / f"{file}.csv", tables.as_csv(rows))
        bars(rows, self.names, first, f"{self.pair.name}: {title}", self.folder / f"{file}.png")
        table = tables.as_markdown(rows, [first, *self.names.values()])
        return f"{table}\n![{title}]({self.folder.name}/{file}.png)\n"


def write_results(
    data: Path,
    out: Path,
    sections: Sequence[str],
    *,
    fast: bool,
    runner: Runner,
    tell: Callable[[str], object],
) -> Path:
    """Run what is asked for, and leave results.md with its tables and pictures in the folder."""
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
        experiments = experiments_of(pair, data, out / "work", scale, runner, tell)
        runs = Runs(out / "work" / "runs", pair.name, runner, tell)
        parts.append(f"## {pair.name}\n\nOut of {', '.join(pair.files)}.\n")
        place = Place(pair, out / "results")
        parts += [SECTIONS[name](place, experiments, runs) for name in sections]
    if not fast and set(sections) == set(SECTIONS):
        parts.append(
            files("accord.experiments.paper").joinpath("discussion.md").read_text(encoding="utf-8")
        )
    write_text(out / "results.md", "\n".join(parts).splitlines())
    return out / "results.md"


def _seeds(place: Place, experiments: Experiments, runs: Runs) -> str:
    development = experiments.development
    rows = tables.seeds_table(development, runs)
    quiet_rows = tables.quiet_seeds_table(development, runs)
    table = place.table("seeds", rows, "seeds", "effect of the seed lexicon")
    quiet = place.table("quiet-seeds", quiet_rows, "seeds", "effect of the seed lexicon, no noise")
    return (
        f"### Effect of the seed lexicon (Table 1)\n\n{table}\n{_agreement_wins(rows)}\n\n"
        f"The same without noise, which the paper does not show:\n\n{quiet}\n"
        f"{_agreement_wins(quiet_rows)}\n"
    )


def _noise(place: Place, experiments: Experiments, runs: Runs) -> str:
    rows = tables.noise_table(experiments.development, runs)
    table = place.table("noise", rows, place.noise, "effect of noise")
    return f"### Effect of noise (Table 2)\n\n{table}\n{_agreement_wins(rows)}\n"


def _ratio(place: Place, experiments: Experiments, runs: Runs) -> str:
    ratios = tables.ratios(experiments.development, runs)
    name = f"{place.pair.name}.ratio"
    lines = ["iteration,none,outer,inner"]
    lines += [
        f"{k},{','.join(f'{value:.4f}' for value in values)}"
        for k, values in enumerate(zip(*ratios.values(), strict=True), start=1)
    ]
    write_text(place.folder / f"{name}.csv", lines)
    title = "agreement ratios, development set"
    ratio_lines(ratios, f"{place.pair.name}: {title}", place.folder / f"{name}.png")
    last = ", ".join(f"{kind} {values[-1]:.2f}" for kind, values in ratios.items())
    return (
        f"### Agreement ratios (figure)\n\n![{title}]({place.folder.name}/{name}.png)\n\n"
        f"After ten iterations: {last}; the paper has about {AGREEMENT_RATIO:.2f} with agreement.\n"
    )


def _test(place: Place, experiments: Experiments, runs: Runs) -> str:
    rows = tables.test_table(experiments.test, runs)
    table = place.table("test", rows, place.noise, "F1 on the test set")
    return (
        f"### F1 on the test set (figure)\n\n{table}\n{_agreement_wins(rows)}\n\n"
        "The paper shows this as bars without numbers.\n"
    )


def _findings(place: Place, experiments: Experiments, runs: Runs) -> str:
    development, test, frequent = experiments
    ceiling = tables.ceiling_table(development, runs)
    write_text(place.folder / f"{place.pair.name}.ceiling.csv", tables.as_csv(ceiling))
    # The first and the last row of the noise table are among the others already.
    more = tables.noise_table(development, runs)[1:-1] + tables.test_table(test, runs)
    seeds, quiet = (
        tables.seeds_table(development, runs),
        tables.quiet_seeds_table(development, runs),
    )
    frequent_seeds = tables.seeds_table(frequent, runs)
    frequent_quiet = tables.quiet_seeds_table(frequent, runs, seeds=(50, 1_000))
    findings = findings_table(
        evidence(development.gold, seeds, quiet, ceiling, more),
        evidence(frequent.gold, frequent_seeds, frequent_quiet),
    )
    table = place.table("frequent", frequent_seeds, "seeds", "pairs of frequent words only")
    return (
        "### What of the paper holds, and why figures differ\n\n"
        "F1 of outer and inner agreement; in brackets the two directions alone. *Full "
        f"dictionary*: all {len(development.seed):,} word pairs that are each other's most "
        "frequent link in the word alignment are the seed. It is the largest that the recipe has, "
        f"and still holds only {_coverage(development)} of the words in the true pairs (counted "
        "each time they occur): what the model can reach is this or more. *Frequent words only*: "
        "the same recipe, "
        "but only true pairs whose words are all among the most frequent, so that each word is "
        "seen more often; the noise is drawn as before.\n\n"
        f"{findings}\n"
        f"Table 1 again, on pairs of frequent words:\n\n{table}"
    )


def _samples(place: Place, experiments: Experiments, runs: Runs) -> str:
    drawn = tables.samples(experiments.development, runs)
    source, target = place.pair.source, place.pair.target
    lines = [
        f"| {source} | {target} | p({target}\\|{source}) | p({source}\\|{target}) |",
        "|---" * 4 + "|",
    ]
    lines += [
        f"| {_mark(entry.source, drawn)} | {_mark(entry.target, drawn)} "
        f"| {entry.forward:.2f} | {entry.backward:.2f} |"
        for entry in drawn.lexicon
    ]
    lines += ["", f"| {source} | {target} | |", "|---" * 3 + "|"]
    lines += [
        f"| {_mark(pair.source, drawn)} | {_mark(pair.target, drawn)} | {'✓' if true else '✗'} |"
        for pair, true in drawn.phrases
    ]
    table = "\n".join(lines)
    return (
        "### Samples (Table 3)\n\nWords that are not in the seed are in *italics*; ✓ is a true "
        "pair. Drawn evenly out of all that inner agreement learned with 1,000 seeds, not chosen."
        "\n\n"
        f"{table}\n"
    )


SECTIONS: dict[str, Callable[[Place, Experiments, Runs], str]] = {
    "seeds": _seeds,
    "noise": _noise,
    "ratio": _ratio,
    "test": _test,
    "samples": _samples,
    "findings": _findings,
}


def _agreement_wins(rows: list[Row]) -> str:
    """Whether either agreement beats either direction alone in every row; where not, say so."""
    losing = [
        row.setting
        for row in rows
        if min(row.ours["outer"].f1, row.ours["inner"].f1)
        <= max(row.ours["forward"].f1, row.ours["backward"].f1)
    ]
    if losing:
        return f"Agreement does **not** beat both single directions at: {'; '.join(losing)}."
    return "Both kinds of agreement are above both single directions in every row."


def _coverage(experiment: Experiment) -> str:
    """The share of the words in true pairs, source and target, that the seeds have."""
    shares = []
    for phrases, seeds in zip(
        zip(*experiment.gold, strict=True), zip(*experiment.seed, strict=True), strict=True
    ):
        known, words = set(seeds), [word for phrase in phrases for word in phrase.split()]
        shares.append(f"{100 * sum(word in known for word in words) / len(words):.0f}%")
    return " and ".join(shares)


def _mark(phrase: str, drawn: Samples) -> str:
    return " ".join(word if word in drawn.seed else f"*{word}*" for word in phrase.split())
