"""The family ``faults``: masters report the moves that they refuse. What follows is the core's:
``play/refused_moves.py``."""

import re
from typing import Final

from ugs.broker.extensions.request import MASTERS, ExtensionModule, Request
from ugs.broker.play import intake, reasons
from ugs.broker.state.history import ENTRY_BYTES
from ugs.broker.state.model import Master
from ugs.broker.state.move_faults import MOVE_FAULTS
from ugs.broker.state.phases import Happening, Phase
from ugs.broker.state.server_state import ServerState
from ugs.broker.verdict import Reason
from ugs.config import Config
from ugs.wire.extensions import Family, RefusedMove

JUDGES: Final = frozenset({Phase.ANSWER, Phase.TAKING})
"""Phases where a master may refuse the last move."""
_CODE: Final = re.compile(r"[A-Za-z0-9._-]+")


def wrong(_config: Config, message: RefusedMove) -> str | None:
    """Return what is wrong with a report, regardless of the sender; None if nothing is."""
    if not _CODE.fullmatch(message.code):
        return f"x-fault: cause code {message.code!r}: allowed are letters, digits, '-', '_' and '.', at least one"
    return None


def refuse(server: ServerState, master: Master, message: RefusedMove) -> str | None:
    """A master has sent ``x-fault``: it refuses the move that it was given last. Returns what is wrong, or None."""
    game = master.games.get(message.game_id)
    if game is None:
        return intake.not_running(server, master, "x-fault", message.game_id)
    mover = game.turn.answering
    if game.phase not in JUDGES or mover is None or mover.name != message.nick:
        return f"x-fault: cause nick {message.nick!r}: no move of that player waits for an answer in game {game.id}"
    faults = MOVE_FAULTS.find(game)
    if game.phase is Phase.ANSWER and faults is not None and faults.ruled_on == game.history.moves:
        return f"x-fault: gameId id {game.id!r}: this move was ruled on already; its next state is due"
    # Counts in the size of the game: refusing without end fills no journal (attack `refused-moves`).
    game.history.receives(len(message.text) + ENTRY_BYTES)
    if master.silences:
        master.has_answered()
    reason = Reason(message.code, reasons.printable(message.text), message.nick)
    server.step(game, Happening.FAULT, mover, reason)
    return None


EXTENSION = ExtensionModule(requests={RefusedMove: Request(frozenset({Family.FAULTS}), MASTERS, refuse, wrong)})
