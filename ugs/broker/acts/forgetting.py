"""Erases nicks and addresses."""

from itertools import islice

from ugs.broker.acts.answering import MAX_NAMED, named, unknown_type
from ugs.broker.championships import champions_list
from ugs.broker.effects import RecordAct
from ugs.broker.entrance import departed_rows
from ugs.broker.state.bans import read_range
from ugs.broker.state.model import GameType
from ugs.broker.state.server_state import ServerState
from ugs.broker.values.questions import Act
from ugs.broker.values.replies import Declined, Done, Forgotten, Reply


def forget(server: ServerState, act: Act) -> Reply:
    """Remove the row of an absent nick from the standings of open play. Its games still count for its opponents; if it
    comes back, it begins with 0 and 0."""
    nick = act.subject
    wrong = _still_needed(server, nick)
    if wrong:
        return Declined(wrong)
    types = [one for one in server.types.values() if act.game_type in ("", one.name) and nick in one.open_standings]
    if not types:
        return Declined(_no_row(server, act))
    for game_type in types:
        game_type.open_standings.strike(nick)
        game_type.seating.forget(nick)
        server.emit(RecordAct(str(act.kind), nick, game_type.name, act.who, act.why))
        champions_list.changed(server, game_type)
        server.release(game_type)
        departed_rows.count(server, game_type)
    return Forgotten(tuple([one.name for one in types]))


def forget_address(server: ServerState, act: Act) -> Reply:
    """Erase an address, or a range, from the logins in the journal that are over."""
    wanted = read_range(act.subject)
    if isinstance(wanted, str):
        return Declined(wanted)
    server.emit(RecordAct(str(act.kind), str(wanted), "", act.who, act.why))
    return Done()


def _still_needed(server: ServerState, nick: str) -> str:
    """Return why the row of a nick must stay; empty if it can be removed."""
    player = server.names.player(nick)
    if player is not None:
        state = "its line is cut, and it may come back" if player.away else "it is logged in"
        return f"{nick!r} is here as {player.name!r}: {state}; only a nick that has gone can be forgotten"
    # Its result would bring the row back.
    games = [game.id for game in server.running if nick in game.seats]
    if games:
        return f"{nick!r} has a seat in game {', '.join(games[:MAX_NAMED])}, which still runs and will count for it"
    for championship in server.championships.values():
        if championship.begun and not championship.ledger.over and nick in championship.field:
            return f"{nick!r} is in the field of championship {championship.name}, which is not over"
    return ""


def _no_row(server: ServerState, act: Act) -> str:
    where = [one for one in server.types.values() if act.game_type in ("", one.name)]
    if not where and act.game_type:
        return unknown_type(server, act)
    return f"{act.subject!r} has no row in the standings{_of(act)}{_near(where, act.subject)}"


def _of(act: Act) -> str:
    return f" of {act.game_type}" if act.game_type else " of any game type"


def _near(types: list[GameType], nick: str) -> str:
    """Return nicks with a row that differ from this one only in case, for the end of a sentence."""
    form = nick.casefold()
    rows = (row.nick for game_type in types for row in game_type.open_standings.rows())
    near = list(islice(dict.fromkeys(one for one in rows if one.casefold() == form), MAX_NAMED))
    return f"; there is {named(near)}" if near else ""
