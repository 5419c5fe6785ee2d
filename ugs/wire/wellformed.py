"""One document, one parser, one call: expat decides what is well-formed, under the rules of defusedxml.

A parser is never fed in pieces. Newer versions of expat hold back unfinished tokens until more bytes come, so the end
of a document could be held back for ever. Older versions read a long token again with every piece, which is quadratic.

A document must also be well-formed in the sense of *Namespaces in XML*: expat refuses prefixes that are not declared,
names with two colons and attributes that are the same in two prefixes. But names are read as written
(:mod:`ugs.wire.envelope`), so that check needs a separate parser without handlers.
"""

from typing import Final
from xml.parsers.expat import ErrorString, ExpatError, ParserCreate, XMLParserType, errors

from defusedxml import DefusedXmlException, DTDForbidden

from ugs.wire.document_limits import Limits, surely_short_names, surely_within
from ugs.wire.errors import WireError

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

# Between the name of a namespace and a local name. It is no character of XML, so neither can contain it.
_SEPARATOR: Final = "\1"
_COLON: Final = ord(":")
"""Without a colon there is no prefix, so nothing that a parser with namespaces would refuse."""


def defused_parser() -> XMLParserType:
    """Return a new UTF-8 parser that refuses document types, and with them entities and external references. It knows
    no namespaces.

    Entities and external references can only be declared inside a document type declaration. The parser refuses its
    very beginning, so the other handlers of defusedxml would never be called.
    """
    return _defused(ParserCreate("UTF-8"))


def _defused(parser: XMLParserType) -> XMLParserType:
    parser.StartDoctypeDeclHandler = _refuse_doctype
    return parser


def _refuse_doctype(name: str, system: str | None, public: str | None, _has_subset: bool) -> None:
    """Does what defusedxml does with ``forbid_dtd``. Its own parser is not loaded: it imports HTTP clients."""
    raise DTDForbidden(name, system, public)


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


def check_document(raw: bytes) -> None:
    """Raise WireError unless ``raw`` is one well-formed document without a DOCTYPE.

    ``raw`` must keep ``max_markup`` and have no long name of a namespace. Its size, its depth and its width, the XML
    declaration and the name of the root are not checked.
    """
    parser = defused_parser()
    if _COLON in raw:
        parser = _defused(ParserCreate("UTF-8", _SEPARATOR))
    if not parse_whole(parser, raw):
        raise WireError("not well-formed XML: the document is not finished", len(raw))


def mistake_in(beginning: bytes) -> WireError | None:
    """Return the mistake in the beginning of a document, which may break off anywhere; None if there is none.

    Names of namespaces may be long: they are not looked up.
    """
    try:
        parse_whole(defused_parser(), beginning)
    except WireError as mistake:
        return mistake.with_traceback(None)  # the traceback would keep the parser alive
    return None


def is_plain_document(raw: bytes, limits: Limits) -> bool:
    """Return True only if ``raw`` passes :func:`check_document` and keeps ``limits``, except the size. False proves
    nothing. Never raises.

    ``raw`` must begin with its root element, or with an XML declaration and then the root: then there is no document
    type before the root, and expat itself refuses one after it begins.
    """
    if not surely_within(raw, limits):
        return False
    if _COLON not in raw:
        parser = ParserCreate("UTF-8")
    elif surely_short_names(raw):
        parser = ParserCreate("UTF-8", _SEPARATOR)
    else:
        return False
    try:
        parser.Parse(raw, True)
    except ExpatError:
        return False
    return True
