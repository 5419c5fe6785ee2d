"""Spectators of games, and what they are shown."""

from collections.abc import Sequence
from typing import Any

from tests.broker.house import CHESS, House, Peer, move, turn
from ugs.wire.extensions import (
    EventKind,
    Failed,
    Family,
    GameEvent,
    RefusalReason,
    SeatInfo,
    SeatKind,
    SeatState,
    Watch,
    WatchFrom,
    Watching,
)
from ugs.wire.messages import Message

BEGIN = WatchFrom.BEGIN
SEATS = (SeatInfo("ann", SeatKind.HUMAN, SeatState.PLAYING), SeatInfo("ben", SeatKind.HUMAN, SeatState.PLAYING))


def body(number: int) -> bytes:
    """A state that is like no other one."""
    return b'<gameState n="%d"/>' % number


def spectator(house: House, message: Watch | None = None, *families: Family) -> Peer:
    """A peer with watch and these families; with a message, one who has said it."""
    peer = house.greets(Family.WATCH, *families)
    if message is not None:
        peer.says(message)
    return peer


def shown(number: int, *next_players: str, state: bytes = b"", seats: Sequence[SeatInfo] = SEATS) -> Watching:
    """Game g1 as it is shown to who begins to watch."""
    return Watching("g1", CHESS, number, tuple(seats), (), next_players, state)


def event(number: int, after_s: float, what: EventKind, **more: Any) -> GameEvent:
    """An event of game g1."""
    return GameEvent("g1", number, after_s, what, **more)


def refusal(peer: Peer) -> RefusalReason:
    """Why the one request was refused."""
    (heard,) = peer.hears()
    assert isinstance(heard, Failed)
    return heard.code


def numbers(heard: Sequence[Message]) -> list[int]:
    """Those of the events."""
    return [one.number for one in heard if isinstance(one, GameEvent)]


def play(house: House, master: Peer, *players: Peer, moves: int, first: int = 0) -> None:
    """``moves`` moves by turns, one second each, each answered with a state of its own."""
    nicks = [player.name for player in players]
    for number in range(first, first + moves):
        house.passes(1)
        players[number % len(players)].says(move("g1"))
        master.says(turn("g1", nicks[(number + 1) % len(players)], body(number + 1)))
