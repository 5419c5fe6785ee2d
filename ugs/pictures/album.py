"""The pictures of one game: where its renderer fails, the tree stands in, and one line is logged.

A renderer is not given a state that is too large to be one of its game: so what one state costs is bounded.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar

import structlog

from ugs.pictures import tree
from ugs.pictures.contract import (
    MAX_OFFER,
    MAX_STATE_BYTES,
    MAX_STATE_TAGS,
    MAX_SVG,
    NARROWEST,
    Follower,
    Line,
    Offer,
    Picture,
    PlacingPicture,
    Renderer,
    Scene,
    Shown,
    written_by,
)
from ugs.pictures.installed_renderers import installed, of_collection, warn_of_missing
from ugs.pictures.lettering import clipped, cut_line
from ugs.pictures.sketched.picture import Sketched, picture_of
from ugs.printable import safe
from ugs.sketch.refusal import why_refused
from ugs.sketch.size import MAX_PICTURE_BYTES

MAX_LINES: Final = 400
MAX_NEWS: Final = 40
MAX_WORDS: Final = 4000
MAX_WRITTEN: Final = 24
"""Columns of a move with its number."""

T = TypeVar("T")


class Album:
    """The pictures of one game for one viewer, one for each state that :meth:`show` is given."""

    def __init__(self, game_type: str, scene: Scene, renderers: Mapping[str, Renderer] | None = None) -> None:
        """Begin a game. ``renderers`` are by default those of installed games."""
        self._game_type = game_type
        self._scene = scene
        self._logged = False
        self._tree = tree.follow(scene)
        self._last_news: Sequence[str] = ()
        """The news of the last sketch."""
        renderer = (installed() if renderers is None else renderers).get(game_type) or of_collection(game_type)
        self._follower: Follower | None = None
        if renderer is not None:
            self._follower = self._tried(lambda: renderer(scene))

    @property
    def drawn(self) -> bool:
        """Whether the game has a renderer."""
        return self._follower is not None

    def show(self, shown: Shown) -> Picture:
        """Return the picture of the next state. It raises nothing, and its methods raise nothing."""
        fallback = self._tree(shown)  # it compares with the last state, so it has to see all
        refused = why_refused(shown.sketch)
        if shown.sketch and not refused:
            picture = self._tried(lambda: picture_of(self._scene, shown, self._last_news))
            self._last_news = () if picture is None else picture.news()
            return fallback if picture is None else _Guarded(picture, fallback, self)
        follower = self._follower
        if follower is None:
            warn_of_missing(self._game_type)
            return fallback.without_picture(refused) if refused else fallback
        # A master may send a state that no real game has, only to make it expensive to draw.
        too_large = beyond_bounds(shown)
        if too_large:
            self.failed(too_large)
            return fallback
        picture = self._tried(lambda: follower(shown))
        return fallback if picture is None else _Guarded(picture, fallback, self)

    def _tried(self, what: Callable[[], T]) -> T | None:
        """Return what a renderer returns; None if it raises."""
        try:
            return what()
        except MemoryError:
            raise  # the process itself has no memory left
        except Exception as error:  # any error in a renderer
            self.failed(f"{type(error).__name__}: {error}")
            return None

    def failed(self, why: str) -> None:
        """Log that a renderer has failed, once in a game."""
        if not self._logged:
            self._logged = True
            # The error may quote the state, which others wrote.
            structlog.get_logger("ugs.pictures").warning("no picture", game_type=self._game_type, why=safe(why[:500]))


def tags_of(shown: Shown) -> int:
    """How many tags a renderer has to read to draw a state."""
    return shown.payload.count(b"<") + shown.own_move.count(b"<")


def beyond_bounds(shown: Shown) -> str:
    """Why a renderer is not given a state; empty if it is."""
    size = len(shown.payload) + len(shown.own_move)
    if size > MAX_STATE_BYTES:
        return f"the state has {size} bytes; drawn are at most {MAX_STATE_BYTES}"
    tags = tags_of(shown)
    return f"the state has {tags} tags; drawn are at most {MAX_STATE_TAGS}" if tags > MAX_STATE_TAGS else ""


class _Guarded:
    """A picture of a renderer within its bounds."""

    def __init__(self, picture: Picture, fallback: Picture, album: Album) -> None:
        self._picture = picture
        self._fallback = fallback
        self._album = album

    def svg(self, prefix: str, seat: int | None = None) -> str:
        return str(self.drawn(prefix, seat))  # plain text: it goes into models, which travel

    def drawn(self, prefix: str, seat: int | None = None) -> str:
        """The same, with the parts that it was put together from if the renderer names them."""
        return self._or(self._fallback.svg, lambda: self._svg(prefix, seat), prefix, seat)

    def text(self, width: int) -> Sequence[Line]:
        width = max(width, NARROWEST)
        return self._or(self._fallback.text, lambda: self._text(width), width)

    def words(self) -> str:
        return self._or(self._fallback.words, lambda: clipped(self._picture.words(), MAX_WORDS))

    def news(self) -> Sequence[str]:
        # Taken here: what a renderer gives may be lazy, and would fail outside of the guard.
        return self._or(self._fallback.news, lambda: tuple(map(safe, list(self._picture.news())[-MAX_NEWS:])))

    def offers(self, seat: int) -> Sequence[Offer]:
        return self._or(self._fallback.offers, lambda: tuple(self._picture.offers(seat)), seat)

    def place(self, cell: str) -> tuple[float, float, float] | None:
        """Where a cell is, if the renderer knows that."""
        picture = self._picture
        return self._or(
            lambda _: None, lambda: picture.place(cell) if isinstance(picture, PlacingPicture) else None, cell
        )

    def written(self) -> str:
        """The move that has led here, if the renderer writes it."""
        return self._or(lambda: "", lambda: clipped(safe(written_by(self._picture)), MAX_WRITTEN))

    def _svg(self, prefix: str, seat: int | None) -> str:
        svg = self._picture.svg(prefix, seat)
        # A sketch was measured when it came (ugs/sketch/size.py): what passed there is drawn here.
        most = (MAX_PICTURE_BYTES if isinstance(self._picture, Sketched) else MAX_SVG) + (
            MAX_OFFER * len(self._picture.offers(seat)) if seat is not None else 0
        )
        size = len(svg) if svg.isascii() else len(svg.encode())
        if size > most:
            raise ValueError(f"the SVG has {size} bytes; allowed: {most}")
        return svg

    def _text(self, width: int) -> Sequence[Line]:
        return tuple(cut_line(line, width) for line in list(self._picture.text(width))[:MAX_LINES])

    def _or(self, fallback: Callable[..., T], wanted: Callable[[], T], *arguments: object) -> T:
        try:
            return wanted()
        except MemoryError:
            raise
        except Exception as error:  # any error in a renderer
            self._album.failed(f"{type(error).__name__}: {error}")
            return fallback(*arguments)
