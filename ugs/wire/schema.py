"""The XSDs of ``schemas/``, applied with xmlschema: for ``ugs validate``, for tests, and for live traffic on request.

A schema takes a hundred times as long as the codec to come to the same verdict about a message, so the server asks
it only where its settings say so. The message schemas never look into payloads; a game may have a schema of its own
for those.
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
from ugs.wire.shapes import SHAPES, Shape
from ugs.wire.wellformed import defused_parser, parse_whole

_PACKAGE: Final = Path(__file__).resolve().parent.parent


def schemas_directory() -> Path:
    """Return the directory ``schemas``: inside the package when that was installed, else at the top of the checkout.

    Raises FileNotFoundError where there is neither.
    """
    return _find_schemas(_PACKAGE)


def _find_schemas(package: Path) -> Path:
    places = (package / "_data" / "schemas", package.parent / "schemas")
    for place in places:
        if (place / "messages").is_dir():
            return place
    raise FileNotFoundError(f"the directory with the schemas is neither {places[0]} nor {places[1]}")


class MessageSchemas:
    """One schema for every message type, read from ``schemas/messages``.

    ``directory`` is a ``schemas`` directory; None looks for the project's own. Reading takes a second or two, before
    anything is checked, or else, without ``at_once``, a moment whenever a type comes for the first time.
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
        """The message types for which there is a schema."""
        return frozenset(self._paths)

    def check(self, raw: bytes) -> None:
        """Return when the document ``raw`` is a message of UGS v4 or its extensions.

        ``raw`` is a document as a framer cuts it. Raises WrongMessage otherwise, for the same documents as the codec
        but in the words of the schema; WireError when it is no document at all.
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
    """The type of message that a file is for: its name, in which a hyphen stands for a blank but in extensions."""
    return path.stem if path.stem.startswith("x-") else path.stem.replace("-", " ")


class PayloadSchema:
    """A game's own schema for its payloads, with the global elements ``move`` and ``gameState``.

    ``path`` is the XSD. Raises OSError when it cannot be read and ValueError when it is no schema.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._schema = XMLSchema11(str(path), allow="local", defuse="always")
        except OSError:  # first, as that of xmlschema is an XMLSchemaException too
            raise
        except XMLSchemaException as error:
            raise ValueError(f"{path} is no XML schema: {_first_line(str(error))}") from error

    def check(self, payload: bytes) -> None:
        """Return when the element ``payload`` is allowed by the game; raise WrongMessage otherwise."""
        try:
            # xmlschema by itself would let a document type declaration without entities pass.
            if not parse_whole(defused_parser(), payload):
                raise WrongMessage("payload: the element is not finished")
            resource = XMLResource(BytesIO(payload), allow="none", defuse="always")
        except WireError as error:
            raise WrongMessage(f"payload: {error}") from None
        except XMLSchemaException as error:
            raise WrongMessage(f"payload: {_first_line(str(error))}") from None
        _report("payload", self._schema.iter_errors(resource))


class _Envelope:
    """A message as a tree for xmlschema, without what is in its payloads.

    Names stay as they are written. On the wire ``xmlns`` is an attribute like any other, so on the envelope it is an
    unknown one; a parser that knows namespaces would hide it from the schema, and refuse prefixes inside payloads that
    mean something only to the game.
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
            # The handlers hold the parser and it holds them: a cycle of many kilobytes, if nobody breaks it.
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
    # xmlschema takes everything for white space that Python's str.strip() does, such as a non-breaking space. XML
    # knows four characters of white space; a text of others is made one that xmlschema sees.
    if text is not None and text.strip(XML_SPACE) and not text.strip():
        return ascii(text)
    return text


def _report(kind: str, errors: Iterator[XMLSchemaValidationError]) -> None:
    """Raise WrongMessage for the error that says most, if there is any.

    A rule about several elements (an assertion) is often broken only because one of them is wrong by itself.
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
