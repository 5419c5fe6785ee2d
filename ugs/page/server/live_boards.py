"""Running games in the server: what may be seen of them is sent to the worker once, and what it draws is kept for all
who look.

They are drawn by a task of their own, for all who wait at a time: who looks waits for the pictures no longer than it
wants to, and gets what there is. What one look costs is bounded: of each game one piece is sent at a time, all together
have a limit, and cheap pieces go first. A game that produces more than is drawn is shown late, and no other one is. One
that a worker was lost with is not drawn any more, only shown as a tree.
"""

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Final, TypeAlias

import structlog
import trio

from ugs.page.contract import Busy, Followed, Live, Question, Reads, TooDear
from ugs.page.drawing import BoardEvents, players_of
from ugs.page.played import LiveBoard, Position
from ugs.page.worker_limits import (
    MAX_CHEAP_TAGS,
    MAX_LOOK_TAGS,
    MAX_PIECE_BYTES,
    MAX_PIECE_EVENTS,
    MAX_PIECE_TAGS,
    MAX_POSITIONS,
)

MAX_GAMES: Final = 250
"""Games that are followed at a time; the one that was not looked at for longest makes room."""
MAX_QUESTION_TAGS: Final = 4_000
"""What is sent to the worker at once: each picture can be seen when its question is answered, not when all are."""
MIN_TAGS: Final = 100
"""What a piece counts at least: it has to be sent, and a picture to be drawn."""
TOO_DEAR: Final = "its pictures take too much processor time or memory"


class _Known:
    """A game that is followed."""

    def __init__(self, followed: Followed) -> None:
        self.followed = followed
        self.number = 0
        self.board: LiveBoard | None = None
        self.looked_at = 0.0
        """When a piece of it was sent last, by Trio's clock."""
        self.plain = ""

    def is_behind(self, now: int) -> bool:
        """Whether there is something to send, up to the event with the number ``now``."""
        return self.board is None or self.number < now


_Piece: TypeAlias = tuple[_Known, BoardEvents, int]
"""What a game is sent next, and its tags."""


@dataclass(slots=True)
class _Round:
    """What is drawn together, for all who wait for it."""

    wanted: dict[str, None] = field(default_factory=dict)
    """Ids of games, in the order of asking."""
    done: trio.Event = field(default_factory=trio.Event)
    failed: Busy | None = None


class Boards:
    """The games that are followed. :meth:`run` has to run for them."""

    def __init__(self, live: Live, reads: Reads) -> None:
        self._live = live
        self._reads = reads
        self._known: OrderedDict[str, _Known] = OrderedDict()
        self._next = _Round()
        self._look_came = trio.lowlevel.ParkingLot()

    async def run(self) -> None:
        """Draw what is looked at, until cancelled."""
        while True:
            while not self._next.wanted:
                await self._look_came.park()
            # Who looks from here on waits for the next round.
            now, self._next = self._next, _Round()
            try:
                await self._bring_up_to_date([self._known[one] for one in now.wanted if one in self._known])
            except Busy as busy:
                now.failed = busy
            now.done.set()

    async def look(self, game_ids: Iterable[str], patience_s: float = inf) -> dict[str, LiveBoard]:
        """What these games look like now, or did a moment ago. Games that do not run, and were not followed when they
        did, are left out; so are those not yet drawn where that takes longer than ``patience_s``: they are drawn for
        the next look. Raises Busy."""
        wanted = dict.fromkeys(game_ids)
        for game_id in wanted:
            self._follow(game_id)
        if followed := [game_id for game_id in wanted if game_id in self._known]:
            coming = self._next
            coming.wanted.update(dict.fromkeys(followed))
            self._look_came.unpark()
            with trio.move_on_after(patience_s):
                await coming.done.wait()
            if coming.failed is not None:
                raise type(coming.failed)(*coming.failed.args)  # several may wait for it: each gets one of its own
        else:
            await trio.lowlevel.checkpoint()
        known = {game_id: self._known[game_id].board for game_id in wanted if game_id in self._known}
        return {game_id: board for game_id, board in known.items() if board is not None}

    def blank(self, game_id: str) -> LiveBoard | None:
        """A followed game as it is known without any of its events; None if it is not followed."""
        game = self._known.get(game_id)
        if game is None:
            return None
        first = game.followed.first
        nicks, labels = [seat.nick for seat in first.seats], [seat.label for seat in first.seats]
        over, used = game.followed.over, dict.fromkeys(players_of(first), 0.0)
        return LiveBoard(game_id, first.game_type, 0, nicks, labels, [], "", "", [], 0, over, used=used)

    def championship_of(self, game_id: str) -> str:
        """The championship that a followed game belongs to; empty if there is none."""
        game = self._known.get(game_id)
        return game.followed.championship if game is not None else ""

    def plain(self, game_id: str) -> str:
        """Why a followed game is drawn as a tree, since its pictures were too expensive; empty if it is not."""
        game = self._known.get(game_id)
        return game.plain if game is not None else ""

    def thinking_s(self, game_id: str) -> float | None:
        """How long the next player of a followed game has thought by now; None if no player is asked."""
        game = self._known.get(game_id)
        asked_s = game.board.asked_s if game is not None and game.board is not None else None
        return max(0.0, game.followed.age_s - asked_s) if game is not None and asked_s is not None else None

    async def positions(self, game_id: str, first: int, most: int = MAX_POSITIONS) -> list[Position]:
        """Positions of a followed game from number ``first`` on, as far as the worker remembers them. Raises Busy."""
        question = Question("board positions", {"game": game_id, "first": first, "most": most})
        found: list[Position] = await self._reads.call(question)
        return found

    def _follow(self, game_id: str) -> None:
        if game_id not in self._known:
            followed = self._live.follow(game_id)
            if followed is None:
                return
            self._known[game_id] = _Known(followed)
        self._known.move_to_end(game_id)
        while len(self._known) > MAX_GAMES:
            self._known.popitem(last=False)

    async def _bring_up_to_date(self, games: Sequence[_Known]) -> None:
        # What is sent from here on is for the next look: a game that goes on while it is drawn would keep this one from
        # coming to an end, and others wait for it.
        last = [(game, game.followed.now) for game in games]
        room = MAX_LOOK_TAGS
        while room > 0 and (behind := [game for game, now in last if game.is_behind(now)]):
            pieces = [(game, *await _next_piece(game)) for game in behind]
            # Cheap pieces first, and of these the game that has waited longest.
            pieces.sort(key=lambda one: (one[2] > MAX_CHEAP_TAGS, one[0].looked_at))
            chosen: list[_Piece] = []
            for game, states, tags in pieces:
                # Cheap ones go beyond the limit, too: no expensive game keeps them from being shown.
                if room > 0 or tags <= MAX_CHEAP_TAGS:
                    chosen.append((game, states, tags))
                    room -= tags
            for some in _questions(chosen):
                await self._draw_pieces([(game, states) for game, states, _ in some])

    async def _draw_pieces(self, pieces: Sequence[tuple[_Known, BoardEvents]]) -> None:
        try:
            await self._draw(pieces)
        except TooDear:
            await self._find_out(pieces)

    async def _draw(self, pieces: Sequence[tuple[_Known, BoardEvents]]) -> None:
        for game, _ in pieces:
            # Before the answer: a game that the worker is lost with goes to the end, too.
            game.looked_at = trio.current_time()
        question = Question("boards", {"told": [states for _, states in pieces]})
        boards: list[LiveBoard | None] = await self._reads.call(question)
        for (game, states), board in zip(pieces, boards, strict=True):
            game.number = 0 if board is None else states.events[-1].number if states.events else states.known
            game.board = board or game.board

    async def _find_out(self, pieces: Sequence[tuple[_Known, BoardEvents]]) -> None:
        """The worker was lost with one of these: each is sent alone, from the beginning. Raises Busy where not even a
        tree can be drawn."""
        failed: list[_Known] = []
        for game, _ in pieces:
            game.number = 0
            try:
                await self._draw([(game, (await _next_piece(game))[0])])
            except TooDear:
                failed.append(game)
        if any(game.plain for game in failed):
            raise Busy("running games cannot be shown at present; see the server's log")
        for game in failed:
            game.plain, game.number = TOO_DEAR, 0
            structlog.get_logger("ugs").warning("a game is not drawn any more", game=game.followed.game_id)


def _questions(pieces: Iterable[_Piece]) -> Iterator[list[_Piece]]:
    """Pieces that are sent together, in their order."""
    some: list[_Piece] = []
    for piece in pieces:
        if some and sum(tags for _, _, tags in some) + piece[2] > MAX_QUESTION_TAGS:
            yield some
            some = []
        some.append(piece)
    if some:
        yield some


async def _next_piece(known: _Known) -> tuple[BoardEvents, int]:
    """What to send of a game next, and about how many tags the worker has to read for that."""
    followed = known.followed
    events, size, tags = [], 0, 0
    for event in await followed.events(known.number, MAX_PIECE_EVENTS):
        size += len(event.state) + len(event.sketch)
        # Counted, not parsed: this runs in the server's loop.
        tags += 1 + event.state.count(b"<") + event.sketch.count(b"<")
        events.append(event)
        if size > MAX_PIECE_BYTES or tags > MAX_PIECE_TAGS:
            break
    first = followed.first if known.number == 0 else None
    return BoardEvents(followed.game_id, known.number, first, events, known.plain), max(tags, MIN_TAGS)
