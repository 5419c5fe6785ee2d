"""Reads the positions of small games of cards and dice: Kuhn and Leduc poker, liar's dice.

While the game goes on, a seat's view has its own card, and what all see; when it is over, all cards.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from game_masters.openspiel.pictures.hands import BACK, HandsBody
from game_masters.openspiel.view import View

KUHN: Final[Mapping[str, str]] = {"p": "pass", "b": "bet"}
LEDUC: Final[Mapping[str, str]] = {"0": "fold", "1": "call", "2": "raise"}
_FIELD: Final = re.compile(r"\[(\w+):? ?([^\]]*)\]")
_BID: Final = re.compile(r"(\d+)-(\d+)")
THREE: Final = ("J", "Q", "K")


def kuhn(view: View) -> HandsBody | None:
    """Each seat has one card, one more than seats are in the pack."""
    over = view.turn is None
    if over:
        *cards, spoken = [*view.board.split(), ""] if view.board[-1:].isdigit() else view.board.split() or [""]
    else:
        # The seat's own card, then all passes and bets.
        match = re.fullmatch(r"(\d*)([pb]*)", view.information)
        if match is None:
            return None
        cards, spoken = [BACK] * view.seats, match[2]
        if view.seat is not None and match[1] and view.seat < view.seats:
            cards[view.seat] = match[1]
    if len(cards) != view.seats or set(spoken) - set(KUHN):
        return None
    hands = tuple((_rank(card, view.seats + 1),) for card in cards)
    words = ", ".join(KUHN[one] for one in spoken)
    return HandsBody(hands, ("",) * view.seats, (), (f"said: {words}",) if words else ())


def _rank(card: str, ranks: int) -> str:
    return THREE[int(card)] if ranks == 3 and card.isdigit() and int(card) < 3 else card


def leduc(view: View) -> HandsBody | None:
    """Each seat has one card of a pack of two suits; in the second round one lies in the middle."""
    cards, middle = [BACK] * view.seats, ""
    if view.turn is None:
        match = re.search(r"Cards \(public[^)]*\): (.*)", view.board)
        money = re.search(r"Money \([^)]*\): (.*)", view.board)
        if match is None or money is None:
            return None
        middle, *cards = match[1].split()
        beside = [f"has {one}" for one in money[1].split()]
        rounds = [text.strip() for text in re.findall(r"Round \d sequence:(.*)", view.board)]
    else:
        observed: dict[str, str] = dict(_FIELD.findall(view.board))
        fields = {**observed, **dict(_FIELD.findall(view.information))}
        if "Pot" not in fields:
            return None
        if view.seat is not None and view.seat < view.seats:
            cards[view.seat] = fields.get("Private", BACK)
        middle = fields.get("Public", "")
        paid = fields.get("Ante", "").split()
        money_left = fields.get("Money", "").split()
        beside = [f"paid {one}, has {two}" for one, two in zip(paid, money_left, strict=False)]
        rounds = [
            ", ".join(LEDUC.get(one, one) for one in fields.get(name, "").split()) for name in ("Round1", "Round2")
        ]
    if len(cards) != view.seats:
        return None
    beside += [""] * (view.seats - len(beside))
    hands = tuple((_leduc_card(card, view.seats),) for card in cards)
    shown = (_leduc_card(middle, view.seats),) if middle.isdigit() else ()
    notes = tuple(f"round {number}: {text.lower()}" for number, text in enumerate(rounds, 1) if text)
    return HandsBody(hands, tuple(beside[: view.seats]), shown, notes)


def _leduc_card(card: str, seats: int) -> str:
    if not card.isdigit():
        return BACK
    # Cards are numbered rank by rank, two suits of each.
    rank, suit = divmod(int(card), 2)
    return f"{_rank(str(rank), seats + 1)}{'♠♥'[suit]}"


def liars_dice(view: View) -> HandsBody | None:
    """Each seat has dice, and bids how many of a face all together have."""
    words: Sequence[str] = (view.information or view.board).split()
    dice = [word for word in words if word.isdigit()]
    bids = [word for word in words if not word.isdigit()]
    if any(_BID.fullmatch(bid) is None and bid != "Liar" for bid in bids):
        return None
    if view.turn is None and len(dice) == view.seats:
        hands = [tuple(one) for one in dice]
    elif len(dice) == 1 and view.seat is not None and view.seat < view.seats:
        hands = [tuple(BACK for _ in dice[0])] * view.seats
        hands[view.seat] = tuple(dice[0])
    else:
        return None
    shown = [bid if (match := _BID.fullmatch(bid)) is None else f"{match[1]} × {match[2]}" for bid in bids]
    return HandsBody(
        tuple(hands), ("",) * view.seats, (), (f"bids: {', '.join(shown[-6:])}",) if shown else (), dice=True
    )
