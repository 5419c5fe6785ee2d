"""The family ``state``: a player asks for its last state again."""

from typing import ClassVar, Final

from ugs.value import value
from ugs.wire.extensions.common_parts import GAME_ID, REF
from ugs.wire.extensions.form import Form, request
from ugs.wire.messages import Extension


@value
class Resend(Extension):
    """Player to server: send me my last gameState again."""

    TYPE: ClassVar[str] = "x-resend"
    game_id: str
    ref: str = ""


FORMS: Final[tuple[Form, ...]] = (request(Resend, REF, GAME_ID),)
