"""A message in a game, with its sender or its receivers."""

import re
from dataclasses import dataclass, field
from typing import Final

from game_masters.catan.message.coding import from_text, from_xml, kept_text, to_text, to_xml
from game_masters.catan.message.forms import Malformed
from game_masters.catan.message.message import Message, Unread

_PREFIX: Final = re.compile(r"(all|ob|un|fo|null)|(!?p|f)(-?\d{1,3})|!p\[(\d{1,3}(?:, ?\d{1,3})*)\]")
_XML_TO: Final = re.compile(r"all|ob|un|[0-9]{1,3}|![0-9]{1,3}(?: [0-9]{1,3})*")


@dataclass(frozen=True, slots=True)
class Audience:
    """Who receives a message of the server, or which client sent it. ``str`` is the prefix of a line of a log."""

    kind: str
    """``all``, ``p`` one player, ``!p`` all but some, ``un`` a member, ``ob`` an observer, ``f`` from a player,
    ``fo`` from an observer."""
    seats: tuple[int, ...] = ()

    def __str__(self) -> str:
        if len(self.seats) > 1:
            return f"{self.kind}[{', '.join(map(str, self.seats))}]"
        return f"{self.kind}{self.seats[0]}" if self.seats else self.kind

    @property
    def from_client(self) -> bool:
        """Whether it is a request."""
        return self.kind in ("f", "fo")

    def includes(self, seat: int | None) -> bool:
        """Whether this seat (None: a spectator) receives it from the server."""
        if self.kind == "all":
            return True
        if self.kind == "p":
            return seat in self.seats
        # Messages to one member or observer are in no player's view: a log does not show which client received them.
        return self.kind == "!p" and seat not in self.seats


ALL: Final = Audience("all")
UNKNOWN: Final = Audience("un")
NO_AUDIENCE: Final = Audience("")
"""Of a line that is no event."""


def to(seat: int) -> Audience:
    """Return the audience of one player."""
    return Audience("p", (seat,))


def but(*seats: int) -> Audience:
    """Return the audience of all but some."""
    return Audience("!p", seats)


def by(seat: int) -> Audience:
    """Return the origin: a request of a player."""
    return Audience("f", (seat,))


@dataclass(frozen=True, slots=True)
class Event:
    """One entry of a log."""

    audience: Audience
    message: Message
    reader: int | None = field(default=None, compare=False)
    """For ``un``: the seat that it is meant for, which a log does not show."""

    def __str__(self) -> str:
        return self.line("")

    def line(self, game: str) -> str:
        """Return the event as in a log, without the time."""
        if isinstance(self.message, Unread):
            return self.message.line
        return f"{self.audience}:{to_text(self.message, game)}"


def audience_of(prefix: str) -> Audience:
    """Return what a prefix of a line stands for. Raises Malformed."""
    match = _PREFIX.fullmatch(prefix)
    if match is None or prefix == "null":
        raise Malformed(f"{prefix[:40]!r} is no audience")
    word, kind, seat, several = match.groups()
    if word:
        return Audience(word)
    if kind:
        return Audience(kind, (int(seat),))
    return Audience("!p", tuple(int(one) for one in several.split(",")))


def event_of(line: str) -> tuple[Event, str]:
    """Return the event in a line without its time, and the game that it names. Raises Malformed."""
    audience, text = _parts(line)
    message, game = from_text(text)
    return Event(audience, message), game


def kept_event(line: str) -> tuple[Event, str]:
    """Return the same for a line that :func:`event_of` does not understand: its text as it stands, if that can
    be found, else the line."""
    try:
        audience, text = _parts(line)
        message, game = kept_text(text)
    except Malformed:
        return Event(NO_AUDIENCE, Unread(line)), ""
    return Event(audience, message), game


def _parts(line: str) -> tuple[Audience, str]:
    prefix, colon, text = line.partition(":")
    if not colon:
        raise Malformed(f"{line[:60]!r} has no audience")
    return audience_of(prefix), text


def to_attribute(audience: Audience) -> str:
    """Return an audience as an XML attribute, with a blank before it."""
    seats = " ".join(map(str, audience.seats))
    match audience.kind:
        case "f":
            return f' from="{seats}"'
        case "fo":
            return ' from="o"'
        case "p":
            return f' to="{seats}"'
        case "!p":
            return f' to="!{seats}"'
    return f' to="{audience.kind}"'


def from_attributes(sender: str | None, receiver: str | None) -> Audience:
    """Return the audience in the attributes ``from`` and ``to`` of an event. Raises Malformed."""
    if sender is not None and receiver is None:
        if sender == "o":
            return Audience("fo")
        if sender.isascii() and sender.isdigit() and len(sender) < 4:
            return by(int(sender))
    elif sender is None and receiver is not None and _XML_TO.fullmatch(receiver):
        if receiver.startswith("!"):
            return Audience("!p", tuple(map(int, receiver[1:].split())))
        return to(int(receiver)) if receiver.isdigit() else Audience(receiver)
    raise Malformed(f"an event from {sender!r} to {receiver!r}")


def event_to_xml(event: Event, attributes: str = "") -> str:
    """Return the element of an event, with further attributes."""
    return f"<event{attributes}{to_attribute(event.audience)}>{to_xml(event.message)}</event>"


__all__ = [
    "ALL",
    "UNKNOWN",
    "Audience",
    "Event",
    "audience_of",
    "but",
    "by",
    "event_of",
    "event_to_xml",
    "from_xml",
    "to",
]
