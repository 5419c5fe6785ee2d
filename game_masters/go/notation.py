"""Go on the wire: ``<move vertex="D4"/>``, ``pass``, ``resign``.

A gameState holds the whole board, so that a player need not know the rules: every empty point may be played on but the
``banned`` ones. ``moves`` are those since the reader's last state, ``ply`` is how many came before them.
"""

import re
from dataclasses import replace
from typing import Final
from xml.etree.ElementTree import Element

from game_masters.go.rules import COLOURS, GoMove, View
from game_masters.kit import payload as xml
from game_masters.kit.rules import Follower, Options, Unreadable

_VERTEX: Final = re.compile(r"[A-HJ-T](1[0-9]|[1-9])|pass|resign")
_BOARD: Final = re.compile(r"[XO./]{1,400}")
_SIZES: Final = (9, 13, 19)
_MAX_MOVES: Final = 10_000
_ATTRIBUTES: Final = frozenset({"size", "komi2", "turn", "ply", "over"})
_LISTS: Final = ("black", "white", "moves", "banned")


def write_move(move: GoMove) -> bytes:
    """Return the ``<move>`` element."""
    return f'<move vertex="{move.vertex}"/>'.encode()


def read_move(payload: bytes) -> GoMove:
    """Return the move in a ``<move>`` element. Raises Unreadable. The rules decide whether it is legal."""
    element = xml.parse(payload, "move")
    xml.check_shape(element, frozenset({"vertex"}))
    vertex = element.get("vertex", "")
    if len(element) or not _VERTEX.fullmatch(vertex):
        raise Unreadable(f"attribute vertex: {vertex[:20]!r} is neither a point like D4 nor pass nor resign")
    return GoMove(vertex)


def write_view(view: View) -> bytes:
    """Return the ``<gameState>`` element."""
    # Stones that were set up go with the first moves only: later states have the whole board anyway.
    first = view.setup if not view.before else ((), ())
    lists = dict(zip(_LISTS, (*first, view.moves[view.before :], view.banned), strict=True))
    inner = "".join(f"<{tag}>{' '.join(names)}</{tag}>" for tag, names in lists.items() if names)
    over = ' over="true"' if view.over else ""
    head = f'size="{view.size}" komi2="{view.komi2}" turn="{COLOURS[view.turn]}" ply="{view.before}"{over}'
    return f"<gameState {head}><board>{'/'.join(view.rows)}</board>{inner}</gameState>".encode()


def follow(options: Options) -> Follower[View]:
    """Return a reader that remembers the moves of one game. Where it has missed some, the stones that it is shown count
    as set up."""
    setup: tuple[tuple[str, ...], tuple[str, ...]] = (), ()
    known = list[str]()
    first = True

    def read(payload: bytes) -> View:
        nonlocal setup, first
        view = read_state(payload)
        if not view.before:
            setup, known[:] = view.setup, view.moves
        elif first or view.before > len(known):
            setup, known[:] = _stones(view), ()
        else:
            known[view.before :] = view.moves
        first = False
        return replace(view, setup=setup, moves=tuple(known), before=0)

    return read


def read_state(payload: bytes) -> View:
    """Return the content of one state, with only the moves that it holds. Raises Unreadable."""
    root = xml.parse(payload, "gameState")
    if set(root.attrib) - _ATTRIBUTES or any((text or "").strip() for text in (root.text, *(one.tail for one in root))):
        raise Unreadable("element gameState: unexpected attributes or text")
    found: dict[str, str] = {}
    for child in root:
        if child.attrib or len(child) or child.tag in found or child.tag not in ("board", *_LISTS):
            raise Unreadable(f"element gameState: expected board, {', '.join(_LISTS)}, each once at most")
        found[child.tag] = child.text or ""
    size, before = xml.integer(root, "size"), xml.integer(root, "ply")
    rows = tuple(found.get("board", "").split("/"))
    if size not in _SIZES or len(rows) != size or not all(len(row) == size and _BOARD.fullmatch(row) for row in rows):
        raise Unreadable("element board: expected as many rows of X, O and . as the board has lines")
    turn, over = root.get("turn", ""), root.get("over", "false")
    if turn not in COLOURS or over not in ("true", "false") or not 0 <= before <= _MAX_MOVES:
        raise Unreadable("element gameState: turn, over or ply")
    black, white, moves, banned = (_vertices(root, tag, found.get(tag, "")) for tag in _LISTS)
    komi2 = xml.integer(root, "komi2")
    return View(size, komi2, rows, COLOURS.index(turn), moves, (black, white), banned, over == "true", before)


def _vertices(root: Element, tag: str, text: str) -> tuple[str, ...]:
    names = tuple(text.split())
    if len(names) > _MAX_MOVES or not all(map(_VERTEX.fullmatch, names)):
        raise Unreadable(f"element {tag}: expected points with blanks between")
    return names


def _stones(view: View) -> tuple[tuple[str, ...], tuple[str, ...]]:
    black, white = view.stones
    return black, white
