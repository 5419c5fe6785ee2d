"""Standings to bytes: the ``championsList`` messages.

Standings of a thousand players are sent to every player that becomes idle, and between two sends a few rows have
changed. So each row is written once and kept as long as lists have it. Where there are more rows than a list may have,
lists differ in their last row, that of the receiver; what comes before it is written once for all of them.
"""

from typing import Final

from ugs.wire.codec import encode
from ugs.wire.messages import ChampionRow, ChampionsList

HEAD, TAIL = b'<message type="championsList">', b"</message>"
GENERATION: Final = 4096
"""Rows that are kept before those are dropped that no recent list has had: twice as many as the longest list has.
Writing all rows of a long list again takes milliseconds, and every game waits meanwhile."""


class StandingsWriter:
    """Writes the ``championsList`` messages of one server."""

    def __init__(self) -> None:
        self._rows: dict[int, bytes] = {}
        """Written rows by the id of the row."""
        self._alive: list[ChampionRow] = []
        """The rows that are kept, so that the id of none of them can become that of another one."""
        self._older: dict[int, bytes] = {}
        self._older_alive: list[ChampionRow] = []
        """The same of the generation before: what lists still have comes over, the rest goes with the next one."""
        self._last: tuple[ChampionsList, bytes] | None = None
        self._beginning: tuple[tuple[ChampionRow, ...], bytes] = (), HEAD
        """The rows of the last list except for its last row, and its document up to there."""

    def write(self, message: ChampionsList) -> bytes:
        """The document of this message, without declaration; byte for byte what the codec writes."""
        if self._last is not None and self._last[0] is message:
            return self._last[1]
        # Kept for one generation more: short lists between two whole ones would drop what the next whole one needs.
        if len(self._alive) > GENERATION:
            self._older, self._older_alive = self._rows, self._alive
            self._rows, self._alive = {}, []
        most = message.rows[:-1]
        known = self._rows.get
        if most != self._beginning[0]:
            self._beginning = most, HEAD + b"".join([known(id(row)) or self._keep(row) for row in most])
        last = b"".join([known(id(row)) or self._keep(row) for row in message.rows[-1:]])
        document = b"".join((self._beginning[1], last, TAIL))
        self._last = (message, document)
        return document

    def _keep(self, row: ChampionRow) -> bytes:
        written = self._older.get(id(row)) or encode(ChampionsList((row,)))[len(HEAD) : -len(TAIL)]
        self._rows[id(row)] = written
        self._alive.append(row)
        return written
