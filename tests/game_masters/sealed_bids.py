"""A game for tests in which all act at the same time, in secret, round after round.

Each player has a hand of numbered cards that nobody else sees. In each round a prize is turned up, and each player lays
a card face down; when all have, the cards are shown, and the highest takes the prize. All cards differ, but two players
may have the same highest tens: then the prize is lost, or goes into the next round. After a bad move the player is
asked again.
"""

import random
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from xml.sax.saxutils import quoteattr

from game_masters.kit import payload as xml
from game_masters.kit.rules import (
    BadOption,
    Bot,
    Conduct,
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

CARDS = range(10, 70)
COLOURS = ("red", "blue", "green", "black")


@dataclass(frozen=True)
class News:
    """One entry of the record, and of a view as far as its seat may know it; 0 stands for a hidden card."""

    what: str
    seat: int = 0
    card: int = 0

    def __str__(self) -> str:
        return f"{self.what} seat={self.seat} card={self.card}"


@dataclass(frozen=True)
class View:
    """What a reader sees."""

    prize: int
    points: tuple[int, ...]
    chosen: tuple[bool, ...]
    hand: tuple[int, ...] = ()
    news: tuple[News, ...] = ()
    refused: str = ""


class Rounds(State[int, View]):
    """Hands, cards on the table, prizes to come."""

    def __init__(self, table: Table, rng: random.Random) -> None:
        cards = rng.sample(CARDS, table.options.integer("hand") * len(table.names))
        self._hands = [sorted(cards[seat :: len(table.names)]) for seat in table.seats]
        self._prizes = [rng.randint(1, 9) for _ in range(table.options.integer("rounds"))]
        self._carries = table.options.word("ties") == "carried"
        self._points = [0 for _ in table.seats]
        self._present = list(table.seats)
        self._laid: dict[int, int] = {}
        self._refused: dict[int, str] = {}
        self._record: list[News] = []
        self._outcome: Outcome | None = None
        self._turn_up(0)

    @property
    def movers(self) -> tuple[int, ...]:
        """The seats that have not laid a card yet."""
        return tuple(seat for seat in self._present if seat not in self._laid) if self._outcome is None else ()

    @property
    def outcome(self) -> Outcome | None:
        return self._outcome

    @property
    def record(self) -> Sequence[News]:
        return self._record

    @property
    def labels(self) -> Sequence[str]:
        return COLOURS[: len(self._points)]

    def legal_moves(self, seat: int) -> Sequence[int]:
        return self._hands[seat] if seat in self.movers else ()

    def apply(self, seat: int, move: int) -> None:
        if seat not in self.movers:
            raise RuleBroken(f"seat {seat} has nothing to lay")
        if move not in self._hands[seat]:
            raise RuleBroken(f"seat {seat} has no card {move}")
        self._hands[seat].remove(move)
        self._laid[seat] = move
        self._refused.pop(seat, None)
        self._record.append(News("laid", seat, move))
        self._show_if_all_have_laid()

    def fault(self, seat: int, cause: RuleBroken | Unreadable) -> None:
        self._refused[seat] = type(cause).__name__
        self._record.append(News("refused", seat))

    def leave(self, seat: int) -> None:
        self._present.remove(seat)
        self._laid.pop(seat, None)
        self._refused.pop(seat, None)
        self._record.append(News("left", seat))
        if len(self._present) == 1:
            self._outcome = Outcome("the others left", frozenset(self._present))
        else:
            self._show_if_all_have_laid()

    def view(self, seat: int | None, since: int = 0) -> View:
        hand, refused = ((), "") if seat is None else (tuple(self._hands[seat]), self._refused.get(seat, ""))
        news = tuple(self.received(seat, since))
        chosen = tuple(owner in self._laid for owner in range(len(self._points)))
        return View(self._prizes[0] if self._prizes else 0, tuple(self._points), chosen, hand, news, refused)

    def received(self, seat: int | None, since: int = 0) -> Sequence[News]:
        return [
            entry if entry.what != "laid" or entry.seat == seat else replace(entry, card=0)
            for entry in self._record[since:]
        ]

    def resampled(self, seat: int, rng: random.Random) -> "Rounds":
        other = deepcopy(self)
        known = {entry.card for entry in self._record if entry.what == "shown"} | set(self._hands[seat])
        known |= {entry.card for entry in self._record if entry.what == "laid" and entry.seat == seat}
        deck = [card for card in CARDS if card not in known]
        rng.shuffle(deck)
        for owner, hand in enumerate(self._hands):
            if owner != seat:
                other._hands[owner] = sorted(deck.pop() for _ in hand)
        for owner in self._laid:
            if owner != seat:
                other._laid[owner] = deck.pop()
                number = max(n for n, entry in enumerate(self._record) if entry.what == "laid" and entry.seat == owner)
                other._record[number] = News("laid", owner, other._laid[owner])
        other._prizes[1:] = [rng.randint(1, 9) for _ in self._prizes[1:]]
        return other

    def _turn_up(self, carried: int) -> None:
        if self._prizes:
            self._prizes[0] += carried
            self._record.append(News("prize", card=self._prizes[0]))
        else:
            best = max(self._points[seat] for seat in self._present)
            won = frozenset(seat for seat in self._present if self._points[seat] == best)
            drawn = len(won) == len(self._present)
            self._outcome = Outcome("all prizes gone", frozenset() if drawn else won, drawn)

    def _show_if_all_have_laid(self) -> None:
        if self.movers or not self._laid:
            return
        self._record += [News("shown", seat, card) for seat, card in sorted(self._laid.items())]
        tens = {seat: card // 10 for seat, card in self._laid.items()}
        best = [seat for seat in tens if tens[seat] == max(tens.values())]
        prize = self._prizes.pop(0)
        self._laid.clear()
        if len(best) == 1:
            self._points[best[0]] += prize
            self._record.append(News("taken", best[0], prize))
        self._turn_up(prize if self._carries and len(best) > 1 else 0)

    def __str__(self) -> str:
        return f"hands {self._hands}, laid {self._laid}, prizes {self._prizes}, points {self._points}"


class SealedBidsNotation:
    """``<move><card value="17"/></move>``; a state is complete, and also tells the new entries."""

    def write_move(self, move: int) -> bytes:
        return f'<move><card value="{move}"/></move>'.encode()

    def read_move(self, payload: bytes) -> int:
        card = xml.only_child(xml.parse(payload, "move"), "card")
        xml.check_shape(card, frozenset({"value"}))
        return xml.integer(card, "value")

    def write_view(self, view: View) -> bytes:
        refused = f"<refused reason={quoteattr(view.refused)}/>" if view.refused else ""
        seats = "".join(
            f'<seat points="{points}" chosen="{str(chosen).lower()}"/>'
            for points, chosen in zip(view.points, view.chosen, strict=True)
        )
        hand = "".join(f'<card value="{card}"/>' for card in view.hand)
        news = "".join(f'<news what={quoteattr(one.what)} seat="{one.seat}" card="{one.card}"/>' for one in view.news)
        return f'<gameState><prize value="{view.prize}"/>{refused}{seats}{hand}{news}</gameState>'.encode()

    def follow(self, options: Options) -> Follower[View]:
        return self._read_view

    def _read_view(self, payload: bytes) -> View:
        root = xml.parse(payload, "gameState")
        if [child.tag for child in root][:1] != ["prize"]:
            raise Unreadable("a gameState begins with the prize")
        seats = root.findall("seat")
        return View(
            xml.integer(root[0], "value"),
            tuple(xml.integer(seat, "points") for seat in seats),
            tuple(seat.get("chosen") == "true" for seat in seats),
            tuple(xml.integer(card, "value") for card in root.findall("card")),
            tuple(
                News(one.get("what", ""), xml.integer(one, "seat"), xml.integer(one, "card"))
                for one in root.findall("news")
            ),
            "".join(refused.get("reason", "") for refused in root.findall("refused")),
        )


def lay_any(view: View, rng: random.Random) -> int:
    """Any card."""
    return rng.choice(view.hand)


def lay_for_the_prize(view: View, rng: random.Random) -> int:
    """Lay high cards for high prizes; there are no equals, so chance has no effect."""
    return max(view.hand) if view.prize + rng.randint(0, 1) > 5 else min(view.hand)


def check_options(options: Options) -> None:
    """The cards must be enough for everybody. Raises BadOption."""
    hand = options.integer("hand")
    if options.integer("rounds") > hand:
        raise BadOption(f"option rounds: {options.integer('rounds')} rounds with {hand} cards; allowed: 1 to {hand}")


SEALED_BIDS: Game[int, View] = Game(
    name="sealed-bids",
    game_type="sealed-bids",
    summary="lay a card in secret; the highest takes the prize",
    players=Players(2, 4),
    start=Rounds,
    notation=SealedBidsNotation(),
    schema=Path(__file__).with_name("sealed_bids.xsd"),
    bots=(
        Bot("any", "lays any card", lay_any),
        Bot("miser", "saves high cards for high prizes", lay_for_the_prize, fills_seats=True),
    ),
    hides_with=always,
    chance=True,
    options=(
        Option("rounds", 4, "the number of prizes", range(1, 13)),
        Option("hand", 6, "cards in each hand", range(2, 13)),
        Option("ties", "lost", "what becomes of a prize that two would take", ("lost", "carried")),
    ),
    check_options=check_options,
    conduct=Conduct(simultaneous=True),
)
