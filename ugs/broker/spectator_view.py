"""What spectators are told of a game: its public history, event by event.

The number of an event is its place in the history, from 1. These functions only read.
"""

from bisect import bisect_right

from ugs.broker.effects import RecordEntry
from ugs.broker.record import EntryKind, departed, read_movers, read_results
from ugs.broker.state.desk import ROUNDING
from ugs.broker.state.model import Game
from ugs.wire.extensions import EventKind, GameEvent, SeatState, Watching
from ugs.wire.messages import Choice, PlayerResult, Result

KINDS: dict[EntryKind, EventKind] = {
    EntryKind.BEGIN: EventKind.BEGIN,
    EntryKind.STATE: EventKind.STATE,
    EntryKind.MOVE: EventKind.MOVE,
    EntryKind.LEFT: EventKind.LEFT,
    EntryKind.REJOINED: EventKind.REJOINED,
    EntryKind.OVER: EventKind.OVER,
    EntryKind.VERDICT: EventKind.ENDED,
}
WITH_NICK = frozenset({EventKind.MOVE, EventKind.LEFT, EventKind.REJOINED})
WITH_TEXT = frozenset({EventKind.LEFT, EventKind.ENDED})
WITH_STATE = frozenset({EventKind.STATE, EventKind.OVER})


def old_enough(game: Game, moment: float) -> int:
    """The number of the last event up to ``moment``; 0 when there was none."""
    return bisect_right(game.history.moments, moment + ROUNDING)


def moves_until(game: Game, moment: float) -> int:
    """The number of moves up to ``moment``."""
    return bisect_right(game.history.moved_at, moment + ROUNDING)


def event_of(game: Game, number: int) -> GameEvent:
    """Event ``number`` of a game. A move shows only who made it; the public part of the move is in the next state."""
    history = game.history
    moment, entry = history.moments[number - 1], history.entries[number - 1]
    what = KINDS[entry.kind]
    return GameEvent(
        game.id,
        number,
        max(0.0, moment - history.began_at),
        what,
        game.seats[entry.seat] if what in WITH_NICK and entry.seat is not None else "",
        entry.text if what in WITH_TEXT else "",
        movers_of(game, entry) if what is EventKind.STATE else (),
        results_of(game, entry) if what is EventKind.OVER else (),
        entry.body if what in WITH_STATE else b"",
    )


def snapshot(game: Game, number: int, ref: str = "") -> Watching:
    """A running game as it was after event ``number``; ``ref`` is that of the request it answers."""
    past = game.history.entries[:number]
    gone = {game.seats[seat] for seat in departed(past) if seat is not None}
    state = b""
    next_players: tuple[str, ...] = ()
    done: set[int | None] = set()
    for entry in reversed(past):
        if entry.kind is EntryKind.STATE:
            state = entry.body
            movers = read_movers(entry.seat, entry.text)
            next_players = tuple([game.seats[seat] for seat in movers if seat not in done])
            break
        done.add(entry.seat)
    return Watching(
        game.id,
        game.type.name,
        number,
        game.seat_infos(lambda nick: SeatState.QUIT if nick in gone else SeatState.PLAYING, SeatState.PLAYING),
        tuple([Choice(name, value) for name, value in game.setting.options.items()]),
        next_players,
        state,
        ref,
    )


def movers_of(game: Game, entry: RecordEntry) -> tuple[str, ...]:
    """The nicks of the players who may move in a STATE entry."""
    return tuple([game.seats[seat] for seat in read_movers(entry.seat, entry.text)])


def results_of(game: Game, entry: RecordEntry) -> tuple[PlayerResult, ...]:
    """The results of an OVER entry."""
    return tuple([PlayerResult(game.seats[seat], Result(word)) for seat, word in read_results(entry.text)])
