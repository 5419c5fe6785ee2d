"""The texts that wait to be sent to one WebSocket."""

from collections import deque

import trio


class TextOutbox:
    """A queue with one reader. ``max_bytes`` counts the text that is being sent, too."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._texts: deque[tuple[str, int]] = deque()
        """With their sizes in bytes."""
        self._bytes = 0
        self._being_sent = 0
        """Bytes of the text that the reader took last."""
        self._closed = False
        self._news = trio.Event()

    @property
    def waiting_bytes(self) -> int:
        """What has been put into it and was not sent."""
        return self._bytes

    def put(self, text: str) -> str | None:
        """One more text. Returns why the client has to be dropped, or None."""
        if not text.isascii():
            text = text.encode("utf-8", "replace").decode()  # half a surrogate pair cannot be sent
        # ASCII has as many bytes as characters; only other texts are encoded to be counted.
        size = len(text) if text.isascii() else len(text.encode())
        self._texts.append((text, size))
        self._bytes += size
        if self._bytes > self._max_bytes:
            return f"does not read: more than {self._max_bytes} bytes wait for it"
        self._news.set()
        return None

    def close(self) -> None:
        """No text will come after those that are there."""
        self._closed = True
        self._news.set()

    async def get(self) -> str | None:
        """The next text, as soon as there is one; None when the outbox is closed and empty. The text before it has been
        sent."""
        self._bytes -= self._being_sent
        self._being_sent = 0
        while not self._texts:
            if self._closed:
                return None
            self._news = trio.Event()
            await self._news.wait()
        text, self._being_sent = self._texts.popleft()
        return text
