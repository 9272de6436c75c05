"""The page of an adaptation: how well the tables of each step translate, with samples."""

from collections.abc import Sequence
from typing import NamedTuple

from accord.translate.adaptation.evaluation import AdaptationResult, ScoreRow
from accord.web.report.charts import NUMBER, SHARE, LineChart, Series, ValueFormat, draw_chart
from accord.web.templates import pack_data, render

SCORE = ValueFormat()


class StepRow(NamedTuple):
    """A row of the table of steps."""

    name: str
    is_chosen: bool
    cells: list[str]


class Translation(NamedTuple):
    """A translation of a sample sentence, by the steps that agree on it."""

    steps: str
    text: str
    is_chosen: bool


class Sample(NamedTuple):
    """A sentence of the test set with its reference and its translations."""

    source: str
    reference: str
    translations: list[Translation]


HEADS = (
    "step",
    "trained on",
    "table entries",
    "unknown words",
    "dev BLEU",
    "BLEU",
    "chrF2",
    "time",
)


def build_adaptation_report(result: AdaptationResult) -> str:
    """Return the page."""
    chosen = result.rows[result.chosen]
    return str(
        render(
            "adaptation.html",
            languages=result.languages,
            chosen=chosen,
            heads=HEADS,
            steps=[
                StepRow(row.name, number == result.chosen, format_cells(row))
                for number, row in enumerate(result.rows)
            ],
            charts=list_score_charts(result.rows),
            signatures=result.signatures,
            p_values=result.p_values,
            samples=[_make_sample(sample, chosen.name) for sample in result.samples],
            data=pack_data({"rows": {}, "details": {}, "seed": {}}),
        )
    )


def format_cells(row: ScoreRow) -> list[str]:
    """Return the numbers of a step as text; those that are not known are empty."""
    scores = (row.dev_bleu, row.bleu, row.chrf)
    return [
        f"{row.pairs:,}",
        f"{row.entries:,}",
        "" if row.unknown is None else f"{row.unknown:.1%}",
        *("" if score is None else f"{score:.2f}" for score in scores),
        f"{row.seconds:,.0f} s",
    ]


def list_score_charts(rows: Sequence[ScoreRow]) -> list[LineChart]:
    """Return charts of the scores, the unknown words, the tables and the time, by step."""
    curves: list[tuple[str, ValueFormat, list[Series]]] = [
        (
            "BLEU",
            SCORE,
            [
                Series("test", "agreed", [row.bleu for row in rows]),
                Series("development", "forward", [row.dev_bleu for row in rows]),
            ],
        ),
        ("chrF2", SCORE, [Series("test", "agreed", [row.chrf for row in rows])]),
        ("Unknown words", SHARE, [Series("test", "agreed", [row.unknown for row in rows])]),
        ("Table entries", NUMBER, [Series("both tables", "agreed", [row.entries for row in rows])]),
        (
            "Time",
            ValueFormat(unit=" s"),
            [Series("per step", "agreed", [row.seconds for row in rows])],
        ),
    ]
    return [
        draw_chart(title, known, form, step="step")
        for title, form, series in curves
        if (known := [one for one in series if any(value is not None for value in one.values)])
    ]


def _make_sample(sample: dict[str, str], chosen: str) -> Sample:
    """Group the steps by their translations."""
    steps: dict[str, list[str]] = {}
    for name, text in sample.items():
        if name not in ("source", "reference"):
            steps.setdefault(text, []).append(name)
    translations = [
        Translation(", ".join(names), text, chosen in names) for text, names in steps.items()
    ]
    return Sample(sample["source"], sample["reference"], translations)
