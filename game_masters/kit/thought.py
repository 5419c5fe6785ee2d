"""What a bot thinks of a position."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Thought:
    """What a bot thinks of a position, for spectators and for the record: never for its opponents while the game runs.

    ``worth`` is how well it stands, in its own measure, the more the better for itself, 0 is even; ``line`` are the
    moves that it expects; ``marks`` are cells and arrows on the board: (at, to, text), where ``to`` and ``text`` may be
    empty. Empty or None: no thought of that kind.
    """

    worth: float | None = None
    plan: str = ""
    line: str = ""
    marks: tuple[tuple[str, str, str], ...] = ()
