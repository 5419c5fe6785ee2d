"""A player's own corner: its games with its own views, why they ended, and their records, for whoever has its token.

::

    GET  /mine             its games; or the question for the token
    POST /mine/enter       the token, as a form
    POST /mine/leave       forget it
    GET  /mine-game        one game as the player saw it
    GET  /mine-positions   some positions of it, as JSON
    GET  /mine.ugsg        its record, with what this player saw

A link to it is ``/mine#TOKEN``: what follows ``#`` is not sent to any server, so it is in no log and no Referer. The
script of the page takes it out of the address and sends it as a form; from then on a cookie has it that scripts cannot
read and that other sites do not send. The server keeps nothing: who has a token is asked of the broker each time.
"""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any, Final
from urllib.parse import quote, unquote

import trio
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from ugs.address import origin_of
from ugs.page import html
from ugs.page.contract import Answer, Owner, Question
from ugs.page.forms import fields_of, own
from ugs.page.lines import Line, line_of
from ugs.page.pages import GAME, Param, WrongQuery, read_query

COOKIE: Final = "ugs_mine"
LONGEST_TOKEN: Final = 500
WRONG, WHO, TOO_MANY = 400, 401, 429
PRIVATE: Final = {"Cache-Control": "no-store, private"}

AT: Final = Param("at", "the number of the position", number=True)
FROM: Final = Param("from", "the number of the first position, from 1", number=True)
BEFORE: Final = Param("before", "go on where the last page ended", number=True)


class Guesses:
    """Wrong tokens, by address: who shows too many has to wait."""

    MOST: Final = 10
    """Wrong tokens of an address within :data:`WITHIN_S` seconds."""
    WITHIN_S: Final = 60.0
    MOST_KEPT: Final = 10_000
    """Addresses that are remembered."""

    def __init__(self) -> None:
        self._wrong: OrderedDict[str, tuple[int, float]] = OrderedDict()
        """How many, and until when they count."""

    def wait_s(self, address: str) -> float:
        """Seconds for which no token of this address is looked at."""
        wrong, until = self._wrong.get(address, (0, 0.0))
        return max(0.0, until - trio.current_time()) if wrong >= self.MOST else 0.0

    def wrong(self, address: str) -> None:
        """One more from this address."""
        now = trio.current_time()
        wrong, until = self._wrong.pop(address, (0, 0.0))
        self._wrong[address] = (wrong + 1, until) if until > now else (1, now + self.WITHIN_S)
        while len(self._wrong) > self.MOST_KEPT:
            self._wrong.popitem(last=False)


class Corner:
    """The pages. ``owner_of`` says whose token of a session one is, ``owner_by_name`` whose of a name; ``answer`` asks
    the worker for a client."""

    def __init__(
        self,
        owner_of: Callable[[str], Owner | None],
        owner_by_name: Callable[[str, str], Awaitable[Owner | None]],
        answer: Callable[[Request, Question], Any],
        sent: Callable[[Request, Answer], Response],
    ) -> None:
        self._owner_of = owner_of
        self._owner_by_name = owner_by_name
        self._answer = answer
        self._sent = sent
        self._guesses = Guesses()

    def routes(self) -> list[BaseRoute]:
        """The routes of it."""
        return [
            Route("/mine", self._games),
            Route("/mine/enter", self._enter, methods=["POST"]),
            Route("/mine/leave", self._leave, methods=["POST"]),
            Route("/mine-game", self._page("own game", (GAME, AT))),
            Route("/mine-positions", self._page("own positions", (GAME, FROM))),
            Route("/mine.ugsg", self._page("own file", (GAME,))),
        ]

    async def _games(self, request: Request) -> Response:
        owner = await self._visitor(request)
        if owner is None:
            return HTMLResponse(html.beside("mine-enter.html", here="mine", wrong=""), headers=PRIVATE)
        return await self._told(request, "own games", owner, (BEFORE,))

    def _page(self, name: str, params: Sequence[Param]) -> Callable[[Request], Any]:
        async def page(request: Request) -> Response:
            owner = await self._visitor(request)
            if owner is None:
                raise HTTPException(WHO, "show your token at /mine first")
            return await self._told(request, name, owner, params)

        return page

    async def _told(self, request: Request, name: str, owner: Owner, params: Sequence[Param]) -> Response:
        try:
            asked = read_query(params, request.query_params.multi_items())
        except WrongQuery as wrong:
            raise HTTPException(WRONG, str(wrong)) from None
        answer: Answer = await self._answer(request, Question(name, {**asked, "owner": owner}))
        return self._sent(request, replace(answer, tag="", headers={**answer.headers, **PRIVATE}))

    async def _enter(self, request: Request) -> Response:
        own(request)
        token = (await fields_of(request)).get("token", "").strip()
        address = _address_of(request)
        wait_s = self._guesses.wait_s(address)
        if wait_s:
            text = "too many wrong tokens from your address; try again in a minute"
            raise HTTPException(TOO_MANY, text, {"Retry-After": str(round(wait_s) + 1)})
        if not _may_be_one(token) or await self._owner(token, address) is None:
            self._guesses.wrong(address)
            page = html.standalone("mine-enter.html", here="mine", wrong="Nobody has this token, or it is long over.")
            return HTMLResponse(page, WHO, PRIVATE)
        answer = _back()
        secure = line_of(request) is Line.SECURE
        # A secret that somebody has chosen may hold anything, a cookie only some letters.
        answer.set_cookie(COOKIE, quote(token, safe=""), path="/", secure=secure, httponly=True, samesite="strict")
        return answer

    async def _leave(self, request: Request) -> Response:
        own(request)
        answer = _back()
        answer.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
        return answer

    async def _visitor(self, request: Request) -> Owner | None:
        token = unquote(request.cookies.get(COOKIE, ""))
        return await self._owner(token, _address_of(request)) if _may_be_one(token) else None

    async def _owner(self, token: str, address: str) -> Owner | None:
        return self._owner_of(token) or await self._owner_by_name(token, address)


def _address_of(request: Request) -> str:
    return origin_of(f"[{request.client.host}]:0") if request.client is not None else ""


def _may_be_one(token: str) -> bool:
    """Whether a text may be a token."""
    return 0 < len(token) <= LONGEST_TOKEN


def _back() -> Response:
    return RedirectResponse("../mine", 303, PRIVATE)
