"""What a server sends, as elements that can be written in any way. No I/O."""

from collections.abc import Iterable, Mapping, Sequence

from ugs.check.xml_spelling import Content, SpelledElement, element


def message(type: str, /, *children: Content, **attributes: str) -> SpelledElement:
    """A document."""
    return SpelledElement("message", (("type", type), *attributes.items()), children)


def accepted() -> SpelledElement:
    """The login is accepted."""
    return message("loginResponse", element("response", accept="yes"))


def refused(number: str) -> SpelledElement:
    """The login is refused, for this reason."""
    return message("loginResponse", element("response", accept="no"), element("error", id=number))


def champions(rows: Iterable[tuple[str, int, int]]) -> SpelledElement:
    """The table: nicks with games won and lost."""
    found = [element("player", nick=nick, won=str(won), lost=str(lost)) for nick, won, lost in rows]
    return message("championsList", *found)


def state(game: str, next_player: str, payload: bytes) -> SpelledElement:
    """A state that asks for a move."""
    return message("gameState", element("gameId", id=game), element("nextPlayer", nick=next_player), payload)


def states(game: str, payloads: Sequence[bytes], ref: str) -> SpelledElement:
    """The states before the present one."""
    shown = [element("shown", payload) for payload in payloads]
    return message("x-states", element("gameId", id=game), *shown, **({"ref": ref} if ref else {}))


def over(game: str, results: Mapping[str, str], payload: bytes) -> SpelledElement:
    """The last state."""
    players = [element("player", nick=nick, result=result) for nick, result in results.items()]
    return message("gameState", element("gameId", id=game), element("gameOver", *players), payload)


def begin(game: str, nicks: Sequence[str], *more: Content) -> SpelledElement:
    """A game to lead."""
    return message("beginGame", element("gameId", id=game), *(element("player", nick=nick) for nick in nicks), *more)


def move(game: str, payload: bytes) -> SpelledElement:
    """A move for a master."""
    return message("move", element("gameId", id=game), payload)


def moved(game: str, nick: str, payload: bytes) -> SpelledElement:
    """A move for a master with ``movers``."""
    return message("x-moved", element("gameId", id=game), element("player", nick=nick), payload)


def left(nick: str, game: str) -> SpelledElement:
    """A player is gone."""
    return message("playerLeftGame", element("player", nick=nick), element("gameId", id=game))


def error(text: str) -> SpelledElement:
    """Something was wrong."""
    return message("error", text)


def shutdown() -> SpelledElement:
    """The server stops."""
    return message("serverShutdown")


def hello(families: Iterable[str]) -> SpelledElement:
    """These families were granted."""
    return message("x-hello", *(element("ext", name=name) for name in families))


def failed(code: str, text: str, ref: str = "") -> SpelledElement:
    """A request is refused."""
    return message("x-failed", element("reason", text, code=code), **({"ref": ref} if ref else {}))


def ok(ref: str = "") -> SpelledElement:
    """A request is granted."""
    return message("x-ok", **({"ref": ref} if ref else {}))


def session(token: str, nick: str, *, resumed: bool, turn: bool | None = None) -> SpelledElement:
    """The token of a session. ``turn`` is whether the state that follows wants a move; None: none follows."""
    turns = {} if turn is None else {"turn": "yes" if turn else "no"}
    attributes = {"token": token, "nick": nick, "resumed": "yes" if resumed else "no", "graceSec": "60", **turns}
    return message("x-session", element("session", **attributes))


def ping(ref: str = "") -> SpelledElement:
    """Are you alive?"""
    return message("x-ping", **({"ref": ref} if ref else {}))


def pong(ref: str = "") -> SpelledElement:
    """I am."""
    return message("x-pong", **({"ref": ref} if ref else {}))


def warning(scope: str, state: str, left: str, game: str = "") -> SpelledElement:
    """Silent for long, or short of time."""
    where = (element("gameId", id=game),) if game else ()
    return message("x-warning", *where, element("warn", scope=scope, state=state, leftSec=left))


def clock(game: str, nicks: Iterable[str], ref: str = "") -> SpelledElement:
    """How much time is left."""
    players = [element("player", nick=nick, leftSec="271.5", moveLeftSec="28.25", roundTripMs="0.2") for nick in nicks]
    return message("x-clock", element("gameId", id=game), *players, **({"ref": ref} if ref else {}))


def reason(game: str, code: str, text: str, nick: str) -> SpelledElement:
    """The rule that a player broke."""
    return message("x-reason", element("gameId", id=game), element("cause", text, code=code, nick=nick))


def verdict(game: str, nicks: Sequence[str], cause: str = "finished", fault: str = "none") -> SpelledElement:
    """Why a game ended."""
    seats = [element("seat", nick=nick, outcome="won" if place == 0 else "lost") for place, nick in enumerate(nicks)]
    attributes = element("verdict", cause=cause, fault=fault)
    return message("x-verdict", element("gameId", id=game), attributes, element("account", f"{nicks[0]} won"), *seats)


def seats(game: str, nicks: Iterable[str]) -> SpelledElement:
    """Who sits where."""
    found = [element("seat", nick=nick, kind="human", state="PLAYING", label=nick) for nick in nicks]
    return message("x-seats", element("gameId", id=game), element("comment", "all are here"), *found)


def game_ended(game: str, result: str = "COMPLETED", why: str = "FINISHED") -> SpelledElement:
    """Why a game at a table ended."""
    return message("x-gameEnded", element("gameId", id=game), element("end", result=result, reason=why, comment=""))


def chat_text(nick: str, to: str, text: str) -> SpelledElement:
    """A chat message from ``nick``."""
    return message("x-said", element("from", nick=nick), element("to", nick=to), element("text", text))


def stop(game: str) -> SpelledElement:
    """A game has been ended."""
    return message("x-stop", element("gameId", id=game), element("end", reason="CANCELLED"))
