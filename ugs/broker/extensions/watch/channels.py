"""Channels and who follows them.

A channel is one game, seen with one delay. What happens in the game is published on it once, as soon as it is old
enough, and the shell hands it to however many are subscribed. What is not in memory any more by then is read again, a
piece at a time.
"""

from collections.abc import Iterable
from math import inf

from ugs.broker import facts
from ugs.broker.effects import Publish, Recall, Subscribe, Unsubscribe
from ugs.broker.events import Timer, TimerKind
from ugs.broker.extensions.watch.stand import PIECE_BYTES, PIECE_EVENTS, STAND, Channel, Following, Stand
from ugs.broker.state.connection import Spectator
from ugs.broker.state.desk import ROUNDING, Desk
from ugs.broker.state.model import Game
from ugs.broker.values.name_rules import unique_form
from ugs.broker.values.recollection import Found, Use, Wish
from ugs.broker.values.record import EntryKind
from ugs.broker.views.privacy import is_open
from ugs.broker.views.spectator import event_of, snapshot, told_of
from ugs.wire.extensions import EventKind, Family, GameEvent

RECALL_GAP_S = 0.25
"""Seconds between two reads of the past for the same channel: it is told later by that, at most."""


# Facts.


def begun(desk: Desk, fact: facts.GameBegun) -> None:
    """A game has begun: spectators who follow its type are told that, and all that happens in it."""
    game, stand = fact.game, STAND.of(desk)
    if not is_open(game):
        return
    channels: dict[float, Channel] = {}
    for following in stand.of_type.get(game.type.name, {}).values():
        delay_s = following.types[game.type.name]
        channel = channels.get(delay_s) or channels.setdefault(delay_s, open_channel(stand, game, delay_s, 0))
        join(following, channel)
        desk.do(Subscribe(following.conn, channel.name))
    for channel in channels.values():
        desk.do(Publish(channel.name, snapshot(game, 0)))
        publish(desk, stand, channel)


def written(desk: Desk, fact: facts.EntryWritten) -> None:
    """The last entry in the history of a game is new."""
    stand = STAND.of(desk)
    for channel in list(stand.of_game.get(fact.game.id, {}).values()):
        publish(desk, stand, channel)


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


# Following and leaving.


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


# Channels.


def join(following: Following, channel: Channel) -> None:
    """A spectator follows a game from now on."""
    channel.watchers[following.conn] = following
    channel.game.history.watchers[following.conn] = following.spectator
    following.games[channel.game.id] = channel


def open_channel(stand: Stand, game: Game, delay_s: float, told: int) -> Channel:
    """A channel for a game and a delay that had none, on which all up to event ``told`` has been told."""
    channel = Channel(f"{game.id}/{delay_s:g}", game, delay_s, told)
    stand.channels[channel.name] = channel
    stand.of_game.setdefault(game.id, {})[delay_s] = channel
    return channel


def publish(desk: Desk, stand: Stand, channel: Channel) -> None:
    """Tell all that is old enough by now, and see to it that the rest is told later."""
    history = channel.game.history
    if channel.told < history.earlier.events:
        _recall(desk, channel)
        return
    latest = desk.now - channel.delay_s + ROUNDING
    while channel.told < history.count and history.moment(channel.told + 1) <= latest:
        channel.told += 1
        if len(channel.watchers) > len(channel.late):
            _hand_out(desk, channel, event_of(channel.game, channel.told))
    if channel.told == history.count and history.entries and history.entries[-1].kind is EntryKind.VERDICT:
        _end(desk, stand, channel)
    elif channel.told < history.count:
        _wait(desk, channel, history.moment(channel.told + 1) + channel.delay_s - desk.now)


def _hand_out(desk: Desk, channel: Channel, event: GameEvent) -> None:
    """Tell all who follow a channel and are not behind: a sketch those of them alone who can read it."""
    if event.what is not EventKind.SKETCH:
        desk.do(Publish(channel.name, event))
        return
    for conn, following in channel.watchers.items():
        if conn not in channel.late:
            tell_event(desk, following.spectator, event)


def tell_event(desk: Desk, spectator: Spectator, event: GameEvent) -> None:
    """Tell one spectator what has happened; a sketch only if it can read it."""
    if event.what is not EventKind.SKETCH or spectator.may(Family.SKETCH):
        desk.tell([spectator], event)


def _recall(desk: Desk, channel: Channel) -> None:
    """The next events on a channel are not in memory any more: let them be read again, unless that is on its way."""
    if channel.recalling or channel.waiting:
        return
    channel.recalling = True
    history = channel.game.history
    until, until_s = history.earlier.events, desk.now - channel.delay_s - history.began_at + ROUNDING
    size = PIECE_EVENTS, PIECE_BYTES
    desk.do(Recall(Wish(Use.CHANNEL, channel.name, channel.game.id, until, channel.told, until_s, *size)))


def publish_past(desk: Desk, stand: Stand, channel: Channel, wish: Wish, found: Found) -> None:
    """Tell what has been read again, and see to it that the rest is told later. Of a past that nothing has kept nobody
    is told."""
    if not channel.recalling or channel.told != wish.after:
        return  # it was for an earlier channel of the same name
    channel.recalling = False
    if len(channel.watchers) > len(channel.late):
        for event in found.events:
            _hand_out(desk, channel, told_of(channel.game, event))
    history = channel.game.history
    if found.forgotten:
        history.earlier.cannot_be_read()
    channel.told = wish.until if found.forgotten else found.number
    if channel.told >= history.earlier.events:
        publish(desk, stand, channel)
    else:
        next_at = history.began_at + found.next_s if found.next_s is not None else -inf
        _wait(desk, channel, max(RECALL_GAP_S, next_at + channel.delay_s - desk.now))


def _wait(desk: Desk, channel: Channel, seconds: float) -> None:
    """Look again after so many seconds, unless a timer runs already."""
    if not channel.waiting:
        channel.waiting = True
        desk.start(_timer(channel), max(0.0, seconds))


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
