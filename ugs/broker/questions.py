"""What people at this machine may ask of a running server, or order it to do."""

from enum import StrEnum
from typing import TypeAlias

from ugs.championship.plan import Plan
from ugs.value import value


@value
class WhyAsked:
    """Why does this player wait, or how does this game stand? ``name`` is a nick, a master's id or a game id."""

    name: str


class OrderKind(StrEnum):
    """What can be ordered about a championship."""

    PAUSE = "pause"
    """Begin no new game."""
    RESUME = "resume"
    """Begin games again."""
    WITHDRAW = "withdraw"
    """Take an entrant out for good; the subject is its nick."""
    REPLAY = "replay"
    """Let a game not count, and play it again; the subject is its id."""


@value
class Order:
    """Do this to a championship. ``who`` orders it and ``why`` are kept in its ledger."""

    kind: OrderKind
    championship: str
    who: str
    why: str
    subject: str = ""


@value
class PlanAsked:
    """Announce one more championship."""

    plan: Plan
    who: str
    begins_in_s: float | None = None


Question: TypeAlias = WhyAsked | Order | PlanAsked
