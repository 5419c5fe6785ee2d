"""The cards: 45 of them, each a number of its own, of eleven kinds; and two piles, to draw from and to discard on."""

import random
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from enum import StrEnum
from typing import TypeAlias

Card: TypeAlias = int
"""One physical card: two cards of one kind are two cards."""

HAND = 5
"""Cards in a player's hand in ADULT."""


class Kind(StrEnum):
    """The kinds of cards, in the order of the deck. There is no 6 and no 9."""

    ONE = "CARD_1"
    TWO = "CARD_2"
    THREE = "CARD_3"
    FOUR = "CARD_4"
    FIVE = "CARD_5"
    SEVEN = "CARD_7"
    EIGHT = "CARD_8"
    TEN = "CARD_10"
    ELEVEN = "CARD_11"
    TWELVE = "CARD_12"
    APOLOGIES = "CARD_APOLOGIES"

    @property
    def short(self) -> str:
        """The kind in short, for people."""
        return "A" if self is Kind.APOLOGIES else self.removeprefix("CARD_")


COUNTS: Mapping[Kind, int] = {kind: 5 if kind is Kind.ONE else 4 for kind in Kind}
KINDS: Sequence[Kind] = tuple(kind for kind, count in COUNTS.items() for _ in range(count))
"""The kind of each card of the deck."""
CARDS = range(len(KINDS))


class Deck:
    """A draw pile and the discards.

    The draw pile lies in drawing order. No player knows that order, so this is as good as drawing a
    random card. When a card is wanted and there is none, all discards become the draw pile.
    """

    __slots__ = ("_rng", "discards", "pile")

    def __init__(self, rng: random.Random, pile: list[Card], discards: list[Card]) -> None:
        """Take the piles as they lie; ``rng`` shuffles them from now on."""
        self._rng = rng
        self.pile = pile
        self.discards = discards

    @classmethod
    def shuffled(cls, rng: random.Random, cards: Iterable[Card] = CARDS) -> "Deck":
        """Return a deck of these cards, in the order that ``rng`` gives them."""
        pile = list(cards)
        rng.shuffle(pile)
        return cls(rng, pile, [])

    def copy(self, rng: random.Random | None = None) -> "Deck":
        """Return a copy of the piles. ``rng`` will shuffle it; without one, it is shuffled as this deck would be."""
        return Deck(deepcopy(self._rng) if rng is None else rng, self.pile[:], self.discards[:])

    def arrange(self, first: Sequence[Card], out: Iterable[Card]) -> None:
        """Take the cards ``out`` of the draw pile, and put ``first`` on top, the first to be drawn first."""
        if first or out:
            moved = {*first, *out}
            self.pile = [card for card in self.pile if card not in moved] + list(reversed(first))

    def draw(self) -> Card:
        """Return the next card. At most 21 cards are in hands and in play at a time, so there is always one."""
        if not self.pile:
            self.pile, self.discards = self.discards, []
            self._rng.shuffle(self.pile)
        return self.pile.pop()

    def discard(self, card: Card) -> None:
        """Put a card on the discards that was played or forfeited."""
        self.discards.append(card)
