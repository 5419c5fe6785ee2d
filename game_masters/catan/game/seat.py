"""What a seat has: who plays it, its resources, development cards and pieces, and what it has won in a scenario."""

from dataclasses import dataclass, field, replace
from enum import StrEnum

from game_masters.catan.game.pieces import Pieces
from game_masters.catan.message.standing import Subject
from game_masters.catan.message.vocabulary import POINT_CARDS


class Sitter(StrEnum):
    """Who plays a seat."""

    HUMAN = "human"
    PROGRAM = "program"
    LEFT = "left"
    VACANT = "vacant"


@dataclass(slots=True)
class Inventory:
    """The development cards of a seat."""

    old: list[int] = field(default_factory=list)
    """Cards that may be played, and cards for points from the beginning."""
    fresh: list[int] = field(default_factory=list)
    """Cards drawn in this turn."""
    soldiers: int = 0
    """Those played."""

    @property
    def cards(self) -> list[int]:
        """All that are held."""
        return self.old + self.fresh

    @property
    def points(self) -> int:
        """What the cards count that bring points."""
        return sum(card in POINT_CARDS for card in self.cards)

    def age(self) -> None:
        """Make the cards playable that were drawn in the turn before."""
        self.old += self.fresh
        self.fresh = []

    def copy(self) -> "Inventory":
        """Return an independent copy."""
        return Inventory(self.old[:], self.fresh[:], self.soldiers)


@dataclass(frozen=True, slots=True)
class ScenarioState:
    """What a seat has done in its scenario. It changes rarely, so copies of a game share it."""

    special_points: int = 0
    special_areas: int = 0
    """A bit for each land area that gave special points."""
    start_areas: frozenset[int] = frozenset()
    events: int = 0
    cloth: int = 0

    @property
    def points(self) -> int:
        """What that counts."""
        # Two cloth are a point.
        return self.special_points + self.cloth // 2

    def with_cloth(self, gained: int) -> "ScenarioState":
        """Return it with more cloth, or with less."""
        return replace(self, cloth=self.cloth + gained)

    def settled(self, area: int, points: int) -> "ScenarioState":
        """Return it with special points for a settlement in a land area."""
        # Areas are counted from 1; area 0 cannot be settled.
        bit = 1 << (area - 1)
        return replace(self, special_points=self.special_points + points, special_areas=self.special_areas | bit)

    def has_settled(self, area: int) -> bool:
        """Whether the seat has started in a land area, or has had special points for it."""
        return area in self.start_areas or bool(self.special_areas & 1 << (area - 1))

    def with_event(self, event: int) -> "ScenarioState":
        """Return it with a bit for something that happens once."""
        return replace(self, events=self.events | event)

    def starting_in(self, *areas: int) -> "ScenarioState":
        """Return it with land areas where the seat has started."""
        return replace(self, start_areas=self.start_areas.union(areas))


@dataclass
class Seat:
    """What a seat has."""

    nick: str
    sitter: Sitter
    pieces: Pieces
    hand: list[int] = field(default_factory=lambda: [0] * 5)
    inventory: Inventory = field(default_factory=Inventory)
    scenario: ScenarioState = ScenarioState()
    asks_special: bool = False
    special_built: bool = False
    gold: int = 0
    """Picks that are due."""
    discards: int = 0
    """The number of cards to discard."""
    no: frozenset[Subject] = frozenset()
    """What it is not asked until it changes that: the answer is no."""
    brief: bool = False
    """Whether its states hold only what has changed."""
    refused: int = 0
    """Requests that could not be met in this turn."""
    gained: list[int] = field(default_factory=lambda: [0] * 6)
    """Resources from rolls, and picks from gold."""

    @property
    def total(self) -> int:
        """The number of resources."""
        return sum(self.hand)

    @property
    def public_points(self) -> int:
        """The points for pieces and in the scenario, which all see."""
        return self.pieces.points + self.scenario.points

    def copy(self) -> "Seat":
        """Return an independent copy."""
        return Seat(
            self.nick, self.sitter, self.pieces.copy(), self.hand[:], self.inventory.copy(), self.scenario,
            self.asks_special, self.special_built, self.gold, self.discards, self.no, self.brief, self.refused,
            self.gained[:],
        )  # fmt: skip
