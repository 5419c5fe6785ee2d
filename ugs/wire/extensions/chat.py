"""The family ``chat``: players and spectators talk."""

from typing import ClassVar, Final

from ugs.value import value
from ugs.wire.extensions.common_parts import ID, NICK, REF
from ugs.wire.extensions.family import Family
from ugs.wire.extensions.form import MAX_ELEMENTS, Form, form, request
from ugs.wire.messages import Extension
from ugs.wire.parts import Text, Value, Values
from ugs.wire.text_limits import MAX_CHAT


@value
class Say(Extension):
    """Player or spectator to server: pass ``text`` to the players ``to``, or to all at ``table``."""

    TYPE: ClassVar[str] = "x-say"
    to: tuple[str, ...]
    table: str
    text: str
    ref: str = ""


@value
class Said(Extension):
    """Server to peers with ``chat``: ``text``, written by ``sender``."""

    TYPE: ClassVar[str] = "x-said"
    sender: str
    to: tuple[str, ...]
    table: str
    text: str


MAX_RECIPIENTS: Final = 128
"""Players in ``to``: each gets the names of all others. A larger table is named by its id."""

_TO: Final = Values("to", "to", "nick", NICK, most=MAX_RECIPIENTS)
_TABLE_ID: Final = Value("table", "table", "id", ID, default="")
_TEXT: Final = Text("text", "text", most=MAX_CHAT)

FORMS: Final[tuple[Form, ...]] = (
    request(Say, REF, _TO, _TABLE_ID, _TEXT, most_elements=MAX_ELEMENTS + MAX_RECIPIENTS),
    form(Said, Value("sender", "from", "nick"), _TO, _TABLE_ID, _TEXT, sent_to=(Family.CHAT,)),
)
