"""The record of games: each function asks the shell to record one entry.

Rules record before they send, so everything that a peer gets is already on its way to the journal. What is public also
goes into the history of the game, for spectators and for a master that takes the game over; the end of a game only when
it has been announced (:func:`release`). Of a long history only the end stays in memory (:func:`put_away`).
"""

from collections.abc import Sequence

from ugs.broker.effects import KeepPast, RecordBegin, RecordEntry
from ugs.broker.facts import EntryWritten
from ugs.broker.state.connection import Peer
from ugs.broker.state.history import MAX_RECENT_BYTES, MAX_RECENT_ENTRIES
from ugs.broker.state.model import Game, Master, Player
from ugs.broker.state.server_state import ServerState
from ugs.broker.values.record import EntryKind, labels_text, reason_text, results_text, verdict_text
from ugs.broker.verdict import Cause, Reason, Verdict
from ugs.wire.extensions import Label
from ugs.wire.messages import Move, PlayerResult

STATE, MOVE = EntryKind.STATE, EntryKind.MOVE
"""The kinds of nearly all entries. CPython 3.11 finds a global name faster than a member of an enumeration."""


def begin(server: ServerState, game: Game) -> None:
    """Record the begin of a game."""
    setting = game.setting
    server.emit(
        RecordBegin(
            game.id,
            game.type.name,
            game.master.name,
            game.seats,
            setting.options,
            championship=setting.championship.name if setting.championship is not None else "",
            fixture=setting.fixture.number if setting.fixture is not None else 0,
            seats_total=setting.total,
            seed=setting.seed,
            counts=len(game.seats) > 1,
            table=setting.table.facts if setting.table is not None else {},
        )
    )
    _public(server, game, RecordEntry(game.id, EntryKind.BEGIN))
    if setting.setup:
        # Not public: it is as secret as the seed, since hidden cards may follow from it.
        server.emit(RecordEntry(game.id, EntryKind.SETUP, text=setting.setup))


def state(server: ServerState, game: Game, seat: int, movers: str, audience: int, body: bytes) -> None:
    """The master names who may move (if several, all of them in ``movers``); the seats ``audience`` get this body."""
    history = game.history
    _public(server, game, RecordEntry(game.id, STATE, seat, audience, movers, body))
    if history.size > MAX_RECENT_BYTES or len(history.entries) > MAX_RECENT_ENTRIES:
        # Down to half, or the next state would do it again.
        put_away(server, game, MAX_RECENT_ENTRIES // 2, MAX_RECENT_BYTES // 2)


def put_away(server: ServerState, game: Game, most_entries: int, most_bytes: int) -> None:
    """Keep at most this much of the history in memory, but always the last state and all later entries. The rest is
    read again when it is needed."""
    history = game.history
    first = history.earlier.events + 1
    moments, entries = history.shorten(most_entries, most_bytes)
    if entries:
        began_at = history.began_at
        after_s = [moment - began_at for moment in moments]
        server.emit(KeepPast(game.id, first, entries, after_s, game.master.connection.origin))


def view(server: ServerState, game: Game, audience: int, body: bytes) -> None:
    """The seats ``audience`` (one bit each) get this body instead of the public one."""
    server.emit(RecordEntry(game.id, EntryKind.VIEW, None, audience, "", body))


def sketch(server: ServerState, game: Game, body: bytes) -> None:
    """Record how the next state looks for all."""
    _public(server, game, RecordEntry(game.id, EntryKind.SKETCH, body=body))


def own_sketch(server: ServerState, game: Game, audience: int, body: bytes) -> None:
    """Record how the next state or result looks for the seats ``audience`` (one bit each)."""
    server.emit(RecordEntry(game.id, EntryKind.OWNSKETCH, None, audience, "", body))


def sketch_of_end(server: ServerState, game: Game, body: bytes) -> RecordEntry:
    """Record how the next result looks for all. Returns the entry, for :func:`release`."""
    entry = RecordEntry(game.id, EntryKind.SKETCH, body=body)
    server.emit(entry)
    return entry


def over(server: ServerState, game: Game, results: Sequence[PlayerResult], audience: int, body: bytes) -> RecordEntry:
    """Record a result; ``body`` is empty if it is the server's own. Returns the entry, for :func:`release`."""
    # A result may also list seats that the master plays, which have no number.
    seats = [(game.seat_of[one.nick], one.result.value) for one in results if one.nick in game.seat_of]
    entry = RecordEntry(game.id, EntryKind.OVER, None, audience, results_text(seats), body)
    server.emit(entry)
    return entry


def move(server: ServerState, game: Game, player: Player, message: Move) -> None:
    """A player moves."""
    _public(server, game, RecordEntry(game.id, MOVE, game.seat_of[player.name], 0, "", message.payload))


def remark(server: ServerState, game: Game, seat: int, body: bytes, *, is_open: bool) -> None:
    """A player remarks something before its move; ``is_open``: spectators may read it while the game runs."""
    if is_open:
        _public(server, game, RecordEntry(game.id, EntryKind.OPENREMARK, seat, body=body))
    else:
        server.emit(RecordEntry(game.id, EntryKind.REMARK, seat, body=body))


def fault(server: ServerState, game: Game, player: Player) -> None:
    """The master has refused the last move, of this player, and the server decides what follows."""
    _public(server, game, RecordEntry(game.id, EntryKind.FAULT, game.seat_of[player.name]))


def left(server: ServerState, game: Game, player: Player, cause: Cause) -> None:
    """A player is out of the game."""
    _public(server, game, RecordEntry(game.id, EntryKind.LEFT, game.seat_of[player.name], text=str(cause)))


def rejoined(server: ServerState, game: Game, player: Player) -> None:
    """A player who had left has its seat again."""
    _public(server, game, RecordEntry(game.id, EntryKind.REJOINED, game.seat_of[player.name]))


def cut(server: ServerState, game: Game, player: Player) -> None:
    """The line of a player is cut, and its seat waits."""
    server.emit(RecordEntry(game.id, EntryKind.CUT, game.seat_of[player.name]))


def back(server: ServerState, game: Game, player: Player) -> None:
    """A player whose line was cut is there again."""
    server.emit(RecordEntry(game.id, EntryKind.BACK, game.seat_of[player.name]))


def labels(server: ServerState, game: Game, seats: Sequence[Label]) -> None:
    """The master names the seats."""
    server.emit(RecordEntry(game.id, EntryKind.LABELS, text=labels_text(seats)))


def error(server: ServerState, peer: Peer, text: str) -> None:
    """A player in a running game reports an error."""
    _text_entry(server, EntryKind.ERROR, peer, text)


def refused(server: ServerState, peer: Peer, text: str, about: str) -> None:
    """Record the refusal of a wrong message: of a player in a running game, or of a master about its game ``about``."""
    if not isinstance(peer, Master):
        _text_entry(server, EntryKind.REFUSED, peer, text)
    elif about in peer.games:
        server.emit(RecordEntry(about, EntryKind.REFUSED, text=text))


def reason(server: ServerState, game: Game, reason_given: Reason) -> None:
    """The master gives a reason for its next message."""
    server.emit(
        RecordEntry(
            game.id,
            EntryKind.REASON,
            game.seat_of.get(reason_given.nick),
            text=reason_text(reason_given.code, reason_given.text),
        )
    )


def away(server: ServerState, game: Game) -> None:
    """The connection of the master is lost, and the game waits for another one."""
    server.emit(RecordEntry(game.id, EntryKind.AWAY))


def restored(server: ServerState, game: Game) -> None:
    """A master has taken the game over."""
    server.emit(RecordEntry(game.id, EntryKind.RESTORED, text=game.master.name))


def verdict(server: ServerState, game: Game, reason_given: Verdict, reason: Reason | None = None) -> RecordEntry:
    """Record a verdict, with the master's reason. Returns the entry, for :func:`release`."""
    entry = RecordEntry(game.id, EntryKind.VERDICT, text=verdict_text(reason_given, reason))
    server.emit(entry)
    return entry


def release(server: ServerState, game: Game, entries: Sequence[RecordEntry]) -> None:
    """Put entries that were recorded before into the public history."""
    for entry in entries:
        game.history.add(server.now, entry)
        if game.history.watchers:
            server.report(EntryWritten(game, entry))


def _public(server: ServerState, game: Game, entry: RecordEntry) -> None:
    server.emit(entry)
    history = game.history
    history.happened(server.now, entry)
    if history.watchers:
        server.report(EntryWritten(game, entry))


def _text_entry(server: ServerState, kind: EntryKind, peer: Peer, text: str) -> None:
    game = peer.game if isinstance(peer, Player) else None
    # After the end an error is as good as a thank you, and the record is closed.
    if game is not None and not game.ended:
        server.emit(RecordEntry(game.id, kind, game.seat_of[peer.name], text=text))
