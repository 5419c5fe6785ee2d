"""The family ``movers``: several players move at the same time, so the master learns who moved."""

from typing import ClassVar, Final

from ugs.value import value
from ugs.wire.extensions.common_parts import GAME_ID
from ugs.wire.extensions.family import Family
from ugs.wire.extensions.form import Form, form
from ugs.wire.messages import Extension
from ugs.wire.parts import Payload, Value


@value
class Moved(Extension):
    """Server to a master with ``movers``, in place of move: who moved, and the move."""

    TYPE: ClassVar[str] = "x-moved"
    game_id: str
    nick: str
    payload: bytes


FORMS: Final[tuple[Form, ...]] = (
    form(Moved, GAME_ID, Value("nick", "player", "nick"), Payload("payload", "move"), sent_to=(Family.MOVERS,)),
)
