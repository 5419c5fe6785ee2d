"""The document that is being handled: a message that is handed on goes out as the very bytes that came in."""

from ugs.wire.messages import Message


class InHand:
    """What the peer whose turn it is has just sent, while its consequences are carried out.

    A move or a state that was read while it was cut (:mod:`ugs.wire.fast_path`) is written as the codec would write it.
    To write it once more would cost half as much as all that the broker decides about it.
    """

    __slots__ = ("message", "raw")

    def __init__(self) -> None:
        self.message: Message | None = None
        """The message, if its document may be sent in its place."""
        self.raw = b""
        """That document, with a declaration if it came with one: then it is the one that the server writes."""
