"""Positions as those who play them at a browser see them, drawn in the worker with what they may do.

A game is remembered, because a renderer may have to know what its viewer was shown before. Where the worker has
forgotten it, or has been started again, the journal has it; without one, the renderer has to do without.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final
from zlib import crc32

from ugs.page.worker_limits import MAX_HANDS, MAX_OFFERS
from ugs.pictures.album import Album
from ugs.pictures.contract import Offer, Scene, Shown

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


class Hands:
    """The games that are remembered."""

    def __init__(self) -> None:
        self._albums: OrderedDict[tuple[str, int | None], tuple[str, Scene, str, Album]] = OrderedDict()

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
        if that is known. With ``plain``, which is the reason, it is not drawn. With ``past`` it comes with what has
        happened before."""
        key = game_id, scene.viewer
        # Put back at the end below, so that the game that was not looked at for longest goes first.
        kept = self._albums.pop(key, None)
        unfit = kept is None or kept[:3] != (game_type, scene, plain)
        so_far, is_last = _up_to(shown, tuple(before(game_id)) if past or unfit else ())
        lines: list[Sequence[str]] = []
        if so_far or kept is None or unfit:
            kept = game_type, scene, plain, Album(game_type, scene, {} if plain else None)
            for one in so_far:
                earlier = kept[3].show(one)
                lines.append(tuple(earlier.news()) if past else ())
        self._albums[key] = kept
        while len(self._albums) > MAX_HANDS:
            self._albums.popitem(last=False)
        picture = kept[3].show(shown)
        seat = scene.viewer
        offers = picture.offers(seat) if seat is not None else ()
        svg = picture.svg(f"p{crc32(game_id.encode()):08x}", seat)
        more = max(0, len(offers) - MAX_OFFERS)
        # What is kept has the move that led to it, too.
        news = lines.pop() if past and is_last else tuple(picture.news())
        earlier_lines = tuple([line for of_one in lines for line in of_one][-MAX_PAST:])
        return MovablePosition(svg, picture.words(), news, tuple(offers[:MAX_OFFERS]), more, earlier_lines)


def _up_to(shown: Shown, so_far: Sequence[Shown]) -> tuple[Sequence[Shown], bool]:
    """What was shown before this position, with it where it is known, and whether it is: while a position is drawn, the
    next one may have come."""
    same = [(one.sketch == shown.sketch, place) for place, one in enumerate(so_far) if one.payload == shown.payload]
    return (so_far[: max(same)[1] + 1], True) if same else (so_far, False)
