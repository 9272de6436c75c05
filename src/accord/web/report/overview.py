"""The top of a report: the run in one sentence, whether it succeeded, and its settings."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from accord.runs.quality import ADVICE, FEWEST_WORDS, Quality
from accord.web.report.run import ReportedRun


class Verdict(NamedTuple):
    """Whether the run succeeded, by its own quality figures."""

    kind: Literal["good", "warning", "bad"]
    headline: str
    text: str


class Tile(NamedTuple):
    """A number that shows how good the run is."""

    name: str
    value: str
    remark: str


class SettingRow(NamedTuple):
    """A setting of the run."""

    name: str
    value: str
    is_changed: bool


@dataclass(frozen=True)
class Overview:
    """What the template shows of a run as a whole."""

    name: str
    languages: tuple[str, str]
    version: str
    phrase_pairs: int
    word_pairs: int
    phrases: tuple[int, int]  # in the source and the target corpus
    seed_entries: int
    iterations: int
    is_converged: bool
    seconds: float
    verdict: Verdict
    tiles: list[Tile]
    signature: str
    signature_parts: list[str]
    settings: list[SettingRow]
    input_hashes: dict[str, str]


def summarise_run(run: ReportedRun) -> Overview:
    """Collect what the page shows of a run as a whole."""
    trained = run.trained
    changed = run.changed_settings
    other_parts = [f"{name}={value}" for name, value in changed.items() if name != "agreement"]
    agreement = f"agreement={trained.settings.agreement}"
    hashes = run.folder.signature["inputs"]
    return Overview(
        name=run.name,
        languages=run.languages,
        version=run.version,
        phrase_pairs=len(run.pairs),
        word_pairs=len(run.words),
        phrases=(len(trained.source) - 1, len(trained.target) - 1),
        seed_entries=len(trained.whole_seed.entries),
        iterations=len(run.trace),
        is_converged=run.is_converged,
        seconds=sum(row["seconds"] for row in run.trace),
        verdict=judge_quality(run.quality),
        tiles=[*_list_tiles(run)],
        signature=run.signature,
        signature_parts=[f"accord {run.version}", agreement, *other_parts, run.signature],
        settings=[
            SettingRow(name.replace("_", " "), str(value), name in changed)
            for name, value in trained.settings.used.items()
        ],
        input_hashes={name: value for name, value in hashes.items() if value},
    )


def judge_quality(quality: Quality) -> Verdict:
    """Decide whether a run succeeded."""
    if quality.failed:
        numbers = f"{quality.held_out:,}; translated: {quality.found:,}; correct: {quality.right:,}"
        text = (
            f"The reason is that {quality.describe_failure()}. Held-out seed words: {numbers}. "
            f"{ADVICE}"
        )
        return Verdict("bad", "This run has failed.", text)
    if quality.expected_precision is None and quality.held_out < FEWEST_WORDS:
        text = (
            f"Held-out seed words: {quality.held_out:,}; at least {FEWEST_WORDS} are needed. "
            "Look at the pairs below yourself."
        )
        return Verdict("warning", "It is unknown whether this run has succeeded.", text)
    return Verdict("good", "This run has succeeded.", quality.describe())


def _list_tiles(run: ReportedRun) -> Iterator[Tile]:
    quality = run.quality
    last = run.trace[-1] if run.trace else {}
    yield _make_tile(
        "Agreement ratio", last.get("agreement_ratio"), "of the links are in both directions"
    )
    yield _make_tile(
        "Held-out recall",
        quality.recall,
        f"held-out seed words: {quality.held_out:,}; translated: {quality.found:,}; "
        f"correct: {quality.right:,}",
    )
    if quality.failed:
        yield _make_tile("Estimated precision", None, "none, because the run has failed")
    else:
        precision = quality.expected_of_new_pairs
        remark = "of the new phrase pairs: neither in the seed nor identical strings"
        yield _make_tile("Estimated precision", precision, remark)
    if run.gold:
        score = run.gold.score(run.pairs)._asdict()
        remark = f"against {len(run.gold.pairs):,} gold pairs"
    elif "f1" in last:
        score, remark = last, "against the gold pairs of the run"
    else:
        return
    yield _make_tile("F1", score["f1"], remark)
    yield _make_tile("Precision", score["precision"], "of the phrase pairs are gold pairs")
    yield _make_tile("Recall", score["recall"], "of the gold pairs were found")


def _make_tile(name: str, value: float | None, remark: str) -> Tile:
    return Tile(name, "–" if value is None else f"{value:.1%}", remark)
