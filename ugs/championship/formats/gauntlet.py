"""One against all the others: the champion plays every game."""

from collections.abc import Sequence

from ugs.championship.formats.fixed import FixedSchedule
from ugs.championship.formats.format_contract import PutOff, never
from ugs.championship.pairing.rounds import GauntletGames
from ugs.championship.plan import Plan, PlanError


class Gauntlet(FixedSchedule):
    """The champion of the plan, or the first seed, plays each of the others ``repeats`` times.

    With more than 2 seats the others play in groups and meet each other as equally often as possible; each of them
    plays ``repeats`` games, or the next higher number that fills all groups. Each player, the champion included, sits
    in every seat equally often, within one; with 2 seats the order changes from game to game of a pairing.
    """

    def __init__(self, plan: Plan, field: Sequence[str], seats: int, put_off: PutOff = never) -> None:
        """Make the schedule; the arguments are those of :class:`Schedule`. Raises PlanError when the champion is not in
        the field."""
        if plan.champion and plan.champion not in field:
            raise PlanError(f"champion = {plan.champion!r}: not in the field; allowed: one of {', '.join(field)}")
        super().__init__(plan, field, seats, put_off)

    def _places(self, entrants: Sequence[str]) -> Sequence[str]:
        champion = self._champion_of(entrants)
        # Last, where :class:`GauntletGames` expects it; its seats still change from game to game.
        return [*(nick for nick in entrants if nick != champion), champion]

    @property
    def champion(self) -> str:
        """The entrant that plays all others."""
        return self._champion_of(self.field)

    def _champion_of(self, entrants: Sequence[str]) -> str:
        return self.plan.champion if self.plan.champion in entrants else entrants[0]

    def _request(self, entrants: int, seats: int) -> GauntletGames:
        return GauntletGames(entrants, seats, self.plan.repeats)
