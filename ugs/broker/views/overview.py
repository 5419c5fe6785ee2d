"""A running server as a whole: what it is doing, in words and numbers."""

import math
from collections.abc import Iterable, Iterator
from itertools import islice

from ugs.broker.state.bans import Ban
from ugs.broker.state.championship import Championship
from ugs.broker.state.connection import Connection, Newcomer, Peer, PeerState, Spectator
from ugs.broker.state.model import Master, Player
from ugs.broker.state.server_state import ServerState
from ugs.broker.values.replies import AwaitedEntrant, Overview, PausedType, StandingBan
from ugs.broker.views.away_entrants import away_entrants
from ugs.broker.views.whole import node_lines

MAX_BANS = 200
"""At most this many bans; the others are counted."""
MAX_OVER = 5
"""At most this many championships that are over."""
MAX_AWAITED = 200
"""At most this many entrants who may come back."""
MAX_LINES = 20
"""At most this many championships are listed; the others are counted."""

KINDS: dict[type[Peer], str] = {Newcomer: "not logged in", Player: "player", Master: "master", Spectator: "spectator"}
"""What the far end of a connection is."""

STATES: dict[PeerState, str] = {PeerState.IDLE: "idle", PeerState.PLAYING: "playing", PeerState.OWING: "owing thanks"}
"""What a player who is there does."""


def kind_of(connection: Connection) -> str:
    """What the far end of a connection is: one of :data:`KINDS`."""
    return KINDS[type(connection.peer)]


def state_of(player: Player) -> str:
    """What a player does: one of :data:`STATES`, or ``absent`` while only its session is there."""
    return "absent" if player.away else STATES[player.state]


def overview(server: ServerState) -> Overview:
    """Return what is known without looking at each peer: the condition of the server, and a line for each championship
    that is announced or played."""
    access = server.entry.access
    bans = [*access.bans.standing(server.now), *access.denied.standing(server.now)]
    allowed = [ban for one in access.allowed for ban in one.standing(server.now)]
    current = [one for one in server.championships.values() if not one.ledger.over]
    over = [one for one in server.championships.values() if one.ledger.over]
    return Overview(
        draining=server.condition.draining,
        journal_lost=server.condition.journal_lost,
        games=len(server.games),
        tables=len(server.tables),
        game_types=len(server.types),
        paused=tuple([PausedType(name, why) for name, why in islice(server.condition.paused.items(), MAX_LINES)]),
        bans=tuple([_ban(server, ban) for ban in bans[:MAX_BANS]]),
        more_bans=max(0, len(bans) - MAX_BANS),
        allowed=tuple([_ban(server, ban) for ban in allowed[:MAX_BANS]]),
        more_allowed=max(0, len(allowed) - MAX_BANS),
        championships=tuple([_line(one) for one in islice(current, MAX_LINES)]),
        more_championships=max(0, len(current) - MAX_LINES),
        nodes=node_lines(server),
        over=tuple([f"{one.name} ({one.plan.game_type}): {one.ledger.state}" for one in over[: -MAX_OVER - 1 : -1]]),
        awaited=tuple(islice(_awaited(server, current), MAX_AWAITED)),
    )


def _awaited(server: ServerState, current: Iterable[Championship]) -> Iterator[AwaitedEntrant]:
    for championship in current:
        for nick, left_s in away_entrants(server, championship).items():
            yield AwaitedEntrant(championship.name, nick, left_s)


def _ban(server: ServerState, ban: Ban) -> StandingBan:
    left_s = ban.until - server.now if math.isfinite(ban.until) else None
    return StandingBan(ban.subject, ban.is_address, ban.why, left_s)


def _line(championship: Championship) -> str:
    ledger = championship.ledger
    about = f"{championship.name} ({championship.plan.game_type}): {ledger.state}"
    if not championship.begun:
        return about
    away = f", {len(championship.away)} away" if championship.away else ""
    return (
        f"{about}, {championship.remaining} of {len(championship.field)} entrants{away}, "
        f"{len(ledger.counted)} games counted, {championship.games_running} running"
    )
