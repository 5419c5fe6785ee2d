"""Game records as text for people: ``.ugsg``, tags as in PGN, then one event per line.

``docs/game-record.md`` describes the format. Times are written relative to the beginning of the game and to the event
before, so that two games with the same events look alike. No information is lost.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from ugs.broker.values.record import EntryKind, audience_of, seats_of
from ugs.broker.verdict import Cause, GameResult, Outcome, Verdict
from ugs.printable import shown
from ugs.record.escapes import escape_body, unescape_body, unescape_text
from ugs.record.game import Correction, Entry, GameRecord, TakenOut
from ugs.record.size_limits import ANY_GAME, Bounds, Measure
from ugs.record.tags import QUOTED, Head, guarded, quoted, shown_line, written_tag, wrong
from ugs.record.times import MICRO, read_seconds, read_time, written_hours, written_seconds, written_time
from ugs.record.validation import MAX_SEATS, RecordError, check, result_of

__all__ = ["RecordError", "read", "write"]

FORMAT: Final = "1"


def write(record: GameRecord) -> bytes:
    """The record as UTF-8 text: tags, an empty line, events. Several records are separated by an empty line.

    Raises RecordError for a record that contradicts itself (see :func:`ugs.record.validation.check`).
    """
    check(record)
    return "".join(f"{line}\n" for line in (*_tags(record), "", *_events(record))).encode()


def read(lines: Iterable[bytes], bounds: Bounds = ANY_GAME) -> Iterator[GameRecord]:
    """Yield the records in a text; ``lines`` is an open binary file, or any other iterable of lines with their line
    ends.

    Lines may end in CR LF. One game takes no more than the ``bounds``. Raises RecordError, which names the line, where
    the text is not what :func:`write` writes. The records before the faulty one have been yielded.
    """
    return _Reader(lines, bounds).records()


# --- writing -----------------------------------------------------------------------------------------------------


def _tags(record: GameRecord) -> Iterator[str]:
    yield written_tag("Game", record.game_id)
    yield written_tag("Format", FORMAT)
    yield written_tag("Type", record.game_type)
    yield written_tag("Master", record.master)
    yield written_tag("Began", written_time(record.began_us))
    for seat, nick in enumerate(record.seats):
        yield written_tag("Seat", f"{seat} {nick}")
    if record.seats_total:
        yield written_tag("Seats", str(record.seats_total))
    for option in record.options.items():
        yield written_tag("Option", *option)
    for fact in record.table.items():
        yield written_tag("Table", *fact)
    if record.championship:
        yield written_tag("Championship", record.championship)
    if record.fixture:
        yield written_tag("Fixture", str(record.fixture))
    if not record.counts:
        yield written_tag("Counts", "no")
    if record.server:
        yield written_tag("Server", record.server)
    if record.seed:
        yield written_tag("Seed", record.seed)
    if record.round_trips_us:
        yield written_tag("RoundTrips", " ".join(written_seconds(time) for time in record.round_trips_us))
    yield from _result_tags(record)
    if record.entries:
        yield written_tag("Clock", written_seconds(record.entries[0].mono_us))
    yield written_tag("Events", str(len(record.entries)))


def _result_tags(record: GameRecord) -> Iterator[str]:
    result = record.result
    if result is None:
        return
    yield written_tag("Verdict", result.verdict.cause)
    if result.verdict.culprit is not None:
        yield written_tag("Culprit", result.verdict.culprit)
    if result.verdict.by_server:
        yield written_tag("ByServer", "yes")
    for seat, its in enumerate(result.seats):
        yield written_tag("Outcome", f"{seat} {its.outcome}")
    for seat, its in enumerate(result.seats):
        if its.departure is not None:
            yield written_tag("Left", f"{seat} {its.departure}")
    for seat, its in enumerate(result.seats):
        if its.refused:
            yield written_tag("Refused", f"{seat} {its.refused}")
    yield written_tag("Moves", str(result.moves))
    # repr: the shortest text that is read back as the same float.
    yield written_tag("BeganAt", repr(float(result.began_at)))
    yield written_tag("EndedAt", repr(float(result.ended_at)))
    if record.correction is not None:
        yield written_tag("Corrected", record.correction.who, record.correction.why)
        for seat, outcome in enumerate(record.correction.outcomes):
            yield written_tag("CorrectedTo", f"{seat} {outcome}")
    if record.taken_out is not None:
        yield written_tag("TakenOut", record.taken_out.who, record.taken_out.why)


def _events(record: GameRecord) -> Iterator[str]:
    before = record.entries[0].mono_us if record.entries else 0
    for entry in record.entries:
        after = written_seconds(entry.mono_us - before)
        parts = [written_hours(entry.wall_us - record.began_us), after if after.startswith("-") else f"+{after}"]
        if entry.handed_us:
            parts[1] += f"/{written_seconds(entry.handed_us - before)}"
        parts.append(entry.kind)
        if entry.seat is not None:
            parts.append(str(entry.seat))
        if entry.audience:
            parts.append(f"to {','.join(str(seat) for seat in seats_of(entry.audience))}")
        if entry.text:
            parts.append(quoted(entry.text))
        if entry.body:
            parts.append(escape_body(entry.body))
        yield " ".join(parts)
        before = entry.mono_us


# --- reading -----------------------------------------------------------------------------------------------------

_WHOLE: Final = re.compile(r"-?[0-9]{1,20}")
_FLOAT: Final = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?")
_EVENT: Final = re.compile(
    rf"""(-?)([0-9]{{2,20}}):([0-5][0-9]):([0-5][0-9])\.([0-9]{{6}})
    [ ]([+-])([0-9]{{1,20}})\.([0-9]{{6}})(?:/(-?)([0-9]{{1,20}})\.([0-9]{{6}}))?
    [ ](?P<kind>[a-z]+)
    (?:[ ](?P<seat>[0-9]{{1,9}}))?
    (?:[ ]to[ ](?P<audience>[0-9]{{1,9}}(?:,[0-9]{{1,9}})*))?
    (?:[ ]{QUOTED.replace("(", "(?P<text>", 1)})?
    (?:[ ](?P<body>[<\\].*))?""",
    re.VERBOSE,
)
_KINDS: Final = {kind.value: kind for kind in EntryKind}
_CONTROL: Final = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029]")

_OF_AN_END: Final = (
    "Seed",
    "Culprit",
    "ByServer",
    "Outcome",
    "Left",
    "Refused",
    "Moves",
    "BeganAt",
    "EndedAt",
    "Corrected",
    "TakenOut",
)


class _Reader:
    def __init__(self, lines: Iterable[bytes], bounds: Bounds) -> None:
        self._lines = enumerate(lines, start=1)
        self._taken = Measure(bounds)

    def records(self) -> Iterator[GameRecord]:
        number, text = self._next()
        while text is not None:
            if not text:
                number, text = self._next()
                continue
            head = Head()
            self._taken.begins()
            while text:
                head.add(number, text)
                number, text = self._next()
            record = _record_of_head(head)
            while text == "":
                number, text = self._next()
            entries: list[Entry] = []
            before = head.value("Clock", read_seconds, 0)
            while text and not text.startswith("["):
                entries.append(guarded(number, _Event(record, before).read, text))
                before = entries[-1].mono_us
                number, text = self._next()
            yield _finished(head, record, tuple(entries))

    def _next(self) -> tuple[int, str | None]:
        """The next line without its end, and its number; None at the end of the text."""
        number, raw = next(self._lines, (0, None))
        if raw is None:
            return number, None
        if raw.strip():
            self._taken.add(number, raw)
        if not raw.endswith(b"\n"):
            raise wrong(number, "the last line has no end: something is missing")
        try:
            text = raw[:-1].removesuffix(b"\r").decode()
        except UnicodeDecodeError as error:
            raise wrong(number, f"not UTF-8: {error.reason} at byte {error.start + 1} of the line") from None
        control = _CONTROL.search(text)
        if control is not None:
            raise wrong(number, f"control character {control[0]!r} at character {control.start() + 1} of the line")
        return number, text


def _record_of_head(head: Head) -> GameRecord:
    """The record as far as the head holds it: without entries and result."""
    written = head.text("Format")
    if written != FORMAT:
        raise wrong(head.line("Format"), f"format {shown(written)}; this program reads {FORMAT}")
    seats = head.seats("Seat", str)
    if len(seats) > MAX_SEATS:
        raise RecordError(f"{head.where}: {len(seats)} seats; allowed: {MAX_SEATS}")
    if list(seats) != list(range(len(seats))):
        raise RecordError(f"{head.where}: the seats are not 0 to {len(seats) - 1} in this order")
    record = GameRecord(
        head.text("Game"),
        head.text("Type"),
        head.text("Master"),
        tuple(seats.values()),
        head.value("Began", read_time),
        head.pairs("Option"),
        head.text("Championship", ""),
        head.value("Fixture", _read_whole, 0),
        head.text("Server", ""),
        head.value("RoundTrips", _read_round_trips, ()),
        seats_total=head.value("Seats", _read_whole, 0),
        seed=head.text("Seed", ""),
        counts=head.value("Counts", _read_no, True),
        table=head.pairs("Table"),
    )
    stray = next((name for name in _OF_AN_END if head.has(name)), None)
    if stray is not None and not head.has("Verdict"):
        raise wrong(head.line(stray), f"tag {stray} without the tag Verdict")
    return record


def _finished(head: Head, record: GameRecord, entries: tuple[Entry, ...]) -> GameRecord:
    """The record with its entries and its result, completely checked."""
    expected = head.value("Events", _read_whole)
    if expected != len(entries):
        raise RecordError(f"{head.where}: the head has {expected} events, {len(entries)} follow")
    if head.has("Clock") != bool(entries):
        raise RecordError(f"{head.where}: the tag Clock stands in the head of a game with events, and only there")
    result = None
    if head.has("Verdict"):
        culprit = head.text("Culprit") if head.has("Culprit") else None
        verdict = Verdict(head.value("Verdict", Cause), culprit, head.value("ByServer", _read_yes, False))
        outcomes, left = head.seats("Outcome", Outcome), head.seats("Left", Cause)
        refused = head.seats("Refused", _read_whole)
        seats = list(range(len(record.seats)))
        if sorted(outcomes) != seats or not {*left, *refused} <= set(seats):
            raise RecordError(
                f"{head.where}: with a verdict, each seat has one tag Outcome, and some may have Left and Refused"
            )
        result = result_of(
            record,
            verdict,
            [outcomes[seat] for seat in seats],
            [left.get(seat) for seat in seats],
            [refused.get(seat, 0) for seat in seats],
            head.value("Moves", _read_whole),
            head.value("BeganAt", _read_float),
            head.value("EndedAt", _read_float),
        )
    whole = replace(record, entries=entries, result=result)
    whole = replace(whole, correction=_correction(head, whole), taken_out=_taken_out(head, result))
    try:
        check(whole)
    except RecordError as error:
        raise RecordError(f"{head.where}: {error}") from None
    return whole


def _correction(head: Head, record: GameRecord) -> Correction | None:
    """The correction of a result, whose record is otherwise complete."""
    if not head.has("Corrected"):
        return None
    ((who, why),) = head.pairs("Corrected").items()
    outcomes = head.seats("CorrectedTo", Outcome)
    if sorted(outcomes) != list(range(len(record.seats))):
        raise RecordError(f"{head.where}: with the tag Corrected, each seat has one tag CorrectedTo")
    return Correction(who, why, tuple(outcomes[seat] for seat in sorted(outcomes)), record.outcomes)


def _taken_out(head: Head, result: GameResult | None) -> TakenOut | None:
    """Who has taken out a game with this result, and why; a game that runs has none of it."""
    if result is None or not head.has("TakenOut"):
        return None
    ((who, why),) = head.pairs("TakenOut").items()
    return TakenOut(who, why, voided=result.verdict.cause is Cause.VOIDED)


class _Event:
    """Reads the line of an event; ``before`` is the ``mono_us`` of the event before it."""

    def __init__(self, record: GameRecord, before: int) -> None:
        self._record = record
        self._before = before

    def read(self, text: str) -> Entry:
        """The entry in this line. Raises ValueError."""
        event = _EVENT.fullmatch(text)
        if event is None:
            raise ValueError(f"not an event such as 00:00:01.234567 +0.000123 move 0 <move/>: {shown_line(text)}")
        sign, hours, minutes, seconds, micro, after_sign, after, after_micro, *handed, kind, seat, to, words, body = (
            event.groups()
        )
        if kind not in _KINDS:
            raise ValueError(f"unknown kind of event {shown(kind)}; there are {', '.join(_KINDS)}")
        wall_us = ((int(hours) * 60 + int(minutes)) * 60 + int(seconds)) * MICRO + int(micro)
        after_us = int(after) * MICRO + int(after_micro)
        handed_us = 0
        if handed[1] is not None:
            handed_us = int(handed[1]) * MICRO + int(handed[2])
            handed_us = self._before + (-handed_us if handed[0] else handed_us)
        return Entry(
            _KINDS[kind],
            self._record.began_us + (-wall_us if sign else wall_us),
            self._before + (-after_us if after_sign == "-" else after_us),
            handed_us,
            int(seat) if seat else None,
            self._audience(to) if to else 0,
            unescape_text(words) if words else "",
            unescape_body(body) if body else b"",
        )

    def _audience(self, written: str) -> int:
        seats = [int(seat) for seat in written.split(",")]
        for seat in seats:
            if seat >= len(self._record.seats):
                raise ValueError(f"seat {seat}: the game has {len(self._record.seats)} seats")
        return audience_of(seats)


def _read_whole(text: str) -> int:
    if not _WHOLE.fullmatch(text):
        raise ValueError(f"{shown(text)} is not a whole number")
    return int(text)


def _read_float(text: str) -> float:
    if not _FLOAT.fullmatch(text):
        raise ValueError(f"{shown(text)} is not a number")
    return float(text)


def _read_round_trips(text: str) -> tuple[int, ...]:
    return tuple(read_seconds(part) for part in text.split(" "))


def _read_yes(text: str) -> bool:
    if text != "yes":
        raise ValueError(f"{shown(text)}: the only value is yes")
    return True


def _read_no(text: str) -> bool:
    if text != "no":
        raise ValueError(f"{shown(text)}: the only value is no")
    return False
