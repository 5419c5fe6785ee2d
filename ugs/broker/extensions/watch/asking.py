"""Requests of spectators, and what is wrong with them."""

from collections.abc import Iterator, Sequence
from itertools import islice

from ugs.broker.effects import Admit
from ugs.broker.entrance import proofs, shared_nicks
from ugs.broker.events import Timer, TimerKind
from ugs.broker.extensions.request import Refusal
from ugs.broker.extensions.watch.catching_up import follow, follow_type, send_past
from ugs.broker.extensions.watch.delayed_channels import drop_coming, leave, leave_type
from ugs.broker.extensions.watch.stand import STAND, Following
from ugs.broker.facts import Proven
from ugs.broker.play import dismissals
from ugs.broker.state.connection import Newcomer, Peer, Spectator
from ugs.broker.state.model import Game
from ugs.broker.state.server_state import ServerState
from ugs.broker.values.identity import Role
from ugs.broker.values.name_rules import MAX_NAME, WATCHING, unique_form, wrong_name, wrong_nick
from ugs.broker.views.privacy import is_open
from ugs.broker.views.spectator import moves_until
from ugs.broker.views.whole import others
from ugs.config import Config
from ugs.wire.extensions import Failed, ListGames, Ok, RefusalReason, RunningGames, Unwatch, Watch, WatchableGame

MAX_DELAY_S = 900.0
"""The longest delay that a spectator may choose: all events are kept for it that long. A game type may have a longer
one."""
MAX_DELAYS = 20
"""Different delays for one game or game type: each costs the broker extra work."""
LISTED_SEATS = 8
"""Players of a game who are named in a list of games: it is for people."""
MAX_NICK_LENGTH = MAX_NAME - len(WATCHING)
"""Characters of the nick of a spectator: others see it with a suffix."""
MAX_WATCHED = 100
"""Games and game types that one spectator may follow."""


def wrong(_config: Config, message: Watch) -> str | None:
    """Return the first mistake in the message itself; None if there is none."""
    wrong = next(_wrong(message), None)
    return None if wrong is None else f"{message.TYPE}: {wrong}"


def watch(server: ServerState, peer: Newcomer | Spectator, message: Watch) -> Refusal | None:
    """Let a newcomer or a spectator follow a game or a game type."""
    claim = proofs.of_spectator(peer, message) if message.nick and not peer.name else None
    why = proofs.why_closed(server, peer, claim) if claim is not None else ""
    if why:
        _turn_away(server, peer, message, why)
        return None
    # Before the proof: no hash is made for what would be refused anyway.
    refusal = next(_refusals(server, peer, message), None)
    if refusal is not None:
        if isinstance(peer, Newcomer):
            peer.is_refused()
        return refusal
    if claim is not None and proofs.holds(server, peer, message, claim):
        return None
    if claim is not None and shared_nicks.holds(server, peer, message):
        return None
    following = STAND.of(server).following.get(peer.conn) or _let_in(server, peer)
    spectator = following.spectator
    if message.nick and not spectator.name:
        _dispossess(server, message.nick)
        spectator.has_nick(message.nick)
        server.names.spectators[unique_form(message.nick)] = spectator
    delay_s = _delay(server, message)
    server.note("watches", spectator, game=message.game_id, game_type=message.game_type, delay_s=delay_s)
    if message.game_id:
        game = server.running_game(message.game_id)
        assert game is not None
        follow(server, following, game, message, delay_s)
    else:
        follow_type(server, following, message, delay_s)
    send_past(server, following)
    return None


def proven(server: ServerState, fact: Proven) -> None:
    """The nick that a spectator wants is its own."""
    if isinstance(fact.message, Watch) and isinstance(fact.peer, Newcomer | Spectator):
        refusal = watch(server, fact.peer, fact.message)
        if refusal is not None:
            server.send_extension([fact.peer], Failed(refusal.reason, refusal.text, ref=fact.message.ref))


def unwatch(server: ServerState, peer: Peer, message: Unwatch) -> Refusal | None:
    """Stop following a game, a game type with all its games, or everything."""
    following = STAND.of(server).following.get(peer.conn)
    if following is None:
        return Refusal(RefusalReason.INVALID_PLAYER, "x-unwatch: you watch nothing; begin with x-watch")
    everything = not message.game_id and not message.game_type
    unseen = [
        game_id
        for game_id, (asked, _) in following.coming.items()
        if everything or game_id == message.game_id or asked.game_type == message.game_type
    ]
    drop_coming(server, following, unseen)
    for game_id, channel in list(following.games.items()):
        if everything or game_id == message.game_id or channel.game.type.name == message.game_type:
            leave(server, following, channel)
    for name in list(following.types):
        if everything or name == message.game_type:
            leave_type(server, following, name)
    server.send_extension([peer], Ok(message.ref))
    return None


def list_games(server: ServerState, peer: Peer, message: ListGames) -> Refusal | None:
    """Answer with the games that can be watched."""
    games = (game for game in server.running if message.game_type in ("", game.type.name) and is_open(game))
    most = server.config.list_rows
    listed = [_running(server, game) for game in islice(games, most)]
    listed += islice(_elsewhere(server, message.game_type), most - len(listed))
    server.send_extension([peer], RunningGames(tuple(listed), message.ref))
    server.charge(peer, len(listed))
    return None


# What is wrong with a request.


def _refusals(server: ServerState, peer: Peer, message: Watch) -> Iterator[Refusal]:
    """Yield all reasons to refuse a request, in the order of checking."""
    if message.nick and peer.name and message.nick != peer.name:
        yield _invalid(f"nick {message.nick!r}: you are called {peer.name!r} already")
    is_new = isinstance(peer, Newcomer)
    if is_new and server.condition.draining:
        yield Refusal(RefusalReason.INVALID_PLAYER, "x-watch: the server is shutting down")
    if proofs.is_waiting(peer) or shared_nicks.is_waiting(server, peer):
        yield Refusal(RefusalReason.INVALID_PLAYER, "x-watch: your last request has not been answered yet")
    if is_new and len(STAND.of(server).following) >= server.config.max_spectators:
        yield Refusal(RefusalReason.USER_LIMIT, "x-watch: the limit of spectators is reached")
    if message.nick and not peer.name and not _may_have(server, message.nick):
        yield Refusal(RefusalReason.DUPLICATE_USER, "x-watch: nick is in use")
    shut_out = server.entry.access.of_name(message.nick, server.now) if message.nick else ""
    if shut_out:
        yield Refusal(RefusalReason.INVALID_PLAYER, f"x-watch: nick: {shut_out}")
    if message.game_id and server.running_game(message.game_id) is None:
        yield Refusal(RefusalReason.INVALID_GAME, f"x-watch: gameId {message.game_id!r}: no such game is running")
    allowed = server.config.allowed_game_types
    if message.game_type and allowed and message.game_type not in allowed:
        yield Refusal(RefusalReason.INVALID_GAME, f"x-watch: gameType {message.game_type!r} is not allowed here")
    yield from _too_much(server, peer, message)


def _wrong(message: Watch) -> Iterator[str]:
    if bool(message.game_id) == bool(message.game_type):
        both = "both there" if message.game_id else "both missing"
        yield f"gameId and gameType are {both}, exactly one must be there"
    if message.game_type and (wrong := wrong_name(message.game_type)):
        yield f"gameType {wrong}"
    if message.nick and (wrong := wrong_nick(message.nick, MAX_NICK_LENGTH)):
        yield f"nick {wrong}"
    if message.delay_s > MAX_DELAY_S:
        yield f"delaySec {message.delay_s:g}: at most {MAX_DELAY_S:g} is allowed"


def _too_much(server: ServerState, peer: Peer, message: Watch) -> Iterator[Refusal]:
    """Yield refusals by the limits that keep a few spectators from costing much."""
    stand = STAND.of(server)
    following = stand.following.get(peer.conn)
    chosen = following.chosen if following is not None else set()
    if len(chosen) >= MAX_WATCHED and chosen.isdisjoint({message.game_id, message.game_type}):
        yield Refusal(RefusalReason.GAME_LIMIT, f"x-watch: you watch {MAX_WATCHED} games and game types already")
    delays = set(stand.of_game.get(message.game_id, ()))
    if message.game_type:
        watchers = stand.of_type.get(message.game_type, {}).values()
        delays = {watcher.types[message.game_type] for watcher in watchers}
    # Spectators with the same delay share a channel; only one more delay costs more.
    if len(delays) >= MAX_DELAYS and _delay(server, message) not in delays:
        some = ", ".join(f"{delay:g}" for delay in sorted(delays))
        text = f"x-watch: delaySec {message.delay_s:g}: choose one that others have: {some}"
        yield Refusal(RefusalReason.USER_LIMIT, text)


def _invalid(text: str) -> Refusal:
    return Refusal(RefusalReason.INVALID_REQUEST, f"x-watch: {text}")


def _may_have(server: ServerState, nick: str) -> bool:
    """Return whether a spectator may have this nick: no player here has it, and no other spectator, unless that one has
    not proven a nick that has a token."""
    names, holder = server.names, server.names.spectators.get(unique_form(nick))
    is_owned = server.entry.identities.find(Role.PLAYER, nick) is not None
    return names.player(nick) is None and (holder is None or (is_owned and holder.connection.proven is None))


# Steps.


def _dispossess(server: ServerState, nick: str) -> None:
    """The owner of a nick has come as a spectator: take it from a spectator that has it without a proof."""
    holder = server.names.spectators.pop(unique_form(nick), None)
    if holder is not None:
        server.note("nick lost to its owner", holder)
        holder.has_nick("")
        text = f"nick {nick!r}: the owner of its token is here now; choose another one with x-watch"
        server.send_extension([holder], Failed(RefusalReason.DUPLICATE_USER, text))


def _turn_away(server: ServerState, peer: Peer, message: Watch, why: str) -> None:
    """A peer wants a nick, but has proven another identity: send it the reason, and close its connection."""
    text = f"{message.TYPE}: nick {message.nick!r}: {why}"
    server.note("token refused", peer, warning=True, why=text, address=peer.connection.address)
    server.send_extension([peer], Failed(RefusalReason.INVALID_PLAYER, text, ref=message.ref))
    dismissals.dismiss(server, peer, text)


def _delay(server: ServerState, message: Watch) -> float:
    """Return the delay that a request is granted with."""
    game = server.running_game(message.game_id)
    settings = game.type.settings if game is not None else server.config.game_type(message.game_type)
    return max(message.delay_s, settings.watch_delay_s)


def _let_in(server: ServerState, peer: Peer) -> Following:
    """Turn a newcomer into a spectator."""
    server.stop(Timer(TimerKind.LOGIN, peer.conn))
    server.emit(Admit(peer.conn))
    connection = peer.connection
    # With what is kept of the newcomer: its allowance of lists goes on.
    spectator = Spectator(connection=connection, extras=peer.extras)
    connection.belongs_to(spectator)
    following = STAND.of(server).following[spectator.conn] = Following(spectator)
    server.note("spectator came", spectator, address=connection.address)
    return following


def _elsewhere(server: ServerState, game_type: str) -> Iterator[WatchableGame]:
    """Yield the games that other nodes lead, of this type or of all."""
    for node in others(server):
        for game in node.overview.public.games:
            if game_type in ("", game.game_type):
                players = _players(game.nicks)
                yield WatchableGame(game.game, game.game_type, players, game.moves, game.spectators, node.name)


def _running(server: ServerState, game: Game) -> WatchableGame:
    delay_s = game.type.settings.watch_delay_s
    # The delay holds in the list, too: a number of moves shows how far the game is now.
    moves = moves_until(game, server.now - delay_s) if delay_s else game.history.moves
    players, node = _players(game.seats), server.config.node
    return WatchableGame(game.id, game.type.name, players, moves, len(game.history.watchers), node)


def _players(nicks: Sequence[str]) -> str:
    more = f" and {len(nicks) - LISTED_SEATS} more" if len(nicks) > LISTED_SEATS else ""
    return ", ".join(nicks[:LISTED_SEATS]) + more
