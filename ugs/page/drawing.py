"""Running games in the worker: each position is drawn once, however many look at it.

The server sends what may be seen; the worker remembers each game as far as it was told. It may have forgotten one, or
have been started anew: then it says so, and is told everything from the beginning. How much it is told at a time is
bounded by who tells it (:mod:`ugs.page.server.boards`).
"""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple
from zlib import crc32

from ugs.page.played import Board
from ugs.page.worker_limits import MAX_LIVE_GAMES
from ugs.watch.pictures import GameShown
from ugs.wire.extensions import EventKind, GameEvent, Watching


class Told(NamedTuple):
    """What the worker is told of a game."""

    game_id: str
    known: int
    """The number of the last event that the worker should know."""
    first: Watching | None
    """The game before its first event, where ``known`` is 0."""
    events: Sequence[GameEvent]
    """The events after it."""
    plain: str = ""
    """Why it is not to be drawn; empty: it is."""


@dataclass(slots=True)
class _Game:
    first: Watching
    shown: GameShown
    number: int = 0
    moves: int = 0
    next: tuple[str, ...] = ()
    verdict: str = ""
    over: bool = False


class Drawing:
    """The games that are remembered."""

    def __init__(self) -> None:
        self._games: OrderedDict[str, _Game] = OrderedDict()

    def boards(self, told: Sequence[Told]) -> list[Board | None]:
        """What each of these games looks like now; None for those that have to be told from the beginning."""
        return [self._board(one) for one in told]

    def _board(self, told: Told) -> Board | None:
        game, first = self._games.get(told.game_id), told.first
        if told.known == 0 and first is not None:
            game = self._games[told.game_id] = _Game(first, GameShown(first, {} if told.plain else None))
        if game is None or game.number != told.known:
            return None
        self._games.move_to_end(told.game_id)
        while len(self._games) > MAX_LIVE_GAMES:
            self._games.popitem(last=False)
        for event in told.events:
            _hear(game, event)
        return _drawn(game)


def _hear(game: _Game, event: GameEvent) -> None:
    game.number = event.number
    game.shown.hear(event)
    if event.what is EventKind.MOVE:
        game.moves += 1
        game.next = tuple(nick for nick in game.next if nick != event.nick)
    elif event.what is EventKind.STATE:
        game.next = event.next_players
    elif event.what in (EventKind.OVER, EventKind.ENDED):
        game.next = ()
    if event.what is EventKind.ENDED:
        game.over, game.verdict = True, event.text


def _drawn(game: _Game) -> Board:
    first, picture = game.first, game.shown.picture
    return Board(
        first.game_id,
        first.game_type,
        game.number,
        [seat.nick for seat in first.seats],
        [seat.label for seat in first.seats],
        list(game.next),
        picture.svg(prefix(first.game_id)) if picture is not None else "",
        picture.words() if picture is not None else "",
        list(game.shown.lines),
        game.moves,
        game.over,
        game.verdict,
    )


def prefix(game_id: str) -> str:
    """With which all ids in the picture of a game begin: many pictures may stand on one page."""
    return f"g{crc32(game_id.encode()):08x}"
