"""All chance of a game: random numbers, or a script in their place, for tests, puzzles and replays."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

T = TypeVar("T")

_SIDES: Final = 6


@dataclass(frozen=True)
class Script:
    """What chance is to bring. Lists are used from the beginning; after their end random numbers go on."""

    hexes: tuple[tuple[int, int, int], ...] = ()
    """Hex, type and number (0: none) of all land hexes, those under fog too; empty: shuffled."""
    ports: tuple[int, ...] = ()
    """The types of the ports in the order of their places; empty: shuffled."""
    first: int | None = None
    """The seat that begins."""
    dice: tuple[int, ...] = ()
    """Sums of rolls."""
    deck: tuple[int, ...] = ()
    """Development cards, the first to be drawn first."""
    thefts: tuple[int, ...] = ()
    """Resources that are stolen; one that the victim has not is skipped."""
    village_numbers: tuple[int, ...] = ()
    """The numbers of the villages in their order."""
    fog: tuple[int, ...] = ()
    """The hexes under fog; empty: as the board has it."""
    robber: int | None = None
    """Where the robber begins; None: where the board has it."""


@dataclass
class Chance:
    """The chance of one game. Dice and thefts have numbers of their own: each turn has the same dice in all games of
    one seed, whoever robs before it."""

    rng: random.Random
    """For the board, the deck, the first player and the dice."""
    rng_of_thefts: random.Random
    script: Script = field(default_factory=Script)
    rolls: int = 0
    thefts: int = 0
    dice: int = 0
    """The sum of the last roll of this turn; 0 before it."""
    deck: list[int] = field(default_factory=list)
    """Development cards, the first to be drawn first."""

    @classmethod
    def of(cls, rng: random.Random, script: Script | None = None) -> "Chance":
        """Return the chance of a game that begins. Thefts follow from ``rng`` and take none of its numbers."""
        return cls(rng, random.Random(f"thefts {rng.getstate()}"), script or Script())

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in a random order."""
        mixed = list(items)
        self.rng.shuffle(mixed)
        return mixed

    def one_of(self, items: Sequence[T]) -> T:
        """Return one of the items."""
        return self.rng.choice(items)

    def roll(self, *, no_seven: bool) -> int:
        """Return the sum of two dice, and keep it as :attr:`dice`; with ``no_seven`` they are rolled again until it is
        another. The script's sums are taken as they are."""
        self.dice = self._rolled(no_seven=no_seven)
        return self.dice

    def _rolled(self, *, no_seven: bool) -> int:
        if self.rolls < len(self.script.dice):
            self.rolls += 1
            return self.script.dice[self.rolls - 1]
        while True:
            # Two dice, not a number from 2 to 12: the sums are not equally likely.
            total = self.rng.randint(1, _SIDES) + self.rng.randint(1, _SIDES)
            if total != 7 or not no_seven:
                return total

    def theft(self, hand: Sequence[int]) -> int:
        """Return the resource, 1 to 5, of a random card of a hand that is not empty."""
        while self.thefts < len(self.script.thefts):
            self.thefts += 1
            resource = self.script.thefts[self.thefts - 1]
            if hand[resource - 1]:
                return resource
        return self.rng_of_thefts.choices(range(1, 6), weights=hand[:5])[0]

    def copy(self) -> "Chance":
        """Return chance that will bring the same."""
        return Chance(
            _copied(self.rng), _copied(self.rng_of_thefts), self.script, self.rolls, self.thefts, self.dice,
            self.deck[:],
        )  # fmt: skip


def _copied(rng: random.Random) -> random.Random:
    other = random.Random()
    other.setstate(rng.getstate())
    return other
