"""The family ``rejoin``: a player who has left a game takes its seat again."""

from typing import ClassVar, Final

from ugs.value import value
from ugs.wire.extensions.common_parts import GAME_ID, ID, REF
from ugs.wire.extensions.family import Family
from ugs.wire.extensions.form import Form, form, request
from ugs.wire.messages import Extension
from ugs.wire.parts import Attr, Inside, Value


@value
class Rejoin(Extension):
    """Player to server: give me back the seat that I left. ``token``: the token of the session that I left it in, if it
    is not the current one."""

    TYPE: ClassVar[str] = "x-rejoin"
    game_id: str
    token: str = ""
    ref: str = ""


@value
class Rejoined(Extension):
    """Server to a master with ``rejoin``: this player, who had left, has its seat again."""

    TYPE: ClassVar[str] = "x-rejoined"
    game_id: str
    nick: str


FORMS: Final[tuple[Form, ...]] = (
    request(Rejoin, REF, GAME_ID, Inside("session", (Attr("token", "token", ID, default=""),), optional=True)),
    form(Rejoined, GAME_ID, Value("nick", "player", "nick"), sent_to=(Family.REJOIN,)),
)
