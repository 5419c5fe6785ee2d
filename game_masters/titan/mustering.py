"""What a legion can muster in a land, and which creatures it shows for it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from game_masters.titan.creatures import CHAINS, GUARDIAN, KINDS, TITAN, UNKNOWN, WARLOCK, Creature
from game_masters.titan.lands import TOWER

FREE: Final[Sequence[Creature]] = ("Centaur", "Gargoyle", "Ogre")
"""What any legion can muster in a tower, and shows nothing."""
ALIKE: Final = 3
"""Creatures of one kind that bring a Guardian."""


@dataclass(frozen=True, slots=True)
class Muster:
    """A creature that can be mustered, and what is shown for it. Without a recruiter nothing is shown."""

    recruit: Creature
    recruiter: Creature | None = None
    number: int = 0


def musters(terrain: str, creatures: Sequence[Creature], stock: Mapping[Creature, int]) -> list[Muster]:
    """Return all that creatures can muster in a terrain, by recruit; first what shows least."""
    find = _in_tower if terrain == TOWER else _in_chain
    found = [one for one in find(terrain, creatures) if stock.get(one.recruit, 0) > 0]
    return sorted(found, key=_shows)


def _shows(muster: Muster) -> tuple[Creature, int, int, Creature]:
    """Order musters by how much they show: few creatures, then cheap ones."""
    recruiter = muster.recruiter or ""
    return muster.recruit, muster.number, KINDS[recruiter].points if recruiter else 0, recruiter


def _in_chain(terrain: str, creatures: Sequence[Creature]) -> Iterator[Muster]:
    chain = CHAINS[terrain]
    for place, link in enumerate(chain):
        # Down or level: one creature that stands here or later in the chain is enough.
        for other in chain[place:]:
            if other.creature in creatures:
                yield Muster(link.creature, other.creature, 1)
        # Up: as many of the creature right before as the table asks for.
        if place > 0 and creatures.count(chain[place - 1].creature) >= link.needed:
            yield Muster(link.creature, chain[place - 1].creature, link.needed)


def _in_tower(terrain: str, creatures: Sequence[Creature]) -> Iterator[Muster]:
    # Always free, and nothing is shown.
    yield from map(Muster, FREE)
    for creature in dict.fromkeys(creatures):
        if creature == GUARDIAN:
            yield Muster(GUARDIAN, creature, 1)
        elif creature in (TITAN, WARLOCK):
            yield Muster(WARLOCK, creature, 1)
        # Three alike, but neither lords nor demi-lords.
        elif creature != UNKNOWN and KINDS[creature].rank == "creature" and creatures.count(creature) >= ALIKE:
            yield Muster(GUARDIAN, creature, ALIKE)
