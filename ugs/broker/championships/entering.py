"""The field of a championship: it is fixed at the begin, entrants leave, a few come late or sit out."""

from collections.abc import Collection
from typing import Final

from ugs.broker.championships import fixtures, ledger_entries, progress
from ugs.broker.state.championship import Championship
from ugs.broker.values.standings import LiveStandings
from ugs.championship.ledger import What
from ugs.championship.used_keys import STRIKING_FORMATS

ALSO_UNPLAYED: Final = "; `ugs championship correct` puts results of games of two right, also of those not played"


def fix_field(championship: Championship, nicks: Collection[str], open_standings: LiveStandings) -> None:
    """Fix the field: these nicks, first those named by the plan, in its order. ``open_standings`` are stored."""
    championship.open_standings = open_standings
    rank = {nick: place for place, nick in enumerate(championship.plan.entrants)}
    seeds = {nick: place for place, nick in enumerate(championship.plan.seeds)}
    # A stable sort: those without a seed or a place in the plan stay in the order of their logins.
    field = sorted(nicks, key=lambda nick: (seeds.get(nick, len(seeds)), rank.get(nick, len(rank))))
    ledger_entries.write(championship, What.BEGUN, {"field": field, "seats": championship.plan.seats})


def withdraw(championship: Championship, nick: str, who: str = "", why: str = "", *, stands: bool = False) -> bool:
    """An entrant leaves for good. Returns whether its results are struck, which ``stands`` rules out; ``who`` and
    ``why`` go into the ledger.

    If they are struck, the standings are as if it had never played. If not, it loses all its games that are not played
    yet, and in games of two the opponent wins. Games that are not drawn yet are drawn without it.
    """
    championship.away.pop(nick, None)
    undrawn = championship.wanted
    if undrawn is not None:
        # The ledger must show that the leaver went before the games were drawn: read back, it is in no draw either.
        ledger_entries.announce_draw(championship, undrawn)
    dropped = [fixture for fixture in championship.fixtures.again if nick in fixture.nicks]
    dropped += progress.drop(championship, nick)
    struck = not stands and _is_struck(championship, nick, len(dropped), drawn=undrawn is None)
    ledger_entries.write(championship, What.WITHDRAWN, {"nick": nick, "struck": struck}, who, why)
    if not struck:
        for fixture in dropped:
            fixtures.forfeit(championship, fixture)
    if undrawn is not None and championship.wanted is None:
        # Few enough are left to draw at once, or none need drawing.
        ledger_entries.write(championship, What.DRAWN, {})
    return struck


def disqualify(championship: Championship, nick: str, who: str, why: str) -> None:
    """An entrant loses its place, also after the end; what it played counts for the others. One who still plays is
    withdrawn first: it loses the rest."""
    if championship.plays(nick) and not championship.ledger.over:
        withdraw(championship, nick, who, why, stands=True)
    ledger_entries.write(championship, What.DISQUALIFIED, {"nick": nick}, who, why)


def _is_struck(championship: Championship, nick: str, dropped: int, *, drawn: bool) -> bool:
    """Return whether the plan strikes the results of a leaver: never, always, or if it has played less than half of its
    games. ``dropped`` is the number of its fixtures that neither run nor count; ``drawn`` is whether games had been
    drawn when it left."""
    if championship.plan.leavers == "lose" or championship.plan.format not in STRIKING_FORMATS:
        return False
    mine = [one for one in championship.ledger.standing() if nick in one.outcomes]
    running = [game_id for game_id, fixture in championship.fixtures.running.items() if nick in fixture.nicks]
    closing = sum(game_id in championship.fixtures.closing for game_id in running)
    played = sum(1 for one in mine if one.game_id) + closing
    unplayed = dropped + len(running) - closing
    if championship.whole_schedule is None or not drawn or (unplayed and championship.plan.leavers == "strike"):
        return True
    # D19: struck out with less than half of its games played.
    return 2 * played < len(mine) + closing + unplayed


def may_join(championship: Championship, nick: str) -> bool:
    """Return whether a player who comes now may still enter."""
    schedule = championship.whole_schedule
    return (
        schedule is not None
        and not championship.given_up_all
        and nick not in championship.ledger.entrants
        and schedule.may_come_late(championship.plan.late_rounds)
        and (not championship.plan.entrants or nick in championship.plan.entrants)
    )


def enter(championship: Championship, nick: str, who: str = "", why: str = "") -> str | None:
    """Add an entrant. Returns why that is not possible, or None when done."""
    if nick in championship.ledger.entrants:
        return f"{nick!r} is or was an entrant of championship {championship.name} already"
    if championship.whole_schedule is None:
        return f"championship {championship.name}: the seats of its games are not known yet"
    wrong = championship.whole_schedule.not_enterable()
    if not wrong and championship.given_up_all:
        wrong = "what is left is given up"
    if wrong:
        return f"{nick}: {wrong}"
    ledger_entries.write_on_schedule(championship, What.ENTERED, {"nick": nick}, who, why)
    return None


def take_back(championship: Championship, nick: str, who: str, why: str) -> str | None:
    """Take back that an entrant is out: it has its place, and plays what is not drawn yet where the format has such
    games. Returns why that is not possible, or None when done."""
    ledger, schedule = championship.ledger, championship.whole_schedule
    if nick in ledger.struck:
        return f"{nick}: its results are struck, and so they stay"
    # Who left before its games were drawn up is in no schedule.
    goes_on = not ledger.over and not championship.given_up_all
    plays = schedule is not None and nick in schedule.field and goes_on and schedule.takes_back()
    if not plays and nick not in ledger.disqualified:
        return f"{nick}: what it has not played is lost, and nothing more is drawn that it could play{ALSO_UNPLAYED}"
    ledger_entries.write_on_schedule(championship, What.ENTERED, {"nick": nick, "back": plays}, who, why)
    return None


def sit_out(championship: Championship, nick: str, round_: int, who: str, why: str) -> str | None:
    """Let an entrant sit out a round. Returns why that is not possible, or None when done."""
    if championship.whole_schedule is None:
        return f"championship {championship.name}: the seats of its games are not known yet"
    wrong = championship.whole_schedule.cannot_sit_out(round_)
    if wrong:
        return f"{nick}: {wrong}"
    ledger_entries.write_on_schedule(championship, What.BYE, {"nick": nick, "round": round_}, who, why)
    return None
