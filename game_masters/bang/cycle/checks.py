"""Checks ("draw!"): a card is turned, and its suit and rank decide about a Dynamite, a Jail or a Barrel."""

from collections.abc import Callable, Mapping

from game_masters.bang.cards.characters import LUCKY
from game_masters.bang.cards.playing_cards import EXPLODES, HEARTS, Card
from game_masters.bang.cycle.harm import advance, wound
from game_masters.bang.cycle.turns import end as end_turn
from game_masters.bang.messages.events import Command, Movement
from game_masters.bang.messages.words import Pocket, Type
from game_masters.bang.table.course import Course
from game_masters.bang.table.requests import Check, Choice, Series

DYNAMITE = 3
"""Life points that a Dynamite costs."""
PENDING = ("dynamite", "jail")
"""What has to be checked before a turn begins, in this order."""


def begin(course: Course, check: Check) -> None:
    """Turn a card for a check. Lucky Duke turns two and is asked which one counts."""
    lucky = course.players[check.player].character == LUCKY
    # Before a card moves: a shuffle is an event of its own, and the check stays in one piece.
    course.refill(2 if lucky else 1)
    piles = course.piles
    if lucky and piles.deck:
        # Face up: all see what he may choose from.
        piles.selection, piles.owner = piles.take(2), 0
        course.stack.items.append(Choice(check.player, check))
        moved = [Movement(Pocket.DECK, Pocket.SELECTION, 0, 0, card) for card in piles.selection]
        cause = (("cause", check.cause),)
        course.record(Type.DRAW_INTO_SELECTION, check.player, moved, ability=True, meaning=cause)
        return
    turned = piles.take(1)
    piles.graveyard += turned
    movements: list[Command] = [Movement(Pocket.DECK, Pocket.GRAVEYARD, 0, 0, card) for card in turned]
    _decide(course, check, turned[0] if turned else None, movements)


def choose(course: Course, id: int) -> None:
    """Lucky Duke has chosen the card that counts."""
    choice = course.stack.items.pop()
    assert isinstance(choice, Choice)
    piles = course.piles
    chosen = next(card for card in piles.selection if card.id == id)
    # The chosen one first: the other one becomes the top of the discard pile.
    cards = [chosen, *(card for card in piles.selection if card is not chosen)]
    piles.selection = []
    piles.graveyard += cards
    movements: list[Command] = [Movement(Pocket.SELECTION, Pocket.GRAVEYARD, 0, 0, card) for card in cards]
    _decide(course, choice.check, chosen, movements)


def succeed(course: Course) -> None:
    """A shot has met with a success: if it was the last one that is needed, it is over for its target."""
    shot = course.stack.shot
    assert shot is not None
    # Against Slab the Killer a Barrel is one of the two that are needed.
    shot.needed -= 1
    if shot.needed > 0:
        return
    if isinstance(shot, Series):
        shot.answered = True
        advance(course)
    else:
        course.stack.items.pop()


def _decide(course: Course, check: Check, card: Card | None, movements: list[Command]) -> None:
    """Carry out a check; it fails without a card."""
    meaning = (("cause", check.cause), *([("checked", card)] if card is not None else []))

    def record(success: bool, more: list[Command]) -> None:
        course.record(
            Type.CHECK_DECK,
            check.player,
            movements + more,
            success=success,
            ability=check.ability,
            meaning=meaning,
        )

    # Jourdonnais' check has his character for its cause, so all other names count as a Barrel.
    _EFFECTS.get(check.cause.name, _barrel)(course, check, card, record)


Outcome = Callable[[bool, list[Command]], None]


def _barrel(course: Course, check: Check, card: Card | None, record: Outcome) -> None:
    success = card is not None and card.suit == HEARTS
    if success:
        succeed(course)
    record(success, [])


def _jail(course: Course, check: Check, card: Card | None, record: Outcome) -> None:
    success = card is not None and card.suit == HEARTS
    # In either case: a Jail is good for one check.
    record(success, [course.discarded(course.current, check.cause)])
    if not success:
        end_turn(course)


def _dynamite(course: Course, check: Check, card: Card | None, record: Outcome) -> None:
    holder = course.current
    # Without any card to turn, the check has failed: it goes off.
    if card is not None and (card.suit, card.rank) not in EXPLODES:
        # There is one Dynamite only, so the next table has none. It may be the sheriff's, or that of a player in Jail.
        record(True, [course.laid(holder, course.players.after(holder.id), check.cause)])
        return
    moved = course.discarded(holder, check.cause)
    wound(course, holder, 0, DYNAMITE, lambda commands: record(False, [moved, *commands]))


_EFFECTS: Mapping[str, Callable[[Course, Check, Card | None, Outcome], None]] = {"dynamite": _dynamite, "jail": _jail}
