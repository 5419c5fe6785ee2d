"""What organisers do to the server itself, outside of any championship: a table of acts, each of which is recorded.

An act that cannot be done changes nothing, and its answer says why. A new act is a member of
:class:`~ugs.broker.questions.ActKind`, a function here, and its row in :data:`ACTS`.
"""

from collections.abc import Callable
from itertools import islice

from ugs.broker.championships import champions_list
from ugs.broker.effects import RecordAct
from ugs.broker.questions import Act, ActKind
from ugs.broker.state.desk import Desk
from ugs.broker.state.model import GameType

MOST_NAMED = 10
"""A refusal names at most this many games, game types or nicks."""


def carry_out(desk: Desk, act: Act) -> dict[str, object]:
    """Do it. Returns the answer: what was done, or why it cannot be."""
    if desk.journal_lost:
        return _refused(f"nothing can be written down at present: {desk.journal_lost}")
    answer = ACTS[act.kind](desk, act)
    if answer["ok"]:
        desk.note("act", kind=str(act.kind), subject=act.subject, game_type=act.game_type, who=act.who, why=act.why)
    return answer


def _forget(desk: Desk, act: Act) -> dict[str, object]:
    """Take the row of a nick that is not here out of the standings of open play. What it has played still counts for
    its opponents; if it comes back, it begins with 0 and 0."""
    nick = act.subject
    wrong = _still_needed(desk, nick)
    if wrong:
        return _refused(wrong)
    types = [one for one in desk.types.values() if act.game_type in ("", one.name) and nick in one.open_standings]
    if not types:
        return _refused(_no_row(desk, act))
    for game_type in types:
        game_type.open_standings.strike(nick)
        game_type.seating.forget(nick)
        desk.do(RecordAct(str(act.kind), nick, game_type.name, act.who, act.why))
        champions_list.changed(desk, game_type)
        desk.release(game_type)
    return {"ok": True, "game_types": [one.name for one in types]}


def _still_needed(desk: Desk, nick: str) -> str:
    """Why the row of a nick cannot go; empty when it can."""
    player = desk.names.player(nick)
    if player is not None:
        state = "its line is cut, and it may come back" if player.away else "it is logged in"
        return f"{nick!r} is here as {player.name!r}: {state}; only a nick that has gone can be forgotten"
    games = [game.id for game in desk.running if nick in game.seats]
    if games:
        return f"{nick!r} has a seat in game {', '.join(games[:MOST_NAMED])}, which still runs and will count for it"
    for championship in desk.championships.values():
        if championship.begun and not championship.ledger.over and nick in championship.field:
            return f"{nick!r} is in the field of championship {championship.name}, which is not over"
    return ""


def _no_row(desk: Desk, act: Act) -> str:
    where = [one for one in desk.types.values() if act.game_type in ("", one.name)]
    if not where:
        known = ", ".join(list(desk.types)[:MOST_NAMED]) or "none"
        return f"no game type {act.game_type!r} is known; there are: {known}"
    return f"{act.subject!r} has no row in the standings{_of(act)}{_near(where, act.subject)}"


def _of(act: Act) -> str:
    return f" of {act.game_type}" if act.game_type else " of any game type"


def _near(types: list[GameType], nick: str) -> str:
    """Nicks with a row that differ from this one in case only, for the end of a sentence."""
    form = nick.casefold()
    rows = (row.nick for game_type in types for row in game_type.open_standings.rows())
    near = list(islice(dict.fromkeys(one for one in rows if one.casefold() == form), MOST_NAMED))
    return f"; there is {', '.join(map(repr, near))}" if near else ""


def _refused(why: str) -> dict[str, object]:
    return {"ok": False, "error": why}


ACTS: dict[ActKind, Callable[[Desk, Act], dict[str, object]]] = {ActKind.FORGET: _forget}
