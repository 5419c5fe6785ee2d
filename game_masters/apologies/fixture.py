"""How a game of Apologies begins from a fixture: who begins, where the pawns stand, which cards lie where.

```toml
players = 2
begins = "RED"
pile = ["2", "A"]              # the next cards, first drawn first; the others are shuffled

[pawns]
RED = ["4", "S", "s3", "H"]    # a square, s0 to s4 for the safe squares, H for home, S for start

[hands]                        # ADULT only
RED = ["1", "2", "3", "A", "12"]
```
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from game_masters.apologies.board import ALL_HOME, COLOURS, HOME, PAWNS, PLACE_NAMES, SQUARES, Place
from game_masters.apologies.cards import CARDS, HAND, KINDS, Card
from game_masters.kit.rules import Entries

SHORTS = tuple(dict.fromkeys(kind.short for kind in KINDS))
"""What a card is called in a fixture."""


@dataclass(frozen=True, slots=True)
class Start:
    """What is fixed. None, or empty: chance or the usual beginning."""

    begins: int | None = None
    pawns: tuple[tuple[Place, ...] | None, ...] = ()
    """By seat; empty: the usual ones."""
    hands: tuple[tuple[Card, ...] | None, ...] = ()
    """By seat; empty: dealt as usual."""
    pile: tuple[Card, ...] = ()
    """The next cards that are drawn."""


def read(entries: Entries, seats: int, *, adult: bool) -> Start:
    """Return the content of a fixture. Raises BadFixture."""
    colours = [str(colour) for colour in COLOURS[:seats]]
    free = list(CARDS)
    begins = colours.index(entries.word("begins", colours)) if entries.asks("begins") else None
    pawns = _by_colour(entries, "pawns", colours)
    hands = _by_colour(entries, "hands", colours)
    if hands is not None and not adult:
        entries.refuse("hands", "cannot be dealt: there are hands only in the mode ADULT")
    return Start(
        begins,
        _all_pawns(pawns, colours) if pawns is not None else (),
        tuple(_hand(hands, colour, free) if colour in hands else None for colour in colours) if hands else (),
        _cards(entries, "pile", free) if entries.asks("pile") else (),
    )


def _by_colour(entries: Entries, key: str, colours: Collection[str]) -> Entries | None:
    if not entries.asks(key):
        return None
    table = entries.table(key)
    for colour in table.keys:
        if colour not in colours:
            table.refuse(colour, f"belongs to no seat; there are: {', '.join(colours)}")
    return table


def _all_pawns(table: Entries, colours: Sequence[str]) -> tuple[tuple[Place, ...] | None, ...]:
    taken: dict[Place, str] = {}
    pawns: list[tuple[Place, ...] | None] = []
    for colour in colours:
        if colour not in table:
            pawns.append(None)
            continue
        places = tuple(PLACE_NAMES.index(name) for name in table.words(colour, PLACE_NAMES))
        if len(places) != PAWNS:
            table.refuse(colour, f"are not {PAWNS} pawns")
        if places == ALL_HOME:
            table.refuse(colour, "has won before the game begins")
        # Safe squares are each colour's own; on the ring one pawn excludes all others.
        safe = [place for place in places if SQUARES <= place < HOME]
        if len(set(safe)) < len(safe):
            table.refuse(colour, "has two pawns on one safe square")
        for place in (place for place in places if place < SQUARES):
            if place in taken:
                table.refuse(colour, f"has a pawn on square {place}, where one of {taken[place]} stands")
            taken[place] = colour
        pawns.append(places)
    return tuple(pawns)


def _hand(table: Entries, colour: str, free: list[Card]) -> tuple[Card, ...]:
    hand = _cards(table, colour, free)
    if len(hand) != HAND:
        table.refuse(colour, f"are {len(hand)} cards, not {HAND}")
    return hand


def _cards(table: Entries, key: str, free: list[Card]) -> tuple[Card, ...]:
    """Take the cards that are named out of ``free``."""
    found: list[Card] = []
    for short in table.words(key, SHORTS):
        card = next((card for card in free if KINDS[card].short == short), None)
        if card is None:
            table.refuse(key, f"names one {short} more than there are")
        free.remove(card)
        found.append(card)
    return tuple(found)
