"""Games of so many moves that most of them are not in memory."""

from tests.broker.house import House, Peer, move, turn
from ugs.broker.state.history import MAX_RECENT_ENTRIES
from ugs.wire.extensions import PastMove

LONG = 2 * MAX_RECENT_ENTRIES
"""Moves of a long game."""


def payload(number: int) -> bytes:
    """The payload of this move."""
    return b"<move>%d</move>" % number


def plays_on(master: Peer, ann: Peer, ben: Peer, moves: int = LONG, first: int = 0) -> None:
    """ann and ben move by turns; ann begins."""
    for number in range(first, first + moves):
        mover, other = (ann, ben) if number % 2 == 0 else (ben, ann)
        mover.says(move("g1", payload(number)))
        master.says(turn("g1", other.name, b"<gameState>%d</gameState>" % number))
        for peer in (master, ann, ben):
            peer.hears()


def played(moves: int = LONG) -> list[PastMove]:
    """What a new master is told of that."""
    return [PastMove(("ann", "ben")[number % 2], payload(number)) for number in range(moves)]


def is_short(house: House) -> bool:
    """Whether little of the game is in memory."""
    history = house.game().history
    return history.earlier.events > 0 and len(history.entries) <= MAX_RECENT_ENTRIES + 2
