"""Chess on the wire.

``<move uci="e2e4"/>``, with ``draw="offer"`` or ``draw="claim"`` beside it or, for ``claim`` and ``accept``, instead of
a move; ``<move resign="true"/>``. A gameState holds the position, the moves since the reader's last state (``ply``: how
many came before them), and what may be moved now: a player need not know the rules.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from xml.etree.ElementTree import Element
from xml.sax.saxutils import quoteattr

from game_masters.chess.rules import ChessMove, DrawWord, View, variant_of
from game_masters.kit import payload as xml
from game_masters.kit.rules import Follower, Options, Unreadable

_UCI = re.compile(r"[A-Za-z0-9@+=,]{2,20}")
_FEN = re.compile(r"[A-Za-z0-9/+~*\[\]. -]{3,160}")
_MAX_MOVES = 20_000


def write_move(move: ChessMove) -> bytes:
    """Return the ``<move>`` element."""
    uci = f" uci={quoteattr(move.uci)}" if move.uci else ""
    draw = f' draw="{move.draw}"' if move.draw else ""
    resign = ' resign="true"' if move.resign else ""
    return f"<move{uci}{draw}{resign}/>".encode()


def read_move(payload: bytes) -> ChessMove:
    """Return the move in a ``<move>`` element. Raises Unreadable. The rules decide whether it is legal."""
    element = xml.parse(payload, "move")
    _check(element, frozenset({"uci", "draw", "resign"}), 0)
    uci, draw = element.get("uci", ""), element.get("draw")
    if "uci" in element.attrib and not _UCI.fullmatch(uci):
        raise Unreadable(f"attribute uci: {uci[:40]!r} is not a move like e2e4 or e7e8q")
    if draw is not None and draw not in list(DrawWord):
        raise Unreadable(f"attribute draw: {draw[:40]!r}; expected {', '.join(DrawWord)}")
    resign = _flag(element, "resign")
    if resign and (uci or draw):
        raise Unreadable("who gives up neither moves nor speaks of a draw")
    if not (uci or draw or resign):
        raise Unreadable("element move: expected an attribute uci, draw or resign")
    return ChessMove(uci, DrawWord(draw) if draw else None, resign)


def write_view(view: View) -> bytes:
    """Return the ``<gameState>`` element."""
    start = f" start={quoteattr(view.start)}" if not view.before else ""
    flags = "".join(f' {name}="true"' for name in ("check", "claim", "offered") if getattr(view, name))
    lists = {"moves": view.moves[view.before :], "legal": view.legal, "claims": view.claims}
    inner = "".join(f"<{tag}>{' '.join(moves)}</{tag}>" for tag, moves in lists.items() if moves)
    return f'<gameState fen={quoteattr(view.fen)} ply="{view.before}"{start}{flags}>{inner}</gameState>'.encode()


def follow(options: Options) -> Follower[View]:
    """Return a reader that remembers the moves of one game. Where it has missed some, the game begins for it with the
    position it is shown."""
    start, known = "", list[str]()
    variant = variant_of(options)

    def read(payload: bytes) -> View:
        nonlocal start
        view = read_state(payload)
        if view.start:
            start, known[:] = view.start, view.moves
        elif not start or view.before > len(known):
            start, known[:] = view.fen, ()
        else:
            known[view.before :] = view.moves
        return replace(view, start=start, moves=tuple(known), variant=variant, before=0)

    return read


def read_state(payload: bytes) -> View:
    """Return the content of one state, with no ``start`` where it has none, and only the moves that it holds. Raises
    Unreadable."""
    root = xml.parse(payload, "gameState")
    _check(root, frozenset({"fen", "ply", "start", "check", "claim", "offered"}), 3)
    lists = _lists(root)
    before = xml.integer(root, "ply")
    if not 0 <= before <= _MAX_MOVES:
        raise Unreadable(f"attribute ply: {before} half moves")
    start = _fen(root, "start") if "start" in root.attrib else ""
    return View(
        start,
        lists.get("moves", ()),
        _fen(root, "fen"),
        lists.get("legal", ()),
        _flag(root, "check"),
        _flag(root, "claim"),
        lists.get("claims", ()),
        _flag(root, "offered"),
        before=before,
    )


def _lists(root: Element) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for child in root:
        moves = tuple((child.text or "").split())
        if child.attrib or len(child) or child.tag in found or child.tag not in ("moves", "legal", "claims"):
            raise Unreadable("element gameState: expected moves, legal and claims, each once at most")
        if len(moves) > _MAX_MOVES or not all(map(_UCI.fullmatch, moves)):
            raise Unreadable(f"element {child.tag}: expected moves like e2e4 with blanks between")
        found[child.tag] = moves
    return found


def _check(element: Element, allowed: frozenset[str], children: int) -> None:
    """Raise Unreadable unless the element has only these attributes, few children and no text beside them."""
    if not set(element.attrib) <= allowed:
        raise Unreadable(f"element {element.tag}: unknown attributes; expected {', '.join(sorted(allowed))}")
    texts = [element.text, *(child.tail for child in element)]
    if len(element) > children or any(text and text.strip(" \t\r\n") for text in texts):
        raise Unreadable(f"element {element.tag}: unexpected elements or text")


def _fen(element: Element, name: str) -> str:
    text = element.get(name, "")
    fields = text.split()
    if not _FEN.fullmatch(text) or len(fields) < 2 or fields[1] not in ("w", "b"):
        raise Unreadable(f"attribute {name}: {text[:60]!r} is no position in Forsyth-Edwards notation")
    return text


def _flag(element: Element, name: str) -> bool:
    text = element.get(name, "false")
    if text not in ("true", "false"):
        raise Unreadable(f"attribute {name}: {text[:20]!r} is neither true nor false")
    return text == "true"
