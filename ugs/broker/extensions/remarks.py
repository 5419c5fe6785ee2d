"""The family ``remark``: what players think of their positions, for the record and for spectators.

A remark belongs to the next move of its sender. It is recorded at once, and reaches spectators of the running game only
where the organiser wants that (``live_remarks``), with the delay of everything they see; the other players of the game
are never sent one.
"""

from typing import Final

from ugs.broker.extensions.request import PLAYERS, ExtensionModule, Refusal, Request
from ugs.broker.play import intake, record_entries
from ugs.broker.state.model import Player
from ugs.broker.state.remarks_made import MADE
from ugs.broker.state.server_state import ServerState
from ugs.broker.values.remark_json import remark_body
from ugs.config import Config
from ugs.wire.extensions import MAX_REMARK_BYTES, Family, Ok, RefusalReason, Remark

MAX_OF_GAME_BYTES: Final = 131_072
"""Bytes of all remarks of one player in one game: a line of text for each move of a long game."""


def wrong(_config: Config, message: Remark) -> str | None:
    """Return what is wrong with a remark, regardless of the sender; None if nothing is."""
    if message.worth is None and not (message.plan or message.line or message.marks):
        return f"{message.TYPE}: it is empty"
    size = len(remark_body(message))
    if size > MAX_REMARK_BYTES:
        return f"{message.TYPE}: it has {size} bytes as it is recorded; allowed: at most {MAX_REMARK_BYTES}"
    return None


def remark(server: ServerState, player: Player, message: Remark) -> Refusal | None:
    """A player remarks something before its move: record that."""
    game = player.game
    if game is None or game.id != message.game_id or game.ended:
        over = game is not None and game.id == message.game_id
        why = "this game is over" if over else intake.no_such_game(player, message.game_id)
        return Refusal(RefusalReason.INVALID_GAME, f"x-remark: gameId id {message.game_id!r}: {why}")
    if player not in game.turn.movers:
        return Refusal(RefusalReason.INVALID_REQUEST, "x-remark: it is not your turn; a remark comes before its move")
    made, seat, moves = MADE.of(game), game.seat_of[player.name], game.history.moves
    # Counted by the moves of the game, which the journal knows: it holds after a restart, too.
    if made.at_move.get(seat) == moves:
        return Refusal(RefusalReason.RATE_LIMIT, "x-remark: only one remark per move is allowed")
    body = remark_body(message)
    size = made.size.get(seat, 0) + len(body)
    if size > MAX_OF_GAME_BYTES:
        text = f"x-remark: yours would have {size} bytes in this game; allowed: at most {MAX_OF_GAME_BYTES}"
        return Refusal(RefusalReason.RATE_LIMIT, text)
    made.at_move[seat], made.size[seat] = moves, size
    record_entries.remark(server, game, seat, body, is_open=game.type.settings.live_remarks)
    if message.ref:
        server.send_extension([player], Ok(message.ref))
    return None


EXTENSION = ExtensionModule(requests={Remark: Request(frozenset({Family.REMARK}), PLAYERS, remark, wrong)})
