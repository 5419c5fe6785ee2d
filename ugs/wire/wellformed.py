"""One document, one parser, one call: expat decides what is well-formed, under the rules of defusedxml.

A parser is never fed in pieces. Newer versions of expat put off unfinished tokens until more bytes come, so that the
end of a document could wait for ever; older ones read a long token again with every piece, which is quadratic.
"""

from typing import Final
from xml.parsers.expat import ErrorString, ExpatError, ParserCreate, XMLParserType, errors

from defusedxml.common import DefusedXmlException
from defusedxml.expatreader import DefusedExpatParser

from ugs.wire.errors import WireError
from ugs.wire.limits import Limits, surely_within

# Only asked for this handler, which raises; the object it belongs to parses nothing and never changes.
_REFUSE_DOCTYPE: Final = DefusedExpatParser(forbid_dtd=True).defused_start_doctype_decl

# What expat says of bytes that are the beginning of a well-formed document.
_UNFINISHED: Final = frozenset(
    errors.codes[text]
    for text in (
        errors.XML_ERROR_NO_ELEMENTS,
        errors.XML_ERROR_UNCLOSED_TOKEN,
        errors.XML_ERROR_PARTIAL_CHAR,
        errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
    )
)


def defused_parser() -> XMLParserType:
    """Return a fresh UTF-8 parser that refuses document types, and with them entities and external references.

    Entities can be declared, and anything external be referred to, only inside a document type declaration: its very
    beginning is refused, so the other handlers of defusedxml could never be called.
    """
    parser = ParserCreate("UTF-8")
    parser.StartDoctypeDeclHandler = _REFUSE_DOCTYPE
    return parser


def parse_whole(parser: XMLParserType, raw: bytes) -> bool:
    """Give all of ``raw`` to ``parser``; False when it ends before its root element does.

    Raises WireError for bytes that no continuation could make well-formed, and lets pass what handlers raise.
    """
    try:
        parser.Parse(raw, True)
    except ExpatError as error:
        if error.code in _UNFINISHED:
            return False
        raise WireError(f"not well-formed XML: {ErrorString(error.code)}", parser.ErrorByteIndex) from None
    except DefusedXmlException:
        raise WireError("a document type declaration is not allowed", parser.CurrentByteIndex) from None
    return True


def is_document(raw: bytes, limits: Limits) -> bool:
    """Return True when ``raw`` is a whole well-formed document, False when it is only the beginning of one.

    Raises WireError when it is ill-formed, holds a DOCTYPE, or is deeper or wider than ``limits``. Its size, its
    XML declaration and the name of its root are not looked at.
    """
    if not parse_whole(defused_parser(), raw):
        return False
    if not surely_within(raw, limits):
        _walk(raw, limits)
    return True


def is_plain_document(raw: bytes, limits: Limits) -> bool:
    """Return True when ``raw`` is surely what :func:`is_document` says it is; False says nothing. Never raises."""
    parser = ParserCreate("UTF-8")
    parser.StartDoctypeDeclHandler = _REFUSE_DOCTYPE
    try:
        parser.Parse(raw, True)
    except (ExpatError, DefusedXmlException):
        return False
    return surely_within(raw, limits)


def _walk(raw: bytes, limits: Limits) -> None:
    """Count the levels and attributes of a well-formed document, element by element."""
    parser = defused_parser()
    depth = 0

    def opened(_name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > limits.max_depth:
            raise WireError(f"elements are nested deeper than {limits.max_depth} levels", parser.CurrentByteIndex)
        if len(attributes) > limits.max_attributes:
            raise WireError(f"an element has more than {limits.max_attributes} attributes", parser.CurrentByteIndex)

    def closed(_name: str) -> None:
        nonlocal depth
        depth -= 1

    parser.StartElementHandler = opened
    parser.EndElementHandler = closed
    try:
        parse_whole(parser, raw)
    finally:
        # The handlers hold the parser and it holds them: a cycle of many kilobytes, if nobody breaks it.
        parser.StartElementHandler = parser.EndElementHandler = None
