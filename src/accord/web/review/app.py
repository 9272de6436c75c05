"""The application of the review page: its addresses, and what each answers.

    /                    the page, with its scripts and styles
    /run                 which run it is
    /pairs?…             some of the pairs that match the filters, and the progress
    /pair?place=         one of them, with the decision on it and its contexts
    /matrix?place=       its alignment matrix
    /decide  /undo       by POST
    /export/{format}     the decisions as CSV, TBX or a seed

Answers are JSON, HTML from the templates of accord.web, or files of the package. Whatever reads or
writes a file or reads all pairs runs in a thread: Starlette runs plain functions in a thread pool,
so only the body of a request is read on the event loop. What threads share is described in
review_state.py.
"""

import json
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from accord.errors import AccordError, InputError
from accord.evidence.decisions import Decision, DecisionConflictError
from accord.formats.records import LanguageCodes
from accord.runs.folder import RunFolder
from accord.runs.tsv import parse_contexts
from accord.web.alignment_matrix import build_matrix
from accord.web.contexts import mark_phrases
from accord.web.pair_view import PairViewer
from accord.web.review.decision_export import DECISION_FORMATS, export_decisions
from accord.web.review.filters import PairFilter
from accord.web.review.pair_index import NOWHERE, PairIndex, ReviewPair
from accord.web.review.review_state import ReviewSnapshot, ReviewState
from accord.web.templates import format_confidence, get_macro

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

PAGE = Path(__file__).parent / "page"
ASSETS = Path(__file__).parent.parent / "assets"
# The most pairs in one answer.
MOST_PAIRS = 50
BAD_REQUEST, CONFLICT = 400, 409

JsonObject = dict[str, object]


class PairEvidence:
    """What is shown beside a pair: its contexts and its alignment matrix. The first matrix loads
    the model. Threads may share this object."""

    def __init__(self, folder: RunFolder, pairs: PairIndex, languages: LanguageCodes) -> None:
        self.folder, self.pairs, self.languages = folder, pairs, languages
        self._lock = Lock()

    def draw_contexts(self, pair: ReviewPair) -> str:
        """Return snippets of both texts with the phrase marked, if the run was mined from text."""
        at = int(self.pairs.contexts[pair.place])
        if at == NOWHERE:
            return ""
        with self.folder.contexts.open("rb") as stream:
            stream.seek(at)
            line = stream.readline().decode("utf-8", "replace").rstrip("\r\n")
        match parse_contexts(line):
            case (pair.source, pair.target) as phrases, contexts:
                snippets = mark_phrases(contexts, phrases, self.languages)
                return get_macro("pair.html", "contexts")(snippets)
        return ""  # the file has changed since

    def draw_matrix(self, pair: ReviewPair) -> str:
        """Return the posteriors of both directions, and the links on which they agree."""
        with self._lock:
            viewer = self._viewer
        view = viewer.view(pair.source, pair.target, competing=0)
        matrix = build_matrix(view._replace(languages=self.languages))
        return get_macro("pair.html", "alignment_matrix")(matrix)

    @cached_property
    def _viewer(self) -> PairViewer:
        return PairViewer(self.folder.read_trained())


class Review:
    """A run under review: one method per address. Those that take a request are the endpoints."""

    def __init__(self, name: str, state: ReviewState, evidence: PairEvidence) -> None:
        self.name, self.state, self.evidence = name, state, evidence
        self.languages = evidence.languages

    def run(self, _: "Request") -> "Response":
        pairs = self.state.pairs
        return _answer_json(
            {
                "name": self.name,
                "languages": self.languages,
                "pairs": len(pairs),
                "hasConfidence": pairs.has_confidence,
            }
        )

    def pairs(self, request: "Request") -> "Response":
        wanted = PairFilter.of(request.query_params)
        begin, size = _read_integer(request, "begin"), _read_integer(request, "size")
        now = self.state.snapshot()
        page = now.page(wanted, begin, max(-MOST_PAIRS, min(MOST_PAIRS, size)))
        rows = [_describe_pair(pair) | {"status": now.status(pair.place)} for pair in page]
        return _answer_json({"pairs": rows} | _describe_progress(now, wanted))

    def pair(self, request: "Request") -> "Response":
        pair = self._find_pair(request)
        decision = _describe_decision(self.state.decision_on(pair))
        contexts = {"contexts": self.evidence.draw_contexts(pair)}
        return _answer_json(_describe_pair(pair) | decision | contexts)

    def matrix(self, request: "Request") -> "Response":
        from starlette.responses import HTMLResponse

        return HTMLResponse(self.evidence.draw_matrix(self._find_pair(request)))

    async def decide(self, request: "Request") -> "Response":
        from starlette.concurrency import run_in_threadpool

        body = await _read_body(request)
        return await run_in_threadpool(self.store_decision, body, request.query_params)

    async def undo(self, request: "Request") -> "Response":
        from starlette.concurrency import run_in_threadpool

        body = await _read_body(request)
        return await run_in_threadpool(self.undo_decision, body, request.query_params)

    def export(self, request: "Request") -> "Response":
        from starlette.responses import Response

        form = DECISION_FORMATS.get(request.path_params["form"])
        if form is None:
            raise InputError(f"expected one of {', '.join(DECISION_FORMATS)}")
        content = export_decisions(form, self.state, self.languages)
        name = f'attachment; filename="{form.file}"'
        return Response(content, media_type=form.media_type, headers={"Content-Disposition": name})

    def store_decision(self, body: object, query: Mapping[str, str]) -> "Response":
        """Store the decision of the body, and answer with the current decision on the pair."""
        wanted = PairFilter.of(query)
        match body:
            case {
                "source": str(source),
                "target": str(target),
                "status": "accepted" | "rejected" | "corrected" | "skipped" as status,
                "corrected": [str(), str()] | None as corrected,
                "seen": int(seen),
                "tab": str(tab),
            }:
                entry = None if corrected is None else (corrected[0], corrected[1])
            case _:
                raise InputError("expected a pair and a decision on it")
        answer, code = JsonObject(), 200
        current: Decision | None
        try:
            current = self.state.decide((source, target), status, entry, seen=seen, tab=tab)
        except DecisionConflictError as error:
            answer, code, current = {"error": str(error)}, CONFLICT, error.current
        progress = _describe_progress(self.state.snapshot(), wanted)
        return _answer_json(answer | _describe_decision(current) | progress, code)

    def undo_decision(self, body: object, query: Mapping[str, str]) -> "Response":
        """Undo the last decision of a tab, and answer with its pair."""
        wanted = PairFilter.of(query)
        match body:
            case {"tab": str(tab)}:
                undone = self.state.undo(tab)
            case _:
                raise InputError("expected the tab whose last decision is to be undone")
        answer: JsonObject = {"undone": None, "place": None}
        if undone:
            pair = {"source": undone.source, "target": undone.target}
            answer = {"undone": pair, "place": self.state.pairs.find(**pair)}
        return _answer_json(answer | _describe_progress(self.state.snapshot(), wanted))

    def _find_pair(self, request: "Request") -> ReviewPair:
        place, pairs = _read_integer(request, "place"), self.state.pairs
        if not 0 <= place < len(pairs):
            raise InputError(f"place: expected less than {len(pairs)}, found {place}")
        return pairs[place]


def make_application(review: Review) -> "Starlette":
    """Return the application, without its guard."""
    from starlette.applications import Starlette
    from starlette.responses import FileResponse
    from starlette.routing import Mount, Route
    from starlette.staticfiles import StaticFiles

    def send_page(_: "Request") -> "Response":
        return FileResponse(PAGE / "review.html")

    reading = {name: getattr(review, name) for name in ("run", "pairs", "pair", "matrix")}
    writing = {name: getattr(review, name) for name in ("decide", "undo")}
    return Starlette(
        routes=[
            Route("/", send_page),
            *(Route(f"/{name}", answer) for name, answer in reading.items()),
            *(Route(f"/{name}", answer, methods=["POST"]) for name, answer in writing.items()),
            Route("/export/{form}", review.export),
            Mount("/page", StaticFiles(directory=PAGE)),
            Mount("/shared", StaticFiles(directory=ASSETS)),
        ],
        exception_handlers={AccordError: _answer_error},
    )


async def _answer_error(_: "Request", error: Exception) -> "Response":
    return _answer_json({"error": str(error)}, BAD_REQUEST)


def _describe_pair(pair: ReviewPair) -> JsonObject:
    return {
        "place": pair.place,
        "kind": pair.kind,
        "source": pair.source,
        "target": pair.target,
        "confidence": pair.confidence,
        "confidenceText": format_confidence(pair.confidence),
        "new": pair.has_new_word,
    }


def _describe_decision(decision: Decision | None) -> JsonObject:
    """Return the decision on a pair, and its number, which the next decision has to name."""
    if decision is None:
        return {"status": None, "corrected": None, "seen": 0}
    return {
        "status": decision.status,
        "corrected": decision.corrected,
        "seen": decision.number,
    }


def _describe_progress(now: ReviewSnapshot, wanted: PairFilter) -> JsonObject:
    estimate = now.estimate(wanted)
    return {
        "chosen": now.count_chosen(wanted),
        "counts": now.count_statuses(),
        "estimate": None if estimate is None else estimate._asdict(),
    }


def _answer_json(content: JsonObject, status: int = 200) -> "Response":
    from starlette.responses import JSONResponse

    return JSONResponse(content, status)


async def _read_body(request: "Request") -> object:
    try:
        body: object = await request.json()
        json.dumps(body, ensure_ascii=False).encode()  # a lone surrogate cannot be encoded
    except ValueError:
        raise InputError("expected JSON") from None
    return body


def _read_integer(request: "Request", name: str) -> int:
    text = request.query_params.get(name, "")
    try:
        return int(text)
    except ValueError:
        raise InputError(f"{name}: expected a whole number, found {text!r}") from None
