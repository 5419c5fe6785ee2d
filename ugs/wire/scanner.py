"""Finds the last byte of a document in a stream that arrives in any pieces, in linear time.

A :class:`Scanner` reads one document from left to right. It refuses at the first byte that shows a mistake: another
root element, a DOCTYPE, a wrong declaration, a NUL byte, an exceeded limit, and a ``<`` where none is allowed. It finds
the end tag of the root by reading comments, CDATA, processing instructions and tags in order.

The scanner does not know whether the document is well-formed. An XML parser checks the whole document. It also checks
the bytes before a refusal for depth or width, since an earlier mistake is reported first. The result depends on the
bytes alone, never on how they were cut into pieces.
"""

import re
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final, NoReturn, TypeAlias

from ugs.wire.document_limits import MAX_NAMESPACE_BYTES, MAX_SPACES_IN_TAG, Limits, surely_short_spaces
from ugs.wire.errors import EXCERPT_CHARACTERS, WireError, excerpt
from ugs.wire.lexer import (
    ENDS,
    MAX_BLOCK,
    MESSAGE_END,
    MESSAGE_START,
    MIN_BLOCK,
    QUOTED,
    SLASH,
    STARTS,
    TOKEN,
    UNFINISHED,
    Buffer,
    plain_block,
)
from ugs.wire.readable_bytes import Horizon
from ugs.wire.wellformed import mistake_in

# One step of a scanner: reads the buffer up to an offset; returns where the document ends, _GO_ON or _MORE.
_Step: TypeAlias = Callable[["Scanner", Buffer, int], int | None]
_GO_ON: Final = 0  # the next step can be taken at once
_MORE: Final = None  # more bytes are needed

SPACE: Final = b" \t\r\n"

_ROOT: Final = b"<message"
_AFTER_NAME: Final = SPACE + b"/>"
_SPACES: Final = (b" ", b"\t", b"\r", b"\n")
_GREATER: Final = ord(">")
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

_BEFORE_ROOT: Final = re.compile(rb"[ \t\r\n]+|<!--.*?-->|<\?.*?\?>", re.DOTALL)
_HYPHENS: Final = b"--"  # allowed only at the very end of a comment
_CLOSERS: Final = {b"<!--": _HYPHENS, b"<![CDATA[": b"]]>", b"<?": b"?>"}
_MAX_OPENER: Final = 9
_MIN_COMMENT: Final = 7
_MISPLACED: Final = "not well-formed XML: a '<' that begins nothing"
_TLS: Final = 0x16  # record type of a handshake (RFC 8446, 5.1)
_ANGLE: Final = re.compile(rb"[<>]")
_NEXT_IN_TAG: Final = {
    b"": re.compile(rb"[\"'<>]"),
    b'"': re.compile(rb'["<]'),
    b"'": re.compile(rb"['<]"),
}
"""What may come next in a tag, by the open quote."""
_NAME: Final = re.compile(rb"""[^ \t\r\n=<>/"']*""")
# Matched where the previous attribute ended, never searched for: a search begins again at each blank of white space.
# Nothing here is possessive: CPython 3.11.2 matches such repeats wrongly.
_ATTRIBUTE: Final = re.compile(rb"""[ \t\r\n]+([^ \t\r\n=<>/"']+)[ \t\r\n]*=[ \t\r\n]*("[^"<]*"|'[^'<]*')""")
_BETWEEN_PARTS: Final = re.compile(rb"[ \t\r\n]+")


class Scanner:
    """Looks for the end of one document (see the module's docstring).

    ``position`` is where the next step begins to read. When more bytes are needed, it is at most nine bytes before the
    last byte seen, so that a call reads little more than the new bytes. An unfinished token is read again once it is
    whole. All offsets count from the beginning of the document, which must be the beginning of every buffer. ``paused``
    is true when the latest call left available bytes unread.
    """

    def __init__(self, limits: Limits) -> None:
        self.position = 0
        self._limits = limits
        # A shorter tag can have neither too many attributes nor too long a name of a namespace.
        self._long_tag = min(2 * limits.max_attributes, MAX_NAMESPACE_BYTES)
        self._horizon = Horizon(limits)
        self._edge: tuple[int, str] | None = None  # what the horizon returned, once something is wrong there
        self.paused = False
        # A function: a method would hold the scanner, so that only the collector of cycles could free the two.
        self._step: _Step = Scanner._declaration
        self._root = -1
        self._depth = 0  # elements that are open
        self._messages = 0  # open elements called "message"
        # Of an unfinished token:
        self._token = 0  # where it begins
        self._quote = b""  # the quote that is open
        self._values = 0  # quoted values that are over

    def next_end(self, buffer: Buffer, max_step: int = sys.maxsize) -> int | None:
        """Return where the document ends, as an offset, or None when more bytes are needed, or when ``max_step`` bytes
        have been read and there are more (then ``paused`` is true).

        ``buffer`` holds at least the first byte of the document and only grows between calls. A document that does not
        end at the returned place is ill-formed. Raises WireError when the bytes cannot become a message within the
        limits.
        """
        stop, wrong = self._edge or self._horizon.of(buffer)
        if wrong:
            self._edge = stop, wrong
        self.paused = stop - self.position > max_step
        if self.paused:
            stop, wrong = self.position + max_step, ""
        while (end := self._step(self, buffer, stop)) == _GO_ON:
            pass
        if end is None and wrong:
            raise WireError(wrong, stop)
        return end

    def type_before(self, buffer: Buffer, offset: int) -> str:
        """Return the type of the message as written before ``offset``, printable and not too long; ``""`` if there is
        none."""
        if self._root < 0:
            return ""
        position = self._root + len(_ROOT)
        for name, text in _attributes(buffer, position, max(offset, position)):
            if name == b"type":
                return excerpt(text[1:-1])
        return ""

    # A step returns _MORE or the end, or sets the next step.

    def _declaration(self, buffer: Buffer, stop: int) -> int | None:
        if buffer[0] != ord("<"):
            wrong = f"a document begins with '<' and not with byte 0x{buffer[0]:02X}"
            if buffer[0] == _TLS:
                wrong += ", the first byte of TLS: this line takes none"
            raise WireError(wrong, 0, excerpt(buffer, EXCERPT_CHARACTERS))
        head = bytes(buffer[: min(stop, 6)])
        if not _DECLARATION_START.match(head):
            if len(head) < 6 and b"<?xml ".startswith(head):
                return _MORE
            self._step = Scanner._prolog
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
        self._step = Scanner._prolog
        return _GO_ON

    def _prolog(self, buffer: Buffer, stop: int) -> int | None:
        """Read white space, comments and processing instructions before the root."""
        start = self.position
        while (found := _BEFORE_ROOT.match(buffer, start, stop)) is not None:
            self._check_comment(buffer, *found.span())
            start = found.end()
        self.position = start
        head = bytes(buffer[start : min(stop, start + len(_ROOT) + 1)])
        for opener in (b"<?", b"<!--"):
            if head.startswith(opener):
                return self._skip(opener, start, Scanner._prolog)
        if b"<!--".startswith(head) or _ROOT.startswith(head):
            return _MORE
        if head.startswith(b"<!D"):
            raise WireError("a document type declaration is not allowed", start)
        if not head.startswith(_ROOT) or head[-1] not in _AFTER_NAME:
            raise WireError("the root element is not <message>", start)
        self._root = start
        self._step = Scanner._content
        return _GO_ON

    def _content(self, buffer: Buffer, stop: int) -> int | None:
        """Read whole tokens: first the root's start tag alone, then many at a time."""
        begun = -1
        while self._depth and self.position > begun and stop - self.position >= MIN_BLOCK:
            begun = self.position
            self.position, self._depth = plain_block(buffer, begun, stop, self._depth, self._limits)
        until = self.position + (MAX_BLOCK if self._depth else 0)
        max_depth, depth = self._limits.max_depth, self._depth
        for token in TOKEN.finditer(buffer, self.position, stop):
            kind = token.lastindex
            start, end = token.span()
            if kind in STARTS:
                if end - start > self._long_tag:
                    self._check_tag(buffer, start, end)
                if depth == max_depth:
                    self._refuse_depth(buffer, start, end)
                if buffer[end - 2] != SLASH:
                    depth += 1
                    self._messages += kind == MESSAGE_START
                elif not depth:
                    return end
            elif kind in ENDS:
                if end - start > MAX_SPACES_IN_TAG:
                    self._check_spaces(buffer, start, end)
                depth -= 1
                self._messages -= kind == MESSAGE_END
                if not depth or not self._messages:
                    return end
            elif kind == UNFINISHED:
                self.position, self._depth = start, depth
                self._step = Scanner._unfinished
                return _GO_ON
            elif end - start > _MIN_COMMENT:
                self._check_comment(buffer, start, end)
            if end > until:
                self.position, self._depth = end, depth
                return _GO_ON
        self.position, self._depth = stop, depth
        return _MORE

    def _unfinished(self, buffer: Buffer, stop: int) -> int | None:
        """See which token begins at ``position``. The next step looks for its end."""
        start = self.position
        head = bytes(buffer[start : min(stop, start + _MAX_OPENER)])
        for opener in _CLOSERS:
            if head.startswith(opener):
                return self._skip(opener, start, Scanner._content)
        if _may_open(head):
            return _MORE
        if head.startswith(b"<!"):
            right = next(size for size in range(2, len(head)) if not _may_open(head[: size + 1]))
            self._refuse(buffer, start + right + 1, start, _MISPLACED)
        self._token, self.position = start, start + 1
        self._quote, self._values = b"", 0
        self._step = Scanner._end_tag if head[1] == SLASH else Scanner._start_tag
        return _GO_ON

    def _start_tag(self, buffer: Buffer, stop: int) -> int | None:
        while (found := _NEXT_IN_TAG[self._quote].search(buffer, self.position, stop)) is not None:
            byte, self.position = found[0], found.end()
            if byte == b">":
                return self._whole()
            if byte == b"<":
                self._refuse(buffer, self.position, self.position - 1, _MISPLACED)
            if self._quote:
                self._values += 1
                if self._values > self._limits.max_attributes:
                    self._refuse_width(buffer, self._token)
            self._quote = b"" if self._quote else byte
        self.position = stop
        return _MORE

    def _end_tag(self, buffer: Buffer, stop: int) -> int | None:
        found = _ANGLE.search(buffer, self.position, stop)
        if found is None:
            self.position = stop
            return _MORE
        if found[0] == b"<":
            self._refuse(buffer, found.end(), found.start(), _MISPLACED)
        return self._whole()

    def _whole(self) -> int:
        """Let the next step read the token, which is whole."""
        self.position = self._token
        self._step = Scanner._content
        return _GO_ON

    def _skip(self, opener: bytes, start: int, afterwards: _Step) -> int:
        """Let the next step look for the end of the token ``opener`` at ``start``."""
        closer = _CLOSERS[opener]
        self.position = start + len(opener)

        def skip(self: Scanner, buffer: Buffer, stop: int) -> int | None:
            close = buffer.find(closer, self.position, stop)
            if close < 0:
                self.position = max(self.position, stop - len(closer) + 1)
                return _MORE
            if closer == _HYPHENS:
                self.position = close
                if close + 2 == stop:
                    return _MORE
                self._check_comment(buffer, start, close + 3)
            # Not read again: finding the end of a token with a regular expression takes ten times as long.
            self.position = close + len(closer) + (closer == _HYPHENS)
            self._step = afterwards
            return _GO_ON

        self._step = skip
        return _GO_ON

    # What is refused.

    def _check_comment(self, buffer: Buffer, start: int, end: int) -> None:
        """Check the hyphens if the token up to ``end`` is a comment."""
        if buffer.startswith(b"<!--", start):
            close = buffer.find(_HYPHENS, start + 4, end)
            if buffer[close + 2] != _GREATER:
                self._refuse(buffer, close + 3, close, "not well-formed XML: two hyphens in a comment")

    def _check_tag(self, buffer: Buffer, start: int, end: int) -> None:
        """Check the attributes of a whole start tag."""
        most = self._limits.max_attributes
        quotes = buffer.count(b'"', start, end) + buffer.count(b"'", start, end)
        if quotes > 2 * most and len(QUOTED.findall(buffer, start, end)) > most:
            self._refuse_width(buffer, start)
        if end - start > MAX_SPACES_IN_TAG:
            self._check_spaces(buffer, start, end)
        if buffer.find(b"xmlns:", start, end) >= 0:
            name_end = _NAME.match(buffer, start + 1, end).end()  # type: ignore[union-attr]  # matches the empty name, too
            for name, text in _attributes(buffer, name_end, end):
                if name.startswith(b"xmlns:") and len(text) > MAX_NAMESPACE_BYTES + 2:
                    wrong = f"the name of a namespace is longer than {MAX_NAMESPACE_BYTES} bytes"
                    self._refuse(buffer, end, start, f"{_element(buffer, start)}: {wrong}: {len(text) - 2}")

    def _check_spaces(self, buffer: Buffer, start: int, end: int) -> None:
        """Check the white space in a whole tag, outside of values."""
        tag = bytes(buffer[start:end])
        if surely_short_spaces(tag):
            return
        # A well-formed tag has white space at no more places than this; in others the parser finds the mistake.
        places = 3 * self._limits.max_attributes + 1
        for found in islice(_BETWEEN_PARTS.finditer(QUOTED.sub(b'""', tag)), places):
            if len(found[0]) > MAX_SPACES_IN_TAG:
                wrong = f"has more than {MAX_SPACES_IN_TAG} bytes of white space in a row in its tag: {len(found[0])}"
                element = _element(buffer, start + (buffer[start + 1] == SLASH))
                self._refuse(buffer, end, start, f"{element} {wrong}")

    def _refuse_depth(self, buffer: Buffer, start: int, end: int) -> NoReturn:
        """Refuse the start tag at ``start``, which is too deep."""
        wrong = f"{_element(buffer, start)} is nested deeper than {self._limits.max_depth} levels (max_depth)"
        self._refuse(buffer, end, start, wrong)

    def _refuse_width(self, buffer: Buffer, start: int) -> NoReturn:
        """Refuse the start tag at ``start``, which has too many attributes."""
        most = self._limits.max_attributes
        value = next(islice(QUOTED.finditer(buffer, start), most, None))
        before = bytes(buffer[start : value.start()]).rstrip(SPACE).removesuffix(b"=").rstrip(SPACE)
        name = before[1 + max(before.rfind(byte) for byte in _SPACES) :]
        excess = f"has more than {most} attributes (max_attributes): {excerpt(name)} is one more"
        wrong = f"{_element(buffer, start)} {excess}"
        self._refuse(buffer, value.end(), start + len(before) - len(name), wrong, b"/>")

    def _refuse(self, buffer: Buffer, end: int, offset: int, reason: str, tail: bytes = b"") -> NoReturn:
        """Raise WireError for ``offset``, or for a mistake before ``end``, where ``tail`` may make the bytes whole."""
        raise mistake_in(bytes(buffer[:end]) + tail) or WireError(reason, offset)


def _may_open(head: bytes) -> bool:
    return any(opener.startswith(head) for opener in _CLOSERS)


def _attributes(buffer: Buffer, position: int, stop: int) -> Iterator[tuple[bytes, bytes]]:
    """Yield the name and the value, in its quotes, of each attribute from ``position``, the end of the element's name,
    up to the first that is not whole or not well-formed before ``stop``."""
    while (attribute := _ATTRIBUTE.match(buffer, position, stop)) is not None:
        yield attribute[1], attribute[2]
        position = attribute.end()


def _element(buffer: Buffer, start: int) -> str:
    return f"<{excerpt(b''.join(_NAME.findall(buffer[start + 1 : start + 300])[:1]))}>"
