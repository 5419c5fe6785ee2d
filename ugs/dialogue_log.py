"""The dialogue of a peer with its server as a file for people: a line for each document, with the time and who sent it.

Secrets are left out: values of attributes that are called ``token``, and those that are named.
"""

import os
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

import trio

from ugs.printable import safe
from ugs.wire.framing import Framer, Limits, WireError

LIMITS: Final = Limits(max_message_bytes=64 * 1024 * 1024, max_depth=1000, max_attributes=10_000, max_markup=1 << 26)
MAX_BYTES: Final = 100_000_000
"""Bytes of the file; what comes after is not written."""
TOKEN: Final = b"token="
HIDDEN: Final = b"..."


class DialogueLog:
    """A file to that lines are added; only its owner can read it."""

    def __init__(self, path: Path, secrets: Sequence[str] = ()) -> None:
        """Raises OSError when the file cannot be written."""
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        self._size = os.fstat(self._file).st_size
        self._secrets = [secret.encode() for secret in secrets if secret]

    def write(self, sign: str, data: bytes) -> None:
        """Add a line. A full disk loses the line, not the game."""
        for secret in self._secrets:
            data = data.replace(secret, HIDDEN)
        now = datetime.now().strftime("%H:%M:%S.%f")[:-3]
        line = f"{now} {sign} {safe(without_tokens(data).decode('utf-8', 'replace'))}\n"
        try:
            if self._size < MAX_BYTES:
                # Without a buffer, so that a kill of the bot loses nothing.
                self._size += os.write(self._file, line.encode())
        except OSError:
            return

    def close(self) -> None:
        """Nothing more is written."""
        os.close(self._file)

    def follow(self, stream: trio.abc.Stream) -> trio.abc.Stream:
        """The stream of one connection, written down as it is used."""
        self.write("-", b"connected")
        return _Followed(stream, self)


class _Followed(trio.abc.Stream):
    """A stream that hands everything on."""

    def __init__(self, stream: trio.abc.Stream, log: DialogueLog) -> None:
        self._stream = stream
        self._log = log
        self._framers: dict[str, Framer | None] = {"<": Framer(LIMITS), ">": Framer(LIMITS)}

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await self._stream.send_all(data)
        self._note(">", bytes(data))

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        data = await self._stream.receive_some(max_bytes)
        if data:
            self._note("<", bytes(data))
        else:
            self._log.write("-", b"the server has closed the connection")
        return data

    async def aclose(self) -> None:
        await self._stream.aclose()

    def _note(self, sign: str, data: bytes) -> None:
        framer = self._framers[sign]
        if framer is None:
            self._log.write(sign, data)
            return
        try:
            for document in framer.feed(data):
                self._log.write(sign, document.raw)
        except WireError as wrong:
            self._framers[sign] = None
            self._log.write("-", f"what follows are no documents: {wrong}".encode())
            self._log.write(sign, data)


def without_tokens(data: bytes) -> bytes:
    """A document without the values of attributes that are called ``token``."""
    first, *others = data.split(TOKEN)
    return TOKEN.join([first, *map(_without_value, others)])


def _without_value(text: bytes) -> bytes:
    quote, end = text[:1], text.find(text[:1], 1)
    return quote + HIDDEN + text[end:] if quote in (b'"', b"'") and end > 0 else HIDDEN
