"""What there is to see of one pair: its picture, its rivals, and where it was seen."""

from collections.abc import Mapping

from accord.web.contexts import Contexts, contexts_list
from accord.web.html import Html, element, joined, scrollable
from accord.web.pair import PairView, PairViewer
from accord.web.picture import alignment_picture, rivals_list
from accord.web.report.run import Pair

READING = (
    "Rows are source words, columns target words. Above the diagonal of a cell is how sure the "
    "model P(target|source) is of the link, below it P(source|target). A dot marks what both "
    "agree on; ∅ stands for no word."
)


# Of more cells a picture would be as large as the page.
MOST_CELLS = 600


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
            self._picture(view),
            element("div", _label("Its rivals"), rivals_list(view)) if known else None,
            self.of_words(pair),
        )

    def _picture(self, view: PairView) -> Html:
        if len(view.source) * len(view.target) > MOST_CELLS:
            return element("p", "So many words are too many for a picture.", class_="muted")
        words = f"{' '.join(view.source)} = {' '.join(view.target)}"
        return scrollable(alignment_picture(view), f"Picture of {words}")

    def of_words(self, pair: Pair) -> Html | None:
        """Where it was seen; None where nobody knows."""
        if pair not in self.contexts:
            return None
        snippets = contexts_list(self.contexts[pair], pair, self.viewer.languages)
        return element("div", _label("Where it was seen"), snippets)


def _label(text: str) -> Html:
    return element("p", text, class_="label")
