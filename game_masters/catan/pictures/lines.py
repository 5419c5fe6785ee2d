"""The position on the terminal: the board as rows of hexes, and two lines for each seat."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from game_masters.catan.message.bundles import in_words
from game_masters.catan.pictures.drawing import LETTERS, PORTS, legend, summary
from game_masters.catan.pictures.layout import layout_of
from game_masters.catan.views.view import SeatView, View
from ugs.pictures.contract import Line, Span
from ugs.pictures.lettering import clipped, wrapped

STYLES: Final = ("red", "blue", "yellow", "green", "magenta", "cyan")
CELLS: Final = (4, 3)
"""Columns for a hex: as many as there is room for."""

Name = Callable[[int | None], str]


def lines(view: View, headline: str, name: Name, width: int) -> Sequence[Line]:
    """Return the position in lines of at most ``width`` columns."""
    found: list[Line] = [(Span(line, "bold"),) for line in wrapped(headline, width)]
    found.append(())
    found += _board(view, width)
    found.append(())
    villages = " ".join(f"{one.node:x} {one.number}:{one.cloth}" for one in view.table.villages)
    about = [legend(view, "*", "%"), _ports(view), *([f"Villages: {villages}"] if villages else [])]
    found += [(Span(line, "dim"),) for text in about for line in wrapped(text, width)]
    found.append(())
    for number, seat in enumerate(view.table.seats):
        if seat.sitter != "vacant":
            found += _seat(view, number, seat, name, width)
    for offer in view.table.offers:
        what = f"{name(offer.seat)} offers {in_words(offer.give)} for {in_words(offer.get)}"
        found += [(Span(line),) for line in wrapped(what, width)]
    return found


def _board(view: View, width: int) -> Iterator[Line]:
    """Yield the rows: letter and number of each hex, ``*`` for the robber, ``%`` for the pirate."""
    layout = layout_of(view.table.board)
    rows: dict[int, dict[int, str]] = {}
    most = max(column for _, column in layout.cells.values())
    cell = next((cell for cell in CELLS if most * cell // 2 + cell <= width), CELLS[-1])
    shown = {hex: f"{LETTERS[type]}{dice or ''}" for hex, type, dice in view.table.board.hexes}
    if view.table.pirate is not None and view.table.pirate in layout.cells:
        shown[view.table.pirate] = "%"
    for hex, text in shown.items():
        row, column = layout.cells[hex]
        rows.setdefault(row, {})[column * cell // 2] = f"{text[: cell - 1]}*" if hex == view.table.robber else text
    for row in range(min(rows), max(rows) + 1):
        line = ""
        for column, text in sorted(rows.get(row, {}).items()):
            line = f"{line:<{column}}{text}"
        yield (Span(clipped(line, width)),)


def _ports(view: View) -> str:
    """Return the kinds of ports with the nodes of each."""
    nodes = view.table.board.net.edge_nodes
    places: dict[str, list[str]] = {}
    for type, edge, _ in sorted(view.table.board.ports):
        places.setdefault(PORTS[type], []).append("-".join(f"{node:x}" for node in nodes[edge]))
    return "Ports: " + "; ".join(f"{what} {' '.join(found)}" for what, found in places.items())


def _seat(view: View, number: int, seat: SeatView, name: Name, width: int) -> Iterator[Line]:
    turn = "> " if number in view.waiting else "  "
    yield (Span(turn), Span(clipped(f"{number} {name(number)}", width - 2), STYLES[number]))
    points = f"{seat.points} point{'' if seat.points == 1 else 's'}"
    for line in wrapped(f"{points}, {summary(view, number, seat)}", width - 4):
        yield (Span("    "), Span(line))
    pieces = [
        f"{what} {' '.join(f'{place:x}' for place in places)}"
        for what, places in (
            ("settlements", seat.pieces.settlements), ("cities", seat.pieces.cities), ("roads", seat.pieces.roads),
            ("ships", seat.pieces.ships),
        )
        if places
    ]  # fmt: skip
    for line in wrapped("; ".join(pieces), width - 4):
        yield (Span("    "), Span(line, "dim"))
