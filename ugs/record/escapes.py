r"""How text and bytes are written inside one printable line, and read back exactly.

A backslash begins an escape: ``\\``, ``\"``, ``\n``, ``\r``, ``\t``; ``\u{2028}`` is a character by its number in hex;
``\x80`` is a single byte, in payloads only. Every character that a terminal would not show as it is gets escaped:
control characters, format characters such as those that change the direction of writing, and blanks other than the
usual one.
"""

import re
from collections.abc import Callable

_NAMED = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_MEANING = {written[1]: char for char, written in _NAMED.items()}
_ESCAPE = re.compile(r'\\(?:(?P<name>[\\"nrt])|x(?P<byte>[0-9a-fA-F]{2})|u\{(?P<number>[0-9a-fA-F]{1,6})\})?')
_BYTES = 0xDC00
"""Where "surrogateescape" puts the bytes that are not UTF-8; valid text never contains these characters."""


def escape_text(text: str) -> str:
    """Escape ``text`` for a place between double quotes. It must not contain halves of surrogate pairs."""
    # Nearly every text: no loop over its characters.
    if text.isprintable() and '"' not in text and "\\" not in text:
        return text
    return "".join(char if char.isprintable() and char not in '"\\' else _escaped(char) for char in text)


def text_for_people(text: str) -> str:
    """The same for a line that is not read back: quotes stay as they are."""
    # Each quote in an escaped text has its own backslash before it.
    return escape_text(text).replace('\\"', '"')


def unescape_text(written: str) -> str:
    """Read back :func:`escape_text`. Raises ValueError for an escaped byte, and a backslash without a valid escape."""
    return _unescaped(written, _character)


def escape_body(body: bytes) -> str:
    """Escape a payload for the end of a line.

    Printable UTF-8 stays as it is. The result begins with ``<`` or a backslash and does not end in a blank, so that it
    cannot be mistaken for another part of the line and no editor cuts it.
    """
    text = body.decode("utf-8", "surrogateescape")
    if not text.isprintable() or "\\" in text:
        text = "".join(char if char.isprintable() and char != "\\" else _escaped(char) for char in text)
    if text.endswith(" "):
        text = f"{text[:-1]}\\x20"
    if text and text[0] not in "<\\":
        # What is no UTF-8 begins with a backslash by now, so this is a whole character.
        head = text[0].encode()
        text = "".join(f"\\x{byte:02x}" for byte in head) + text[1:]
    return text


def unescape_body(written: str) -> bytes:
    """Read back :func:`escape_body`. Raises ValueError for a backslash without a valid escape."""
    return _unescaped(written, _byte).encode("utf-8", "surrogateescape")


def _escaped(char: str) -> str:
    number = ord(char)
    if _BYTES <= number < _BYTES + 0x100:
        return f"\\x{number - _BYTES:02x}"
    return _NAMED.get(char) or f"\\u{{{number:x}}}"


def _unescaped(written: str, byte: Callable[[int], str]) -> str:
    def meant(found: re.Match[str]) -> str:
        if found["name"]:
            return _MEANING[found["name"]]
        if found["byte"]:
            return byte(int(found["byte"], 16))
        if found["number"]:
            return _character_of(int(found["number"], 16))
        raise ValueError(f"a backslash without a valid escape: {written[found.start() : found.start() + 12]!r}")

    return _ESCAPE.sub(meant, written) if "\\" in written else written


def _character_of(number: int) -> str:
    # Halves of surrogate pairs would come back as bytes.
    if 0xD800 <= number < 0xE000 or number > 0x10FFFF:
        raise ValueError(f"\\u{{{number:x}}} is not a character")
    return chr(number)


def _character(byte: int) -> str:
    raise ValueError(f"\\x{byte:02x}: single bytes stand in payloads only")


def _byte(byte: int) -> str:
    # "surrogateescape" has no characters for the bytes of ASCII: those are what they are.
    return chr(byte) if byte < 0x80 else chr(_BYTES + byte)
