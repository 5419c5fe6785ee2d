"""Players and spectators ask why (``x-why``): the account of a game of their own, or what they wait for.

The games of a player are those it has played since it logged in, while its nick was its own. The token of a session
proves the same for the player who has or had it; that of a nick, for all games since its owner has that nick. The shell
reads the journal; it gets the owner of the games, and shows only what that player has sent and received.
"""

import math
from collections.abc import Iterator
from typing import Final

from ugs.broker.effects import AskWhy
from ugs.broker.entrance import proofs
from ugs.broker.entrance.proofs import Claim
from ugs.broker.extensions.request import Refusal
from ugs.broker.extensions.why import recent
from ugs.broker.facts import Proven
from ugs.broker.state import session_tokens
from ugs.broker.state.connection import Newcomer, Peer, Spectator
from ugs.broker.state.model import Game, Player
from ugs.broker.state.server_state import ServerState
from ugs.broker.state.session_tokens import TokenHolder
from ugs.broker.values.identity import Role
from ugs.broker.verdict import GameResult
from ugs.broker.verdict_sentences import fault_of, refused_in_words, repeats, sentence, who_decided
from ugs.broker.views.why import player_waits, pool_waits, standing
from ugs.config import Config
from ugs.game_ids import NoSuchGame, id_meant
from ugs.wire.extensions import Account, Failed, Why
from ugs.wire.extensions import RefusalReason as Code

MAX_LAST: Final = 100
"""Exchanges that a request may ask for."""
ROWS: Final = 20
"""The cost of the account of a game, besides its exchanges, in rows of a list."""


def wrong(_config: Config, message: Why) -> str | None:
    """Return what is wrong with a question, regardless of the sender; None if nothing is."""
    if message.last > MAX_LAST:
        return f"{message.TYPE}: last exchanges '{message.last}': allowed are 0 to {MAX_LAST}"
    return None


def why(server: ServerState, peer: Peer, message: Why) -> Refusal | None:
    """Answer ``x-why``: what the peer waits for, or the account of a game once that has been read."""
    server.charge(peer, ROWS + (message.last if message.game_id else 0))
    if isinstance(peer, Spectator):
        return _answer_spectator(server, peer, message)
    holder = _holder(server, peer, message.token)
    if holder is None and isinstance(peer, Newcomer):
        claim = proofs.of_asker(server, message.token)
        if claim is not None:
            return _ask_owner(server, peer, message, claim)
        peer.is_refused()
    if holder is None:
        gone = "no such session here: it is long over, or the server was started again since"
        text = f"{message.TYPE}: session token: {gone}; nor is it the token of a nick"
        return Refusal(Code.INVALID_PLAYER, text)
    return _answer(server, peer, holder, message)


def proven(server: ServerState, fact: Proven) -> None:
    """The nick whose token a peer has shown is its own."""
    if isinstance(fact.message, Why):
        refusal = why(server, fact.peer, fact.message)
        if refusal is not None:
            server.send_extension([fact.peer], Failed(refusal.reason, refusal.text, ref=fact.message.ref))


def _last_game(server: ServerState, holder: TokenHolder) -> Iterator[str]:
    """The last game of the holder that has ended, if it is known here."""
    ended = reversed(recent.RECENT.of(server).ended.values())
    last = next((one.result for one in ended if _is_own(one.result, holder)), None)
    if last is not None:
        yield f"its last game was {last.game_id}: ask with that id why it ended so"


def _ask_owner(server: ServerState, newcomer: Newcomer, message: Why, claim: Claim) -> Refusal | None:
    """Answer the owner of a nick, once its token is proven."""
    if proofs.is_waiting(newcomer):
        text = f"{message.TYPE}: your last request has not been answered yet"
        return Refusal(Code.INVALID_PLAYER, text)
    closed = proofs.why_closed(server, newcomer, claim)
    if closed:
        text = f"{message.TYPE}: nick {claim.name!r}: {closed}"
        return Refusal(Code.INVALID_PLAYER, text)
    if proofs.holds(server, newcomer, message, claim):
        return None
    return _answer(server, newcomer, _owner(server, claim.name), message)


def _answer(server: ServerState, peer: Peer, holder: TokenHolder, message: Why) -> Refusal | None:
    if message.game_id and not _is_itself(server, holder, message.game_id):
        return _explain(server, peer, holder, message)
    player = holder.player
    lines = player_waits(server, player) if player is not None else [f"{holder.nick} is not here"]
    if message.token:  # who asks in place of the player may not know which game was its last
        lines += _last_game(server, holder)
    server.send_extension([peer], Account("\n".join(lines), ref=message.ref))
    return None


def _answer_spectator(server: ServerState, spectator: Spectator, message: Why) -> Refusal | None:
    if not message.game_type:
        return Refusal(Code.INVALID_GAME, f"{message.TYPE}: game gameType: a spectator asks about a game type")
    lines = pool_waits(server, message.game_type)
    server.send_extension([spectator], Account("\n".join(lines), ref=message.ref))
    return None


def _holder(server: ServerState, peer: Peer, token: str) -> TokenHolder | None:
    """Return whose games a peer may ask about; None if it may not ask about any."""
    if token:
        return session_tokens.holder(server, token)
    return TokenHolder(peer.name, peer.since, math.inf, peer) if isinstance(peer, Player) else None


def _owner(server: ServerState, nick: str) -> TokenHolder:
    """The owner of a nick that has a token, with the player that is here for it, if there is one."""
    identities, player = server.entry.identities, server.names.player(nick)
    known = identities.find(Role.PLAYER, nick)
    assert known is not None
    # A player who came before the nick had this token is another one.
    if player is not None and not (
        identities.is_trusted(player.connection.host, Role.PLAYER, nick)
        or (player.identity is not None and player.identity.digest == known.digest)
    ):
        player = None
    name = player.name if player is not None else known.name
    return TokenHolder(name, math.inf, math.inf, player, known.made_us)


def _explain(server: ServerState, peer: Peer, holder: TokenHolder, message: Why) -> Refusal | None:
    """The account of one game: what is known here, and what the journal knows if there is one."""
    try:
        game_id = _meant(server, holder, message.game_id)
    except NoSuchGame as error:
        return Refusal(Code.INVALID_GAME, f"{message.TYPE}: gameId id: {error}")
    game, nick = server.running_game(game_id), holder.nick
    known = recent.find(server, game_id)
    until = min(holder.until, server.now)
    moves = game.history.moves if game is not None else 0
    if game is not None and _plays(game, holder):
        lines = [standing(game)]
        since = game.history.began_at  # it may have begun before the server was lost, and its player came back
    elif known is not None and _is_own(known.result, holder):
        lines, since = _ended(known), known.result.began_at
    elif holder.owns_since_us and game is not None:
        runs = f"{message.TYPE}: gameId id {message.game_id!r}: it runs, and you are not in it, or no longer"
        return Refusal(Code.INVALID_GAME, runs)
    elif not holder.owns_since_us and (game is not None or known is not None):
        not_own = f"{message.TYPE}: gameId id {message.game_id!r}: no game of yours since you logged in"
        return Refusal(Code.INVALID_GAME, not_own)
    else:
        lines, since = [], holder.since
    ago = max(0.0, server.now - since), server.now - until
    text = tuple(lines)
    owns_since_us = holder.owns_since_us
    server.emit(AskWhy(peer.conn, message.ref, game_id, nick, *ago, message.last, text, moves, owns_since_us))
    return None


def _meant(server: ServerState, holder: TokenHolder, word: str) -> str:
    """The game of the holder's own that ``word`` is, or begins; the word itself where none fits. Raises NoSuchGame when
    several do."""
    known = recent.RECENT.of(server).ended
    # Whole ids first: beginnings are typed by people, and looking for them goes through all games.
    if word in server.games or word in known:
        return word
    own = [one.id for one in server.running if one.id.startswith(word) and _plays(one, holder)]
    own += [one for one, ended in known.items() if one.startswith(word) and _is_own(ended.result, holder)]
    return id_meant(word, dict.fromkeys(own)) if own else word


def _is_itself(server: ServerState, holder: TokenHolder, word: str) -> bool:
    """Whether ``word`` is the nick of the holder in place of a game: people ask by it as the organiser does."""
    return word == holder.nick and word not in server.games and recent.find(server, word) is None


def _plays(game: Game, holder: TokenHolder) -> bool:
    """Whether the holder of a nick is in a running game, or was before it left."""
    if game.present.get(holder.nick) is not None:
        return game.present[holder.nick] is holder.player
    # It left, and another player may have its nick by now.
    return holder.nick in game.departures and holder.since <= game.history.began_at <= holder.until


def _is_own(result: GameResult, holder: TokenHolder) -> bool:
    """Return whether the holder of a nick has played this game itself, not another player under that nick."""
    return holder.since <= result.began_at <= holder.until and any(seat.nick == holder.nick for seat in result.seats)


def _ended(game: recent.RecentGame) -> list[str]:
    result, reason = game.result, game.reason
    cause, words = result.verdict.cause, list[str]()
    if reason is not None and not repeats(cause, reason.code, reason.text):
        words = [f"{who_decided(cause)} said: {reason.text or reason.code}"]
    first = sentence(result, with_program=game.with_program)
    return [first, *words, *refused_in_words(result), fault_of(result.verdict)]
