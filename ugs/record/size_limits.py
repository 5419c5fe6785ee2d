"""How large a record may be that is read from a file: memory is bounded by one game, for any file.

``ugs record import --max-game-bytes`` sets a larger bound.
"""

from collections.abc import Iterator
from typing import BinaryIO, Final

from ugs.record.validation import RecordError
from ugs.value import value

MAX_GAME_BYTES: Final = 268_435_456
"""Four times what a server allows a game by default, since what is small there takes more here."""
MAX_LINE_BYTES: Final = 8_388_608
"""Of one line: a message of 1 MiB, each character of it written as an escape."""
LINE_BYTES: Final = 512
"""What an event or a tag takes besides what is written in its line."""
VALUE_BYTES: Final = 72
"""What a list or a table takes that is written in three characters."""


@value
class Bounds:
    """What one game may take."""

    game_bytes: int = MAX_GAME_BYTES

    @property
    def line_bytes(self) -> int:
        """What one line may take."""
        return max(MAX_LINE_BYTES, self.game_bytes // 32)

    def lines(self, file: BinaryIO) -> Iterator[bytes]:
        """The lines of an open file with their ends. Raises RecordError, which names the line, for one that is too
        long; no more of it has been read then."""
        number, most = 0, self.line_bytes
        # One byte more than allowed, to see that it is too long without reading it to its end.
        while line := file.readline(most + 1):
            number += 1
            if len(line) > most:
                raise RecordError(f"line {number}: longer than {most} bytes")
            yield line


ANY_GAME: Final = Bounds()
"""What one game may take by default."""


class Measure:
    """What the game that is being read has taken so far."""

    def __init__(self, bounds: Bounds) -> None:
        self._most = bounds.game_bytes
        self._taken = 0

    def begins(self) -> None:
        """Another game begins."""
        self._taken = 0

    def add(self, number: int, line: bytes, *, kept_as_values: bool = False) -> None:
        """Count a line; one that is kept as the values in it takes more. Raises RecordError where it is too much."""
        self._taken += len(line) + LINE_BYTES
        if kept_as_values:
            # Counted before it is parsed: three characters may become a list of seventy bytes (attack `hostile-files`).
            self._taken += VALUE_BYTES * (line.count(b",") + line.count(b"[") + line.count(b"{"))
        if self._taken > self._most:
            raise RecordError(
                f"line {number}: this game takes more than {self._most} bytes, {LINE_BYTES} for each line besides its "
                "own; ugs record import --max-game-bytes allows more"
            )
