"""What is shown beside a pair: where it stands in the texts, and which of its words are linked."""

from functools import cached_property
from threading import Lock

from accord.extract.contexts import SNIPPETS
from accord.folder import RunFolder
from accord.pages.html import Html
from accord.pages.pair import PairViewer
from accord.pages.picture import alignment_picture
from accord.review.pairs import NOWHERE, Pair, Pairs

Snippets = tuple[list[str], list[str]]


class CloseUp:
    """A run that is looked at, pair by pair. The model is loaded when the first is."""

    def __init__(self, folder: RunFolder, pairs: Pairs) -> None:
        self.folder, self.pairs = folder, pairs
        self._lock = Lock()

    def contexts(self, pair: Pair) -> Snippets:
        """Snippets of either text with the phrase in brackets, where `mine` has left some."""
        at = int(self.pairs.contexts[pair.place])
        if at == NOWHERE:
            return [], []
        with self.folder.contexts.open("rb") as stream:
            stream.seek(at)
            columns = stream.readline().decode("utf-8", "replace").rstrip("\r\n").split("\t")
        if columns[:2] != [pair.source, pair.target]:  # the file is another by now
            return [], []
        snippets = columns[2:]
        sides = snippets[:SNIPPETS], snippets[SNIPPETS : 2 * SNIPPETS]
        one, other = ([text for text in side if text] for side in sides)
        return one, other

    def picture(self, pair: Pair) -> Html:
        """Both directions' posteriors, and the links that they agree on."""
        with self._lock:
            viewer = self._viewer
        return alignment_picture(viewer.view(pair.source, pair.target, rivals=0))

    @cached_property
    def _viewer(self) -> PairViewer:
        return PairViewer(self.folder.trained())
