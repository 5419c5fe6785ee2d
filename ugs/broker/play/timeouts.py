"""The clock of a game has run out: one rule of ``broker/life.py`` for each phase. Their arguments are the server and
the game. A master that gives a game up has the same to bear as one whose time has run out."""

import math

from ugs.broker.facts import PlayersFree
from ugs.broker.play import budgets, dismissals, endings, faults, leaving, move_clock
from ugs.broker.state.games_given_up import GIVEN_UP
from ugs.broker.state.model import Game, Player
from ugs.broker.state.phases import Happening, Phase
from ugs.broker.state.server_state import ROUNDING, ServerState
from ugs.broker.verdict import Cause

LOOK_AGAIN_S = 1.0
"""Seconds between checks whether the past of a game has been read."""


def no_beginning(server: ServerState, game: Game) -> Phase:
    """The master did not answer ``beginGame``, or only with why it does not begin."""
    reason = game.reasons.latest
    if reason is None:
        return _silent(server, game, Happening.VOIDED, Cause.NO_BEGINNING)
    times = game.master.was_silent()  # it counts as a silence
    why = f"declined or did not answer {times} games in a row"
    return _strike(server, game, times, why, Happening.VOIDED, Cause.NO_BEGINNING, reason.text)


def player_too_slow(server: ServerState, game: Game) -> Phase:
    """The players who had to move and did not in time are out."""
    for player in _late(server, game):
        if game.ended:
            break  # by the leaving of the one before
        _out_of_time(server, game, player)
    if game.phase is Phase.TURN:
        move_clock.start(server, game, ())
    return game.phase


def master_silent(server: ServerState, game: Game) -> Phase:
    """The master did not answer a move or a departure: the game is void, unless all but one have left: then that one
    wins."""
    if _has_last_one(game):
        return last_one_wins(server, game)
    return _silent(server, game, Happening.VOIDED, Cause.MASTER_SILENT)


def given_up(server: ServerState, game: Game) -> Phase:
    """The master gives up a game that has begun: the same follows as if it were silent until its time is up, but at
    once. An answer in between makes up for a silence, but every game that is given up had some: so there it is a
    result that does."""
    times, reason = GIVEN_UP.of(game.master).one_more(), game.reasons.latest
    why = f"gave {times} games up in a row"
    if _has_last_one(game):
        return _strike(server, game, times, why, Happening.SERVER_DECIDES)
    text = reason.text if reason is not None else ""
    return _strike(server, game, times, why, Happening.VOIDED, Cause.GIVEN_UP, text)


def last_one_wins(server: ServerState, game: Game) -> Phase:
    """The master did not send a result when only one player was left: the server decides."""
    return _silent(server, game, Happening.SERVER_DECIDES)


def no_successor(server: ServerState, game: Game) -> Phase:
    """No master has taken the game over in time: it is void, unless there is one and only the disk is slow."""
    if game.turn.recalled_for is None:
        return endings.void(server, game, Cause.MASTER_LOST)
    server.start(game.clock, LOOK_AGAIN_S)
    return game.phase


def not_taken_over(server: ServerState, game: Game) -> Phase:
    """The new master did not answer ``x-restore``."""
    return _silent(server, game, Happening.VOIDED, Cause.MASTER_LOST)


# Steps.


def _late(server: ServerState, game: Game) -> list[Player]:
    """The players who have to move and should have by now."""
    movers = game.turn.movers
    # The clock of the game was that of this player; comparing times could only add an error of rounding.
    if len(movers) == 1:
        return list(movers)
    now = server.now + ROUNDING
    deadlines = game.turn.deadlines  # a player who is awaited has none
    return [player for player in movers if deadlines.get(player.name, math.inf) <= now]


def _out_of_time(server: ServerState, game: Game, player: Player) -> None:
    """A player did not move in time: take it out, report why, and free it."""
    server.note("no move in time", player, warning=True, game=game.id)
    leaving.leave(server, player, Cause.TIMEOUT)
    # At a table it may leave too few, or be who has set it up: then the game counts for no one.
    closing = game.closing
    end = f"game {game.id} is {'void' if closing is not None and closing.result.verdict.void else 'lost'}"
    text = f"no move within {game.type.settings.move_limit_s(len(game.seats)):g} s: {end}"
    if budgets.is_spent(server, game, player):
        text = f"no time left: {end}"
    leaving.put_out(server, game, player, text, faults.strike(server, player))
    faults.was_slow(server, player)
    server.report(PlayersFree([player]))


def _has_last_one(game: Game) -> bool:
    return len(game.present) == 1 and bool(game.departures)


def _silent(server: ServerState, game: Game, happening: Happening, *what: object) -> Phase:
    """Count a silence of the master and let the game end by this happening. Returns the phase that follows."""
    silences = game.master.was_silent()
    server.note("master silent", game.master, warning=True, game=game.id, times=silences)
    return _strike(server, game, silences, f"silent {silences} times in a row", happening, *what)


def _strike(server: ServerState, game: Game, times: int, why: str, happening: Happening, *what: object) -> Phase:
    """Let the game end by this happening. A master that has failed ``master_strikes`` times in a row is closed, and
    gets no game in between. Returns the phase that follows."""
    master = game.master
    struck_out = times >= game.type.settings.master_strikes
    if struck_out:
        del game.type.masters[master.conn]
    server.step(game, happening, *what)
    if struck_out:
        dismissals.dismiss(server, master, why)
    return game.phase
