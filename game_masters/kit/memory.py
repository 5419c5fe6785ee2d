"""What a bot has to remember so that it plays on when it is killed and started again, as values and lines of text.

The first line names the owner: server, nick, game type, and the token of the session. The lines below hold
the running game: its id, then every state received and every move made, in order, since a state alone may not show how
the game stands. Each line is a JSON object. A last line that was cut is passed over.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from ugs.wire.messages import GameState, Move

MAX_BYTES = 16 * 1024 * 1024
"""Bytes of the memory of one game. One that takes more is not remembered to its end, and its bot leaves it when it
cannot read on."""


@dataclass(frozen=True, slots=True)
class Whose:
    """Whose memory it is."""

    server: str
    nick: str
    game_type: str


@dataclass(frozen=True, slots=True)
class Memory:
    """What a bot knows of its session and its game."""

    token: str = ""
    """The token of its session; empty without one."""
    over: bool = False
    """Whether the bot has logged out: the token serves for questions only."""
    game_id: str = ""
    received: "tuple[GameState | Move, ...]" = ()
    """The states received and the moves made in this game, in order."""

    @property
    def resumes(self) -> bool:
        """Whether there is a session that may be resumed."""
        return bool(self.token) and not self.over


NOTHING = Memory()


@dataclass(frozen=True, slots=True)
class KeepToken:
    """The session has this token; ``over``: the bot has logged out."""

    token: str
    over: bool = False


@dataclass(frozen=True, slots=True)
class KeepGame:
    """Another game has begun."""

    game_id: str


@dataclass(frozen=True, slots=True)
class KeepStep:
    """A state received, or a move about to be made, in the game that was begun last."""

    step: GameState | Move


News: TypeAlias = KeepToken | KeepGame | KeepStep


def head(whose: Whose, memory: Memory) -> str:
    """The lines that a file begins with: the owner, and the running game."""
    first = {
        "server": whose.server,
        "nick": whose.nick,
        "game_type": whose.game_type,
        "token": memory.token,
        "over": memory.over,
    }
    steps = map(step, memory.received)
    game = _line({"game": memory.game_id}) if memory.game_id else ""
    return "".join([_line(first), game, *steps])


def step(received: GameState | Move) -> str:
    """The line for a state or a move."""
    # Payloads are bytes of any kind; JSON holds text.
    payload = received.payload.decode("utf-8", "surrogateescape")
    if isinstance(received, Move):
        return _line({"move": payload})
    return _line({"state": payload, "next": received.next_player})


def read(text: str, whose: Whose) -> Memory:
    """The memory in a file, if it is that of the same bot; nothing for any other text."""
    lines = _objects(text)
    # A file of another bot, or of another server, must never give its token away.
    first = next(lines, {})
    if any(first.get(key) != value for key, value in _named(whose).items()) or not isinstance(first.get("token"), str):
        return NOTHING
    memory = Memory(str(first["token"]), bool(first.get("over")))
    received: list[GameState | Move] = []
    for one in lines:
        if isinstance(game := one.get("game"), str):
            memory, received = replace(memory, game_id=game), []
        elif (known := _step(one, memory.game_id)) is not None:
            received.append(known)
    return replace(memory, received=tuple(received))


def _named(whose: Whose) -> dict[str, str]:
    return {"server": whose.server, "nick": whose.nick, "game_type": whose.game_type}


def _step(one: dict[str, object], game_id: str) -> GameState | Move | None:
    state, move, named = one.get("state"), one.get("move"), one.get("next")
    if isinstance(state, str) and isinstance(named, str):
        return GameState(game_id, named, None, state.encode("utf-8", "surrogateescape"))
    if isinstance(move, str):
        return Move(game_id, move.encode("utf-8", "surrogateescape"))
    return None


def _objects(text: str) -> Iterator[dict[str, object]]:
    """The JSON objects of a text, one a line, up to the first line that is none."""
    for line in text.splitlines():
        try:
            one = json.loads(line)
        except (ValueError, RecursionError):
            # A line that was cut when the program was killed; what came before it counts.
            return
        if not isinstance(one, dict):
            return
        yield one


def _line(value: dict[str, object]) -> str:
    return json.dumps(value) + "\n"
