"""The server of the review page: its addresses, and what each answers.

    /                    the page, with its scripts and styles
    /run                 what run it is
    /pairs?…             some of the pairs that the filters let through, and how far the review is
    /pair?place=         one of them, with what is decided of it and its contexts
    /picture?place=      its word links
    /decide  /undo       by POST
    /export/{format}     the decisions as CSV, TBX or a seed

All but what is written in JSON is HTML that accord.web has made, or a file of the package.
"""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from accord.errors import AccordError, InputError
from accord.evidence.decisions import Decision, DecisionConflictError
from accord.web.picture import probability_shown
from accord.web.review.board import Board
from accord.web.review.choosing import Choice
from accord.web.review.closeup import CloseUp
from accord.web.review.pairs import Pair
from accord.web.review.sending import FORMATS, sent

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

PAGE = Path(__file__).parent / "page"
SHARED = Path(__file__).parent.parent / "assets"
# Pairs of one answer, at most.
MOST = 50
CONFLICT = 409


class Review:
    """A run under review."""

    def __init__(self, name: str, board: Board, close_up: CloseUp) -> None:
        self.name, self.board, self.close_up = name, board, close_up
        self.languages = close_up.languages

    async def run(self, _: "Request") -> "Response":
        pairs = self.board.pairs
        return _json(
            {
                "name": self.name,
                "languages": self.languages,
                "pairs": len(pairs),
                "hasProbability": pairs.has_probability,
            }
        )

    async def pairs(self, request: "Request") -> "Response":
        choice = Choice.of(request.query_params)
        begin, size = _whole(request, "begin"), _whole(request, "size")
        page = self.board.page(choice, begin, max(-MOST, min(MOST, size)))
        rows = [_shown(pair) | {"status": self.board.status(pair.place)} for pair in page]
        return _json({"pairs": rows} | self._progress(choice))

    async def pair(self, request: "Request") -> "Response":
        pair = self._pair(request)
        seen = {"contexts": self.close_up.contexts(pair)}
        return _json(_shown(pair) | _decided(self.board.holding(pair)) | seen)

    async def picture(self, request: "Request") -> "Response":
        from starlette.concurrency import run_in_threadpool
        from starlette.responses import HTMLResponse

        pair = self._pair(request)
        return HTMLResponse(await run_in_threadpool(self.close_up.picture, pair))

    async def decide(self, request: "Request") -> "Response":
        match await _body(request):
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
        answer, code = dict[str, Any](), 200
        holding: Decision | None
        try:
            holding = self.board.decide((source, target), status, entry, seen=seen, tab=tab)
        except DecisionConflictError as error:
            answer, code, holding = {"error": str(error)}, CONFLICT, error.current
        answer |= _decided(holding) | self._progress(Choice.of(request.query_params))
        return _json(answer, code)

    async def undo(self, request: "Request") -> "Response":
        match await _body(request):
            case {"tab": str(tab)}:
                undone = self.board.undo(tab)
            case _:
                raise InputError("expected the tab whose last decision is to be taken back")
        answer: dict[str, Any] = {"undone": None, "place": None}
        if undone:
            pair = {"source": undone.source, "target": undone.target}
            answer = {"undone": pair, "place": self.board.pairs.find(**pair)}
        return _json(answer | self._progress(Choice.of(request.query_params)))

    async def export(self, request: "Request") -> "Response":
        from starlette.concurrency import run_in_threadpool
        from starlette.responses import Response

        form = FORMATS.get(request.path_params["form"])
        if form is None:
            raise InputError(f"expected one of {', '.join(FORMATS)}")
        content = await run_in_threadpool(sent, form, self.board, self.languages)
        name = f'attachment; filename="{form.file}"'
        return Response(content, media_type=form.type, headers={"Content-Disposition": name})

    def _pair(self, request: "Request") -> Pair:
        place = _whole(request, "place")
        if not 0 <= place < len(self.board.pairs):
            raise InputError(f"place: expected less than {len(self.board.pairs)}, found {place}")
        return self.board.pairs[place]

    def _progress(self, choice: Choice) -> dict[str, Any]:
        estimate = self.board.estimate(choice)
        return {
            "chosen": self.board.count(choice),
            "counts": self.board.counts(),
            "estimate": None if estimate is None else estimate._asdict(),
        }


def application(review: Review) -> "Starlette":
    """The server's application, without its guard."""
    from starlette.applications import Starlette
    from starlette.responses import FileResponse
    from starlette.routing import Mount, Route
    from starlette.staticfiles import StaticFiles

    async def page(_: "Request") -> "Response":
        return FileResponse(PAGE / "review.html")

    reading = {name: getattr(review, name) for name in ("run", "pairs", "pair", "picture")}
    writing = {name: getattr(review, name) for name in ("decide", "undo")}
    return Starlette(
        routes=[
            Route("/", page),
            *(Route(f"/{name}", answer) for name, answer in reading.items()),
            *(Route(f"/{name}", answer, methods=["POST"]) for name, answer in writing.items()),
            Route("/export/{form}", review.export),
            Mount("/page", StaticFiles(directory=PAGE)),
            Mount("/shared", StaticFiles(directory=SHARED)),
        ],
        exception_handlers={AccordError: _wrong},
    )


async def _wrong(_: "Request", error: Exception) -> "Response":
    return _json({"error": str(error)}, 400)


def _shown(pair: Pair) -> dict[str, Any]:
    return pair._asdict() | {"sure": probability_shown(pair.probability)}


def _decided(decision: Decision | None) -> dict[str, Any]:
    """What is decided of a pair, and the number to name when it is decided anew."""
    if decision is None:
        return {"status": None, "corrected": None, "seen": 0}
    return {
        "status": decision.status,
        "corrected": decision.corrected,
        "seen": decision.number,
    }


def _json(content: dict[str, Any], status: int = 200) -> "Response":
    from starlette.responses import JSONResponse

    return JSONResponse(content, status)


async def _body(request: "Request") -> object:
    try:
        body: object = await request.json()
        json.dumps(body, ensure_ascii=False).encode()  # half a character is none of Unicode's
    except ValueError:
        raise InputError("expected JSON") from None
    return body


def _whole(request: "Request", name: str) -> int:
    text = request.query_params.get(name, "")
    try:
        return int(text)
    except ValueError:
        raise InputError(f"{name}: expected a whole number, found {text!r}") from None
