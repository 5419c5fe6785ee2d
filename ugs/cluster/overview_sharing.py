"""What a node shows the others of itself, when, and how much of it; and what it knows of them.

Bounds: one overview has at most :data:`MAX_OVERVIEW_BYTES`, however much goes on at its node. It is written when games,
pools or masters have changed, at most once a second, and with new numbers of moves every :data:`MOVES_S`; all nodes
together write at most :data:`WRITES_PER_S`, since each reads what all others write. No I/O.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import Any, Final

import msgspec
import structlog

from ugs.broker.state.server_state import ServerState
from ugs.broker.values.node_overview import NodeCounts, NodeOverview, OtherNode
from ugs.broker.values.replies import PublicServer, TypeHere
from ugs.broker.views.offered_types import led_types
from ugs.broker.views.public import public
from ugs.broker.views.whole import counts_of
from ugs.cluster.overview_table import OverviewRow

MAX_OVERVIEW_BYTES: Final = 16_384
"""Bytes of one overview."""
MAX_LISTED: Final = 64
"""Running games of one overview, and as many options of game types; of everything else it has fewer."""
MAX_NICKS: Final = 9
"""Players of one game: lists name eight and say that there are more."""
MAX_WHY: Final = 300
"""Characters of the reason why a pool waits."""
MOVES_S: Final = 5.0
"""Seconds until an overview is written again in which only numbers of moves have changed."""
WRITES_PER_S: Final = 8
"""Overviews that all nodes write in a second."""
# Characters that no message may hold: what is in a row goes out to peers.
_UNSENDABLE: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def overview_of(server: ServerState) -> NodeOverview:
    """Return all that this node might show."""
    return NodeOverview(counts_of(server), public(server), led_types(server, MAX_LISTED))


def packed(overview: NodeOverview) -> tuple[NodeOverview, bytes]:
    """Return as much of an overview as fits, and that as bytes."""
    most = MAX_LISTED
    while True:
        some = _shortened(overview, most)
        body = msgspec.json.encode(some)
        if len(body) <= MAX_OVERVIEW_BYTES:
            return some, body
        # Down to empty lists, which always fit.
        most = most * 3 // 4


def unpacked(body: bytes) -> NodeOverview | None:
    """Return what another node has shown; None for what is no overview, such as one of another version."""
    if len(body) > MAX_OVERVIEW_BYTES:
        return None
    try:
        return msgspec.convert(_sendable(msgspec.json.decode(body)), NodeOverview)
    except (msgspec.DecodeError, RecursionError):
        return None


class OverviewSharing:
    """What one node shows, and what it knows of the others."""

    def __init__(self) -> None:
        self._shown: NodeOverview | None = None
        """The latest that was written."""
        self._written_at = -inf
        self._others: dict[str, tuple[int, NodeOverview | None]] = {}
        """By node: the number of what was read, and that; None where it could not be read."""
        self._ages_s: dict[str, float] = {}
        self._log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs").bind()

    @property
    def known(self) -> Mapping[str, int]:
        """The numbers of what was read, by node."""
        return {name: number for name, (number, _) in self._others.items()}

    def others(self) -> tuple[OtherNode, ...]:
        """Return the others as they were at the latest look."""
        return tuple(
            [OtherNode(name, one, self._ages_s[name]) for name, (_, one) in self._others.items() if one is not None]
        )

    def counts(self) -> Mapping[str, NodeCounts]:
        """Return the others in numbers, by name."""
        return {node.name: node.overview.counts for node in self.others()}

    def due(self, overview: NodeOverview, now: float, nodes: int) -> tuple[NodeOverview, bytes] | None:
        """Return what is to be written at ``now``, in seconds, of a cluster where so many nodes answer; None: nothing.
        Pass it to :meth:`take` when it is there."""
        if now - self._written_at < nodes / WRITES_PER_S:
            return None
        some, body = packed(overview)
        if self._shown is None or _essence(some) != _essence(self._shown):
            return some, body
        has_moved = _moves(some) != _moves(self._shown)
        return (some, body) if has_moved and now - self._written_at >= MOVES_S else None

    def take(self, written: NodeOverview | None, rows: Sequence[OverviewRow], now: float) -> None:
        """One look is over: this was written, if anything was, and these rows were read."""
        if written is not None:
            self._shown, self._written_at = written, now
        before, self._others = self._others, {}
        self._ages_s = {row.node: row.age_s for row in rows}
        for row in rows:
            if row.body is None:
                known = before.get(row.node)
                if known is not None:
                    self._others[row.node] = known
                continue
            overview = unpacked(row.body)
            if overview is None:
                self._log.warning("overview of a node cannot be read", node=row.node)
            self._others[row.node] = row.number, overview


def _shortened(overview: NodeOverview, most: int) -> NodeOverview:
    """Return an overview whose longest list has ``most`` rows; what is left out of its lists is counted."""
    there = overview.public
    games, types, championships = there.games[:most], there.game_types[: most // 2], there.championships[: most // 8]
    cut = PublicServer(
        there.draining,
        there.journal_lost,
        tuple([replace(game, nicks=game.nicks[:MAX_NICKS]) for game in games]),
        there.more_games + len(there.games) - len(games),
        tuple([_shortened_type(one, most // 4) for one in types]),
        there.more_game_types + len(there.game_types) - len(types),
        tuple([replace(one, missing=one.missing[: most // 4], away=()) for one in championships]),
        there.more_championships + len(there.championships) - len(championships),
    )
    left, offered = most, []
    for one in overview.offers[: most // 2]:
        left -= len(one.options)
        offered.append(one if left >= 0 else replace(one, options=()))
    return NodeOverview(overview.counts, cut, tuple(offered))


def _shortened_type(one: TypeHere, most: int) -> TypeHere:
    waiting, masters = one.waiting[:most], one.masters[:most]
    return replace(
        one,
        waiting=waiting,
        more_waiting=one.more_waiting + len(one.waiting) - len(waiting),
        masters=masters,
        more_masters=one.more_masters + len(one.masters) - len(masters),
        tables=one.tables[: most // 2],
        why=tuple([why[:MAX_WHY] for why in one.why[:2]]),
    )


def _essence(overview: NodeOverview) -> NodeOverview:
    """Return an overview without what changes all the time."""
    there = overview.public
    games = tuple([replace(game, moves=0, running_s=0.0, spectators=0) for game in there.games])
    return replace(overview, public=replace(there, games=games))


def _moves(overview: NodeOverview) -> list[tuple[int, int]]:
    return [(game.moves, game.spectators) for game in overview.public.games]


def _sendable(part: Any) -> Any:
    """Return what JSON has brought, without characters that no message may hold."""
    if isinstance(part, str):
        return _UNSENDABLE.sub("\N{REPLACEMENT CHARACTER}", part)
    if isinstance(part, list):
        return [_sendable(one) for one in part]
    if isinstance(part, dict):
        return {key: _sendable(one) for key, one in part.items()}
    return part
