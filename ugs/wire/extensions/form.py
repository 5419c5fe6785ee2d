"""How one message of a family is written, and which peers the server may send it to."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from ugs.wire.extensions.family import Family
from ugs.wire.messages import Extension
from ugs.wire.parts import Bound, Part


def _always_right(_: Any) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Form:
    """One message class: its element, its receivers, and what else must be true of it."""

    bound: Bound
    sent_to: frozenset[Family]
    """The server sends the message to peers that were granted one of these. Empty: the server never sends it."""
    rule: Callable[[Any], str]
    """Takes a message in which each part is right by itself. Returns what is wrong with the whole, or ``""``."""

    @property
    def cls(self) -> type[Extension]:
        """The message class."""
        return self.bound.cls


def form(
    cls: type[Extension],
    *parts: Part,
    sent_to: Iterable[Family] = (),
    rule: Callable[[Any], str] = _always_right,
) -> Form:
    """Return the form of the message class ``cls``, whose ``message`` element consists of ``parts``."""
    return Form(Bound(cls, "message", parts), frozenset(sent_to), rule)
