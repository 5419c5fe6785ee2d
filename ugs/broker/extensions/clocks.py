"""Clocks: how much time players have for all their moves of a game, and who is told.

A player's clock runs from the moment at which it has been handed the state that names it until its move is there, less
what the network takes, as far as that has been measured and up to ``lag_credit_ms``. It stands still while the game
has no master.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from ugs.broker.desk import ROUNDING, Desk
from ugs.broker.events import Timer, TimerKind
from ugs.broker.extensions.refusal import Refusal
from ugs.broker.game import Game, Phase
from ugs.broker.games import Games
from ugs.broker.link import REMEMBERED_ROUND_TRIPS, Link, LinkState
from ugs.broker.onlookers import Onlookers
from ugs.broker.record import EntryKind, read_movers
from ugs.wire.extensions import (
    Clock,
    ClockInfo,
    Family,
    Ping,
    Pong,
    Reason,
    ShowClock,
    Warn,
    WarningScope,
    WarningState,
)

PING_INTERVAL_S = 5.0
"""The network to a player is measured at its turns, at most once in so many seconds."""

STANDING_STILL = frozenset({Phase.AWAY, Phase.TAKING})
"""While nobody leads the game no clock runs."""


@dataclass(slots=True)
class Turn:
    """The clock of one player who has to move."""

    since: float
    allowed_s: float
    """How long it may take, the credit for its network included."""
    warned: bool = False


class Times:
    """The budgets of the players of one game. Seconds."""

    def __init__(self, desk: Desk, game: Game, used: Mapping[str, float] | None = None) -> None:
        """``used`` is what the players have used already, increments taken off, by nick."""
        self._desk = desk
        self._game = game
        settings = game.type.settings
        used = used or {}
        self._left = {nick: max(0.0, settings.time_s - used.get(nick, 0.0)) for nick in game.seats}
        self._turns: dict[str, Turn] = {}
        self._warning = Timer(TimerKind.LOW_TIME, game.id)
        self._warning_set = False
        self.pinged: dict[str, float] = {}
        """When the network to whom was last measured, by nick."""

    def asked(self, player: Link, now: float) -> float:
        """This player has to move: how long it has at the most. Who has been asked before and not moved is asked anew,
        and what it has used by now counts."""
        self._stop(player, now)
        allowed = self._left[player.name] + self._credit(player)
        limit = self._game.type.settings.move_timeout_s
        self._turns[player.name] = Turn(now, min(allowed, limit))
        self._set_warning(now)
        return allowed

    def moved(self, player: Link, now: float) -> None:
        """It has moved."""
        self._stop(player, now)
        self._left[player.name] += self._game.type.settings.increment_s
        self.hush()

    def handed(self, player: Link, now: float) -> None:
        """It has been handed the state only now, which is when its clock begins to count."""
        turn = self._turns.get(player.name)
        if turn is not None:
            turn.since = now
            self._game.deadlines[player.name] = now + turn.allowed_s

    def pause(self, now: float) -> None:
        """The game has lost its master: all clocks stand still until somebody is asked again."""
        for player in self._game.movers:
            self._stop(player, now)
        self.hush()

    def spent(self, player: Link) -> bool:
        """Whether its budget is used up."""
        return self.left_s(player, self._desk.now) <= ROUNDING

    def left_s(self, player: Link, now: float) -> float:
        """What is left of the budget of a player who is in the game."""
        turn = self._turns.get(player.name)
        used = self._used(player, turn, now) if turn is not None else 0.0
        return max(0.0, self._left[player.name] - used)

    def budget_s(self, nick: str) -> float:
        """What was left of a budget when its player was last asked to move."""
        return self._left[nick]

    def move_left_s(self, player: Link, now: float) -> float:
        """How long a player has still for its move; of one that is not asked yet, how long it is going to have."""
        turn = self._turns.get(player.name)
        if turn is None:
            return min(self._left[player.name] + self._credit(player), self._game.type.settings.move_timeout_s)
        return max(0.0, turn.since + turn.allowed_s - now)

    def warn(self, now: float) -> None:
        """The moment has come at which somebody's time runs out."""
        self._warning_set = False
        limit = self._game.type.settings.clock_warning_s
        for player in self._to_warn():
            turn = self._turns[player.name]
            left = turn.since + turn.allowed_s - now
            if left <= limit + ROUNDING:
                turn.warned = True
                warning = Warn(WarningScope.CLOCK, WarningState.LOW, max(0.0, left), self._game.id)
                self._desk.tell([player], warning)
        self._set_warning(now)

    def hush(self) -> None:
        """Warn nobody for whom there is no reason any more."""
        if self._warning_set and not self._to_warn():
            self._warning_set = False
            self._desk.stop(self._warning)

    def _credit(self, player: Link) -> float:
        """What the network to a player takes of each of its moves and is not counted."""
        return min(round_trip_s(player) or 0.0, self._game.type.settings.lag_credit_ms / 1000)

    def _used(self, player: Link, turn: Turn, now: float) -> float:
        return max(0.0, now - turn.since - self._credit(player))

    def _stop(self, player: Link, now: float) -> None:
        turn = self._turns.pop(player.name, None)
        if turn is not None:
            self._left[player.name] = max(0.0, self._left[player.name] - self._used(player, turn, now))

    def _to_warn(self) -> list[Link]:
        """Players who have to move and are going to be warned."""
        if self._game.type.settings.clock_warning_s == 0 or self._game.phase in STANDING_STILL:
            return []
        asked = [player for player in self._game.movers if player.may(Family.CLOCK) and player.name in self._turns]
        return [player for player in asked if not self._turns[player.name].warned]

    def _set_warning(self, now: float) -> None:
        """Whoever begins its turn with less time than that is not warned: it has been told its time at that moment."""
        limit = self._game.type.settings.clock_warning_s
        turns = [self._turns[player.name] for player in self._to_warn()]
        moments = [turn.since + turn.allowed_s - limit for turn in turns if turn.allowed_s > limit]
        if moments:
            self._warning_set = True
            self._desk.start(self._warning, max(0.0, min(moments) - now))


class Clocks:
    """Keeps the clocks of all games."""

    def __init__(self, desk: Desk, games: Games, onlookers: Onlookers) -> None:
        self._desk = desk
        self._games = games
        self._pings = count(1)
        onlookers.begun.append(self._begin)
        onlookers.told.append(self.told)
        onlookers.over.append(self._over)

    def pong(self, link: Link, message: Pong) -> Refusal | None:
        """A peer has answered a ping; an answer to nothing is no matter."""
        sent_at = link.pings.pop(message.ref, None)
        if sent_at is not None:
            link.round_trips.append(max(0.0, self._desk.now - sent_at))
        return None

    def show(self, link: Link, message: ShowClock) -> Refusal | None:
        """A player wants to know the time."""
        game = link.game
        if game is None or link.state is not LinkState.PLAYING:
            return Refusal(Reason.NOT_PLAYING, "x-showClock: you are in no game")
        self._desk.tell([link], Clock(game.id, self._clocks(game, link, ()), message.ref))
        return None

    def begun(self, game_id: str) -> None:
        """The clock of a game has begun to count: the player has just been handed its state."""
        game = self._games.find(game_id)
        if game is not None and game.times is not None:
            for player in game.movers:
                game.times.handed(player, self._desk.now)

    def low(self, game_id: str) -> None:
        """The time of a player to move runs out."""
        game = self._games.find(game_id)
        if game is not None and game.times is not None:
            game.times.warn(self._desk.now)

    def revived(self, game: Game) -> None:
        """A game in which the server was lost goes on: what its players have used is read off its history."""
        if game.type.settings.time_s > 0:
            game.times = Times(self._desk, game, used_until_now(game))

    def told(self, game: Game, named: Sequence[Link] = ()) -> None:
        """A state is about to be sent, which asks these players to move: who wants to know the time is told first, and
        the network to it is measured, as long as it does not think."""
        listeners = [link for link in game.present.values() if link.may(Family.CLOCK) and not link.away]
        for link in listeners:
            self._measure(game, link)
            self._desk.tell([link], Clock(game.id, self._clocks(game, link, named)))

    def _begin(self, game: Game) -> None:
        if game.type.settings.time_s > 0:
            game.times = Times(self._desk, game)

    def _over(self, game: Game) -> None:
        if game.times is not None:
            game.times.hush()

    def _measure(self, game: Game, link: Link) -> None:
        now, times = self._desk.now, game.times
        if times is None or now - times.pinged.get(link.name, -PING_INTERVAL_S) < PING_INTERVAL_S - ROUNDING:
            return
        times.pinged[link.name] = now
        ref = f"clock {next(self._pings)}"
        while len(link.pings) >= REMEMBERED_ROUND_TRIPS:
            del link.pings[next(iter(link.pings))]
        link.pings[ref] = now
        self._desk.tell([link], Ping(ref))

    def _clocks(self, game: Game, receiver: Link, named: Sequence[Link]) -> tuple[ClockInfo, ...]:
        """Everybody's clock, in the order of the seats, as one player is told; these are about to be asked."""
        return tuple([self._clock(game, nick, receiver, named) for nick in game.seats])

    def _clock(self, game: Game, nick: str, receiver: Link, named: Sequence[Link]) -> ClockInfo:
        now, times = self._desk.now, game.times
        player = game.present.get(nick)
        left_s = move_left_s = None
        if times is not None:
            left_s = times.left_s(player, now) if player is not None else times.budget_s(nick)
        if player is not None and player in (named or game.movers) and game.phase not in STANDING_STILL:
            by_deadline = max(0.0, deadline_of(game, nick) - now)
            move_left_s = by_deadline if times is None else times.move_left_s(player, now)
        round_trip = round_trip_s(player) if player is receiver else None
        return ClockInfo(nick, left_s, move_left_s, round_trip * 1000 if round_trip is not None else None)


def round_trip_s(player: Link) -> float | None:
    """How long the network takes to a player and back: the least of the last few that were measured. None when none
    was."""
    return min(player.round_trips, default=None)


def deadline_of(game: Game, nick: str) -> float:
    """Until when a player who has to move must have done so, in a game without budgets."""
    limit = game.type.settings.move_timeout_s
    told_at = next((moment for moment, entry in reversed(game.history) if entry.kind is EntryKind.STATE), game.began_at)
    return told_at + limit if game.plain else game.deadlines.get(nick, told_at + limit)


def used_until_now(game: Game) -> dict[str, float]:
    """What players have used of their budgets as far as the history of a game tells: from each state that asked them to
    their move, the increments taken off. The network is not known and not credited."""
    used = dict.fromkeys(game.seats, 0.0)
    asked: dict[int, float] = {}
    for moment, entry in game.history:
        if entry.kind is EntryKind.STATE:
            for seat in read_movers(entry.seat, entry.text):
                asked.setdefault(seat, moment)
        elif entry.kind is EntryKind.MOVE and entry.seat in asked:
            nick = game.seats[entry.seat]
            used[nick] += moment - asked.pop(entry.seat) - game.type.settings.increment_s
    return used
