"""The tokens of sessions: who has which, and who had it.

A token is a secret text. Its beginning names the session; of the whole token only a hash is kept.
"""

import hashlib
import hmac
import math
from collections import OrderedDict
from typing import Final

from ugs.broker.state.extras import Key
from ugs.broker.state.model import Player
from ugs.broker.state.server_state import ServerState
from ugs.broker.state.unannounced_end import Closing
from ugs.broker.verdict import Cause
from ugs.value import state, value

NAME_CHARACTERS: Final = 12
"""The first characters of a token name its session; the others are the secret."""
MAX_FORMER: Final = 10_000
"""Sessions that are over and remembered, so that their players may still ask about their games: about 5 MB."""


@state(eq=True)
class SessionPlace:
    """With a player: the session that it may come back to."""

    name: str = ""
    """The public part of its token; empty for a player who cannot come back."""
    digest: str = ""
    """The SHA-256 of the whole token, as hexadecimal digits."""
    cut: Cause = Cause.DISCONNECTED
    """Why its line was cut, if it is."""
    why: str = ""
    """What the player did to lose its line, for people; empty if unknown."""
    missed: "MissedEnd | None" = None
    """The end of its last game, if that came while it was away, until it knows. One is enough: who is away begins no
    other game, unless it sits at a table."""


@value
class MissedEnd:
    """The end of a game for a player who was away."""

    game_id: str
    text: str
    """What it is sent about it when it is back."""
    closing: Closing | None = None
    """How the game has ended; None as long as others play on."""
    with_program: bool = False
    """Whether the master had seats of its own in it."""


@value
class TokenHolder:
    """Who has a token, or had it: the games of this nick between the two times are its own. Seconds of the broker's
    clock; ``player`` is None when the session is over.

    Whose token is that of the nick itself has what began after ``owns_since_us``, in microseconds since 1970, and what
    ``player`` plays; 0 for a session's token."""

    nick: str
    since: float
    until: float
    player: Player | None = None
    owns_since_us: int = 0


@value
class Former:
    """A session that is over."""

    digest: str
    holder: TokenHolder


PLACE: Key[SessionPlace] = Key("session", SessionPlace)
SESSIONS: Key[dict[str, Player]] = Key("sessions", dict)
"""With the server: the players who may come back, by the names of their sessions."""
FORMER: Key[OrderedDict[str, Former]] = Key("former sessions", OrderedDict)
"""With the server: the latest sessions that are over, by name."""


def holder(server: ServerState, token: str) -> TokenHolder | None:
    """Return who has this token, or had it; None if no player has, or that was long ago."""
    name = token[:NAME_CHARACTERS]
    player = SESSIONS.of(server).get(name)
    if player is not None:
        now = TokenHolder(player.name, player.since, math.inf, player)
        return now if _is(token, PLACE.of(player).digest) else None
    former = FORMER.of(server).get(name)
    return former.holder if former is not None and _is(token, former.digest) else None


def player_of(server: ServerState, token: str) -> Player | None:
    """The player who may come back with this token, or None."""
    found = holder(server, token)
    return found.player if found is not None else None


def give(server: ServerState, player: Player, token: str) -> None:
    """A player may come back with this token."""
    place = PLACE.of(player)
    place.name, place.digest = token[:NAME_CHARACTERS], digest_of(token)
    SESSIONS.of(server)[place.name] = player


def end(server: ServerState, player: Player) -> str:
    """The token of a player, which has one, is no longer valid. Returns the name of its session."""
    place, former = PLACE.of(player), FORMER.of(server)
    name, place.name = place.name, ""
    del SESSIONS.of(server)[name]
    former[name] = Former(place.digest, TokenHolder(player.name, player.since, server.now))
    if len(former) > MAX_FORMER:
        former.popitem(last=False)
    return name


def digest_of(token: str) -> str:
    """The SHA-256 of a token, as hexadecimal digits."""
    # Tokens are random, so a plain hash is enough; half a surrogate makes a wrong token, not a failure.
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _is(token: str, digest: str) -> bool:
    return hmac.compare_digest(digest, digest_of(token))
