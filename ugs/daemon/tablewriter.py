"""Messages to bytes, once per message however many peers get it.

A table of a thousand players is sent to everybody who becomes idle, and between two sends a few rows of it have
changed: rows are written once and kept as long as they stand.
"""

from ugs.wire.codec import encode
from ugs.wire.messages import ChampionRow, ChampionsList, Message

HEAD, TAIL = encode(ChampionsList(())).replace(b"/>", b"></message>").split(b"</message>")[0], b"</message>"


class Encoder:
    """Writes messages; keeps what it has written of tables."""

    def __init__(self) -> None:
        self._rows: dict[int, tuple[ChampionRow, bytes]] = {}

    def encode(self, message: Message) -> bytes:
        """The document of a message, without declaration."""
        if type(message) is ChampionsList:
            return self._champions_list(message)
        return encode(message)

    def _champions_list(self, message: ChampionsList) -> bytes:
        rows = self._rows
        if len(rows) > 2 * len(message.rows) + 100:
            rows.clear()
        parts = []
        for row in message.rows:
            kept = rows.get(id(row))  # the entry keeps the row alive, so the id cannot belong to another one
            if kept is None:
                single = encode(ChampionsList((row,)))
                kept = rows[id(row)] = (row, single[len(HEAD) : -len(TAIL)])
            parts.append(kept[1])
        return HEAD + b"".join(parts) + TAIL
