"""Bytes of a stream to whole documents, or one WireError.

A stream is XML documents with only white space between them. Most documents arrive whole and look alike; those are cut
with one regular expression, one search and one run of expat over exactly their bytes.
:class:`~ugs.wire.scanner.Scanner` cuts all others. Both ways decide by the same bytes, so a stream gives the same
documents and the same error, no matter what pieces it arrives in.
"""

import re
import sys
from collections.abc import Iterator
from typing import Final

from ugs.value import Light
from ugs.wire.document_limits import Limits
from ugs.wire.errors import WireError, around
from ugs.wire.fast_path import USUAL, is_payload, read_usual
from ugs.wire.fragment_cache import MAX_PAYLOAD, MIN_BYTES, Familiar
from ugs.wire.messages import GameState, Move
from ugs.wire.scanner import Scanner
from ugs.wire.wellformed import check_document, is_plain_document

__all__ = ["Document", "Framer", "Limits", "WireError"]

_NOT_SPACE: Final = re.compile(rb"[^ \t\r\n]")
_DECLARED: Final = (b"<?xml ", b"<?xml\t", b"<?xml\r", b"<?xml\n")

FULL_READ: Final = 65_536
"""Bytes of one read. After a full read the last document is usually cut in two, but not because its sender is slow: it
is looked at only once, when the next bytes are there."""
_MAX_AT_FIRST_SIGHT: Final = 128 * 1024
"""Larger documents go to the scanner at once: a failed first attempt would cost most of the total."""

_CLOSE: Final = b"</message>"
_BARE: Final = b'<message type="'
_DECLARATION: Final = b'<?xml version="1.0" encoding="UTF-8"?>'
_USUAL_BEGINNINGS: Final = (_DECLARATION + _BARE, _BARE)

# A document as it is usually written: an optional declaration, then a root element with content and one attribute. The
# scanner cuts all others. It would find the same root and the same end.
_USUAL_OPENING: Final = re.compile(
    rb"""[ \t\r\n]*
    ((?:<\?xml\ version="1\.0"\ encoding="UTF-8"\ ?\?>[ \t\r\n]*)?
    <message[ \t\r\n]+type=(?:"[^"<]*"|'[^'<]*')[ \t\r\n]*>)""",
    re.VERBOSE,
)


class Document(Light, frozen=True):
    """One whole, well-formed document within the limits. Its root is ``message``."""

    raw: bytes
    """The bytes as they arrived, from the first ``<`` to the last byte of the root element."""
    message: Move | GameState | None = None
    """The message, if it was decoded while the document was cut. None: :mod:`ugs.wire.codec` has to read it."""

    @property
    def declared(self) -> bool:
        """Whether the document begins with an XML declaration."""
        return self.raw.startswith(_DECLARED)


class Framer:
    """Cuts the stream of one connection into documents, and holds the beginning of an unfinished one."""

    limits: Limits
    """The limits of the next document. They may be replaced at any time between documents, also inside a loop over
    :meth:`feed`: a peer that has logged in may be granted more."""

    def __init__(
        self,
        limits: Limits = Limits(),  # noqa: B008  (frozen)
        familiar: Familiar | None = None,
        max_step: int = sys.maxsize,
    ) -> None:
        """With ``familiar``, which framers share, documents that resemble earlier ones cost less. An iterator reads at
        most ``max_step`` bytes of a document that cannot be cut at once, then ends with ``paused`` set."""
        self.limits = limits
        self._max_step = max_step
        self._familiar = familiar
        self._payloads = familiar.payloads if familiar is not None else {}
        self._buffer: bytes | bytearray = b""
        self._position = 0  # of the first byte that belongs to no document yet
        self._scanner: Scanner | None = None  # only while a document is pending that could not be cut at once
        self._full_read = False  # whether the latest bytes were a full read: more are there
        # Reason, offset, excerpt and what is around. The error itself would keep alive everything its traceback can
        # reach, such as a parser, which holds many times the bytes of the document.
        self._refusal: tuple[str, int, str, str] | None = None

    @property
    def pending(self) -> int:
        """How many bytes of an unfinished document are held."""
        return len(self._buffer) - self._position

    @property
    def paused(self) -> bool:
        """Whether the latest iterator left available bytes unread: ``feed(b"")`` goes on."""
        return self._scanner is not None and self._scanner.paused

    def feed(self, data: bytes) -> Iterator[Document]:
        """Take the next bytes of the stream, any number. Return an iterator over the documents that are now whole.

        The call itself takes the bytes. The iterator cuts each document on demand; the next iterator goes on where an
        abandoned one stopped. At the first mistake in the stream, the iterator raises WireError, after all documents
        before it. From then on the framer holds and takes no bytes, and every iterator raises the same error again.
        None of these errors keeps bytes of the stream alive, however long it is held.
        """
        if self._position == len(self._buffer) and self._refusal is None:
            # Nothing is pending, which is usual: the bytes are taken as they are, without a copy.
            self._buffer, self._position, self._full_read = data, 0, len(data) >= FULL_READ
        elif self._refusal is None:
            self._take(data)
        return self._documents()

    def take_rest(self) -> bytes:
        """Give away the bytes that belong to no document yet. The iterator of :meth:`feed` must not be used
        after that."""
        rest = bytes(self._buffer[self._position :])
        self._buffer, self._position, self._scanner = b"", 0, None
        return rest

    def _take(self, data: bytes) -> None:
        """Add bytes to pending ones."""
        self._full_read = len(data) >= FULL_READ
        if self._scanner is None and data:
            self._buffer = b"".join((self._buffer[self._position :], data))
            self._position = 0
        elif data:
            self._hold()
            self._buffer += data

    def _hold(self) -> bytearray:
        """Turn the buffer into a bytearray that begins with the pending document. That costs no more than the
        document's bytes, since a bytearray drops its beginning without moving the rest."""
        if isinstance(self._buffer, bytearray):
            del self._buffer[: self._position]
        else:
            self._buffer = bytearray(self._buffer[self._position :])
        self._position = 0
        return self._buffer

    def _documents(self) -> Iterator[Document]:
        while self._position != len(self._buffer):
            try:
                document = self._cut_usual() if self._scanner is None else self._cut_scanned(self._scanner)
            except WireError as refusal:
                near = "" if refusal.excerpt else around(self._buffer, self._position + refusal.offset)
                self._refusal = refusal.reason, refusal.offset, refusal.excerpt, near
                self._buffer, self._position, self._scanner, document = b"", 0, None, None
                break  # so that the error raised below knows neither this one nor the document
            if document is None:
                return
            if self._position == len(self._buffer):  # a peer that falls silent must not keep these bytes in memory
                self._buffer, self._position = b"", 0
            yield document
        if self._refusal is not None:
            raise WireError(*self._refusal)

    def _cut_usual(self) -> Document | None:
        """Cut a document whose bytes are all unread, at once if possible."""
        buffer, start = self._buffer, self._position
        usual = USUAL.match(buffer, start)
        if usual is not None:
            opened = usual.end()
        else:
            start, opened = self._opening(start)
        if opened:
            close = buffer.find(_CLOSE, opened)
            end = close + len(_CLOSE)
            size = end - start
            if close < 0 and self._full_read and len(buffer) - start < FULL_READ:
                return None  # the rest comes at once
            if close > 0 and size <= _MAX_AT_FIRST_SIGHT and size <= self.limits.max_message_bytes:
                raw = bytes(buffer[start:end])
                if usual is not None:
                    document = self._read(raw, usual, raw[opened - start : -len(_CLOSE)])
                else:
                    document = Document(raw) if self._is_plain(raw) else None
                if document is not None:
                    self._position = end
                    return document
        first = _NOT_SPACE.search(buffer, self._position)
        if first is None:
            self._position = len(buffer)
            return None
        self._position = first.start()
        self._hold()
        self._scanner = Scanner(self.limits)
        return self._cut_scanned(self._scanner)

    def _opening(self, start: int) -> tuple[int, int]:
        """Return where the document at ``start`` begins and where its content does, the latter 0 unless it has the
        usual form."""
        buffer = self._buffer
        for beginning in _USUAL_BEGINNINGS:
            if buffer.startswith(beginning, start):
                quote = buffer.find(b'"', start + len(beginning))
                return start, quote + 2 if buffer.startswith(b'">', quote) else 0
        opening = _USUAL_OPENING.match(buffer, start)
        return opening.span(1) if opening is not None else (start, 0)

    def _read(self, raw: bytes, beginning: re.Match[bytes], content: bytes) -> Document | None:
        """Return the document ``raw``, with ``beginning`` (a match of USUAL) and this content; None if only the scanner
        can decide whether it is a document."""
        # The length first: the hash of a long content costs much.
        if len(content) > MAX_PAYLOAD or self._payloads.get(content) is not self.limits:
            if not self._is_plain(raw):
                return None
            if not is_payload(content):
                return Document(raw)
            if self._familiar is not None:
                self._familiar.keep(content, self.limits)
        return Document(raw, read_usual(beginning, content))

    def _is_plain(self, raw: bytes) -> bool:
        if raw.startswith(_DECLARATION):  # compared byte by byte, so it need not be parsed
            raw = raw[len(_DECLARATION) :]
        familiar = self._familiar
        if familiar is None or len(raw) < MIN_BYTES:
            return is_plain_document(raw, self.limits)
        if familiar.proves(raw, self.limits, id(self)):
            return True
        plain = is_plain_document(raw, self.limits)
        if plain:
            familiar.learn(raw)
        return plain

    def _cut_scanned(self, scanner: Scanner) -> Document | None:
        """Cut the document at the beginning of the buffer where ``scanner`` finds its end, or return None to wait for
        more."""
        buffer = self._buffer
        try:
            end = scanner.next_end(buffer, self._max_step)
            if end is None:
                return None
            with memoryview(buffer) as view:
                raw = bytes(view[:end])  # copied once: it may be large
            check_document(raw)
        except WireError as wrong:
            raise wrong.of(scanner.type_before(buffer, wrong.offset)) from None
        self._position = end
        self._scanner = None
        return Document(raw)
