"""Taking a seat again (family ``rejoin``): a player who left a running game plays on, if the master can give the seat
back.

As long as a game runs, the broker knows the leaver of each nick: the same login may come back, or a peer with the token
of the session that left the seat. A nick alone proves nothing, and a seat may see secrets. After a restart of the
server, leavers are known if their sessions go on.
"""

from collections import Counter
from typing import Final

from ugs.broker import facts
from ugs.broker.extensions.request import ExtensionModule, Refusal, Request
from ugs.broker.play import return_to_seat
from ugs.broker.state import session_tokens
from ugs.broker.state.connection import PeerState
from ugs.broker.state.extras import Key
from ugs.broker.state.model import Game, Player
from ugs.broker.state.phases import Phase
from ugs.broker.state.server_state import ServerState
from ugs.broker.values.name_rules import unique_form
from ugs.broker.verdict import LINE_LOST, Cause
from ugs.wire.extensions import Family, Ok, RefusalReason, Rejoin

IDLE: Final = frozenset({PeerState.IDLE})
ON_THEIR_OWN: Final = LINE_LOST | {Cause.LEFT, Cause.LOGOUT, Cause.TIMEOUT}
"""Causes of leaving that allow a return. Players removed by the master or an organiser stay out."""
GOES_ON: Final = frozenset({Phase.TURN, Phase.ANSWER})
"""The phases of a game that allow a return."""
ROWS: Final = 20
"""What a request costs, in rows of a list: it may be an attempt to guess a token."""
MAX_REJOINS: Final = 10
"""How often a player may take its seat again in one game: each time is recorded and sent to the master."""

LEAVERS: Key[dict[str, Player]] = Key("leavers", dict)
"""With a game: the leavers by nick."""
REJOINS: Key[Counter[str]] = Key("rejoins", Counter)
"""With a game: how often each nick has taken its seat again."""


def rejoin(server: ServerState, player: Player, message: Rejoin) -> Refusal | None:
    """Give a player who is in no game the seat back that it left."""
    server.charge(player, ROWS)
    game = server.running_game(message.game_id)
    refusal = _refusal(server, player, game, message)
    if refusal is not None or game is None:
        return refusal
    REJOINS.of(game)[player.name] += 1
    return_to_seat.rejoin(server, game, player)
    server.send_extension([player], Ok(message.ref))
    return None


def _refusal(server: ServerState, player: Player, game: Game | None, message: Rejoin) -> Refusal | None:
    if player.table is not None:
        return Refusal(RefusalReason.ALREADY_PLAYING, "x-rejoin: you sit at a table; leave it first")
    about = f"x-rejoin: gameId id {message.game_id!r}"
    # One answer for all three, so that it does not show whether such a game runs.
    if game is None or game.type is not player.type or player.name not in game.departures:
        return Refusal(RefusalReason.INVALID_GAME, f"{about}: no running game that you have left")
    if not _is_the_same(server, player, game, message.token):
        text = "session token: that of the session that left this seat is needed"
        return Refusal(RefusalReason.INVALID_PLAYER, f"x-rejoin: {text}")
    cause = game.departures[player.name]
    if cause not in ON_THEIR_OWN:
        return Refusal(RefusalReason.INVALID_GAME, f"{about}: you were taken out: {cause}")
    if game.setting.championship is not None:
        return Refusal(RefusalReason.INVALID_GAME, f"{about}: a player who leaves a championship game has lost it")
    if not game.master.may(Family.REJOIN):
        return Refusal(RefusalReason.NO_MASTER, f"{about}: its game master gives no seat back")
    if game.phase not in GOES_ON:
        return Refusal(RefusalReason.INVALID_GAME, f"{about}: no player can come back now, the game is {game.phase}")
    if REJOINS.of(game)[player.name] >= MAX_REJOINS:
        return Refusal(RefusalReason.RATE_LIMIT, f"{about}: you have come back {MAX_REJOINS} times already")
    return None


def _is_the_same(server: ServerState, player: Player, game: Game, token: str) -> bool:
    """Return whether a player is the one who left the game under its nick."""
    if LEAVERS.of(game).get(player.name) is player:
        return True
    holder = session_tokens.holder(server, token)
    # The token's owner must have had the nick when the game began: another player may have had it since.
    return holder is not None and holder.nick == player.name and holder.since <= game.history.began_at <= holder.until


def _left(_server: ServerState, fact: facts.PlayerLeft) -> None:
    LEAVERS.of(fact.game)[fact.player.name] = fact.player


def _revived(server: ServerState, fact: facts.GameRevived) -> None:
    game = fact.game
    for nick in game.departures:
        player = server.names.players.get(unique_form(nick))
        # One that logged in later under this nick is another player, and the seat may see secrets.
        if player is not None and player.name == nick and player.since <= game.history.began_at:
            LEAVERS.of(game)[nick] = player


EXTENSION = ExtensionModule(
    requests={Rejoin: Request(frozenset({Family.REJOIN}), IDLE, rejoin, goes_to_many=True)},
    hooks={facts.PlayerLeft: _left, facts.GameRevived: _revived},
)
