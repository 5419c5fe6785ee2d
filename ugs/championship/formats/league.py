"""A league goes on season after season, in divisions: the best of a division change places with the last of the one
above.

A season is a round robin in each division. The next one begins when all divisions have played theirs. The field, best
seed first, is cut into divisions of equal size, the larger ones on top; who leaves or enters moves the cuts for the
next season.
"""

from collections.abc import Sequence
from itertools import pairwise

from ugs.championship.formats.composite import Composite, SchedulePart, later
from ugs.championship.formats.format_contract import PutOff, never
from ugs.championship.formats.round_robin import RoundRobin
from ugs.championship.plan import Plan, PlanError


class League(Composite):
    """``rounds`` seasons, or without end; ``promoted`` go up and as many go down."""

    def __init__(self, plan: Plan, field: Sequence[str], seats: int, put_off: PutOff = never) -> None:
        """Make the schedule; the arguments are those of :class:`Schedule`. Raises PlanError when the field is too small
        for the divisions."""
        super().__init__(plan, field, seats, put_off)
        if len(field) < plan.divisions * seats:
            raise PlanError(
                f"divisions = {plan.divisions}: {len(field)} entrants in games of {seats}; "
                f"allowed: at most {max(1, len(field) // seats)}"
            )
        # Otherwise a player could move by two divisions in one season.
        if plan.divisions > 1 and 2 * plan.promoted > len(field) // plan.divisions:
            raise PlanError(f"promoted = {plan.promoted}: a division has {len(field) // plan.divisions}")
        self._seasons = 0
        self._divisions: list[SchedulePart] = []
        self._joining: list[str] = []
        self._over = False
        self._begin(list(self.field))
        self.changed()

    def not_enterable(self) -> str:
        """Why no entrant can enter any more; empty when one can."""
        return "its last season is played" if self._seasons == self.plan.rounds or self._over else ""

    def enter(self, nick: str) -> None:
        """Take one more entrant in, at the end of the field. It plays from the next season on, at the end of the last
        division."""
        self.field = (*self.field, nick)
        self.seeding[nick] = len(self.seeding)
        self._joining.append(nick)

    def go_on(self) -> None:
        """Add the parts that can be made now."""
        if self._over or not all(part.schedule.finished for part in self._divisions):
            return
        order = self._after_the_season()
        if self._seasons == self.plan.rounds or len(order) < self.seats:
            self._over = True
            return
        self._begin(order)

    @property
    def finished(self) -> bool:
        """Whether nothing is left to play."""
        return self._over and super().finished

    @property
    def total(self) -> int | None:
        """How many games there will be in total; None where that is not known."""
        each = sum(part.schedule.total or 0 for part in self.parts[: self.plan.divisions])
        return each * self.plan.rounds if self.plan.rounds else None

    def placing(self) -> Sequence[str]:
        """Return the entrants, best first: division by division, as this season stands."""
        here = [nick for part in self._divisions for nick in part.ranking(self.gone)]
        # Each once, where it comes first; those who have left are behind all others.
        return list(dict.fromkeys([*here, *self._joining, *self.field]))

    def _begin(self, order: Sequence[str]) -> None:
        self._seasons += 1
        self._joining = []
        # Entrants may have left: rather fewer divisions than one that is too small for a game.
        divisions = max(1, min(self.plan.divisions, len(order) // self.seats))
        at, self._divisions = 0, []
        for number in range(divisions):
            size = len(order) // divisions + (number < len(order) % divisions)
            schedule = RoundRobin(self.plan, order[at : at + size], self.seats, later)
            self._divisions.append(self.add(schedule, f"season {self._seasons}, division {number + 1}"))
            at += size

    def _after_the_season(self) -> list[str]:
        """The order that the next season is made from: the best and the last have changed places."""
        ranked = [part.ranking(self.gone) for part in self._divisions]
        for above, below in pairwise(ranked):
            moved = min(self.plan.promoted, len(above), len(below))
            if moved:
                above[-moved:], below[:moved] = below[:moved], above[-moved:]
        joining = [nick for nick in self._joining if nick not in self.gone]
        return [nick for division in ranked for nick in division] + joining
