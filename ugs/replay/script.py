"""What the server says to a master or to a player in a recorded game, and what that one said to it: as a script.

The replay goes through a script step by step: it tells what is to be told and waits for what is to be awaited. Steps
name events by their number in the record, the first being 1.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from ugs.broker.record import EntryKind, read_results
from ugs.broker.verdict import Cause
from ugs.record.game import Entry, GameRecord
from ugs.record.telling import took
from ugs.replay.source import NotReplayable
from ugs.wire.codec import encode
from ugs.wire.messages import BeginGame, Error, GameState, Message, Move, PlayerLeftGame, PlayerResult, Result

REMOVED = Error("removed by the game master")


@dataclass(frozen=True, slots=True)
class Tell:
    """Send this."""

    event: int
    message: Message


@dataclass(frozen=True, slots=True)
class AwaitState:
    """The master told this state, the ``number``-th of the game."""

    event: int
    number: int
    state: GameState


@dataclass(frozen=True, slots=True)
class AwaitRemoval:
    """The master took this player out."""

    event: int
    nick: str


@dataclass(frozen=True, slots=True)
class AwaitMove:
    """The player made this move, the ``number``-th of the game, after ``took_us`` microseconds."""

    event: int
    number: int
    payload: bytes
    took_us: int


@dataclass(frozen=True, slots=True)
class AwaitEnd:
    """The player went out of the game for this reason, after ``took_us`` microseconds."""

    event: int
    cause: Cause
    took_us: int


@dataclass(frozen=True, slots=True)
class AwaitThanks:
    """The player owes a thank you."""

    event: int


MasterStep: TypeAlias = Tell | AwaitState | AwaitRemoval
PlayerStep: TypeAlias = Tell | AwaitMove | AwaitEnd | AwaitThanks
S = TypeVar("S", bound=MasterStep | PlayerStep)


def master_script(record: GameRecord) -> list[MasterStep]:
    """The game as its master saw it, up to the last thing that the master said.

    Raises NotReplayable when the master said nothing, or when the record holds what cannot be said in the protocol.
    """
    script = list(_master_steps(record))
    while script and isinstance(script[-1], Tell):
        script.pop()
    if not script:
        raise NotReplayable(f"game {record.game_id!r}: its master said nothing in it, there is nothing to compare")
    return _sayable(record, script)


def player_script(record: GameRecord, nick: str) -> list[PlayerStep]:
    """The game as one of its players saw it, until it was over for that player.

    Raises NotReplayable when nobody of that nick played, when the player was told nothing, or when the record holds
    what cannot be said in the protocol.
    """
    if nick not in record.seats:
        seated = ", ".join(record.seats)
        raise NotReplayable(f"game {record.game_id!r}: no player {nick!r}; there are {seated or 'none'}")
    script = list(_player_steps(record, record.seats.index(nick)))
    if not script:
        raise NotReplayable(f"game {record.game_id!r}: player {nick!r} was told nothing, there is nothing to compare")
    return _sayable(record, script)


def state_of(record: GameRecord, event: int, entry: Entry) -> GameState:
    """The message of an entry STATE or OVER. Raises NotReplayable when it says what no message can say."""
    try:
        if entry.kind is EntryKind.STATE:
            if entry.seat is None:
                raise ValueError("a state names nobody")
            return GameState(record.game_id, record.seats[entry.seat], None, entry.body)
        results = tuple(PlayerResult(record.seats[seat], Result(word)) for seat, word in read_results(entry.text))
        return GameState(record.game_id, None, results, entry.body or b"<gameState/>")
    except IndexError:
        raise NotReplayable(f"game {record.game_id!r}: event {event}: it names a seat that there is not") from None
    except ValueError as error:
        raise NotReplayable(f"game {record.game_id!r}: event {event}: {error}") from None


def renamed(message: Message, names: dict[str, str]) -> Message:
    """A message with other nicks in its envelope; the payload is nobody's business."""
    if not isinstance(message, GameState):
        return message
    if message.next_player is not None:
        nick = names.get(message.next_player, message.next_player)
        return GameState(message.game_id, nick, None, message.payload)
    results = tuple(PlayerResult(names.get(one.nick, one.nick), one.result) for one in message.game_over or ())
    return GameState(message.game_id, None, results, message.payload)


def _master_steps(record: GameRecord) -> Iterator[MasterStep]:
    states = 0
    for event, entry in enumerate(record.entries, start=1):
        nick = record.seats[entry.seat] if entry.seat is not None else ""
        match entry.kind:
            case EntryKind.BEGIN:
                yield Tell(event, BeginGame(record.game_id, record.seats))
            case EntryKind.MOVE:
                yield Tell(event, Move(record.game_id, entry.body))
            case EntryKind.LEFT if entry.text == Cause.REMOVED:
                yield AwaitRemoval(event, nick)
            case EntryKind.LEFT:
                yield Tell(event, PlayerLeftGame(nick, record.game_id))
            case EntryKind.STATE | EntryKind.OVER if entry.body:
                states += 1
                yield AwaitState(event, states, state_of(record, event, entry))


def _player_steps(record: GameRecord, seat: int) -> Iterator[PlayerStep]:
    moves = 0
    for event, entry in enumerate(record.entries, start=1):
        before = record.entries[event - 2] if event > 1 else entry
        moves += entry.kind is EntryKind.MOVE
        match entry.kind:
            case EntryKind.STATE if entry.audience >> seat & 1:
                yield Tell(event, state_of(record, event, entry))
            case EntryKind.OVER if entry.audience >> seat & 1:
                yield Tell(event, state_of(record, event, entry))
                yield AwaitThanks(event)
                return
            case EntryKind.MOVE if entry.seat == seat:
                yield AwaitMove(event, moves, entry.body, took(entry, before))
            case EntryKind.LEFT if entry.seat == seat:
                yield from _player_ends(record, event, entry, before)
                return
            case EntryKind.VERDICT if record.result is not None and record.result.verdict.void:
                yield Tell(event, Error(f"game void: {record.result.verdict.cause}"))


def _player_ends(record: GameRecord, event: int, entry: Entry, before: Entry) -> Iterator[PlayerStep]:
    try:
        cause = Cause(entry.text)
    except ValueError as error:
        raise NotReplayable(f"game {record.game_id!r}: event {event}: {error}") from None
    if cause is Cause.REMOVED:
        yield Tell(event, REMOVED)
        return
    yield AwaitEnd(event, cause, took(entry, before))
    if cause is Cause.TIMEOUT:
        yield Tell(event, Error(f"no move in time: game {record.game_id} is lost"))


def _sayable(record: GameRecord, script: list[S]) -> list[S]:
    """The script, if everything that is to be told can be written as a message."""
    told = [(step.event, step.message) for step in script if isinstance(step, Tell)]
    for event, message in ((1, BeginGame(record.game_id, record.seats)), *told):
        try:
            encode(message)
        except ValueError as error:
            raise NotReplayable(f"game {record.game_id!r}: event {event} cannot be sent: {error}") from None
    return script
