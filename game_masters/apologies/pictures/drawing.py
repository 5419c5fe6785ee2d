"""The position as SVG: the board, 20 units for each square, and a panel below with the seats and the viewer's hand.

Each colour has a shape of its own, so that colours need not be distinguished, and each pawn its number.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from game_masters.apologies.board import COLOURS, HOME, PAWNS, SAFE_SQUARES, SLIDES, SQUARES, Pawn
from game_masters.apologies.cards import HAND, Kind
from game_masters.apologies.pictures import geometry
from game_masters.apologies.pictures.geometry import SIDE, Point
from game_masters.apologies.views import Made, Mode, Offer, View
from ugs.pictures.lettering import clipped
from ugs.pictures.svg import Svg, number

UNIT: Final = 20.0
WIDTH: Final = SIDE * UNIT
EDGE: Final = 6.0
"""Around the board and the panel."""
PAINTS: Final[Sequence[str]] = tuple(colour.lower() for colour in COLOURS)
ON: Final[Mapping[str, str]] = {"red": "black", "yellow": "black", "green": "white", "blue": "white"}
"""What can be read on a colour."""

COMPUTER: Final = " (computer)"
_ROW: Final = 24.0
_CARD: Final = (34.0, 46.0)
_MIDDLE: Final = WIDTH / 2


def draw(
    view: View,
    new: Sequence[Made],
    winners: frozenset[int] | None,
    prefix: str,
    standing: str,
    words: str,
    offers: Sequence[Offer],
) -> str:
    """Return the picture. Parts that stand for ``offers`` are marked with their numbers."""
    hand = view.seats[view.you].hand if view.you is not None else ()
    height = WIDTH + 4 + _ROW * len(view.seats) + (_CARD[1] + 12 if hand else 0)
    drawn = Svg(prefix, WIDTH + 2 * EDGE, height + 2 * EDGE, f"Apologies: {standing}", words)
    drawn.rect(0, 0, WIDTH + 2 * EDGE, height + 2 * EDGE, round=10, fill="ground")
    drawn.open(transform=f"translate({number(EDGE)} {number(EDGE)})")
    drawn.always(_draw_board)
    _draw_cards(drawn, view, offers)
    if new:
        _draw_trails(drawn, new[-1])
    _draw_pawns(drawn, view, new, offers)
    _draw_targets(drawn, offers)
    _draw_seats(drawn, view, winners)
    if hand:
        _draw_hand(drawn, hand, WIDTH + 8 + _ROW * len(view.seats), offers)
    drawn.close()
    return drawn.drawn()


# --- the board --------------------------------------------------------------------------------------------------------


def _draw_board(drawn: Svg) -> None:
    for place in range(SQUARES):
        x, y = _at(geometry.square(place))
        drawn.rect(x - 10, y - 10, 20, 20, fill="field", stroke="line", stroke_width=0.8)
    for seat, paint in enumerate(PAINTS):
        for safe in range(SAFE_SQUARES):
            x, y = _at(geometry.safe_square(seat, safe))
            drawn.rect(x - 10, y - 10, 20, 20, fill=paint, fill_opacity=0.28, stroke="line", stroke_width=0.8)
        for first, last in SLIDES[seat]:
            _draw_slide(drawn, paint, _at(geometry.square(first)), _at(geometry.square(last)))
        for (x, y), name in ((_at(geometry.start(seat)), "START"), (_at(geometry.home(seat)), "HOME")):
            radius = geometry.RADIUS * UNIT
            drawn.circle(x, y, radius, fill=paint, fill_opacity=0.2, stroke=f"{paint}-line", stroke_width=1.6)
            towards = radius + 8 if y < _MIDDLE else -radius - 3
            drawn.text(x, y + towards, name, 8, anchor="middle", fill=f"{paint}-line", font_weight="700")
            for spot in geometry.NESTS:
                drawn.circle(x + 21 * spot[0], y + 21 * spot[1], 2.2, fill=f"{paint}-line", fill_opacity=0.45)


def _draw_slide(drawn: Svg, paint: str, first: Point, last: Point) -> None:
    """An arrow from the square that starts a slide, and a ring where it ends."""
    (x, y), (to_x, to_y) = first, last
    along = ((to_x > x) - (to_x < x), (to_y > y) - (to_y < y))
    across = (-along[1], along[0])
    corners = [
        (x + 6 * along[0], y + 6 * along[1]),
        (x - 5 * along[0] + 6 * across[0], y - 5 * along[1] + 6 * across[1]),
        (x - 5 * along[0] - 6 * across[0], y - 5 * along[1] - 6 * across[1]),
    ]
    data = f"M{_pair(x, y)}L{_pair(to_x - 6 * along[0], to_y - 6 * along[1])}"
    drawn.path(data, fill="none", stroke=paint, stroke_width=5, stroke_opacity=0.75)
    drawn.path(f"M{'L'.join(_pair(*corner) for corner in corners)}z", fill=paint)
    drawn.circle(to_x, to_y, 6, fill="field", stroke=paint, stroke_width=3)


# --- pawns ------------------------------------------------------------------------------------------------------------


def _draw_pawns(drawn: Svg, view: View, new: Sequence[Made], offers: Sequence[Offer]) -> None:
    moved = {pawn for made in new[-1:] for pawn, _, _ in made.actions + made.effects}
    choices = _choices_by_pawn(offers)
    for seat, sitter in enumerate(view.seats):
        for own, place in enumerate(sitter.pawns):
            pawn = seat * PAWNS + own
            drawn.piece(_draw_pawn, seat, own, place, pawn in moved, offers=choices.get(pawn, ()))


def _draw_pawn(drawn: Svg, seat: int, own: int, place: int, moved: bool, choices: Sequence[int] = ()) -> None:
    x, y = _at(geometry.point(seat, own, place))
    drawn.open(transform=f"translate({_pair(x, y)})", offers=choices, data_piece=f"{seat}{own}")
    if choices:
        drawn.circle(0, 0, 11.5, fill="mark", fill_opacity=0.35)
    drawn.always(_draw_shape, seat, moved)
    # A triangle has its middle lower down.
    y = 4.6 if PAINTS[seat] == "green" else 3.6
    drawn.text(0, y, str(own), 10, anchor="middle", fill=ON[PAINTS[seat]], font_weight="700")
    drawn.close()


_SHAPES: Final[Mapping[str, str]] = {
    "yellow": "M0-9.6L9.6 0L0 9.6L-9.6 0z",
    "green": "M0-9.4L9.6 7.4H-9.6z",
    "blue": "M-7.6-7.6H7.6V7.6H-7.6z",
}


def _draw_shape(drawn: Svg, seat: int, marked: bool) -> None:
    """The shape of a colour, about the origin: a disc, a diamond, a triangle or a square."""
    paint = PAINTS[seat]
    stroke, width = ("mark", 2.6) if marked else ("ink", 1.0)
    if paint == "red":
        drawn.circle(0, 0, 8.2, fill=paint, stroke=stroke, stroke_width=width)
    else:
        drawn.path(_SHAPES[paint], fill=paint, stroke=stroke, stroke_width=width, stroke_linejoin="round")


def _draw_trails(drawn: Svg, made: Made) -> None:
    """From where to where the last play has moved pawns; dashed for what followed from it."""
    for steps, dashes in ((made.actions, None), (made.effects, "3 3")):
        for pawn, origin, target in steps:
            seat, own = divmod(pawn, PAWNS)
            x, y = _at(geometry.point(seat, own, origin))
            data = f"M{_pair(x, y)}{_way(pawn, (origin, target))}"
            drawn.path(
                data, fill="none", stroke="mark", stroke_width=2, stroke_opacity=0.7, stroke_dasharray=dashes,
                stroke_linejoin="round",
            )  # fmt: skip
            drawn.circle(x, y, 3.2, fill="mark", fill_opacity=0.7)


def _way(pawn: Pawn, ends: tuple[int, int]) -> str:
    """The path to the target: bent towards the middle of the board, so that it does not hide the ring."""
    seat, own = divmod(pawn, PAWNS)
    (x, y), (to_x, to_y) = (_at(geometry.point(seat, own, place)) for place in ends)
    bend = 0.3 if abs(to_x - x) + abs(to_y - y) > 3 * UNIT else 0.12
    middle = ((x + to_x) / 2, (y + to_y) / 2)
    over = (middle[0] + bend * (_MIDDLE - middle[0]), middle[1] + bend * (_MIDDLE - middle[1]))
    return f"Q{_pair(*over)} {_pair(to_x, to_y)}"


def _draw_targets(drawn: Svg, offers: Sequence[Offer]) -> None:
    """Rings where pawns could go, each standing for the plays that lead there."""
    plays: defaultdict[Point, list[int]] = defaultdict(list)
    for place, offer in enumerate(offers):
        for pawn, _, target in offer.actions:
            if place not in plays[spot := _at(geometry.point(*divmod(pawn, PAWNS), target))]:
                plays[spot].append(place)
    for (x, y), numbers in plays.items():
        drawn.open(offers=numbers)
        drawn.circle(
            x, y, 8.5, fill="mark", fill_opacity=0.12, stroke="mark", stroke_width=1.8, stroke_dasharray="4 2.5"
        )
        drawn.close()


def _choices_by_pawn(offers: Sequence[Offer]) -> Mapping[Pawn, Sequence[int]]:
    """The offers that move a pawn, by its number. Pawns of others that change places are no choice of their own."""
    found: defaultdict[Pawn, list[int]] = defaultdict(list)
    for place, offer in enumerate(offers):
        for pawn in dict.fromkeys(pawn for pawn, _, _ in offer.actions):
            found[pawn].append(place)
    return found


# --- cards ------------------------------------------------------------------------------------------------------------


def _draw_cards(drawn: Svg, view: View, offers: Sequence[Offer]) -> None:
    """The middle of the board: the draw pile, the last card, and the card that is to be played."""
    width, height = _CARD
    y = _MIDDLE - height / 2 - 4
    in_play = view.drawn is not None
    x = _MIDDLE - 1.5 * width - 12 if in_play else _MIDDLE - width - 6
    drawn.piece(_draw_piles, x, y, view.history[-1].kind if view.history else None)
    if view.drawn is not None:
        x += 2 * (width + 12)
        drawn.open(offers=range(len(offers)))
        _draw_card(drawn, x, y, view.drawn, strong=True)
        drawn.close()
        _caption(drawn, x + width / 2, y + height + 12, "to play")


def _draw_piles(drawn: Svg, x: float, y: float, last: Kind | None) -> None:
    width, height = _CARD
    for offset in (4, 2, 0):
        drawn.always(_draw_back, x - offset / 2, y - offset / 2, width, height)
    _caption(drawn, x + width / 2, y + height + 12, "draw")
    x += width + 12
    if last is not None:
        _draw_card(drawn, x, y, last)
    else:
        drawn.rect(x, y, width, height, round=5, fill="none", stroke="line", stroke_width=1.2, stroke_dasharray="4 3")
    _caption(drawn, x + width / 2, y + height + 12, "last")


def _caption(drawn: Svg, x: float, y: float, text: str) -> None:
    drawn.text(x, y, text, 10, anchor="middle", fill="faint")


def _draw_card(drawn: Svg, x: float, y: float, kind: Kind, *, strong: bool = False) -> None:
    width, height = _CARD
    stroke = "mark" if strong else "line"
    drawn.rect(x, y, width, height, round=5, fill="field", stroke=stroke, stroke_width=2 if strong else 1.2)
    if kind is Kind.APOLOGIES:
        drawn.text(x + width / 2, y + height / 2 + 2, "A", 19, anchor="middle", font_weight="700")
        drawn.text(x + width / 2, y + height - 6, "apologies", 6.6, anchor="middle", fill="faint")
    else:
        drawn.text(x + width / 2, y + height / 2 + 8, kind.short, 22, anchor="middle", font_weight="700")


def _draw_back(drawn: Svg, x: float, y: float, width: float, height: float) -> None:
    drawn.rect(x, y, width, height, round=min(5, width / 4), fill="violet", stroke="field", stroke_width=1.2)
    if width > 20:
        drawn.rect(x + 5, y + 5, width - 10, height - 10, round=3, fill="none", stroke="white", stroke_opacity=0.5)


def _draw_hand(drawn: Svg, hand: Sequence[Kind], y: float, offers: Sequence[Offer]) -> None:
    """The viewer's cards, each standing for the plays with it."""
    width = _CARD[0]
    drawn.text(6, y + _CARD[1] / 2 + 5, "Your hand", 13, font_weight="600")
    for place, kind in enumerate(hand):
        drawn.open(offers=[at for at, offer in enumerate(offers) if offer.kind is kind])
        _draw_card(drawn, WIDTH - (len(hand) - place) * (width + 8), y, kind)
        drawn.close()


# --- the seats --------------------------------------------------------------------------------------------------------


def _draw_seats(drawn: Svg, view: View, winners: frozenset[int] | None) -> None:
    """A row for each seat: its shape, who plays it, what it holds, and how many pawns are home."""
    for seat, sitter in enumerate(view.seats):
        won = winners is not None and seat in winners
        word = "won" if won else "to play" if winners is None and seat == view.turn else ""
        backs = HAND if view.mode is Mode.ADULT and seat != view.you else 0
        home = sitter.pawns.count(HOME)
        nick, played = sitter.nick.removesuffix(COMPUTER), sitter.kind != "human"
        shown = f"{clipped(nick, 12)}{COMPUTER}" if played else clipped(nick, 21)
        drawn.piece(_draw_seat, seat, shown, word, backs, home)


def _draw_seat(drawn: Svg, seat: int, shown: str, word: str, backs: int, home: int) -> None:
    """One of the rows. ``word`` is what is to be remarked about the seat, ``backs`` how many cards it hides."""
    y = WIDTH + 6 + _ROW * seat
    if word:
        drawn.rect(0, y, WIDTH, _ROW - 2, round=6, fill="field", stroke="mark", stroke_width=1.4)
    drawn.open(transform=f"translate(15 {number(y + 11)})")
    drawn.always(_draw_shape, seat, False)
    drawn.close()
    drawn.text(31, y + 15.5, shown, 13, font_weight="600" if word else None)
    for card in range(backs):
        drawn.always(_draw_back, 212 + 6 * card, y + 5, 9, 12)
    text = word or f"{home} home"
    drawn.text(WIDTH - 8, y + 15.5, text, 12, anchor="end", fill="mark" if word else "faint", font_weight="600")


def _at(middle: Point) -> Point:
    return middle[0] * UNIT, middle[1] * UNIT


def _pair(x: float, y: float) -> str:
    return f"{number(x)} {number(y)}"
