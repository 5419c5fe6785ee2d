"""The creatures: what each kind can do, how many there are, and which terrain lets which be mustered.

The tables are ``data/creatures.txt`` and ``data/chains.txt``.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from game_masters.titan.tables import rows

Creature: TypeAlias = str
"""The name of a kind of creature. Two creatures of one kind are alike."""

UNKNOWN: Final[Creature] = "?"
"""A creature that the reader knows only to be there."""
TITAN: Final[Creature] = "Titan"
ANGEL: Final[Creature] = "Angel"
ARCHANGEL: Final[Creature] = "Archangel"
GUARDIAN: Final[Creature] = "Guardian"
WARLOCK: Final[Creature] = "Warlock"

TITAN_POWER: Final = 6
POINTS_PER_TITAN_POWER: Final = 100


@dataclass(frozen=True, slots=True)
class Kind:
    """What all creatures of one name have in common."""

    name: Creature
    rank: str
    """``lord``, ``demi-lord`` or ``creature``."""
    power: int
    skill: int
    count: int
    """Tokens in the box."""
    flies: bool
    rangestrikes: bool
    magic: bool
    """Its rangestrikes are magic missiles."""
    summonable: bool
    native: frozenset[str]
    """The hazards that it is at home in."""

    @property
    def lord(self) -> bool:
        """Whether it is a lord. Demi-lords are none."""
        return self.rank == "lord"

    @property
    def returns(self) -> bool:
        """Whether it goes back into the stock when it dies."""
        # A Titan never comes back: its owner is out of the game.
        return self.rank != "creature" and self.name != TITAN

    @property
    def points(self) -> int:
        """The points that it is worth; of a Titan, with its first power."""
        return self.power * self.skill


def _kinds() -> dict[Creature, Kind]:
    found = {}
    for name, rank, power, skill, count, abilities, *native in rows("creatures.txt"):
        flies, rangestrikes, magic, summonable = (letter in abilities for letter in "FRMS")
        found[name] = Kind(
            name, rank, int(power), int(skill), int(count), flies, rangestrikes, magic, summonable, frozenset(native)
        )
    return found


KINDS: Final[Mapping[Creature, Kind]] = _kinds()
ORDER: Final[Mapping[Creature, int]] = {name: place for place, name in enumerate((*sorted(KINDS), UNKNOWN))}

START: Final[tuple[Creature, ...]] = (
    "Angel", "Centaur", "Centaur", "Gargoyle", "Gargoyle", "Ogre", "Ogre", "Titan",
)  # fmt: skip
"""The first legion of every player."""


@dataclass(frozen=True, slots=True)
class Link:
    """One creature of a chain, and how many of the creature before it are needed to muster it."""

    creature: Creature
    needed: int


def _chains() -> dict[str, tuple[Link, ...]]:
    found = {}
    for terrain, first, *others in rows("chains.txt"):
        pairs = zip(others[1::2], others[::2], strict=True)
        found[terrain] = (Link(first, 0), *(Link(creature, int(needed)) for creature, needed in pairs))
    return found


CHAINS: Final[Mapping[str, tuple[Link, ...]]] = _chains()
"""By terrain. The Tower has none."""


def titan_power(score: int) -> int:
    """Return the power of a Titan whose owner has this score."""
    return TITAN_POWER + score // POINTS_PER_TITAN_POWER


def power(creature: Creature, score: int) -> int:
    """Return the dice that a creature throws and the hits that it can take, in the legion of an owner with this
    score."""
    return titan_power(score) if creature == TITAN else KINDS[creature].power


def value(creatures: Iterable[Creature], score: int) -> int:
    """Return what creatures of an owner with this score are worth, in points."""
    return sum([power(creature, score) * KINDS[creature].skill for creature in creatures])


def ordered(creatures: Iterable[Creature]) -> tuple[Creature, ...]:
    """Return creatures in the order of legions: by name, unknown ones last."""
    return tuple(sorted(creatures, key=ORDER.__getitem__))


def without(creatures: Sequence[Creature], gone: Iterable[Creature]) -> tuple[Creature, ...]:
    """Return what is left when creatures go, one for one; an unknown one stands in for a creature that is not seen.

    Raises ValueError if one of them cannot be among the creatures.
    """
    left = list(creatures)
    for creature in gone:
        # What a reader has not seen may be anything, so it stands for what goes.
        if creature not in left:
            if UNKNOWN not in left:
                raise ValueError(f"no {creature} among {', '.join(creatures) or 'no creatures'}")
            creature = UNKNOWN
        left.remove(creature)
    return tuple(left)


def seen(creatures: Sequence[Creature], shown: Iterable[Creature]) -> tuple[Creature, ...]:
    """Return creatures after some of them have been shown: as many of the unknown ones become known as needed."""
    shown = tuple(shown)
    left = list(creatures)
    for creature in dict.fromkeys(shown):
        for _ in range(shown.count(creature) - creatures.count(creature)):
            if UNKNOWN not in left:
                raise ValueError(f"no {creature} among {', '.join(creatures)}")
            left.remove(UNKNOWN)
            left.append(creature)
    return ordered(left)
