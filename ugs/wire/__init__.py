"""Bytes to messages and back, without I/O.

framing.py          Framer.feed(bytes) -> whole documents, or one WireError
scanner.py          where a document ends that is not plain to see
wellformed.py       expat and the rules of defusedxml: whether bytes are a document
limits.py           how large, deep and wide a document may be
messages.py         one frozen class per message type of UGS v4
extensions.py       one frozen class per message type that v4 lacks; they stand in extension_connection.py,
                    extension_lobby.py, extension_watch.py, extension_masters.py and extension_words.py
codec.py            document <-> message, one table from the type attribute to the class
envelope.py         the general road of the codec: every element outside the payload
element.py          what the envelope is read into
escaping.py         text as it stands in a document
shapes.py           what every message of v4 is made of, as a table
extension_parts.py  the same of the extensions; extension_items.py has the elements that several of them share
parts.py            of what such a table is made
binder.py           shape, reader and writer from such a table
schema.py           the XSDs of schemas/, applied with xmlschema: tests, `ugs validate`, strict mode
errors.py           WireError and WrongMessage: whose bytes were wrong, and how
"""
