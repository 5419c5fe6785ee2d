"""Bytes to messages and back, without I/O.

framing.py     Framer.feed(bytes) -> whole documents, or one WireError
scanner.py     where a document ends that is not plain to see
wellformed.py  expat and the rules of defusedxml: whether bytes are a document
limits.py      how large, deep and wide a document may be
messages.py    one frozen class per message type of UGS v4
codec.py       document <-> message, one table from the type attribute to the class
envelope.py    the general road of the codec: every element outside the payload
shapes.py      what every message is made of, as a table
schema.py      the XSDs of schemas/, applied with xmlschema: tests, `ugs validate`, strict mode
errors.py      WireError and WrongMessage: whose bytes were wrong, and how
"""
