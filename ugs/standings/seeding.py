"""The seeding of a plan out of a journal: by ratings, or by the places of an earlier championship."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ugs.championship.plan import Plan, PlanError
from ugs.journal.database import DATABASE
from ugs.places import Place
from ugs.standings.source import WrongRequest, from_journal
from ugs.standings.standings import StandingsLine

RATING = "rating"
ENDED: Final = ("over", "cancelled")
"""States of a championship whose places are final."""


def seeded(plan: Plan, place: Place | None) -> Plan:
    """Return ``plan`` with its ``seeds``, if it wants any and does not give them itself.

    ``place`` is where the journal is. The earlier championship may be of any game type. Raises PlanError when there is
    none of this name that is over, and
    :class:`ugs.journal.database.JournalError` when the journal cannot be read. Without any games there are no ratings,
    and no seeds.
    """
    if not plan.seeding or plan.seeds:
        return plan
    by_rating = plan.seeding == RATING
    if place is None or (isinstance(place, Path) and not (place / DATABASE).is_file()):
        if by_rating:
            return plan
        where = "give --data-dir of the server that played it" if place is None else f"there is no journal in {place}"
        raise PlanError(f"seeding = {plan.seeding!r}: the places of this championship are in a journal; {where}")
    lines = _by_ratings(place, plan.game_type) if by_rating else _by_places(place, plan.seeding)
    return plan.but(seeds=tuple(line.nick for line in lines)) if lines is not None else plan


def _by_ratings(place: Place, game_type: str) -> Sequence[StandingsLine] | None:
    """The players of a game type, best first; None where no game of it was played."""
    try:
        (standings,) = from_journal(place, game_type, None, ratings=True)
    except WrongRequest:
        return None
    return sorted(standings.players, key=_by_rating)


def _by_places(place: Place, championship: str) -> Sequence[StandingsLine]:
    """The entrants of a championship that is over, best first. Raises PlanError if there is none."""
    try:
        (standings,) = from_journal(place, None, championship, ratings=False)
    except WrongRequest as error:
        raise PlanError(f"seeding: {error}") from None
    if standings.state not in ENDED:
        raise PlanError(f"seeding = {championship!r}: this championship is {standings.state}; wait until it is over")
    return standings.players


def _by_rating(line: StandingsLine) -> tuple[float, float]:
    """The best first, those without a rating last."""
    skill = line.rating.ordinal if line.rating is not None else float("-inf")
    return -(line.elo.value if line.elo is not None else float("-inf")), -skill
