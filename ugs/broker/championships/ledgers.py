"""Converts values of a running server to entries of ledgers, and back."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from ugs.broker.verdict import POINTS, GameResult, Outcome
from ugs.championship.formats.format_contract import Fixture
from ugs.championship.ledger import LedgerEntry, What
from ugs.championship.plan import Plan, PlanOpening, Stage
from ugs.config import GameTypeSettings

WORTH: Final[Mapping[str, float]] = {str(outcome): points for outcome, points in POINTS.items()}
"""The points of an outcome, by its word in entries."""
BEFORE: Final[Mapping[str, Any]] = {"bye": "win", "open_play": False}
"""Values for plans that were written without these keys."""


def plan_of(game_type: str, settings: GameTypeSettings) -> Plan:
    """Return the plan for the setting ``mode = "championship"`` of a game type: a round robin, named after it."""
    return Plan.unchecked(
        name=game_type,
        game_type=game_type,
        first=settings.championship_players,
        begins_at=settings.championship_at,
        void_replays=settings.void_replays,
        open_play=bool(settings.championship_at),
    )


def plan_of_ledger(written: Mapping[str, Any]) -> Plan:
    """Return the plan in a ledger. It is not checked again: that was done when it was announced. Missing newer keys get
    the value for the earlier behaviour."""
    values = _tuples({**BEFORE, **written})
    values["stages"] = tuple([Stage.unchecked(**_tuples(stage)) for stage in values.get("stages", ())])
    values["openings"] = tuple([PlanOpening.unchecked(**one) for one in values.get("openings", ())])
    return Plan.unchecked(**values)


def _tuples(written: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(one) if isinstance(one, list) else one for key, one in written.items()}


def in_counting_order(entries: Sequence[LedgerEntry]) -> Iterator[LedgerEntry]:
    """Yield the entries in the order of counting, without results that never counted.

    A game has both a result and a void entry when the journal was lost before the result was announced.
    """
    void = {entry.data["game"] for entry in entries if entry.what is What.VOID}
    closing: dict[str, LedgerEntry] = {}
    for entry in entries:
        if entry.what is What.RESULT:
            # The journal had the result when the server voided the game: no peer ever got it.
            if entry.data["game"] not in void:
                closing[entry.data["game"]] = entry
            continue
        still = entry.data.get("closing", ())
        for game_id in [one for one in closing if one not in still]:
            yield closing.pop(game_id)
        yield entry
    yield from closing.values()


def facts_of(fixture: Fixture) -> dict[str, object]:
    """Return the data of a fixture for entries."""
    return {"fixture": fixture.number, "round": fixture.round, "nicks": list(fixture.nicks)}


def outcomes_of(written: Mapping[str, str]) -> dict[str, Outcome]:
    """Return the outcomes in an entry, by nick."""
    return {nick: Outcome(word) for nick, word in written.items()}


def points_of(outcomes: Mapping[str, Outcome]) -> dict[str, float]:
    """Return the points of outcomes, by nick."""
    return {nick: POINTS[outcome] for nick, outcome in outcomes.items()}


OUTCOME_WORDS = (str(Outcome.WON), str(Outcome.LOST), str(Outcome.DRAWN))
"""The outcomes that an organiser may give a player."""


def outcomes_given(nicks: Sequence[str], results: Mapping[str, str]) -> tuple[dict[str, str], str]:
    """Return the outcomes that an organiser gives these players, and what is wrong with them (empty: nothing).

    ``results``: by nick ``won``, ``lost`` or ``drawn``; the empty nick stands for all others. Without it they
    have lost if a player has won.
    """
    for nick, word in results.items():
        if nick and nick not in nicks:
            return {}, f"result: {nick!r} does not play in it; {', '.join(nicks)} do"
        if word not in OUTCOME_WORDS:
            return {}, f"result: {word!r}: allowed: {', '.join(OUTCOME_WORDS)}"
    others = results.get("", str(Outcome.LOST) if str(Outcome.WON) in results.values() else None)
    outcomes = {nick: results.get(nick, others) for nick in nicks}
    found = {nick: word for nick, word in outcomes.items() if word is not None}
    if len(found) < len(nicks):
        missing = next(nick for nick in nicks if nick not in found)
        return {}, f"result: {missing!r} is missing"
    words = list(found.values())
    if words.count(str(Outcome.DRAWN)) == 1 or (len(nicks) == 2 and len({*words}) == 1 and words[0] == Outcome.WON):
        return {}, f"result: {', '.join(words)}: no game ends like this"
    return found, ""


def result_entry(result: GameResult, fixture: Fixture) -> LedgerEntry:
    """Return the entry for the result of a game of this fixture."""
    outcomes = {seat.nick: str(seat.outcome) for seat in result.seats}
    return LedgerEntry(What.RESULT, {"game": result.game_id, "fixture": fixture.number, "outcomes": outcomes})
