"""A player that wants to win. It looks at what it is shown and remembers nothing."""

import random
from collections.abc import Callable, Mapping
from typing import Final

from game_masters.titan import requests as ask
from game_masters.titan.bots import fighting, planning, talks
from game_masters.titan.bots.odds import holds_titan, strength
from game_masters.titan.creatures import ARCHANGEL
from game_masters.titan.legal import legal_requests
from game_masters.titan.position import Awaiting, Engagement, Position
from game_masters.titan.requests import Request, Requests
from game_masters.titan.views import View

HOPELESS: Final = 0.45
"""A defender flees if it is weaker than this part of the attacker."""


def choose_as_captain(view: View, rng: random.Random) -> Requests:
    """Return a request. A reader who has missed messages asks for them."""
    asked = view.position.asked
    if asked is None:
        return (ask.Replay(view.replay.up_to if view.replay else None),)
    return (ANSWERS[asked.awaiting](view.position, asked.seat),)


def _engagement(position: Position) -> Engagement:
    assert position.engagement is not None
    return position.engagement


def _color(position: Position, seat: int) -> Request:
    # Colours make no difference: the first will do.
    return legal_requests(position)[0]


def _engage(position: Position, seat: int) -> Request:
    """Open the easiest engagement first: angels that it brings may help in the others."""

    def ease(hex: str) -> float:
        sides = {legion.seat == seat: strength(position, legion) for legion in position.in_land(hex)}
        return sides[True] / max(1.0, sides[False])

    return ask.Engage(max(position.engagements, key=ease))


def _flee(position: Position, seat: int) -> Request:
    engagement = _engagement(position)
    attacker, defender = (position.legions[marker] for marker in (engagement.attacker, engagement.defender))
    odds = strength(position, defender) / max(1.0, strength(position, attacker))
    # A Titan among the attackers is worth a fight.
    if odds < HOPELESS and not holds_titan(attacker) and not defender.lord:
        return ask.Flee(defender.marker)
    return ask.DoNotFlee(defender.marker)


def _acquire(position: Position, seat: int) -> Request:
    winner = _engagement(position).winner or ""
    choice = position.acquirable(position.open_chances[0])
    return ask.Acquire(winner, ARCHANGEL if ARCHANGEL in choice else choice[0])


def _summon(position: Position, seat: int) -> Request:
    """Call an angel where the winner needs it more than the donor."""
    # Only an attacker may summon.
    attacker = position.legions[_engagement(position).attacker]
    found = planning.best_summons(position, seat)
    if found is not None and planning.gains_by(position, attacker, position.legions[found[0]]):
        return ask.Summon(attacker.marker, *found)
    return ask.Summon(attacker.marker)


def _reinforce(position: Position, seat: int) -> Request:
    # Only a defender may be reinforced.
    legion = position.legions[_engagement(position).defender]
    best = planning.best_muster(position, legion, legion.hex)
    return ask.Recruit(legion.marker, best.recruit, best.recruiter) if best is not None else ask.Recruit(legion.marker)


ANSWERS: Final[Mapping[Awaiting, Callable[[Position, int], Request]]] = {
    Awaiting.COLOR: _color,
    Awaiting.SPLIT: planning.split,
    Awaiting.MOVE: planning.move,
    Awaiting.ENGAGE: _engage,
    Awaiting.FLEE: _flee,
    Awaiting.CONCEDE: talks.talk,
    Awaiting.NEGOTIATE: talks.talk,
    Awaiting.MANEUVER: fighting.maneuver,
    Awaiting.STRIKE: fighting.strike,
    Awaiting.CARRY: fighting.carry,
    Awaiting.ACQUIRE: _acquire,
    Awaiting.SUMMON: _summon,
    Awaiting.REINFORCE: _reinforce,
    Awaiting.MUSTER: planning.muster,
}
"""What a captain answers to each question."""
