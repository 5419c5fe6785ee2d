"""What several sequences of messages take from a log, and what they ask of a message."""

from collections.abc import Callable
from typing import TypeAlias

from game_masters.catan.logs.action import Found
from game_masters.catan.logs.matching import Cursor
from game_masters.catan.message.bundles import TYPES, Bundle, bundle
from game_masters.catan.message.messages import (
    GameElements,
    GameState,
    PieceValue,
    PlayerElement,
    PlayerElements,
    RevealFogHex,
    RollDicePrompt,
    SimpleRequest,
    SVPTextMessage,
)
from game_masters.catan.message.vocabulary import (
    Change,
    Element,
    GameElement,
    Phase,
)

Sequence: TypeAlias = Callable[[Cursor], Found]
"""Takes a sequence from a log and returns what it means. Raises NoMatch."""


def element(which: Element, amount: int | None = None) -> Callable[[PlayerElement], bool]:
    """Ask for the change of one element of a seat, to or by ``amount``; None: by any."""
    return lambda one: one.element == which and amount in (None, one.amount)


def game_element(which: GameElement) -> Callable[[GameElements], bool]:
    """Ask for the change of one element of the game, and of no other."""
    return lambda one: [type for type, _ in one.elements] == [which]


def loses(one: PlayerElements) -> bool:
    """Whether a seat pays."""
    return one.change == Change.LOSE


def gains(one: PlayerElements) -> bool:
    """Whether a seat is given something."""
    return one.change == Change.GAIN


def calms(cursor: Cursor) -> None:
    """Take the state, or the end of the game, and a prompt to roll."""
    if not cursor.over():
        cursor.take(GameState)
        cursor.maybe(RollDicePrompt)


def before_piece(cursor: Cursor) -> None:
    """Take what may stand before a piece: what it reveals and earns."""
    while any(cursor.maybe(kind) for kind in (RevealFogHex, SVPTextMessage, PlayerElement, PieceValue)):
        pass


def after_piece(cursor: Cursor) -> Bundle | None:
    """Take what may stand between a piece and the state, and return the resources that fog has brought."""
    gained = [0] * 5
    while True:
        news = cursor.maybe(PlayerElement, lambda one: one.news is True and one.change == Change.GAIN)
        if news is not None and 1 <= news.element <= len(TYPES):
            gained[news.element - 1] += news.amount
        elif not (
            cursor.maybe(SVPTextMessage)
            or cursor.maybe(PlayerElement, lambda one: one.element >= Element.SPECIAL_POINTS)
            or cursor.maybe(GameElements, game_element(GameElement.LONGEST_ROUTE))
        ):
            return bundle(gained) if any(gained) else None


def after_reveal(cursor: Cursor) -> None:
    """Take the state, or the end of the game; after gold, what is to be picked."""
    if cursor.over():
        return
    state = cursor.take(GameState)
    if state.state in (Phase.START_GOLD, Phase.GOLD):
        cursor.maybe(PlayerElement, element(Element.GOLD_PICKS))
        cursor.maybe(SimpleRequest)
    cursor.maybe(RollDicePrompt)
