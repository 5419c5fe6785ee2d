"""Channels and who follows them.

A channel is one game with one delay. Events of the game are published on it once, as soon as they are old enough, and
the shell sends them to all subscribers. Events no longer in memory by then are read again, a piece at a time.
"""

from collections.abc import Iterable
from math import inf
from types import MappingProxyType
from typing import Final

from ugs.broker import facts
from ugs.broker.effects import Publish, Recall, Subscribe, Unsubscribe
from ugs.broker.entrance import shared_nicks
from ugs.broker.events import Timer, TimerKind
from ugs.broker.extensions.watch.stand import PIECE_BYTES, PIECE_EVENTS, STAND, Channel, Following, Stand
from ugs.broker.state.connection import Spectator
from ugs.broker.state.model import Game
from ugs.broker.state.server_state import ROUNDING, ServerState
from ugs.broker.values.name_rules import unique_form
from ugs.broker.values.recollection import Recollected, Use, Wish
from ugs.broker.values.record import EntryKind
from ugs.broker.views.privacy import is_open
from ugs.broker.views.spectator import event_of, shown_event, snapshot
from ugs.broker.views.wording import ahead
from ugs.wire.extensions import Account, EventKind, Family, GameEvent

RECALL_GAP_S = 0.25
"""Seconds between two reads of the past for the same channel: the maximum extra delay."""
FOR_SOME: Final = MappingProxyType({EventKind.SKETCH: Family.SKETCH, EventKind.REMARK: Family.REMARK})
"""The events that need a family of their own."""


# Facts.


def begun(server: ServerState, fact: facts.GameBegun) -> None:
    """A game has begun: spectators who follow its type are shown it from now on."""
    game, stand = fact.game, STAND.of(server)
    # A game at a private table: those who follow its type must not learn of it.
    if not is_open(game):
        return
    channels: dict[float, Channel] = {}
    for following in stand.of_type.get(game.type.name, {}).values():
        delay_s = following.types[game.type.name]
        channel = channels.get(delay_s) or channels.setdefault(delay_s, open_channel(stand, game, delay_s, 0))
        join(following, channel)
        server.emit(Subscribe(following.conn, channel.name))
    for channel in channels.values():
        server.emit(Publish(channel.name, snapshot(game, 0)))
        publish(server, stand, channel)


def written(server: ServerState, fact: facts.EntryWritten) -> None:
    """The last entry in the history of a game is new."""
    stand = STAND.of(server)
    for channel in list(stand.of_game.get(fact.game.id, {}).values()):
        publish(server, stand, channel)


def master_awaited(server: ServerState, fact: facts.MasterAwaited) -> None:
    """A game waits for its lost master, or goes on: that is no event of the game, and is sent without a delay."""
    send_account(server, fact.game, fact.game.history.watchers.values())


def send_account(server: ServerState, game: Game, spectators: Iterable[Spectator]) -> None:
    """Send spectators who were granted ``reason`` that a game waits for its lost master, and for how long; or that
    another one leads it."""
    by, text = game.turn.successor_by, f"the game goes on: {game.master.name} has taken it over"
    if by is not None:
        waits = f"for it, or another one, for {ahead(by - server.now)}; no clock runs"
        text = f"the game master has lost its line; the game waits {waits}"
    server.send_extension([one for one in spectators if one.may(Family.REASON)], Account(text, game.id))


def gone(server: ServerState, fact: facts.PeerGone) -> None:
    """A spectator is gone."""
    spectator, stand = fact.peer, STAND.of(server)
    following = stand.following.pop(spectator.conn, None)
    if following is None:
        return
    drop_coming(server, following, list(following.coming))
    for channel in list(following.games.values()):
        leave(server, following, channel)
    for name in list(following.types):
        leave_type(server, following, name)
    if spectator.name:
        del server.names.spectators[unique_form(spectator.name)]
        shared_nicks.give_back(server, spectator.name, watches=True)


# Following and leaving.


def leave(server: ServerState, following: Following, channel: Channel) -> None:
    """Remove a spectator from a channel."""
    conn, game_id = following.conn, channel.game.id
    del following.games[game_id]
    del channel.watchers[conn]
    channel.game.history.watchers.pop(conn, None)
    channel.late.discard(conn)
    if following.behind.pop(game_id, None) is None:
        server.emit(Unsubscribe(channel.name, conn))
    else:
        _stop_when_all_sent(server, following)
    if not channel.watchers and not channel.ended:
        _forget(server, STAND.of(server), channel)


def leave_type(server: ServerState, following: Following, name: str) -> None:
    """Stop following a game type; the spectator still follows the games of it that it has been shown."""
    of_type = STAND.of(server).of_type
    del following.types[name]
    del of_type[name][following.conn]
    if not of_type[name]:
        del of_type[name]


def drop_coming(server: ServerState, following: Following, game_ids: Iterable[str]) -> None:
    """Drop coming games that a spectator need not be shown any more."""
    for game_id in game_ids:
        following.coming.pop(game_id, None)
    _stop_when_all_sent(server, following)


def _stop_when_all_sent(server: ServerState, following: Following) -> None:
    if not following.behind and not following.coming:
        server.stop(following.catching_up)


# Channels.


def join(following: Following, channel: Channel) -> None:
    """A spectator follows a game from now on."""
    channel.watchers[following.conn] = following
    channel.game.history.watchers[following.conn] = following.spectator
    following.games[channel.game.id] = channel


def open_channel(stand: Stand, game: Game, delay_s: float, sent_number: int) -> Channel:
    """Open a channel for a game and a delay that had none; all events up to ``sent_number`` count as sent."""
    channel = Channel(f"{game.id}/{delay_s:g}", game, delay_s, sent_number)
    stand.channels[channel.name] = channel
    stand.of_game.setdefault(game.id, {})[delay_s] = channel
    return channel


def publish(server: ServerState, stand: Stand, channel: Channel) -> None:
    """Publish all events that are old enough by now, and set the timer for the rest."""
    history = channel.game.history
    if channel.sent_number < history.earlier.events:
        _recall(server, channel)
        return
    latest = server.now - channel.delay_s + ROUNDING
    while channel.sent_number < history.count and history.moment(channel.sent_number + 1) <= latest:
        channel.sent_number += 1
        # Those who are late get the event from the past, each in its turn.
        if len(channel.watchers) > len(channel.late):
            _hand_out(server, channel, event_of(channel.game, channel.sent_number))
    if channel.sent_number == history.count and history.entries and history.entries[-1].kind is EntryKind.VERDICT:
        _end(server, stand, channel)
    elif channel.sent_number < history.count:
        _wait(server, channel, history.moment(channel.sent_number + 1) + channel.delay_s - server.now)


def _hand_out(server: ServerState, channel: Channel, event: GameEvent) -> None:
    """Send an event to all watchers of a channel who are not behind; a sketch or a remark only to those who may get
    it."""
    if event.what not in FOR_SOME:
        server.emit(Publish(channel.name, event))
        return
    for conn, following in channel.watchers.items():
        if conn not in channel.late:
            send_event(server, channel.game, following.spectator, event)


def send_event(server: ServerState, game: Game, spectator: Spectator, event: GameEvent) -> None:
    """Send one spectator an event; a sketch or a remark only if it was granted that family, and a remark only if it is
    no player of the game."""
    # A remark shows a plan: a player who watches its own game would read that of its opponent.
    family = FOR_SOME.get(event.what)
    if family is None or (spectator.may(family) and not (family is Family.REMARK and _plays(game, spectator))):
        server.send_extension([spectator], event)


def _plays(game: Game, spectator: Spectator) -> bool:
    """Whether a spectator is a player of the game, by its nick or by its token."""
    proven = spectator.connection.proven
    # By its token, too: a player may watch without a nick.
    names = {unique_form(spectator.name), unique_form(proven.name) if proven is not None else ""} - {""}
    return bool(names) and not names.isdisjoint(map(unique_form, game.seats))


def _recall(server: ServerState, channel: Channel) -> None:
    """Request the next events of a channel, which are no longer in memory, unless that is under way."""
    if channel.recalling or channel.waiting:
        return
    channel.recalling = True
    history = channel.game.history
    until, until_s = history.earlier.events, server.now - channel.delay_s - history.began_at + ROUNDING
    size = PIECE_EVENTS, PIECE_BYTES
    server.emit(Recall(Wish(Use.CHANNEL, channel.name, channel.game.id, until, channel.sent_number, until_s, *size)))


def publish_past(server: ServerState, stand: Stand, channel: Channel, wish: Wish, found: Recollected) -> None:
    """Publish events that have been read again, and set the timer for the rest. A past that was not kept is skipped."""
    if not channel.recalling or channel.sent_number != wish.after:
        return  # it was for an earlier channel of the same name
    channel.recalling = False
    if len(channel.watchers) > len(channel.late):
        for event in found.events:
            _hand_out(server, channel, shown_event(channel.game, event))
    history = channel.game.history
    if found.forgotten:
        history.earlier.cannot_be_read()
    channel.sent_number = wish.until if found.forgotten else found.number
    if channel.sent_number >= history.earlier.events:
        publish(server, stand, channel)
    else:
        next_at = history.began_at + found.next_s if found.next_s is not None else -inf
        _wait(server, channel, max(RECALL_GAP_S, next_at + channel.delay_s - server.now))


def _wait(server: ServerState, channel: Channel, seconds: float) -> None:
    """Look again after ``seconds``, unless a timer runs already."""
    if not channel.waiting:
        channel.waiting = True
        server.start(_timer(channel), max(0.0, seconds))


def _end(server: ServerState, stand: Stand, channel: Channel) -> None:
    """The last event has been sent: watchers who are still catching up go on with that, the others are done."""
    channel.ended = True
    server.emit(Unsubscribe(channel.name))
    for conn, following in channel.watchers.items():
        if conn not in channel.late:
            del following.games[channel.game.id]
    _forget(server, stand, channel)


def _forget(server: ServerState, stand: Stand, channel: Channel) -> None:
    if channel.waiting:
        server.stop(_timer(channel))
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
