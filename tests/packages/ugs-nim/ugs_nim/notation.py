"""Nim on the wire: ``<move><take heap="0" count="2"/></move>`` and the sizes of all heaps in every gameState."""

from xml.sax.saxutils import quoteattr

from game_masters.kit import payload as xml
from game_masters.kit.rules import Follower, Options, Unreadable
from ugs_nim.rules import Take, View


def write_move(move: Take) -> bytes:
    """A ``take``."""
    return f'<move><take heap="{move.heap}" count="{move.count}"/></move>'.encode()


def read_move(payload: bytes) -> Take:
    """The one ``take``."""
    take = xml.only_child(xml.parse(payload, "move"), "take")
    xml.check_shape(take, frozenset({"heap", "count"}))
    return Take(xml.integer(take, "heap"), xml.integer(take, "count"))


def write_view(view: View) -> bytes:
    """A ``heap`` for each heap, and before them why the last move was ``refused``, if it was."""
    refused = f"<refused reason={quoteattr(view.refused)}/>" if view.refused else ""
    heaps = "".join(f'<heap size="{size}"/>' for size in view.heaps)
    return f"<gameState>{refused}{heaps}</gameState>".encode()


def follow(options: Options) -> Follower[View]:
    """Every gameState is complete, so there is nothing to remember."""
    return _read_view


def _read_view(payload: bytes) -> View:
    root = xml.parse(payload, "gameState")
    xml.check_shape(root)
    heaps = tuple(xml.integer(heap, "size") for heap in root.findall("heap"))
    refusals = [element.get("reason", "") for element in root.findall("refused")]
    if len(heaps) + len(refusals) < len(root) or len(refusals) > 1:
        raise Unreadable("a gameState has at most one refused and otherwise heap elements")
    return View(heaps, *refusals)
