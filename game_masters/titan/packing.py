"""How a game is put into a save: its messages, the dice that are still to be thrown, a digest of the position."""

import zlib
from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import replace
from hashlib import sha256

from game_masters.titan import forms, snapshots
from game_masters.titan.messages import Message
from game_masters.titan.play import Dice
from game_masters.titan.position import Position

ROOT = "titan"


def written(messages: Sequence[Message], dice: Dice, position: Position) -> bytes:
    """Return these messages, the dice after them and the position that they lead to as a save."""
    messages_text = "".join(map(forms.write, messages))
    fixed = " ".join(map(str, dice.fixed))
    rest = f'<dice secret="{dice.secret.hex()}" thrown="{dice.thrown}" fixed="{fixed}"/>'
    return f'<{ROOT}>{messages_text}{rest}<digest value="{digest(position)}"/></{ROOT}>'.encode()


def packed(save: bytes) -> str:
    """Return a save in its short form."""
    return b64encode(zlib.compress(save, 9)).decode()


def as_fixture(save: bytes, players: int, options: Iterable[tuple[str, str]]) -> str:
    """Return a fixture for a game of ``players`` players with these options that goes on where it was saved."""
    lines = [f"players = {players}", f'save = "{packed(save)}"', "", "[options]"]
    lines += [f"{name} = {_value(value)}" for name, value in options]
    return "\n".join(lines) + "\n"


def _value(text: str) -> str:
    """Return the text of an option as TOML has it."""
    return text if text in ("true", "false") or text.isdigit() else quoted(text)


def quoted(word: str) -> str:
    """Return a word as TOML has it."""
    return f'"{word}"'


def digest(position: Position) -> str:
    """Return a digest of everything on the table."""
    return sha256(snapshots.write(replace(position, asked=None)).encode()).hexdigest()
