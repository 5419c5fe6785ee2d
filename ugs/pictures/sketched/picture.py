"""A sketch as a picture: what a master of any language has described is shown as games in Python are."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Final

from ugs.pictures.clicks import are_in_turn
from ugs.pictures.contract import CannotDraw, Line, Offer, Picture, Scene, Shown
from ugs.pictures.lettering import clipped, columns, within
from ugs.pictures.sketched import terminal, words
from ugs.pictures.sketched.grounds import DOT, Layout, draw, hexagon, layout_of, square
from ugs.pictures.sketched.legend import WIDTH, draw_hands, draw_seats, height_above, height_below
from ugs.pictures.sketched.pieces import put, short
from ugs.pictures.svg import Look, Svg, number
from ugs.sketch.decoding import cells_of, read, read_board
from ugs.sketch.elements import Unfit
from ugs.sketch.model import Drawing, Grid, Ground, Hexes, Points, Sketch
from ugs.sketch.model import Line as Between
from ugs.sketch.model import Offer as Offered
from ugs.sketch.size import MAX_WORDS_BYTES

MAX_TITLE_BYTES: Final = 800
OWN_WAY: Final = 1.5
"""How thick the lines of a board of points are."""
LETTER: Final = 0.6
"""How wide a letter is, in sizes of its font: most are less."""
MAX_LABEL: Final = 24
# SVG, words, news and offers of one position are asked for one after the other, and each begins with the sketch.
_read: Final = lru_cache(maxsize=8)(read)
_read_board: Final = lru_cache(maxsize=8)(read_board)


class Sketched:
    """One position."""

    def __init__(self, scene: Scene, shown: Shown, before: Sequence[str] = ()) -> None:
        """``before``: the news of the position before."""
        self._scene = scene
        self._shown = shown
        self._before = before

    @property
    def _sketch(self) -> Sketch:
        """What the master has written, except for offers. A replay has many positions, and as values they would take
        ten times the room."""
        return _read_board(self._shown.sketch)

    @property
    def _offers(self) -> Sequence[Offered]:
        """The offers: reading them takes most of the time, and few who look are asked for a move."""
        return _read(self._shown.sketch).offers

    def text(self, width: int) -> Sequence[Line]:
        """Return the position for a terminal."""
        return list(terminal.lines(self._scene, self._sketch, self._shown, width))

    def words(self) -> str:
        """Return the position in sentences."""
        return words.words(self._scene, self._sketch, self._shown)

    def news(self) -> Sequence[str]:
        """Return what has happened, in the words of the master. At the end they may be those of the position before:
        it is drawn again with the result, after a move against the rules for instance."""
        news = self._sketch.news
        return () if self._shown.winners is not None and news == self._before else news

    def offers(self, seat: int) -> Sequence[Offer]:
        """Return the moves that the master has named for this seat."""
        return [Offer(one.label, one.move) for one in self._offers if self._is_for(seat, one.nick)]

    def svg(self, prefix: str, seat: int | None = None) -> str:
        """Return the ground with all that lies on it, the seats above and the hands below."""
        sketch, scene = self._sketch, self._scene
        layout = self._layout()
        bottom = layout.top + layout.height + 8
        height = bottom + height_below(sketch) + 4
        title = within(f"Board: {words.standing(scene, self._shown)}", MAX_TITLE_BYTES)
        drawn = Svg(prefix, WIDTH, height, title, within(self.words(), MAX_WORDS_BYTES))
        drawn.rect(0, 0, WIDTH, height, round=8, fill="ground")
        draw_seats(drawn, scene, sketch, self._shown)
        clicks = self._clicks(seat)
        if are_in_turn([one.freely() for one in clicks.values()]):
            drawn.is_clicked_in_turn()
        if isinstance(sketch.ground, Drawing):
            _draw_parts(drawn, sketch.ground, layout, clicks)
        else:
            self._draw_on(drawn, layout)
            for cell, one in clicks.items():
                x, y = layout.places(cell)
                half = layout.cell / 2
                if isinstance(sketch.ground, Hexes):
                    drawn.offer_path(
                        hexagon(x, y, layout.cell, short), *one.numbers, begins=one.begins, steps=one.steps
                    )
                else:
                    drawn.offer_rect(
                        x - half, y - half, layout.cell, layout.cell, *one.numbers, begins=one.begins, steps=one.steps
                    )
        draw_hands(drawn, sketch, bottom)
        return drawn.drawn()

    def place(self, cell: str) -> tuple[float, float, float] | None:
        """Return the middle and the width of a cell, as the sketch names it; None if there is none."""
        sketch = self._sketch
        if isinstance(sketch.ground, Drawing) or cell not in cells_of(sketch):
            return None
        layout = self._layout()
        return *layout.places(cell), layout.cell

    def _layout(self) -> Layout:
        return layout_of(self._sketch.ground, WIDTH, height_above(self._scene, self._sketch) + 6, self._scene.viewer)

    def _draw_on(self, drawn: Svg, layout: Layout) -> None:
        sketch, cell = self._sketch, layout.cell
        # The dots of empty points are seen on ways.
        if isinstance(sketch.ground, Points):
            _draw_lines(drawn, sketch, layout)
            draw(drawn, sketch, layout)
        else:
            draw(drawn, sketch, layout)
            _draw_lines(drawn, sketch, layout)
        for pieces in sketch.pieces:
            put(drawn, pieces.look, map(layout.places, pieces.at), cell * 0.4, moves="")
        if not isinstance(sketch.ground, Points):
            _label_cells(drawn, sketch, layout)
        if sketch.marks:
            outline = hexagon if isinstance(sketch.ground, Hexes) else _square_around
            around = [outline(x, y, cell) for x, y in map(layout.places, sketch.marks)]
            drawn.path("".join(around), fill="none", stroke="mark", stroke_width=2)
        if isinstance(sketch.ground, Points) and sketch.labels:
            _label_points(drawn, sketch, layout)

    def _is_for(self, seat: int, nick: str) -> bool:
        if self._shown.winners is not None:
            return False
        if not nick:
            return seat in self._shown.movers
        return 0 <= seat < len(self._scene.seats) and self._scene.seats[seat].nick == nick

    def _clicks(self, seat: int | None) -> Mapping[str, "_Clicks"]:
        """The cells that stand for offers of a seat."""
        found: dict[str, _Clicks] = {}
        if seat is not None:
            for number, offer in enumerate([one for one in self._offers if self._is_for(seat, one.nick)]):
                # A cell that an offer names twice stands for it once, but for two of its clicks.
                for step, cell in enumerate(offer.at if offer.in_turn else dict.fromkeys(offer.at), 1):
                    clicks = found.setdefault(cell, _Clicks())
                    clicks.numbers.append(number)
                    clicks.steps.append(step if offer.in_turn else 0)
                    # A cell that is all of a move is marked like those of others where clicks have an order.
                    clicks.begins |= step == 1 and (offer.in_turn or len(offer.at) > 1)
        return found


class _Clicks:
    """What a cell stands for when it is clicked."""

    def __init__(self) -> None:
        self.numbers: list[int] = []
        """Of offers."""
        self.steps: list[int] = []
        """For each of them the click that is made here, from 1; 0: any."""
        self.begins = False
        """Whether a move begins with it, so that it is marked."""

    def freely(self) -> Sequence[int]:
        """The numbers of the offers that have no order of clicks."""
        return [number for number, step in zip(self.numbers, self.steps, strict=True) if not step]


_NO_CLICKS: Final = _Clicks()


def _square_around(x: float, y: float, cell: float) -> str:
    return square(x - cell / 2, y - cell / 2, cell)


def _draw_lines(drawn: Svg, sketch: Sketch, layout: Layout) -> None:
    """Those of one colour that follow each other are one path."""
    for colour, lines in groupby(sketch.lines, lambda one: one.colour):
        ways = "".join([_way(layout, line) for line in lines])
        drawn.path(ways, fill="none", stroke_linecap="round", **_look_of_lines(sketch.ground, colour, layout.cell))


def _look_of_lines(ground: Ground, colour: str, cell: float) -> Mapping[str, Look]:
    """Between points and on crossings a line is a way, and without a colour it is the board's own; in cells it joins
    pieces, and has to be seen around them."""
    is_points = isinstance(ground, Points)
    if not (is_points or (isinstance(ground, Grid) and ground.look == "crossings")):
        return {"stroke": colour or "ink", "stroke_width": max(2.0, cell * 0.9), "stroke_opacity": 0.35}
    if not colour:
        return {"stroke": "faint", "stroke_width": OWN_WAY if is_points else 1.0}
    return {"stroke": colour, "stroke_width": max(2.0, cell * (0.16 if is_points else 0.03))}


def _label_cells(drawn: Svg, sketch: Sketch, layout: Layout) -> None:
    """Labels in the middle of empty cells. Where something lies, they are small, in the corner, or where two sides of a
    hex meet below; a seam parts them from what is too large for its cell."""
    cell, corner = layout.cell, layout.cell * 0.45
    taken = {name for pieces in sketch.pieces for name in pieces.at}
    for name, text in sketch.labels:
        if name not in taken:
            x, y = layout.places(name)
            drawn.text(x, y + cell * 0.12, text, max(7.0, min(13.0, cell * 0.36)), anchor="middle", most=MAX_LABEL)
    beside = [one for one in sketch.labels if one[0] in taken]
    if beside:
        drawn.open(stroke="ground", stroke_width=2, paint_order="stroke", stroke_linejoin="round")
        for name, text in beside:
            x, y = layout.places(name)
            wide = 2 * corner / (LETTER * max(1, columns(clipped(text, MAX_LABEL))))
            size = max(5.0, min(12.0, cell * 0.22, wide))
            if isinstance(sketch.ground, Hexes):
                drawn.text(x, y + cell * 0.54, text, size, anchor="middle", most=MAX_LABEL)
            else:
                drawn.text(x - corner, y + corner, text, size, most=MAX_LABEL)
        drawn.close()


def _label_points(drawn: Svg, sketch: Sketch, layout: Layout) -> None:
    """Labels below what lies on their points, or below a mark there: on the right, or on the left where the picture
    ends before. A seam parts them from ways."""
    cell = layout.cell
    taken = {name for pieces in sketch.pieces for name in pieces.at}.union(*[at for _, at in sketch.cells])
    size = max(7.0, min(10.0, cell * 0.36))
    drawn.open(stroke="ground", stroke_width=3, paint_order="stroke", stroke_linejoin="round")
    for name, text in sketch.labels:
        x, y = layout.places(name)
        # Beside a disc, where its edge is halfway between right and below.
        away = 1 + cell * (0.5 if name in sketch.marks else 0.36 if name in taken else DOT)
        is_right = x + away + LETTER * size * columns(clipped(text, MAX_LABEL)) < WIDTH
        left, anchor = (x + away, "") if is_right else (x - away, "end")
        drawn.text(left, y + away + size * 0.75, text, size, anchor=anchor, most=MAX_LABEL)
    drawn.close()


def _way(layout: Layout, line: Between) -> str:
    (x, y), (to_x, to_y) = layout.places(line.begin), layout.places(line.end)
    return f"M{number(x)} {number(y)}L{number(to_x)} {number(to_y)}"


def _draw_parts(drawn: Svg, ground: Drawing, layout: Layout, clicks: Mapping[str, _Clicks]) -> None:
    drawn.inner(layout.left, layout.top, layout.width, layout.height, ground.view_box)
    for part in ground.parts:
        # Named paints change in the dark with the page; those with # stay as the master wrote them.
        named = {name: paint for name, paint in part.paints if not paint.startswith("#")}
        plain = "".join([f' {name}="{paint}"' for name, paint in part.paints if paint.startswith("#")])
        one = clicks.get(part.cell, _NO_CLICKS)
        drawn.part(part.head + plain, part.tail, one.numbers, part.cell, begins=one.begins, steps=one.steps, **named)
    drawn.end_inner()


def picture_of(scene: Scene, shown: Shown, before: Sequence[str] = ()) -> Picture:
    """The picture of a state that came with a sketch from its master, after one with the news ``before``. Raises
    CannotDraw."""
    try:
        _read_board(shown.sketch)
    except Unfit as error:
        raise CannotDraw(f"sketch: {error}") from error
    return Sketched(scene, shown, before)
