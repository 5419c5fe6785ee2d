"""The players in their circle: who sits where, who is alive, how far one is from another."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from game_masters.bang.cards.characters import PAUL, ROSE
from game_masters.bang.cards.playing_cards import NAMES, Card, is_weapon
from game_masters.bang.messages.events import PlayerView, view_of
from game_masters.bang.messages.words import Role

BARE_HANDS = 1
"""How far a BANG! reaches without a weapon."""


@dataclass(slots=True, eq=False)
class Player:
    """A player, with all that others may not know."""

    id: int
    name: str
    character: str = ""
    role: Role = Role.UNKNOWN
    life: int = 0
    """Below 0 after a Dynamite, until the last save is decided."""
    most: int = 0
    """The maximum of life points."""
    hand: list[Card] = field(default_factory=list)
    table: list[Card] = field(default_factory=list)
    alive: bool = True
    winner: bool = False
    controlled: bool = True
    ai: bool = False
    lobby: bool = False
    """Whether it is a computer player that the creator asked for."""

    def copy(self) -> "Player":
        """Return a copy that shares nothing that can change."""
        return replace(self, hand=list(self.hand), table=list(self.table))

    @property
    def is_sheriff(self) -> bool:
        """Whether this is the sheriff."""
        return self.role is Role.SHERIFF

    @property
    def weapon(self) -> Card | None:
        """The weapon on the table."""
        return next((card for card in self.table if is_weapon(card)), None)

    @property
    def reach(self) -> int:
        """How far a BANG! of this player reaches."""
        weapon = self.weapon
        return BARE_HANDS if weapon is None else NAMES[weapon.name].reach

    def has(self, name: str) -> bool:
        """Return whether a card of this name is on the table."""
        return any(card.name == name for card in self.table)

    def in_hand(self, id: int) -> Card | None:
        """Return the card of the hand with this id."""
        return next((card for card in self.hand if card.id == id), None)

    def on_table(self, id: int) -> Card | None:
        """Return the card on the table with this id."""
        return next((card for card in self.table if card.id == id), None)

    def view(self, *, role_known: bool = False) -> PlayerView:
        """Return what all may know of this player; the role if it is ``role_known``, or public anyway."""
        open_role = role_known or self.is_sheriff or not self.alive
        # Roles of the dead are public, that of the sheriff from the start.
        role = self.role if open_role else Role.UNKNOWN
        return view_of(self, sheriff=self.is_sheriff, life=max(0, self.life), hand=len(self.hand), role=role)


class Circle:
    """All players, in the order of their seats."""

    def __init__(self, players: Sequence[Player]) -> None:
        self.players = list(players)

    def __getitem__(self, id: int) -> Player:
        return next(player for player in self.players if player.id == id)

    def __iter__(self) -> Iterator[Player]:
        return iter(self.players)

    def find(self, id: int) -> Player | None:
        """Return the player with this id."""
        return next((player for player in self.players if player.id == id), None)

    @property
    def living(self) -> list[Player]:
        """The players who are alive."""
        return [player for player in self.players if player.alive]

    def from_player(self, id: int) -> list[Player]:
        """Return the living players in turn order, beginning with this one (or the next, if it is dead)."""
        place = next(place for place, player in enumerate(self.players) if player.id == id)
        return [player for player in (*self.players[place:], *self.players[:place]) if player.alive]

    def after(self, id: int) -> Player:
        """Return the next living player after this one; the player itself if it is the only one."""
        return next((player for player in self.from_player(id) if player.id != id), self[id])

    def owner(self, card: int) -> Player | None:
        """Return the player on whose table the card lies."""
        return next((player for player in self.living if player.on_table(card) is not None), None)

    def distance(self, origin: Player, target: Player) -> int:
        """Return how far ``origin`` sees ``target``: both are alive. To oneself it is 1."""
        # Panic! on an own card is always in range: Mustang and Appaloosa do not change the distance to oneself.
        if origin is target:
            return 1
        # The dead leave the circle, and those beside them move together.
        living = self.living
        places = living.index(origin), living.index(target)
        return distance(len(living), *places, looks(origin.character, origin.table, target.character, target.table))


def distance(living: int, origin: int, target: int, looks: int) -> int:
    """Return how far one of the living players sees another one, by their places; ``looks`` is from
    :func:`looks`."""
    steps = abs(origin - target)
    # It may be 0 or less: it is only compared with how far a card reaches.
    return min(steps, living - steps) + looks


def looks(character: str, table: Iterable[Card], other: str, its_table: Iterable[Card]) -> int:
    """Return how much farther a player sees another one, by characters and cards on tables; often less than 0."""
    nearer = any(card.name == "appaloosa" for card in table) + (character == ROSE)
    farther = any(card.name == "mustang" for card in its_table) + (other == PAUL)
    return farther - nearer
