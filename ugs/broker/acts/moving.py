"""A game type that is at home at another server from now on, or here again."""

from ugs.broker.acts.removing import send_away
from ugs.broker.events import HomeMoved
from ugs.broker.facts import MasterReady
from ugs.broker.state.connection import Peer
from ugs.broker.state.server_state import ServerState


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
