"""What a node hears of the others: a game type is at home elsewhere from now on, or here again; a nick is in use; what
they show of themselves."""

from ugs.broker.acts.removing import send_away
from ugs.broker.entrance import departures
from ugs.broker.events import HomeMoved, NickLost, NodesSeen
from ugs.broker.facts import MasterReady
from ugs.broker.state.connection import Peer
from ugs.broker.state.other_nodes import OTHER_NODES
from ugs.broker.state.server_state import ServerState
from ugs.broker.verdict import Cause


def home_moved(server: ServerState, event: HomeMoved) -> None:
    """Begin no more games of a type that is at home elsewhere, and send its idle peers away with the reason. Running
    games go on to their end here: call it again for peers that have become idle. For a type that is at home here
    again, begin games."""
    elsewhere, name = server.condition.elsewhere, event.game_type
    known = server.types.get(name)
    if not event.elsewhere:
        if elsewhere.pop(name, None) is not None and known is not None:
            server.report(MasterReady(known))
        return
    if name not in elsewhere:
        server.note("home moved", game_type=name, reason=event.elsewhere, games=known.running if known else 0)
    elsewhere[name] = event.elsewhere
    if known is not None:
        # Those in a game stay to its end: a moved home must cost no game.
        idle: list[Peer] = [one for one in known.players.values() if one.game is None and not one.away]
        idle += [one for one in known.masters.values() if not one.games]
        send_away(server, idle, event.elsewhere)


def nick_lost(server: ServerState, event: NickLost) -> None:
    """Another server has a nick of ours: it had good reason to think that this one was gone. A player who is in a game
    plays on, since this is no fault of its own."""
    player = server.names.players.get(event.form)
    if player is None or player.game is not None:
        return
    server.note("nick lost", player, warning=True, node=event.holder)
    if player.away:
        departures.depart(server, player, Cause.DISCONNECTED)
    else:
        send_away(server, [player], f"nick {player.name!r} is in use at node {event.holder} by now")


def nodes_seen(server: ServerState, event: NodesSeen) -> None:
    """Keep what the other nodes have shown."""
    OTHER_NODES.of(server).take(event.nodes, server.now, event.valid_s)
