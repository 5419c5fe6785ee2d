"""Faults of players in a row: after several, a player is not seated again at once, so that a hanging program does not
lose one game after the other, and its opponents get to play."""

from typing import Final

from ugs.broker.facts import GameOver
from ugs.broker.state import rests
from ugs.broker.state.model import Player
from ugs.broker.state.rests import REST
from ugs.broker.state.server_state import ServerState
from ugs.broker.verdict import Cause
from ugs.wire.messages import Error

FIRST_REST_S: Final = 30.0
"""Seconds of the first rest; each further fault doubles it."""
MAX_REST_S: Final = 3600.0
SETTLING_S: Final = 1.0
"""Seconds until a player is seated again whose game has ended without a thank you: it may log out, having read that."""
MIN_SETTLING_S: Final = 10.0
MAX_SETTLING_S: Final = 60.0
"""The same for a player that was too slow: one more move, at least and at most so long. It is still thinking about the
old game, or hangs; what it sends shows that it has done. Seated before, it would lose the next game at once."""
OWN_FAULTS: Final = frozenset({Cause.TIMEOUT, Cause.ILLEGAL_MOVE})


def strike(server: ServerState, player: Player) -> str:
    """A player has been too late, or has broken a rule. After ``player_strikes`` such games in a row it rests; returns
    the text for it about that, to be appended to a sentence, or nothing."""
    strikes = player.type.settings.player_strikes
    rest = REST.of(player)
    rest.fault()
    if not strikes or rest.faults < strikes or not _may_rest(player):
        return ""
    # Ten doublings are far above the maximum; more could overflow a float after a long night of faults.
    seconds = min(MAX_REST_S, FIRST_REST_S * 2.0 ** min(10, rest.faults - strikes))
    rests.begin(server, player, seconds)
    server.note("player rests", player, warning=True, faults=rest.faults, seconds=seconds)
    return (
        f"; that is the {_ordinal(rest.faults)} game in a row lost by your own fault: you are not seated in open play "
        f"for {seconds:g} s, unless you send anything but a question before"
    )


def settles(server: ServerState, player: Player) -> None:
    """The game of a player has ended without a thank you."""
    _rests(server, player, SETTLING_S)


def was_slow(server: ServerState, player: Player) -> None:
    """A player has made no move in time."""
    _rests(server, player, min(MAX_SETTLING_S, max(MIN_SETTLING_S, player.type.settings.move_timeout_s)))


def settling_s(server: ServerState, player: Player) -> float:
    """Return how many more seconds a player may need that has not read the end of its last game; 0 if it needs none,
    and for one that rests after faults in a row."""
    return rests.left_s(server, player) if not _in_a_row(player) else 0.0


def woke(server: ServerState, player: Player) -> None:
    """A player has sent a move of a game that is over: it reads that now, and may log out, before it is seated."""
    rests.shorten(server, player, SETTLING_S)


def came_back(server: ServerState, player: Player, *, missed: bool) -> None:
    """A player is back on its line, which shows that it does not think about its old game. What it has ``missed`` of
    that it reads before it is seated, and may log out. One that rests after faults in a row goes on resting."""
    if not _in_a_row(player):
        rests.shorten(server, player, SETTLING_S)
    if missed:
        settles(server, player)


def judge(server: ServerState, fact: GameOver) -> None:
    """A game is over: players who played to its end without a fault start at zero again; the player whose broken rule
    ended it gets one more fault."""
    verdict = fact.result.verdict
    # A fault of the master or the server shows nothing about the players.
    if verdict.void:
        return
    for player in fact.game.owing.values():
        if verdict.cause is Cause.ILLEGAL_MOVE and verdict.culprit == player.name:
            # The message with the result has no room for it.
            if (text := strike(server, player)) and reads_errors(player):
                server.send(player, Error(f"game {fact.game.id} is lost{text}"))
        elif (rest := REST.find(player)) is not None:
            rest.ends_well()


def reads_errors(player: Player) -> bool:
    """Whether a player can read an ``error`` at the end of its game: with ``quiet_players``, not one that knows only
    v4."""
    return player.connection.greeted or not player.type.settings.quiet_players


def _in_a_row(player: Player) -> bool:
    """Whether a player rests for faults in a row."""
    strikes, rest = player.type.settings.player_strikes, REST.find(player)
    return bool(strikes) and rest is not None and rest.faults >= strikes


def _rests(server: ServerState, player: Player, seconds: float) -> None:
    if player.pooled and _may_rest(player):
        rests.begin(server, player, seconds)


def _may_rest(player: Player) -> bool:
    """A rest keeps a player out of open play only: a championship plays its fixtures all the same."""
    championship = player.type.championship
    return player.type.settings.mode == "open" and (championship is None or not championship.begun)


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
