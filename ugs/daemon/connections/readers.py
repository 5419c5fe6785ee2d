"""The peers that may send something, and which of their bytes have not been handled yet."""

import os
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

import trio

from ugs.daemon.connections.connection import Connection
from ugs.daemon.fairness.fair_queue import PeerStanding
from ugs.daemon.fairness.service_turns import Speaker


class Serves(Protocol):
    """What gives a peer its turn: :class:`ugs.daemon.connections.reading.Reading`."""

    @property
    def standing_of(self) -> Callable[[Connection], PeerStanding]:
        """What a connection is to the others."""
        ...

    def serve(self, reader: "PeerReader", begun: float, /) -> float:
        """Serve one peer; returns the moment when its turn ended."""
        ...

    def after_turn(self, reader: "PeerReader", /) -> bool:
        """Whether a peer that has had its turn wants another one at once."""
        ...


class PeerReader(Speaker):
    """One peer, as long as it may send something."""

    __slots__ = ("_server", "before", "connection", "ended", "file", "gone", "muted", "relief", "watched")

    def __init__(self, connection: Connection, server: Serves) -> None:
        super().__init__()
        self.connection = connection
        self.ended = trio.Event()
        """Set when nothing more comes."""
        self.file = -1
        """The file descriptor of its socket while it is not in the epoll set and has to come back."""
        self.gone: str | None = None
        """Why, unless the peer has just closed its side. Not the error: its traceback would keep the connection, with
        all that it holds, until the collector of cycles comes."""
        self.before = 0
        """How many bytes the network had given before what was read last."""
        self.watched = False
        """Whether its socket is in the epoll set."""
        self.muted = False
        """Whether the epoll set does not report it for now."""
        self.relief: trio.Event | None = None
        """Set when the receivers of its messages have read enough; None while it may send."""
        self._server = server

    def standing(self) -> PeerStanding:
        """Its standing among the others."""
        return self._server.standing_of(self.connection)

    def turn(self, begun: float) -> float:
        """Take a turn that begins at ``begun`` (``perf_counter``); returns the moment when it ended."""
        return self._server.serve(self, begun)

    def wants_more(self) -> bool:
        """Whether it wants another turn right after the one it has had."""
        connection = self.connection
        if connection.leftover or connection.pause_s or self.muted or self.relief is not None:
            return self._server.after_turn(self)
        return False  # the usual case

    def received(self) -> int:
        """How many bytes of it have come and were not handled."""
        if self.ended.is_set():
            return 0
        return self.connection.framer.pending + self.connection.transport.unread()


class Bell(Speaker):
    """Wakes the task that reads, when a guest asks for a turn while no socket is ready."""

    __slots__ = ("file",)

    def __init__(self) -> None:
        super().__init__()
        self.file = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)

    def __del__(self) -> None:
        """Close it: only now no one can ring it any more, and its number may be given to another file."""
        os.close(self.file)

    def ring(self) -> None:
        """Wake it."""
        os.eventfd_write(self.file, 1)

    def standing(self) -> PeerStanding:
        """Its standing among the others."""
        return PeerStanding(None, plays=True)

    def turn(self, begun: float) -> float:
        """Take the ring back; it takes no time."""
        with suppress(BlockingIOError):
            os.eventfd_read(self.file)
        return begun

    def wants_more(self) -> bool:
        """Whether it wants another turn right after the one it has had."""
        return False


class Readers:
    """All of them, by the number of their connection."""

    def __init__(self) -> None:
        self._readers: dict[int, PeerReader] = {}

    def add(self, reader: PeerReader) -> None:
        """From now on this peer may send something."""
        self._readers[reader.connection.number] = reader

    def remove(self, reader: PeerReader) -> None:
        """Nothing more comes from it."""
        del self._readers[reader.connection.number]

    def has(self, reader: PeerReader) -> bool:
        """Whether it is there still."""
        return self._readers.get(reader.connection.number) is reader

    def unheard(self, number: int) -> int:
        """How many bytes this connection has ever sent, counting all that is here by now; 0 when all of it has been
        handled. Its peer does not count as silent before that many have been :meth:`handled`."""
        reader = self._readers.get(number)
        if reader is None or reader.ended.is_set() or reader.connection.closing:
            return 0
        transport = reader.connection.transport
        unread = transport.unread()
        return transport.taken + unread if unread or reader.connection.leftover else 0

    def handled(self, number: int, size: int) -> bool:
        """Whether the first ``size`` bytes of this connection have been handled, or never will be."""
        reader = self._readers.get(number)
        if reader is None or reader.ended.is_set() or reader.connection.closing:
            # A line that is closed cannot send what would save it: the timer need not wait.
            return True
        # Nothing more is read before all of it has been handled.
        return (reader.before if reader.connection.leftover else reader.connection.transport.taken) >= size
