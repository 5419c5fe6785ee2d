"""Whose silence a timer judges, so that the shell can read the messages of these peers first."""

from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Final

from ugs.broker.events import Timer, TimerKind
from ugs.broker.state.connection import Newcomer, Peer
from ugs.broker.state.model import Game
from ugs.broker.state.phases import Phase
from ugs.broker.state.server_state import ServerState

RETURNS: Final = (TimerKind.GRACE, TimerKind.RETURN)
"""Timers that wait for a player to come back."""
NEWEST: Final = 200
"""The latest connections, which are searched for newcomers: a player who comes back at the last moment is among
them."""


def awaited(server: ServerState, timer: Timer) -> list[int]:
    """Return the connections of the peers that are at fault when this timer runs out; empty if no peer is. A player who
    has to come back may be on any connection that has not logged in yet."""
    if timer.kind is TimerKind.LOGIN:
        return [int(timer.subject)]
    if timer.kind in RETURNS:
        return _newcomers(server)
    game = server.games.get(str(timer.subject)) if timer.kind is TimerKind.GAME else None
    if game is None:
        return []
    return [peer.conn for peer in AWAITED[game.phase](game) if not peer.away]


def _newcomers(server: ServerState) -> list[int]:
    # Bounded: a timer must not read from thousands who have connected and say nothing.
    newest = islice(reversed(server.connections.values()), NEWEST)
    return [connection.conn for connection in newest if isinstance(connection.peer, Newcomer)]


def _movers(game: Game) -> Iterable[Peer]:
    return game.turn.movers


def _master(game: Game) -> Iterable[Peer]:
    return [game.master]


def _owing(game: Game) -> Iterable[Peer]:
    return game.owing.values()


def _no_peer(_game: Game) -> Iterable[Peer]:
    return ()


AWAITED: Final[Mapping[Phase, Callable[[Game], Iterable[Peer]]]] = {
    Phase.BEGUN: _master,
    Phase.TURN: _movers,
    Phase.ANSWER: _master,
    Phase.ALONE: _master,
    Phase.AWAY: _no_peer,
    Phase.TAKING: _master,
    Phase.CLOSING: _no_peer,
    Phase.OVER: _owing,
}
"""The peers that must act in each phase of a game."""
