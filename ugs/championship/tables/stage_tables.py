"""The stages of a championship that have begun: what each is in words, and who stands where in it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from ugs.championship.format_words import stage_words
from ugs.championship.formats.composite import SPAN, SchedulePart
from ugs.championship.formats.format_contract import Schedule
from ugs.championship.formats.knock_out import KnockOut
from ugs.championship.formats.stages import PLAY_OFF, Stages
from ugs.championship.formats.swiss import Swiss
from ugs.championship.ledger import Counted, Ledger
from ugs.championship.plan import Stage, TieBreak
from ugs.championship.tables.scheduled_games import RUNNING

MAX_LINES: Final = 100
"""Players of a stage that are shown, the first ones."""
OVER: Final = "over"


@dataclass(frozen=True, slots=True)
class StageHead:
    """One stage."""

    number: int
    words: str
    """``Swiss, 5 rounds``."""
    goes_on: str
    """``the first 4 go on``; empty for the last one."""
    state: str
    """``running`` or ``over``."""


@dataclass(frozen=True, slots=True)
class PlacedLine:
    """A player of a stage or a group."""

    place: int | None
    """None: it is disqualified."""
    nick: str
    points: float
    """Of this stage alone, byes included."""
    won: int
    lost: int
    drawn: int
    out: str
    """How it is out for good, as in the ledger; empty for all others."""
    tie_breaks: dict[TieBreak, float | None] = field(default_factory=dict)
    """Those of the stage; None where one does not apply."""


@dataclass(frozen=True, slots=True)
class StageTable:
    """Who stands where."""

    lines: list[PlacedLine]
    more: int
    """Players behind them."""
    tie_breaks: list[TieBreak] = field(default_factory=list)
    """Those of the stage, in order."""


def stage_heads(schedule: Schedule | None) -> list[StageHead]:
    """Return the stages that have begun, in order; none for other formats."""
    if not isinstance(schedule, Stages):
        return []
    found = []
    for number, stage in enumerate(schedule.plan.stages, start=1):
        parts = [part for part in schedule.parts if part.stage == number and part.label != PLAY_OFF]
        if parts:
            over = schedule.finished or any(part.through for part in parts)
            goes_on = "" if number == len(schedule.plan.stages) else _goes_on(stage)
            found.append(StageHead(number, _words(stage, parts), goes_on, OVER if over else RUNNING))
    return found


def stage_of(schedule: Stages, fixture: int) -> int:
    """Return the stage of a game, by the number of its fixture."""
    return schedule.parts[fixture // SPAN].stage


def stage_table(part: SchedulePart, order: Sequence[str], counted: Iterable[Counted], ledger: Ledger) -> StageTable:
    """Return the table of a part. ``order``: its players, best first, those without a place last; ``counted``: its
    games that count."""
    by_outcome: Counter[tuple[str, str]] = Counter()
    for one in counted:
        by_outcome.update(one.outcomes.items())
    broken = {one.nick: {**one.values} for one in part.placements()} if part.tie_breaks else {}
    lines = [
        PlacedLine(
            None if nick in ledger.disqualified else place,
            nick,
            part.worth(nick),
            by_outcome[nick, "won"],
            by_outcome[nick, "lost"],
            by_outcome[nick, "drawn"],
            ledger.gone[nick].text if nick in ledger.gone else "",
            broken.get(nick, {}),
        )
        for place, nick in enumerate(order[:MAX_LINES], start=1)
    ]
    return StageTable(lines, len(order) - len(lines), [*part.tie_breaks])


def _words(stage: Stage, parts: Sequence[SchedulePart]) -> str:
    entrants = sum(len(part.schedule.field) for part in parts)
    schedule = parts[0].schedule
    # How many come into the others stands in their tables.
    head = stage_words(vars(stage), entrants if isinstance(schedule, KnockOut) else 0)
    detail = ""
    if isinstance(schedule, Swiss):
        detail = f"{schedule.rounds} round{'' if schedule.rounds == 1 else 's'}"
    elif stage.repeats > 1:
        detail = f"each pairing {stage.repeats} times"
    elif stage.best_of > 1:
        detail = f"best of {stage.best_of}"
    return ", ".join(filter(None, (head, detail)))


def _goes_on(stage: Stage) -> str:
    who = "the first goes on" if stage.go_on == 1 else f"the first {stage.go_on} go on"
    return who if stage.groups == 1 else who.replace(" go", " of each group go")
