"""Sketches of positions by their master: kept until it sends the state, then recorded and sent with it.

A sketch for one player never reaches another one, a spectator or the public record.
"""

from collections.abc import Collection

from ugs.broker.effects import RecordEntry
from ugs.broker.play import record_entries
from ugs.broker.state.model import Game
from ugs.broker.state.server_state import ServerState
from ugs.wire.extensions import Sketch


def of_state(server: ServerState, game: Game, nicks: Collection[str]) -> None:
    """A state is going to be recorded, which players with these ``nicks`` get: its sketches come before it."""
    common = _of_players(server, game, nicks)
    if common:
        record_entries.sketch(server, game, common)


def of_end(server: ServerState, game: Game) -> tuple[RecordEntry, ...]:
    """A result of the master is going to be recorded: its sketches come before it. Returns what becomes public with its
    announcement."""
    common = _of_players(server, game, game.present)
    return (record_entries.sketch_of_end(server, game, common),) if common else ()


def forget(game: Game) -> None:
    """What the master has drawn is not going to be shown."""
    game.shown.forget_drawn()


def send(server: ServerState, game: Game, nicks: Collection[str]) -> None:
    """Send these players the sketch of their next message."""
    sketches = game.shown.sketches
    common = sketches.get("", b"")
    for nick in nicks:
        if nick in sketches:
            server.send_extension([game.present[nick]], Sketch(game.id, sketches[nick], nick))
    if common:
        server.send_extension([game.present[nick] for nick in nicks if nick not in sketches], Sketch(game.id, common))


def last(game: Game, nick: str) -> bytes:
    """How the last state looks for a player; empty if that was not drawn."""
    sketches = game.shown.sketches
    return sketches.get(nick) or sketches.get("", b"")


def _of_players(server: ServerState, game: Game, nicks: Collection[str]) -> bytes:
    """Record the sketches of single players; return that of all others."""
    sketches = game.shown.takes_sketches()
    alike: dict[bytes, int] = {}
    for nick, sketch in sketches.items():
        if nick in nicks:
            alike[sketch] = alike.get(sketch, 0) | 1 << game.seat_of[nick]
    for sketch, audience in alike.items():
        record_entries.own_sketch(server, game, audience, sketch)
    return sketches.get("", b"")
