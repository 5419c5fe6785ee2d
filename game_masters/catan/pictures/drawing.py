"""The position as SVG: hexes with letter and number, pieces with the number of their seat, a row for each seat, and
under the board a button for each move that has no place on it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from game_masters.catan.message import Message
from game_masters.catan.messages import MovePiece, MoveRobber, PutPiece
from game_masters.catan.pictures.layout import HALF, SIDE, Layout, Point, corners, layout_of, middle
from game_masters.catan.pictures.telling import TYPE_NAMES
from game_masters.catan.views import SeatView, View
from game_masters.catan.vocabulary import Hex, Piece
from ugs.pictures.svg import Svg, number

PAINTS: Final = ("sea", "clay", "ore", "sheep", "wheat", "wood", "sand", "gold", "fog")
LETTERS: Final = ("", "C", "O", "S", "W", "T", "D", "G", "?")
PORTS: Final = ("3:1", "C", "O", "S", "W", "T")
SEATS: Final = ("red", "blue", "yellow", "green", "violet", "sky")
ON_SEATS: Final = ("white", "white", "black", "white", "white", "black")
ROW: Final = 17.0
BUTTON: Final = 20.0
MOST_BUTTONS: Final = 40
NARROWEST: Final = 380.0
HOT: Final = (6, 8)
_AWAY: Final = ((-1, 1), (-2, 0), (-1, -1), (1, -1), (2, 0), (1, 1))
"""Right and down, away from the land that a port faces, by its facing."""

Name = Callable[[int | None], str]


def draw(
    prefix: str, view: View, title: str, words: str, name: Name, moves: Sequence[tuple[Message, str]]
) -> str:  # fmt: skip
    """Return the picture. ``moves`` are what one seat may do, with labels, in the order of their numbers."""
    layout = layout_of(view.board)
    width = max(layout.width, NARROWEST)
    by_place = _by_place(moves)
    on_board = {number for numbers in by_place.values() for number in numbers}
    buttons = [(each, label) for each, (_, label) in enumerate(moves) if each not in on_board][:MOST_BUTTONS]
    rows = (len(buttons) + 1) // 2
    seats_height = ROW * (len(view.seats) + 1) + 8
    svg = Svg(prefix, width, layout.height + seats_height + rows * BUTTON + 6, title, words)
    svg.rect(0, 0, width, layout.height + seats_height + rows * BUTTON + 6, fill="ground")
    svg.rect(0, 0, width, layout.height, fill="sea")
    svg.open(transform=f"translate({number((width - layout.width) / 2)})")
    _hexes(svg, view, layout)
    _ports(svg, view, layout)
    _pieces(svg, view, layout)
    _marks(svg, layout, by_place)
    svg.close()
    _seats(svg, view, name, layout.height + ROW)
    _buttons(svg, buttons, width, layout.height + seats_height)
    return str(svg)


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
    for hex, type, dice in view.board.hexes:
        center = layout.hexes[hex]
        svg.path(_outline(center), fill=PAINTS[type], stroke="line", stroke_width=1)
        x, y = center
        svg.text(x + 7 if hex == view.robber else x, y - 5, LETTERS[type], 9, anchor="middle", fill="faint")
        if dice:
            hot = dice in HOT
            svg.text(x, y + 8, str(dice), 13 if hot else 11, anchor="middle", font_weight="bold" if hot else None)
    for at, letter, right, down in ((view.robber, "R", -6, -8), (view.pirate, "P", 0, 0)):
        if at is not None and at in layout.hexes:
            x, y = layout.hexes[at]
            svg.circle(x + right, y + down, 6, fill="black", stroke="white", stroke_width=1)
            svg.text(x + right, y + down + 3, letter, 8, anchor="middle", fill="white")


def _outline(center: Point) -> str:
    points = " L".join(f"{number(x)} {number(y)}" for x, y in corners(center))
    return f"M{points}Z"


def _ports(svg: Svg, view: View, layout: Layout) -> None:
    for type, edge, facing in view.board.ports:
        if edge not in layout.edges:
            continue
        at = _at_sea(layout, edge, facing)
        for end in layout.edges[edge]:
            svg.path(
                f"M{number(at[0])} {number(at[1])}L{number(end[0])} {number(end[1])}", stroke="faint", stroke_width=1
            )
        svg.circle(at[0], at[1], 8.5, fill="field", stroke="line", stroke_width=1)
        svg.text(at[0], at[1] + 3, PORTS[type], 8, anchor="middle")


def _at_sea(layout: Layout, edge: int, facing: int) -> Point:
    """Return a point in the water before a port, which faces the land."""
    right, down = _AWAY[facing - 1]
    x, y = middle(layout.edges[edge])
    return x + right * HALF * 0.3, y + down * SIDE * 0.45


def _pieces(svg: Svg, view: View, layout: Layout) -> None:
    for village in view.villages:
        x, y = layout.nodes[village.node]
        svg.rect(x - 7, y - 6, 14, 12, fill="field", stroke="ink", stroke_width=1)
        svg.text(x, y + 3, f"{village.number}:{village.cloth}", 6.5, anchor="middle")
    for seat, one in enumerate(view.seats):
        for ship, edges in ((False, one.roads), (True, one.ships)):
            for edge in edges:
                _line(svg, layout, edge, seat, ship=ship)
    for seat, one in enumerate(view.seats):
        for city, nodes in ((False, one.settlements), (True, one.cities)):
            for node in nodes:
                _building(svg, layout, node, seat, city=city)


def _line(svg: Svg, layout: Layout, edge: int, seat: int, *, ship: bool) -> None:
    (one_x, one_y), (other_x, other_y) = layout.edges[edge]
    x, y = middle(layout.edges[edge])
    near = [(x + (at_x - x) * 0.7, y + (at_y - y) * 0.7) for at_x, at_y in ((one_x, one_y), (other_x, other_y))]
    data = f"M{number(near[0][0])} {number(near[0][1])}L{number(near[1][0])} {number(near[1][1])}"
    svg.path(data, stroke="black", stroke_width=7, stroke_dasharray="4 2" if ship else None)
    svg.path(data, stroke=SEATS[seat], stroke_width=5, stroke_dasharray="4 2" if ship else None)
    svg.text(x, y + 2.5, str(seat), 7, anchor="middle", fill=ON_SEATS[seat])


def _building(svg: Svg, layout: Layout, node: int, seat: int, *, city: bool) -> None:
    x, y = layout.nodes[node]
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


def _seats(svg: Svg, view: View, name: Name, top: float) -> None:
    for seat, one in enumerate(view.seats):
        y = top + seat * ROW
        svg.rect(8, y - 10, 12, 12, fill=SEATS[seat], stroke="black", stroke_width=1)
        svg.text(14, y, str(seat), 9, anchor="middle", fill=ON_SEATS[seat])
        weight = "bold" if seat == view.current else None
        nick = "vacant" if one.sitter == "vacant" else name(seat)
        svg.text(26, y, nick, 10, most=22, font_weight=weight)
        svg.text(140, y, summary(view, seat, one), 8.5, most=62)
    svg.text(8, top + len(view.seats) * ROW, legend(view, "R", "P"), 7.5, most=100, fill="faint")


def legend(view: View, robber: str, pirate: str) -> str:
    """Return what the letters on the board mean; ``robber`` and ``pirate`` are how these are shown."""
    types = sorted({type for _, type, _ in view.board.hexes} - {int(Hex.WATER)})
    marks = [f"{LETTERS[type]} {TYPE_NAMES[type]}" for type in types] + [f"{robber} robber"]
    marks += [f"{pirate} pirate"] * view.board.sea + ["number:cloth village"] * bool(view.villages)
    return ", ".join(marks)


def summary(view: View, seat: int, one: SeatView) -> str:
    """Return what a seat has, in few letters."""
    if one.sitter == "vacant":
        return ""
    hand = str(one.resources)
    if one.hand is not None:
        hand += f" ({' '.join(f'{count}{letter}' for count, letter in zip(one.hand, 'COSWT', strict=False) if count)})"
    marks = " route" * (view.longest == seat) + " army" * (view.army == seat)
    cloth = f", cloth {one.cloth}" if one.cloth else ""
    return f"{one.points} points, hand {hand}, cards {one.cards}, soldiers {one.soldiers}{cloth}{marks}"


def _buttons(svg: Svg, buttons: Sequence[tuple[int, str]], width: float, top: float) -> None:
    half = (width - 18) / 2
    for place, (each, label) in enumerate(buttons):
        x = 6 + (place % 2) * (half + 6)
        y = top + place // 2 * BUTTON
        svg.open(offers=[each])
        svg.rect(x, y, half, BUTTON - 3, round=4, fill="field", stroke="line")
        svg.text(x + half / 2, y + 12, label, 9.5, anchor="middle", most=34)
        svg.close()
