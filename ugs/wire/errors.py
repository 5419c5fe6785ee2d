"""The two ways in which a peer's bytes can be wrong; both texts are fit to be sent back to that peer."""

from collections.abc import Mapping


class WireError(Exception):
    """Bytes that cannot be cut into documents; nothing behind them on that connection can be trusted.

    ``reason`` says what is wrong, in English; ``offset`` is where, in bytes from the beginning of the document.
    """

    def __init__(self, reason: str, offset: int) -> None:
        super().__init__(f"{reason} (at byte {offset} of the document)")
        self.reason = reason
        self.offset = offset


class WrongMessage(Exception):
    """A well-formed document that is no message of ours; the text names message type, field and value.

    ``kind`` is the type of the message and ``ref`` its reference, where that much could be read.
    """

    def __init__(self, reason: str, kind: str = "", ref: str = "") -> None:
        super().__init__(reason)
        self.kind = kind
        self.ref = ref

    def of(self, attributes: Mapping[str, str]) -> "WrongMessage":
        """Return the same error with type and reference from the attributes of a ``message`` element."""
        return WrongMessage(str(self), attributes.get("type", ""), attributes.get("ref", ""))


def shown(text: str, longest: int = 60) -> str:
    """Return ``text`` in quotes for an error message: one line, printable, at most ``longest`` characters of it."""
    return repr(text) if len(text) <= longest else f"{text[:longest]!r}..."
