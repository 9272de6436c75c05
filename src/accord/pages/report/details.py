"""What there is to see of one pair: its picture, its rivals, and where it was seen."""

from collections.abc import Mapping

from accord.pages.contexts import Contexts, contexts_list
from accord.pages.html import Html, element, joined
from accord.pages.pair import PairView, PairViewer
from accord.pages.picture import alignment_picture, rivals_list
from accord.pages.report.run import Pair

READING = (
    "Rows are source words, columns target words. Above the diagonal of a cell is how sure the "
    "model P(target|source) is of the link, below it P(source|target). A dot marks what both "
    "agree on; ∅ stands for no word."
)


class Details:
    """Of any pair; with rivals if they were looked for before, which takes longer than all else."""

    def __init__(self, viewer: PairViewer, contexts: Mapping[Pair, Contexts]) -> None:
        self.viewer, self.contexts = viewer, contexts
        self._views: dict[Pair, PairView] = {}

    @property
    def has_contexts(self) -> bool:
        return bool(self.contexts)

    def has_rivals(self, pair: Pair) -> bool:
        """Whether they were looked for, be there any or none."""
        return pair in self._views

    def look_for_rivals(self, pair: Pair) -> None:
        self._views[pair] = self.viewer.view(*pair)

    def of_phrases(self, pair: Pair) -> Html:
        known = self._views.get(pair)
        view = known or self.viewer.view(*pair, rivals=0)
        return joined(
            element("div", alignment_picture(view), class_="wide"),
            element("div", element("h4", "Its rivals"), rivals_list(view)) if known else None,
            self.of_words(pair),
        )

    def of_words(self, pair: Pair) -> Html | None:
        """Where it was seen; None where nobody knows."""
        if pair not in self.contexts:
            return None
        snippets = contexts_list(self.contexts[pair], pair, self.viewer.languages)
        return element("div", element("h4", "Where it was seen"), snippets)
