"""The cards that no player holds: deck, discard pile, selection; and the chance that orders them."""

import random
from collections.abc import Sequence
from copy import deepcopy

from game_masters.bang.cards.playing_cards import Card


class Piles:
    """Deck and discard pile have their top at the end."""

    def __init__(self, rng: random.Random, deck: Sequence[Card]) -> None:
        """``deck`` as it is drawn, the first card first."""
        self.rng = rng
        self.deck = list(reversed(deck))
        self.graveyard: list[Card] = []
        self.selection: list[Card] = []
        self.owner = 0
        """Who may see the selection; 0: all."""

    def copy(self, rng: random.Random | None = None) -> "Piles":
        """Return a copy that shares nothing that can change; with the same chance, unless another one is given."""
        other = Piles(deepcopy(self.rng) if rng is None else rng, ())
        other.deck, other.graveyard = list(self.deck), list(self.graveyard)
        other.selection, other.owner = list(self.selection), self.owner
        return other

    def refill(self, wanted: int) -> int:
        """Shuffle all of the discard pile but its top beneath the deck, if the deck has fewer than ``wanted`` cards.
        Returns how many these were; 0: nothing was shuffled."""
        # The top card stays, so a pile of one card has nothing to shuffle; KBang crashes there.
        if len(self.deck) >= wanted or len(self.graveyard) < 2:
            return 0
        shuffled, self.graveyard = self.graveyard[:-1], self.graveyard[-1:]
        self.rng.shuffle(shuffled)
        self.deck = shuffled + self.deck
        return len(shuffled)

    def take(self, most: int) -> list[Card]:
        """Take as many cards from the deck, or as many as there are."""
        return [self.deck.pop() for _ in range(min(most, len(self.deck)))]
