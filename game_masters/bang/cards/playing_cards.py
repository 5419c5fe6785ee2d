"""The 80 playing cards: names, suits, ranks, and what kind of card each is.

Source: the deck of the base game of Bang! (Emiliano Sciarra, daVinci 2002), with the names of the KBang protocol.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

SUITS: Sequence[str] = ("spades", "hearts", "diamonds", "clubs")
RANKS: Sequence[str] = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king", "ace")
RED = frozenset({"hearts", "diamonds"})
HEARTS = "hearts"
EXPLODES = frozenset(("spades", rank) for rank in RANKS[:8])
"""Suits and ranks that make a Dynamite go off: spades 2 to 9."""


class Kind(StrEnum):
    """How a card is played."""

    BROWN = "brown"
    """Used once, then discarded."""
    BLUE = "blue"
    """Stays on a table."""
    WEAPON = "weapon"
    """Stays on the own table, in place of another weapon."""


class Aim(StrEnum):
    """What a card is played on."""

    NONE = "none"
    PLAYER = "player"
    PLAYER_OR_CARD = "player or card"
    ANSWER = "answer"
    """It is no card for the own turn."""


class Name(NamedTuple):
    """What is true of all cards of one name."""

    kind: Kind
    aim: Aim
    words: str
    """The name for people."""
    reach: int = 0
    """Of a weapon: how far a BANG! reaches."""


_BROWN, _BLUE, _WEAPON = Kind.BROWN, Kind.BLUE, Kind.WEAPON

NAMES: Mapping[str, Name] = {
    "bang": Name(_BROWN, Aim.PLAYER, "BANG!"),
    "missed": Name(_BROWN, Aim.ANSWER, "Missed!"),
    "beer": Name(_BROWN, Aim.NONE, "Beer"),
    "saloon": Name(_BROWN, Aim.NONE, "Saloon"),
    "diligenza": Name(_BROWN, Aim.NONE, "Stagecoach"),
    "wells-fargo": Name(_BROWN, Aim.NONE, "Wells Fargo"),
    "general-store": Name(_BROWN, Aim.NONE, "General Store"),
    "panic": Name(_BROWN, Aim.PLAYER_OR_CARD, "Panic!"),
    "cat-balou": Name(_BROWN, Aim.PLAYER_OR_CARD, "Cat Balou"),
    "indians": Name(_BROWN, Aim.NONE, "Indians!"),
    "duel": Name(_BROWN, Aim.PLAYER, "Duel"),
    "gatling": Name(_BROWN, Aim.NONE, "Gatling"),
    "mustang": Name(_BLUE, Aim.NONE, "Mustang"),
    "appaloosa": Name(_BLUE, Aim.NONE, "Appaloosa"),
    "barrel": Name(_BLUE, Aim.NONE, "Barrel"),
    "dynamite": Name(_BLUE, Aim.NONE, "Dynamite"),
    "jail": Name(_BLUE, Aim.PLAYER, "Jail"),
    "volcanic": Name(_WEAPON, Aim.NONE, "Volcanic", 1),
    "schofield": Name(_WEAPON, Aim.NONE, "Schofield", 2),
    "remington": Name(_WEAPON, Aim.NONE, "Remington", 3),
    "carabine": Name(_WEAPON, Aim.NONE, "Carabine", 4),
    "winchester": Name(_WEAPON, Aim.NONE, "Winchester", 5),
}

_DECK: Mapping[str, Mapping[str, str]] = {
    "bang": {
        "spades": "ace",
        "hearts": "queen king ace",
        "diamonds": "2 3 4 5 6 7 8 9 10 jack queen king ace",
        "clubs": "2 3 4 5 6 7 8 9",
    },
    "missed": {"spades": "2 3 4 5 6 7 8", "clubs": "10 jack queen king ace"},
    "beer": {"hearts": "6 7 8 9 10 jack"},
    "saloon": {"hearts": "5"},
    # Both have the same rank and suit, as printed.
    "diligenza": {"spades": "9 9"},
    "wells-fargo": {"hearts": "3"},
    "general-store": {"spades": "queen", "clubs": "9"},
    "panic": {"hearts": "jack queen ace", "diamonds": "8"},
    "cat-balou": {"hearts": "king", "diamonds": "9 10 jack"},
    "indians": {"diamonds": "king ace"},
    "duel": {"spades": "jack", "diamonds": "queen", "clubs": "8"},
    "gatling": {"hearts": "10"},
    "mustang": {"hearts": "8 9"},
    "appaloosa": {"spades": "ace"},
    "barrel": {"spades": "queen king"},
    "dynamite": {"hearts": "2"},
    "jail": {"spades": "10 jack", "hearts": "4"},
    "volcanic": {"spades": "10", "clubs": "10"},
    "schofield": {"spades": "king", "clubs": "jack queen"},
    "remington": {"clubs": "king"},
    "carabine": {"clubs": "ace"},
    "winchester": {"spades": "8"},
}


class Card(NamedTuple):
    """A card as a reader sees it. Playing cards have an id; :data:`HIDDEN` is one that may not be seen."""

    id: int
    name: str = ""
    type: str = ""
    suit: str = ""
    rank: str = ""

    @property
    def words(self) -> str:
        """The card for people: ``BANG! (9 of diamonds)``."""
        if not self.name:
            return "a card"
        if self.type == CHARACTER:
            return self.name.replace("-", " ").title()
        return f"{NAMES[self.name].words} ({self.rank} of {self.suit})"


PLAYING = "playing"
CHARACTER = "character"
HIDDEN = Card(0)


def _faces() -> Iterator[tuple[str, str, str]]:
    for name, suits in _DECK.items():
        for suit, ranks in suits.items():
            for rank in ranks.split():
                yield name, suit, rank


FACES: Sequence[tuple[str, str, str]] = tuple(_faces())
"""Name, suit and rank of each of the 80 cards."""


def deck(ids: Sequence[int]) -> list[Card]:
    """Return the 80 cards, in the order of :data:`FACES`, with these ids."""
    return [Card(id, name, PLAYING, suit, rank) for id, (name, suit, rank) in zip(ids, FACES, strict=True)]


def is_weapon(card: Card) -> bool:
    """Return whether a card is a weapon."""
    return NAMES[card.name].kind is Kind.WEAPON
