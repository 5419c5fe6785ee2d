"""Games that have ended lately: what is known of them without a journal."""

from collections import OrderedDict
from dataclasses import field
from typing import Final

from ugs.broker.facts import GameOver
from ugs.broker.state.extras import Key
from ugs.broker.state.server_state import ServerState
from ugs.broker.verdict import GameResult, Reason
from ugs.value import state, value

MAX_SEATS: Final = 5000
"""Seats of all games that are remembered: about 1 MB. A game of two is forgotten after 2500 others."""


@value
class RecentGame:
    """How a game ended."""

    result: GameResult
    reason: Reason | None
    """Of its master, if it gave one."""
    with_program: bool
    """Whether the master played seats, which the result does not name."""


@state(eq=True)
class Recent:
    """With the server: how games ended, by id, oldest first."""

    ended: OrderedDict[str, RecentGame] = field(default_factory=OrderedDict)
    seats: int = 0


RECENT: Key[Recent] = Key("recent games", Recent)


def keep(server: ServerState, fact: GameOver) -> None:
    """A game is over: remember how, and forget the oldest ones."""
    recent, result = RECENT.of(server), fact.result
    closing = fact.game.closing
    reason = closing.reason if closing is not None else None
    recent.ended[result.game_id] = RecentGame(result, reason, fact.game.setting.computers)
    recent.seats += len(result.seats)
    while recent.seats > MAX_SEATS and len(recent.ended) > 1:
        _, forgotten = recent.ended.popitem(last=False)
        recent.seats -= len(forgotten.result.seats)


def find(server: ServerState, game_id: str) -> RecentGame | None:
    """Return how a game ended; None if it has not, or the end is forgotten."""
    return RECENT.of(server).ended.get(game_id)
