"""The family ``chat``: players and spectators talk."""

from dataclasses import dataclass
from typing import ClassVar, Final

from ugs.wire.extensions.family import Family
from ugs.wire.extensions.form import Form, form
from ugs.wire.extensions.items import REF
from ugs.wire.messages import Extension
from ugs.wire.parts import Text, Value, Values


@dataclass(frozen=True, slots=True)
class Say(Extension):
    """Player or spectator to server: say ``text`` to the players ``to``, or to all at ``table``."""

    TYPE: ClassVar[str] = "x-say"
    to: tuple[str, ...]
    table: str
    text: str
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Said(Extension):
    """Server to peers with ``chat``: ``sender`` said ``text``."""

    TYPE: ClassVar[str] = "x-said"
    sender: str
    to: tuple[str, ...]
    table: str
    text: str


_TO: Final = Values("to", "to", "nick")
_TABLE_ID: Final = Value("table", "table", "id", default="")
_TEXT: Final = Text("text", "text")

FORMS: Final[tuple[Form, ...]] = (
    form(Say, REF, _TO, _TABLE_ID, _TEXT),
    form(Said, Value("sender", "from", "nick"), _TO, _TABLE_ID, _TEXT, sent_to=(Family.CHAT,)),
)
