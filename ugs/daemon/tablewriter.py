"""Tables to bytes.

A table of a thousand players is sent to everybody who becomes idle, and between two sends a few rows of it have
changed: rows are written once and kept as long as they stand.
"""

from collections.abc import Iterable

from ugs.wire.codec import encode
from ugs.wire.messages import ChampionRow, ChampionsList

HEAD, TAIL = b'<message type="championsList">', b"</message>"


class TableWriter:
    """Writes the ``championsList`` messages of one server."""

    def __init__(self) -> None:
        self._rows: dict[int, bytes] = {}
        self._alive: list[ChampionRow] = []
        """The rows that are kept, so that the id of none of them can become that of another one."""

    def write(self, message: ChampionsList) -> bytes:
        """The document of a table, without declaration."""
        rows = message.rows
        if len(self._alive) > 2 * len(rows) + 100:
            self._rows.clear()
            self._alive.clear()
        while True:
            try:
                return HEAD + b"".join(map(self._rows.__getitem__, map(id, rows))) + TAIL
            except KeyError:
                self._write_new(rows)

    def _write_new(self, rows: Iterable[ChampionRow]) -> None:
        for row in rows:
            if id(row) not in self._rows:
                self._rows[id(row)] = encode(ChampionsList((row,)))[len(HEAD) : -len(TAIL)]
                self._alive.append(row)
