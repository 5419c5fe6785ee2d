"""A verdict in sentences for people: why a game ended and who won (what bots get as ``account``), whose fault."""

from collections.abc import Iterable
from typing import Final, Protocol

from ugs.broker.verdict import CAUSES, GIVEN_BY_SERVER, LINE_LOST, Cause, Fault, GameResult, Outcome, Verdict

MAX_NAMED = 8
"""A sentence names at most this many winners and counts the others."""


class Placed(Protocol):
    """A seat at the end of a game, as its result or a message about it has it."""

    @property
    def nick(self) -> str:
        """Its player."""
        ...

    @property
    def outcome(self) -> str:
        """A value of :class:`Outcome`."""
        ...


def sentence(result: GameResult, *, with_program: bool = False) -> str:
    """Return why a game ended and who won, in one sentence for people, without the master's reason. ``with_program``:
    whether the master played seats, which results do not name: it has won where no player has."""
    verdict = result.verdict
    facts = CAUSES[verdict.cause]
    if verdict.cause is Cause.FINISHED:
        return f"{_who_won(result.seats, with_program=with_program)}, as judged by the game master '{result.master}'"
    account = facts.account.format(culprit=verdict.culprit or "a player", master=result.master)
    if verdict.cause in OUT_OF_TABLE and (out := _out(result)):
        account = f"{out}; {OUT_OF_TABLE[verdict.cause].format(culprit=verdict.culprit)}"
    if verdict.void or verdict.cause is Cause.DRAW:
        return account
    return f"{account}; {_who_won(result.seats, with_program=with_program)}"


OUT_OF_TABLE: Final = {
    Cause.CANCELLED: "{culprit} had set up its table, so it ended for all",
    Cause.NOT_VIABLE: "too few seats were left at its table to go on",
}
"""What is added to who is out of a game at a table, where that ended it."""


def _out(result: GameResult) -> str:
    """Who is out of a game, and why; empty if no one is."""
    gone = [f"{seat.nick} is out ({seat.departure})" for seat in result.seats if seat.departure is not None]
    return ", ".join(gone[:MAX_NAMED])


ORDERLY = frozenset({Cause.FINISHED, Cause.DRAW})
"""Causes that need not be named: the winner is enough."""


def in_short(seats: Iterable[Placed], reason: str, *, with_program: bool) -> str:
    """Return who won a game that ended in order, and how, for a headline: ``pam won: enough points``. ``reason`` is the
    master's reason; empty if there is none. ``with_program``: whether the master played seats, which results do not
    name."""
    who = _who_won(seats, with_program=with_program)
    return f"{who}: {reason}" if reason else who


def refused_in_words(result: GameResult) -> list[str]:
    """Return how many moves of each player were refused, in one sentence for people; nothing if none was."""
    refused = [f"{seat.nick} {seat.refused}" for seat in result.seats if seat.refused]
    more = f" and of {len(refused) - MAX_NAMED} more players" if len(refused) > MAX_NAMED else ""
    return [f"refused moves: {', '.join(refused[:MAX_NAMED])}{more}"] if refused else []


WHOSE: dict[Fault, str] = {
    Fault.NONE: "no one was at fault",
    Fault.PLAYER: "the fault of the player {culprit}: it counts as lost for it",
    Fault.MASTER: "the fault of the game master {culprit}: it counts for no player",
    Fault.SERVER: "the fault of the server: it counts for no player",
}


def fault_of(verdict: Verdict) -> str:
    """Whose fault the end of a game was, in one sentence for people."""
    if verdict.cause is Cause.VOIDED:  # it counts like a fault of the server, which did nothing wrong
        return "by order of the organiser: it counts for no player"
    return WHOSE[verdict.fault].format(culprit=verdict.culprit or "a player")


def who_decided(cause: Cause) -> str:
    """Who has given the :class:`Reason` of an end with this cause, for people."""
    return "the server" if cause in GIVEN_BY_SERVER else "the game master"


DEPARTED: Final = LINE_LOST | {Cause.LEFT, Cause.LOGOUT, Cause.TIMEOUT}
"""Causes that are known before the master learns that a player has left."""
_REPEATS: Final = frozenset({"", "player left", "one player left"})


def repeats(cause: Cause, code: str, text: str) -> bool:
    """Whether a master's reason for an end with this cause only repeats that a player has left, as the cause does."""
    return cause in DEPARTED and _REPEATS.issuperset({code.replace("-", " ").lower(), text.lower()})


def with_why(cause: Cause, why: str) -> str:
    """Return a cause with its details, for people."""
    return why if why.startswith(cause) else f"{cause}: {why}" if why else str(cause)


def _who_won(seats: Iterable[Placed], *, with_program: bool) -> str:
    otherwise = "the computer won" if with_program else "no player won"
    by_outcome: dict[str, list[str]] = {outcome: [] for outcome in Outcome}
    for seat in seats:
        by_outcome.setdefault(seat.outcome, []).append(seat.nick)
    won, drawn = by_outcome[Outcome.WON], by_outcome[Outcome.DRAWN]
    return f"{_listed(won)} won" if won else f"{_listed(drawn)} drew" if drawn else otherwise


def _listed(nicks: list[str]) -> str:
    named = ", ".join(nicks[:MAX_NAMED])
    return f"{named} and {len(nicks) - MAX_NAMED} more" if len(nicks) > MAX_NAMED else named
