"""Running games in the server: what may be seen of them is sent to the worker once, and what it draws is kept for all
who look."""

from collections import OrderedDict
from collections.abc import Iterable
from typing import Final

import trio

from ugs.page.contract import Followed, Live, Question, Reads
from ugs.page.drawing import Told
from ugs.page.played import Board

MOST_GAMES: Final = 250
"""Games that are followed at a time; the one that nobody has looked at for longest makes room."""
PIECE_EVENTS, PIECE_BYTES = 1_000, 2 * 1024 * 1024
"""What is sent of one game at a time."""


class _Known:
    """A game that is followed."""

    def __init__(self, followed: Followed) -> None:
        self.followed = followed
        self.number = 0
        self.board: Board | None = None


class Boards:
    """The games that are followed."""

    def __init__(self, live: Live, reads: Reads) -> None:
        self._live = live
        self._reads = reads
        self._known: OrderedDict[str, _Known] = OrderedDict()
        self._one_at_a_time = trio.Lock()

    async def look(self, game_ids: Iterable[str]) -> dict[str, Board]:
        """What these games look like now. Games that do not run, and were not followed when they did, are left out.
        Raises Busy."""
        wanted = list(dict.fromkeys(game_ids))
        async with self._one_at_a_time:
            for game_id in wanted:
                self._follow(game_id)
            games = [self._known[game_id] for game_id in wanted if game_id in self._known]
            while behind := [game for game in games if _is_behind(game)]:
                told = [_next_piece(game) for game in behind]
                boards: list[Board | None] = await self._reads.call(Question("boards", {"told": told}))
                for game, (_, known, _, events), board in zip(behind, told, boards, strict=True):
                    game.number = 0 if board is None else known + len(events)
                    game.board = board or game.board
        return {game.followed.game_id: game.board for game in games if game.board is not None}

    def championship_of(self, game_id: str) -> str:
        """The championship to which a followed game belongs; empty if there is none."""
        game = self._known.get(game_id)
        return game.followed.championship if game is not None else ""

    def _follow(self, game_id: str) -> None:
        if game_id not in self._known:
            followed = self._live.follow(game_id)
            if followed is None:
                return
            self._known[game_id] = _Known(followed)
        self._known.move_to_end(game_id)
        while len(self._known) > MOST_GAMES:
            self._known.popitem(last=False)


def _is_behind(known: _Known) -> bool:
    return known.board is None or known.number < known.followed.now


def _next_piece(known: _Known) -> Told:
    followed = known.followed
    events, size = [], 0
    for event in followed.events(known.number, PIECE_EVENTS):
        size += len(event.state)
        events.append(event)
        if size > PIECE_BYTES:
            break
    return followed.game_id, known.number, followed.first if known.number == 0 else None, events
