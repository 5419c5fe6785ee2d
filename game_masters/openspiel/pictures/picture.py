"""One position of a game of OpenSpiel: who sits there, the body, the moves that can be clicked, words and news."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from game_masters.kit.rules import Unreadable
from game_masters.openspiel.notation import read_view, write_move
from game_masters.openspiel.pictures.bodies import body_of
from game_masters.openspiel.pictures.body import MARGIN, WIDTH, Body
from game_masters.openspiel.pictures.stones import DARK
from game_masters.openspiel.view import Event, EventKind, Play, View
from ugs.pictures.contract import CannotDraw, Line, Offer, Scene, Shown, Span
from ugs.pictures.contract import Follower as PictureFollower
from ugs.pictures.lettering import clipped, columns, sentence, wrapped
from ugs.pictures.svg import Svg

ROW: Final = 20.0
CHIP: Final = 22.0
"""The height of a move that can be clicked below the body."""
LETTER: Final = 6.4
MAX_CHIPS: Final = 80
"""Moves below the body; pages list all of them besides."""
MAX_LISTED: Final = 40
"""Moves that a terminal lists."""
STYLES: Final = ("red", "blue", "green", "yellow", "magenta", "cyan")


@dataclass(frozen=True, slots=True)
class SpielPicture:
    """What can be seen of one position."""

    scene: Scene
    view: View
    body: Body
    asked: tuple[int, ...]
    winners: frozenset[int] | None
    events: tuple[Event, ...]
    """What is new; nothing where the same state has come again."""
    all_lost: bool = False

    @property
    def game(self) -> str:
        """What the game is called."""
        return clipped(self.view.game.removesuffix("()").replace("_", " "), 48)

    def name(self, seat: int) -> str:
        """The nick of a seat, safe and not long."""
        seats = self.scene.seats
        return clipped(seats[seat].nick, 24) if seat < len(seats) else f"seat {seat}"

    @property
    def standing(self) -> str:
        """Whose turn it is, or how the game ended."""
        if self.winners is None:
            return f"to move: {', '.join(map(self.name, self.asked))}" if self.asked else ""
        if not self.winners:
            return "all players lost" if self.all_lost else "drawn"
        return f"won by {' and '.join(map(self.name, sorted(self.winners)))}"

    def _standing_of(self, seat: int) -> str:
        """What stands behind the name of a seat."""
        # One for who has won and minus one for who has lost add nothing to the word.
        plain = set(self.view.points) <= {-1.0, 0.0, 1.0} and bool(self.winners)
        points = f"{self.view.points[seat]:g}" if seat < len(self.view.points) and not plain else ""
        if self.winners is not None:
            return ", ".join(filter(None, ("won" if seat in self.winners else "", points)))
        return "to move" if seat in self.asked else ""

    # --- what a picture is --------------------------------------------------------------------------------------------

    def words(self) -> str:
        """Return the position in sentences."""
        seats = ", ".join(f"{self.name(seat)} has seat {seat}" for seat in range(self.view.seats))
        standing = sentence(self.standing, self.scene) if self.standing else ""
        points = ", ".join(f"{self.name(seat)} {points:g}" for seat, points in enumerate(self.view.points))
        parts = (f"{self.game}: {seats}.", standing, f"Points: {points}." if points else "", self.body.words())
        return " ".join(filter(None, parts))

    def news(self) -> Sequence[str]:
        """Return what has happened, as far as the viewer may know."""
        return [clipped(self._in_words(event), 120) for event in self.events]

    def _in_words(self, event: Event) -> str:
        who = "" if event.seat is None else self.name(event.seat)
        text = self.body.in_words(_readable(event.text))
        return {
            EventKind.PLAY: f"{who} plays {text}" if text else f"{who} has moved",
            EventKind.SEALED: f"{who} chooses {text}" if text else f"{who} has chosen",
            EventKind.TOGETHER: f"all have chosen: {text}" if text else "all have chosen",
            EventKind.CHANCE: f"chance: {text}" if text else "chance has decided something",
            EventKind.OUT: f"{who} is out: {text}",
        }[event.kind]

    def offers(self, seat: int) -> Sequence[Offer]:
        """Return the listed moves."""
        return [Offer(clipped(self.body.in_words(_label(play)), 60), write_move(play)) for play in self._plays(seat)]

    def _plays(self, seat: int | None) -> Sequence[Play]:
        if self.winners is not None or seat is None or seat not in self.asked or seat != self.view.turn:
            return ()
        return self.view.plays

    # --- SVG ----------------------------------------------------------------------------------------------------------

    def svg(self, prefix: str, seat: int | None = None) -> str:
        """Return the seats, the body, and below it what can be clicked and is not on the body."""
        plays = self._plays(seat)
        top = ROW * self.view.seats + 14
        # Only drawing shows which moves have a place on the body, and the others need room below it.
        trial = Svg("trial", WIDTH, 1, "", "")
        shown = self.body.draw(trial, 0, plays)
        chips = list(_chips(plays, shown))
        below = top + self.body.height + 4
        height = below + (max((chip.y for chip in chips), default=-CHIP) + CHIP if chips else 0) + 8
        svg = Svg(prefix, WIDTH, height, f"{self.game}: {self.standing}", self.words())
        svg.rect(0, 0, WIDTH, height, round=8, fill="ground")
        for number in range(self.view.seats):
            self._draw_seat(svg, number)
        self.body.draw(svg, top, plays)
        for chip in chips:
            svg.open(offers=(chip.place,))
            svg.rect(chip.x, below + chip.y, chip.width, CHIP - 4, round=4, fill="field", stroke="line")
            svg.text(chip.x + 5, below + chip.y + 13, chip.label, 11, most=44)
            svg.close()
        return svg.drawn()

    def _draw_seat(self, svg: Svg, seat: int) -> None:
        y = 8 + ROW * seat
        standing = self._standing_of(seat)
        if standing.startswith(("won", "to move")):
            svg.rect(8, y, WIDTH - 16, ROW - 2, round=5, fill="field", stroke="line", stroke_width=0.75)
        paint = self.body.paints[seat % len(self.body.paints)]
        svg.circle(21, y + 9, 7, fill=paint, stroke="ink", stroke_width=0.7)
        letters = "white" if paint in DARK else "black"
        svg.text(21, y + 12.5, str(seat), 10, anchor="middle", fill=letters, font_weight="600")
        svg.text(36, y + 13.5, clipped(self.name(seat), 20), 13, font_weight="600" if standing else None)
        if standing:
            fill = "mark" if standing.startswith("won") else "faint"
            svg.text(WIDTH - 14, y + 13.5, standing, 11, anchor="end", fill=fill, font_weight="600")

    # --- terminal -----------------------------------------------------------------------------------------------------

    def text(self, width: int) -> Sequence[Line]:
        """Return the same for a terminal."""
        return [*self._legend(), (), *self.body.text(width), *self._listed(width)]

    def _legend(self) -> Iterator[Line]:
        for seat in range(self.view.seats):
            turn = "> " if seat in self.asked and self.winners is None else "  "
            standing = self._standing_of(seat)
            style = f"bold {STYLES[seat % len(STYLES)]}"
            yield (Span(turn, "bold"), Span(str(seat), style), Span(f" {clipped(self.name(seat), 18)}"),
                   Span(f"  {standing}" if standing else "", "dim"))  # fmt: skip
        if self.winners is not None and not self.winners:
            yield (Span(f"  {self.standing}", "bold"),)

    def _listed(self, width: int) -> Iterator[Line]:
        plays = self.view.plays
        if plays and self.winners is None:
            more = f" and {len(plays) - MAX_LISTED} more" if len(plays) > MAX_LISTED else ""
            listed = ", ".join(_label(play) for play in plays[:MAX_LISTED])
            yield ()
            for line in wrapped(f"moves: {listed}{more}", width):
                yield (Span(line, "dim"),)


@dataclass(frozen=True, slots=True)
class _Chip:
    """A move to click, and where it lies below the body."""

    place: int
    label: str
    x: float
    y: float
    width: float


def _label(play: Play) -> str:
    return _readable(play.text.strip()) or str(play.id)


def _readable(text: str) -> str:
    """A text of OpenSpiel without the numbers that it puts before moves on a backgammon board and outcomes of chance:
    ``18/14 16/10`` of ``1083 - 18/14 16/10``, ``roll: 43`` of ``chance outcome 19 (roll: 43)``."""
    before, _, rest = text.partition(" - ")
    if before.isdecimal() and "/" in rest:
        return rest
    if text.startswith("chance outcome ") and text.endswith(")"):
        return text.partition("(")[2][:-1] or text
    return text


def _chips(plays: Sequence[Play], shown: set[int]) -> Iterator[_Chip]:
    """Yield the moves that are not on the body, in rows; of those that read alike, the first."""
    x = y = 0.0
    left: dict[str, int] = {}
    for place, play in enumerate(plays):
        if place not in shown and len(left) < MAX_CHIPS:
            left.setdefault(clipped(_label(play), 44), place)
    for label, place in left.items():
        width = min(columns(label) * LETTER + 10, WIDTH - 2 * MARGIN)
        if x and x + width > WIDTH - 2 * MARGIN:
            x, y = 0.0, y + CHIP
        yield _Chip(place, label, MARGIN + x, y, width)
        x += width + 5


class SpielFollower:
    """Follows one game. Each state is complete; of the one before, only what has come is remembered."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._before = b""
        self._seen: tuple[Event, ...] = ()
        """What had happened, by the state before."""

    def __call__(self, shown: Shown) -> SpielPicture:
        """Return the picture of a state. Raises CannotDraw."""
        try:
            view = read_view(shown.payload)
        except Unreadable as error:
            raise CannotDraw(str(error)) from error
        # States may come from strangers, and these numbers lead to names and places.
        if not 0 < view.seats <= 20 or (view.turn or 0) >= view.seats or len(view.points) not in (0, view.seats):
            raise CannotDraw("the seats are not those of a game")
        events = () if shown.payload == self._before else _unseen(self._seen, view.events)
        self._before, self._seen = shown.payload, view.events
        return SpielPicture(self._scene, view, body_of(view), shown.movers, shown.winners, events, shown.all_lost)


def _unseen(seen: Sequence[Event], events: tuple[Event, ...]) -> tuple[Event, ...]:
    """What the state before did not say: a state repeats what the seat that it is sent to has not answered yet. Of each
    state at least the last event is new."""
    for count in range(min(len(seen), len(events) - 1), 0, -1):
        if tuple(seen[-count:]) == events[:count]:
            return events[count:]
    return events


def follow(scene: Scene) -> PictureFollower:
    """Return a follower for one game: the renderer of all games of OpenSpiel."""
    return SpielFollower(scene)
