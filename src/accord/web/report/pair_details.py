"""The details of a pair, which open below it in the tables of a report: its alignment matrix, its
competing candidates, and its contexts. They are always open for the pairs of lowest confidence."""

from collections.abc import Mapping
from typing import NamedTuple

from accord.evidence.seed import Entry
from accord.runs.tsv import Contexts
from accord.system.arrays import Offsets
from accord.web.alignment_matrix import AlignmentMatrix, build_matrix
from accord.web.contexts import SnippetList, mark_phrases
from accord.web.pair_view import CompetingPair, PairView, PairViewer
from accord.web.report.run import ReportedRun
from accord.web.templates import format_confidence

# A matrix of more cells would be as large as the page.
MOST_CELLS = 600
LOWEST_PAIRS = 8


class PairDetails(NamedTuple):
    """What the template shows of a phrase pair."""

    text: str
    languages: tuple[str, str]
    matrix: AlignmentMatrix | None  # None if the phrases are too long
    competing: tuple[CompetingPair, ...] | None  # None if they were not searched for
    contexts: list[SnippetList]


class UncertainPair(NamedTuple):
    """One of the pairs with the lowest confidence."""

    source: str
    target: str
    confidence: str
    details: PairDetails


class PairInspector:
    """Collects the details of pairs, with competing candidates only if they were searched for
    before: that takes much longer than everything else."""

    def __init__(self, viewer: PairViewer, contexts: Mapping[Entry, Contexts]) -> None:
        self.viewer, self.contexts = viewer, contexts
        self._views: dict[Entry, PairView] = {}

    @property
    def has_contexts(self) -> bool:
        return bool(self.contexts)

    def has_searched(self, pair: Entry) -> bool:
        """Return whether competing candidates were searched for, found or not."""
        return pair in self._views

    def search_competing(self, pair: Entry) -> None:
        self._views[pair] = self.viewer.view(*pair)

    def inspect(self, pair: Entry) -> PairDetails:
        """Return the details of a phrase pair."""
        known = self._views.get(pair)
        view = known or self.viewer.view(*pair, competing=0)
        is_short = len(view.source) * len(view.target) <= MOST_CELLS
        return PairDetails(
            view.text,
            view.languages,
            build_matrix(view) if is_short else None,
            known.competing if known else None,
            self.find_contexts(pair),
        )

    def find_contexts(self, pair: Entry) -> list[SnippetList]:
        """Return the snippets in which a pair occurs, if the run has kept any."""
        if pair not in self.contexts:
            return []
        return mark_phrases(self.contexts[pair], pair, self.viewer.languages)


def list_lowest_pairs(
    run: ReportedRun, inspector: PairInspector, ranked: Offsets
) -> list[UncertainPair]:
    """Return the pairs with the lowest scores, lowest first."""
    found = []
    for place in ranked[::-1][:LOWEST_PAIRS].tolist():
        source, target = run.pairs[place]
        confidence = format_confidence(float(run.scores[place])) if run.has_confidence else ""
        details = inspector.inspect((source, target))
        found.append(UncertainPair(source, target, confidence, details))
    return found
