"""Sends states of masters to players: one for all, or one for each.

Players always get an ordinary ``gameState``, which names one player to move. If several may move, each of them gets its
own nick, and the other players get the first of them.
"""

from collections.abc import Collection, Mapping, Sequence

from ugs.broker.effects import RecordEntry, Send
from ugs.broker.play import record_entries, sketching
from ugs.broker.state.game_state import MasterState, payloads_of
from ugs.broker.state.model import Game, Player
from ugs.broker.state.server_state import ServerState
from ugs.broker.values.record import movers_text
from ugs.wire.messages import GameState


def plain_turn(server: ServerState, game: Game, message: GameState, seat: int) -> None:
    """Send the same state to all players; the player of ``seat`` may move."""
    shown = game.shown
    has_sketches = shown.drawn or shown.sketches
    if has_sketches:
        sketching.of_state(server, game, game.present)
    # Before it is sent: what a peer has seen is in the journal, also when the server is killed in between.
    record_entries.state(server, game, seat, "", game.present_seats, message.payload)
    shown.to_all(message)
    if has_sketches:
        sketching.send(server, game, game.present)
    audience = game.audience
    if audience:
        server.emit(Send(audience, message))


def turn(server: ServerState, game: Game, state: MasterState, named: Sequence[Player], spared: Collection[str]) -> None:
    """Send a state where the players ``named`` may move. Left out are the nicks ``spared``, who were asked before and
    have not moved, and players who have just come back and have no view of their own yet."""
    seats = [game.seat_of[player.name] for player in named]
    private, public = payloads_of(state)
    shown = game.shown
    game.turn.needs_more()
    names = {player.name for player in named}
    passed_over = {*spared, *shown.passes_over({*private, *names})}
    nicks = [nick for nick in game.present if nick not in passed_over]
    sketching.of_state(server, game, nicks)
    _write_views(server, game, private, nicks)
    audience = sum(1 << game.seat_of[nick] for nick in nicks if nick not in private)
    record_entries.state(server, game, seats[0], movers_text(seats), audience, public)
    shown.stays(spared)
    shown.to_most(GameState(game.id, named[0].name, None, public), private=bool(private))
    for nick in nicks:
        mover = nick if nick in names else named[0].name
        shown.shows(nick, GameState(game.id, mover, None, private.get(nick, public)))
    sketching.send(server, game, nicks)
    _send(server, game, nicks)


def write_over(server: ServerState, game: Game, state: MasterState, *, by_server: bool) -> tuple[RecordEntry, ...]:
    """Record the result before it is sent. Returns its entries, for ``record_entries.release``."""
    private, public = payloads_of(state)
    # The master drew its own result; the server's has no picture.
    if by_server:
        sketching.forget(game)
    sketches = sketching.of_end(server, game)
    _write_views(server, game, private, list(game.present))
    audience = sum(1 << game.seat_of[nick] for nick in game.present if nick not in private)
    assert state.game_over is not None
    return *sketches, record_entries.over(server, game, state.game_over, audience, b"" if by_server else public)


def over(server: ServerState, game: Game, state: MasterState) -> None:
    """Send the result to every player who is still in the game."""
    private, public = payloads_of(state)
    views = {nick: GameState(game.id, None, state.game_over, private[nick]) for nick in game.present if nick in private}
    game.shown.end(GameState(game.id, None, state.game_over, public), views)
    sketching.send(server, game, game.present)
    _send(server, game, list(game.present))


def resend(server: ServerState, player: Player) -> bool:
    """Send the last state of its game to a player once more; False when there has been none."""
    game = player.game
    last = game.shown.last(player.name) if game is not None else None
    if last is not None and game is not None:
        sketching.send(server, game, [player.name])
        server.send(player, last)
    return last is not None


def _write_views(server: ServerState, game: Game, private: Mapping[str, bytes], nicks: Sequence[str]) -> None:
    # One entry for all who are shown the same: most views of a large game are alike.
    alike: dict[bytes, int] = {}
    for nick in nicks:
        if nick in private:
            alike[private[nick]] = alike.get(private[nick], 0) | 1 << game.seat_of[nick]
    for body, audience in alike.items():
        record_entries.view(server, game, audience, body)


def _send(server: ServerState, game: Game, nicks: Sequence[str]) -> None:
    shown = game.shown
    # One send for all without comparing states: hashing large ones would cost more than sending them.
    if shown.latest is not None and not shown.views:
        server.send_all([game.present[nick] for nick in nicks], shown.latest)
        return
    alike: dict[GameState, list[Player]] = {}
    for nick in nicks:
        last = shown.last(nick)
        assert last is not None
        alike.setdefault(last, []).append(game.present[nick])
    for state, players in alike.items():
        server.send_all(players, state)
