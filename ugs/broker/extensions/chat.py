"""Chat: to named players, or to all at a table or in a game (family ``chat``)."""

from collections import deque
from collections.abc import Sequence

from ugs.broker.extensions.request import SPEAKERS, ExtensionModule, Refusal, Request
from ugs.broker.state.allowance import COPIES, spread, texts
from ugs.broker.state.connection import Peer, PeerState
from ugs.broker.state.extras import Key
from ugs.broker.state.model import Player
from ugs.broker.state.server_state import ServerState
from ugs.config import Config
from ugs.wire.extensions import Family, Ok, RefusalReason, Said, Say

MINUTE = 60.0
SENT: Key[deque[float]] = Key("chat", deque)
"""With a peer: when its latest messages in the chat came."""


def wrong(config: Config, message: Say) -> str | None:
    """Return what is wrong with a chat message, regardless of the sender; None if nothing is."""
    most = config.max_chat_characters
    if bool(message.to) == bool(message.table):
        return f"{message.TYPE}: <to> or <table>: allowed is one of them, and not both"
    if not 1 <= len(message.text) <= most:
        return f"{message.TYPE}: text: has {len(message.text)} characters; allowed are 1 to {most}"
    return None


def speak(server: ServerState, peer: Peer, message: Say) -> Refusal | None:
    """Pass on a chat message; unreachable peers are left out silently."""
    if not _is_allowed(server, peer):
        return _refusal(RefusalReason.RATE_LIMIT, f"allowed are {server.config.chat_per_minute} within a minute")
    if peer.state is PeerState.WATCHING and not peer.name:
        return _refusal(RefusalReason.INVALID_PLAYER, "a spectator without a nick may listen only")
    if message.table:
        around = _around(server, peer, message.table)
        # No word on whether such a table exists: private ones are not found by guessing.
        if peer not in around:
            return _refusal(RefusalReason.INVALID_GAME, f"table id {message.table!r}: you are not there")
        receivers = [one for one in around if one is not peer]
    else:
        named = map(server.names.shown, message.to)
        receivers = [one for one in named if one is not None]
    # A name may stand there twice, in two spellings.
    receivers = list(dict.fromkeys(receivers))
    server.charge(peer, spread(1 + len(message.to) / COPIES + texts(len(message.text)), len(receivers)))
    server.send_extension(receivers, Said(peer.shown_name, message.to, message.table, message.text))
    server.send_extension([peer], Ok(message.ref))
    return None


def _is_allowed(server: ServerState, peer: Peer) -> bool:
    """Return whether a peer may send one more message now; refused messages do not count."""
    latest = SENT.of(peer)
    while latest and latest[0] <= server.now - MINUTE:
        latest.popleft()
    if len(latest) >= server.config.chat_per_minute:
        return False
    latest.append(server.now)
    return True


def _around(server: ServerState, peer: Peer, table_id: str) -> Sequence[Peer]:
    """Return all players at a table or in a game, and its spectators. Players of an ended game are included until they
    have sent thank you."""
    there: list[Peer] = []
    table = server.tables.get(table_id)
    if table is not None:
        there += table.members
    own = peer.game if isinstance(peer, Player) else None
    game = server.running_game(table_id) or (own if own is not None and own.id == table_id else None)
    if game is not None:
        there += [player for player in game.present.values() if player.game is game]
        there += game.history.watchers.values()
    return there


def _refusal(reason: RefusalReason, text: str) -> Refusal:
    return Refusal(reason, f"{Say.TYPE}: {text}")


EXTENSION = ExtensionModule(
    requests={Say: Request(frozenset({Family.CHAT}), SPEAKERS, speak, wrong, goes_to_many=True)}
)
