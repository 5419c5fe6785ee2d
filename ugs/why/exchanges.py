"""The entries of a record as the documents that were exchanged.

A payload is shown byte for byte as it was recorded, in the envelope that the broker writes to a peer of v4 (a peer may
have written its envelope differently; that is not recorded). A state with different views for its players becomes one
document per view. Documents that a record does not determine are left out: answers to logins, thanks, and the error
texts sent to players at fault.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, groupby
from typing import TypeAlias

from ugs.broker.values.record import EntryKind, read_reason, read_results, seats_of
from ugs.broker.values.remark_json import NoRemark, read_remark
from ugs.broker.verdict import BY_MASTER, Cause
from ugs.record.escapes import escape_body
from ugs.record.game import Entry, GameRecord
from ugs.record.narration import labels_of, setup_of
from ugs.record.response_times import movers_of
from ugs.record.views import shown_to, views_of
from ugs.sketch.refusal import why_refused
from ugs.value import value
from ugs.wire.codec import encode
from ugs.wire.extensions import Because, Labels, Rejoin, Rejoined, Sketch
from ugs.wire.messages import (
    BeginGame,
    Choice,
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


@value
class Exchange:
    """One document that was sent, or an event without a document."""

    entry: int
    """The number of the entry in the record, from 1."""
    wall_us: int
    """When, in microseconds since 1970 (UTC)."""
    since_begin_us: int
    """Microseconds since the first entry of the game, on the monotonic clock."""
    sender: str
    receivers: tuple[str, ...]
    document: bytes
    """Empty when there was none, or when it is not known."""
    note: str = ""
    asked: bool = False
    """Whether it went to the player whose turn it is, the first one where several may move."""


ExchangeLine: TypeAlias = tuple[str, tuple[str, ...], Message | None, str]
"""Sender, receivers, message, and a note about it."""


def exchanges(record: GameRecord, last: int | None = None) -> list[Exchange]:
    """What was exchanged in a game, in order; if ``last`` is given, only the last ``last`` exchanges. What a peer sent
    at one moment counts as one of them, also where each player got a document of its own."""
    if last == 0:  # where only the account is wanted, nothing is written
        return []
    found = list(_exchanges(record))
    if last is None:
        return found
    moments = [list(group) for _, group in groupby(found, key=lambda one: (one.entry, one.sender))]
    return list(chain.from_iterable(moments[max(0, len(moments) - last) :]))


@value
class _Scene:
    """The context of an entry."""

    record: GameRecord
    master: str
    """The master that leads the game at this point."""
    views: Sequence[Entry]
    """The views that belong to this entry."""
    before: Entry | None = None
    """The entry before this one."""

    @property
    def leader(self) -> str:
        """The master, as it is named in exchanges."""
        return f"master {self.master}"

    def nick(self, seat: int | None) -> str:
        """The player at this seat; None stands for the master."""
        return self.leader if seat is None else self.record.seats[seat]


def _exchanges(record: GameRecord) -> Iterator[Exchange]:
    first_us = record.entries[0].mono_us if record.entries else 0
    views = views_of(record.entries)
    master = record.master
    for number, entry in enumerate(record.entries, start=1):
        if entry.kind is EntryKind.RESTORED:
            master = entry.text or master
        before = record.entries[number - 2] if number > 1 else None
        scene = _Scene(record, master, views.get(number - 1, ()), before)
        first = movers_of(entry)[:1] if entry.kind is EntryKind.STATE else []
        mover = next((record.seats[seat] for seat in first if 0 <= seat < len(record.seats)), None)
        for sender, receivers, message, note in EXCHANGES[entry.kind](scene, entry):
            document, trouble = _document(message, entry)
            yield Exchange(
                number,
                entry.wall_us,
                entry.mono_us - first_us,
                sender,
                receivers,
                document,
                "; ".join(filter(None, (note, trouble))),
                mover in receivers,
            )


def _document(message: Message | None, entry: Entry) -> tuple[bytes, str]:
    """The document, and what is wrong with it: an imported record may hold what cannot be sent."""
    if message is None:
        return b"", ""
    try:
        return encode(message), ""
    except ValueError as error:
        return entry.body, f"the payload alone, since this is no document: {error}"


def _begin(scene: _Scene, _entry: Entry) -> Iterable[ExchangeLine]:
    record = scene.record
    options = tuple(Choice(*option) for option in record.options.items())
    begin = BeginGame(record.game_id, record.seats, options, record.seats_total, record.seed, setup_of(record))
    yield SERVER, (scene.leader,), begin, ""


def _state(scene: _Scene, entry: Entry) -> Iterable[ExchangeLine]:
    seats = range(len(scene.record.seats))
    movers = [scene.nick(seat) for seat in movers_of(entry) if seat in seats] or [scene.leader]
    note = f"{', '.join(movers)} may move" if len(movers) > 1 else ""
    for nicks, payload, own in _shown(scene, entry):
        groups: dict[str, list[str]] = {}
        for nick in nicks:
            # Each player who may move was sent its own nick, all others that of the first.
            groups.setdefault(nick if nick in movers else movers[0], []).append(nick)
        for named, message in (groups or {movers[0]: []}).items():
            state = GameState(scene.record.game_id, named, None, payload)
            yield scene.leader, tuple(message), state, "; ".join(filter(None, (note, own)))


def _over(scene: _Scene, entry: Entry) -> Iterable[ExchangeLine]:
    seats = scene.record.seats
    results = tuple(PlayerResult(seats[seat], Result(word)) for seat, word in read_results(entry.text))
    # An end without a payload is the server's own.
    sender = scene.leader if entry.body else SERVER
    for nicks, payload, own in _shown(scene, entry):
        over = GameState(scene.record.game_id, None, results, payload or b"<gameState/>")
        yield sender, nicks, over, own


def _shown(scene: _Scene, entry: Entry) -> Iterator[tuple[tuple[str, ...], bytes, str]]:
    """Receivers, payload and a note: first the payload shown to all, then the ones shown only to some."""
    # The common payload comes first, even where each player was shown another one.
    alike: dict[bytes, list[str]] = {entry.body: []}
    for seat, nick in enumerate(scene.record.seats):
        payload = shown_to(seat, entry, scene.views)
        if payload is not None:
            alike.setdefault(payload, []).append(nick)
    for payload, nicks in alike.items():
        own = "for all others" if payload == entry.body else "a view of their own"
        yield tuple(nicks), payload, own if scene.views else ""


def _move(scene: _Scene, entry: Entry) -> Iterable[ExchangeLine]:
    yield scene.nick(entry.seat), (scene.leader,), Move(scene.record.game_id, entry.body), ""


def _left(scene: _Scene, entry: Entry) -> Iterable[ExchangeLine]:
    nick, cause = scene.nick(entry.seat), Cause(entry.text)
    message = PlayerLeftGame(nick, scene.record.game_id)
    before = scene.before
    if before is not None and (before.kind, before.seat) == (EntryKind.FAULT, entry.seat):
        yield SERVER, (scene.leader,), message, "the ruling is out"
        return
    if cause in BY_MASTER:
        yield scene.leader, (SERVER,), message, ""
        return
    farewell: dict[Cause, Message] = {Cause.LEFT: LeaveGame(scene.record.game_id), Cause.LOGOUT: Logout()}
    yield nick, (SERVER,), farewell.get(cause), "" if cause in farewell else str(cause)
    yield SERVER, (scene.leader,), message, "if the master can read it and is there"


def _rejoined(scene: _Scene, entry: Entry) -> Iterable[ExchangeLine]:
    nick, game_id = scene.nick(entry.seat), scene.record.game_id
    yield nick, (SERVER,), Rejoin(game_id), ""
    yield SERVER, (scene.leader,), Rejoined(game_id, nick), ""


def _error(scene: _Scene, entry: Entry) -> Iterable[ExchangeLine]:
    yield scene.nick(entry.seat), (SERVER,), Error(entry.text), ""


def _refused(scene: _Scene, entry: Entry) -> Iterable[ExchangeLine]:
    yield SERVER, (scene.nick(entry.seat),), Error(entry.text), "an answer to what was not in order"


def _away(scene: _Scene, _entry: Entry) -> Iterable[ExchangeLine]:
    yield scene.leader, (SERVER,), None, "connection lost"


def _restored(scene: _Scene, _entry: Entry) -> Iterable[ExchangeLine]:
    yield SERVER, (scene.leader,), None, "asked to take the game over (x-restore)"


def _cut(scene: _Scene, entry: Entry) -> Iterable[ExchangeLine]:
    yield scene.nick(entry.seat), (SERVER,), None, "connection lost; the seat waits"


def _back(scene: _Scene, entry: Entry) -> Iterable[ExchangeLine]:
    yield scene.nick(entry.seat), (SERVER,), None, "is back"


def _reason(scene: _Scene, entry: Entry) -> Iterable[ExchangeLine]:
    nick = "" if entry.seat is None else scene.nick(entry.seat)
    code, text = read_reason(entry.text)
    message = Because(scene.record.game_id, code, text, nick)
    yield scene.leader, (SERVER, nick) if nick else (SERVER,), message, ""


def _labels(scene: _Scene, entry: Entry) -> Iterable[ExchangeLine]:
    labels = labels_of(entry)
    message = Labels(scene.record.game_id, labels) if labels else None
    yield scene.leader, (SERVER,), message, "" if labels else entry.text


def _sketch(scene: _Scene, entry: Entry) -> Iterable[ExchangeLine]:
    nicks = [scene.nick(seat) for seat in seats_of(entry.audience) if seat < len(scene.record.seats)]
    for nick in nicks or [""]:
        if why_refused(entry.body):
            receivers = (nick,) if nick else scene.record.seats
            note = "in the place of a sketch that was refused; for those who read sketches"
            yield SERVER, receivers, Sketch(scene.record.game_id, entry.body, nick), note
            continue
        yield scene.leader, (SERVER, nick) if nick else (SERVER,), Sketch(scene.record.game_id, entry.body, nick), ""


def _remark(scene: _Scene, entry: Entry) -> Iterable[ExchangeLine]:
    game_id = scene.record.game_id
    try:
        yield scene.nick(entry.seat), (SERVER,), read_remark(game_id, entry.body), ""
    except NoRemark:
        yield scene.nick(entry.seat), (SERVER,), None, escape_body(entry.body)


def _fault(scene: _Scene, entry: Entry) -> Iterable[ExchangeLine]:
    yield scene.leader, (SERVER,), None, f"refused the move of {scene.nick(entry.seat)} (x-fault)"


def _nothing(_scene: _Scene, _entry: Entry) -> Iterable[ExchangeLine]:
    return ()


EXCHANGES: dict[EntryKind, Callable[[_Scene, Entry], Iterable[ExchangeLine]]] = {
    EntryKind.BEGIN: _begin,
    EntryKind.STATE: _state,
    EntryKind.VIEW: _nothing,
    EntryKind.SKETCH: _sketch,
    EntryKind.OWNSKETCH: _sketch,
    EntryKind.OVER: _over,
    EntryKind.MOVE: _move,
    EntryKind.REMARK: _remark,
    EntryKind.OPENREMARK: _remark,
    EntryKind.FAULT: _fault,
    EntryKind.LEFT: _left,
    EntryKind.REJOINED: _rejoined,
    EntryKind.ERROR: _error,
    EntryKind.REFUSED: _refused,
    EntryKind.REASON: _reason,
    EntryKind.AWAY: _away,
    EntryKind.RESTORED: _restored,
    EntryKind.CUT: _cut,
    EntryKind.BACK: _back,
    EntryKind.LABELS: _labels,
    EntryKind.SETUP: _nothing,
    EntryKind.VERDICT: _nothing,
}
"""What was exchanged for each kind of entry. Views are reported with the state that they belong to, the set-up
with the begin."""
