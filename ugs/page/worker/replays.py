"""The public view of games that have ended, position by position; the last ones that were asked for are kept.

A picture is drawn when it is asked for, but a renderer has to see all states before it. One that takes too long for
that is given up: then the game is shown as a tree of its states; each of them can be read alone.
"""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ugs.broker.values.record import REMARKS, EntryKind
from ugs.broker.values.remark_json import NoRemark, read_remark
from ugs.broker.verdict import Cause
from ugs.page.played import PositionStep, departure_line, refusal_line, unanswered_line, written_after
from ugs.page.worker_limits import MAX_FOLLOWING_S, MAX_NEWS_OF_A_STEP, MAX_REPLAY_BYTES, MAX_REPLAYS, ProcessorBudget
from ugs.pictures.contract import Picture, written_by
from ugs.pictures.recorded import pictures, seat_called
from ugs.pictures.remark_marks import RemarkedPicture, remark_line
from ugs.record.game import Entry, GameRecord
from ugs.record.response_times import movers_of, response_times
from ugs.record.times import MICRO
from ugs.wire.extensions import Remark


@dataclass(frozen=True, slots=True)
class Replay:
    """A game that has ended, ready to be shown."""

    record: GameRecord
    """As much of it as may be seen."""
    shown: Sequence[Picture]
    steps: Sequence[PositionStep]
    next: Sequence[Sequence[str]]
    """Who may move in each position."""
    tags: Sequence[int]
    """Of the state of each position."""
    size: int
    values: Sequence[tuple[int, int, float]] = ()
    """What players remarked about how well they stand: seat, position, value."""
    plain: str = ""
    """Why the states are shown as trees though the game might have pictures; empty: they are not."""


class Replays:
    """Those that are kept, although moves may have been dropped from the journal meanwhile."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str], Replay] = OrderedDict()

    def kept(self, game_id: str, viewer: str, plain: str = "") -> Replay | None:
        """The game of that id, as ``viewer`` saw it (empty: the public view), if it is kept. With ``plain``, one with
        pictures is not wanted."""
        kept = self._kept.get((game_id, viewer))
        if kept is None or (plain and not kept.plain):
            return None
        self._kept.move_to_end((game_id, viewer))
        return kept

    def keep(self, record: GameRecord, viewer: str, plain: str = "") -> Replay:
        """A game from as much of its record as may be seen; with ``plain``, which is the reason, without pictures.
        Raises UnknownViewer if the viewer did not play in it."""
        replay = self._kept[record.game_id, viewer] = replay_of(record, viewer, plain)
        # The one that was just asked for stays, however large it is.
        while len(self._kept) > 1 and (
            len(self._kept) > MAX_REPLAYS or sum(one.size for one in self._kept.values()) > MAX_REPLAY_BYTES
        ):
            self._kept.popitem(last=False)
        return replay


def _broken_rule(record: GameRecord, who: str) -> str:
    """That the last move, which ``who`` has made, broke a rule; empty if that is not why the game ended."""
    verdict = record.result.verdict if record.result is not None else None
    ended_it = verdict is not None and verdict.cause is Cause.ILLEGAL_MOVE and verdict.culprit == who
    return departure_line(who, Cause.ILLEGAL_MOVE) if ended_it else ""


def replay_of(record: GameRecord, viewer: str = "", plain: str = "", following_s: float = MAX_FOLLOWING_S) -> Replay:
    """A game from its record. A renderer that needs more than ``following_s`` of processor time for all states together
    is given up. Raises UnknownViewer."""
    seat = seat_called(record, viewer or None)
    shown = None if plain else _followed(record, seat, following_s)
    if shown is None:
        plain = plain or f"its pictures take more than {following_s:g} s of processor time"
        shown = dict(pictures(record, seat, {}))
    steps: list[PositionStep] = []
    movers: list[list[str]] = []
    tags: list[int] = []
    times = response_times(record.entries)
    first_us = record.entries[0].mono_us if record.entries else 0
    drawn: list[Picture] = []
    remarks: list[Remark] = []
    values: list[tuple[int, int, float]] = []
    who, took = "", None
    beside: list[str] = []  # what changed no position, for the next one
    for place, entry in enumerate(record.entries):
        if entry.kind is EntryKind.MOVE and entry.seat is not None:
            who, took = record.seats[entry.seat], times[place] / MICRO
        if entry.kind is EntryKind.LEFT and entry.seat is not None:
            beside.append(departure_line(record.seats[entry.seat], entry.text))
        if entry.kind is EntryKind.OVER and (broken := _broken_rule(record, who)) and broken not in beside:
            beside.append(broken)
        if entry.kind is EntryKind.FAULT and entry.seat is not None:
            beside.append(refusal_line(record.seats[entry.seat]))
        if entry.kind in REMARKS and entry.seat is not None and steps and (remark := _remark_of(record, entry)):
            remarks.append(remark)
            steps[-1].remarks.append(remark_line(record.seats[entry.seat], remark))
            if remark.worth is not None:
                values.append((entry.seat, len(steps), remark.worth))
        picture = shown.get(place)
        if picture is None:
            continue
        if remarks:
            drawn[-1], remarks = RemarkedPicture(drawn[-1], remarks), []
        drawn.append(picture)
        news = [line for line in (*beside, *picture.news()) if line][-MAX_NEWS_OF_A_STEP:]
        written = written_after(written_by(picture), refusal_line(who) in beside)
        beside.clear()
        since_s = max(0, entry.mono_us - first_us) / MICRO
        steps.append(PositionStep(len(steps) + 1, since_s, who, took, news, written=written))
        movers.append([record.seats[seat] for seat in movers_of(entry) if 0 <= seat < len(record.seats)])
        tags.append(entry.body.count(b"<"))
        who, took = "", None
    if remarks:
        drawn[-1] = RemarkedPicture(drawn[-1], remarks)
    if who and drawn and refusal_line(who) not in beside:  # it led to no position
        since_s = max(0, record.entries[-1].mono_us - first_us) / MICRO
        steps.append(PositionStep(len(steps) + 1, since_s, who, took, [*beside, unanswered_line(who)]))
        drawn.append(drawn[-1])
        movers.append([])
        tags.append(tags[-1])
    size = sum(len(entry.body) for entry in record.entries)
    return Replay(record, drawn, steps, movers, tags, size, values, plain)


def _remark_of(record: GameRecord, entry: Entry) -> Remark | None:
    """A remark on record; None if the record holds invalid data."""
    try:
        return read_remark(record.game_id, entry.body)
    except NoRemark:
        return None


def _followed(record: GameRecord, seat: int | None, most_s: float) -> Mapping[int, Picture] | None:
    """The pictures, by the index of their entries; None if that takes more than ``most_s``."""
    budget = ProcessorBudget(most_s)
    shown: dict[int, Picture] = {}
    for place, picture in pictures(record, seat):
        shown[place] = picture
        if budget.used_up():
            return None
    return shown
