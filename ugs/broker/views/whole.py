"""What is public about all nodes of a cluster: this one, and what the others have shown of themselves.

Without a cluster all of this is what :mod:`ugs.broker.views.public` returns. Lists stay bounded: what is left out, here
or at the other nodes, is counted.
"""

from collections.abc import Iterator
from dataclasses import replace

from ugs.broker.state.other_nodes import OTHER_NODES
from ugs.broker.state.server_state import ServerState
from ugs.broker.values.node_overview import NodeCounts, OtherNode
from ugs.broker.values.replies import (
    ABSENT,
    Declined,
    MasterHere,
    NodeLine,
    PublicFound,
    PublicMaster,
    PublicPlayer,
    PublicServer,
    RunningGame,
    TypeHere,
)
from ugs.broker.views.public import MAX_CHAMPIONSHIPS, MAX_GAMES, MAX_TYPES, public, public_why

MAX_MORE = 2
"""The whole is at most this many times as much as a single server shows."""


def others(server: ServerState) -> Iterator[OtherNode]:
    """Yield the other nodes as they are thought to be now."""
    known = OTHER_NODES.find(server)
    if known is not None:
        ago_s = known.looked_ago_s(server.now)
        for node in known.seen(server.now):
            yield replace(node, age_s=node.age_s + ago_s)


def counts_of(server: ServerState) -> NodeCounts:
    """Return this node in numbers."""
    types = server.types.values()
    return NodeCounts(
        sum([one.running for one in types]),
        len(server.names.players),
        sum([len(one.waiting) for one in types]),
        len(server.names.masters),
    )


def node_lines(server: ServerState) -> tuple[NodeLine, ...]:
    """Return all nodes that answer in numbers, this one first; nothing where there is no cluster."""
    name = server.config.node
    if not name:
        return ()
    all_counts = [(name, counts_of(server)), *((node.name, node.overview.counts) for node in others(server))]
    return tuple([NodeLine(node, one.games, one.players, one.waiting, one.masters) for node, one in all_counts])


def whole(server: ServerState) -> PublicServer:
    """The cluster as a whole; the condition is that of this node, whose games and types come first."""
    name, here = server.config.node, public(server)
    if not name:
        return here
    games = [replace(game, node=name) for game in here.games]
    types = [replace(one, node=name) for one in here.game_types]
    championships = [replace(one, node=name) for one in here.championships]
    more_games, more_types, more_championships = here.more_games, here.more_game_types, here.more_championships
    for node in others(server):
        there = node.overview.public
        games += [replace(game, node=node.name, running_s=game.running_s + node.age_s) for game in there.games]
        types += [replace(one, node=node.name) for one in there.game_types]
        championships += [replace(one, node=node.name) for one in there.championships]
        more_games += there.more_games
        more_types += there.more_game_types
        more_championships += there.more_championships
    most_games, most_types, most_championships = (MAX_MORE * most for most in (MAX_GAMES, MAX_TYPES, MAX_CHAMPIONSHIPS))
    return replace(
        here,
        games=tuple(games[:most_games]),
        more_games=more_games + max(0, len(games) - most_games),
        game_types=tuple(types[:most_types]),
        more_game_types=more_types + max(0, len(types) - most_types),
        championships=tuple(championships[:most_championships]),
        more_championships=more_championships + max(0, len(championships) - most_championships),
        node=name,
    )


def whole_why(server: ServerState, name: str) -> PublicFound | Declined:
    """Return why the player or master of that name waits, at whatever node; a refusal if none shows it. Two nodes may
    have masters of the same id."""
    here = public_why(server, name)
    there = [entry for node in others(server) for entry in _named(node, name)]
    if isinstance(here, PublicFound):
        labelled = [replace(one, node=server.config.node) for one in here.found] if server.config.node else here.found
        return PublicFound((*labelled, *there))
    return PublicFound(tuple(there)) if there else here


def _named(node: OtherNode, name: str) -> Iterator[PublicPlayer | PublicMaster]:
    """Yield what another node shows of a name."""
    there = node.overview.public
    for game in there.games:
        if name in game.nicks:
            yield _plays(node, name, game)
    for one in there.game_types:
        if name in one.waiting:
            why = (f"{name} waits at node {node.name}", *one.why)
            yield PublicPlayer(name, one.game_type, "idle", ABSENT, ABSENT, why, node.name)
        for master in one.masters:
            if master.name == name:
                yield _leads(node, one, master)


def _plays(node: OtherNode, name: str, game: RunningGame) -> PublicPlayer:
    why = (f"{name} is in a game at node {node.name}",)
    return PublicPlayer(name, game.game_type, "playing", ABSENT, game.game, why, node.name)


def _leads(node: OtherNode, one: TypeHere, master: MasterHere) -> PublicMaster:
    least, most = master.players_min, master.players_max
    players = f"{least}" if least == most else f"{least} to {most}"
    games = "1 game" if master.games == 1 else f"{master.games} games"
    why = (f"{master.name} leads {games} at node {node.name}",)
    return PublicMaster(master.name, one.game_type, players, len(one.waiting) + one.more_waiting, why, node.name)
