"""Hand-made records of one game of ann and bob, led by m."""

from dataclasses import replace

from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import Cause, GameResult, Outcome, SeatResult, Verdict
from ugs.record.game import Entry, GameRecord

BEGAN_US = 1_900_000_000_000_000
"""2030-03-17T17:46:40Z."""
MONO_US = 5_000_000


def entry(
    kind: EntryKind,
    after_us: int,
    *,
    handed_us: int | None = None,
    seat: int | None = None,
    audience: int = 0,
    text: str = "",
    body: bytes = b"",
) -> Entry:
    """An entry ``after_us`` microseconds after the beginning; ``handed_us`` is counted the same way."""
    handed = 0 if handed_us is None else MONO_US + handed_us
    return Entry(kind, BEGAN_US + after_us, MONO_US + after_us, handed, seat, audience, text, body)


BEGIN = entry(EntryKind.BEGIN, 0)
STATE = entry(EntryKind.STATE, 1_000, handed_us=200, seat=0, audience=0b11, body=b"<gameState>1</gameState>")
MOVE = entry(EntryKind.MOVE, 5_000, handed_us=1_100, seat=0, body=b"<move>a</move>")
SECOND = entry(EntryKind.STATE, 8_000, handed_us=5_300, seat=1, audience=0b11, body=b"<gameState>2</gameState>")
TIMED_OUT = entry(EntryKind.LEFT, 30_008_000, seat=1, text="timeout")
OVER = entry(EntryKind.OVER, 30_010_000, audience=0b01, text="0:winner 1:loser", body=b"<gameState/>")
VERDICT = entry(EntryKind.VERDICT, 30_010_000, text="timeout, fault: player of bob")

RUNNING = GameRecord("g1", "chess", "m", ("ann", "bob"), BEGAN_US, server="0.1.0", entries=(BEGIN, STATE, MOVE, SECOND))


BOBS_TIMEOUT = Verdict(Cause.TIMEOUT, "bob")


def over(
    verdict: Verdict = BOBS_TIMEOUT,
    outcomes: tuple[Outcome, Outcome] = (Outcome.WON, Outcome.LOST),
    departure: Cause | None = Cause.TIMEOUT,
    *more: Entry,
) -> GameRecord:
    """The same game after its end; by default bob did not move."""
    seats = (SeatResult("ann", outcomes[0]), SeatResult("bob", outcomes[1], departure))
    result = GameResult("g1", "chess", "m", seats, verdict, 1, 5.0, 35.01)
    entries = (*RUNNING.entries, *(more or (TIMED_OUT, OVER, VERDICT)))
    return replace(RUNNING, entries=entries, result=result, round_trips_us=(300, 400, 500))
