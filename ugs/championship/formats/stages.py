"""Stages in one plan, each with those who came through the one before: for example groups, then a knock-out.

The field of a stage is dealt over its groups to and fro, best seed first, so that groups are equally strong. From each
group the best go on. Where players with equal points stand on both sides of that line, or share the first place of the
last stage, they play off if the plan asks for it; else the tie-breaks of the stage decide, without any the points among
them, then the seeding.
"""

from collections.abc import Sequence
from string import ascii_uppercase

from ugs.championship.formats.composite import Composite, SchedulePart, later
from ugs.championship.formats.format_contract import PutOff, Schedule, never
from ugs.championship.formats.knock_out import KnockOut
from ugs.championship.formats.round_robin import RoundRobin
from ugs.championship.formats.swiss import Swiss
from ugs.championship.plan import Plan, PlanError, Stage

FORMATS: dict[str, type[Schedule]] = {"round-robin": RoundRobin, "swiss": Swiss, "knock-out": KnockOut}
PLAY_OFF = "play-off"


class Stages(Composite):
    """One stage after the other; a stage begins when the one before is over, play-offs included."""

    def __init__(self, plan: Plan, field: Sequence[str], seats: int, put_off: PutOff = never) -> None:
        """Make the schedule; the arguments are those of :class:`Schedule`. Raises PlanError when the field is too small
        for the groups."""
        super().__init__(plan, field, seats, put_off)
        entrants = len(field)
        for number, stage in enumerate(plan.stages, start=1):
            least = max(2, seats) * stage.groups
            if entrants < least:
                raise PlanError(
                    f"stages: stage {number}: {entrants} for {stage.groups} groups in games of {seats}; "
                    f"allowed: {least} or more"
                )
            if number < len(plan.stages) and stage.go_on >= entrants // stage.groups + (entrants % stage.groups > 0):
                raise PlanError(f"stages: stage {number}: go_on = {stage.go_on}: all of a group would go on")
            entrants = min(entrants, stage.groups * stage.go_on)
        self._stage = 0
        self._groups: list[SchedulePart] = []
        self._play_offs: list[SchedulePart] | None = None
        """Of this stage; None before it is known whether there are any."""
        self._out: list[list[str]] = []
        """Those who went no further than this stage, best first."""
        self._over = False
        self._begin(list(self.field))
        self.changed()

    def go_on(self) -> None:
        """Add the parts that can be made now."""
        if self._over or not all(part.schedule.finished for part in self._groups):
            return
        if self._play_offs is None:
            self._play_offs = self._tied_at_the_line()
            self.changed()
        elif all(part.schedule.finished for part in self._play_offs):
            self._next_stage()

    @property
    def finished(self) -> bool:
        """Whether nothing is left to play."""
        return self._over and super().finished

    @property
    def total(self) -> int:
        """How many games there will be in total, without play-offs. Draws all stages, which may take seconds."""
        total, field = 0, len(self.field)
        for number in range(len(self.plan.stages)):
            for size in _sizes(field, self.plan.stages[number].groups):
                nicks = [str(place) for place in range(size)]
                # Only sizes matter, so places stand for the nicks that are not known yet.
                total += self._schedule(number, nicks, never).total or 0
            field = self.plan.stages[number].groups * self.plan.stages[number].go_on
        return total

    def placing(self) -> Sequence[str]:
        """Return the entrants, best first. First those of the last stage that has begun, then those who did not come
        through the one before, and so on."""
        here = [self._ranked(part) for part in self._groups]
        present = _by_rows(here)
        known = [*present, *(nick for out in reversed(self._out) for nick in out)]
        gone = sorted({*self.field} - {*known}, key=self.seeding.__getitem__)
        return list(dict.fromkeys([*known, *gone]))

    def standing(self, part: SchedulePart) -> Sequence[str]:
        """Return the players of a part, best first, play-offs included; those who have left before its end last."""
        order = part.order or self._ranked(part)
        return [*order, *(nick for nick in part.ranking() if nick not in order)]

    @property
    def out(self) -> frozenset[str]:
        """Who did not come through a stage that is over."""
        return frozenset(nick for out in self._out for nick in out)

    def not_enterable(self) -> str:
        """Why no entrant can enter any more; empty when one can."""
        swiss = self._swiss()
        if self._stage or swiss is None:
            return "in stages players enter only a first stage that is a Swiss without groups, while it is played"
        # It is over with rounds left where leavers have left too few for a game.
        return swiss.not_enterable() or ("too few are left for a game, so it is over" if self._over else "")

    def may_come_late(self, before: int) -> bool:
        """Whether a player who logs in now may enter, if the plan lets players in until this round is drawn."""
        swiss = self._swiss()
        return not self._stage and swiss is not None and swiss.may_come_late(before)

    def enter(self, nick: str) -> None:
        """Take one more entrant in, at the end of the field of the first stage."""
        swiss = self._swiss()
        assert swiss is not None
        self.field = (*self.field, nick)
        self.seeding[nick] = len(self.seeding)
        swiss.enter(nick)
        self.changed()

    def takes_back(self) -> bool:
        """Whether an entrant that has left may still play what is not drawn yet."""
        return not self.not_enterable()

    def take_back(self, nick: str) -> None:
        """Let an entrant that has left play from the next round of the first stage on."""
        swiss = self._swiss()
        assert swiss is not None
        self.gone.discard(nick)
        swiss.take_back(nick)
        self.changed()

    def cannot_sit_out(self, round_: int) -> str:
        """Why no entrant can ask to sit out this round; empty when one can."""
        swiss = self._swiss()
        if swiss is None:
            return "in stages only one that is a Swiss without groups has byes on request"
        return swiss.cannot_sit_out(round_, self._groups[0].rounds_before)

    def sit_out(self, nick: str, round_: int) -> None:
        """Let an entrant sit out a round that is not drawn yet."""
        swiss = self._swiss()
        assert swiss is not None
        swiss.sit_out(nick, round_ - self._groups[0].rounds_before)
        self.changed()

    def asked_to_sit_out(self) -> Sequence[tuple[str, int]]:
        """Who has asked to sit out which round."""
        swiss, before = self._swiss(), self._groups[0].rounds_before
        return [] if swiss is None else [(nick, before + round_) for nick, round_ in swiss.asked_to_sit_out()]

    def _swiss(self) -> Swiss | None:
        """The Swiss that is all of the stage that is played; None where there is none."""
        schedule = self._groups[0].schedule
        return schedule if len(self._groups) == 1 and isinstance(schedule, Swiss) else None

    def _begin(self, field: Sequence[str]) -> None:
        stage = self.plan.stages[self._stage]
        groups: list[list[str]] = [[] for _ in range(stage.groups)]
        for place, nick in enumerate(field):
            row, at = divmod(place, stage.groups)
            groups[stage.groups - 1 - at if row % 2 else at].append(nick)
        label = "" if stage.groups == 1 else "group {}"
        self._groups = []
        for number, nicks in enumerate(groups):
            if len(nicks) >= max(2, self.seats):
                schedule = self._schedule(self._stage, nicks)
                part = self.add(schedule, label.format(_letters(number)), self._stage + 1)
                part.tie_breaks = stage.tie_breaks
                self._groups.append(part)
        self._play_offs = None

    def _schedule(self, number: int, nicks: Sequence[str], put_off: PutOff = later) -> Schedule:
        stage = self.plan.stages[number]
        return FORMATS[stage.format](_plan_of(self.plan, stage), nicks, self.seats, put_off)

    def _line(self) -> int:
        """How many of a group are on the good side of the line."""
        last = self._stage == len(self.plan.stages) - 1
        return 1 if last else self.plan.stages[self._stage].go_on

    def _tied_at_the_line(self) -> list[SchedulePart]:
        """Add the play-offs that this stage needs."""
        if not self.plan.stages[self._stage].play_off:
            return []
        found = []
        for part in self._groups:
            # A knock-out has no ties.
            if part.schedule.placing() is not None:
                continue
            above = 0
            for tied in part.ties(nick for nick in part.schedule.field if nick not in self.gone):
                # Only those on both sides of the line; fewer than a game needs cannot play off.
                if above < self._line() < above + len(tied) and len(tied) >= self.seats:
                    plan = self.plan.but(format="round-robin", repeats=1)
                    schedule = RoundRobin(plan, tied, self.seats, later)
                    found.append(self.add(schedule, PLAY_OFF, self._stage + 1))
                above += len(tied)
        return found

    def _ranked(self, part: SchedulePart) -> list[str]:
        """The players of a group, best first, play-offs included, without those who have left."""
        order = part.ranking(self.gone)
        for play_off in self._play_offs or ():
            tied = [nick for nick in order if nick in play_off.schedule.field]
            if tied:
                at = order.index(tied[0])
                # A stable sort: those who are level again keep the order that they had before the play-off.
                order[at : at + len(tied)] = sorted(tied, key=lambda nick: -play_off.worth(nick))
        return order

    def _next_stage(self) -> None:
        ranked = [self._ranked(part) for part in self._groups]
        last = self._stage == len(self.plan.stages) - 1
        through = [order[: self._line()] for order in ranked]
        # Leavers may have left too few for a game.
        if last or sum(map(len, through)) < self.seats:
            self._over = True
            return
        self._out.append(_by_rows([order[self._line() :] for order in ranked]))
        for part in self._play_offs or ():
            part.order = tuple(self._ranked(part))
        for part, order in zip(self._groups, ranked, strict=True):
            part.order, part.through = tuple(order), tuple(order[: self._line()])
        self._stage += 1
        self._begin(_seeded(through))
        self.changed()


def _plan_of(plan: Plan, stage: Stage) -> Plan:
    """The plan of one group of a stage."""
    own = ("format", "repeats", "rounds", "best_of", "third_place")
    return plan.but(**{name: getattr(stage, name) for name in own})


def _sizes(entrants: int, groups: int) -> list[int]:
    return [entrants // groups + (number < entrants % groups) for number in range(groups)]


def _letters(number: int) -> str:
    """``A`` to ``Z``, then ``AA``."""
    before, last = divmod(number, len(ascii_uppercase))
    return (_letters(before - 1) if before else "") + ascii_uppercase[last]


def _by_rows(groups: Sequence[Sequence[str]]) -> list[str]:
    """All first ones, then all second ones, and so on."""
    deepest = max(map(len, groups), default=0)
    return [group[row] for row in range(deepest) for group in groups if row < len(group)]


def _seeded(through: Sequence[Sequence[str]]) -> list[str]:
    """Those who go on, the winners of the groups first, ordered so that as few as possible of one group meet at once,
    when the best meets the last, the second the last but one, and so on."""
    group_of = {nick: number for number, group in enumerate(through) for nick in group}
    deepest = max(map(len, through))

    def turned(by: int) -> list[str]:
        rows = [[group[row] for group in through if row < len(group)] for row in range(deepest)]
        return [nick for row, nicks in enumerate(rows) for nick in _rotated(nicks, by * row)]

    def meet_at_once(order: Sequence[str]) -> int:
        # As the bracket of a knock-out is filled up: the top seeds have no opponent at first.
        full = 1 << (len(order) - 1).bit_length()
        pairs = [(place, full - 1 - place) for place in range(full // 2) if full - 1 - place < len(order)]
        return sum(group_of[order[one]] == group_of[order[other]] for one, other in pairs)

    return min(map(turned, range(len(through))), key=meet_at_once)


def _rotated(nicks: Sequence[str], by: int) -> list[str]:
    at = by % len(nicks) if nicks else 0
    return [*nicks[at:], *nicks[:at]]
