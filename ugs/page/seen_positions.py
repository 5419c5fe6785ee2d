"""Positions as those who play them at a browser see them, drawn in the worker with what they may do.

A game is remembered, because a renderer may have to know what its viewer was shown before. Where the worker has
forgotten it, or has been started again, the journal has it; without one, the renderer has to do without.
"""

from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final
from zlib import crc32

from ugs.page.worker_limits import MAX_HANDS, MAX_OFFERS
from ugs.pictures.album import Album
from ugs.pictures.contract import Offer, Scene, Shown
from ugs.sketch.refusal import why_refused

MAX_PAST: Final = 30
"""Lines of what has happened before a position."""


@dataclass(frozen=True, slots=True)
class MovablePosition:
    """A position with the moves that may be made in it."""

    svg: str
    words: str
    news: Sequence[str]
    offers: Sequence[Offer]
    more: int = 0
    """Moves that are left out."""
    past: Sequence[str] = ()
    """What has happened before, if that was wanted: the last :data:`MAX_PAST` lines, the last one last."""
    unshown: str = ""
    """Why there are no moves: why its master's sketch was refused; empty if there are, or if none was."""


class _Remembered:
    """What one viewer has seen of a game."""

    def __init__(self, game_type: str, scene: Scene, plain: str) -> None:
        self.of = game_type, scene, plain
        self.album = Album(game_type, scene, {} if plain else None)
        self.last = b"", b""
        """State and sketch of the last position."""
        self.news: deque[Sequence[str]] = deque(maxlen=MAX_PAST + 1)
        """Those of the last positions, the last one last."""

    def takes_up(self, so_far: Sequence[Shown]) -> None:
        """Take in what was shown before."""
        for left, one in zip(range(len(so_far), 0, -1), so_far, strict=True):
            picture = self.album.show(one)
            if left <= MAX_PAST + 1:
                self.saw(one, picture.news())

    def saw(self, shown: Shown, news: Iterable[str]) -> None:
        """A position has been shown, with these news."""
        self.last = shown.payload, shown.sketch
        self.news.append(tuple(news))


class Hands:
    """The games that are remembered."""

    def __init__(self) -> None:
        self._seen: OrderedDict[tuple[str, int | None], _Remembered] = OrderedDict()

    def show(
        self,
        game_id: str,
        game_type: str,
        scene: Scene,
        shown: Shown,
        before: Callable[[str], Iterable[Shown]],
        plain: str = "",
        *,
        past: bool = False,
    ) -> MovablePosition:
        """The next position of a game, as the viewer of the scene sees it. ``before`` gives what it was shown so far,
        if that is known; it is called where that is not remembered. With ``plain``, which is the reason, it is not
        drawn. With ``past`` it comes with what has happened before."""
        key = game_id, scene.viewer
        # Put back at the end below, so that the game that was not looked at for longest goes first.
        seen = self._seen.pop(key, None)
        is_last = past and seen is not None and seen.last == (shown.payload, shown.sketch)
        if seen is None or seen.of != (game_type, scene, plain):
            seen = _Remembered(game_type, scene, plain)
            so_far, is_last = _up_to(shown, tuple(before(game_id)))
            seen.takes_up(so_far)
        self._seen[key] = seen
        while len(self._seen) > MAX_HANDS:
            self._seen.popitem(last=False)
        picture = seen.album.show(shown)
        if not is_last:  # else what is known has the move that led to it, too
            seen.saw(shown, picture.news())
        seat = scene.viewer
        offers = picture.offers(seat) if seat is not None else ()
        svg = picture.svg(f"p{crc32(game_id.encode()):08x}", seat)
        more = max(0, len(offers) - MAX_OFFERS)
        *earlier, news = seen.news
        lines = tuple([line for of_one in earlier for line in of_one][-MAX_PAST:]) if past else ()
        unshown = "" if offers else why_refused(shown.sketch)
        return MovablePosition(svg, picture.words(), news, tuple(offers[:MAX_OFFERS]), more, lines, unshown)


def _up_to(shown: Shown, so_far: Sequence[Shown]) -> tuple[Sequence[Shown], bool]:
    """What was shown before this position, with it where it is known, and whether it is: while a position is drawn, the
    next one may have come."""
    same = [(one.sketch == shown.sketch, place) for place, one in enumerate(so_far) if one.payload == shown.payload]
    return (so_far[: max(same)[1] + 1], True) if same else (so_far, False)
