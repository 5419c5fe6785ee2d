"""Results that an organiser corrects, decides or cancels. Each function returns why that is not possible, or None."""

from collections.abc import Mapping
from typing import Final

from ugs.broker.championships import ledger_entries, progress
from ugs.broker.championships.ledgers import facts_of, outcomes_given
from ugs.broker.state.championship import Championship
from ugs.championship.formats.format_contract import Fixture
from ugs.championship.ledger import What
from ugs.game_ids import NoSuchGame, id_meant

MAX_NUMBER: Final = 16
"""Characters of ``#`` and the number of a fixture."""

GOING_ON: Final = ("stages", "league")
"""Formats whose places decide who goes on, or up and down, as soon as the last game has its result."""


def replay(championship: Championship, game_id: str, who: str, why: str) -> str | None:
    """Cancel the result of a game, and play it again. Returns why that is not possible, or None when done."""
    try:
        game_id = id_meant(game_id, championship.fixtures.of_game, _in(championship))
    except NoSuchGame as error:
        return str(error)
    counted = next((one for one in championship.ledger.counted.values() if one.game_id == game_id), None)
    if counted is None:
        return f"game {game_id}: does not count in championship {championship.name}"
    if championship.plan.format == "knock-out":
        return f"game {game_id}: a knock-out has gone on from its result; it cannot be played again"
    if championship.plan.format in GOING_ON:
        return (
            f"game {game_id}: who goes on is decided by its first result, so it cannot be played again; "
            "`ugs championship correct` puts that right"
        )
    gone = [nick for nick in counted.outcomes if nick in championship.ledger.gone]
    if gone:
        return f"game {game_id}: {gone[0]} has left the championship; it cannot be played again"
    if championship.given_up_all:
        return f"game {game_id}: too few are left for any game master; it cannot be played again"
    ledger_entries.write(championship, What.REPLAYED, {"game": game_id, "fixture": counted.fixture}, who, why)
    return None


def correct(championship: Championship, subject: str, results: Mapping[str, str], who: str, why: str) -> str | None:
    """Correct the result of a fixture that counts. ``subject`` is a game id or ``#`` and a number of a fixture. Returns
    why that is not possible, or None when done."""
    fixture = _meant(championship, subject)
    if isinstance(fixture, str):
        return fixture
    counted = championship.ledger.counted.get(fixture.number) if fixture is not None else None
    begun = fixture is not None and fixture.number in championship.fixtures.settled
    if fixture is None or counted is None or not (begun or fixture.number in championship.fixtures.forfeited):
        why = f"has no result that counts in championship {championship.name}"
        return f"{subject}: {why}; `ugs championship adjudicate` decides a game without one"
    outcomes, wrong = outcomes_given(fixture.nicks, results)
    if not begun and len(fixture.nicks) > 2:
        gone = next(iter(counted.outcomes))
        return f"{subject}: was not played, since {gone} has left; the others have no result in it"
    wrong = wrong or _not_changeable(championship, fixture)
    if wrong:
        return f"{subject}: {wrong}"
    if outcomes == dict(counted.outcomes):
        return f"{subject}: that is its result already"
    data = {"game": counted.game_id, "fixture": fixture.number}
    entry = {**data, "outcomes": outcomes, "before": dict(counted.outcomes)}
    ledger_entries.write_on_schedule(championship, What.CORRECTED, entry, who, why)
    return None


def adjudicate(championship: Championship, subject: str, results: Mapping[str, str], who: str, why: str) -> str | None:
    """Decide a fixture that does not count: void, given up, being played or not begun. ``subject`` as in
    :func:`correct`. Returns why that is not possible, or None when done."""
    fixture = _meant(championship, subject)
    if isinstance(fixture, str):
        return fixture
    if fixture is None or fixture.number in championship.ledger.counted:
        return f"{subject}: is no game without a result in championship {championship.name}"
    game = next((game_id for game_id, one in championship.fixtures.running.items() if one is fixture), "")
    # Two results of one game would both be on disk.
    if game in championship.fixtures.closing:
        return f"{subject}: has ended, and its result is on the way to the disk"
    outcomes, wrong = outcomes_given(fixture.nicks, results)
    if not wrong and fixture.number in championship.fixtures.settled:
        wrong = _not_changeable(championship, fixture)
    if wrong:
        return f"{subject}: {wrong}"
    data = {"game": game, "label": fixture.label, "outcomes": outcomes, **facts_of(fixture)}
    ledger_entries.write(championship, What.ADJUDICATED, data, who, why)
    return None


def _in(championship: Championship) -> str:
    return f" in championship {championship.name}"


def _meant(championship: Championship, subject: str) -> Fixture | str | None:
    """Return the fixture that an organiser means; None if there is none, a text if several games fit."""
    if not subject.startswith("#"):
        try:
            return championship.fixtures.of_game[id_meant(subject, championship.fixtures.of_game, _in(championship))]
        except NoSuchGame as error:
            return str(error)
    # isdecimal takes any length, and int() fails beyond some thousand digits.
    if not subject[1:].isdecimal() or championship.whole_schedule is None or len(subject) > MAX_NUMBER:
        return None
    number = int(subject[1:])
    open_ones = championship.whole_schedule.open_fixtures(championship.field)
    decided = championship.fixtures.known.get(number) or championship.fixtures.forfeited.get(number)
    return decided or next((one for one in open_ones if one.number == number), None)


def _not_changeable(championship: Championship, fixture: Fixture) -> str:
    # The standings are as if it had never played: there is no result left to put right.
    struck = [nick for nick in fixture.nicks if nick in championship.ledger.struck]
    if struck:
        return f"the results of {struck[0]} are struck"
    return progress.schedule_of(championship).not_correctable(fixture)
