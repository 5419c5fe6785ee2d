"""Reads the envelope of any message: every element outside the payload, checked against its shape.

This reader is right for all documents, but calls Python for every element. So the codec uses it only when the first and
last bytes do not determine the message.
"""

from collections.abc import Collection
from types import MappingProxyType
from typing import Final

from ugs.wire.element import Element
from ugs.wire.errors import WireError, WrongMessage, shown
from ugs.wire.extension_codec import SHAPES_OF_EXTENSIONS
from ugs.wire.shapes import SHAPES, Shape
from ugs.wire.wellformed import defused_parser, parse_whole

# What XML calls white space. Python's str.strip() alone would also remove non-breaking and other blanks.
XML_SPACE = " \t\r\n"
_AFTER_NAME: Final = b" \t\r\n>"

_KNOWN: Final = MappingProxyType({**SHAPES, **SHAPES_OF_EXTENSIONS})
SECRETS: Final = frozenset({("identity", "token"), ("session", "token"), ("seed", "value")})
"""Elements and attributes whose value is for one peer alone."""
NAMES: Final = frozenset({"nick", "id"})
"""Attributes of a login that may hold a secret after a ``#``."""
_IGNORED: Final = Shape("", payload=True)
"""The shape of unknown elements in a lenient element: skipped like a payload, then dropped."""


def read_envelope(raw: bytes, refused: Collection[str] = ()) -> Element:
    """Return the ``message`` element of a document, with ``type`` among its attributes.

    ``raw`` is a document as a framer cuts it. Raises WrongMessage when it is not the envelope of a message, or its type
    is ``refused``; at the first mistake, so that a wrong message never costs more memory than a right one. Raises
    WireError when ``raw`` is no document.
    """
    if len(raw) > _LARGE:
        # Most mistakes are near the beginning, and nothing stops a parser once it runs.
        _Reader(raw[:_LOOK], refused).read(whole=False)
    return _Reader(raw, refused).read()


_LARGE: Final = 32 * 1024
_LOOK: Final = 4 * 1024


class _Reader:
    """The handlers of one parser run, and what they have read."""

    def __init__(self, raw: bytes, refused: Collection[str]) -> None:
        self._raw = raw
        self._refused = refused
        self._parser = defused_parser()
        self._open: list[tuple[Element, Shape, dict[str, int]]] = []  # with the number of children of each name
        self._root = Element("")
        self._type = ""
        self._text: list[str] = []
        self._payload_start = 0
        self._levels_in_payload = 0
        self._most_elements: int | None = None
        self._elements = 0

    def read(self, *, whole: bool = True) -> Element:
        """Return the root. Without ``whole`` the bytes may break off anywhere, and only mistakes in them are found."""
        parser = self._parser
        parser.buffer_text = True  # otherwise every line break and reference is a call
        parser.StartElementHandler = self._element_starts
        parser.EndElementHandler = self._element_ends
        parser.CharacterDataHandler = self._characters
        try:
            if not parse_whole(parser, self._raw) and whole:
                raise WireError("not well-formed XML: the document is not finished", len(self._raw))
        except WrongMessage as wrong:
            raise wrong.of(self._root.attributes) from None
        finally:
            # The handlers hold the parser and it holds them: a cycle of many kilobytes, unless it is broken here.
            parser.StartElementHandler = parser.EndElementHandler = parser.CharacterDataHandler = None
        return self._root

    def _element_starts(self, name: str, attributes: dict[str, str]) -> None:
        if self._levels_in_payload:
            self._levels_in_payload += 1
            if self._most_elements is not None and self._open[-1][1] is _IGNORED:
                self._count()
            return
        element = Element(name, attributes)
        if self._open:
            self._count()
            shape = self._shape_of_child(element)
        else:
            self._root = element
            shape = self._shape_of_message(name, attributes)
        if shape.payload:
            self._payload_start = self._parser.CurrentByteIndex
            self._levels_in_payload = 1
            self._parser.CharacterDataHandler = None
        else:
            self._check_attributes(shape, attributes)
        if self._open and shape is not _IGNORED:
            self._open[-1][0].children.append(element)
        self._open.append((element, shape, {}))

    def _count(self) -> None:
        self._elements += 1
        if self._elements == self._most_elements:
            raise WrongMessage(f"{self._type}: more than {self._most_elements - 1} elements")

    def _element_ends(self, name: str) -> None:
        if self._levels_in_payload:
            self._levels_in_payload -= 1
            if self._levels_in_payload:
                return
            self._parser.CharacterDataHandler = self._characters
        element, shape, numbers = self._open.pop()
        if shape.payload:
            if shape is not _IGNORED:
                element.raw = self._raw[self._payload_start : self._payload_end(name)]
            return
        self._take_text(element, shape)
        for child in shape.children.values():
            if numbers.get(child.name, 0) < child.least:
                raise WrongMessage(f"{self._type}: <{child.name}> is missing in <{name}>")

    def _payload_end(self, name: str) -> int:
        # The parser stands before an end tag, but after a tag that closes itself. Another end tag of this name cannot
        # follow there, because no payload has the name of its parent; but <move/> may stand in <moved>.
        index = self._parser.CurrentByteIndex
        tag = f"</{name}".encode()
        if self._raw.startswith(tag, index) and self._raw[index + len(tag)] in _AFTER_NAME:
            return self._raw.index(b">", index) + 1
        return index

    def _characters(self, text: str) -> None:
        self._text.append(text)

    def _take_text(self, element: Element, shape: Shape) -> None:
        """Assign the text since the last tag to ``element``."""
        if not self._text:
            return
        text = "".join(self._text)
        self._text.clear()
        if shape.text:
            element.text += text  # ignored elements may stand within it
            if shape.longest is not None and len(element.text) > shape.longest:
                raise WrongMessage(
                    f"{self._type}: the text of <{element.name}> is longer than {shape.longest} characters"
                )
        elif not shape.lenient and (text := text.strip(XML_SPACE)):
            raise WrongMessage(f"{self._type}: text in <{element.name}>: {shown(text)}")

    def _shape_of_message(self, name: str, attributes: dict[str, str]) -> Shape:
        if name != "message":
            raise WireError("the root element is not <message>", self._parser.CurrentByteIndex)
        if "type" not in attributes:
            raise WrongMessage("message: the attribute type is missing")
        shape = _KNOWN.get(attributes["type"])
        if shape is None:
            raise WrongMessage(f"message: unknown type {shown(attributes['type'])}")
        self._type = attributes["type"]
        if self._type in self._refused:
            raise WrongMessage(f"{self._type}: not a message for the server")
        self._most_elements = None if shape.most_elements is None else shape.most_elements + 1
        return shape

    def _shape_of_child(self, child: Element) -> Shape:
        parent, parent_shape, numbers = self._open[-1]
        self._take_text(parent, parent_shape)
        shape = parent_shape.children.get(child.name)
        if shape is None:
            if parent_shape.lenient:
                return _IGNORED
            raise WrongMessage(f"{self._type}: unknown element <{_cut(child.name)}> in <{parent.name}>")
        number = numbers.get(child.name, 0) + 1
        if shape.most is not None and number > shape.most:
            excess = "a second" if shape.most == 1 else f"more than {shape.most}"
            raise WrongMessage(f"{self._type}: {excess} <{child.name}> in <{parent.name}>")
        numbers[child.name] = number
        return shape

    def _check_attributes(self, shape: Shape, attributes: dict[str, str]) -> None:
        for name in attributes:
            if name not in shape.attributes and not shape.lenient:
                raise WrongMessage(f"{self._type}: unknown attribute {_cut(name)} of <{shape.name}>")
        for attribute in shape.attributes.values():
            value = attributes.get(attribute.name)
            if value is None:
                if attribute.required:
                    raise WrongMessage(f"{self._type}: the attribute {attribute.name} of <{shape.name}> is missing")
            elif attribute.allowed is not None and not attribute.allowed.fullmatch(value):
                found = _harmless(shape.name, attribute.name, value)
                raise WrongMessage(
                    f"{self._type}: {attribute.name} of <{shape.name}> is {found}, not {attribute.expected}"
                )


def _cut(name: str) -> str:
    return name if len(name) <= 60 else f"{name[:60]}..."


def _harmless(element: str, attribute: str, value: str) -> str:
    """Return the part of a wrong value that an error may repeat, since errors are logged: names without the secret
    after ``#``."""
    if (element, attribute) in SECRETS:
        return "'…'"
    name, mark, _ = value.partition("#")
    return shown(f"{name}#…" if mark and attribute in NAMES else value)
