"""Five in line on the wire: ``<move><tic x="3" y="4"/></move>``, ``<gameState><tac x="3" y="4"/></gameState>``.

A gameState holds the last stone, for every reader, and is empty before the first one. When a game ends without a new
stone (a bad move, a player who left), the last stone is shown once more. So a player has to remember the stones it was
shown, and its own ones: those are never shown if the program has moved since or the connection was cut.
"""

from xml.etree.ElementTree import Element

from game_masters.kit import payload as xml
from game_masters.kit.rules import Follower, Options, Unreadable
from game_masters.tic_tac_toe.rules import Cell, View

_X_Y = frozenset({"x", "y"})


def write_move(move: Cell) -> bytes:
    """Return a ``tic``: the field that shall get a stone."""
    return f'<move><tic x="{move.x}" y="{move.y}"/></move>'.encode()


def read_move(payload: bytes) -> Cell:
    """Return the field of the one ``tic``. Raises Unreadable. The rules decide whether the field is on the board."""
    return _cell(xml.only_child(xml.parse(payload, "move"), "tic"))


def write_view(view: View) -> bytes:
    """Return a ``tac``: the field that got the last stone."""
    if not view.stones:
        return b"<gameState/>"
    last = view.stones[-1]
    return f'<gameState><tac x="{last.x}" y="{last.y}"/></gameState>'.encode()


def follow(options: Options) -> Follower[View]:
    """Return a reader that remembers the stones of one game. The last one may be shown again, or be the player's own
    move."""
    stones: list[Cell] = []

    def hear(payload: bytes) -> View:
        own = payload.startswith(b"<move")
        root = xml.parse(payload, "move" if own else "gameState")
        if own or len(root) > 0:
            cell = _cell(xml.only_child(root, "tic" if own else "tac"))
            if cell not in stones:
                stones.append(cell)
            elif cell != stones[-1]:
                raise Unreadable(f"a second stone on {cell}")
        return View(options.integer("width"), options.integer("height"), options.integer("row"), tuple(stones))

    return hear


def read_last_stone(payload: bytes) -> Cell | None:
    """Return the field of the last stone in a state; None before the first one. Raises Unreadable."""
    root = xml.parse(payload, "gameState")
    return _cell(xml.only_child(root, "tac")) if len(root) > 0 else None


def _cell(element: Element) -> Cell:
    xml.check_shape(element, _X_Y)
    if len(element) > 0:
        raise Unreadable(f"element {element.tag}: expected no elements inside")
    return Cell(xml.integer(element, "x"), xml.integer(element, "y"))
