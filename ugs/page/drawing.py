"""Running games in the worker: each position is drawn once, however many look at it.

The server sends what may be seen; the worker remembers each game as far as it was told. It may have forgotten one, or
have been started anew: then it says so, and is told everything from the beginning.
"""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias
from zlib import crc32

from ugs.page.played import Board
from ugs.watch.picturing import GameShown
from ugs.wire.extensions import EventKind, GameEvent, Watching

MOST_GAMES: Final = 300
"""Games that are remembered."""

Told: TypeAlias = tuple[str, int, Watching | None, Sequence[GameEvent]]
"""A game, the number of the last event that the worker should know, the game before its first event where that is 0,
and the events after it."""


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
        return [self._board(*one) for one in told]

    def _board(self, game_id: str, known: int, first: Watching | None, events: Sequence[GameEvent]) -> Board | None:
        game = self._games.get(game_id)
        if known == 0 and first is not None:
            game = self._games[game_id] = _Game(first, GameShown(first))
        if game is None or game.number != known:
            return None
        self._games.move_to_end(game_id)
        while len(self._games) > MOST_GAMES:
            self._games.popitem(last=False)
        for event in events:
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
