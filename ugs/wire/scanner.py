"""Finds the last byte of a document in a stream, in whatever pieces the stream arrives, in linear time.

A :class:`Scanner` reads one document. It refuses at once what cannot become a message (another root element, a DOCTYPE,
a wrong declaration, a NUL byte) and names up to two places where the document may end:

1. after the first ``</message`` ... ``>``. That is the end of nearly every document, and the bytes before it need not
   be read one by one. It is wrong when it stands in a comment, in CDATA or in a nested element.
2. after the end tag that closes the root, found by reading comments, CDATA, processing instructions and nested
   ``message`` elements in order.

The scanner does not know whether the document is well-formed: the caller lets an XML parser judge the first place, and
asks for the second one only if the parser says that the document is not over there. The result depends on the bytes
alone, never on how they were cut into pieces.
"""

import re
from collections.abc import Callable
from typing import Final, TypeAlias

from ugs.wire.errors import WireError

Buffer: TypeAlias = bytes | bytearray

# One step of a scanner: reads the buffer up to an offset; returns where the document may end, or one of these two.
_Step: TypeAlias = Callable[[Buffer, int], int | None]
_GO_ON: Final = 0  # the next step can be taken at once
_MORE: Final = None  # more bytes are needed

SPACE: Final = b" \t\r\n"

_ROOT: Final = b"<message"
_ROOT_END: Final = b"</message"
_AFTER_NAME: Final = SPACE + b"/>"
_NOT_SPACE: Final = re.compile(rb"[^ \t\r\n]")
_DECLARATION_START: Final = re.compile(rb"<\?xml[ \t\r\n]")

# XML 1.0, productions 23 to 32 and 80. The version must be 1.0; the encoding is checked below.
_DECLARATION: Final = re.compile(
    rb"""<\?xml
    [ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*(?:"1\.0"|'1\.0')
    (?:[ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*(?:"([A-Za-z][\w.-]*)"|'([A-Za-z][\w.-]*)'))?
    (?:[ \t\r\n]+standalone[ \t\r\n]*=[ \t\r\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?
    [ \t\r\n]*\?>""",
    re.VERBOSE | re.ASCII,
)
_ENCODINGS: Final = frozenset({b"utf-8", b"us-ascii"})

# Everything in content that can hide or move the end of the root. The longest token needs a look at ten bytes.
_TURNING_POINT: Final = re.compile(rb"<(?:!--|!\[CDATA\[|\?|/?message(?=[ \t\r\n/>]))")
_LOOK_BEHIND: Final = 9
_CLOSERS: Final = {b"<!--": b"-->", b"<![CDATA[": b"]]>", b"<?": b"?>"}
_QUOTE_OR_END: Final = re.compile(rb"[\"'>]")


class Scanner:
    """Looks for the end of one document, as the module's docstring says.

    ``position`` is where the next step begins to read. When more bytes are needed, it is at most nine bytes before the
    last byte seen, so that a call reads little more than the new bytes. All offsets count from the beginning of the
    document, which must be the beginning of every buffer.
    """

    def __init__(self) -> None:
        self.position = 0
        self._without_nul = 1  # the first byte is checked by the first step
        self._step: _Step = self._declaration
        self._depth = 0
        self._quote = b""
        self._root_tag_end = 0

    def next_end(self, buffer: Buffer, stop: int) -> int | None:
        """Return the next place where the document may end, as an offset, or None when more bytes are needed.

        ``buffer`` holds at least the first byte of the document and only grows between calls; bytes from ``stop`` on
        are not read. There are one or two places: a document that is not over at the second is ill-formed, and the
        parser has said so. Raises WireError when the bytes cannot become a message.
        """
        nul = buffer.find(b"\0", self._without_nul, stop)
        if nul >= 0:
            stop = nul  # what stands before it is read first, as if the rest had not come yet
        while (end := self._step(buffer, stop)) == _GO_ON:
            pass
        if end is None and nul >= 0:
            raise WireError("not well-formed XML: a NUL byte", nul)
        self._without_nul = max(stop, self._without_nul)
        return end

    # A step returns _MORE or sets the next step.

    def _nothing_left(self, _buffer: Buffer, _stop: int) -> int | None:
        return _MORE

    def _declaration(self, buffer: Buffer, stop: int) -> int | None:
        if buffer[0] != ord("<"):
            raise WireError(f"a document begins with '<' and not with byte 0x{buffer[0]:02X}", 0)
        head = bytes(buffer[: min(stop, 6)])
        if not _DECLARATION_START.match(head):
            if len(head) < 6 and b"<?xml ".startswith(head):
                return _MORE
            self._step = self._prolog
            return _GO_ON
        close = buffer.find(b"?>", self.position, stop)
        if close < 0:
            self.position = max(stop - 1, 0)
            return _MORE
        match = _DECLARATION.fullmatch(buffer, 0, close + 2)
        if match is None:
            raise WireError("the XML declaration is malformed or has a version other than 1.0", 0)
        encoding = match[1] or match[2]
        if encoding is not None and encoding.lower() not in _ENCODINGS:
            raise WireError("the XML declaration names an encoding other than UTF-8", 0)
        self.position = close + 2
        self._step = self._prolog
        return _GO_ON

    def _prolog(self, buffer: Buffer, stop: int) -> int | None:
        """Read white space, comments and processing instructions before the root."""
        found = _NOT_SPACE.search(buffer, self.position, stop)
        if found is None:
            self.position = stop
            return _MORE
        self.position = start = found.start()
        head = bytes(buffer[start : min(stop, start + len(_ROOT) + 1)])
        if head.startswith(b"<?"):
            return self._skip(b"<?", start, self._prolog)
        if head.startswith(b"<!--"):
            return self._skip(b"<!--", start, self._prolog)
        if b"<!--".startswith(head) or _ROOT.startswith(head):
            return _MORE
        if head.startswith(b"<!D"):
            raise WireError("a document type declaration is not allowed", start)
        if not head.startswith(_ROOT) or head[-1] not in _AFTER_NAME:
            raise WireError("the root element is not <message>", start)
        self.position = start + len(_ROOT)
        self._step = self._root_tag
        return _GO_ON

    def _root_tag(self, buffer: Buffer, stop: int) -> int | None:
        end = self._tag_end(buffer, stop)
        if end is None:
            return _MORE
        self.position = self._root_tag_end = end
        if buffer[end - 2] == ord("/"):
            self._step = self._nothing_left
            return end
        self._step = self._first_end_tag
        return _GO_ON

    def _first_end_tag(self, buffer: Buffer, stop: int) -> int | None:
        start = buffer.find(_ROOT_END, self.position, stop)
        if start < 0:
            self.position = max(self.position, stop - len(_ROOT_END) + 1)
            return _MORE
        self.position = start
        self._step = self._first_end_tag_closes
        return _GO_ON

    def _first_end_tag_closes(self, buffer: Buffer, stop: int) -> int | None:
        close = buffer.find(b">", self.position, stop)
        if close < 0:
            self.position = stop
            return _MORE
        self.position = self._root_tag_end
        self._depth = 1
        self._step = self._content
        return close + 1

    def _content(self, buffer: Buffer, stop: int) -> int | None:
        found = _TURNING_POINT.search(buffer, self.position, stop)
        if found is None:
            self.position = max(self.position, stop - _LOOK_BEHIND)
            return _MORE
        token = found[0]
        if token in _CLOSERS:
            return self._skip(token, found.start(), self._content)
        self.position = found.end()
        self._step = self._end_tag if token == _ROOT_END else self._nested_tag
        return _GO_ON

    def _nested_tag(self, buffer: Buffer, stop: int) -> int | None:
        end = self._tag_end(buffer, stop)
        if end is None:
            return _MORE
        self.position = end
        self._depth += buffer[end - 2] != ord("/")
        self._step = self._content
        return _GO_ON

    def _end_tag(self, buffer: Buffer, stop: int) -> int | None:
        close = buffer.find(b">", self.position, stop)
        if close < 0:
            self.position = stop
            return _MORE
        self.position = close + 1
        self._depth -= 1
        if self._depth:
            self._step = self._content
            return _GO_ON
        self._step = self._nothing_left
        return self.position

    def _skip(self, opener: bytes, start: int, afterwards: _Step) -> int:
        """Let the next step look for the end of the token ``opener`` at ``start``."""
        closer = _CLOSERS[opener]
        self.position = start + len(opener)

        def skip(buffer: Buffer, stop: int) -> int | None:
            close = buffer.find(closer, self.position, stop)
            if close < 0:
                self.position = max(self.position, stop - len(closer) + 1)
                return _MORE
            self.position = close + len(closer)
            self._step = afterwards
            return _GO_ON

        self._step = skip
        return _GO_ON

    def _tag_end(self, buffer: Buffer, stop: int) -> int | None:
        """Return the offset after the ``>`` of a start tag. A ``>`` in quotes is part of an attribute."""
        while True:
            if self._quote:
                close = buffer.find(self._quote, self.position, stop)
                if close < 0:
                    break
                self._quote = b""
                self.position = close + 1
            found = _QUOTE_OR_END.search(buffer, self.position, stop)
            if found is None:
                break
            if found[0] == b">":
                return found.end()
            self._quote = found[0]
            self.position = found.end()
        self.position = stop
        return None
