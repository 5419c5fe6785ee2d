"""Entrants of championships: which players may enter, and what happens when one leaves.

An entrant whose connection is lost may have some time to come back; after a restart of the server all of them have.
"""

from typing import Final

from ugs.broker.championships import champions_list, entering
from ugs.broker.events import Timer, TimerKind
from ugs.broker.state.championship import Championship
from ugs.broker.state.connection import Connection
from ugs.broker.state.model import GameType, Player
from ugs.broker.state.server_state import ROUNDING, ServerState
from ugs.broker.values.identity import Role
from ugs.broker.values.name_rules import unique_form
from ugs.broker.verdict import LINE_LOST, Cause
from ugs.broker.verdict_sentences import with_why
from ugs.broker.views.candidates import may_come_late

MAY_RETURN: Final = LINE_LOST | {Cause.LOGOUT}
"""Why a player is gone that its championship waits for."""


def may_enter(server: ServerState, game_type: GameType, nick: str, connection: Connection) -> bool:
    """Return whether championships let a player with this nick log in from this connection."""
    championship = game_type.championship
    if championship is None or not championship.begun or championship.plays(nick):
        return True
    is_owned = server.entry.identities.find(Role.PLAYER, nick) is not None
    return entering.may_join(championship, nick) and (is_owned or may_come_late(game_type, championship, connection))


def why_shut(game_type: GameType, nick: str) -> str:
    """Return why the championship of this type lets no player with this nick in."""
    championship = game_type.championship
    left = championship.ledger.gone.get(nick) if championship is not None else None
    if championship is None or left is None:
        return "a championship of this game type has begun"
    return f"{nick!r} is out of championship {championship.name} for good ({left.text})"


def came(server: ServerState, player: Player) -> None:
    """A player has logged in: it may be an entrant that was away."""
    championship = player.type.championship
    if championship is None or not championship.begun:
        return
    # Those of open play are in force again after the championship, and list all who are here.
    championship.open_standings.enter(player.name)
    if entering.may_join(championship, player.name):
        entering.enter(championship, player.name, why="came late")
        if player.identity is None:
            # Counted also after it has left: fresh nicks of one address could fill the field with departed entrants.
            championship.late[player.connection.origin] += 1
        server.note("entrant came late", player, championship=championship.name)
    if championship.away.pop(player.name, None) is not None:
        server.note("entrant is back", player, championship=championship.name)
        await_return(server, championship)


def left(server: ServerState, player: Player, cause: Cause, why: str = "") -> None:
    """A player is gone (``why`` is text, if known): it may come back, or is withdrawn."""
    championship = player.type.championship
    if championship is None or not championship.plays(player.name) or championship.finished:
        return
    if player.name in championship.away:
        return  # its session is over, but after a restart it still has time to come back
    # A program that is stopped logs out, and may be started again: it is waited for like a lost line.
    if cause in MAY_RETURN:
        expect_back(server, player)
    if player.name not in championship.away:
        withdraw(server, player.type, championship, player.name, why=with_why(cause, why))


def expect_back(server: ServerState, player: Player) -> None:
    """A player is going or gone, and may come back: its championship waits for it, if it is an entrant there and its
    plan has such a time."""
    championship = player.type.championship
    if championship is None or not championship.plays(player.name) or championship.finished:
        return
    patience = championship.plan.return_s
    if patience > 0 and player.name not in championship.away:
        championship.away[player.name] = server.now + patience
        server.note("entrant is away", player, championship=championship.name, seconds=patience)
        await_return(server, championship)


def await_entered(server: ServerState, championship: Championship, nick: str) -> None:
    """An organiser has let an entrant in: if it is not here, it has as long to come as one that has gone, where the
    plan has such a time."""
    if championship.ledger.over or championship.finished:  # it has its place again, and nothing is left to play
        return
    player = server.names.players.get(unique_form(nick))
    is_here = player is not None and (player.name, player.type.name) == (nick, championship.plan.game_type)
    if championship.plan.return_s > 0 and championship.plays(nick) and not is_here:
        championship.away[nick] = server.now + championship.plan.return_s
        await_return(server, championship)


def withdraw_overdue(server: ServerState, game_type: GameType, championship: Championship) -> None:
    """Withdraw the entrants whose time to come back is over."""
    if server.condition.draining:  # no player can come back; not their fault
        championship.away.clear()
        return
    for nick, until in list(championship.away.items()):
        if championship.finished:  # it has played all its games, and misses only the prize-giving
            del championship.away[nick]
        elif until <= server.now + ROUNDING:
            withdraw(server, game_type, championship, nick, why="did not come back")
    await_return(server, championship)


def withdraw(
    server: ServerState, game_type: GameType, championship: Championship, nick: str, who: str = "", why: str = ""
) -> None:
    """Withdraw an entrant for good, by order of ``who`` (empty: by the rules), for the reason ``why``."""
    struck = entering.withdraw(championship, nick, who, why)
    server.note(
        "withdrawn",
        nick=nick,
        game_type=game_type.name,
        championship=championship.name,
        why=why,
        results_struck=struck,
    )
    champions_list.changed(server, game_type)


def disqualify(
    server: ServerState, game_type: GameType, championship: Championship, nick: str, who: str, why: str
) -> None:
    """Disqualify an entrant, by order of ``who`` for the reason ``why``."""
    entering.disqualify(championship, nick, who, why)
    server.note("disqualified", nick=nick, game_type=game_type.name, championship=championship.name, why=why)
    champions_list.changed(server, game_type)


def await_return(server: ServerState, championship: Championship) -> None:
    """Set the timer for the first absent entrant to become overdue."""
    timer = Timer(TimerKind.RETURN, championship.name)
    if championship.away:
        server.start(timer, max(0.0, min(championship.away.values()) - server.now))
    else:
        server.stop(timer)
