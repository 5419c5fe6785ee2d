"""The XSDs of ``schemas/``, applied with xmlschema: for ``ugs validate``, for tests, and for live traffic on request.

A schema takes a hundred times as long as the codec to judge a message, so the server uses schemas only if its settings
ask for it. The message schemas never look into payloads; a game may have its own schema for those.
"""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Final
from xml.etree.ElementTree import Element, TreeBuilder

from xmlschema import XMLResource, XMLSchema11, XMLSchemaException, XMLSchemaValidationError
from xmlschema.validators import XsdAssert

from ugs.wire.envelope import XML_SPACE
from ugs.wire.errors import WireError, WrongMessage, shown
from ugs.wire.extension_codec import SHAPES_OF_EXTENSIONS
from ugs.wire.schema_files import schemas_directory
from ugs.wire.shapes import SHAPES, Shape
from ugs.wire.wellformed import defused_parser, parse_whole


class MessageSchemas:
    """One schema for every message type, read from ``schemas/messages``.

    ``directory`` is a ``schemas`` directory; None stands for the project's own. With ``at_once`` all schemas are read
    now, which takes a second or two; otherwise each when its type is first needed.
    """

    def __init__(self, directory: Path | None = None, *, at_once: bool = True) -> None:
        directory = schemas_directory() if directory is None else directory
        self._paths = {_type_in(path): path for path in (directory / "messages").glob("*.xsd")}
        self._schemas: dict[str, XMLSchema11] = {}
        if at_once:
            for kind in self._paths:
                self._schema(kind)

    @property
    def types(self) -> frozenset[str]:
        """The message types that have a schema."""
        return frozenset(self._paths)

    def check(self, raw: bytes) -> None:
        """Return if the document ``raw`` is a message of UGS v4 or its extensions.

        ``raw`` is a document as a framer cuts it. Otherwise raises WrongMessage, for the same documents as the codec
        but with the schema's text. Raises WireError if ``raw`` is no document.
        """
        message = _Envelope(raw).root
        kind = message.get("type")
        if kind is None:
            raise WrongMessage("message: the attribute type is missing")
        schema = self._schema(kind)
        if schema is None:
            raise WrongMessage(f"message: unknown type {shown(kind)}")
        _report(kind, schema.iter_errors(message))

    def _schema(self, kind: str) -> XMLSchema11 | None:
        if kind in self._paths and kind not in self._schemas:
            self._schemas[kind] = XMLSchema11(str(self._paths[kind]), allow="local", defuse="always")
        return self._schemas.get(kind)


def _type_in(path: Path) -> str:
    """Return the message type that a file is for. A hyphen in the file's name stands for a blank, except in
    extensions."""
    return path.stem if path.stem.startswith("x-") else path.stem.replace("-", " ")


class PayloadSchema:
    """A game's own schema for its payloads, with the global elements ``move`` and ``gameState``.

    ``path`` is the XSD. Raises OSError when it cannot be read and ValueError when it is no schema.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._schema = XMLSchema11(str(path), allow="local", defuse="always")
        except OSError:  # before XMLSchemaException, since the OSError of xmlschema is also one
            raise
        except XMLSchemaException as error:
            raise ValueError(f"{path} is no XML schema: {_first_line(str(error))}") from error

    def check(self, payload: bytes) -> None:
        """Return if the game allows the element ``payload``. Raises WrongMessage otherwise."""
        try:
            # xmlschema alone would accept a document type declaration without entities.
            if not parse_whole(defused_parser(), payload):
                raise WrongMessage("payload: the element is not finished")
            resource = XMLResource(BytesIO(payload), allow="none", defuse="always")
        except WireError as error:
            raise WrongMessage(f"payload: {error}") from None
        except XMLSchemaException as error:
            raise WrongMessage(f"payload: {_first_line(str(error))}") from None
        _report("payload", self._schema.iter_errors(resource))


class _Envelope:
    """A message as a tree for xmlschema, without the content of its payloads.

    Names stay as written. On the wire ``xmlns`` is an ordinary attribute, so on the envelope it is an unknown one. A
    parser with namespaces would hide it from the schema.
    """

    def __init__(self, raw: bytes) -> None:
        self._builder = TreeBuilder()
        self._open: list[str] = []
        self._payload: tuple[str, ...] = ()
        self._in_payload = 0
        parser = defused_parser()
        parser.StartElementHandler = self._element_starts
        parser.EndElementHandler = self._element_ends
        parser.CharacterDataHandler = self._characters
        try:
            if not parse_whole(parser, raw):
                raise WireError("not well-formed XML: the document is not finished", len(raw))
        finally:
            # The handlers hold the parser and it holds them: a cycle of many kilobytes, unless it is broken here.
            parser.StartElementHandler = parser.EndElementHandler = parser.CharacterDataHandler = None
        self.root: Element = self._builder.close()
        for element in self.root.iter():
            element.text, element.tail = _visible(element.text), _visible(element.tail)

    def _element_starts(self, name: str, attributes: dict[str, str]) -> None:
        if self._in_payload:
            self._in_payload += 1
            return
        if not self._open:
            self._payload = _PAYLOADS.get(attributes.get("type", ""), ())
        self._open.append(name)
        if self._payload and tuple(self._open[1:]) == self._payload:
            self._in_payload = 1
            attributes = {}
        self._builder.start(name, attributes)

    def _element_ends(self, name: str) -> None:
        if self._in_payload:
            self._in_payload -= 1
            if self._in_payload:
                return
        self._open.pop()
        self._builder.end(name)

    def _characters(self, text: str) -> None:
        if not self._in_payload:
            self._builder.data(text)


def _way_to_payload(shape: Shape) -> tuple[str, ...]:
    """Return the names of the elements on the way from ``shape`` to the payload in it; ``()`` where there is none."""
    for child in shape.children.values():
        if child.payload:
            return (child.name,)
        if way := _way_to_payload(child):
            return (child.name, *way)
    return ()


_PAYLOADS: Final = MappingProxyType(
    {kind: _way_to_payload(shape) for kind, shape in {**SHAPES, **SHAPES_OF_EXTENSIONS}.items()}
)
"""By type of message, the way from the root to the payloads."""


def _visible(text: str | None) -> str | None:
    # For xmlschema, white space is everything that Python's str.strip() removes, such as a non-breaking space. XML
    # knows four characters of white space; text of other white space is turned into text that xmlschema sees.
    if text is not None and text.strip(XML_SPACE) and not text.strip():
        return ascii(text)
    return text


def _report(kind: str, errors: Iterator[XMLSchemaValidationError]) -> None:
    """Raise WrongMessage for the most informative error, if there is any.

    A rule about several elements (an assertion) often fails only because one of them is wrong.
    """
    found = min(errors, key=lambda error: isinstance(error.validator, XsdAssert), default=None)
    if found is None:
        return
    where = "" if found.path is None else f" in {found.path}"
    if isinstance(found.validator, XsdAssert):
        raise WrongMessage(f"{kind}: it is not true{where} that {found.validator.path}")
    raise WrongMessage(f"{kind}: {_first_line(found.reason or found.message)}{where}")


def _first_line(text: str) -> str:
    """Return the first line of a message of xmlschema, which goes on with the source of the schema."""
    line = text.strip().partition("\n")[0].rstrip(" :.")
    return line if len(line) <= 200 else f"{line[:200]}..."
