"""The family ``views``: a master shows each player a state of its own."""

from typing import ClassVar, Final

from ugs.value import value
from ugs.wire.extensions.common_parts import GAME_ID, MAX_SEATS, NICK, SHOWN_GAME_OVER, SHOWN_NEXT_PLAYERS
from ugs.wire.extensions.form import MAX_ELEMENTS, Form, request
from ugs.wire.messages import Extension, PlayerResult
from ugs.wire.parts import Attr, Bound, Many, Payload


@value
class View:
    """The ``<gameState>`` element for the player ``nick``, or (``nick`` empty) for all players not named."""

    nick: str
    payload: bytes


@value
class Views(Extension):
    """Master to server, in place of gameState. Exactly one of ``next_players`` and ``game_over`` is not empty.

    Several next players, who may act at the same time, need ``movers``. Named views need ``views``.
    """

    TYPE: ClassVar[str] = "x-views"
    game_id: str
    next_players: tuple[str, ...]
    game_over: tuple[PlayerResult, ...]
    views: tuple[View, ...]


def _one_of_both(message: Views) -> str:
    if bool(message.next_players) != bool(message.game_over):
        return ""
    both = "present" if message.game_over else "missing"
    return f"{message.TYPE}: <nextPlayer> and <gameOver> are both {both}, exactly one must be there"


_VIEW: Final = Bound(View, "view", (Attr("nick", "nick", NICK, default=""), Payload("payload", "gameState")))

FORMS: Final[tuple[Form, ...]] = (
    request(
        Views,
        GAME_ID,
        SHOWN_NEXT_PLAYERS,
        SHOWN_GAME_OVER,
        Many("views", (_VIEW,), most=MAX_SEATS),
        rule=_one_of_both,
        most_elements=MAX_ELEMENTS + 3 * MAX_SEATS,  # a view and its state, and a result or a next player
    ),
)
