"""Bytes to messages and back, without I/O.

framing.py          Framer.feed(bytes) -> whole documents, or one WireError
scanner.py          finds the end of a document that the framer cannot cut at once, and enforces the limits
lexer.py            the scanner's tokens: tags, comments and the like
readable_bytes.py   how far the scanner may read
fragment_cache.py   proves documents well-formed that resemble earlier ones, without a parser
fast_path.py        moves and states in their usual form: read while they are cut
wellformed.py       whether bytes are a document: expat with the rules of defusedxml
document_limits.py  how large, deep and wide a document may be
text_limits.py      how long each text in a message may be: nick, reference, reason
messages.py         one frozen class per message type of UGS v4
extensions/         the messages that v4 lacks: one module per family, with the classes and how each is written
codec.py            document <-> message, one table from the type attribute to the class
extension_codec.py  the same for the messages of the extensions
envelope.py         the codec's general reader: every element outside the payload
element.py          what the envelope is read into
escaping.py         escapes text for a document
shapes.py           the elements and attributes of every message of v4, as a table
parts.py            the vocabulary that extensions describe their elements with
binder.py           makes shape, reader and writer from such a description
schema_files.py     where schemas/ is
schema.py           the XSDs of schemas/, applied with xmlschema: tests, `ugs validate`, strict mode
errors.py           WireError and WrongMessage: whose bytes were wrong, and how
"""
