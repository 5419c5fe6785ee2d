"""What was sent to a peer and the network has not taken.

A large document is never copied: all peers that it is sent to hold the same bytes, and how much of them the network has
taken.
"""

from itertools import islice

from ugs.daemon.network.transport import CHUNK

MIN_SHARED_BYTES = 16_384
"""From this size on it is counted who else waits for the same document, which then takes memory once."""


class Unsent:
    """How much waits for all peers together, and how much there was."""

    __slots__ = ("_holders", "bytes", "crowded", "sent_bytes", "sent_messages", "spared")

    def __init__(self) -> None:
        self.bytes = 0
        """The memory of what the network has not taken whole of what was flushed. What several peers wait for counts
        once."""
        self._holders: dict[int, int] = {}
        """How many outboxes hold a large document, by its id."""
        self.crowded = 0
        """How many outboxes hold more than CROWDED_BYTES."""
        self.spared = 0
        """How many messages peers were spared since they were far behind."""
        self.sent_bytes = self.sent_messages = 0
        """What was ever flushed, taken or not."""

    def hold(self, part: bytes) -> None:
        """One more outbox keeps this."""
        if len(part) >= MIN_SHARED_BYTES:
            # By identity: equal bytes of two documents take memory twice. While held, the id cannot be reused.
            holders = self._holders.get(id(part), 0)
            self._holders[id(part)] = holders + 1
            if holders:
                return
        self.bytes += len(part)

    def release(self, part: bytes) -> None:
        """An outbox does not keep this any more."""
        if len(part) >= MIN_SHARED_BYTES:
            holders = self._holders.pop(id(part)) - 1
            if holders:
                self._holders[id(part)] = holders
                return
        self.bytes -= len(part)

    def share(self, part: bytes) -> int:
        """How much of the memory of this, which is held, each outbox answers for."""
        return len(part) // self._holders.get(id(part), 1)


class Backlog:
    """That of one peer, whose first part the network has ``begun`` to take. ``unsent`` counts its memory, too."""

    __slots__ = ("_begun", "_parts", "_unsent", "bytes", "given_up")

    def __init__(self, unsent: Unsent, begun: int) -> None:
        self.bytes = -begun
        """How many the network has not taken."""
        self.given_up = False
        """Whether it is not sent any more."""
        self._unsent = unsent
        self._parts: list[bytes] = []  # a list takes a tenth of what a deque does, and few parts wait
        self._begun = begun
        """How many bytes of the first part the network has taken."""

    def add(self, part: bytes) -> None:
        """Let this wait, too."""
        self._parts.append(part)
        self.bytes += len(part)
        self._unsent.hold(part)

    def share(self) -> int:
        """The memory that it answers for. What others wait for, too, is divided among all of them."""
        share = self._unsent.share
        return sum([share(part) for part in self._parts])

    def next_chunk(self) -> bytes:
        """What is sent next: at most CHUNK bytes, which stay here until they are taken."""
        parts, begun = self._parts, self._begun
        if len(parts) == 1 or len(parts[0]) - begun >= CHUNK:
            return parts[0] if not begun and len(parts[0]) <= CHUNK else parts[0][begun : begun + CHUNK]
        chunk, size = [parts[0][begun:]], len(parts[0]) - begun
        for part in islice(parts, 1, None):
            chunk.append(part[: CHUNK - size])
            size += len(chunk[-1])
            if size == CHUNK:
                break
        return b"".join(chunk)

    def take(self, size: int) -> None:
        """The network has taken this many bytes."""
        self.bytes -= size
        size += self._begun
        done = 0
        while done < len(self._parts) and size >= len(self._parts[done]):
            size -= len(self._parts[done])
            self._unsent.release(self._parts[done])
            done += 1
        del self._parts[:done]
        self._begun = size

    def give_up(self) -> None:
        """Throw it away."""
        for part in self._parts:
            self._unsent.release(part)
        self._parts.clear()
        self._begun = self.bytes = 0
        self.given_up = True
