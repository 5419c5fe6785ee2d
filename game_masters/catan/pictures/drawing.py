"""The position as SVG: hexes with letter and number, pieces with the number of their seat, a row for each seat, and
under the board a button for each move that has no place on it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from game_masters.catan.message.message import Message
from game_masters.catan.message.messages import MovePiece, MoveRobber, PutPiece
from game_masters.catan.message.vocabulary import Hex, Piece
from game_masters.catan.pictures.layout import HALF, SIDE, Layout, Point, corners, layout_of, middle
from game_masters.catan.pictures.telling import TYPE_NAMES
from game_masters.catan.views.view import BoardView, SeatView, View
from ugs.pictures.lettering import wrapped
from ugs.pictures.svg import Svg, number

PAINTS: Final = ("sea", "clay", "ore", "sheep", "wheat", "wood", "sand", "gold", "fog")
LETTERS: Final = ("", "C", "O", "S", "W", "T", "D", "G", "?")
PORTS: Final = ("3:1", "C", "O", "S", "W", "T")
SEATS: Final = ("red", "blue", "yellow", "green", "violet", "sky")
ON_SEATS: Final = ("white", "white", "black", "white", "white", "black")
ROW: Final = 31.0
"""The height of a seat's lines: its name and points, and what it has."""
HEAD: Final = 22.0
LEGEND: Final = 16.0
BUTTON: Final = 24.0
MAX_BUTTONS: Final = 40
WIDTH: Final = 420.0
_COLUMNS: Final = 56
"""Of a line of the title."""
MAX_SCALE: Final = 1.7
"""How much a small board is enlarged to fill the picture."""
HOT: Final = (6, 8)
_AWAY: Final = ((-1, 1), (-2, 0), (-1, -1), (1, -1), (2, 0), (1, 1))
"""Right and down, away from the land that a port faces, by its facing."""

Name = Callable[[int | None], str]


def draw(
    prefix: str, view: View, title: str, words: str, name: Name, moves: Sequence[tuple[Message, str]]
) -> str:  # fmt: skip
    """Return the picture. ``moves`` are what one seat may do, with labels, in the order of their numbers."""
    layout = layout_of(view.table.board)
    width = max(layout.width, WIDTH)
    scale = min(MAX_SCALE, width / layout.width)
    island = scale * layout.height
    by_place = _by_place(moves)
    on_board = {number for numbers in by_place.values() for number in numbers}
    buttons = [(each, label) for each, (_, label) in enumerate(moves) if each not in on_board][:MAX_BUTTONS]
    seats = [(seat, one) for seat, one in enumerate(view.table.seats) if one.sitter != "vacant"]
    headline = list(wrapped(title, _COLUMNS))
    head = HEAD + 15 * (len(headline) - 1)
    # Two buttons stand in a row, so half of them are rounded up.
    below = head + ROW * len(seats) + LEGEND + -(-len(buttons) // 2) * BUTTON + 6
    svg = Svg(prefix, width, island + below, title, words)
    svg.rect(0, 0, width, island + below, round=8, fill="ground")
    svg.rect(0, 0, width, island, round=8, fill="sea")
    left = (width - scale * layout.width) / 2
    svg.open(transform=f"translate({number(left)} 0) scale({number(scale)})")
    _hexes(svg, view, layout)
    svg.pieces(_ports, view.table.board)
    _pieces(svg, view, layout)
    _marks(svg, layout, by_place)
    svg.close()
    for line, text in enumerate(headline):
        svg.text(8, island + 16 + 15 * line, text, 12, most=_COLUMNS, font_weight="600")
    _seats(svg, view, name, seats, island + head, width)
    svg.text(8, island + head + ROW * len(seats) + 10, legend(view), 9, most=90, fill="faint")
    _buttons(svg, buttons, width, island + head + ROW * len(seats) + LEGEND)
    return svg.drawn()


def _by_place(moves: Sequence[tuple[Message, str]]) -> Mapping[tuple[str, int], list[int]]:
    """Return the numbers of moves by the place that stands for them: a hex, a node or an edge."""
    places: dict[tuple[str, int], list[int]] = {}
    for each, (move, _) in enumerate(moves):
        match move:
            case PutPiece(piece=piece, place=place):
                kind = "edge" if piece in (Piece.ROAD, Piece.SHIP) else "node"
                places.setdefault((kind, place), []).append(each)
            case MovePiece(target=target):
                places.setdefault(("edge", target), []).append(each)
            case MoveRobber(place=place):
                places.setdefault(("hex", abs(place)), []).append(each)
    return places


def _hexes(svg: Svg, view: View, layout: Layout) -> None:
    svg.pieces(_lands, view.table.board)
    for at, letter, right, down in ((view.table.robber, "R", -12, 5), (view.table.pirate, "P", 0, 0)):
        if at is not None and at in layout.hexes:
            x, y = layout.hexes[at]
            svg.open(data_piece=letter)
            svg.circle(x + right, y + down, 6.5, fill="black", stroke="white", stroke_width=1)
            svg.text(x + right, y + down + 3, letter, 8, anchor="middle", fill="white", font_weight="bold")
            svg.close()


def _lands(svg: Svg, board: BoardView) -> None:
    """All hexes without what stands on them: the same from position to position."""
    layout = layout_of(board)
    for hex, type, dice in board.hexes:
        svg.piece(_hex, layout.hexes[hex], type, dice)


def _hex(svg: Svg, center: Point, type: int, dice: int) -> None:
    svg.path(_outline(center), fill=PAINTS[type], stroke="line", stroke_width=1)
    x, y = center
    if type != Hex.WATER:
        svg.text(x, y - 8, TYPE_NAMES[type], 7.5, anchor="middle")
    if dice:
        hot = dice in HOT
        svg.circle(x, y + 5, 9, fill="white", stroke="red" if hot else "black", stroke_width=1.2 if hot else 0.4)
        paint, weight = ("red", "bold") if hot else ("black", None)
        svg.text(x, y + 9, str(dice), 11, anchor="middle", fill=paint, font_weight=weight)


def _outline(center: Point) -> str:
    points = " L".join(f"{number(x)} {number(y)}" for x, y in corners(center))
    return f"M{points}Z"


def _ports(svg: Svg, board: BoardView) -> None:
    layout = layout_of(board)
    for type, edge, facing in board.ports:
        if edge not in layout.edges:
            continue
        at = _at_sea(layout, edge, facing)
        svg.piece(_port, at, layout.edges[edge], PORTS[type])


def _port(svg: Svg, at: Point, ends: tuple[Point, Point], letter: str) -> None:
    for end in ends:
        svg.path(f"M{number(at[0])} {number(at[1])}L{number(end[0])} {number(end[1])}", stroke="faint", stroke_width=1)
    svg.circle(at[0], at[1], 8.5, fill="field", stroke="line", stroke_width=1)
    svg.text(at[0], at[1] + 3, letter, 8, anchor="middle")


def _at_sea(layout: Layout, edge: int, facing: int) -> Point:
    """Return a point in the water before a port, which faces the land."""
    right, down = _AWAY[facing - 1]
    x, y = middle(layout.edges[edge])
    return x + right * HALF * 0.3, y + down * SIDE * 0.45


def _pieces(svg: Svg, view: View, layout: Layout) -> None:
    for village in view.table.villages:
        x, y = layout.nodes[village.node]
        svg.rect(x - 7, y - 6, 14, 12, fill="field", stroke="ink", stroke_width=1)
        svg.text(x, y + 3, f"{village.number}:{village.cloth}", 6.5, anchor="middle")
    svg.open(data_pieces="placed")
    for seat, one in enumerate(view.table.seats):
        # Those of all seats first: buildings are drawn over their ends.
        for ship, edges in ((False, one.pieces.roads), (True, one.pieces.ships)):
            for edge in edges:
                svg.piece(_line, layout.edges[edge], seat, ship)
    for seat, one in enumerate(view.table.seats):
        for city, nodes in ((False, one.pieces.settlements), (True, one.pieces.cities)):
            for node in nodes:
                svg.piece(_building, layout.nodes[node], seat, city)
    svg.close()


def _line(svg: Svg, ends: tuple[Point, Point], seat: int, ship: bool) -> None:
    (one_x, one_y), (other_x, other_y) = ends
    x, y = middle(ends)
    near = [(x + (at_x - x) * 0.7, y + (at_y - y) * 0.7) for at_x, at_y in ((one_x, one_y), (other_x, other_y))]
    data = f"M{number(near[0][0])} {number(near[0][1])}L{number(near[1][0])} {number(near[1][1])}"
    # The wider black line below becomes a rim.
    svg.path(data, stroke="black", stroke_width=7, stroke_dasharray="4 2" if ship else None)
    svg.path(data, stroke=SEATS[seat], stroke_width=5, stroke_dasharray="4 2" if ship else None)
    svg.text(x, y + 2.5, str(seat), 7, anchor="middle", fill=ON_SEATS[seat])


def _building(svg: Svg, at: Point, seat: int, city: bool) -> None:
    x, y = at
    if city:
        svg.rect(x - 8.5, y - 8.5, 17, 17, fill=SEATS[seat], stroke="black", stroke_width=2)
    else:
        svg.circle(x, y, 7, fill=SEATS[seat], stroke="black", stroke_width=1)
    svg.text(x, y + 3.5, str(seat), 10 if city else 9, anchor="middle", fill=ON_SEATS[seat], font_weight="bold")


def _marks(svg: Svg, layout: Layout, by_place: Mapping[tuple[str, int], list[int]]) -> None:
    """Draw what can be clicked on the board."""
    points = {"hex": layout.hexes, "node": layout.nodes}
    for (kind, place), numbers in by_place.items():
        x, y = middle(layout.edges[place]) if kind == "edge" else points[kind][place]
        svg.open(offers=numbers)
        svg.circle(x, y, {"hex": 15, "node": 8, "edge": 6}[kind], fill="mark", fill_opacity=0.25, stroke="mark")
        svg.close()


def _seats(
    svg: Svg, view: View, name: Name, seats: Sequence[tuple[int, SeatView]], top: float, width: float
) -> None:  # fmt: skip
    """Two lines for each seat: who sits there, with how many points; and what it has."""
    for row, (seat, one) in enumerate(seats):
        # Most seats are the same as in the position before.
        words = name(seat), _points(one), summary(view, seat, one)
        svg.piece(_seat, seat, seat == view.current, *words, top + row * ROW + 12, width)


def _seat(svg: Svg, seat: int, current: bool, name: str, points: str, has: str, y: float, width: float) -> None:
    svg.rect(8, y - 10, 14, 14, round=2, fill=SEATS[seat], stroke="black", stroke_width=1)
    svg.text(15, y + 1, str(seat), 10, anchor="middle", fill=ON_SEATS[seat], font_weight="bold")
    svg.text(28, y + 1, name, 12, most=26, font_weight="700" if current else "500")
    svg.text(width - 8, y + 1, points, 12, anchor="end", font_weight="600")
    svg.text(28, y + 14, has, 10, most=76, fill="faint")


def legend(view: View, robber: str = "", pirate: str = "") -> str:
    """Return what marks on the board mean. ``robber`` and ``pirate`` are how these are shown on a terminal, where
    letters stand for resources; without them they are those of the picture."""
    types = sorted({type for _, type, _ in view.table.board.hexes} - {int(Hex.WATER)})
    marks = [f"{LETTERS[type]} {TYPE_NAMES[type]}" for type in types] if robber else []
    marks += [f"{robber or 'R'} robber"] + [f"{pirate or 'P'} pirate"] * view.table.board.sea
    marks += ["number:cloth village"] * bool(view.table.villages)
    if robber:
        return ", ".join(marks)
    ports = " ".join(
        f"{LETTERS[type]} {TYPE_NAMES[type]}"
        for type in sorted({type for type, _, _ in view.table.board.ports})
        if type
    )
    return ", ".join([*marks, f"ports: 3:1 any, 2:1 {ports}"])


def _points(one: SeatView) -> str:
    return f"{one.points} point{'' if one.points == 1 else 's'}"


def summary(view: View, seat: int, one: SeatView) -> str:
    """Return what a seat has, in words."""
    if one.sitter == "vacant":
        return ""
    hand = f"{one.resources} resource{'' if one.resources == 1 else 's'}"
    if one.hand is not None and one.resources:
        kinds = zip(one.hand, TYPE_NAMES[1:], strict=False)
        hand += f" ({', '.join(f'{count} {kind}' for count, kind in kinds if count)})"
    marks = [hand]
    marks += [f"{one.cards} development card{'' if one.cards == 1 else 's'}"] if one.cards else []
    marks += [f"{one.soldiers} soldier{'' if one.soldiers == 1 else 's'}"] if one.soldiers else []
    marks += [f"{one.cloth} cloth"] if one.cloth else []
    marks += ["longest route"] * (view.table.longest == seat) + ["largest army"] * (view.table.army == seat)
    return ", ".join(marks)


def _buttons(svg: Svg, buttons: Sequence[tuple[int, str]], width: float, top: float) -> None:
    half = (width - 18) / 2
    for place, (each, label) in enumerate(buttons):
        x = 6 + (place % 2) * (half + 6)
        y = top + place // 2 * BUTTON
        svg.open(offers=[each])
        svg.rect(x, y, half, BUTTON - 4, round=5, fill="field", stroke="mark", stroke_width=1.2)
        svg.text(x + half / 2, y + 14, label, 10.5, anchor="middle", most=36)
        svg.close()
