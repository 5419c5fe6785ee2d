"""Seeing a game again (family ``state``): a player gets its last state, or all states from the first one.

A program that starts again in the middle of a game may have forgotten what it was shown, and in some games a state
holds only what is new. All states are for games that show the same to everyone; what is no longer in memory is read
again.
"""

from ugs.broker import facts
from ugs.broker.effects import Recall
from ugs.broker.extensions.request import PLAYERS, ExtensionModule, Refusal, Request
from ugs.broker.play import showing, sketching
from ugs.broker.state.allowance import BYTES
from ugs.broker.state.extras import Key
from ugs.broker.state.model import Game, Player
from ugs.broker.state.server_state import ServerState
from ugs.broker.values.recollection import MAX_LISTED_BYTES, Use, Wish
from ugs.broker.values.record import EntryKind
from ugs.value import state
from ugs.wire.extensions import Failed, Family, ListStates, PastState, RefusalReason, Resend, States

MAX_READ_BYTES = 4_194_304
"""All moves, states and sketches of such a game have at most this many bytes: they are read for it."""
MAX_EVENTS = 20_000
"""More events than there are in a game of this size."""


@state(eq=False)
class Wanted:
    """A player who waits for all states."""

    player: Player
    message: ListStates
    states: list[PastState]
    """Those that were read so far."""


WANTED: Key[dict[int, Wanted]] = Key("states wanted", dict)
"""With the server: who waits, by conn."""


def resend(server: ServerState, player: Player, message: Resend) -> Refusal | None:
    """Send the last state of its game to a player again."""
    refusal = _wrong_game(player, message)
    if refusal is None:
        _send_last(server, player)
    return refusal


def list_states(server: ServerState, player: Player, message: ListStates) -> Refusal | None:
    """Send all states of its game to a player, or request those that are not in memory."""
    refusal = _wrong_game(player, message)
    if refusal is not None:
        return refusal
    game, about = player.game, f"{message.TYPE}: gameId id {message.game_id!r}"
    assert game is not None
    if player.conn in WANTED.of(server):
        return Refusal(RefusalReason.INVALID_REQUEST, f"{about}: your last request has not been answered yet")
    if game.shown.private:
        text = f"{about}: its players are not shown the same; x-resend is for the last state"
        return Refusal(RefusalReason.INVALID_GAME, text)
    if game.history.received > MAX_READ_BYTES:
        return Refusal(
            RefusalReason.INVALID_GAME, f"{about}: the game is too long, with more than {MAX_READ_BYTES} bytes"
        )
    if game.history.earlier.events:  # what is read costs as much as what is sent
        server.charge(player, game.history.received / BYTES)
    return _go_on(server, game, Wanted(player, message, []), 0)


def _recalled(server: ServerState, fact: facts.PastRecalled) -> None:
    """Past events for a player have arrived, who may be gone."""
    wish, found = fact.wish, fact.found
    if wish.use is not Use.PLAYER:
        return
    wanted = WANTED.of(server).pop(int(wish.subject))
    player, game = wanted.player, wanted.player.game
    if player.conn != int(wish.subject) or player.away:
        return
    about = f"{ListStates.TYPE}: gameId id {wish.game_id!r}"
    if game is None or game.id != wish.game_id:
        refusal: Refusal | None = Refusal(RefusalReason.INVALID_GAME, f"{about}: you are no longer in this game")
    elif found.forgotten or game.shown.private:
        refusal = Refusal(RefusalReason.INVALID_GAME, f"{about}: its first states cannot be read again")
    else:
        wanted.states += [PastState(event.body) for event in found.events if event.kind is EntryKind.STATE]
        refusal = _go_on(server, game, wanted, found.number)
    if refusal is not None:
        server.send_extension([player], Failed(refusal.reason, refusal.text, ref=wanted.message.ref))


def _go_on(server: ServerState, game: Game, wanted: Wanted, number: int) -> Refusal | None:
    """Request the events after ``number`` that are not in memory, or send all states."""
    player, history = wanted.player, game.history
    if number < history.earlier.events:
        WANTED.of(server)[player.conn] = wanted
        wish = Wish(
            Use.PLAYER,
            str(player.conn),
            game.id,
            history.earlier.events,
            number,
            most_events=MAX_EVENTS,
            most_bytes=MAX_LISTED_BYTES,
        )
        server.emit(Recall(wish))
        return None
    states = wanted.states + [PastState(entry.body) for entry in history.entries if entry.kind is EntryKind.STATE]
    if not game.ended:
        del states[-1:]  # the last one follows as it was sent
    size = sum([len(one.payload) for one in states])
    if size > MAX_LISTED_BYTES:
        text = f"{ListStates.TYPE}: gameId id {game.id!r}: its states have more than {MAX_LISTED_BYTES} bytes"
        return Refusal(RefusalReason.INVALID_GAME, text)
    server.send_extension([player], States(game.id, tuple(states), wanted.message.ref))
    server.charge(player, size / BYTES)
    _send_last(server, player)
    return None


def _wrong_game(player: Player, message: Resend | ListStates) -> Refusal | None:
    game = player.game
    if game is None:
        return Refusal(RefusalReason.NOT_PLAYING, f"{message.TYPE}: you are in no game")
    about = f"{message.TYPE}: gameId id {message.game_id!r}"
    if game.id != message.game_id:
        return Refusal(RefusalReason.INVALID_GAME, f"{about}: you are not in this game")
    if game.shown.last(player.name) is None:
        since = " for you, since you have your seat again" if player.name in game.shown.unaware else ""
        return Refusal(RefusalReason.INVALID_GAME, f"{about}: there is no state yet{since}")
    return None


def _send_last(server: ServerState, player: Player) -> None:
    game = player.game
    assert game is not None
    last = game.shown.last(player.name)
    assert last is not None
    showing.resend(server, player)
    sketch = sketching.last(game, player.name) if player.may(Family.SKETCH) else b""
    server.charge(player, (len(last.payload) + len(sketch)) / BYTES)
    game.history.is_active(server.now)


EXTENSION = ExtensionModule(
    requests={
        Resend: Request(frozenset({Family.STATE}), PLAYERS, resend, is_list=True),
        ListStates: Request(frozenset({Family.STATE}), PLAYERS, list_states, is_list=True),
    },
    hooks={facts.PastRecalled: _recalled},
)
