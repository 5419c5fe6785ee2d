"""A recorded game as a script: what the server sends a master or a player, and what that peer answers.

The replay carries out a script step by step: it sends what the server has to send and waits for what is awaited. Steps
name events by their number in the record, from 1.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias, TypeVar

from ugs.broker.values.record import EntryKind, places_of_refused, read_movers, read_results, seats_of
from ugs.broker.verdict import BY_MASTER, Cause, Fault
from ugs.record.game import Entry, GameRecord
from ugs.record.narration import setup_of
from ugs.record.response_times import movers_of, response_times
from ugs.record.views import shown_to, views_of
from ugs.replay.source import NotReplayable
from ugs.wire.codec import encode
from ugs.wire.extensions import Family, Moved, Rejoined
from ugs.wire.messages import BeginGame, Choice, Error, GameState, Message, Move, PlayerLeftGame, PlayerResult, Result

ASKING = (BeginGame, Moved)
"""What a master has to answer."""
REMOVED = Error("removed by the game master")


@dataclass(frozen=True, slots=True)
class SendStep:
    """Send this message."""

    event: int
    message: Message


@dataclass(frozen=True, slots=True)
class AwaitState:
    """The master gave this state, the ``number``-th of the game.

    ``movers`` are the nicks that could move then, empty at the end of the game. ``views`` holds the payloads that
    single players were shown instead of the payload of ``state``, by nick; ``others`` are the nicks that were shown
    that payload.
    """

    event: int
    number: int
    state: GameState
    movers: tuple[str, ...] = ()
    views: Mapping[str, bytes] = field(default_factory=dict)
    others: tuple[str, ...] = ()


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
    """The player left the game for this cause, after ``took_us`` microseconds."""

    event: int
    cause: Cause
    took_us: int


@dataclass(frozen=True, slots=True)
class AwaitThanks:
    """The player owes a thank you."""

    event: int


@dataclass(frozen=True, slots=True)
class AwaitMissing:
    """The master did not answer this, and the game was void by that."""

    event: int


MasterStep: TypeAlias = SendStep | AwaitState | AwaitRemoval | AwaitMissing
PlayerStep: TypeAlias = SendStep | AwaitMove | AwaitEnd | AwaitThanks
S = TypeVar("S", bound=MasterStep | PlayerStep)


def master_script(record: GameRecord) -> list[MasterStep]:
    """The game as a master with all families saw it, up to its last message; where its fault ended the game, up to what
    it did not answer. A move is sent after the answer to the one before.

    Raises NotReplayable when the master sent nothing, or when the record holds what the protocol cannot express.
    """
    script = list(_master_steps(record))
    # What is sent last and answered by nothing shows nothing, unless that was the fault of the master.
    unanswered: list[MasterStep] = []
    while script and isinstance(script[-1], SendStep):
        unanswered.insert(0, script.pop())
    if record.result is not None and record.result.verdict.fault is Fault.MASTER:
        asked = [one.event for one in unanswered if isinstance(one, SendStep) and isinstance(one.message, ASKING)]
        script += [*unanswered, AwaitMissing(asked[-1])] if asked else []
    if not script:
        raise NotReplayable(f"game {record.game_id!r}: its master sent nothing in it, there is nothing to compare")
    return _encodable(record, script)


def begin_of(record: GameRecord) -> BeginGame:
    """The message that asks a master with all families to lead the game."""
    options = tuple(Choice(*option) for option in record.options.items())
    return BeginGame(record.game_id, record.seats, options, record.seats_total, record.seed, setup_of(record))


def player_script(record: GameRecord, nick: str) -> list[PlayerStep]:
    """The game as the player ``nick`` saw it, until it was over for that player.

    Raises NotReplayable when there is no such player, when it was sent nothing, or when the record holds what the
    protocol cannot express.
    """
    if nick not in record.seats:
        seated = ", ".join(record.seats)
        raise NotReplayable(f"game {record.game_id!r}: no player {nick!r}; there are {seated or 'none'}")
    script = list(_player_steps(record, record.seats.index(nick)))
    if not script:
        raise NotReplayable(f"game {record.game_id!r}: player {nick!r} was sent nothing, there is nothing to compare")
    return _encodable(record, script)


def for_families(message: Message, families: Collection[str]) -> Message:
    """The message of a script as a master with only these families gets it."""
    if isinstance(message, Moved) and Family.MOVERS not in families:
        return Move(message.game_id, message.payload)
    if isinstance(message, BeginGame):
        if Family.TABLE not in families:
            message = replace(message, options=(), seats=0, setup="")
        if Family.RESTORE not in families:
            message = replace(message, seed="")
    return message


def state_of(record: GameRecord, event: int, entry: Entry, seat: int | None = None) -> GameState:
    """The message of a STATE or OVER entry with the common payload.

    For the player at ``seat``: if it may move, the message names it. Raises NotReplayable when no message can express
    the entry.
    """
    try:
        if entry.kind is EntryKind.STATE:
            movers = _movers(record, entry)
            if not movers:
                raise ValueError("a state names no player")
            own = record.seats[seat] if seat is not None else ""
            return GameState(record.game_id, own if own in movers else movers[0], None, entry.body)
        results = tuple(PlayerResult(record.seats[seat], Result(word)) for seat, word in read_results(entry.text))
        return GameState(record.game_id, None, results, entry.body or b"<gameState/>")
    except IndexError:
        raise NotReplayable(f"game {record.game_id!r}: event {event}: it names a seat that there is not") from None
    except ValueError as error:
        raise NotReplayable(f"game {record.game_id!r}: event {event}: {error}") from None


def renamed(message: Message, names: dict[str, str]) -> Message:
    """A message with other nicks in its envelope; the payload is not changed."""
    if not isinstance(message, GameState):
        return message
    if message.next_player is not None:
        nick = names.get(message.next_player, message.next_player)
        return GameState(message.game_id, nick, None, message.payload)
    results = tuple(PlayerResult(names.get(one.nick, one.nick), one.result) for one in message.game_over or ())
    return GameState(message.game_id, None, results, message.payload)


class _Owed:
    """What the master owes: a move is sent only after the answer to the move before. A master that has just taken the
    game over sends its state; the script awaits that state only if an answer was owed."""

    def __init__(self) -> None:
        self.move = False
        """Whether it owes the answer to a move."""
        self._answer = False
        self._movers: list[int] = []
        self._taken_over = False

    def gets(self, entry: Entry) -> None:
        """This entry is sent to the master."""
        if entry.kind in (EntryKind.BEGIN, EntryKind.MOVE) or entry.seat in self._movers:
            self._answer = True
        self.move = self.move or entry.kind is EntryKind.MOVE

    def taken_over(self) -> None:
        """Another master leads the game from now on."""
        self._taken_over = True

    def gives(self, entry: Entry) -> bool:
        """The master gives this state. Returns False if it has just taken a running game over and owed no state."""
        had_to = self._answer or not self._taken_over or entry.kind is EntryKind.OVER
        self.move = self._answer = self._taken_over = False
        self._movers = movers_of(entry) if entry.kind is EntryKind.STATE else []
        return had_to


def _master_steps(record: GameRecord) -> Iterator[MasterStep]:
    states = 0
    owed = _Owed()
    waiting: list[tuple[int, Entry]] = []
    views = views_of(record.entries)
    refused = places_of_refused(record.entries)
    for event, entry in enumerate(record.entries, start=1):
        nick = record.seats[entry.seat] if entry.seat is not None else ""
        match entry.kind:
            case EntryKind.BEGIN:
                owed.gets(entry)
                yield SendStep(event, begin_of(record))
            case EntryKind.MOVE if event - 1 not in refused:
                waiting.append((event, entry))
            case EntryKind.LEFT if entry.text in BY_MASTER:
                yield AwaitRemoval(event, nick)
            case EntryKind.LEFT:
                owed.gets(entry)
                yield SendStep(event, PlayerLeftGame(nick, record.game_id))
            case EntryKind.REJOINED:
                yield SendStep(event, Rejoined(record.game_id, nick))
            case EntryKind.RESTORED:
                owed.taken_over()
            case EntryKind.STATE | EntryKind.OVER if entry.body and owed.gives(entry):
                states += 1
                yield _awaited(record, event, states, entry, views.get(event - 1, ()))
        while waiting and not owed.move:
            moved_at, move = waiting.pop(0)
            owed.gets(move)
            mover = record.seats[move.seat] if move.seat is not None else ""
            yield SendStep(moved_at, Moved(record.game_id, mover, move.body))


def _awaited(record: GameRecord, event: int, number: int, entry: Entry, views: Sequence[Entry]) -> AwaitState:
    state = state_of(record, event, entry)
    movers = tuple(_movers(record, entry)) if entry.kind is EntryKind.STATE else ()
    shown = {seat: view.body for view in views for seat in seats_of(view.audience)}
    others = tuple(record.seats[seat] for seat in seats_of(entry.audience) if seat not in shown)
    return AwaitState(event, number, state, movers, {record.seats[seat]: body for seat, body in shown.items()}, others)


def _player_steps(record: GameRecord, seat: int) -> Iterator[PlayerStep]:
    moves = 0
    views, took = views_of(record.entries), response_times(record.entries)
    for event, entry in enumerate(record.entries, start=1):
        moves += entry.kind is EntryKind.MOVE
        match entry.kind:
            case EntryKind.STATE | EntryKind.OVER:
                payload = shown_to(seat, entry, views.get(event - 1, ()))
                if payload is None:
                    continue
                state = state_of(record, event, entry, seat)
                # An end of the server's own has no payload; the state has an empty one then.
                sent = GameState(state.game_id, state.next_player, state.game_over, payload or state.payload)
                yield SendStep(event, sent)
                if entry.kind is EntryKind.OVER:
                    yield AwaitThanks(event)
                    return
            case EntryKind.MOVE if entry.seat == seat:
                yield AwaitMove(event, moves, entry.body, took[event - 1])
            case EntryKind.LEFT if entry.seat == seat:
                yield from _player_ends(record, event, entry, took[event - 1])
                return
            case EntryKind.VERDICT if record.result is not None and record.result.verdict.void:
                yield SendStep(event, Error(f"game void: {record.result.verdict.cause}"))


def _player_ends(record: GameRecord, event: int, entry: Entry, took_us: int) -> Iterator[PlayerStep]:
    try:
        cause = Cause(entry.text)
    except ValueError as error:
        raise NotReplayable(f"game {record.game_id!r}: event {event}: {error}") from None
    if cause in BY_MASTER:
        yield SendStep(event, REMOVED)
        return
    yield AwaitEnd(event, cause, took_us)
    if cause is Cause.TIMEOUT:
        yield SendStep(event, Error(f"no move in time: game {record.game_id} is lost"))


def _movers(record: GameRecord, entry: Entry) -> list[str]:
    """The nicks that may move after a STATE. Raises ValueError and IndexError when it names no seats of the game."""
    seats = read_movers(entry.seat, entry.text)
    # Python would count a negative one from the last seat.
    if any(seat < 0 for seat in seats):
        raise IndexError
    return [record.seats[seat] for seat in seats]


def _encodable(record: GameRecord, script: list[S]) -> list[S]:
    """The script, if every message in it can be encoded. Raises NotReplayable."""
    sent = [(step.event, step.message) for step in script if isinstance(step, SendStep)]
    for event, message in ((1, begin_of(record)), *sent):
        try:
            encode(message)
        except ValueError as error:
            raise NotReplayable(f"game {record.game_id!r}: event {event} cannot be sent: {error}") from None
    return script
