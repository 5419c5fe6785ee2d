"""Questions and orders from people at this machine: a Unix socket in the data directory, one JSON object a line.

::

    {"ask": "ping"}                                                -> {"ok": true, "version": "…", "pid": 123}
    {"ask": "why", "name": "ann"}                                  -> {"ok": true, "found": […]}
    {"ask": "server"}                                              -> {"ok": true, "figures": […], …}
    {"ask": "act", "kind": "forget", "subject": "ann", "game_type": "", "why": "…"}
    {"ask": "act", "kind": "ban", "subject": "ann", "seconds": 3600, "why": "…"}
    {"ask": "act", "kind": "adjudicate", "subject": "…id of a game…", "results": {"ann": "won", "": "lost"}, "why": "…"}
    {"ask": "act", "kind": "pair", "game_type": "…", "seats": ["ann", "ben"], "setup": "", "why": "…",
     "options": {"board_size": "7"}}
                                                                   -> {"ok": true, "game": "…its id…"}
    {"ask": "act", "kind": "broadcast", "subject": "…a text…", "everybody": true, "why": "…"}
    {"ask": "order", "kind": "pause", "championship": "spring", "subject": "", "who": "eve", "why": "lunch"}
    {"ask": "order", "kind": "correct", "championship": "spring", "subject": "…id of a game…", "who": "eve", "why": "…",
     "results": {"ann": "won", "ben": "lost"}}
    {"ask": "reread"}                                              -> {"ok": true}
    {"ask": "plan", "plan": {…the keys of a plan file…}, "who": "eve"}
    {"ask": "edit", "plan": {…all keys of the new plan…}, "who": "eve", "why": "…"}

A refused request is answered with ``{"ok": false, "error": "…"}``. A client of the socket may order anything, so only
the server's own user may connect (mode 0600); the actor of an act is that user, behind
the name in "who". :mod:`ugs.admin` is the other end.
"""

import json
import os
import pwd
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeAlias

import structlog
import trio

from ugs import __version__
from ugs.admin import TO_ALL
from ugs.broker.values.questions import Act, ActKind, EditAsked, Order, OrderKind, PlanAsked, Question, WhyAsked
from ugs.championship.plan import MAX_SEATS, Plan, PlanError, parse_plan
from ugs.daemon.network.unix_sockets import listening_at, user_behind
from ugs.daemon.processes.supervision import Supervisor
from ugs.declared import WrongValues
from ugs.setting_types import OptionTable

MAX_LINE_BYTES = 1_048_576
"""Bytes of one request."""
MAX_CLIENTS = 32
"""Connections at a time; one more is turned away."""
PATIENCE_S = 60.0
"""Seconds that a client has to send its next request, and to take an answer."""
LINGER_S = 1.0
"""Seconds that a client which is turned away has to read why."""
CHUNK = 65_536

Request: TypeAlias = Mapping[str, Any]
Answer: TypeAlias = Mapping[str, object]


class Answering(Protocol):
    """Answers requests, as :class:`ugs.daemon.questions.Questions` does."""

    def ask(self, question: Question) -> Mapping[str, object]:
        """Ask the broker, or order it; its answer."""
        ...

    def round_trip_us(self, conn: int) -> int:
        """Network round trip of a connection in microseconds; 0 when it is not known."""
        ...


class StatusSource(Protocol):
    """Reports on the server as a whole, as :class:`ugs.daemon.status.figures.Status` does."""

    def answer(self) -> Mapping[str, object]:
        """The whole report."""
        ...


class AdminRequest(NamedTuple):
    """A request, who asks, and who can answer."""

    request: Request
    who: str
    """The user at the socket."""
    server: Answering
    status: StatusSource
    read_again: Callable[[], str]
    """Reads what organisers may have changed in files; returns what is wrong with one of them."""


class BadRequest(Exception):
    """A request that makes no sense; the text names field, value and what is allowed."""


async def serve_admin(
    path: Path,
    server: Answering,
    status: StatusSource,
    read_again: Callable[[], str] = lambda: "",
    supervisor: Supervisor | None = None,
    task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Answer at a Unix socket at ``path`` until cancelled; its file is removed at the end.

    A file that a killed server has left is replaced. Raises OSError, whose text names what was tried, when another
    server listens there, when a file lies there that is no socket, or when the system refuses a socket.
    """
    desk = AdminDesk(server, status, read_again)
    with ExitStack() as stack:
        opened = [stack.enter_context(_listening(path))]

        async def answer() -> None:
            listener = opened.pop() if opened else stack.enter_context(_listening(path))  # Trio has closed the first
            await trio.serve_listeners(desk.serve, [listener])

        task_status.started()
        await (supervisor or Supervisor()).run("admin", answer)


@contextmanager
def _listening(path: Path) -> Iterator[trio.SocketListener]:
    """A listener whose file is there while the block runs."""
    with listening_at(path) as sock:
        yield trio.SocketListener(trio.socket.from_stdlib_socket(sock))


class AdminDesk:
    """Reads requests, asks the server, and answers, each client in a task of its own."""

    def __init__(
        self,
        server: Answering,
        status: StatusSource,
        read_again: Callable[[], str] = lambda: "",
        *,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._server = server
        self._status = status
        self._read_again = read_again
        self._patience_s = patience_s
        self._clients = 0
        self._log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs")

    async def serve(self, stream: trio.SocketStream) -> None:
        """Answer one client until it hangs up, sends too long a request, or sends nothing for too long."""
        self._clients += 1
        try:
            async with stream:
                if self._clients > MAX_CLIENTS:
                    await self._turn_away(stream, _refusal(f"{MAX_CLIENTS} others are asking: try again"))
                else:
                    await self._converse(stream)
        except (trio.BrokenResourceError, trio.TooSlowError, OSError):
            pass  # it has gone
        except Exception:  # it costs this client its answer
            self._log.exception("bug in the server", during="a client of the admin socket")
        finally:
            self._clients -= 1

    async def _converse(self, stream: trio.SocketStream) -> None:
        received, who = bytearray(), user_at(stream)
        while True:
            with trio.fail_after(self._patience_s):
                end = await _receive_line(stream, received)
            if end is None:
                await self._turn_away(stream, _refusal(f"a request has at most {MAX_LINE_BYTES} bytes"))
                return
            line = bytes(received[:end])
            if not line.strip():
                if end == len(received):
                    return
            else:
                await self._send(stream, self.answer(line, who))
            del received[: end + 1]

    async def _turn_away(self, stream: trio.SocketStream, refusal: bytes) -> None:
        """Send the reason, and read on for a moment: closing with unread bytes would make the system drop the
        answer."""
        await self._send(stream, refusal)
        await stream.send_eof()
        with trio.move_on_after(LINGER_S):
            while await stream.receive_some(CHUNK):
                pass

    async def _send(self, stream: trio.SocketStream, answer: bytes) -> None:
        with trio.fail_after(self._patience_s):
            await stream.send_all(answer + b"\n")

    def answer(self, line: bytes, who: str = "") -> bytes:
        """The answer to one request of the user ``who``, without the end of its line. Raises nothing."""
        try:
            request = _parsed(line)
        except BadRequest as error:
            return _refusal(str(error))
        return json.dumps(self.reply(request, who)).encode()

    def reply(self, request: Request, who: str) -> Answer:
        """The same for a request that has been read. Raises nothing."""
        try:
            asked = _text(request, "ask")
            if asked not in ASKS:
                raise BadRequest(f"ask = {asked!r}: allowed: {', '.join(ASKS)}")
            answer, keys = ASKS[asked]
            for key in request.keys() - keys - ALWAYS:
                raise BadRequest(
                    f"unknown key {key!r}; allowed with ask = {asked!r}: {', '.join(sorted(keys)) or 'none'}"
                )
            return answer(AdminRequest(request, who, self._server, self._status, self._read_again))
        except (BadRequest, PlanError) as error:
            return _no(str(error))
        except Exception:  # a bug in the server: it may cost this answer, not a contest
            self._log.exception("bug in the server", during="a question of an admin")
            return _no("a bug in the server; see its log")


def user_at(stream: trio.SocketStream) -> str:
    """The user of the operating system at the other end; a number where the system knows no name."""
    user = user_behind(stream.socket)
    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return f"user {user}"


async def _receive_line(stream: trio.SocketStream, received: bytearray) -> int | None:
    """Receive until there is a whole line. Returns where it ends (the end of the stream ends it, too), or None when it
    is too long."""
    looked_at = 0
    while (end := received.find(b"\n", looked_at)) < 0:
        looked_at = len(received)
        if looked_at > MAX_LINE_BYTES:
            return None
        data = await stream.receive_some(CHUNK)
        if not data:
            return looked_at
        received += data
    return end if end <= MAX_LINE_BYTES else None


def _refusal(error: str) -> bytes:
    return json.dumps(_no(error)).encode()


def _no(error: str) -> Answer:
    return {"ok": False, "error": error}


# What can be asked.


def _ping(_asked: AdminRequest) -> Answer:
    return {"ok": True, "version": __version__, "pid": os.getpid()}


def _server(asked: AdminRequest) -> Answer:
    return asked.status.answer()


def _reread(asked: AdminRequest) -> Answer:
    """Tokens that have been made or revoked hold at once after this, and so does the file of who may come in."""
    wrong = asked.read_again()
    return _no(wrong) if wrong else {"ok": True}


def _act(asked: AdminRequest) -> Answer:
    request = asked.request
    kind = _text(request, "kind")
    if kind not in list(ActKind):
        raise BadRequest(f"kind = {kind!r}: allowed: {', '.join(ActKind)}")
    act = Act(
        ActKind(kind),
        _text(request, "subject", may_be_empty=kind in ACTS_WITHOUT_SUBJECT),
        _actor(asked),
        _text(request, "why", may_be_empty=kind == ActKind.RESUME),
        _text(request, "game_type", may_be_empty=True),
        _seconds(request),
        _words(request),
        _yes_or_no(request, TO_ALL),
        _seats(request),
        _text(request, "setup", may_be_empty=True),
        _yes_or_no(request, "force", otherwise=True),
        options=_options(request),
    )
    return asked.server.ask(act)


def _actor(asked: AdminRequest) -> str:
    """Who acts: the user at the socket, behind the name that it goes by if it gives one."""
    name = _text(asked.request, "who", may_be_empty=True)
    # The page knows its organisers by name, and no user of the system behind them.
    return f"{name} ({asked.who})" if name and asked.who not in ("", name) else name or asked.who


ACTS_WITHOUT_SUBJECT = frozenset({ActKind.PAUSE, ActKind.RESUME, ActKind.DRAIN, ActKind.PAIR})
MAX_SECONDS = 10 * 365 * 86_400
"""Ten years."""


def _seconds(request: Request) -> float | None:
    value = request.get("seconds")
    if value is None:
        return None
    # A bool is an int in Python: "seconds": true would be a ban of one second.
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MAX_SECONDS:
        raise BadRequest(f"seconds = {value!r}: a number from 0 to {MAX_SECONDS} is wanted, or none")
    return float(value)


def _yes_or_no(request: Request, key: str, *, otherwise: bool = False) -> bool:
    value = request.get(key, otherwise)
    if not isinstance(value, bool):
        raise BadRequest(f"{key} = {value!r}: true or false is wanted")
    return value


def _seats(request: Request) -> tuple[str, ...]:
    value = request.get("seats", [])
    if not isinstance(value, list) or len(value) > MAX_SEATS or not all(isinstance(nick, str) for nick in value):
        raise BadRequest(f"seats = {value!r}: a list of at most {MAX_SEATS} nicks is wanted")
    return tuple(value)


def _options(request: Request) -> Mapping[str, str]:
    try:
        return OptionTable(options=request.get("options", {})).options
    except WrongValues as error:
        raise BadRequest(error.lines("act")[0]) from None


def _words(request: Request) -> Mapping[str, str]:
    value = request.get("results", {})
    if not isinstance(value, dict) or not all(isinstance(word, str) for word in value.values()):
        raise BadRequest(f"results = {value!r}: a table of nicks is wanted, each with won, lost or drawn")
    return value


def _why(asked: AdminRequest) -> Answer:
    """The broker's answer; each peer in it gets ``round_trip_us``, which only the system knows."""
    server = asked.server
    answer = server.ask(WhyAsked(_text(asked.request, "name")))
    found = answer.get("found", ())
    assert isinstance(found, list | tuple)
    for one in found:
        for peer in one.get("peers", ()):
            peer["round_trip_us"] = server.round_trip_us(peer["conn"])
    return answer


def _order(asked: AdminRequest) -> Answer:
    request = asked.request
    kind = _text(request, "kind")
    if kind not in list(OrderKind):
        raise BadRequest(f"kind = {kind!r}: allowed: {', '.join(OrderKind)}")
    order = Order(
        OrderKind(kind),
        _text(request, "championship"),
        _text(request, "who"),
        _text(request, "why", may_be_empty=kind == OrderKind.RESUME),
        _text(request, "subject", may_be_empty=kind in WITHOUT_SUBJECT),
        _results(request, needed=kind in (OrderKind.CORRECT, OrderKind.ADJUDICATE)),
        _round(request, needed=kind == OrderKind.BYE),
    )
    return asked.server.ask(order)


def _results(request: Request, *, needed: bool) -> Mapping[str, str]:
    results = request.get("results", None if needed else {})
    if not isinstance(results, dict) or not all(isinstance(word, str) for word in results.values()):
        raise BadRequest(f"results = {results!r}: a table of nicks is wanted, each with won, lost or drawn")
    return results


def _round(request: Request, *, needed: bool) -> int:
    number = request.get("round", None if needed else 0)
    if not isinstance(number, int):
        raise BadRequest(f"round = {number!r}: a whole number is wanted")
    return number


def _plan(asked: AdminRequest) -> Answer:
    plan = _plan_in(asked.request)
    return asked.server.ask(
        PlanAsked(plan, _text(asked.request, "who"), _begins_in_s(plan, time.time()), _date_s(plan))
    )


def _edit(asked: AdminRequest) -> Answer:
    request = asked.request
    plan = _plan_in(request)
    return asked.server.ask(
        EditAsked(
            plan,
            _text(request, "who"),
            _text(request, "why"),
            _begins_in_s(plan, time.time(), past=True),
            _date_s(plan),
        )
    )


def _date_s(plan: Plan) -> float | None:
    """The present moment in seconds since 1970, for a plan whose rounds have dates."""
    return time.time() if plan.round_dates else None


def _plan_in(request: Request) -> Plan:
    values = request.get("plan")
    if not isinstance(values, dict):
        raise BadRequest("plan is missing" if values is None else f"plan = {values!r}: a table of keys is wanted")
    return parse_plan(values, "plan")


ALWAYS = frozenset({"ask", "who"})
"""Keys of any request."""
ASKS: dict[str, tuple[Callable[[AdminRequest], Answer], frozenset[str]]] = {
    "ping": (_ping, frozenset()),
    "server": (_server, frozenset()),
    "why": (_why, frozenset({"name"})),
    "order": (_order, frozenset({"kind", "championship", "subject", "why", "results", "round"})),
    "plan": (_plan, frozenset({"plan", "why"})),
    "edit": (_edit, frozenset({"plan", "why"})),
    "act": (
        _act,
        frozenset(
            {"kind", "subject", "why", "game_type", "seconds", "results", TO_ALL, "seats", "setup", "force", "options"}
        ),
    ),
    "reread": (_reread, frozenset()),
}
"""What answers each, and its other keys: a misspelt one is refused, so that no ban is for good by mistake."""


WITHOUT_SUBJECT = frozenset({OrderKind.PAUSE, OrderKind.RESUME, OrderKind.CANCEL})


def _begins_in_s(plan: Plan, now: float, *, past: bool = False) -> float | None:
    """Seconds from ``now`` (since 1970) to the hour of a plan; None when it has none. An hour without a time zone is
    local time. An hour that is over is refused unless it may be ``past``: then it is none."""
    if plan.hour is None:
        return None
    try:
        seconds = plan.hour.timestamp() - now
    except (ValueError, OverflowError):
        raise BadRequest(f"plan: begins_at = {plan.begins_at!r}: this hour does not exist: clocks go forward") from None
    if seconds < 0 and past:
        return None
    if seconds < 0:
        raise BadRequest(f"plan: begins_at = {plan.begins_at!r}: this hour is over")
    return seconds


def _parsed(line: bytes) -> Request:
    try:
        request = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadRequest(f"a request is one line of JSON; this is none: {error}") from None
    if not isinstance(request, dict):
        raise BadRequest("a request is a JSON object with the key ask")
    return request


def _text(request: Request, key: str, *, may_be_empty: bool = False) -> str:
    value = request.get(key, "" if may_be_empty else None)
    if value is None:
        raise BadRequest(f"{key} is missing")
    if not isinstance(value, str):
        raise BadRequest(f"{key} = {value!r}: a text is wanted")
    if not value and not may_be_empty:
        raise BadRequest(f"{key} is empty")
    return value
