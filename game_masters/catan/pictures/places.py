"""Places of the board in words: a node or an edge by the hexes that it touches, a hex by what it yields."""

from collections.abc import Iterable
from typing import Final

from game_masters.catan.message.vocabulary import Hex
from game_masters.catan.pictures.telling import TYPE_NAMES
from game_masters.catan.views.view import BoardView

SEA: Final = "sea"


def hex_words(board: BoardView, hex: int) -> str:
    """Return ``ore 8``, ``desert``, ``sea``."""
    found = next(((type, dice) for at, type, dice in board.hexes if at == hex), None)
    if found is None or found[0] == Hex.WATER:
        return SEA
    type, dice = found
    return f"{TYPE_NAMES[type]} {dice}" if dice else TYPE_NAMES[type]


def node_words(board: BoardView, node: int) -> str:
    """Return the land about a node: ``ore 8, wood 12``, or its number where there is none."""
    return _about(board, board.net.node_hexes.get(node, ()), node, 3)


def edge_words(board: BoardView, edge: int) -> str:
    """Return the land at both sides of an edge: ``ore 8, wood 12``, or its number where there is none."""
    return _about(board, board.net.edge_hexes.get(edge, ()), edge, 2)


def _about(board: BoardView, hexes: Iterable[int], place: int, of: int) -> str:
    words = [hex_words(board, hex) for hex in hexes]
    land = [one for one in words if one != SEA]
    if not land:
        return f"{place:x}"
    return ", ".join([*land, *([SEA] if len(land) < of else [])])
