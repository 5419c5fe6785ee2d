"""One document, one parser, one call: expat decides what is well-formed, under the rules of defusedxml.

A parser is never fed in pieces. Newer versions of expat hold back unfinished tokens until more bytes come, so that the
end of a document could be held back for ever; older versions read a long token again with every piece, which is
quadratic.
"""

from typing import Final
from xml.parsers.expat import ErrorString, ExpatError, ParserCreate, XMLParserType, errors

from defusedxml.common import DefusedXmlException
from defusedxml.expatreader import DefusedExpatParser

from ugs.wire.errors import WireError
from ugs.wire.limits import Limits, surely_within

# Only this handler is used, which raises; the object it belongs to parses nothing and never changes.
_REFUSE_DOCTYPE: Final = DefusedExpatParser(forbid_dtd=True).defused_start_doctype_decl

# The error codes of expat for bytes that are the beginning of a well-formed document.
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
    """Return a new UTF-8 parser that refuses document types, and with them entities and external references.

    Entities and external references can only be declared inside a document type declaration. The parser refuses its
    very beginning, so that the other handlers of defusedxml could never be called.
    """
    parser = ParserCreate("UTF-8")
    parser.StartDoctypeDeclHandler = _REFUSE_DOCTYPE
    return parser


def parse_whole(parser: XMLParserType, raw: bytes) -> bool:
    """Parse all of ``raw``. Return False if it ends before its root element does.

    Raises WireError for bytes that no continuation could make well-formed. Exceptions of handlers pass through.
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
    """Return True if ``raw`` is a whole well-formed document, False if it is only the beginning of one.

    Raises WireError if it is ill-formed, holds a DOCTYPE, or is deeper or wider than ``limits``. The size, the XML
    declaration and the name of the root are not checked.
    """
    if not parse_whole(defused_parser(), raw):
        return False
    if not surely_within(raw, limits):
        _walk(raw, limits)
    return True


def is_plain_document(raw: bytes, limits: Limits) -> bool:
    """Return True only if :func:`is_document` would return True. False proves nothing. Never raises."""
    parser = ParserCreate("UTF-8")
    parser.StartDoctypeDeclHandler = _REFUSE_DOCTYPE
    try:
        parser.Parse(raw, True)
    except (ExpatError, DefusedXmlException):
        return False
    return surely_within(raw, limits)


def _walk(raw: bytes, limits: Limits) -> None:
    """Check the levels and attributes of a well-formed document element by element. Raises WireError beyond
    ``limits``."""
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
        # The handlers hold the parser and it holds them: a cycle of many kilobytes, unless it is broken here.
        parser.StartElementHandler = parser.EndElementHandler = None
