"""Which tables a championship has: one for a format, several where it is made of groups, stages or divisions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from ugs.championship.formats.composite import SPAN, Composite, SchedulePart
from ugs.championship.formats.format_contract import Schedule
from ugs.championship.formats.gauntlet import Gauntlet
from ugs.championship.formats.knock_out import KnockOut
from ugs.championship.formats.round_robin import RoundRobin
from ugs.championship.formats.swiss import Swiss
from ugs.championship.ledger import Ledger
from ugs.championship.tables.cross_tables import CrossTable, cross_table
from ugs.championship.tables.match_trees import MatchTree, match_tree
from ugs.championship.tables.scheduled_games import ScheduledGame
from ugs.championship.tables.score_groups import SwissRoundShown, score_groups
from ugs.championship.tables.stage_tables import StageTable, stage_table

MAX_SECTIONS: Final = 24
"""Groups, stages and divisions that are shown, the last ones."""
MAX_MATCHES: Final = 512
"""Matches of a knock-out that is shown as a tree."""


@dataclass(frozen=True, slots=True)
class Section:
    """One group, stage or division, or all of a championship: one of a tree, a cross table and a table of places."""

    label: str
    """``group A``; empty where the championship is of one piece."""
    tree: MatchTree | None = None
    cross: CrossTable | None = None
    swiss: list[SwissRoundShown] | None = None
    places: StageTable | None = None
    """Who stands where in a stage that has no tree and no cross table; elsewhere the standings have it."""
    stage: int = 0
    """The stage that it belongs to; 0 in formats without stages."""
    through: list[str] = field(default_factory=list)
    """Who went on to the next stage, best first; empty until that has begun."""

    @property
    def fixtures(self) -> frozenset[int]:
        """The games that stand in it one by one."""
        if self.tree is not None:
            third = [self.tree.third_place] if self.tree.third_place is not None else []
            matches = [match for round_ in self.tree.rounds for match in round_.matches] + third
            return frozenset(game.fixture for match in matches for game in match.games)
        rounds = self.swiss or ()
        return frozenset(one.game.fixture for round_ in rounds for group in round_.groups for one in group.games)


def sections(
    schedule: Schedule,
    ledger: Ledger,
    games: Sequence[ScheduledGame],
    points: Mapping[str, float],
    standings: Sequence[str] = (),
) -> list[Section]:
    """Return the tables of a championship; none for formats that have no table, and in very large fields.

    ``games``: all that were begun or decided; ``points``: what an outcome is worth; ``standings``: the players, best
    first, which is the order of those with equal points.
    """
    worth = {
        one.fixture: {nick: points[outcome] for nick, outcome in one.outcomes.items()} for one in ledger.standing()
    }
    if not isinstance(schedule, Composite):
        found = _section("", SchedulePart(0, schedule, "", 0), ledger, games, worth, standings)
        return [found] if found is not None else []
    shown = [_of_part(schedule, part, ledger, games, worth, standings) for part in schedule.parts[-MAX_SECTIONS:]]
    return [one for one in shown if one is not None]


def _of_part(
    schedule: Composite,
    part: SchedulePart,
    ledger: Ledger,
    games: Sequence[ScheduledGame],
    worth: Mapping[int, Mapping[str, float]],
    standings: Sequence[str],
) -> Section | None:
    """The same for a part, whose games have numbers of their own."""
    # The part is in the number of each of its games (``SchedulePart.outside``).
    own = [game for game in games if game.fixture // SPAN == part.number]
    inside = {fixture: got for fixture, got in worth.items() if fixture // SPAN == part.number}
    label = part.label or (own[0].label if own and not isinstance(part.schedule, KnockOut) else "")
    # A stable sort: the others stay in their order.
    order = sorted(schedule.standing(part), key=ledger.disqualified.__contains__)
    found = _section(label, part, ledger, own, inside, standings, order if part.points else ())
    if not part.stage or (found is not None and found.tree is not None):
        return found and replace(found, stage=part.stage, through=[*part.through])
    places = None
    if found is None or found.cross is None:
        counted = [one for one in ledger.standing() if one.fixture // SPAN == part.number]
        places = stage_table(part, order, counted, ledger)
    return replace(found or Section(label), places=places, stage=part.stage, through=[*part.through])


def _section(
    label: str,
    part: SchedulePart,
    ledger: Ledger,
    games: Sequence[ScheduledGame],
    worth: Mapping[int, Mapping[str, float]],
    standings: Sequence[str],
    order: Sequence[str] = (),
) -> Section | None:
    schedule = part.schedule
    if isinstance(schedule, KnockOut):
        few = len(schedule.matches) <= MAX_MATCHES
        return (
            Section(label, tree=match_tree(schedule, games, part.number * SPAN, ledger.disqualified)) if few else None
        )
    if isinstance(schedule, Swiss):
        bye = schedule.plan.bye_points(schedule.seats)
        byes = [(part.rounds_before + number, nick) for number, nick in schedule.byes()]
        return Section(label, swiss=score_groups(games, worth, byes, bye))
    if isinstance(schedule, RoundRobin | Gauntlet):
        places = {nick: place for place, nick in enumerate(standings)}
        field = [nick for nick in schedule.field if nick not in ledger.struck]
        field.sort(key=lambda nick: places.get(nick, len(places)))
        against = [schedule.champion] if isinstance(schedule, Gauntlet) else field
        there = [nick for nick in order if nick in field]
        table = cross_table(field, against, worth.values(), there) if schedule.seats == 2 else None
        return Section(label, cross=table) if table is not None else None
    return None
