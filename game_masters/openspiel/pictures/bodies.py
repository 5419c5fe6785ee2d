"""Which game has which body: boards by the table of ``games.toml``, some by painters of their own, the rest as text."""

from collections.abc import Mapping
from functools import cache
from typing import Final

from game_masters.openspiel.games_toml import row
from game_masters.openspiel.pictures.body import Body, BodyMaker
from game_masters.openspiel.pictures.cards import kuhn, leduc, liars_dice
from game_masters.openspiel.pictures.grid import board_row, grid_maker
from game_masters.openspiel.pictures.pits import mancala, oware
from game_masters.openspiel.pictures.points import backgammon
from game_masters.openspiel.pictures.text import text_body
from game_masters.openspiel.pictures.walls import quoridor
from game_masters.openspiel.view import View

PAINTERS: Final[Mapping[str, BodyMaker]] = {
    "backgammon": backgammon,
    "kuhn_poker": kuhn,
    "leduc_poker": leduc,
    "liars_dice": liars_dice,
    "mancala": mancala,
    "oware": oware,
    "quoridor": quoridor,
}
"""Games that are no board of fields."""


def body_of(view: View) -> Body:
    """Return the body of a position: the text that OpenSpiel prints, where there is no other or it cannot be read."""
    maker = maker_of(view.game.partition("(")[0])
    found = maker(view) if maker is not None else None
    return text_body(view) if found is None else found


@cache
def maker_of(name: str) -> BodyMaker | None:
    """Return what draws a game; None: its text is shown."""
    board = row(name).board
    return PAINTERS.get(name) or (grid_maker(board_row(board)) if board else None)
