"""What the page of a person asks, as objects whose ``do`` is a key of :data:`REQUESTS`::

{"do": "login", "nick": "ann", "game_type": "…", "token": "…"}       {"do": "resume", "token": "…", "game_type": "…"}
{"do": "resume", …, "ended": {"id": "…", …}}           it looked at the end of this game when it was here last
{"do": "wait"}                                         for one game with any opponent
{"do": "host", "seats": 2, "computers": 1, "public": false, "options": {"mode": "ADULT"}}
{"do": "join", "id": "…"}   {"do": "start"}            at a table
{"do": "move", "number": 7, "offer": 3}                the third offer of the position with this number
{"do": "note", "text": "…"}                            what it thinks, before its move: a remark of its seat
{"do": "quit"}   {"do": "logout"}
{"do": "again"}                                        it has looked at the end of its game
{"do": "same", "setting": {…}}                         … and wants the same again: ``setting`` is the one of that game
{"do": "look"}                                         which tables are there?
{"do": "why"}                                          why did my game end so, or what do I wait for?
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Final

import msgspec

from ugs import __version__
from ugs.page.server.play.person_state import (
    LEAVE,
    LOOK,
    NOTE,
    QUIET,
    SAME,
    Enter,
    GamePlayed,
    Leave,
    PersonPhase,
    PersonSeat,
    Step,
)
from ugs.wire import extensions as x
from ugs.wire.escaping import written_value
from ugs.wire.messages import Choice, Logout, Move, PlayerLogin

_FAMILIES: Final = (x.Family.SESSION, x.Family.STATE, x.Family.LOBBY, x.Family.CLOCK, x.Family.REASON, x.Family.SKETCH)
FAMILIES: Final = tuple(map(str, (*_FAMILIES, x.Family.REMARK)))
MAX_CHARACTERS: Final = 200
"""Characters of a text that the page may send; nicks, options and the like are shorter."""
MAX_SECRET: Final = 128
"""Characters of the token of a name."""
MAX_TOKEN: Final = 500
MAX_OPTIONS: Final = 40
MAX_NOTE: Final = 500
"""Characters of a note: with any of them it fits a remark."""
MAX_SEATS: Final = 100
"""Seats of an ended game that a page may send back."""


class _EndedGame(msgspec.Struct):
    """The end of a game as a page was shown it: :meth:`PersonSeat.view`."""

    id: str
    number: int
    halted: bool
    seats: Annotated[list[x.SeatInfo], msgspec.Meta(max_length=MAX_SEATS)]
    verdict: dict[str, str]


class UnfitRequest(ValueError):
    """The page has asked for something impossible; the text names it."""


def asked(seat: PersonSeat, request: Mapping[str, Any]) -> list[Step]:
    """The page asks for something: the steps to be taken, in order. Raises WrongRequest."""
    name = request.get("do")
    known = REQUESTS.get(name) if isinstance(name, str) else None
    if known is None:
        raise UnfitRequest(f"do: expected one of {', '.join(REQUESTS)}")
    phases, answer = known
    if seat.phase not in phases:
        raise UnfitRequest(f"{name}: not possible now ({seat.phase})")
    return answer(seat, request)


def login(seat: PersonSeat, request: Mapping[str, Any]) -> list[Step]:
    """It comes. The token of its name, if it has one, goes no further than to the server."""
    shown = _text(request, "token", MAX_SECRET) if request.get("token") else ""
    seat.nick, seat.game_type = _text(request, "nick"), _text(request, "game_type")
    seat.token, seat.notes, seat.account, seat.game, seat.refusal = "", [], "", None, ""
    seat.phase = PersonPhase.COMING
    return [Enter(), _hello(shown), PlayerLogin(seat.nick, seat.game_type)]


def resume(seat: PersonSeat, request: Mapping[str, Any]) -> list[Step]:
    """It comes back, to the game that goes on, or to the end of its last one."""
    seat.token, seat.game_type = _text(request, "token", MAX_TOKEN), _text(request, "game_type")
    seat.notes, seat.game, seat.waited = [], _ended(request), request.get("waited") is True
    seat.phase = PersonPhase.COMING
    return [Enter(), _hello(), x.Resume(seat.token, ref="resume")]


def _ended(request: Mapping[str, Any]) -> GamePlayed | None:
    """The game whose end the page showed when it was here last; None if it showed none. Raises UnfitRequest."""
    if request.get("ended") is None:
        return None
    try:
        game = msgspec.convert(request["ended"], _EndedGame)
    except msgspec.ValidationError as error:
        raise UnfitRequest(f"ended: {error}") from None
    for name in (game.id, *(one.nick for one in game.seats)):  # the others may be invited
        _short("ended", name)
    return GamePlayed(
        game.id,
        seats=game.seats,
        number=game.number,
        over=True,
        halted=game.halted,
        thanked=True,
        verdict=game.verdict,
    )


def wait(seat: PersonSeat, _request: Mapping[str, Any]) -> list[Step]:
    """It wants to play any opponent."""
    # once: a person wants to look at the end of a game before the next one begins.
    return [x.Wait("wait", once=True)]


def host(seat: PersonSeat, request: Mapping[str, Any]) -> list[Step]:
    """It sets up a table."""
    return [x.Advertise(_new_table(seat, request), "host")]


def _new_table(seat: PersonSeat, request: Mapping[str, Any], invited: Sequence[str] = ()) -> x.NewTable:
    """The table that is asked for. Raises UnfitRequest."""
    seats, computers = _number(request, "seats"), _number(request, "computers")
    options = request.get("options", {})
    if not isinstance(options, dict) or len(options) > MAX_OPTIONS:
        raise UnfitRequest(f"options: expected at most {MAX_OPTIONS} names with texts")
    chosen = tuple(Choice(_short("options", name), _short("options", value)) for name, value in options.items())
    visibility = x.Visibility.PUBLIC if request.get("public") is True else x.Visibility.PRIVATE
    return x.NewTable(f"table of {seat.nick}"[:40], seats, visibility, computers, chosen, tuple(invited))


def join(seat: PersonSeat, request: Mapping[str, Any]) -> list[Step]:
    """It sits down at a table."""
    return [x.Join(_text(request, "id"), "join")]


def start(seat: PersonSeat, _request: Mapping[str, Any]) -> list[Step]:
    """The game at its table is to begin."""
    return [x.Start("start")]


def move(seat: PersonSeat, request: Mapping[str, Any]) -> list[Step]:
    """It moves."""
    game = seat.game
    assert game is not None
    offers = game.hand.offers if game.hand is not None else ()
    number, offer = _number(request, "number"), _number(request, "offer")
    # A click on a position that has gone must not become a move in the new one.
    if number != game.number or not offers:
        raise UnfitRequest("move: the position has changed meanwhile")
    if offer >= len(offers):
        raise UnfitRequest(f"move: offer {offer}: there are {len(offers)}")
    # Cleared at once, so that a second click finds no offers.
    game.own_move, game.hand, game.next = offers[offer].move, None, ""
    return [Move(game.id, game.own_move)]


def note(seat: PersonSeat, request: Mapping[str, Any]) -> list[Step]:
    """It notes what it thinks of the position, before its move. Its opponents are sent none of it."""
    assert seat.game is not None
    return [x.Remark(seat.game.id, plan=_text(request, "text", MAX_NOTE), ref=NOTE)]


def quit(seat: PersonSeat, _request: Mapping[str, Any]) -> list[Step]:
    """It gives its game up, gets up from its table, or does not want to wait any more."""
    if seat.phase is PersonPhase.PLAYING:
        return [x.Quit(LEAVE)]
    # Who has set up a table cancels it; the others only get up.
    own = seat.phase is PersonPhase.TABLE and seat.table.get("owner") == seat.nick
    return [x.Cancel("quit") if own else x.Quit("quit")]


def again(seat: PersonSeat, _request: Mapping[str, Any]) -> list[Step]:
    """It has looked at the end of its game."""
    seat.phase, seat.account, seat.notes = PersonPhase.LOBBY, "", []
    return list(LOOK)


def same(seat: PersonSeat, request: Mapping[str, Any]) -> list[Step]:
    """It wants the same game once more: with any opponent if it had waited for one, else at a table like the last one.
    The others of that game are invited; if one of them has set it up already, it sits down there."""
    setting = request.get("setting")
    if not isinstance(setting, dict):
        raise UnfitRequest("setting: expected an object")
    if setting.get("do") == "wait":
        return [*again(seat, request), *wait(seat, request)]
    others = seat.opponents
    wanted = _new_table(seat, setting, others)
    steps = again(seat, request)
    if not others:
        return [*steps, x.Advertise(wanted, "host")]
    seat.wanted, seat.crossed = wanted, 0
    return [x.ListGameTypes(QUIET), x.ListTables(SAME)]


def look(seat: PersonSeat, _request: Mapping[str, Any]) -> list[Step]:
    """It looks which tables there are."""
    return list(LOOK)


def why(seat: PersonSeat, _request: Mapping[str, Any]) -> list[Step]:
    """It asks why its game ended so, or what it waits for."""
    game = seat.game if seat.phase is PersonPhase.OVER else None
    return [x.Why(game.id if game is not None else "", last=0)]


def logout(seat: PersonSeat, _request: Mapping[str, Any]) -> list[Step]:
    """It goes. What it was told before is not for who comes in next."""
    seat.notes = []
    seat.goes("")
    return [Logout(), Leave()]


_IN: Final = frozenset(
    {PersonPhase.LOBBY, PersonPhase.WAITING, PersonPhase.TABLE, PersonPhase.PLAYING, PersonPhase.OVER}
)

REQUESTS: Final[Mapping[str, tuple[frozenset[PersonPhase], Callable[[PersonSeat, Mapping[str, Any]], list[Step]]]]] = {
    "login": (frozenset({PersonPhase.OUT}), login),
    "resume": (frozenset({PersonPhase.OUT}), resume),
    "wait": (frozenset({PersonPhase.LOBBY}), wait),
    "host": (frozenset({PersonPhase.LOBBY}), host),
    "join": (frozenset({PersonPhase.LOBBY}), join),
    "start": (frozenset({PersonPhase.TABLE}), start),
    "move": (frozenset({PersonPhase.PLAYING}), move),
    "note": (frozenset({PersonPhase.PLAYING}), note),
    "quit": (frozenset({PersonPhase.WAITING, PersonPhase.TABLE, PersonPhase.PLAYING}), quit),
    "again": (frozenset({PersonPhase.OVER}), again),
    "same": (frozenset({PersonPhase.OVER}), same),
    "look": (frozenset({PersonPhase.LOBBY}), look),
    "why": (_IN, why),
    "logout": (_IN, logout),
}
"""When each request is possible, and what it leads to."""


def _hello(token: str = "") -> x.Hello:
    return x.Hello(FAMILIES, "ugs page", __version__, token=token)


def _text(request: Mapping[str, Any], name: str, longest: int = MAX_CHARACTERS) -> str:
    return _short(name, request.get(name), longest)


def _short(name: str, value: object, longest: int = MAX_CHARACTERS) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= longest:
        raise UnfitRequest(f"{name}: expected a text of 1 to {longest} characters")
    try:
        # Checked here, where the field can be named; the writer of messages would fail as by a bug.
        written_value(value)
    except ValueError:
        raise UnfitRequest(f"{name}: holds a character that no message can hold") from None
    return value


def _number(request: Mapping[str, Any], name: str) -> int:
    value = request.get(name)
    if type(value) is not int or not 0 <= value <= 1_000_000_000:
        raise UnfitRequest(f"{name}: expected a whole number from 0")
    return value
