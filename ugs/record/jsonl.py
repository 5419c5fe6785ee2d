"""Game records as JSON lines for programs: one object with the head of a game, then one object for each event.

``docs/game-record.md`` describes the format. Payloads are text if they are UTF-8, else base64 under a different key.
"""

import base64
import binascii
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Annotated, Final, Literal, TypeAlias, TypeVar

from msgspec import Meta, Struct

from ugs.broker.values.record import EntryKind, audience_of, seats_of
from ugs.broker.verdict import Cause, GameResult, Outcome, Verdict
from ugs.printable import safe_json
from ugs.record.game import Correction, Entry, GameRecord, TakenOut
from ugs.record.ledgers import LEDGER
from ugs.record.size_limits import ANY_GAME, Bounds, Measure
from ugs.record.strict_json import as_struct, decode
from ugs.record.validation import MAX_SEATS, RecordError, check, result_of

__all__ = ["RecordError", "read", "write"]

FORMAT: Final = 1

Moment: TypeAlias = Annotated[float, Meta(ge=-sys.float_info.max, le=sys.float_info.max)]
"""Infinity is none."""
Seats: TypeAlias = tuple[Annotated[int, Meta(ge=0)], ...]


def write(record: GameRecord) -> bytes:
    """The record as lines of JSON in UTF-8. To write several records, join their bytes.

    Raises RecordError for a record that contradicts itself (see :func:`ugs.record.validation.check`).
    """
    check(record)
    return b"".join(_line(part) for part in (_head(record), *(_event(entry) for entry in record.entries)))


def read(lines: Iterable[bytes], bounds: Bounds = ANY_GAME) -> Iterator[GameRecord]:
    """Yield the records in a text; ``lines`` is an open binary file, or any other iterable of lines.

    Empty lines are skipped. One game takes no more than the ``bounds``. Raises RecordError, which names the line, where
    the text is not what :func:`write` writes. The records before the faulty one have been yielded.
    """
    game: _Game | None = None
    taken = Measure(bounds)
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        taken.add(number, line)
        values = _read_line(number, line)
        if LEDGER in values:  # of a championship; read_ledgers reads them
            taken.begins()
            continue
        if "game" in values:
            if game is not None:
                yield game.record()
            taken.begins()
            game = _Game(number, _checked(number, _HeadLine, values))
        elif game is None:
            raise RecordError(f"line {number}: an event, but no line with the head of its game before it")
        else:
            game.add(number, _checked(number, _EventLine, values))
    if game is not None:
        yield game.record()


# --- writing -----------------------------------------------------------------------------------------------------


def _line(values: dict[str, object]) -> bytes:
    return safe_json(json.dumps(values, ensure_ascii=False, separators=(",", ":"), allow_nan=False)).encode() + b"\n"


def _head(record: GameRecord) -> dict[str, object]:
    return {
        "game": record.game_id,
        "format": FORMAT,
        "type": record.game_type,
        "master": record.master,
        "seats": record.seats,
        "began_us": record.began_us,
        "options": dict(record.options),
        **_when_given(record),
        "championship": record.championship,
        "fixture": record.fixture,
        "server": record.server,
        "round_trips_us": record.round_trips_us,
        "result": None if record.result is None else _result(record.result),
        "events": len(record.entries),
    }


def _when_given(record: GameRecord) -> dict[str, object]:
    """The fields that are written only if they are set. Records from before these fields existed are thus written as
    they were."""
    values: dict[str, object] = {}
    if record.seats_total:
        values["seats_total"] = record.seats_total
    if record.table:
        values["table"] = dict(record.table)
    if not record.counts:
        values["counts"] = False
    if record.seed:
        values["seed"] = record.seed
    if record.correction is not None:
        one = record.correction
        values["correction"] = {"who": one.who, "why": one.why, "outcomes": list(one.outcomes)}
    if record.taken_out is not None:
        values["correction"] = {"who": record.taken_out.who, "why": record.taken_out.why}
    return values


def _result(result: GameResult) -> dict[str, object]:
    return {
        "verdict": result.verdict.cause,
        "culprit": result.verdict.culprit,
        "by_server": result.verdict.by_server,
        "outcomes": [seat.outcome for seat in result.seats],
        "left": [seat.departure for seat in result.seats],
        **({"refused": [seat.refused for seat in result.seats]} if any(seat.refused for seat in result.seats) else {}),
        "moves": result.moves,
        "began_at": float(result.began_at),
        "ended_at": float(result.ended_at),
    }


def _event(entry: Entry) -> dict[str, object]:
    values: dict[str, object] = {"event": entry.kind, "wall_us": entry.wall_us, "mono_us": entry.mono_us}
    if entry.handed_us:
        values["handed_us"] = entry.handed_us
    if entry.seat is not None:
        values["seat"] = entry.seat
    if entry.audience:
        values["audience"] = seats_of(entry.audience)
    if entry.text:
        values["text"] = entry.text
    if entry.body:
        try:
            values["body"] = entry.body.decode()
        except UnicodeDecodeError:
            values["body_base64"] = base64.b64encode(entry.body).decode()
    return values


# --- reading -----------------------------------------------------------------------------------------------------


T = TypeVar("T")


class _ResultPart(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    verdict: Cause
    culprit: str | None = None
    by_server: bool = False
    outcomes: tuple[Outcome, ...]
    left: tuple[Cause | None, ...]
    refused: tuple[int, ...] = ()
    moves: int
    began_at: Moment
    ended_at: Moment


class _CorrectionPart(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    who: str
    why: str
    outcomes: tuple[Outcome, ...] | None = None
    """None: the game was taken out."""


class _HeadLine(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    game: str
    format: Literal[1]
    type: str
    master: str
    seats: tuple[str, ...]
    began_us: int
    options: dict[str, str] = {}
    seats_total: int = 0
    table: dict[str, str] = {}
    counts: bool = True
    seed: str = ""
    championship: str = ""
    fixture: int = 0
    server: str = ""
    round_trips_us: tuple[int, ...] = ()
    result: _ResultPart | None = None
    correction: _CorrectionPart | None = None
    events: int


class _EventLine(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    event: EntryKind
    wall_us: int
    mono_us: int
    handed_us: int = 0
    seat: int | None = None
    audience: Seats = ()
    text: str = ""
    body: str = ""
    body_base64: str = ""


class _Game:
    """One game while it is read."""

    def __init__(self, number: int, head: _HeadLine) -> None:
        """Raises RecordError for more seats than a game can have."""
        if len(head.seats) > MAX_SEATS:
            raise RecordError(f"line {number}: seats: {len(head.seats)}; allowed: {MAX_SEATS}")
        self._number = number
        self._head = head
        self._entries: list[Entry] = []

    def add(self, number: int, line: _EventLine) -> None:
        """Add an event. Raises RecordError."""
        try:
            if line.body and line.body_base64:
                raise ValueError("body and body_base64 exclude each other")
            body = base64.b64decode(line.body_base64, validate=True) if line.body_base64 else line.body.encode()
            if line.audience and max(line.audience) >= len(self._head.seats):  # a bit for each seat below it
                raise ValueError(f"audience: seat {max(line.audience)}: the game has {len(self._head.seats)} seats")
            audience = audience_of(line.audience)
        except binascii.Error as error:
            raise RecordError(f"line {number}: body_base64 is not base64: {error}") from None
        except ValueError as error:
            raise RecordError(f"line {number}: {error}") from None
        times = (line.wall_us, line.mono_us, line.handed_us)
        self._entries.append(Entry(line.event, *times, line.seat, audience, line.text, body))

    def record(self) -> GameRecord:
        """The complete record. Raises RecordError."""
        head = self._head
        if head.events != len(self._entries):
            raise RecordError(f"line {self._number}: the head has {head.events} events, {len(self._entries)} follow")
        record = GameRecord(
            head.game,
            head.type,
            head.master,
            head.seats,
            head.began_us,
            head.options,
            head.championship,
            head.fixture,
            head.server,
            head.round_trips_us,
            tuple(self._entries),
            seats_total=head.seats_total,
            seed=head.seed,
            counts=head.counts,
            table=head.table,
        )
        try:
            record = replace(record, result=self._result(record))
            record = replace(record, correction=self._correction(record), taken_out=self._taken_out(record))
            check(record)
        except RecordError as error:
            raise RecordError(f"line {self._number}: {error}") from None
        return record

    def _result(self, record: GameRecord) -> GameResult | None:
        part = self._head.result
        if part is None:
            return None
        verdict = Verdict(part.verdict, part.culprit, part.by_server)
        try:
            refused = part.refused or (0,) * len(part.outcomes)
            return result_of(
                record, verdict, part.outcomes, part.left, refused, part.moves, part.began_at, part.ended_at
            )
        except ValueError:
            raise RecordError(
                f"outcomes, left and refused need one entry for each of {len(record.seats)} seats"
            ) from None

    def _correction(self, record: GameRecord) -> Correction | None:
        part = self._head.correction
        if part is None or part.outcomes is None:
            return None
        if record.result is None or len(part.outcomes) != len(record.seats):
            raise RecordError(f"correction: it needs a result, and {len(record.seats)} outcomes")
        return Correction(part.who, part.why, part.outcomes, record.outcomes)

    def _taken_out(self, record: GameRecord) -> TakenOut | None:
        part = self._head.correction
        if part is None or part.outcomes is not None:
            return None
        if record.result is None:
            raise RecordError("correction: it needs a result")
        return TakenOut(part.who, part.why, voided=record.result.verdict.cause is Cause.VOIDED)


def _checked(number: int, line: type[T], values: dict[str, object]) -> T:
    try:
        return as_struct(line, values)
    except ValueError as error:
        raise RecordError(f"line {number}: {error}") from None


def _read_line(number: int, line: bytes) -> dict[str, object]:
    try:
        values = decode(line)
    except ValueError as error:
        raise RecordError(f"line {number}: {error}") from None
    if not isinstance(values, dict):
        raise RecordError(f"line {number}: not a JSON object")
    return values
