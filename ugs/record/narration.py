"""Game records in words for people: who played, how it ended, whose fault it was, and what happened step by step."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from ugs.broker.values.record import BESIDE, REMARKS, EntryKind, read_labels, read_results, seats_of
from ugs.broker.verdict import Cause, Fault, GameResult
from ugs.durations import elapsed_text
from ugs.record.escapes import escape_body, text_for_people
from ugs.record.game import Entry, GameRecord
from ugs.record.response_times import TIMELESS, movers_of, response_times
from ugs.record.times import written_time
from ugs.value import value
from ugs.wire.extensions import Label, SeatKind

CUT = "…"
SERVER = "the server"
WITH_STATES = BESIDE | {EntryKind.STATE}
"""What is shown only when states are wanted."""
WITH_BODY = REMARKS | {EntryKind.MOVE}
"""What is shown with its payload in any case."""
LEAST_US: Final = 100
"""Times below it are a matter of the kernel and the clock: people read that they are below, and programs the number."""
BELOW: Final = "below 0.1 ms"
ORDINALS: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


@value
class NarratedEvent:
    """One event in words. Names and payload are printable, even if those in the record are not."""

    kind: EntryKind
    since_us: int
    """Microseconds since the game began."""
    who: str
    what: str
    took_us: int | None
    """How long a move or an answer of the master took, network included. None for any other event."""
    body: str = ""
    """The payload in one line."""


def heading(record: GameRecord) -> list[str]:
    """Several lines: who played what and when, and how it ended."""
    result = record.result
    lines = [f"game {_name(record.game_id)}: {_name(record.game_type)}, led by {_name(record.master)}"]
    lines.append(f"began {day_and_time(record.began_us)}" + (f", {lasted(result)}" if result is not None else ""))
    if record.championship:
        lines.append(f"championship {_name(record.championship)}, fixture {record.fixture}")
    if record.table:
        lines.append(f"table {_pairs(record.table)}")
    if record.options:
        lines.append(f"options {_pairs(record.options)}")
    if record.with_program:
        lines.append(
            f"{record.seats_total} seats, {record.seats_total - len(record.seats)} of them played by the master"
        )
    if record.seed:
        lines.append(f"seed {_name(record.seed)}")
    lines += list(_seats(record))
    if not record.counts and record.taken_out is None:
        lines.append("it does not count for standings or ratings")
    lines.append("it has not ended" if result is None else f"result: {verdict_text(result)}")
    if record.correction is not None:
        lines.append(text_for_people(record.correction.sentence(record.seats)))
    if record.taken_out is not None:
        lines.append(text_for_people(record.taken_out.sentence))
    if result is not None and not record.entries:
        lines.append("only the result has been kept")
    return lines


def narrate(record: GameRecord) -> Iterator[NarratedEvent]:
    """What happened, step by step."""
    first_us = record.entries[0].mono_us if record.entries else 0
    for place, (entry, pace_us) in enumerate(zip(record.entries, response_times(record.entries), strict=True)):
        if entry.kind is EntryKind.RESTORED and entry.text:
            # From here on the successor acts.
            record = replace(record, master=entry.text)
        who, what = _in_words(record, entry)
        # Without a body it is the server's own, such as a result that the master did not send.
        took_us = pace_us if place and entry.body and entry.kind not in TIMELESS else None
        yield NarratedEvent(entry.kind, entry.mono_us - first_us, who, what, took_us, escape_body(entry.body))


def account(record: GameRecord, width: int, *, states: bool) -> Iterator[str]:
    """The heading, then a line of at most ``width`` characters for each event. ``states`` adds the states and views
    that the master sent, and the payload of every event."""
    yield from heading(record)
    number = 0
    for event in narrate(record):
        moved = event.kind is EntryKind.MOVE
        number += moved
        if event.kind in WITH_STATES and not states:
            continue
        label = str(number) if moved else ""
        took = f" ({seconds_text(event.took_us)})" if event.took_us is not None else ""
        body = event.body if states or event.kind in WITH_BODY else ""
        line = f"{label:>4} {event.since_us / 1_000_000:10.3f}  {event.who} {event.what}{took} {body}"
        yield shortened(line.rstrip(), width)


def verdict_text(result: GameResult) -> str:
    """One line: why the game ended, who won and whose fault it was."""
    verdict = result.verdict
    by_outcome: dict[str, list[str]] = {}
    for seat in result.seats:
        by_outcome.setdefault(seat.outcome, []).append(_name(seat.nick))
    outcomes = ", ".join(f"{outcome}: {' '.join(nicks)}" for outcome, nicks in by_outcome.items())
    by_server = ", by the server" if verdict.by_server else ""
    return f"{verdict.cause}{by_server}; {outcomes or 'no players'}; {fault_text(result)}"


def fault_text(result: GameResult) -> str:
    """Whose fault the end of the game was."""
    verdict = result.verdict
    if verdict.fault is Fault.NONE:
        return "no one's fault"
    if verdict.cause is Cause.VOIDED:
        return "by order of the organiser"
    culprit = f" {_name(verdict.culprit)}" if verdict.culprit is not None else ""
    return f"fault of the {verdict.fault}{culprit}"


def lasted(result: GameResult) -> str:
    """How long the game lasted, in seconds and in moves."""
    moves = "1 move" if result.moves == 1 else f"{result.moves} moves"
    return f"lasted {elapsed_text(result.ended_at - result.began_at)}, {moves}"


def day_and_time(wall_us: int) -> str:
    """Microseconds since 1970 as ``2030-05-01 20:00:00 UTC``."""
    return f"{written_time(wall_us)[:19].replace('T', ' ')} UTC"


def seat_words(seat: int) -> str:
    """A seat as people count: ``first seat`` for 0, ``11th seat`` for 10."""
    if seat < len(ORDINALS):
        return f"{ORDINALS[seat]} seat"
    number = seat + 1
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending} seat"


def seconds_text(microseconds: int) -> str:
    """A duration for people: ``0.100 s``."""
    return f"{microseconds / 1_000_000:.3f} s"


def shortened(text: str, width: int) -> str:
    """At most ``width`` characters of ``text``; an ellipsis replaces what is cut."""
    return text if len(text) <= width else text[: max(width - 1, 0)] + CUT


def _seats(record: GameRecord) -> Iterator[str]:
    longest = max((len(_name(nick)) for nick in record.seats), default=0)
    words = [seat_words(seat) for seat in range(len(record.seats))]
    widest = max(map(len, words), default=0)
    called = {label.nick: label.label for entry in record.entries for label in labels_of(entry)}
    for seat, nick in enumerate(record.seats):
        parts = [words[seat].ljust(widest), _name(nick).ljust(longest)]
        if called.get(nick):
            parts.append(f"plays {_name(called[nick])}")
        if record.result is not None:
            outcome, departure = record.outcomes[seat], record.result.seats[seat].departure
            parts.append(str(outcome) if departure is None else f"{outcome} (out: {departure})")
        # The first one is that of the master.
        trips = record.round_trips_us[seat + 1 : seat + 2]
        if trips and trips[0]:
            parts.append(f"round trip {BELOW if trips[0] < LEAST_US else f'{trips[0] / 1000:.2f} ms'}")
        yield "  ".join(parts).rstrip()


def _in_words(record: GameRecord, entry: Entry) -> tuple[str, str]:
    """Who acted, and what it was."""
    master = _name(record.master)
    player = _name(record.seats[entry.seat]) if entry.seat is not None else master
    text = text_for_people(entry.text)
    match entry.kind:
        case EntryKind.BEGIN:
            return master, "is asked to begin"
        case EntryKind.STATE:
            return master, f"sends the state, {_movers(record, entry) or player + ' is'} to move"
        case EntryKind.VIEW:
            return master, f"shows {_nicks(record, seats_of(entry.audience)) or 'no player'} what only they may see"
        case EntryKind.SKETCH:
            return master, "draws the position"
        case EntryKind.OWNSKETCH:
            return master, f"draws the position for {_nicks(record, seats_of(entry.audience)) or 'no player'}"
        case EntryKind.OVER:
            return master if entry.body else SERVER, f"sends the result: {_results(record, entry)}"
        case EntryKind.MOVE:
            return player, "moves"
        case EntryKind.REMARK | EntryKind.OPENREMARK:
            return player, "remarks"
        case EntryKind.FAULT:
            return master, f"refuses the move of {player}, which does not count"
        case EntryKind.LEFT:
            return player, f"is out: {text}"
        case EntryKind.REJOINED:
            return player, "has its seat again"
        case EntryKind.ERROR:
            return player, f"reports an error: {text}"
        case EntryKind.REFUSED:
            return player, f"is refused: {text}"
        case EntryKind.REASON if entry.seat is not None:
            return master, f"reports that {player} broke a rule: {text}"
        case EntryKind.REASON:
            return master, f"gives a reason: {text}"
        case EntryKind.AWAY:
            return master, "has lost its connection"
        case EntryKind.RESTORED:
            return master, "takes the game over"
        case EntryKind.CUT:
            return player, "is cut off, the seat waits"
        case EntryKind.BACK:
            return player, "is back"
        case EntryKind.LABELS:
            return master, f"names the seats: {_labels(entry)}"
        case EntryKind.SETUP:
            return master, f"begins from a set-up of its own: {text}"
        case EntryKind.VERDICT:
            return SERVER, f"gives the verdict: {text}"


def _results(record: GameRecord, entry: Entry) -> str:
    try:
        return ", ".join(f"{_name(record.seats[seat])} {word}" for seat, word in read_results(entry.text))
    # A record from a file may hold any text here.
    except (ValueError, IndexError):
        return text_for_people(entry.text)


def labels_of(entry: Entry) -> tuple[Label, ...]:
    """The labels of the seats in a LABELS entry; empty for any other entry, or if the record holds invalid data."""
    try:
        labels = read_labels(entry.text) if entry.kind is EntryKind.LABELS else ()
    except (ValueError, TypeError):
        return ()
    # Any JSON may stand in a file, also numbers for names.
    return labels if all(isinstance(text, str) for label in labels for text in (label.nick, label.label)) else ()


def setup_of(record: GameRecord) -> str:
    """How the game begins, in the words of its master; empty where chance decides that, or where it is secret."""
    return next((entry.text for entry in record.entries if entry.kind is EntryKind.SETUP), "")


def _labels(entry: Entry) -> str:
    event = (
        f"{_name(label.nick)}{' (program)' if label.kind is SeatKind.PROGRAM else ''} {_name(label.label)}".rstrip()
        for label in labels_of(entry)
    )
    return ", ".join(event) or text_for_people(entry.text)


def _movers(record: GameRecord, entry: Entry) -> str:
    """``ann, bob are``; empty when a single player is to move."""
    return f"{_nicks(record, movers_of(entry))} are" if entry.text else ""


def _nicks(record: GameRecord, seats: list[int]) -> str:
    return ", ".join(_name(record.seats[seat]) if 0 <= seat < len(record.seats) else str(seat) for seat in seats)


def _pairs(pairs: Mapping[str, str]) -> str:
    return " ".join(f"{_name(name)}={_name(text)}" for name, text in pairs.items())


def _name(text: str) -> str:
    return text_for_people(text)
