"""The clock of a game has run out: rules of ``broker/life.py`` for masters and players that did not act in time. Their
arguments are the desk and the game."""

from collections.abc import Callable

from ugs.broker.facts import PlayersFree
from ugs.broker.play import answers, endings, thanks
from ugs.broker.state.desk import Desk
from ugs.broker.state.model import Game
from ugs.broker.verdict import Cause


def no_beginning(desk: Desk, game: Game) -> None:
    """The master did not answer ``beginGame``."""
    _silent(desk, game, lambda: endings.void(desk, game, Cause.NO_BEGINNING))


def master_silent(desk: Desk, game: Game) -> None:
    """The master did not answer a move or a departure: the game is void, unless all but one have left: then that one
    wins."""
    if len(game.present) == 1 and game.departures:
        last_one_wins(desk, game)
    else:
        _silent(desk, game, lambda: endings.void(desk, game, Cause.MASTER_SILENT))


def last_one_wins(desk: Desk, game: Game) -> None:
    """The master did not say who won when only one player was left: the server does."""
    _silent(desk, game, lambda: endings.conclude_for_master(desk, game))


def not_taken_over(desk: Desk, game: Game) -> None:
    """The new master did not answer ``x-restore``."""
    _silent(desk, game, lambda: endings.void(desk, game, Cause.MASTER_LOST))


def no_thanks(desk: Desk, game: Game) -> None:
    """Close the connections of players who still owe a thank you; those who are away need not thank any more."""
    seconds = game.type.settings.thank_you_timeout_s
    for player in list(game.owing.values()):
        if player.away:
            thanks.thanked(desk, player)
            desk.tell_of(PlayersFree([player]))
        else:
            answers.dismiss(desk, player, f"no thank you within {seconds:g} s after game {game.id}")


def _silent(desk: Desk, game: Game, end: Callable[[], None]) -> None:
    """Count a silence of the master and end the game with ``end``. After ``master_strikes`` in a row the master is
    closed, and gets no game in between."""
    master, strikes = game.master, game.type.settings.master_strikes
    master.silences += 1
    desk.note("master silent", master, warning=True, game=game.id, times=master.silences)
    struck_out = master.silences >= strikes
    if struck_out:
        del game.type.masters[master.conn]
    end()
    if struck_out:
        answers.dismiss(desk, master, f"silent {strikes} times in a row")
