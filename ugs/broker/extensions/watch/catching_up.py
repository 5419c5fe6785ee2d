"""Spectators who get the past.

A spectator that starts at the beginning, or has been away from a channel, gets past events a piece at a time, as fast
as its network takes them. When it has caught up, it is subscribed to the channel. Events no longer in memory are read
again, one piece at a time per spectator.
"""

from dataclasses import replace
from math import inf

from ugs.broker import facts
from ugs.broker.effects import Recall, Subscribe
from ugs.broker.extensions.watch.delayed_channels import (
    join,
    leave,
    open_channel,
    publish,
    publish_past,
    send_account,
    send_event,
)
from ugs.broker.extensions.watch.stand import PIECE_BYTES, PIECE_EVENTS, STAND, Channel, Following
from ugs.broker.state.allowance import BYTES
from ugs.broker.state.model import Game
from ugs.broker.state.server_state import ServerState
from ugs.broker.values.recollection import Recollected, Use, Wish
from ugs.broker.views.privacy import is_open
from ugs.broker.views.spectator import can_show, event_of, old_enough, shown_event, snapshot, snapshot_of
from ugs.wire.extensions import Family, Ok, Watch, WatchFrom, Watching

EVENTS_A_ROW = 100
"""Events to look through that cost as much as writing one row of a list."""

# The timer, and recalled events.


def due(server: ServerState, channel: str) -> None:
    """The next event on a channel is old enough, or a spectator may get more of the past."""
    stand = STAND.of(server)
    known = stand.channels.get(channel)
    if known is not None:
        known.waiting = False
        publish(server, stand, known)
        return
    following = stand.following.get(int(channel.removeprefix("past "))) if channel.startswith("past ") else None
    if following is not None:
        send_past(server, following)


def recalled(server: ServerState, fact: facts.PastRecalled) -> None:
    """Recalled events for spectators have arrived."""
    wish, found, stand = fact.wish, fact.found, STAND.of(server)
    if wish.use is Use.CHANNEL:
        channel = stand.channels.get(wish.subject)
        if channel is not None:
            publish_past(server, stand, channel, wish, found)
    elif wish.use in (Use.SPECTATOR, Use.SHOWING):
        following = stand.following.get(int(wish.subject))
        if following is not None:
            following.recalling = False
            take = _send_found if wish.use is Use.SPECTATOR else _show_found
            take(server, following, wish, found)


# Steps.


def follow(server: ServerState, following: Following, game: Game, message: Watch, delay_s: float) -> None:
    """Show a spectator a game as it was ``delay_s`` ago, or before it began: now, or when the past has been read again.
    Later events are still to be sent."""
    following.coming.pop(game.id, None)
    if following.recalling:
        if game.id in following.games:
            leave(server, following, following.games[game.id])
        following.coming = {game.id: (message, delay_s), **following.coming}
    else:
        _show(server, following, game, message, delay_s)


def _show(server: ServerState, following: Following, game: Game, message: Watch, delay_s: float) -> int:
    """Show a spectator a game, or request the past that shows how it was. Returns the bytes of the state that was
    shown."""
    channel = STAND.of(server).of_game.get(game.id, {}).get(delay_s)
    sent = channel.sent_number if channel is not None else old_enough(game, server.now - delay_s)
    number = 0 if message.begin is WatchFrom.BEGIN else sent
    if sent is not None and number is not None and can_show(game, number):
        return _begin(server, following, game, message, delay_s, sent, snapshot(game, number, message.ref))
    earlier = game.history.earlier
    if earlier.forgotten:  # no one knows more than the players
        shown = snapshot_of(game, earlier.events, (), message.ref)
        return _begin(server, following, game, message, delay_s, earlier.events, shown)
    following.coming = {game.id: (message, delay_s), **following.coming}
    following.recalling = True
    until = earlier.events if sent is None else sent
    until_s = server.now - delay_s - game.history.began_at
    server.emit(Recall(Wish(Use.SHOWING, str(following.conn), game.id, until, until_s=until_s)))
    return 0


def _begin(
    server: ServerState, following: Following, game: Game, message: Watch, delay_s: float, sent: int, shown: Watching
) -> int:
    """Show a spectator this; later events are still to be sent. A channel opened for it begins after ``sent``. Returns
    the bytes of the state that was shown."""
    stand = STAND.of(server)
    following.coming.pop(game.id, None)
    if game.id in following.games:
        leave(server, following, following.games[game.id])
    channel = stand.of_game.get(game.id, {}).get(delay_s)
    if channel is None:
        channel = open_channel(stand, game, delay_s, sent)
        publish(server, stand, channel)  # nothing yet, but sets the timer for later events
    number = shown.number
    if shown.sketch and not following.spectator.may(Family.SKETCH):
        shown = replace(shown, sketch=b"")
    server.send_extension([following.spectator], shown)
    server.charge(following.spectator, len(shown.seats) + len(shown.options) + number / EVENTS_A_ROW)
    join(following, channel)
    # Not subscribed until it has the past: otherwise events would reach it out of order.
    channel.late.add(following.conn)
    following.behind[game.id] = number
    return len(shown.state) + len(shown.sketch)


def follow_type(server: ServerState, following: Following, message: Watch, delay_s: float) -> None:
    """Show a spectator all games of a type: those that run with the next pieces of the past, the others as they
    begin."""
    name = message.game_type
    following.types[name] = delay_s
    STAND.of(server).of_type.setdefault(name, {})[following.conn] = following
    games = [game.id for game in server.running if game.type.name == name and is_open(game)]
    following.coming |= dict.fromkeys(games, (message, delay_s))
    # Otherwise the games themselves are the answer, each with the reference.
    if not games:
        server.send_extension([following.spectator], Ok(message.ref))


def send_past(server: ServerState, following: Following) -> None:
    """Send a spectator the next piece of the past: first of the games that it has been shown, then further games. It is
    subscribed to each game that it has caught up with."""
    spectator = following.spectator
    sent = size = 0
    if following.recalling:
        return
    while (following.behind or following.coming) and not following.recalling:
        # The rest when this has gone out: a slow spectator holds one piece in memory, not the whole game.
        if sent >= PIECE_EVENTS or size >= PIECE_BYTES:
            server.start(following.catching_up, 0, after=spectator)
            break
        sent += 1
        if not following.behind:
            size += _show_next(server, following)
            continue
        game_id, number = next(iter(following.behind.items()))
        channel = following.games[game_id]
        earlier = channel.game.history.earlier
        if number < channel.sent_number and number < earlier.events:
            following.recalling = True
            until = min(channel.sent_number, earlier.events)
            wish = Wish(Use.SPECTATOR, str(following.conn), game_id, until, number, inf, PIECE_EVENTS, PIECE_BYTES)
            server.emit(Recall(wish))
        elif number < channel.sent_number:
            following.behind[game_id] = number + 1
            event = event_of(channel.game, number + 1)
            size += len(event.state) + len(event.sketch)
            send_event(server, channel.game, spectator, event)
        else:
            _caught_up(server, following, channel)
    server.charge(spectator, sent + size / BYTES)


def _show_next(server: ServerState, following: Following) -> int:
    """Show a spectator the next of its coming games, if that still runs. Returns the bytes of the state that was
    shown."""
    game_id = next(iter(following.coming))
    message, delay_s = following.coming.pop(game_id)
    game = server.running_game(game_id)
    return 0 if game is None else _show(server, following, game, message, delay_s)


def _show_found(server: ServerState, following: Following, wish: Wish, found: Recollected) -> None:
    """Show a spectator a game whose past has been read again."""
    game = server.running_game(wish.game_id)
    asked = following.coming.get(wish.game_id)
    if game is not None and asked is not None:
        message, delay_s = asked
        if found.forgotten:
            game.history.earlier.cannot_be_read()
        elif wish.until_s <= server.now - delay_s - game.history.began_at:  # else it has requested a longer delay since
            is_begin = message.begin is WatchFrom.BEGIN
            shown = snapshot_of(game, 0 if is_begin else found.number, () if is_begin else found.events, message.ref)
            _begin(server, following, game, message, delay_s, found.number, shown)
    send_past(server, following)


def _send_found(server: ServerState, following: Following, wish: Wish, found: Recollected) -> None:
    """Send a spectator a piece of the past of a game that has been read again."""
    spectator, game_id = following.spectator, wish.game_id
    # It may have left this game and come back to it while the disk was read.
    if following.behind.get(game_id) == wish.after:
        game = following.games[game_id].game
        if found.forgotten:
            game.history.earlier.cannot_be_read()
        following.behind[game_id] = wish.until if found.forgotten else found.number
        for event in found.events:
            send_event(server, game, spectator, shown_event(game, event))
        server.charge(spectator, len(found.events) + sum([len(event.body) for event in found.events]) / BYTES)
    if following.behind or following.coming:
        server.start(following.catching_up, 0, after=spectator)


def _caught_up(server: ServerState, following: Following, channel: Channel) -> None:
    game_id = channel.game.id
    del following.behind[game_id]
    channel.late.discard(following.conn)
    if channel.ended:
        del following.games[game_id]
    else:
        server.emit(Subscribe(following.conn, channel.name))
        if channel.game.turn.successor_by is not None:
            send_account(server, channel.game, [following.spectator])
