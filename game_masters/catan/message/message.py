"""What a message is, and the three that have no form of their own."""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Message:
    """One message; its subclasses are the messages of the wire."""

    LABELLED: ClassVar[bool] = True
    """Whether the text begins with the label of the game."""


@dataclass(frozen=True, slots=True)
class Other(Message):
    """A message that is only handed on: its name on the wire, and its text as it stands."""

    name: str
    body: str


@dataclass(frozen=True, slots=True)
class Null(Message):
    """A server's message without a content, in logs."""


@dataclass(frozen=True, slots=True)
class Unread(Message):
    """A line of a log that is no message at all, as it stands."""

    line: str
