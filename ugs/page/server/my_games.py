"""A player's own corner: its games with its own views, why they ended, and their records, for clients with its token.

::

    GET  /mine             its games; or the question for the token
    POST /mine/enter       the token, as a form; with the id of a game on to that one
    POST /mine/leave       forget it
    GET  /mine-game        one game as the player saw it
    GET  /mine-positions   some positions of it, as JSON
    GET  /mine.ugsg        its record, with what this player saw
    GET  /mine.zip         its packet: account, times, record, and a script that plays the last position

A link to it is ``/mine#TOKEN``: what follows ``#`` is not sent to any server, so it is in no log and no Referer. The
script of the page takes it out of the address and sends it as a form. From then on the browser has a cookie that
carries no information (:mod:`ugs.page.server.cookies`), that scripts cannot read and other sites do not send. It is
valid as long as the token is, at most for :data:`MAX_S`, and not after a restart of the server.
"""

from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, Final
from urllib.parse import urlencode

import trio
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from ugs.address import origin_of
from ugs.page import html
from ugs.page.contract import Owner, PageAnswer, Question, Visitor
from ugs.page.pages import AT, GAME, MOVE, Param, WrongQuery, read_query
from ugs.page.server.cookies import Cookies
from ugs.page.server.forms import fields_of, own
from ugs.page.server.masthead import masthead_of
from ugs.page.server.request_line import RequestLine, line_of

COOKIE: Final = "ugs_mine"
MAX_TOKEN: Final = 500
WRONG, WHO, TOO_MANY = 400, 401, 429
OWN_GAME: Final = "own game"
WRONG_S: Final = 1.0
"""A wrong token is refused after this many seconds, so the time does not reveal what is wrong with it."""
MAX_S: Final = 7 * 24 * 3600.0
MAX_VISITORS: Final = 10_000
"""Cookies at a time, and seconds that one is valid."""
PRIVATE: Final = {"Cache-Control": "no-store, private"}

FROM: Final = Param("from", "the number of the first position, from 1", number=True)
BEFORE: Final = Param("before", "go on where the last page ended", number=True)


class TooMany(Exception):
    """An address has shown too many wrong tokens; ``wait_s`` are the seconds until one more is looked at."""

    def __init__(self, wait_s: float) -> None:
        super().__init__("too many wrong tokens from your address; try again in a minute")
        self.wait_s = wait_s


class Guesses:
    """Wrong tokens, by address: who shows too many has to wait. Those of one address are looked at one after the
    other, so that all that come at once are no more than any others."""

    MAX_WRONG: Final = 10
    """Wrong tokens of an address within :data:`WITHIN_S` seconds."""
    WITHIN_S: Final = 60.0
    MAX_KEPT: Final = 10_000
    """Addresses that are remembered."""
    MAX_AT_ONCE: Final = 100
    """Tokens of an address that may wait."""

    def __init__(self) -> None:
        self._wrong: OrderedDict[str, tuple[int, float]] = OrderedDict()
        """How many, and until when they count."""
        self._waiting: Counter[str] = Counter()
        self._looked_at: dict[str, trio.Lock] = {}

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[None]:
        """Wait until a token of this address may be looked at. Raises TooMany when it has shown too many."""
        self._refuse_guesser(address)
        if self._waiting[address] >= self.MAX_AT_ONCE:
            raise TooMany(1.0)
        self._waiting[address] += 1
        try:
            async with self._looked_at.setdefault(address, trio.Lock()):
                # Again: the guesses before it in line may have used up the allowance.
                self._refuse_guesser(address)
                yield
        finally:
            self._waiting[address] -= 1
            # Or every address that ever showed a token would stay in memory.
            if not self._waiting[address]:
                del self._waiting[address], self._looked_at[address]

    def wrong(self, address: str) -> None:
        """One more from this address."""
        now = trio.current_time()
        wrong, until = self._wrong.pop(address, (0, 0.0))
        self._wrong[address] = (wrong + 1, until) if until > now else (1, now + self.WITHIN_S)
        while len(self._wrong) > self.MAX_KEPT:
            self._wrong.popitem(last=False)

    def _refuse_guesser(self, address: str) -> None:
        wrong, until = self._wrong.get(address, (0, 0.0))
        if wrong >= self.MAX_WRONG and until > trio.current_time():
            raise TooMany(until - trio.current_time())


class Corner:
    """The pages. ``visitor`` finds the owner of a token; ``answer`` asks the worker for a client."""

    def __init__(
        self,
        visitor: Callable[[str, str], Awaitable[Visitor | None]],
        answer: Callable[[Request, Question], Any],
        sent: Callable[[Request, PageAnswer], Response],
    ) -> None:
        self._visitor = visitor
        self._answer = answer
        self._sent = sent
        self._guesses = Guesses()
        self._visitors: Cookies[Visitor] = Cookies(MAX_S, MAX_VISITORS)

    def routes(self) -> list[BaseRoute]:
        """The routes of it."""
        return [
            Route("/mine", self._games),
            Route("/mine/enter", self._enter, methods=["POST"]),
            Route("/mine/leave", self._leave, methods=["POST"]),
            Route("/mine-game", self._page(OWN_GAME, (GAME, MOVE, AT))),
            Route("/mine-positions", self._page("own positions", (GAME, FROM))),
            Route("/mine.ugsg", self._page("own file", (GAME,))),
            Route("/mine.zip", self._page("own packet", (GAME,))),
        ]

    async def _games(self, request: Request) -> Response:
        owner = self._owner(request)
        if owner is not None:
            return await self._answered(request, "own games", owner, (BEFORE,))
        answer = HTMLResponse(
            html.beside("mine-enter.html", here="mine", wrong="", site=masthead_of(request)), headers=PRIVATE
        )
        if COOKIE in request.cookies:
            _forget_cookie(answer)
        return answer

    def _page(self, name: str, params: Sequence[Param]) -> Callable[[Request], Any]:
        async def page(request: Request) -> Response:
            owner = self._owner(request)
            if owner is not None:
                return await self._answered(request, name, owner, params)
            if name == OWN_GAME and GAME.name in request.query_params:
                # An address that was sent on leads others to the game as all may see it.
                asked = {one.name: request.query_params.get(one.name) for one in params}
                query = urlencode({key: value for key, value in asked.items() if value is not None})
                return RedirectResponse(f"game?{query}", 303, PRIVATE)
            raise HTTPException(WHO, "show your token at /mine first")

        return page

    async def _answered(self, request: Request, name: str, owner: Owner, params: Sequence[Param]) -> Response:
        try:
            asked = read_query(params, request.query_params.multi_items())
        except WrongQuery as wrong:
            raise HTTPException(WRONG, str(wrong)) from None
        answer: PageAnswer = await self._answer(request, Question(name, {**asked, "owner": owner}))
        # Without a tag, and kept by no browser: its next user may be someone else.
        return self._sent(request, replace(answer, tag="", headers={**answer.headers, **PRIVATE}))

    async def _enter(self, request: Request) -> Response:
        own(request)
        fields = await fields_of(request)
        token = fields.get("token", "").strip()
        address = _address_of(request)
        try:
            async with self._guesses.turn(address):
                visitor = await self._visitor(token, address) if 0 < len(token) <= MAX_TOKEN else None
                if visitor is None:
                    self._guesses.wrong(address)
        except TooMany as error:
            raise HTTPException(TOO_MANY, str(error), {"Retry-After": str(round(error.wait_s) + 1)}) from None
        if visitor is None:
            # After its turn, so that other visitors of this address do not wait for it as well.
            await trio.sleep(WRONG_S)
            wrong = "This token is unknown: its session is long over, or the server was started again since."
            page = html.standalone("mine-enter.html", here="mine", wrong=wrong, site=masthead_of(request))
            return HTMLResponse(page, WHO, PRIVATE)
        answer = _back(fields.get("game", ""))
        secure = line_of(request) is RequestLine.SECURE
        cookie = self._visitors.make(visitor, address)
        answer.set_cookie(COOKIE, cookie, path="/", secure=secure, httponly=True, samesite="strict")
        return answer

    async def _leave(self, request: Request) -> Response:
        own(request)
        self._visitors.forget(request.cookies.get(COOKIE, ""))
        answer = _back()
        _forget_cookie(answer)
        return answer

    def _owner(self, request: Request) -> Owner | None:
        """Whose browser this is."""
        cookie = request.cookies.get(COOKIE, "")
        visitor = self._visitors.find(cookie)
        owner = visitor() if visitor is not None else None
        if visitor is not None and owner is None:
            self._visitors.forget(cookie)
        return owner


def _address_of(request: Request) -> str:
    return origin_of(f"[{request.client.host}]:0") if request.client is not None else ""


def _forget_cookie(answer: Response) -> None:
    """Let a browser forget a cookie that is worth nothing: one of an earlier version of the server holds a token."""
    answer.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")


def _back(game: str = "") -> Response:
    page = f"mine-game?{urlencode({'id': game})}" if game else "mine"
    return RedirectResponse(f"../{page}", 303, PRIVATE)
