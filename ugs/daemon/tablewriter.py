"""Tables to bytes.

A table of a thousand players is sent to everybody who becomes idle, and between two sends a few rows of it have
changed: rows are written once and kept as long as they stand.
"""

from ugs.wire.codec import encode
from ugs.wire.messages import ChampionRow, ChampionsList

HEAD, TAIL = b'<message type="championsList">', b"</message>"


class TableWriter:
    """Writes the ``championsList`` messages of one server."""

    def __init__(self) -> None:
        self._rows: dict[int, bytes] = {}
        self._alive: list[ChampionRow] = []
        """The rows that are kept, so that the id of none of them can become that of another one."""
        self._last: tuple[ChampionsList, bytes] | None = None

    def write(self, message: ChampionsList) -> bytes:
        """The document of a table, without declaration."""
        if self._last is not None and self._last[0] is message:
            return self._last[1]
        if len(self._alive) > 2 * len(message.rows) + 100:
            self._rows.clear()
            self._alive.clear()
        known = self._rows.get
        document = HEAD + b"".join([known(id(row)) or self._write_row(row) for row in message.rows]) + TAIL
        self._last = (message, document)
        return document

    def _write_row(self, row: ChampionRow) -> bytes:
        written = encode(ChampionsList((row,)))[len(HEAD) : -len(TAIL)]
        self._rows[id(row)] = written
        self._alive.append(row)
        return written
