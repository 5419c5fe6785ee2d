"""Five in line on the wire: ``<move><tic x="3" y="4"/></move>``, ``<gameState><tac x="3" y="4"/></gameState>``.

A gameState holds the last stone, for every reader, and is empty before the first one. At a table where the program
plays it holds the last two, since the program answers at once and spectators would miss the stone before. In a game
that begins from a fixture it holds all stones, in the order of placement, and the size of the board. On a board that is
not the usual one, the states before the first stone give its size:
``<gameState width="9" height="9" row="4"/>``.
When a game ends without a new stone (a bad move, a player who left), the last stones are shown once more. So a player
has to remember the stones it was shown.
"""

from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from game_masters.kit import payload as xml
from game_masters.kit.rules import Follower, Options, Unreadable
from game_masters.tic_tac_toe.rules import Cell, View

BOARD = ("width", "height", "row")


class Board(NamedTuple):
    """How large a board is, and how many in a row win."""

    width: int
    height: int
    row: int


USUAL: Final = Board(20, 20, 5)
"""What players assume as long as no state gives another size."""
_X_Y = frozenset({"x", "y"})


def write_move(move: Cell) -> bytes:
    """Return a ``tic``: the field that shall get a stone."""
    return f'<move><tic x="{move.x}" y="{move.y}"/></move>'.encode()


def read_move(payload: bytes) -> Cell:
    """Return the field of the one ``tic``. Raises Unreadable. The rules decide whether the field is on the board."""
    return _cell(xml.only_child(xml.parse(payload, "move"), "tic"))


def write_view(view: View) -> bytes:
    """Return a ``tac``: the field that got the last stone; or one for each of the last two, or for each stone."""
    size = Board(view.width, view.height, view.row)
    attributes = "".join(f' {name}="{value}"' for name, value in zip(BOARD, size, strict=True))
    if not view.stones:
        return b"<gameState/>" if size == USUAL else f"<gameState{attributes}/>".encode()
    shown = view.stones if view.whole else view.stones[-2:] if view.pairs else view.stones[-1:]
    stones = "".join(f'<tac x="{cell.x}" y="{cell.y}"/>' for cell in shown)
    return f"<gameState{attributes if view.whole else ''}>{stones}</gameState>".encode()


def follow(options: Options) -> Follower[View]:
    """Return a reader that remembers the stones of one game. The last one may be shown again, or be the player's own
    move."""
    stones: list[Cell] = []
    board = Board(*(options.integer(name) for name in BOARD))
    whole = False

    def read(payload: bytes) -> View:
        nonlocal board, whole
        # A follower reads its player's own moves too: the next state may not show them any more.
        own = payload.startswith(b"<move")
        moved, found = ((read_move(payload),), None) if own else read_state(payload)
        if found is not None:
            whole, board, stones[:] = bool(moved), found, moved
        else:
            new = [cell for cell in moved if cell not in stones]
            if moved and not new and moved[-1] != stones[-1]:
                raise Unreadable(f"a second stone on {moved[-1]}")
            stones.extend(new)
        return View(*board, tuple(stones), whole)

    return read


def read_state(payload: bytes) -> tuple[tuple[Cell, ...], Board | None]:
    """Return the field of the last stone, none before the first, two where the program plays; and no board. Or all
    stones, and the board, in a game that began with some. Raises Unreadable."""
    root = xml.parse(payload, "gameState")
    board = None
    if root.attrib:
        xml.check_shape(root, frozenset(BOARD))
        board = Board(*(xml.integer(root, name) for name in BOARD))
        # They are read; what follows allows no attributes.
        root.attrib.clear()
    cells = tuple(map(_cell, xml.children(root, "tac")))
    if board is None and len(cells) > 2:
        raise Unreadable("element gameState: expected at most two tac elements, or the size of the board too")
    if len(set(cells)) < len(cells):
        raise Unreadable("two stones on one field")
    return cells, board


def _cell(element: Element) -> Cell:
    xml.check_shape(element, _X_Y)
    if len(element) > 0:
        raise Unreadable(f"element {element.tag}: expected no elements inside")
    return Cell(xml.integer(element, "x"), xml.integer(element, "y"))
