"""Channels and who follows them.

A channel is one game, seen with one delay. What happens in the game is published on it once, as soon as it is old
enough, and the shell hands it to however many are subscribed. A spectator that begins at the begin is told the past
first, a piece at a time as its network takes it, and is subscribed when it has caught up.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from ugs.broker import facts
from ugs.broker.effects import Publish, Subscribe, Unsubscribe
from ugs.broker.events import Timer, TimerKind
from ugs.broker.name_rules import unique_form
from ugs.broker.privacy import is_open
from ugs.broker.record import EntryKind
from ugs.broker.spectator_view import event_of, old_enough, snapshot
from ugs.broker.state.allowance import BYTES
from ugs.broker.state.connection import Spectator
from ugs.broker.state.desk import Desk
from ugs.broker.state.extras import Key
from ugs.broker.state.model import Game
from ugs.wire.extensions import Ok, Watch, WatchFrom

EVENTS_A_ROW = 100
"""Events that cost as much to look through as a row of a list to write."""
PIECE_EVENTS = 200
PIECE_BYTES = 262_144
"""A piece of the past has at most this many events, and states of about this many bytes."""


@dataclass(slots=True, eq=False)
class Channel:
    """One game, seen with one delay."""

    name: str
    game: Game
    delay_s: float
    told: int
    """The number of the last event that was old enough when it was last looked."""
    watchers: "dict[int, Following]" = field(default_factory=dict)
    """By conn."""
    late: set[int] = field(default_factory=set)
    """The watchers who are still being told the past."""
    waiting: bool = False
    """Whether a timer runs for the next event."""
    ended: bool = False
    """Whether the last event of the game has been told."""


@dataclass(slots=True, eq=False)
class Following:
    """What one spectator follows."""

    spectator: Spectator
    games: dict[str, Channel] = field(default_factory=dict)
    """By game id."""
    types: dict[str, float] = field(default_factory=dict)
    """The game types, and with which delay."""
    behind: dict[str, int] = field(default_factory=dict)
    """The games of which it is still being told the past, and the number of the last event it was told."""
    coming: dict[str, tuple[Watch, float]] = field(default_factory=dict)
    """The games that it is going to be shown, by id: what it asked, and with which delay."""

    @property
    def conn(self) -> int:
        """The number of the spectator's connection."""
        return self.spectator.conn

    @property
    def chosen(self) -> set[str]:
        """What it has asked for: game types, and ids of games of other types."""
        types = self.types
        return {*types, *(game_id for game_id, channel in self.games.items() if channel.game.type.name not in types)}

    @property
    def catching_up(self) -> Timer:
        """Fires when the next piece of the past may be told."""
        return Timer(TimerKind.SPECTATORS, f"past {self.conn}")


@dataclass(slots=True)
class Stand:
    """With the desk: all spectators and channels."""

    following: dict[int, Following] = field(default_factory=dict)
    """By conn."""
    channels: dict[str, Channel] = field(default_factory=dict)
    """By name."""
    of_game: dict[str, dict[float, Channel]] = field(default_factory=dict)
    """The channels of each game, by delay."""
    of_type: dict[str, dict[int, Following]] = field(default_factory=dict)
    """Who follows a game type, by conn."""


STAND: Key[Stand] = Key("spectators", Stand)

# Facts.


def begun(desk: Desk, fact: facts.GameBegun) -> None:
    """A game has begun: spectators who follow its type are told that, and all that happens in it."""
    game, stand = fact.game, STAND.of(desk)
    if not is_open(game):
        return
    channels: dict[float, Channel] = {}
    for following in stand.of_type.get(game.type.name, {}).values():
        delay_s = following.types[game.type.name]
        channel = channels.get(delay_s) or channels.setdefault(delay_s, _open(stand, game, delay_s, 0))
        _join(following, channel)
        desk.do(Subscribe(following.conn, channel.name))
    for channel in channels.values():
        desk.do(Publish(channel.name, snapshot(game, 0)))
        _publish(desk, stand, channel)


def written(desk: Desk, fact: facts.EntryWritten) -> None:
    """The last entry in the history of a game is new."""
    stand = STAND.of(desk)
    for channel in list(stand.of_game.get(fact.game.id, {}).values()):
        _publish(desk, stand, channel)


def gone(desk: Desk, fact: facts.PeerGone) -> None:
    """A spectator is gone."""
    spectator, stand = fact.peer, STAND.of(desk)
    following = stand.following.pop(spectator.conn, None)
    if following is None:
        return
    drop_coming(desk, following, list(following.coming))
    for channel in list(following.games.values()):
        leave(desk, following, channel)
    for name in list(following.types):
        leave_type(desk, following, name)
    if spectator.name:
        del desk.names.spectators[unique_form(spectator.name)]


# The timer.


def due(desk: Desk, channel: str) -> None:
    """The next event on a channel has become old enough, or a spectator may be told more of the past."""
    stand = STAND.of(desk)
    known = stand.channels.get(channel)
    if known is not None:
        known.waiting = False
        _publish(desk, stand, known)
        return
    following = stand.following.get(int(channel.removeprefix("past "))) if channel.startswith("past ") else None
    if following is not None:
        tell_past(desk, following)


# Following and leaving.


def follow(desk: Desk, following: Following, game: Game, message: Watch, delay_s: float) -> int:
    """Show a spectator a game as it was ``delay_s`` ago, or before it began; what follows is still to be told. Returns
    the bytes of the state that was shown."""
    stand = STAND.of(desk)
    following.coming.pop(game.id, None)
    if game.id in following.games:
        leave(desk, following, following.games[game.id])
    channel = stand.of_game.get(game.id, {}).get(delay_s)
    if channel is None:
        channel = _open(stand, game, delay_s, old_enough(game, desk.now - delay_s))
        _publish(desk, stand, channel)  # nothing yet, but what has happened since is seen to
    number = 0 if message.begin is WatchFrom.BEGIN else channel.told
    shown = snapshot(game, number, message.ref)
    desk.tell([following.spectator], shown)
    desk.charge(following.spectator, len(shown.seats) + len(shown.options) + number / EVENTS_A_ROW)
    _join(following, channel)
    channel.late.add(following.conn)
    following.behind[game.id] = number
    return len(shown.state)


def follow_type(desk: Desk, following: Following, message: Watch, delay_s: float) -> None:
    """Show a spectator all games of a type: those that run with the next pieces of the past, the others as they
    begin."""
    name = message.game_type
    following.types[name] = delay_s
    STAND.of(desk).of_type.setdefault(name, {})[following.conn] = following
    games = [game.id for game in desk.running if game.type.name == name and is_open(game)]
    following.coming |= dict.fromkeys(games, (message, delay_s))
    if not games:
        desk.tell([following.spectator], Ok(message.ref))


def leave(desk: Desk, following: Following, channel: Channel) -> None:
    """A spectator follows a game no more."""
    conn, game_id = following.conn, channel.game.id
    del following.games[game_id]
    del channel.watchers[conn]
    channel.game.history.watchers.pop(conn, None)
    channel.late.discard(conn)
    if following.behind.pop(game_id, None) is None:
        desk.do(Unsubscribe(channel.name, conn))
    else:
        _stop_when_told(desk, following)
    if not channel.watchers and not channel.ended:
        _forget(desk, STAND.of(desk), channel)


def leave_type(desk: Desk, following: Following, name: str) -> None:
    """A spectator follows a game type no more; the games of it that it follows are not touched."""
    of_type = STAND.of(desk).of_type
    del following.types[name]
    del of_type[name][following.conn]
    if not of_type[name]:
        del of_type[name]


def drop_coming(desk: Desk, following: Following, game_ids: Iterable[str]) -> None:
    """A spectator need not be shown these games any more, which it has not been shown yet."""
    for game_id in game_ids:
        following.coming.pop(game_id, None)
    _stop_when_told(desk, following)


def _stop_when_told(desk: Desk, following: Following) -> None:
    if not following.behind and not following.coming:
        desk.stop(following.catching_up)


def tell_past(desk: Desk, following: Following) -> None:
    """Tell a spectator the next piece of what it has still to be told: the past of the games that it has been shown,
    then further games. For a game with which it has caught up it is subscribed."""
    spectator = following.spectator
    told = size = 0
    while following.behind or following.coming:
        if told >= PIECE_EVENTS or size >= PIECE_BYTES:
            desk.start(following.catching_up, 0, after=spectator)
            break
        told += 1
        if not following.behind:
            size += _show_next(desk, following)
            continue
        game_id, number = next(iter(following.behind.items()))
        channel = following.games[game_id]
        if number < channel.told:
            following.behind[game_id] = number + 1
            event = event_of(channel.game, number + 1)
            size += len(event.state)
            desk.tell([spectator], event)
        else:
            _caught_up(desk, following, channel)
    desk.charge(spectator, told + size / BYTES)


def _show_next(desk: Desk, following: Following) -> int:
    """Show a spectator the next of the games that it is going to be shown, if that still runs. Returns the bytes of the
    state that was shown."""
    game_id = next(iter(following.coming))
    message, delay_s = following.coming.pop(game_id)
    game = desk.running_game(game_id)
    return 0 if game is None else follow(desk, following, game, message, delay_s)


def _caught_up(desk: Desk, following: Following, channel: Channel) -> None:
    game_id = channel.game.id
    del following.behind[game_id]
    channel.late.discard(following.conn)
    if channel.ended:
        del following.games[game_id]
    else:
        desk.do(Subscribe(following.conn, channel.name))


# Channels.


def _join(following: Following, channel: Channel) -> None:
    channel.watchers[following.conn] = following
    channel.game.history.watchers[following.conn] = following.spectator
    following.games[channel.game.id] = channel


def _open(stand: Stand, game: Game, delay_s: float, told: int) -> Channel:
    channel = Channel(f"{game.id}/{delay_s:g}", game, delay_s, told)
    stand.channels[channel.name] = channel
    stand.of_game.setdefault(game.id, {})[delay_s] = channel
    return channel


def _publish(desk: Desk, stand: Stand, channel: Channel) -> None:
    """Tell all that is old enough by now, and see to it that the rest is told later."""
    history = channel.game.history
    for number in range(channel.told + 1, old_enough(channel.game, desk.now - channel.delay_s) + 1):
        channel.told = number
        if len(channel.watchers) > len(channel.late):
            desk.do(Publish(channel.name, event_of(channel.game, number)))
    if channel.told and history.entries[channel.told - 1].kind is EntryKind.VERDICT:
        _end(desk, stand, channel)
    elif channel.told < len(history.entries) and not channel.waiting:
        channel.waiting = True
        desk.start(_timer(channel), max(0.0, history.moments[channel.told] + channel.delay_s - desk.now))


def _end(desk: Desk, stand: Stand, channel: Channel) -> None:
    """The last event has been told: watchers who are being told the past go on with that, the others have done."""
    channel.ended = True
    desk.do(Unsubscribe(channel.name))
    for conn, following in channel.watchers.items():
        if conn not in channel.late:
            del following.games[channel.game.id]
    _forget(desk, stand, channel)


def _forget(desk: Desk, stand: Stand, channel: Channel) -> None:
    if channel.waiting:
        desk.stop(_timer(channel))
    for conn in channel.watchers:
        channel.game.history.watchers.pop(conn, None)
    del stand.channels[channel.name]
    of_game = stand.of_game[channel.game.id]
    del of_game[channel.delay_s]
    if not of_game:
        del stand.of_game[channel.game.id]


def _timer(channel: Channel) -> Timer:
    """Fires when the next event on a channel is old enough."""
    return Timer(TimerKind.SPECTATORS, channel.name)
