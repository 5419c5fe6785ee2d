"""What goes from a running server into the ledgers of championships, and back."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from ugs.broker.verdict import GameResult, Outcome
from ugs.championship.ledger import LedgerEntry, What
from ugs.championship.plan import Plan
from ugs.championship.schedule import Fixture
from ugs.config import GameTypeSettings, lists_as_tuples

BEFORE: Final[Mapping[str, Any]] = {"bye": "win", "open_play": False}
"""What plans without these keys meant."""


def plan_of(game_type: str, settings: GameTypeSettings) -> Plan:
    """The plan that the settings ``mode = "championship"`` of a game type stand for: a round robin, named after it."""
    return Plan.model_construct(
        name=game_type,
        game_type=game_type,
        first=settings.championship_players,
        begins_at=settings.championship_at,
        void_replays=settings.void_replays,
        open_play=bool(settings.championship_at),
    )


def plan_of_ledger(written: Mapping[str, Any]) -> Plan:
    """The plan that a ledger keeps. It is not checked again: that was done when it was announced. Keys that came later
    have the value that stood for what was done before."""
    return Plan.model_construct(None, **{**BEFORE, **lists_as_tuples(written)})


def in_counting_order(entries: Sequence[LedgerEntry]) -> Iterator[LedgerEntry]:
    """The entries in the order in which they came to count, without results that never did.

    A game has both a result and a void entry when the journal was lost before the result was announced.
    """
    void = {entry.data["game"] for entry in entries if entry.what is What.VOID}
    closing: dict[str, LedgerEntry] = {}
    for entry in entries:
        if entry.what is What.RESULT:
            if entry.data["game"] not in void:
                closing[entry.data["game"]] = entry
            continue
        still = entry.data.get("closing", ())
        for game_id in [one for one in closing if one not in still]:
            yield closing.pop(game_id)
        yield entry
    yield from closing.values()


def facts_of(fixture: Fixture) -> dict[str, object]:
    """What entries say about a fixture."""
    return {"fixture": fixture.number, "round": fixture.round, "nicks": list(fixture.nicks)}


def outcomes_of(written: Mapping[str, str]) -> dict[str, Outcome]:
    """The outcomes that an entry holds, by nick."""
    return {nick: Outcome(word) for nick, word in written.items()}


def result_entry(result: GameResult, fixture: Fixture) -> LedgerEntry:
    """The entry about the result of a game that plays this fixture."""
    outcomes = {seat.nick: str(seat.outcome) for seat in result.seats}
    return LedgerEntry(What.RESULT, {"game": result.game_id, "fixture": fixture.number, "outcomes": outcomes})
