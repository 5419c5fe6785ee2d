"""Bytes to messages and back, without I/O.

    framing.py   Framer.feed(bytes) -> whole documents, or one WireError
    messages.py  one frozen class per message type of UGS v4
    codec.py     document <-> message, one table from the type attribute to the class
    schema.py    the XSDs of schemas/, applied with xmlschema: tests, `ugs validate`, strict mode
"""
