"""The table of formats, and the one place where a schedule is made."""

from collections.abc import Sequence

from ugs.championship.formats.format_contract import PutOff, Schedule, never
from ugs.championship.formats.gauntlet import Gauntlet
from ugs.championship.formats.knock_out import KnockOut
from ugs.championship.formats.ladder import Ladder
from ugs.championship.formats.league import League
from ugs.championship.formats.round_robin import RoundRobin
from ugs.championship.formats.stages import Stages
from ugs.championship.formats.swiss import Swiss
from ugs.championship.pairing.groups import least_games
from ugs.championship.plan import Plan, PlanError, number_of_orders

FORMATS: dict[str, type[Schedule]] = {
    "round-robin": RoundRobin,
    "swiss": Swiss,
    "knock-out": KnockOut,
    "ladder": Ladder,
    "gauntlet": Gauntlet,
    "stages": Stages,
    "league": League,
}
"""By the name that a plan gives the format."""

MAX_GAMES = 500_000
"""The most games of a schedule that is drawn up beforehand."""


def make(plan: Plan, field: Sequence[str], seats: int, put_off: PutOff = never) -> Schedule:
    """Return the schedule of ``plan`` for the ``field``, best seed first, in games of ``seats`` seats.

    Takes well under a second up to 40 entrants, a few seconds for hundreds in groups of 3 and more; no time if that is
    ``put_off``. Raises PlanError, which names what does not fit.
    """
    if len(field) < 2:
        raise PlanError(f"entrants: {len(field)} in the field; a championship needs at least 2")
    if len(set(field)) < len(field):
        raise PlanError("entrants: the same nick twice")
    if not 2 <= seats <= len(field):
        raise PlanError(f"seats = {seats}: the field has {len(field)}; allowed: 2 to {len(field)}")
    # Counted before anything is made: a plan of a few bytes could take gigabytes (attack `hostile-files`).
    if plan.format in ("round-robin", "gauntlet"):
        openings = len(plan.openings) * number_of_orders(seats) or 1
        least = openings * _least_games_in_all(plan, len(field), seats)
        if least > MAX_GAMES:
            raise PlanError(
                f"repeats = {plan.repeats}: that is {least} games or more; allowed: {MAX_GAMES} games in all"
            )
    parts = {"league": plan.divisions, "stages": plan.stages[0].groups if plan.stages else 1}.get(plan.format, 0)
    # The largest group decides what it takes to draw them.
    if parts and (least := _least_games_in_all(plan, -(-len(field) // parts), max(2, seats))) > MAX_GAMES:
        raise PlanError(f"{plan.format}: {least} games or more in one group; allowed: {MAX_GAMES}")
    return FORMATS[plan.format](plan, field, seats, put_off)


def _least_games_in_all(plan: Plan, entrants: int, seats: int) -> int:
    if plan.format == "gauntlet":
        return plan.repeats * -(-(entrants - 1) // (seats - 1))
    if entrants < seats:
        return 0
    if seats == 2:
        return plan.repeats * entrants * (entrants - 1) // 2
    return plan.repeats * entrants * (1 if seats == entrants else least_games(entrants, seats)) // seats
