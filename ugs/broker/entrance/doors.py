"""Which door a proof opens: a connection has one identity, and the first proof fixes it.

A peer that has shown the token of a name is the owner of that name in that role until its connection ends, even if its
request was refused. :data:`DOORS` decides for each door what happens to a peer there: all rules that let a peer in ask
here. Names that need no proof fix nothing: a nick without an owner, an address that needs no token.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Final

from ugs.broker.state.connection import Connection
from ugs.broker.state.model import Player
from ugs.broker.state.server_state import ServerState
from ugs.broker.values.identity import Identity, Role
from ugs.broker.values.name_rules import unique_form


class Door(Enum):
    """What a peer may want to become or to have."""

    PLAYER = "a player"
    MASTER = "a game master"
    NICK = "a spectator with a nick"
    SESSION = "a player whose session goes on, by the token of that session"
    SEAT = "an absent player, by the token of its nick"


class Standing(Enum):
    """What the connection of a peer has proven, compared with what it wants now."""

    NOTHING = "nothing"
    SAME = "that it is the one it wants to be"
    OUTDATED = "something by a token that was revoked or replaced"
    ANOTHER = "that it is another one: another name or role, or a token for another game type"


class Passage(Enum):
    """What happens to a peer at a door."""

    OPEN = "it goes through"
    ASK = "it goes through when its name needs no proof, or is proven now"
    REFUSE = "it is refused, and may try something else"
    CLOSE = "it gets the reason, and its connection is closed"


OPEN, ASK, REFUSE, CLOSE = Passage.OPEN, Passage.ASK, Passage.REFUSE, Passage.CLOSE
NOTHING, SAME, OUTDATED, ANOTHER = Standing.NOTHING, Standing.SAME, Standing.OUTDATED, Standing.ANOTHER

DOORS: Final[Mapping[Door, Mapping[Standing, Passage]]] = {
    Door.PLAYER: {NOTHING: ASK, SAME: OPEN, OUTDATED: CLOSE, ANOTHER: CLOSE},
    Door.MASTER: {NOTHING: ASK, SAME: OPEN, OUTDATED: CLOSE, ANOTHER: CLOSE},
    Door.NICK: {NOTHING: ASK, SAME: OPEN, OUTDATED: CLOSE, ANOTHER: CLOSE},
    Door.SESSION: {NOTHING: OPEN, SAME: OPEN, OUTDATED: CLOSE, ANOTHER: CLOSE},
    # Refused, not closed: its proof is right, only the seat belongs to another owner of that nick.
    Door.SEAT: {NOTHING: REFUSE, SAME: OPEN, OUTDATED: REFUSE, ANOTHER: REFUSE},
}
"""What happens to a peer, by the door and by what it has proven before."""


def passage(server: ServerState, connection: Connection, door: Door, name: str, game_type: str = "") -> Passage:
    """Return what happens to a peer at a door with this name, as a master of this game type."""
    return DOORS[door][_standing(server, connection.proven, door, name, game_type)]


def seat(server: ServerState, connection: Connection, absent: Player) -> Passage:
    """Return what happens to a peer that wants the seat of an absent player. Only the token that the nick had when that
    player logged in opens it: before the nick got its token, or a new one, it belonged to another player."""
    proven, owner = connection.proven, absent.identity
    if proven is None:
        standing = NOTHING
    elif owner is None or (proven.role, proven.digest) != (owner.role, owner.digest):
        standing = ANOTHER
    else:
        standing = SAME if server.entry.identities.is_current(proven) else OUTDATED
    return DOORS[Door.SEAT][standing]


def why_closed(server: ServerState, connection: Connection) -> str:
    """Return why no other door opens for a connection that has proven an identity; text for that peer."""
    proven = connection.proven
    assert proven is not None
    if not server.entry.identities.is_current(proven):
        return f"the token that this connection has shown for {_who(proven)} does not hold any more; connect again"
    return f"this connection has proven to be {_who(proven)}; connect again to use another identity"


def _standing(server: ServerState, proven: Identity | None, door: Door, name: str, game_type: str) -> Standing:
    if proven is None:
        return NOTHING
    role = Role.MASTER if door is Door.MASTER else Role.PLAYER
    # The role counts, too: a player once refused came back as the master of its game (attack `impostors`).
    if (proven.role, unique_form(proven.name)) != (role, unique_form(name)):
        return ANOTHER
    if not server.entry.identities.is_current(proven):
        return OUTDATED
    is_for_another = role is Role.MASTER and proven.game_type not in ("", game_type)
    return ANOTHER if is_for_another else SAME


def _who(proven: Identity) -> str:
    role = "the game master" if proven.role is Role.MASTER else "the player"
    return f"{role} {proven.name!r}" + (f" of {proven.game_type!r}" if proven.game_type else "")
