"""Running games in the worker: each position is drawn once, however many look at it.

The server sends what may be seen; the worker remembers what it was sent of each game. It may have forgotten one, or
have been started again: then it reports so, and is sent everything from the beginning. The sender bounds how much goes
out at a time (:mod:`ugs.page.server.live_boards`).
"""

from collections import OrderedDict, deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple
from zlib import crc32

from ugs.broker.values.remark_json import NoRemark, read_remark
from ugs.page.played import LiveBoard, Position, PositionStep, departure_line, refusal_line, written_after
from ugs.page.worker_limits import MAX_BACK, MAX_BACK_BYTES, MAX_LIVE_GAMES, MAX_NEWS_OF_A_STEP
from ugs.pictures.contract import Picture, written_by
from ugs.pictures.remark_marks import RemarkedPicture, remark_line
from ugs.pictures.winners import winners_of
from ugs.watch.pictures import GameShown
from ugs.wire.extensions import EventKind, GameEvent, SeatKind, Watching

MAX_VALUES: Final = 2000
"""Up to this many points of the curve of a running game are known."""


class BoardEvents(NamedTuple):
    """What the worker is sent of a game."""

    game_id: str
    known: int
    """The number of the last event that the worker should know."""
    first: Watching | None
    """The game before its first event, where ``known`` is 0."""
    events: Sequence[GameEvent]
    """The events after it."""
    plain: str = ""
    """Why it is not to be drawn; empty: it is."""


@dataclass(frozen=True, slots=True)
class _Shown:
    """A position that was shown."""

    step: PositionStep
    picture: Picture
    next: tuple[str, ...]
    size: int
    """Bytes of its state."""


@dataclass(slots=True)
class _Game:
    first: Watching
    shown: GameShown
    number: int = 0
    moves: int = 0
    next: tuple[str, ...] = ()
    verdict: str = ""
    over: bool = False
    won: list[str] = field(default_factory=list)
    positions: int = 0
    values: deque[tuple[int, int, float]] = field(default_factory=lambda: deque(maxlen=MAX_VALUES))
    """What players remarked about how well they stand: seat, position, value."""
    back: deque[_Shown] = field(default_factory=lambda: deque(maxlen=MAX_BACK))
    """The last positions."""
    used: dict[str, float] = field(default_factory=dict)
    """Seconds that each player took for its moves."""
    asked: dict[str, float] = field(default_factory=dict)
    """Since when those who are to move think, in seconds after the begin."""
    beside: list[str] = field(default_factory=list)
    """What has changed no position since the last one: that players are out, and why, and whose move was refused."""
    mover: tuple[str, float | None] = "", None
    """Who has moved since the last position, and how long that took."""

    @property
    def size(self) -> int:
        """Bytes of the states of the positions that can be shown once more."""
        return sum(one.size for one in self.back)


class DrawnGames:
    """The games that are remembered."""

    def __init__(self) -> None:
        self._games: OrderedDict[str, _Game] = OrderedDict()

    def boards(self, states: Sequence[BoardEvents]) -> list[LiveBoard | None]:
        """What each of these games looks like now; None for those that have to be sent from the beginning."""
        return [self._board(one) for one in states]

    def positions(self, game_id: str, first: int, most: int) -> list[Position]:
        """Positions of a game that runs, from number ``first`` on, as far as they are remembered."""
        game = self._games.get(game_id)
        found = [one for one in game.back if one.step.number >= first] if game is not None else []
        return [
            Position(
                one.step.number,
                one.picture.svg(prefix(game_id)),
                one.picture.words(),
                one.step.news,
                list(one.next),
                one.step.since_s,
                one.step.remarks,
                one.step.written,
            )
            for one in found[:most]
        ]

    def _forget(self) -> None:
        """Keep positions of all games together within their bound."""
        size = sum(game.size for game in self._games.values())
        # Those that were not looked at for longest come first.
        for game in self._games.values():
            if size <= MAX_BACK_BYTES:
                return
            # The game itself stays known, so its events need not be sent again.
            size -= game.size
            game.back.clear()

    def _board(self, states: BoardEvents) -> LiveBoard | None:
        game, first = self._games.get(states.game_id), states.first
        if states.known == 0 and first is not None:
            # Without renderers it is shown as a tree.
            game = self._games[states.game_id] = _Game(first, GameShown(first, {} if states.plain else None))
        if game is None or game.number != states.known:
            return None
        self._games.move_to_end(states.game_id)
        while len(self._games) > MAX_LIVE_GAMES:
            self._games.popitem(last=False)
        for event in states.events:
            _follow_event(game, event)
        self._forget()
        return _drawn(game)


def _follow_event(game: _Game, event: GameEvent) -> None:
    game.number = event.number
    frame = game.shown.take_in(event)
    if event.what is EventKind.MOVE:
        game.moves += 1
        game.next = tuple(nick for nick in game.next if nick != event.nick)
        _took(game, event)
    elif event.what is EventKind.STATE:
        game.next = event.next_players
        # Who was asked before and has not moved yet thinks on since then.
        game.asked = {nick: game.asked.get(nick, event.after_s) for nick in event.next_players}
    elif event.what is EventKind.FAULT:
        # Its move was refused, so it has to move again.
        game.next = (*game.next, event.nick)
        game.beside.append(refusal_line(event.nick))
        game.asked[event.nick] = event.after_s
    elif event.what in (EventKind.OVER, EventKind.ENDED):
        game.next, game.asked = (), {}
    elif event.what is EventKind.LEFT:
        game.beside.append(departure_line(event.nick, event.text))
    if event.what is EventKind.OVER:
        players = players_of(game.first)
        game.won = [*winners_of(event.game_over, len(players))]
    if frame.picture is not None:
        game.positions += 1
        who, took = game.mover
        game.mover = "", None
        news = [line for line in (*game.beside, *frame.news) if line][-MAX_NEWS_OF_A_STEP:]
        written = written_after(written_by(frame.picture), refusal_line(who) in game.beside)
        game.beside.clear()
        step = PositionStep(game.positions, event.after_s, who, took, news, written=written)
        game.back.append(_Shown(step, frame.picture, game.next, len(event.state)))
    if event.what is EventKind.REMARK:
        _remarked(game, event)
    if event.what is EventKind.ENDED:
        game.over, game.verdict = True, event.text


def _remarked(game: _Game, event: GameEvent) -> None:
    """A player thinks something of the last position."""
    nicks = [seat.nick for seat in game.first.seats]
    if not game.back or event.nick not in nicks:
        return
    try:
        remark = read_remark(event.game_id, event.text.encode())
    except NoRemark:
        return
    last = game.back[-1]
    last.step.remarks.append(remark_line(event.nick, remark))
    game.back[-1] = replace(last, picture=RemarkedPicture(last.picture, [remark]))
    if remark.worth is not None:
        game.values.append((nicks.index(event.nick), game.positions, remark.worth))


def _took(game: _Game, event: GameEvent) -> None:
    """A player has moved: count its time."""
    asked_s = game.asked.pop(event.nick, None)
    took = None if asked_s is None else max(0.0, event.after_s - asked_s)
    game.used[event.nick] = game.used.get(event.nick, 0.0) + (took or 0.0)
    game.mover = event.nick, took


def players_of(first: Watching) -> list[str]:
    """The nicks of the seats that the game master does not play itself."""
    return [seat.nick for seat in first.seats if seat.kind is not SeatKind.PROGRAM]


def _drawn(game: _Game) -> LiveBoard:
    first, picture = game.first, game.shown.picture
    # With its remarks, which came after the picture was drawn.
    if game.back and not game.over and game.back[-1].step.remarks:
        picture = game.back[-1].picture
    return LiveBoard(
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
        game.positions,
        [one.step for one in game.back],
        {nick: round(game.used.get(nick, 0.0), 1) for nick in players_of(first)},
        game.won,
        list(game.values),
        min(game.asked.values(), default=None),
    )


def prefix(game_id: str) -> str:
    """Prefix of all ids in the picture of a game: many pictures may stand on one page."""
    return f"g{crc32(game_id.encode()):08x}"
