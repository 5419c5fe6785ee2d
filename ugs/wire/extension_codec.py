"""Reads and writes the messages of :mod:`ugs.wire.extensions`, each by its form."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from ugs.wire.binder import read, shape_of, write
from ugs.wire.element import Element
from ugs.wire.errors import WrongMessage
from ugs.wire.extensions import EXTENSIONS
from ugs.wire.messages import Extension
from ugs.wire.shapes import Attribute, Shape

__all__ = ["SHAPES_OF_EXTENSIONS", "read_extension", "write_extension"]


def _with_type(shape: Shape, most_elements: int | None) -> Shape:
    return replace(shape, attributes={"type": Attribute("type"), **shape.attributes}, most_elements=most_elements)


SHAPES_OF_EXTENSIONS: Final[Mapping[str, Shape]] = MappingProxyType(
    {kind: _with_type(shape_of(form.bound), form.most_elements) for kind, form in EXTENSIONS.items()}
)


def read_extension(message: Element) -> Any:
    """Return the extension message in ``message``, an envelope of the right shape.

    Raises WrongMessage if the message breaks a rule that a shape cannot express.
    """
    form = EXTENSIONS[message.attributes["type"]]
    extension = read(form.bound, message)
    if wrong := form.rule(extension):
        raise WrongMessage(wrong)
    return extension


def write_extension(message: Extension) -> bytes:
    """Return the document for ``message``. Raises ValueError for a message that :func:`read_extension` would refuse."""
    form = EXTENSIONS[message.TYPE]
    # A mistake of ours is found here, and not by the peer that gets the message.
    if wrong := form.rule(message):
        raise ValueError(wrong)
    return write(form.bound, message, {"type": message.TYPE})
