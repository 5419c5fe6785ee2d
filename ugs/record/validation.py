"""What a record must fulfil to be written as text and read back: the one place for all formats."""

import math
from collections.abc import Iterable, Iterator

from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import Cause, GameResult, Outcome, SeatResult, Verdict
from ugs.printable import shown
from ugs.record.game import Entry, GameRecord
from ugs.record.times import written_time

MAX_SEATS = 4096
"""Seats of a game, the largest number that a table may have: each audience has a bit for each of them."""

# What a journal can hold: a record that was written must be importable.
_MAX_INTEGER = 2**63


class RecordError(Exception):
    """A record that cannot be read or written. The text is for people and names the fault and its place."""


def check(record: GameRecord) -> None:
    """Raise RecordError when the record contradicts itself or holds what no text can hold.

    Its result must be of the same game and the same seats. Seats and audiences must be seats of the game. Seed and
    set-up are allowed only with a result. Text must not contain halves of surrogate pairs, times must be in the years 1
    to 9999, and numbers must fit into 64 bits. At most MAX_SEATS seats.
    """
    if len(record.seats) > MAX_SEATS:
        raise RecordError(f"game {shown(record.game_id)}: it has {len(record.seats)} seats; allowed: {MAX_SEATS}")
    for number, entry in enumerate(record.entries, start=1):
        wrong = _wrong_entry(entry, len(record.seats))
        if wrong:
            raise RecordError(f"game {shown(record.game_id)}: event {number}: {wrong}")
    wrong = _wrong_head(record) or (_wrong_result(record, record.result) if record.result is not None else "")
    if wrong:
        raise RecordError(f"game {shown(record.game_id)}: {wrong}")


def result_of(
    head: GameRecord,
    verdict: Verdict,
    outcomes: Iterable[Outcome],
    departures: Iterable[Cause | None],
    refused: Iterable[int],
    moves: int,
    began_at: float,
    ended_at: float,
) -> GameResult:
    """The result of the game with this head; ``outcomes``, ``departures`` and ``refused`` are in the order of its
    seats.

    Raises ValueError when they are more or fewer than the seats.
    """
    return GameResult(
        head.game_id,
        head.game_type,
        head.master,
        tuple(SeatResult(*seat) for seat in zip(head.seats, outcomes, departures, refused, strict=True)),
        verdict,
        moves,
        began_at,
        ended_at,
        head.championship,
        head.fixture,
    )


def _wrong_head(record: GameRecord) -> str:
    correction = (record.correction.who, record.correction.why) if record.correction is not None else ()
    decided = (record.taken_out.who, record.taken_out.why) if record.taken_out is not None else ()
    texts = (record.game_id, record.game_type, record.master, record.championship, record.server, record.seed)
    pairs = (text for pair in (*record.options.items(), *record.table.items()) for text in pair)
    for text in (*texts, *correction, *decided, *record.seats, *pairs):
        if not _is_text(text):
            return f"{shown(text)} is not text: it contains half of a surrogate pair"
    for number in (record.fixture, record.seats_total, *record.round_trips_us):
        if not -_MAX_INTEGER <= number < _MAX_INTEGER:
            return f"{shown(number)} does not fit into 64 bits"
    if record.seed and record.result is None:
        return "it has a seed and no result: while a game runs, its seed is secret"
    if record.result is None and any(entry.kind is EntryKind.SETUP for entry in record.entries):
        return "it has a set-up and no result: while a game runs, its set-up is secret"
    try:
        written_time(record.began_us)
    except OverflowError:
        return f"it began {shown(record.began_us)} microseconds from 1970, outside the years 1 to 9999"
    return ""


def _wrong_entry(entry: Entry, seats: int) -> str:
    if not _is_text(entry.text):
        return f"{shown(entry.text)} is not text: it contains half of a surrogate pair"
    if entry.seat is not None and not 0 <= entry.seat < seats:
        return f"seat {shown(entry.seat)}: the game has {seats} seats"
    if not 0 <= entry.audience < 1 << seats:
        return f"audience {shown(entry.audience)}: the game has {seats} seats"
    for number in (entry.wall_us, entry.mono_us, entry.handed_us):
        if not -_MAX_INTEGER <= number < _MAX_INTEGER:
            return f"{shown(number)} does not fit into 64 bits"
    return ""


def _wrong_result(record: GameRecord, result: GameResult) -> str:
    pairs: Iterator[tuple[str, object, object]] = iter(
        (
            ("game", result.game_id, record.game_id),
            ("type", result.game_type, record.game_type),
            ("master", result.master, record.master),
            ("seats", tuple(seat.nick for seat in result.seats), record.seats),
            ("championship", result.championship, record.championship),
            ("fixture", result.fixture, record.fixture),
        )
    )
    # A result repeats the head of its record; in a file the two could differ.
    for name, stated, recorded in pairs:
        if stated != recorded:
            return f"{name} of the result is {shown(stated)}, of the record {shown(recorded)}"
    # JSON has no word for other numbers.
    if not (math.isfinite(result.began_at) and math.isfinite(result.ended_at)):
        return "the times of the result are not finite numbers"
    for number in (result.moves, *(seat.refused for seat in result.seats)):
        if not -_MAX_INTEGER <= number < _MAX_INTEGER:
            return f"{shown(number)} does not fit into 64 bits"
    if result.verdict.culprit is not None and not _is_text(result.verdict.culprit):
        return f"culprit {shown(result.verdict.culprit)} is not text: it contains half of a surrogate pair"
    return ""


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
