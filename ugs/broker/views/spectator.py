"""What spectators get of a game: its public history, event by event.

The number of an event is its place in the history, from 1. These functions only read, and only what is in memory:
events that are not come as :class:`~ugs.broker.values.recollection.PastEvent`.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from ugs.broker.effects import RecordEntry
from ugs.broker.state.model import Game
from ugs.broker.state.server_state import ROUNDING
from ugs.broker.values.recollection import PastEvent
from ugs.broker.values.record import EntryKind, read_movers, read_results
from ugs.broker.views.seat_infos import seat_infos
from ugs.wire.extensions import EventKind, GameEvent, SeatState, Watching
from ugs.wire.messages import Choice, PlayerResult, Result

KINDS: dict[EntryKind, EventKind] = {
    EntryKind.BEGIN: EventKind.BEGIN,
    EntryKind.SKETCH: EventKind.SKETCH,
    EntryKind.STATE: EventKind.STATE,
    EntryKind.MOVE: EventKind.MOVE,
    EntryKind.OPENREMARK: EventKind.REMARK,
    EntryKind.FAULT: EventKind.FAULT,
    EntryKind.LEFT: EventKind.LEFT,
    EntryKind.REJOINED: EventKind.REJOINED,
    EntryKind.OVER: EventKind.OVER,
    EntryKind.VERDICT: EventKind.ENDED,
}
WITH_NICK = frozenset({EventKind.MOVE, EventKind.REMARK, EventKind.FAULT, EventKind.LEFT, EventKind.REJOINED})
WITH_TEXT = frozenset({EventKind.LEFT, EventKind.ENDED})
WITH_STATE = frozenset({EventKind.STATE, EventKind.OVER})


def old_enough(game: Game, moment: float) -> int | None:
    """The number of the last event up to ``moment``, 0 when there was none; None when the event that followed it is not
    in memory either."""
    history = game.history
    # A timer may fire too early by a rounding error, and must find the event that it was set for.
    recent = bisect_right(history.moments, moment + ROUNDING)
    return history.earlier.events + recent if recent or not history.earlier.events else None


def about_old_enough(game: Game, moment: float) -> int:
    """The same where it is known; else a number that is not higher, and hardly lower. For the delay of the type."""
    number, marks = old_enough(game, moment), game.history.marks
    if number is None:
        number = marks.until(moment)[0] if marks is not None else 0
    return number


def moves_until(game: Game, moment: float) -> int:
    """The number of moves up to ``moment``, or hardly less. For the delay of the type."""
    history, number = game.history, old_enough(game, moment)
    if number is None:
        return history.marks.until(moment)[1] if history.marks is not None else 0
    younger = history.entries[number - history.earlier.events :]
    return history.moves - sum([entry.kind is EntryKind.MOVE for entry in younger])


def event_of(game: Game, number: int) -> GameEvent:
    """Event ``number`` of a game, which is in memory."""
    history = game.history
    entry = history.entry(number)
    after_s = max(0.0, history.moment(number) - history.began_at)
    return shown_event(game, PastEvent(number, after_s, entry.kind, entry.seat, entry.text, entry.body))


def shown_event(game: Game, event: PastEvent) -> GameEvent:
    """Return an event as spectators get it. A move shows only who made it; its public part is in the next state."""
    number, after_s, kind, seat, text, body = event
    what = KINDS[kind]
    return GameEvent(
        game.id,
        number,
        after_s,
        what,
        game.seats[seat] if what in WITH_NICK and seat is not None else "",
        body.decode() if what is EventKind.REMARK else text if what in WITH_TEXT else "",
        movers_of(game, seat, text) if what is EventKind.STATE else (),
        results_of(game, text) if what is EventKind.OVER else (),
        body if what in WITH_STATE else b"",
        body if what is EventKind.SKETCH else b"",
    )


def can_show(game: Game, number: int) -> bool:
    """Return whether the position after event ``number`` is in memory."""
    return number == 0 or number > game.history.earlier.events or not game.history.earlier.events


def snapshot(game: Game, number: int, ref: str = "") -> Watching:
    """Return a running game as it was after event ``number``, which must be in memory; ``ref`` is that of the request
    it answers."""
    earlier = game.history.earlier
    if number == 0:
        return snapshot_of(game, 0, (), ref)
    return snapshot_of(game, number, game.history.entries[: number - earlier.events], ref, earlier.departed)


def snapshot_of(
    game: Game,
    number: int,
    past: Sequence[RecordEntry | PastEvent],
    ref: str = "",
    left_before: Iterable[int | None] = (),
) -> Watching:
    """A running game as it was after event ``number``. ``past`` are events up to that one, beginning with the last
    state and its sketch at the latest, and with all who left and came back but those who had ``left_before``."""
    seats = set(left_before)
    for event in past:
        if event.kind is EntryKind.LEFT:
            seats.add(event.seat)
        elif event.kind is EntryKind.REJOINED:
            seats.discard(event.seat)
    gone = {game.seats[seat] for seat in seats if seat is not None}
    state = sketch = b""
    next_players: tuple[str, ...] = ()
    done: set[int | None] = set()
    refused: set[int | None] = set()
    # Backwards: what came before the last state is in that state.
    for place in range(len(past) - 1, -1, -1):
        entry = past[place]
        if entry.kind is EntryKind.STATE:
            state = entry.body
            before = past[place - 1] if place else entry
            sketch = before.body if before.kind is EntryKind.SKETCH else b""
            movers = read_movers(entry.seat, entry.text)
            next_players = tuple([game.seats[seat] for seat in movers if seat not in done])
            break
        if entry.kind is EntryKind.FAULT:
            refused.add(entry.seat)
        elif entry.kind is EntryKind.MOVE and entry.seat in refused:
            # That move does not count: its player has still to move.
            refused.discard(entry.seat)
        elif entry.kind is not EntryKind.OPENREMARK:
            done.add(entry.seat)
    return Watching(
        game.id,
        game.type.name,
        number,
        seat_infos(game, lambda nick: SeatState.QUIT if nick in gone else SeatState.PLAYING, SeatState.PLAYING),
        tuple([Choice(name, value) for name, value in game.setting.options.items()]),
        next_players,
        state,
        ref,
        sketch,
    )


def movers_of(game: Game, seat: int | None, text: str) -> tuple[str, ...]:
    """The nicks of the players who may move in a STATE entry with this seat and text."""
    return tuple([game.seats[mover] for mover in read_movers(seat, text)])


def results_of(game: Game, text: str) -> tuple[PlayerResult, ...]:
    """The results of an OVER entry with this text."""
    return tuple([PlayerResult(game.seats[seat], Result(word)) for seat, word in read_results(text)])
