"""What opens under a phrase pair: its picture, its rivals, and where it was seen."""

from collections.abc import Callable, Mapping

from accord.pages.contexts import Contexts, contexts_list
from accord.pages.html import Html, element, joined
from accord.pages.pair import RIVALS, PairView, PairViewer
from accord.pages.picture import alignment_picture, rivals_list
from accord.pages.report.run import Pair

Seen = Mapping[Pair, Contexts]


class Details:
    """Of pair after pair. To look for rivals takes longer than all else: it is done once."""

    def __init__(self, viewer: PairViewer, seen: Seen, looked: Callable[[int], object]) -> None:
        self.viewer, self.seen, self.looked = viewer, seen, looked
        self.with_rivals: dict[Pair, PairView] = {}

    def look_for_rivals(self, pairs: list[Pair]) -> None:
        """Of so many only as there is time for."""
        for pair in pairs:
            self.with_rivals[pair] = self.viewer.view(*pair, rivals=RIVALS)
            self.looked(1)

    def of(self, pair: Pair) -> Html:
        view = self.with_rivals.get(pair)
        contexts = self.seen.get(pair)
        shown = view or self.viewer.view(*pair, rivals=0)
        return joined(
            element("div", alignment_picture(shown), class_="picture wide"),
            element("div", element("h4", "Rivals it beat"), rivals_list(view)) if view else None,
            element(
                "div",
                element("h4", "Where it was seen"),
                contexts_list(contexts, pair, shown.languages),
            )
            if contexts
            else None,
        )
