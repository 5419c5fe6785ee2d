"""Standings to bytes: the ``championsList`` messages.

Standings of a thousand players are sent to every player that becomes idle, and between two sends a few rows have
changed. So each row is written once and kept as long as it stands.
"""

from ugs.wire.codec import encode
from ugs.wire.messages import ChampionRow, ChampionsList

HEAD, TAIL = b'<message type="championsList">', b"</message>"


class StandingsWriter:
    """Writes the ``championsList`` messages of one server."""

    def __init__(self) -> None:
        self._rows: dict[int, bytes] = {}
        """Written rows by the id of the row."""
        self._alive: list[ChampionRow] = []
        """The rows that are kept, so that the id of none of them can become that of another one."""
        self._last: tuple[ChampionsList, bytes] | None = None

    def write(self, message: ChampionsList) -> bytes:
        """The document of this message, without declaration; byte for byte what the codec writes."""
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
