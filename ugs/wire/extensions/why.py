"""The question of the family ``reason``: a player asks for the account of a game, or what it waits for (``x-why``)."""

from typing import ClassVar, Final

from ugs.value import value
from ugs.wire.extensions.common_parts import ANY_GAME_ID, ID, NICK, REF
from ugs.wire.extensions.family import Family
from ugs.wire.extensions.form import Form, form, request
from ugs.wire.messages import Extension
from ugs.wire.parts import NUMBER, Attr, Inside, Text, Value

USUAL_LAST: Final = 6
"""Exchanges in an answer if the request does not specify a number."""
NO_MASTER: Final = "there is no game master for"
"""How the answer about a game type begins where no master leads it; the type follows."""


@value
class Why(Extension):
    """Player to server: the account of this game of mine, or (without ``game_id``) what do I wait for? Spectator:
    what does this game type wait for? With ``token``, of a session or of a nick, in place of a login: the games of the
    player who has it."""

    TYPE: ClassVar[str] = "x-why"
    game_id: str = ""
    game_type: str = ""
    token: str = ""
    last: int = USUAL_LAST
    ref: str = ""


@value
class Account(Extension):
    """The answer to x-why, in lines for people."""

    TYPE: ClassVar[str] = "x-account"
    text: str
    game_id: str = ""
    ref: str = ""


FORMS: Final[tuple[Form, ...]] = (
    request(
        Why,
        REF,
        ANY_GAME_ID,
        Value("game_type", "game", "gameType", NICK, default=""),
        Inside("session", (Attr("token", "token", ID, default=""),), optional=True),
        Value("last", "last", "exchanges", NUMBER, default=USUAL_LAST),
    ),
    form(Account, REF, ANY_GAME_ID, Text("text", "account"), sent_to=(Family.REASON,)),
)
