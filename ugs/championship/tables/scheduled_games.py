"""Each game of a championship as far as it has come, read from the ledger."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from ugs.championship.ledger import LedgerEntry, What

RUNNING: Final = "running"
TO_COME: Final = "to come"
ENDS: Final[Mapping[What, str]] = {
    What.RESULT: "played",
    What.VOID: "void",
    What.FORFEIT: "forfeit",
    What.GIVEN_UP: "given up",
    What.REPLAYED: "to be replayed",
    What.ADJUDICATED: "adjudicated",
}
"""What has become of a fixture, by the kind of its entry."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """An organiser decided a game, or put its result right."""

    who: str
    why: str
    before: dict[str, str]
    """The outcomes it had, by nick; empty where it had none."""


@dataclass(frozen=True, slots=True)
class ScheduledGame:
    """A game of a championship."""

    fixture: int
    round: int
    label: str
    nicks: list[str]
    state: str
    """``running``, ``to come``, or one of ENDS."""
    game: str
    """Its id; empty if it was not played."""
    outcomes: dict[str, str]
    """By nick; empty before the end."""
    ruling: Ruling | None = None
    """The organiser's, where there is one."""
    again: bool = False
    """Whether it is to be played again."""


def scheduled_games(entries: Iterable[LedgerEntry]) -> dict[int, ScheduledGame]:
    """Return all games that were begun or decided, by fixture, in the order they began."""
    games: dict[int, ScheduledGame] = {}
    for entry in entries:
        data = entry.data
        if entry.what is What.FIXTURE:
            begun = (data["fixture"], data["round"], data.get("label", ""), list(data["nicks"]))
            games[data["fixture"]] = ScheduledGame(*begun, RUNNING, data["game"], {})
        elif entry.what is What.CORRECTED and data["fixture"] in games:
            ruling = Ruling(entry.who, entry.why, dict(data["before"]))
            before = games[data["fixture"]]
            games[data["fixture"]] = replace(before, outcomes=dict(data["outcomes"]), ruling=ruling)
        elif entry.what in ENDS:
            games[data["fixture"]] = _ended(games.get(data["fixture"]), entry)
    return games


def _ended(before: ScheduledGame | None, entry: LedgerEntry) -> ScheduledGame:
    data: Mapping[str, Any] = entry.data
    # A forfeit ends a game that never began.
    known = before or ScheduledGame(
        data["fixture"], data.get("round", 0), data.get("label", ""), list(data.get("nicks", ())), "", "", {}
    )
    return replace(
        known,
        state=ENDS[entry.what],
        game=data.get("game") or known.game,
        outcomes=dict(data.get("outcomes", {})),
        ruling=Ruling(entry.who, entry.why, {}) if entry.what is What.ADJUDICATED else None,
    )
