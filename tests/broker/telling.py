"""Messages of the server in a few words: what a peer of :mod:`tests.broker.stage` hears.

Payloads are told as the text in them: ``move g1 e4`` is a move whose payload is ``<move>e4</move>``. Seeds are left
out, since each game has its own.
"""

import re
from collections.abc import Callable, Mapping
from functools import singledispatch
from typing import Any

from ugs.wire.extensions import (
    Advertised,
    Failed,
    GameEnded,
    Hello,
    Invitation,
    Joined,
    Ok,
    Past,
    PastLeft,
    PastMove,
    Restore,
    Said,
    SeatInfo,
    SeatKind,
    Seats,
    Session,
    Stop,
    TableInfo,
    Tables,
    Warn,
)
from ugs.wire.messages import (
    BeginGame,
    ChampionsList,
    Error,
    GameState,
    LoginResponse,
    Message,
    Move,
    PlayerLeftGame,
    ServerShutdown,
)


def is_untold(message: Message) -> bool:
    """Whether a script leaves this message out: standings, and what every peer hears that logs in."""
    return isinstance(message, ChampionsList | Hello | Session) or message == LoginResponse()


@singledispatch
def told(message: object) -> str:
    """A message in a few words; its ``repr`` where ``TELLING`` has none."""
    return str(message)


def _table(table: TableInfo) -> str:
    facts = [f"{table.name} of {table.owner}", f"{table.seats} seats", f"{table.free} free", table.visibility.value]
    facts += [f"{table.computers} computers"] if table.computers else []
    facts += [f"{option.name}={option.value}" for option in table.options]
    facts += [f"invited {' '.join(table.invited)}"] if table.invited else []
    return f"{table.id}: {', '.join(facts)}"


def _seat(seat: SeatInfo) -> str:
    program = "program" if seat.kind is SeatKind.PROGRAM else ""
    return " ".join(filter(None, [seat.nick, seat.label, program, seat.state.value]))


def _seats(message: Seats) -> str:
    comment = f" ({message.comment})" if message.comment else ""
    return f"x-seats {message.game_id}: {', '.join(map(_seat, message.seats))}{comment}"


def _ended(message: GameEnded) -> str:
    return f"x-gameEnded {message.game_id} {message.result.value} {message.reason} ({message.comment})"


def _warning(message: Warn) -> str:
    scope = f"{message.scope.value} {message.game_id}".rstrip()
    return f"x-warning {scope} {message.state.value}, {message.left_s:g} s left"


def _payload(payload: bytes) -> str:
    """The text of a payload, after a blank; empty for an empty one."""
    text = re.sub("<.*?>", "", payload.decode())
    return f" {text}" if text else ""


def _state(message: GameState) -> str:
    if message.game_over is None:
        return f"gameState {message.game_id}{_payload(message.payload)}: {message.next_player} to move"
    return f"gameOver {message.game_id}: {', '.join(f'{one.nick} {one.result.value}' for one in message.game_over)}"


def _begin(message: BeginGame) -> str:
    facts = [f"{choice.name}={choice.value}" for choice in message.options]
    facts += [f"{message.seats} seats"] if message.seats else []
    return f"beginGame {message.game_id}: {', '.join([*message.players, *facts])}"


def _restore(message: Restore) -> str:
    happened = f"; {', '.join(map(_past, message.happened))}" if message.happened else ""
    return f"x-restore {message.game_id}: {', '.join(message.players)}{happened}"


def _past(past: Past) -> str:
    if isinstance(past, PastMove):
        return f"{past.nick} moved{_payload(past.payload)}"
    return f"{past.nick} {'left' if isinstance(past, PastLeft) else 'has its seat again'}"


def _login(message: LoginResponse) -> str:
    return f"loginResponse {message.error.name}" if message.error is not None else "loginResponse"


TELLING: Mapping[type[Any], Callable[[Any], str]] = {
    Ok: lambda message: "x-ok",
    Failed: lambda message: f"x-failed {message.code.value} ({message.text})",
    Advertised: lambda message: f"x-advertised {_table(message.table)}",
    Joined: lambda message: f"x-joined {_table(message.table)}",
    Invitation: lambda message: f"x-invitation {_table(message.table)}",
    Tables: lambda message: "x-tables: " + (", ".join(f"{one.id} {one.name}" for one in message.tables) or "none"),
    Seats: _seats,
    GameEnded: _ended,
    Stop: lambda message: f"x-stop {message.game_id} {message.reason}",
    Said: lambda message: f"x-said {message.sender}: {message.text}",
    Warn: _warning,
    Error: lambda message: f"error ({message.text})",
    GameState: _state,
    BeginGame: _begin,
    PlayerLeftGame: lambda message: f"playerLeftGame {message.game_id}: {message.nick}",
    Move: lambda message: f"move {message.game_id}{_payload(message.payload)}",
    Restore: _restore,
    LoginResponse: _login,
    ServerShutdown: lambda message: "serverShutdown",
}
for kind, words in TELLING.items():
    told.register(kind, words)
