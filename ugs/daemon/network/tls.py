"""TLS on a line: a transport that encrypts what it sends and decrypts what it receives.

OpenSSL never sees the socket: bytes go to it and come from it through memory. So the sockets stay where they are, in
the set of :mod:`ugs.daemon.connections.reading` or with a task of Trio's, and nothing waits here that does not wait
without TLS.

What is received is taken a record's worth at a time, and more only while it holds much: so a turn is short even if a
peer sends tiny records. What is sent counts as taken when the network has taken the last of its encrypted bytes: until
then it waits in the outbox of the peer.
"""

import ssl
from collections.abc import Awaitable
from contextlib import suppress
from typing import Final, Protocol

import trio

from ugs.daemon.network.transport import CHUNK, LINGER_S, Gone
from ugs.tls import in_words

RECORD: Final = 16_384
"""Bytes that one record holds at most."""
READ_AT_ONCE: Final = RECORD + 256
"""Bytes of the network: one full record with all that belongs to it (RFC 8446, 5.2)."""
MAX_OWED: Final = 65_536
"""Bytes that TLS itself may owe to a peer, in answers to it, before the peer is given up: it does not read."""
HANDSHAKE: Final = b"\x16"
"""The first byte of TLS: a record with a handshake."""


class TlsWire(Protocol):
    """Carries the encrypted bytes; methods as in :class:`ugs.daemon.network.transport.Transport`."""

    address: str
    taken: int

    def round_trip_us(self) -> int:
        """Microseconds to the peer and back; 0 when that is not known."""
        ...

    def unacknowledged(self) -> int:
        """Bytes that the network has taken and the peer's machine has not; 0 when that is not known."""
        ...

    def fileno(self) -> int:
        """The file descriptor that becomes readable when bytes have come; -1: there is none."""
        ...

    def unread(self) -> int:
        """Bytes that have come and wait to be received, encrypted; 0 when that is not known."""
        ...

    def readable(self) -> Awaitable[object]:
        """Wait until bytes may be received. Raises :class:`Gone`."""
        ...

    def writable(self) -> Awaitable[object]:
        """Wait until something may be sent. Raises :class:`Gone`."""
        ...

    def first_byte(self) -> bytes | None:
        """The byte that will be received next, which stays where it is; ``b""`` and None as below. Raises
        :class:`Gone`."""
        ...

    def receive_now(self, most: int, /) -> bytes | None:
        """Receive at most that many bytes, as :class:`ugs.daemon.network.transport.Transport` does."""
        ...

    def send_now(self, data: bytes, /) -> int:
        """Send without waiting; returns how many bytes were taken. Raises :class:`Gone`."""
        ...

    def end_reading(self) -> None:
        """From now on it is readable, since its end has come. Raises nothing."""
        ...

    async def send_eof(self) -> None:
        """Signal that nothing more will come. Raises nothing."""
        ...

    async def aclose(self) -> None:
        """Let go, at once. Raises nothing but cancellation."""
        ...


class TlsTransport:
    """A :class:`ugs.daemon.network.transport.Transport` over ``wire``. Before anything else, :meth:`shake_hands` until
    it is done."""

    def __init__(self, wire: TlsWire, context: ssl.SSLContext) -> None:
        self.address = wire.address
        self._wire = wire
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._incoming, self._outgoing, server_side=True)
        self._early = b""
        """What has come together with the end of the handshake."""
        self._end: str | None = None
        """Why nothing more comes, when that is known; empty: the peer ended the stream."""
        self._sent_end = False
        self._unsent = b""
        """Encrypted, and not taken by the network."""
        self._ahead = 0
        """How many bytes of what is sent next are in ``_unsent`` already."""
        self._sent = 0
        """How many bytes of it have left meanwhile."""

    # The handshake.

    def shake_hands(self) -> bool:
        """Take a step with what has come; whether that was the last one. Raises Gone, and then the peer has been sent
        TLS's alert."""
        data = self._wire.receive_now(READ_AT_ONCE)
        if data is None:
            return False
        if not data:
            raise Gone("closed in the middle of it")
        self._incoming.write(data)
        try:
            self._tls.do_handshake()
        except ssl.SSLWantReadError:
            self._answer()
            return False
        except ssl.SSLError as error:
            self._answer()
            raise Gone(in_words(error)) from error
        self._answer()
        self._early = self._decrypted() or b""
        return True

    async def send_owed(self) -> None:
        """Wait until the network has taken TLS's own bytes. Raises Gone."""
        while self._unsent:
            await self._wire.writable()
            self._sent += self._push()

    @property
    def owes(self) -> bool:
        """Whether the network has not taken all that was encrypted."""
        return bool(self._unsent)

    # A transport.

    @property
    def taken(self) -> int:
        """How many bytes have been taken from the network, ever; counted as :meth:`unread` counts."""
        return self._wire.taken - len(self._early)

    def round_trip_us(self) -> int:
        """Microseconds that the network takes to the peer and back; 0 when that is not known."""
        return self._wire.round_trip_us()

    def unacknowledged(self) -> int:
        """How many bytes the network has taken and the peer's machine has not; 0 when that is not known."""
        return self._wire.unacknowledged()

    def fileno(self) -> int:
        """The file descriptor that becomes readable when bytes have come; -1 when there is none to be watched, and
        :meth:`readable` has to be awaited."""
        return self._wire.fileno()

    def unread(self) -> int:
        """How many bytes have come and wait for :meth:`receive_now`; 0 when that is not known."""
        return len(self._early) + self._wire.unread()

    def readable(self) -> Awaitable[object]:
        """Wait until :meth:`receive_now` has something to return."""
        if self._early:
            return trio.lowlevel.checkpoint()  # noqa: ASYNC105  (awaited by the caller)
        return self._wire.readable()

    def receive_now(self) -> bytes | None:
        """Return bytes that have come, decrypted. After :meth:`send_eof` they are still encrypted: the caller throws
        them away. Raises :class:`Gone`."""
        if self._early:
            data, self._early = self._early, b""
            return data
        encrypted = self._wire.receive_now(READ_AT_ONCE)
        if self._end is not None:
            if self._end:
                raise Gone(self._end)
            return b""
        if not encrypted or self._sent_end:
            return encrypted
        self._incoming.write(encrypted)
        come = self._decrypted()
        # A full read means that more is there; a large document in one piece takes half the processor time.
        return come if len(encrypted) < READ_AT_ONCE or not come else self._with_more(come)

    def send_now(self, data: bytes) -> int:
        """Send without waiting; returns how many bytes were taken, which may be none."""
        sent, self._sent = self._sent, 0
        if self._unsent:
            sent += self._push()
        # Nothing is encrypted while earlier records wait: they can neither be taken back nor overtaken.
        while sent < len(data) and not self._unsent:
            piece = data[sent : sent + CHUNK] if sent or len(data) > CHUNK else data
            self._encrypt(piece)
            self._unsent, self._ahead = self._outgoing.read(), len(piece)
            sent += self._push()
        return sent

    async def send(self, data: bytes) -> int:
        """Wait until at least one byte could be sent; returns how many were."""
        while True:
            await self._wire.writable()
            sent = self.send_now(data)
            if sent:
                return sent

    async def send_eof(self) -> None:
        """Signal that nothing more will come. TLS sends its own end first, so that the peer knows that it was not cut
        off."""
        if not self._sent_end:
            self._sent_end = True
            with suppress(ssl.SSLError, ValueError):  # it waits for the peer to do the same
                self._tls.unwrap()
            self._unsent += self._outgoing.read()
            try:
                self._push()
                with trio.move_on_after(LINGER_S):
                    await self.send_owed()
            except Gone:
                return
        await self._wire.send_eof()

    async def aclose(self) -> None:
        """Let go, at once."""
        await self._wire.aclose()

    # Bytes in and out of TLS.

    def _decrypted(self) -> bytes | None:
        """What the records that are whole hold, as :meth:`receive_now` gives it. An end that was behind it comes next
        time."""
        read, incoming = self._tls.read, self._incoming
        parts: list[bytes] = []
        end: str | None = None
        try:
            while True:
                part = read(RECORD)
                if not part:
                    end = ""
                    break
                parts.append(part)
                if not incoming.pending:
                    break
        except ssl.SSLWantReadError:
            pass
        except ssl.SSLZeroReturnError:
            end = ""
        except ssl.SSLError as error:
            end = f"TLS: {in_words(error)}"
        if self._outgoing.pending:
            self._answer()
        if end is not None:
            self._end = end
            if parts:
                # The end came behind data: the socket has to report once more, so that it is noticed.
                self._wire.end_reading()
            elif end:
                raise Gone(end)
            else:
                return b""
        if len(parts) == 1:
            return parts[0]
        return b"".join(parts) if parts else None

    def _with_more(self, data: bytes) -> bytes:
        """What has come, with what is behind it, as much as is read without TLS: a large document is cheaper in one
        piece. Not from a peer that makes little of many bytes."""
        parts, size = [data], len(data)
        while 2 * len(parts[-1]) >= READ_AT_ONCE and size < CHUNK and self._end is None:
            try:
                encrypted = self._wire.receive_now(READ_AT_ONCE)
                if not encrypted:
                    break  # its end, if it is one, comes again
                self._incoming.write(encrypted)
                part = self._decrypted()
            except Gone as gone:
                self._end = str(gone)
                self._wire.end_reading()
                break
            if part is None:
                break
            if not part:
                self._wire.end_reading()
                break
            parts.append(part)
            size += len(part)
        return b"".join(parts)

    def _encrypt(self, data: bytes) -> None:
        try:
            if len(data) <= RECORD:
                self._tls.write(data)
                return
            view = memoryview(data)
            while view:
                view = view[self._tls.write(view) :]
        except ssl.SSLError as error:
            raise Gone(f"TLS: {in_words(error)}") from error

    def _answer(self) -> None:
        """Send TLS's own bytes. Raises Gone for a peer that does not read."""
        self._unsent += self._outgoing.read()
        if self._unsent:
            self._sent += self._push()
        # TLS 1.3 answers each request for new keys: a peer could go on asking, and never read.
        if len(self._unsent) > self._ahead + MAX_OWED:
            raise Gone("does not read what TLS answers to it")

    def _push(self) -> int:
        """Send what is encrypted; how many bytes of what is sent next are done with by it. The last one of them counts
        only when all has been taken. Raises Gone."""
        sent = self._wire.send_now(self._unsent)
        if sent == len(self._unsent):
            done, self._ahead, self._unsent = self._ahead, 0, b""
            return done
        self._unsent = self._unsent[sent:]
        done = max(0, min(sent, self._ahead - 1))
        self._ahead -= done
        return done
