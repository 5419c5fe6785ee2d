"""Clocks: players learn how much time they have, and are warned when it runs out; their round trips are measured
(family ``clock``). The budgets themselves are in ``play/budgets.py``."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import field
from itertools import count, islice

from ugs.broker import facts
from ugs.broker.events import Timer, TimerKind
from ugs.broker.extensions.request import ANY_STATE, PLAYERS, ExtensionModule, Refusal, Request
from ugs.broker.play import budgets
from ugs.broker.state.connection import Peer, PeerState
from ugs.broker.state.extras import Key
from ugs.broker.state.model import MAX_LISTED_SEATS, Game, Player
from ugs.broker.state.phases import Phase
from ugs.broker.state.server_state import ROUNDING, ServerState
from ugs.broker.values.record import EntryKind
from ugs.value import state
from ugs.wire.extensions import (
    Clock,
    ClockInfo,
    Family,
    Ping,
    Pong,
    RefusalReason,
    ShowClock,
    Warn,
    WarningScope,
    WarningState,
)

PING_INTERVAL_S = 5.0
"""The round trip to a player is measured at its turns, at most once in this time."""
MAX_PINGS = 8
"""Unanswered pings to a player that are kept; the oldest are forgotten."""

STANDING_STILL = frozenset({Phase.AWAY, Phase.TAKING})
"""The phases without a master, when no clock runs."""


@state(eq=True)
class Warnings:
    """With a game: the warned players, and when round trips were measured."""

    warned: set[str] = field(default_factory=set)
    """The nicks of the players who have been warned in their current turn."""
    timer_runs: bool = False
    pinged: dict[str, float] = field(default_factory=dict)
    """When the round trip to a player was last measured, by nick."""


WARNINGS: Key[Warnings] = Key("clock warnings", Warnings)
PINGS: Key[dict[str, float]] = Key("pings", dict)
"""With a player: when each unanswered ping was sent."""
NUMBERS: "Key[count[int]]" = Key("ping numbers", lambda: count(1))
"""With the server."""

# Requests.


def pong(server: ServerState, peer: Peer, message: Pong) -> Refusal | None:
    """A peer has answered a ping; an answer to no ping is ignored."""
    # Taken out: a second pong for the same ping would measure the time since the first.
    sent_at = (PINGS.find(peer) or {}).pop(message.ref, None)
    if sent_at is not None and isinstance(peer, Player):
        budgets.measured(peer, max(0.0, server.now - sent_at))
    return None


def show(server: ServerState, player: Player, message: ShowClock) -> Refusal | None:
    """Send a player the clocks of its game."""
    game = player.game
    if game is None or player.state is not PeerState.PLAYING:
        return Refusal(RefusalReason.NOT_PLAYING, "x-showClock: you are in no game")
    server.send_extension([player], Clock(game.id, _clocks(server, game, player, ()), message.ref))
    return None


# Facts.


def asking(server: ServerState, fact: facts.Asking) -> None:
    """A state is about to be sent: round trips of players with the family are measured before they begin to think, and
    with budgets they get the clocks first."""
    game = fact.game
    listeners = [player for player in game.present.values() if player.may(Family.CLOCK) and not player.away]
    for player in listeners:
        _measure(server, game, player)
        if game.type.settings.time_s > 0:
            server.send_extension([player], Clock(game.id, _clocks(server, game, player, fact.players)))


def runs(server: ServerState, fact: facts.BudgetRuns) -> None:
    """A player has just been asked: it may be warned in this turn."""
    WARNINGS.of(fact.game).warned.discard(fact.player.name)
    _set_warning(server, fact.game)


def stops(server: ServerState, fact: facts.BudgetStops | facts.GameOver) -> None:
    """Stop the timer when there is no player to warn any more."""
    warnings = WARNINGS.find(fact.game)
    if warnings is not None and warnings.timer_runs and not _to_warn(fact.game):
        warnings.timer_runs = False
        server.stop(_timer(fact.game))


# The timer.


def low(server: ServerState, game_id: str) -> None:
    """Warn the players whose time runs out, and set the next warning."""
    game = server.running_game(game_id)
    if game is None or game.turn.budgets is None:
        return
    warnings, limit = WARNINGS.of(game), game.type.settings.clock_warning_s
    warnings.timer_runs = False
    for player in _to_warn(game):
        clock = game.turn.budgets.running[player.name]
        left = clock.since + clock.allowed_s - server.now
        if left <= limit + ROUNDING:
            warnings.warned.add(player.name)
            server.send_extension([player], Warn(WarningScope.CLOCK, WarningState.LOW, max(0.0, left), game.id))
    _set_warning(server, game)


def _timer(game: Game) -> Timer:
    return Timer(TimerKind.LOW_TIME, game.id)


def _to_warn(game: Game) -> list[Player]:
    """Return players who have to move and will be warned."""
    running = game.turn.budgets.running if game.turn.budgets is not None else {}
    if game.type.settings.clock_warning_s == 0 or game.phase in STANDING_STILL:
        return []
    warned = WARNINGS.of(game).warned
    asked = [player for player in game.turn.movers if player.may(Family.CLOCK) and player.name in running]
    return [player for player in asked if player.name not in warned]


def _set_warning(server: ServerState, game: Game) -> None:
    """Set the timer of the next warning. A player that begins its turn below the limit is not warned: it has just got
    the clocks."""
    assert game.turn.budgets is not None
    limit, running = game.type.settings.clock_warning_s, game.turn.budgets.running
    clocks = [running[player.name] for player in _to_warn(game)]
    moments = [clock.since + clock.allowed_s - limit for clock in clocks if clock.allowed_s > limit]
    if moments:
        WARNINGS.of(game).timer_runs = True
        server.start(_timer(game), max(0.0, min(moments) - server.now))


# Messages to players.


def _measure(server: ServerState, game: Game, player: Player) -> None:
    pinged = WARNINGS.of(game).pinged
    if game.turn.budgets is None or server.now - pinged.get(player.name, -PING_INTERVAL_S) < PING_INTERVAL_S - ROUNDING:
        return
    pinged[player.name] = server.now
    ref = f"clock {next(NUMBERS.of(server))}"
    pings = PINGS.of(player)
    # A peer may never answer: what it owes must not pile up.
    while len(pings) >= MAX_PINGS:
        del pings[next(iter(pings))]
    pings[ref] = server.now
    server.send_extension([player], Ping(ref))


def _clocks(server: ServerState, game: Game, receiver: Player, named: Sequence[Player]) -> tuple[ClockInfo, ...]:
    """Return the clocks of all seats in order, for ``receiver``; the players ``named`` are about to be asked. In a game
    of more than MAX_LISTED_SEATS, only the clocks of ``named`` and ``receiver``."""
    nicks: Iterable[str] = game.seats
    if len(game.seats) > MAX_LISTED_SEATS:
        movers = islice(named or game.turn.movers, MAX_LISTED_SEATS)
        nicks = dict.fromkeys([receiver.name, *[player.name for player in movers]])
    return tuple([_clock(server, game, nick, receiver, named) for nick in nicks])


def _clock(server: ServerState, game: Game, nick: str, receiver: Player, named: Sequence[Player]) -> ClockInfo:
    budget = game.turn.budgets
    player = game.present.get(nick)
    left_s = move_left_s = None
    if budget is not None:
        left_s = budgets.left_s(server, game, budget, player) if player is not None else budget.left[nick]
        # No budget: only single moves have a limit.
        left_s = None if math.isinf(left_s) else left_s
    if player is not None and player in (named or game.turn.movers) and game.phase not in STANDING_STILL:
        by_deadline = max(0.0, deadline_of(game, nick) - server.now)
        move_left_s = by_deadline if budget is None else budgets.move_left_s(server, game, budget, player)
    round_trip = budgets.round_trip_s(player) if player is receiver else None
    return ClockInfo(nick, left_s, move_left_s, round_trip * 1000 if round_trip is not None else None)


def deadline_of(game: Game, nick: str) -> float:
    """Return until when a player has to move, in a game without budgets."""
    limit, history = game.type.settings.move_limit_s(len(game.seats)), game.history
    # Nearly always found at once: a plain game keeps no deadlines, so that a move costs less.
    latest = zip(reversed(history.moments), reversed(history.entries), strict=True)
    stated_at = next((moment for moment, entry in latest if entry.kind is EntryKind.STATE), history.began_at)
    return stated_at + limit if game.turn.plain else game.turn.deadlines.get(nick, stated_at + limit)


EXTENSION = ExtensionModule(
    requests={
        Pong: Request(frozenset(Family), ANY_STATE, pong),
        ShowClock: Request(frozenset({Family.CLOCK}), PLAYERS, show),
    },
    hooks={facts.Asking: asking, facts.BudgetRuns: runs, facts.BudgetStops: stops, facts.GameOver: stops},
    timers={TimerKind.LOW_TIME: low},
)
