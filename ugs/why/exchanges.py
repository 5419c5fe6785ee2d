"""The entries of a record as the documents that were exchanged.

A payload is shown byte for byte as it was recorded, in the envelope as the broker writes it (a peer may have written
the same envelope in another way; that is not kept). Documents that a record does not determine are left out: answers
to logins, thanks, and the words in which players were told of a fault.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from ugs.broker.record import EntryKind, read_results
from ugs.broker.verdict import Cause
from ugs.record.game import Entry, GameRecord
from ugs.wire.codec import encode
from ugs.wire.messages import (
    BeginGame,
    Error,
    GameState,
    LeaveGame,
    Logout,
    Message,
    Move,
    PlayerLeftGame,
    PlayerResult,
    Result,
)

SERVER = "server"


@dataclass(frozen=True, slots=True)
class Exchange:
    """One document on its way, or something that happened without one."""

    entry: int
    """The number of the entry in the record, from 1."""
    wall_us: int
    """When, in microseconds since 1970 (UTC)."""
    since_begin_us: int
    """Microseconds from the first entry of the game, on the clock that never goes back."""
    sender: str
    receivers: tuple[str, ...]
    document: bytes
    """Empty when there was none, or when it cannot be told."""
    note: str = ""


Said: TypeAlias = tuple[str, tuple[str, ...], Message | None, str]
"""Sender, receivers, what was said, and what else there is to say about it."""


def exchanges(record: GameRecord, last: int | None = None) -> list[Exchange]:
    """What was exchanged in a game, in order; only the last so many if ``last`` is given."""
    found = list(_exchanges(record))
    return found if last is None else found[max(0, len(found) - last) :]


def _exchanges(record: GameRecord) -> Iterator[Exchange]:
    first_us = record.entries[0].mono_us if record.entries else 0
    for number, entry in enumerate(record.entries, start=1):
        for sender, receivers, message, note in SAID[entry.kind](record, entry):
            document, trouble = _document(message, entry)
            yield Exchange(
                number,
                entry.wall_us,
                entry.mono_us - first_us,
                sender,
                receivers,
                document,
                "; ".join(filter(None, (note, trouble))),
            )


def _document(message: Message | None, entry: Entry) -> tuple[bytes, str]:
    """The document, and what is wrong with it: a record that was imported may hold what cannot be sent."""
    if message is None:
        return b"", ""
    try:
        return encode(message), ""
    except ValueError as error:
        return entry.body, f"the payload alone, since this is no document: {error}"


def _master(record: GameRecord) -> str:
    return f"master {record.master}"


def _begin(record: GameRecord, _entry: Entry) -> Iterable[Said]:
    yield SERVER, (_master(record),), BeginGame(record.game_id, record.seats), ""


def _state(record: GameRecord, entry: Entry) -> Iterable[Said]:
    state = GameState(record.game_id, _nick(record, entry), None, entry.body)
    yield _master(record), _audience(record, entry), state, ""


def _over(record: GameRecord, entry: Entry) -> Iterable[Said]:
    results = tuple(PlayerResult(record.seats[seat], Result(word)) for seat, word in read_results(entry.text))
    sender, body = (_master(record), entry.body) if entry.body else (SERVER, b"<gameState/>")
    yield sender, _audience(record, entry), GameState(record.game_id, None, results, body), ""


def _move(record: GameRecord, entry: Entry) -> Iterable[Said]:
    yield _nick(record, entry), (_master(record),), Move(record.game_id, entry.body), ""


def _left(record: GameRecord, entry: Entry) -> Iterable[Said]:
    nick, cause = _nick(record, entry), Cause(entry.text)
    told = PlayerLeftGame(nick, record.game_id)
    if cause is Cause.REMOVED:
        yield _master(record), (SERVER,), told, ""
        return
    farewell: dict[Cause, Message] = {Cause.LEFT: LeaveGame(record.game_id), Cause.LOGOUT: Logout()}
    yield nick, (SERVER,), farewell.get(cause), "" if cause in farewell else str(cause)
    yield SERVER, (_master(record),), told, "if the master can read it and is there"


def _error(record: GameRecord, entry: Entry) -> Iterable[Said]:
    yield _nick(record, entry), (SERVER,), Error(entry.text), ""


def _refused(record: GameRecord, entry: Entry) -> Iterable[Said]:
    yield SERVER, (_nick(record, entry),), Error(entry.text), "an answer to what was not in order"


def _away(record: GameRecord, _entry: Entry) -> Iterable[Said]:
    yield _master(record), (SERVER,), None, "connection lost"


def _verdict(_record: GameRecord, _entry: Entry) -> Iterable[Said]:
    return ()


SAID: dict[EntryKind, Callable[[GameRecord, Entry], Iterable[Said]]] = {
    EntryKind.BEGIN: _begin,
    EntryKind.STATE: _state,
    EntryKind.OVER: _over,
    EntryKind.MOVE: _move,
    EntryKind.LEFT: _left,
    EntryKind.ERROR: _error,
    EntryKind.REFUSED: _refused,
    EntryKind.AWAY: _away,
    EntryKind.VERDICT: _verdict,
}


def _nick(record: GameRecord, entry: Entry) -> str:
    """Who an entry is about; without a seat it is the master."""
    return _master(record) if entry.seat is None else record.seats[entry.seat]


def _audience(record: GameRecord, entry: Entry) -> tuple[str, ...]:
    return tuple(nick for seat, nick in enumerate(record.seats) if entry.audience >> seat & 1)
