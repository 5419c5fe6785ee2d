"""Administration: what organisers see and do with a browser, and programs with a token.

::

    GET  /admin            what is going on, with forms; or the question for the token
    POST /admin/enter      the token, as a form: begins a visit
    POST /admin/leave      ends it
    POST /admin/do         one act, order or plan, as a form
    POST /admin/ask        the same and all other questions, as JSON, with ``Authorization: Bearer TOKEN``

All of it is answered only over a local or encrypted line (:mod:`ugs.page.server.request_line`). A form counts only with
the secret of its visit, and only from our own pages. What is done is done by the same table as on the socket for people
at this machine, and recorded in the same way; who did it is the name of the token.
"""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

import structlog
import trio
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from ugs.broker.values.questions import OrderKind
from ugs.page import html
from ugs.page.server.admin_orders import WrongForm, request_of
from ugs.page.server.admin_tokens import AdminKey, KeysError
from ugs.page.server.admin_visits import MAX_S, AdminVisit, Visits
from ugs.page.server.forms import body_of, fields_of, own
from ugs.page.server.masthead import masthead_of
from ugs.page.server.package_types import titles_of_types, types_of_games
from ugs.page.server.request_line import RequestLine, line_of

WRONG, WHO, FORBIDDEN = 400, 401, 403
COOKIE: Final = "ugs_admin"
MAX_SHOWN: Final = 200
"""Characters of a name that is asked for."""
FRESH: Final = {"Cache-Control": "no-store"}

Ask: TypeAlias = Callable[[Mapping[str, Any], str], Mapping[str, Any]]
"""``ask(request, who)``: what the socket for people at this machine would answer."""


class Administration:
    """The pages. ``public`` gives the public facts, of all nodes of a cluster; ``latest`` gives the latest acts for
    people to read; ``plans`` are the questions that pass plans to ``ask``."""

    def __init__(
        self,
        visits: Visits,
        ask: Ask,
        public: Callable[[], Mapping[str, Any]],
        latest: Callable[[], Awaitable[Sequence[str]]],
        plans: Sequence[str],
    ) -> None:
        self._visits = visits
        self._ask = ask
        self._public = public
        self._latest = latest
        self._plans = plans
        self._log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs")

    def routes(self) -> list[BaseRoute]:
        """The routes of it."""
        return [
            Route("/admin", self._desk),
            Route("/admin/enter", self._enter, methods=["POST"]),
            Route("/admin/leave", self._leave, methods=["POST"]),
            Route("/admin/do", self._do, methods=["POST"]),
            Route("/admin/ask", self._ask_for_program, methods=["POST"]),
        ]

    def knows(self, request: Request) -> bool:
        """Whether a request shows a token over a local or encrypted line."""
        if line_of(request) is RequestLine.OPEN:
            return False
        try:
            return self._visits.owner_of(_bearer(request)) is not None
        except KeysError:
            return False

    # Requests.

    async def _desk(self, request: Request) -> Response:
        _secure(request)
        visit = self._visits.find(request.cookies.get(COOKIE, ""))
        if visit is None:
            return HTMLResponse(html.standalone("admin-enter.html", wrong="", site=masthead_of(request)), headers=FRESH)
        asked = request.query_params.get("who", "")[:MAX_SHOWN]
        who = visit.key.name
        # Shown once: a page that is loaded again repeats no old refusal.
        notes, visit.notes = visit.notes, []
        server, public = self._ask({"ask": "server"}, who), self._public()
        model = {
            "name": who,
            "secret": visit.form_secret,
            "told": notes,
            "server": server,
            "public": public,
            "asked": asked,
            "asked_type": request.query_params.get("type", "")[:MAX_SHOWN],
            "asked_game": request.query_params.get("game", "")[:MAX_SHOWN],
            "found": self._ask({"ask": "why", "name": asked}, who) if asked else None,
            "acts": await self._latest(),
            "types": await types_of_games(request),
            "titles": await titles_of_types(request, (one["game_type"] for one in public["game_types"])),
        }
        title = masthead_of(request)
        write = partial(html.standalone, "admin.html", desk=model, kinds=list(OrderKind), plans=self._plans, site=title)
        # The first time the template is compiled, for longer than a move may wait; a thread takes turns with the games.
        return HTMLResponse(await trio.to_thread.run_sync(write), headers=FRESH)

    async def _enter(self, request: Request) -> Response:
        _secure(request)
        own(request)
        fields = await fields_of(request)
        key = self._owner_of(fields.get("token", "").strip())
        if key is None:
            self._log.warning("wrong token at the administration", address=_address(request))
            wrong = "This is no token of this server."
            page = html.standalone("admin-enter.html", wrong=wrong, site=masthead_of(request))
            return HTMLResponse(page, WHO, FRESH)
        self._log.info("organiser has come", who=key.name, address=_address(request))
        answer = _back()
        answer.set_cookie(
            COOKIE,
            self._visits.begin(key),
            max_age=int(MAX_S),
            path="/admin",
            # On a local line without TLS a browser may refuse a secure cookie.
            secure=line_of(request) is RequestLine.SECURE,
            httponly=True,
            samesite="strict",
        )
        return answer

    async def _leave(self, request: Request) -> Response:
        await self._form(request)
        self._visits.end(request.cookies[COOKIE])
        answer = _back()
        answer.delete_cookie(COOKIE, path="/admin", httponly=True, samesite="strict")
        return answer

    async def _do(self, request: Request) -> Response:
        visit, fields = await self._form(request)
        try:
            asked = request_of(fields, visit.key.name)
        except WrongForm as error:
            visit.notes.append((False, str(error)))
            return _back()
        answer = self._ask(asked, visit.key.name)
        # People write the name of a package where its game type is wanted.
        meant = "" if answer["ok"] else await _type_meant(request, asked)
        what = " ".join(str(asked[key]) for key in ("kind", "championship", "subject", "game_type") if asked.get(key))
        visit.notes.append((bool(answer["ok"]), _outcome(what or asked["ask"], answer) + meant))
        return _back()

    async def _ask_for_program(self, request: Request) -> Response:
        _secure(request)
        key = self._owner_of(_bearer(request))
        if key is None:
            self._log.warning("wrong token at the administration", address=_address(request))
            raise HTTPException(WHO, "Authorization: Bearer TOKEN is wanted", {"WWW-Authenticate": "Bearer"})
        try:
            asked = json.loads(await body_of(request))
        except (ValueError, RecursionError):
            raise HTTPException(WRONG, "a request is a JSON object") from None
        if not isinstance(asked, dict):
            raise HTTPException(WRONG, "a request is a JSON object with the key ask")
        # Who does it follows from the token, not from what the request claims.
        answer = self._ask({**asked, "who": key.name}, key.name)
        return JSONResponse(answer, 200 if answer["ok"] else WRONG, FRESH)

    def _owner_of(self, token: str) -> AdminKey | None:
        """Whose token this is. Raises HTTPException where the file cannot be used; what is wrong with it, and where it
        lies, is not for strangers."""
        try:
            return self._visits.owner_of(token)
        except KeysError as error:
            self._log.error("the file of tokens cannot be used", reason=str(error))
            raise HTTPException(503, "the tokens cannot be read; see the server's log") from None

    async def _form(self, request: Request) -> tuple[AdminVisit, Mapping[str, str]]:
        """The visit that a form comes from, and its fields. Raises HTTPException."""
        _secure(request)
        own(request)
        visit = self._visits.find(request.cookies.get(COOKIE, ""))
        if visit is None:
            raise HTTPException(WHO, "this visit is over: show your token again")
        fields = await fields_of(request)
        # The cookie alone is not enough: an old browser sends it with the forms of strange pages, too.
        if not visit.knows(fields.get("secret", "")):
            raise HTTPException(FORBIDDEN, "this form has expired: load the page again")
        return visit, fields


def no_administration() -> list[BaseRoute]:
    """Where there is no file of tokens."""

    async def none(_request: Request) -> Response:
        raise HTTPException(404, "there is no administration here: admin_token_file is not set")

    return [Route("/admin", none)]


# Steps.


def _secure(request: Request) -> None:
    """Raises HTTPException for a request that others could read."""
    if line_of(request) is RequestLine.OPEN:
        text = "administration is for this machine (http://127.0.0.1, http://localhost), or over TLS"
        raise HTTPException(FORBIDDEN, text)


def _bearer(request: Request) -> str:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _back() -> Response:
    return RedirectResponse("/admin", 303, FRESH)


def _outcome(what: str, answer: Mapping[str, Any]) -> str:
    """What came of it, in a line."""
    if not answer["ok"]:
        return f"{what}: {answer['error']}"
    facts = ", ".join(f"{key.replace('_', ' ')}: {_listed(value)}" for key, value in answer.items() if key != "ok")
    return f"{what}: done{f' ({facts})' if facts else ''}"


async def _type_meant(request: Request, asked: Mapping[str, Any]) -> str:
    """The end of a refusal: which game type has the name of a game that was given for one."""
    word = str(asked.get("game_type", ""))
    game_type = (await types_of_games(request)).get(word) if word else None
    return f" ({word!r} is a game whose type is {game_type!r})" if game_type else ""


def _listed(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _address(request: Request) -> str:
    return request.client.host if request.client is not None else ""
