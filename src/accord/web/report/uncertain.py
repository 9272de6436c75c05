"""The pairs that a run is least certain of: what a person had best look at first."""

from accord.web.html import Html, element, foreign
from accord.web.picture import probability_shown
from accord.web.report.choice import Places
from accord.web.report.details import READING, Details
from accord.web.report.run import Run

LEAST_CERTAIN = 8


def least_certain(run: Run, details: Details, ordered: Places) -> Html:
    """All of each, also where nothing opens: on paper, and without JavaScript."""
    places = ordered[::-1][:LEAST_CERTAIN].tolist()
    note = f"The {len(places)} pairs that the run itself is least sure of. {READING}"
    return element(
        "section",
        element("h2", "The least certain pairs"),
        element("p", note if places else "There are no pairs.", class_="muted"),
        element("div", *(_pair(run, details, n) for n in places), class_="samples"),
        class_="card",
        id="least-certain",
    )


def _pair(run: Run, details: Details, n: int) -> Html:
    (source, target), (one, other) = run.pairs[n], run.languages
    sure = probability_shown(float(run.sureness[n])) if run.contents.has_confidence else ""
    return element(
        "article",
        element(
            "h3",
            element("span", foreign(source, one), " = ", foreign(target, other)),
            element("span", sure, class_="number"),
        ),
        element("div", details.of_phrases((source, target)), class_="detail"),
    )
