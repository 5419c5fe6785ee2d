"""Makes shape, reader and writer of an element from the list of its parts (:mod:`ugs.wire.parts`)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from ugs.wire.element import Element
from ugs.wire.escaping import written_text, written_value
from ugs.wire.parts import REQUIRED, Attr, Bound, Content, Inside, Many, One, Part, Payload, Text, Value, Values
from ugs.wire.shapes import Attribute, Shape

__all__ = ["read", "shape_of", "write"]

# --- shapes: what may stand in an element -----------------------------------------------------------------------


def shape_of(bound: Bound, *, least: int = 1, most: int | None = 1) -> Shape:
    """Return the shape of a bound element. Elements that no part names are ignored."""
    return _shape(bound.element, bound.parts, least, most)


def _shape(name: str, parts: Sequence[Part], least: int = 1, most: int | None = 1) -> Shape:
    attributes = {part.name: _attribute(part) for part in parts if isinstance(part, Attr)}
    children = {shape.name: shape for part in parts for shape in _children(part)}
    contents = [part for part in parts if isinstance(part, Content)]
    longest = contents[0].most if contents else None
    return Shape(name, attributes, children, least, most, text=bool(contents), lenient=True, longest=longest)


def _attribute(part: "Attr | Value | Values") -> Attribute:
    required = isinstance(part, Values) or part.default is REQUIRED
    return Attribute(part.name, required, part.kind.allowed, part.kind.expected)


def _children(part: Part) -> Iterator[Shape]:
    match part:
        case Value(element=element, default=default):
            alone = Attribute(part.name, True, part.kind.allowed, part.kind.expected)
            yield Shape(element, {part.name: alone}, {}, int(default is REQUIRED), lenient=True)
        case Values(element=element, most=most):
            yield Shape(element, {part.name: _attribute(part)}, {}, 0, most, lenient=True)
        case Text(element=element, default=default, most=most):
            yield Shape(element, {}, {}, int(default is REQUIRED), text=True, lenient=True, longest=most)
        case Payload(element=element, optional=optional):
            yield Shape(element, {}, {}, int(not optional), payload=True)
        case Inside(element=element, parts=parts, optional=optional):
            yield _shape(element, parts, int(not optional))
        case One(item=item):
            yield shape_of(item)
        case Many(items=items, within=within, most=most):
            shapes = [shape_of(item, least=int(bool(within)), most=most) for item in items]
            if within:
                yield Shape(within, {}, {shape.name: shape for shape in shapes}, 0, lenient=True)
            else:
                yield from shapes


# --- reading ------------------------------------------------------------------------------------------------------


def read(bound: Bound, element: Element) -> Any:
    """Return the value that ``element``, which must have the right shape, stands for."""
    fields: dict[str, object] = {}
    for part in bound.parts:
        _read_part(part, element, fields)
    return bound.cls(**fields)


def _read_part(part: Part, element: Element, fields: dict[str, object]) -> None:
    match part:
        case Attr():
            fields[part.field] = _read_value(part, element)
        case Value():
            child = element.first(part.element)
            fields[part.field] = part.default if child is None else _read_value(part, child)
        case Values():
            children = element.all(part.element)
            fields[part.field] = tuple([part.kind.read(child.attributes[part.name]) for child in children])
        case Text():
            child = element.first(part.element)
            fields[part.field] = part.default if child is None else child.text
        case Content():
            fields[part.field] = element.text
        case Payload():
            child = element.first(part.element)
            fields[part.field] = b"" if child is None else child.raw
        case Inside():
            child = element.first(part.element) or Element(part.element)
            for inner in part.parts:
                _read_part(inner, child, fields)
        case One():
            fields[part.field] = read(part.item, element[part.item.element])
        case _:  # Many
            parent = element if not part.within else element.first(part.within)
            children = [] if parent is None else parent.children
            bounds = {item.element: item for item in part.items}
            fields[part.field] = tuple([read(bounds[child.name], child) for child in children if child.name in bounds])


def _read_value(part: Attr | Value, element: Element) -> object:
    text = element.attributes.get(part.name)
    return part.default if text is None else part.kind.read(text)


# --- writing ------------------------------------------------------------------------------------------------------


def write(bound: Bound, value: object, more: Mapping[str, str] | None = None) -> bytes:
    """Return the element for ``value``. The attributes ``more`` come first. Raises ValueError for text that XML cannot
    hold, and for a payload that is another element."""
    attributes = [b'%b="%b"' % (name.encode(), written_value(text)) for name, text in (more or {}).items()]
    return _element(bound.element, bound.parts, value, attributes)


def _element(name: str, parts: Sequence[Part], value: object, attributes: list[bytes]) -> bytes:
    attributes = attributes + [_written(part, getattr(value, part.field)) for part in parts if isinstance(part, Attr)]
    head = b" ".join([name.encode(), *(attribute for attribute in attributes if attribute)])
    content = b"".join([_write_part(part, value) for part in parts])
    return b"<%b>%b</%b>" % (head, content, name.encode()) if content else b"<%b/>" % head


def _written(part: Attr | Value | Values, value: object) -> bytes:
    if not isinstance(part, Values) and part.default is not REQUIRED and value == part.default:
        return b""
    text = part.kind.write(value)
    # Checked when written, too: what the server sends must be readable by the strictest of its peers.
    if part.kind.allowed is not None and not part.kind.allowed.fullmatch(text):
        raise ValueError(f"{part.field} is {text!r}, not {part.kind.expected}")
    return part.name.encode() + b'="' + written_value(text) + b'"'


def _write_part(part: Part, value: object) -> bytes:
    match part:
        case Value():
            attribute = _written(part, getattr(value, part.field))
            return b"<%b %b/>" % (part.element.encode(), attribute) if attribute else b""
        case Values():
            element = part.element.encode()
            return b"".join([b"<%b %b/>" % (element, _written(part, one)) for one in _several(part, value)])
        case Text():
            text = getattr(value, part.field)
            if text == part.default:
                return b""
            if part.most is not None and len(text) > part.most:
                raise ValueError(f"{part.field} has {len(text)} characters, more than {part.most}")
            return b"<%b>%b</%b>" % (part.element.encode(), written_text(text), part.element.encode())
        case Content():
            return written_text(getattr(value, part.field)[: part.most])
        case Payload():
            raw: bytes = getattr(value, part.field)
            if not _begins(raw, part.element.encode()) and not (part.optional and not raw):
                raise ValueError(f"{part.field}: the payload does not begin with <{part.element}>")
            return raw
        case Inside():
            written = _element(part.element, part.parts, value, [])
            return b"" if part.optional and written == b"<%b/>" % part.element.encode() else written
        case One():
            return write(part.item, getattr(value, part.field))
        case Many():
            bounds = {item.cls: item for item in part.items}
            inner = b"".join([write(bounds[type(one)], one) for one in _several(part, value)])
            within = part.within.encode()
            return b"<%b>%b</%b>" % (within, inner, within) if part.within and inner else inner
        case _:  # attributes, which stand in the start tag
            return b""


def _several(part: Values | Many, value: object) -> tuple[Any, ...]:
    several: tuple[Any, ...] = getattr(value, part.field)
    if part.most is not None and len(several) > part.most:
        raise ValueError(f"{part.field} are {len(several)}, more than {part.most}")
    return several


_AFTER_NAME: Final = frozenset({b" ", b"\t", b"\r", b"\n", b"/", b">"})


def _begins(raw: bytes, name: bytes) -> bool:
    """Return whether the bytes begin with the start tag of an element called ``name``."""
    # Only the beginning: it was parsed when it came, and travels unchanged (D6).
    return raw.startswith(b"<" + name) and raw[len(name) + 1 : len(name) + 2] in _AFTER_NAME
