"""The clock of a move: when it starts and stops for the players who have to move, and how long each has.

What happens when it has run out is in ``timeouts.py``; time for all moves of a game is in ``budgets.py``.
"""

from collections.abc import Sequence

from ugs.broker.play import budgets
from ugs.broker.state.model import Game, Player
from ugs.broker.state.server_state import ServerState


def start(server: ServerState, game: Game, asked: Sequence[Player]) -> None:
    """Start the clock of the players who have to move; ``asked`` have just been asked, the others' time is running.

    The clock of a player who has not come back since the server was lost waits for it; its session sees to that it does
    not wait for ever.
    """
    now, turn = server.now, game.turn
    movers = [player for player in turn.movers if not player.awaited]
    asked = [player for player in asked if not player.awaited]
    if not movers:
        stop(server, game)
        return
    if len(turn.movers) == 1 and len(asked) == 1 and turn.budgets is None:
        limit = _limit(server, asked[0], game)
        turn.deadlines[asked[0].name] = now + limit
        server.start(game.clock, limit, after=asked[0])
        return
    for player in asked:
        limit = _limit(server, player, game)
        seconds = limit if turn.budgets is None else budgets.asked(server, game, turn.budgets, player)
        turn.deadlines[player.name] = now + min(seconds, limit)
    run(server, game, movers, asked)


def stop(server: ServerState, game: Game) -> None:
    """All who have to move, if any, are away and awaited: no time runs."""
    if game.turn.movers:
        server.stop(game.clock)


def run(server: ServerState, game: Game, movers: Sequence[Player], asked: Sequence[Player]) -> None:
    """Start the clock for the earliest of the ``movers``, who have deadlines where they have just been ``asked``."""
    turn, now = game.turn, server.now
    for player in movers:  # a player asked by a master that names one at a time has none yet
        turn.deadlines.setdefault(player.name, now + _limit(server, player, game))
    earliest = min(movers, key=lambda player: turn.deadlines[player.name])
    seconds = max(0.0, turn.deadlines[earliest.name] - now)
    # D16 needs one line to wait for; with several movers the clock counts from now.
    if asked and len(movers) == 1:
        server.start(game.clock, seconds, after=earliest, report=True)
    else:
        server.start(game.clock, seconds)


def _limit(server: ServerState, player: Player, game: Game) -> float:
    """The most seconds that a player may think about a move. A gateway's clients know no such limit: with them a game
    may stand still until the idle time-out of its table, and this clock is only there if that one fails."""
    settings, config = game.type.settings, server.config
    most = settings.move_limit_s(len(game.seats))
    if not player.connection.by_gateway:
        return most
    looks = config.first_idle_check_s + 2 * config.idle_check_s
    return max(most, settings.game_inactive_s + looks)
