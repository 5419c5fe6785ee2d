"""The ledger of a championship in words for people."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from ugs.championship.ledger import LedgerEntry, What

Data: TypeAlias = Mapping[str, Any]


def entry_text(entry: LedgerEntry) -> str:
    """What has happened; behind it, in brackets, who did it and why, where that is on record."""
    if entry.what is What.VOID and entry.who:
        return _voided(entry)
    background = ": ".join(filter(None, (entry.who, entry.why)))
    return TEXTS[entry.what](entry.data) + (f" ({background})" if background else "")


def order_text(entry: LedgerEntry) -> str:
    """What an organiser has ordered, and why."""
    return TEXTS[entry.what](entry.data) + (f" ({entry.why})" if entry.why else "")


def fixture_text(data: Data) -> str:
    """Number, round and players of a fixture, from the data of an entry that begins or ends it."""
    label = f", {data['label']}" if data.get("label") else ""
    return f"fixture {data['fixture']} (round {data['round']}{label}): {', '.join(data['nicks'])}"


def _outcomes(data: Data, key: str = "outcomes") -> str:
    return ", ".join(f"{nick} {outcome}" for nick, outcome in data[key].items())


def correction_text(data: Data) -> str:
    """The result before a correction, and after it."""
    played = f"game {data['game']}" if data["game"] else f"fixture {data['fixture']}"
    return f"{played} is corrected: {_outcomes(data)}; it was: {_outcomes(data, 'before')}"


def _begun(data: Data) -> str:
    games = f"; games of {data['seats']}" if data["seats"] else ""
    return f"the field: {', '.join(data['field'])}{games}"


def _entered(data: Data) -> str:
    if "back" not in data:
        return f"{data['nick']} has entered"
    return f"{data['nick']} plays again" if data["back"] else f"{data['nick']} has its place again"


def _void(data: Data) -> str:
    fault = " through the server" if data["server"] else ""
    return f"game {data['game']} counts for no player{fault}; {_again(data)}"


def _voided(entry: LedgerEntry) -> str:
    """By an organiser, though the server is not at fault."""
    by = f"voided by {entry.who}: {entry.why}"
    return f"game {entry.data['game']} is {by}; it counts for no player; {_again(entry.data)}"


def _again(data: Data) -> str:
    return f"fixture {data['fixture']} {'is played again' if data['again'] else 'is not played again'}"


def _over(data: Data) -> str:
    head = "the places are now" if data.get("corrected") else "over"
    return ": ".join(filter(None, (head, ", ".join(data.get("placing", ())))))


TEXTS: dict[What, Callable[[Data], str]] = {
    What.PLANNED: lambda _: "announced",
    What.BEGUN: _begun,
    What.DRAWING: lambda data: f"drawing {data['what']}",
    What.DRAWN: lambda _: "drawn",
    What.FIXTURE: lambda data: f"game {data['game']} begins: {fixture_text(data)}",
    What.RESULT: lambda data: f"game {data['game']} counts: {_outcomes(data)}",
    What.VOID: _void,
    What.FORFEIT: lambda data: f"decided without a game: {fixture_text(data)}: {_outcomes(data)}",
    What.GIVEN_UP: lambda data: f"given up: {fixture_text(data)}",
    What.WITHDRAWN: lambda data: f"{data['nick']} is out; its results {'are struck' if data['struck'] else 'stand'}",
    What.DISQUALIFIED: lambda data: f"{data['nick']} is disqualified and has no place",
    What.REPLAYED: lambda data: (
        f"game {data['game']} does not count any more; fixture {data['fixture']} is played again"
    ),
    What.CORRECTED: correction_text,
    What.ADJUDICATED: lambda data: f"adjudicated: {fixture_text(data)}: {_outcomes(data)}",
    What.EDITED: lambda _: "the plan is changed",
    What.CANCELLED: lambda _: "cancelled",
    What.ENTERED: _entered,
    What.BYE: lambda data: f"{data['nick']} sits out round {data['round']}",
    What.PAUSED: lambda _: "paused",
    What.RESUMED: lambda _: "goes on",
    What.OVER: _over,
}
"""Each kind of entry in words."""
