"""What spectators are sent, as pictures: of each game the position, with what has happened in words."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from ugs.broker.verdict import Cause
from ugs.pictures.album import Album
from ugs.pictures.contract import Picture, Renderer, Scene, Seat, Shown
from ugs.pictures.winners import winners_of
from ugs.watch.lines import as_text
from ugs.wire.extensions import EventKind, GameEvent, SeatKind, Watching
from ugs.wire.messages import Result

NEWS_KEPT: Final = 4
"""Last lines of what has happened that are kept for a picture that stays in its place."""
NOT_KNOWN: Final = (
    "what was before is not known, so the board is not drawn: ugs watch --game {} --from begin shows it, if the server "
    "has kept it"
)
"""Of a game whose board may hold more than its states from now on say."""
_FIRST: Final = 3
"""The first event that is sent of a game from its beginning has at most this number. A server that has not kept the
beginning leaves out many."""


_DULL: Final = frozenset({EventKind.STATE, EventKind.SKETCH, EventKind.MOVE, EventKind.REMARK, EventKind.BEGIN})


@dataclass(frozen=True, slots=True)
class WatchFrame:
    """What there is to see after one message."""

    game_id: str
    line: str
    """The message in one line, without its state."""
    news: tuple[str, ...]
    """What has happened since the last state, in the words of the game."""
    picture: Picture | None
    """The position; None if the message has none."""
    ended: bool
    missing: str = ""
    """Why no board is drawn from now on; empty if it is, or if an earlier frame has that."""


class GameShown:
    """One game that is watched."""

    def __init__(self, first: Watching, renderers: Mapping[str, Renderer] | None = None) -> None:
        """``renderers`` as for :class:`Album`."""
        self._nicks = tuple(seat.nick for seat in first.seats)
        self._programs = frozenset(place for place, seat in enumerate(first.seats) if seat.kind is SeatKind.PROGRAM)
        self._end: Shown | None = None
        """The last position of a game that all players have lost, or drawn."""
        seats = tuple(Seat(seat.nick, seat.label) for seat in first.seats)
        options = {option.name: option.value for option in first.options}
        self._album = Album(first.game_type, Scene(seats, None, options), renderers)
        self._sketch = b""
        """How the master has drawn the state that comes next."""
        self.picture: Picture | None = None
        """The last one."""
        self.lines: deque[str] = deque(maxlen=NEWS_KEPT)
        """The last lines of what has happened."""
        self.whole = not first.number
        """Whether it is known from its beginning. If not, only what shows a whole position is drawn."""
        self.missing = ""
        """Why the last position is not drawn, for people; empty if it is."""

    def take_in(self, message: Watching | GameEvent) -> WatchFrame:
        """Take the next message about the game."""
        picture: Picture | None = None
        news: tuple[str, ...] = ()
        before = self.missing
        if message.sketch:
            self._sketch = message.sketch
        if message.state:
            movers = self._seats(message.next_players)
            shown = Shown(message.state, movers, self._winners(message), sketch=self._sketch)
            found = self._album.show(shown)
            news = tuple(found.news())
            # A renderer may need the states before; a tree and a sketch do not.
            can_draw = self.whole or bool(self._sketch) or not self._album.drawn
            self.picture = picture = found if can_draw else None
            self.missing = "" if can_draw else NOT_KNOWN.format(message.game_id)
            # A sketch is of one state only.
            self._sketch = b""
            self._end = shown if picture and shown.winners == frozenset() and _all_lost(message) else None
        if self._end is not None and _is_finished(message):
            # Which seat has won is unknown where the master has played several, or that of a player who left.
            won = self._programs if len(self._programs) == 1 else frozenset()
            self.picture = self._album.show(replace(self._end, winners=won, all_lost=not won))
        line = as_text(message, state=False)
        self.lines.extend(news or (() if _is_dull(message) else (line,)))
        ended = isinstance(message, GameEvent) and message.what is EventKind.ENDED
        missing = "" if before else self.missing
        return WatchFrame(message.game_id, line, news, picture, ended, missing)

    def _seats(self, nicks: tuple[str, ...]) -> tuple[int, ...]:
        return tuple(self._nicks.index(nick) for nick in nicks if nick in self._nicks)

    def _winners(self, message: Watching | GameEvent) -> frozenset[int] | None:
        if isinstance(message, Watching) or message.what is not EventKind.OVER:
            return None
        return frozenset(self._seats(winners_of(message.game_over, len(self._nicks) - len(self._programs))))


class GamesShown:
    """All games that are watched, and the one that is in front where there is room for one."""

    def __init__(self, renderers: Mapping[str, Renderer] | None = None) -> None:
        """``renderers`` as for :class:`Album`."""
        self._renderers = renderers
        self._games: dict[str, GameShown] = {}
        self.front: str | None = None
        """The id of the game in front: it stays until it has ended and another one has something to show."""
        self.game: GameShown | None = None
        """The game in front."""
        self._ended = False
        self._fresh: set[str] = set()
        """Games that are announced and have no event yet."""

    @property
    def running(self) -> int:
        """How many games are watched."""
        return len(self._games)

    def take_in(self, message: Watching | GameEvent) -> WatchFrame:
        """Take the next message. One about a game that was never announced becomes just a line."""
        if isinstance(message, Watching):
            self._games[message.game_id] = GameShown(message, self._renderers)
            self._fresh.add(message.game_id)
        game = self._games.get(message.game_id)
        if game is None:
            return WatchFrame(message.game_id, as_text(message, state=False), (), None, False)
        if isinstance(message, GameEvent) and message.game_id in self._fresh:
            self._fresh.discard(message.game_id)
            game.whole = game.whole and message.number <= _FIRST
        frame = game.take_in(message)
        if frame.ended:
            del self._games[message.game_id]
        if self.front is None or (self._ended and frame.picture is not None):
            self.front, self.game, self._ended = message.game_id, game, False
        if frame.ended and message.game_id == self.front:
            self._ended = True
        return frame


def _all_lost(message: Watching | GameEvent) -> bool:
    """Whether all players are losers."""
    return isinstance(message, GameEvent) and {one.result for one in message.game_over} == {Result.LOSER}


def _is_finished(message: Watching | GameEvent) -> bool:
    """Whether the verdict has come that the game was played to its end: it distinguishes a loss of all from a draw,
    since results name players only."""
    if not isinstance(message, GameEvent) or message.what is not EventKind.ENDED:
        return False
    return message.text.startswith(Cause.FINISHED)


def _is_dull(message: Watching | GameEvent) -> bool:
    """Whether a picture shows it better."""
    return isinstance(message, GameEvent) and message.what in _DULL
