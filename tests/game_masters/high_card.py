"""A game for tests with everything that five in line lacks: hidden hands, chance, all players at once, replaced
leavers.

Each player gets a card that the others do not see, and decides, in any order, to keep it or to swap it for another.
When all have decided, the cards are shown and the highest wins. The program keeps the card of a seat that was left.
"""

import random
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from game_masters.kit import payload as xml
from game_masters.kit.rules import (
    Bot,
    Follower,
    Game,
    Option,
    Options,
    Outcome,
    Players,
    RuleBroken,
    State,
    Table,
    Unreadable,
    always,
)


class Decision(StrEnum):
    """The two moves."""

    KEEP = "keep"
    SWAP = "swap"


@dataclass(frozen=True)
class Hand:
    """What a reader sees of a seat; the card may be hidden."""

    card: int | None
    decided: bool


View = tuple[Hand, ...]


class Deal(State[Decision, View]):
    """Cards, deck and decisions."""

    def __init__(self, table: Table, rng: random.Random) -> None:
        self._deck = list(range(1, table.options.integer("cards") + 1))
        rng.shuffle(self._deck)
        self._cards = [self._deck.pop() for _ in table.seats]
        self._undecided = list(table.seats)
        self._present = set(table.seats)
        self._record = [f"cards {self._cards}"]

    @property
    def movers(self) -> tuple[int, ...]:
        return tuple(self._undecided) if self.outcome is None else ()

    @property
    def outcome(self) -> Outcome | None:
        if len(self._present) < 2:
            return Outcome("the others left", frozenset(self._present))
        if self._undecided:
            return None
        return Outcome("all decided", frozenset({self._cards.index(max(self._cards))}))

    @property
    def record(self) -> Sequence[str]:
        return self._record

    def legal_moves(self, seat: int) -> Sequence[Decision]:
        return list(Decision) if seat in self.movers else []

    def apply(self, seat: int, move: Decision) -> None:
        if seat not in self.movers:
            raise RuleBroken(f"seat {seat} has nothing to decide")
        if move is Decision.SWAP:
            self._cards[seat] = self._deck.pop()
        self._undecided.remove(seat)
        self._record.append(f"seat {seat}: {move}, has {self._cards[seat]}")

    def fault(self, seat: int, cause: RuleBroken | Unreadable) -> None:
        self._record.append(f"seat {seat} is asked again")

    def leave(self, seat: int) -> None:
        self._present.remove(seat)
        self._record.append(f"seat {seat} leaves")
        if seat in self._undecided:
            self._undecided.remove(seat)

    def view(self, seat: int | None, since: int = 0) -> View:
        over = self.outcome is not None
        return tuple(
            Hand(card if over or owner == seat else None, owner not in self._undecided)
            for owner, card in enumerate(self._cards)
        )

    def received(self, seat: int | None, since: int = 0) -> Sequence[object]:
        others = [entry if entry.startswith(f"seat {seat}") else entry.split(",")[0] for entry in self._record[since:]]
        entries = [entry for entry in others if not entry.startswith("cards")]
        shown = [card for owner, card in enumerate(self._cards) if owner == seat or self.outcome is not None]
        return [*entries, *shown]

    def resampled(self, seat: int, rng: random.Random) -> "Deal":
        other = deepcopy(self)
        if self.outcome is None:
            hidden = [card for owner, card in enumerate(self._cards) if owner != seat] + self._deck
            rng.shuffle(hidden)
            other._cards = [card if owner == seat else hidden.pop() for owner, card in enumerate(self._cards)]
            other._deck = hidden
        return other

    def __str__(self) -> str:
        return f"cards {self._cards}, undecided {self._undecided}, deck {self._deck}"


class HighCardNotation:
    """Payloads with one ``hand`` per seat."""

    def write_move(self, move: Decision) -> bytes:
        return f"<move><{move}/></move>".encode()

    def read_move(self, payload: bytes) -> Decision:
        root = xml.parse(payload, "move")
        tags = [child.tag for child in root]
        for decision in Decision:
            if tags == [decision]:
                return decision
        raise Unreadable(f"neither keep nor swap: {tags}")

    def write_view(self, view: View) -> bytes:
        cards = ["" if hand.card is None else f' card="{hand.card}"' for hand in view]
        hands = "".join(
            f'<hand{card} decided="{str(hand.decided).lower()}"/>' for card, hand in zip(cards, view, strict=True)
        )
        return f"<gameState>{hands}</gameState>".encode()

    def follow(self, options: Options) -> Follower[View]:
        return self._read_view

    def _read_view(self, payload: bytes) -> View:
        return tuple(
            Hand(xml.integer(hand, "card") if "card" in hand.attrib else None, hand.get("decided") == "true")
            for hand in xml.parse(payload, "gameState")
        )


def swap_low_cards(view: View, rng: random.Random) -> Decision:
    """Swap a card that is probably beaten. The bot's own card is the one that it can see."""
    own = next(hand.card for hand in view if hand.card is not None)
    return Decision.SWAP if own <= 6 else Decision.KEEP


HIGH_CARD: Game[Decision, View] = Game(
    name="high-card",
    game_type="high-card",
    summary="keep your card or swap it; the highest wins",
    players=Players(2, 4),
    start=Deal,
    notation=HighCardNotation(),
    schema=Path(__file__).with_name("high_card.xsd"),
    bots=(Bot("careful", "swaps low cards", swap_low_cards),),
    hides_with=always,
    chance=True,
    options=(Option("cards", 13, "cards in the deck", range(8, 53)),),
)
