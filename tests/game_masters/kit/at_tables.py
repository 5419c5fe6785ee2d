"""Places at tables in the middle of a story, and what the server tells them."""

from game_masters.kit.client import Effect, Note, Send
from game_masters.kit.hosting import Guest, Host
from game_masters.tic_tac_toe import GAME
from ugs.wire.extensions import (
    Advertise,
    Advertised,
    EndResult,
    GameEnded,
    Joined,
    ListTables,
    NewTable,
    SeatInfo,
    SeatKind,
    Seats,
    SeatState,
    TableInfo,
    Tables,
    Visibility,
)
from ugs.wire.messages import (
    Choice,
    Message,
)

TYPE = GAME.game_type
FRIDAY = NewTable("Friday", 3, Visibility.PUBLIC)
JOINED, PLAYING, DISCONNECTED = SeatState.JOINED, SeatState.PLAYING, SeatState.DISCONNECTED


def info(table_id: str = "t1", name: str = "Friday", *options: Choice, seats: int = 3) -> TableInfo:
    return TableInfo(table_id, name, TYPE, "ada", seats, 1, 0, Visibility.PUBLIC, options)


def seats(*states: SeatState, table_id: str = "t1", programs: int = 0) -> Seats:
    nicks = ("ada", "ben", "cyd")
    humans = [SeatInfo(nick, SeatKind.HUMAN, state) for nick, state in zip(nicks, states, strict=False)]
    others = [SeatInfo(f"Elm {number}", SeatKind.PROGRAM, PLAYING) for number in range(programs)]
    return Seats(table_id, "somebody came", (*humans, *others))


def ended(result: EndResult = EndResult.CANCELLED, table_id: str = "t1") -> GameEnded:
    return GameEnded(table_id, result, "CANCELLED", "ada has cancelled it")


def said(effects: list[Effect] | None) -> list[Message]:
    assert effects is not None
    return [effect.message for effect in effects if isinstance(effect, Send)]


def does(effects: list[Effect] | None) -> list[Effect]:
    """Return what it does besides taking notes."""
    assert effects is not None
    return [effect for effect in effects if not isinstance(effect, Note)]


def notes(effects: list[Effect] | None) -> list[Note]:
    assert effects is not None
    return [effect for effect in effects if isinstance(effect, Note)]


def a_host(*, start_with: int | None = None, table: NewTable = FRIDAY) -> Host:
    """Return a host whose table is set up; only ada sits there."""
    host = Host(TYPE, table, start_with)
    assert said(host.sits_down()) == [Advertise(table, "seat 1")]
    host.receives(Advertised(info(), "seat 1"))
    host.receives(seats(JOINED))
    return host


def a_guest(wanted: str = "Friday") -> Guest:
    """Return a guest who has asked for tables and got no answer."""
    guest = Guest(TYPE, wanted)
    assert said(guest.sits_down()) == [ListTables("seat 1")]
    return guest


def a_guest_who_sits() -> Guest:
    guest = a_guest()
    guest.receives(Tables((info(),), "seat 1"))
    guest.receives(Joined(info(), "seat 2"))
    return guest
