"""What is shown beside a pair: where it stands in the texts, and which of its words are linked."""

from functools import cached_property
from threading import Lock

from accord.formats.records import LanguageCodes
from accord.runs.folder import RunFolder
from accord.web.contexts import Contexts, contexts_list
from accord.web.html import Html
from accord.web.pair import PairViewer
from accord.web.picture import alignment_picture
from accord.web.review.pairs import NOWHERE, Pair, Pairs


class CloseUp:
    """A run that is looked at, pair by pair. The model is loaded when the first is."""

    def __init__(self, folder: RunFolder, pairs: Pairs, languages: LanguageCodes) -> None:
        self.folder, self.pairs, self.languages = folder, pairs, languages
        self._lock = Lock()

    def contexts(self, pair: Pair) -> Html:
        """Snippets of either text with the phrase marked, where `mine` has left some."""
        at = int(self.pairs.contexts[pair.place])
        if at == NOWHERE:
            return Html()
        with self.folder.contexts.open("rb") as stream:
            stream.seek(at)
            columns = stream.readline().decode("utf-8", "replace").rstrip("\r\n").split("\t")
        phrases = pair.source, pair.target
        if tuple(columns[:2]) != phrases:  # the file is another by now
            return Html()
        return contexts_list(Contexts.of(columns[2:]), phrases, self.languages)

    def picture(self, pair: Pair) -> Html:
        """Both directions' posteriors, and the links that they agree on."""
        with self._lock:
            viewer = self._viewer
        view = viewer.view(pair.source, pair.target, rivals=0)
        return alignment_picture(view._replace(languages=self.languages))

    @cached_property
    def _viewer(self) -> PairViewer:
        return PairViewer(self.folder.trained())
