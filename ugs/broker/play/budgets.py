"""Budgets of time: how long players have for all their moves of a game.

A player's clock runs from when the state that names it has been handed to the network until its move arrives, minus the
measured round trip, up to ``lag_credit_ms``. It stands still while the game has no master. All times are seconds.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ugs.broker.effects import RecordEntry
from ugs.broker.facts import BudgetRuns, BudgetStops
from ugs.broker.state.extras import Key
from ugs.broker.state.model import Game, Player
from ugs.broker.state.server_state import ROUNDING, ServerState
from ugs.broker.state.time_budgets import Budgets, RunningClock
from ugs.broker.values.record import EntryKind, read_movers
from ugs.wire.extensions import Family

ROUND_TRIP: Key[list[float]] = Key("round trip", list)
"""With a player: the latest measured round trips, in seconds, oldest first."""
USED: "Key[Used]" = Key("used of budgets", lambda: Used())
"""With a game of an earlier life of the server."""

REMEMBERED_ROUND_TRIPS = 8


def begin(game: Game, used: Mapping[str, float] | None = None) -> None:
    """Give the players of a game their budgets; ``used`` is what they have used already, increments taken off, by nick.

    If the type has none, but a player has the family ``clock``, the budgets are infinite: its clock shows the time of
    its moves; and if refused moves are asked for again, which takes no longer than the first one could.
    """
    settings, used = game.type.settings, used or {}
    if settings.time_s > 0:
        game.turn.has_budgets({nick: max(0.0, settings.time_s - used.get(nick, 0.0)) for nick in game.seats})
    elif settings.asks_again or any(player.may(Family.CLOCK) for player in game.present.values()):
        game.turn.has_budgets(dict.fromkeys(game.seats, math.inf))


def asked(server: ServerState, game: Game, budgets: Budgets, player: Player) -> float:
    """A player has to move. Returns the maximum seconds that it has. If it was asked before and has not moved, it is
    asked again, and the time used so far counts."""
    now = server.now
    _stop(game, budgets, player, now)
    allowed = budgets.left[player.name] + _credit(game, player)
    budgets.running[player.name] = RunningClock(now, min(allowed, game.type.settings.move_limit_s(len(game.seats))))
    server.report(BudgetRuns(game, player))
    return allowed


def moved(server: ServerState, game: Game, budgets: Budgets, player: Player) -> None:
    """A player has moved: its clock stops, and it gets the increment."""
    budgets.of_move[player.name] = move_left_s(server, game, budgets, player)
    _stop(game, budgets, player, server.now)
    budgets.left[player.name] += game.type.settings.increment_s
    server.report(BudgetStops(game))


def takes_increment_back(game: Game, budgets: Budgets, player: Player) -> None:
    """The move of a player was refused: it has not earned the increment."""
    budgets.left[player.name] = max(0.0, budgets.left[player.name] - game.type.settings.increment_s)


def goes_on(server: ServerState, game: Game, budgets: Budgets, player: Player) -> float:
    """The move of a player was refused: its clock runs on where it stopped. Returns the maximum seconds that it has.
    What was left for a move in an earlier life of the server is not known: it has all of it again."""
    nick, of_move = player.name, game.type.settings.move_limit_s(len(game.seats))
    most = min(budgets.left[nick] + _credit(game, player), budgets.of_move.get(nick, of_move))
    budgets.running[nick] = RunningClock(server.now, most)
    server.report(BudgetRuns(game, player))
    return most


def put_aside(server: ServerState, game: Game, budgets: Budgets, players: Iterable[Player]) -> None:
    """These players were asked and need not move any more: their clocks stop, and what they used stays used."""
    for player in players:
        _stop(game, budgets, player, server.now)


def handed(server: ServerState, game_id: str) -> None:
    """The state has only now been handed to the players who have to move: their clocks begin to count."""
    game = server.running_game(game_id)
    if game is None or game.turn.budgets is None:
        return
    for player in game.turn.movers:
        clock = game.turn.budgets.running.get(player.name)
        if clock is not None:
            clock.begins(server.now)
            # D16: the time is that of the player, not the one that the state spent in the server.
            game.turn.deadlines[player.name] = server.now + clock.allowed_s


def pause(server: ServerState, game: Game) -> None:
    """The game has lost its master: all clocks stand still until a player is asked again."""
    budgets = game.turn.budgets
    if budgets is not None:
        for player in game.turn.movers:
            _stop(game, budgets, player, server.now)
        server.report(BudgetStops(game))


def is_spent(server: ServerState, game: Game, player: Player) -> bool:
    """Whether a player in the game has a budget and has used it up."""
    budgets = game.turn.budgets
    return budgets is not None and left_s(server, game, budgets, player) <= ROUNDING


def left_s(server: ServerState, game: Game, budgets: Budgets, player: Player) -> float:
    """What is left of the budget of a player who is in the game."""
    clock = budgets.running.get(player.name)
    used = _used(game, player, clock, server.now) if clock is not None else 0.0
    return max(0.0, budgets.left[player.name] - used)


def move_left_s(server: ServerState, game: Game, budgets: Budgets, player: Player) -> float:
    """How much time a player still has for its move; if it is not asked yet, how much it is going to have."""
    clock = budgets.running.get(player.name)
    if clock is None:
        most = game.type.settings.move_limit_s(len(game.seats))
        return min(budgets.left[player.name] + _credit(game, player), most)
    return max(0.0, clock.since + clock.allowed_s - server.now)


def measured(player: Player, seconds: float) -> None:
    """Add a measured round trip of a player."""
    latest = ROUND_TRIP.of(player)
    latest.append(seconds)
    del latest[:-REMEMBERED_ROUND_TRIPS]


def round_trip_s(player: Player) -> float | None:
    """Return the round trip of a player: the minimum of the last few measurements; None if there are none."""
    # The least is nearest to the line itself; the others have the peer's own delays in them.
    return min(ROUND_TRIP.find(player) or (), default=None)


@dataclass(slots=True)
class Used:
    """What the players of a game of an earlier life have used of their budgets, as its entries are read."""

    seconds: dict[int, float] = field(default_factory=dict)
    """By seat."""
    asked_at: dict[int, float] = field(default_factory=dict)


def remember(game: Game, moment: float, entry: RecordEntry) -> None:
    """Take an entry of an earlier life of the server; for each game from its begin on, in order."""
    remembered = USED.of(game)
    if entry.kind is EntryKind.STATE:
        for seat in read_movers(entry.seat, entry.text):
            # A state that asks the same player again does not give the time back that it has used.
            remembered.asked_at.setdefault(seat, moment)
    elif entry.kind is EntryKind.FAULT and entry.seat is not None:
        remembered.asked_at[entry.seat] = moment
        # The refused move had got its increment when it came.
        used = remembered.seconds.get(entry.seat, 0.0) + game.type.settings.increment_s
        remembered.seconds[entry.seat] = used
    elif entry.kind is EntryKind.MOVE and entry.seat in remembered.asked_at:
        took = moment - remembered.asked_at.pop(entry.seat) - game.type.settings.increment_s
        remembered.seconds[entry.seat] = remembered.seconds.get(entry.seat, 0.0) + took


def used_until_now(game: Game) -> dict[str, float]:
    """Return what players had used of their budgets in earlier lives of the server: the time from each state that asked
    them to their move, minus increments. Round trips are unknown and not credited."""
    seconds = USED.of(game).seconds
    return {nick: seconds.get(seat, 0.0) for nick, seat in game.seat_of.items()}


def _credit(game: Game, player: Player) -> float:
    """Return the part of each move that is not counted: the round trip of a player, up to the limit."""
    # Bounded, or a player could earn time by answering its pings late.
    return min(round_trip_s(player) or 0.0, game.type.settings.lag_credit_ms / 1000)


def _used(game: Game, player: Player, clock: RunningClock, now: float) -> float:
    return max(0.0, now - clock.since - _credit(game, player))


def _stop(game: Game, budgets: Budgets, player: Player, now: float) -> None:
    clock = budgets.running.pop(player.name, None)
    if clock is not None:
        budgets.left[player.name] = max(0.0, budgets.left[player.name] - _used(game, player, clock, now))
