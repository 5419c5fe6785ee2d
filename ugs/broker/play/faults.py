"""Faults of players in a row: after several, a player is not seated again at once, so that a hanging program does not
lose one game after the other, and its opponents get to play."""

from typing import Final

from ugs.broker.facts import GameOver
from ugs.broker.state.model import Player
from ugs.broker.state.rests import REST, RESTING
from ugs.broker.state.server_state import ServerState
from ugs.broker.verdict import Cause

FIRST_REST_S: Final = 30.0
"""Seconds of the first rest; each further fault doubles it."""
MAX_REST_S: Final = 3600.0
OWN_FAULTS: Final = frozenset({Cause.TIMEOUT, Cause.ILLEGAL_MOVE})


def strike(server: ServerState, player: Player) -> str:
    """A player has been too late, or has broken a rule. After ``player_strikes`` such games in a row it rests; returns
    the text for it about that, to be appended to a sentence, or nothing."""
    strikes = player.type.settings.player_strikes
    rest = REST.of(player)
    rest.fault()
    # A rest keeps a player out of open play only: a championship plays its fixtures all the same.
    if not strikes or rest.faults < strikes or player.type.settings.mode != "open":
        return ""
    # Ten doublings are far above the maximum; more could overflow a float after a long night of faults.
    seconds = min(MAX_REST_S, FIRST_REST_S * 2.0 ** min(10, rest.faults - strikes))
    rest.begins(server.now, seconds)
    RESTING.of(server)[player] = None
    server.note("player rests", player, warning=True, faults=rest.faults, seconds=seconds)
    return (
        f"; that is the {_ordinal(rest.faults)} game in a row lost by your own fault: you are not seated in open play "
        f"for {seconds:g} s, unless you send something before"
    )


def judge(server: ServerState, fact: GameOver) -> None:
    """A game is over: players who played to its end without a fault start at zero again; the player whose broken rule
    ended it gets one more fault."""
    verdict = fact.result.verdict
    # A fault of the master or the server shows nothing about the players.
    if verdict.void:
        return
    for player in fact.game.owing.values():
        if verdict.cause is Cause.ILLEGAL_MOVE and verdict.culprit == player.name:
            strike(server, player)
        elif (rest := REST.find(player)) is not None:
            rest.ends_well()


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
