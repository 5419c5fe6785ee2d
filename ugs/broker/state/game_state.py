"""States of a master: one for all (``gameState``), or one for each player."""

from collections.abc import Mapping
from typing import TypeAlias

from ugs.value import value
from ugs.wire.messages import GameState, PlayerResult

NOTHING = b"<gameState/>"
"""The payload for a player without a view of the master."""


@value
class StateMessages:
    """A state, or the end, of a game with a payload for each of some players."""

    game_id: str
    next_players: tuple[str, ...]
    """The nicks of the players who may move now; none when the game is over."""
    game_over: tuple[PlayerResult, ...] | None
    """The results of all players, when the game is over."""
    public: bytes
    """The payload of all who have none in ``private``."""
    private: Mapping[str, bytes]
    """Payloads by nick."""


MasterState: TypeAlias = GameState | StateMessages


def named_by(state: MasterState) -> tuple[str, ...]:
    """The nicks of the players who may move now; none when the game is over."""
    if isinstance(state, GameState):
        return () if state.next_player is None else (state.next_player,)
    return state.next_players


def payloads_of(state: MasterState) -> tuple[Mapping[str, bytes], bytes]:
    """Return the payloads of players that have their own, by nick, and the payload of all others."""
    return ({}, state.payload) if isinstance(state, GameState) else (state.private, state.public)
