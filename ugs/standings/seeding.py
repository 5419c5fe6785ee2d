"""The seeding of a plan out of a journal: by ratings, or by the places of an earlier championship."""

from pathlib import Path

from ugs.championship.plan import Plan, PlanError
from ugs.journal.database import DATABASE
from ugs.places import Place
from ugs.standings.source import WrongRequest, from_journal
from ugs.standings.standings import StandingsLine

RATING = "rating"


def seeded(plan: Plan, place: Place | None) -> Plan:
    """Return ``plan`` with its ``seeds``, if it wants any and does not give them itself.

    ``place`` is where the journal is. Raises PlanError when there is no such championship, and
    :class:`ugs.journal.database.JournalError` when the journal cannot be read. Without any games there are no ratings,
    and no seeds.
    """
    if not plan.seeding or plan.seeds:
        return plan
    by_rating = plan.seeding == RATING
    if place is None or (isinstance(place, Path) and not (place / DATABASE).is_file()):
        if by_rating:
            return plan
        raise PlanError(f"seeding = {plan.seeding!r}: there is no journal with this championship")
    try:
        (standings,) = from_journal(place, plan.game_type, None if by_rating else plan.seeding, ratings=by_rating)
    except WrongRequest as error:
        if by_rating:
            return plan
        raise PlanError(f"seeding: {error}") from None
    lines = sorted(standings.players, key=_by_rating) if by_rating else standings.players
    return plan.but(seeds=tuple(line.nick for line in lines))


def _by_rating(line: StandingsLine) -> tuple[float, float]:
    """The best first, those without a rating last."""
    skill = line.rating.ordinal if line.rating is not None else float("-inf")
    return -(line.elo.value if line.elo is not None else float("-inf")), -skill
