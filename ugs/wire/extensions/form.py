"""How one message of a family is written, and which peers the server may send it to."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from ugs.value import value
from ugs.wire.extensions.family import Family
from ugs.wire.messages import Extension
from ugs.wire.parts import Bound, Part

MAX_ELEMENTS: Final = 256
"""Elements of a request without lists, including unknown ones. At most three are known; the rest is room for later
versions."""


def _always_right(_: Any) -> str:
    return ""


@value
class Form:
    """One message class: its element, its receivers, and what else must be true of it."""

    bound: Bound
    sent_to: frozenset[Family]
    """The server sends the message to peers that were granted one of these. Empty: the server never sends it."""
    rule: Callable[[Any], str]
    """Takes a message whose parts are each valid. Returns what is wrong with the whole, or ``""``."""
    most_elements: int | None
    """The maximum number of elements, not counting payloads. None for messages that only the server sends: their lists
    have no limit."""

    @property
    def cls(self) -> type[Extension]:
        """The message class."""
        return self.bound.cls


def form(
    cls: type[Extension],
    *parts: Part,
    sent_to: Iterable[Family] = (),
    rule: Callable[[Any], str] = _always_right,
    most_elements: int | None = None,
) -> Form:
    """Return the form of the message class ``cls``, whose ``message`` element consists of ``parts``."""
    return Form(Bound(cls, "message", parts), frozenset(sent_to), rule, most_elements)


def request(
    cls: type[Extension],
    *parts: Part,
    sent_to: Iterable[Family] = (),
    rule: Callable[[Any], str] = _always_right,
    most_elements: int = MAX_ELEMENTS,
) -> Form:
    """Return the form of a message that peers send, with at most ``most_elements`` elements."""
    return form(cls, *parts, sent_to=sent_to, rule=rule, most_elements=most_elements)
