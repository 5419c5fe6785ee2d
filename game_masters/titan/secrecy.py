"""Whose the secrets of a message are, and the legions that it shows anything of."""

from dataclasses import fields

from game_masters.titan import messages as msg
from game_masters.titan.messages import Message
from game_masters.titan.position import Position


def owners(position: Position, message: Message) -> tuple[int | None, int | None]:
    """Return who may see a secret message: the owner or attacker, and the defender."""
    if isinstance(message, msg.Place):
        return position.seat_of(message.player), None
    if isinstance(message, msg.Split):
        return position.legions[message.parent].seat, None
    if isinstance(message, msg.Engage):
        here = {legion.seat for legion in position.in_land(message.hex)}
        return position.active, next(iter(here - {position.active}))
    seats = position.engagement.seats if position.engagement is not None else {}
    return seats.get("attacker"), seats.get("defender")


def shown(message: Message) -> set[str]:
    """Return the legions whose contents a message may show or change."""
    # A move without a lord shows nothing of what is in the legion.
    if isinstance(message, msg.Move) and message.lord is None:
        return set()
    if isinstance(message, msg.UndoMove):
        return set()
    words: set[str] = set()
    for field in fields(message):
        value = getattr(message, field.name)
        if isinstance(value, msg.Stack):
            words.add(value.name)
        elif isinstance(value, str):
            words.add(value)
        elif isinstance(value, tuple):
            words |= {one.legion for one in value if isinstance(one, msg.Losses)}
    return words
