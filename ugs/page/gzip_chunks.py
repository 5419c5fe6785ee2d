"""Events as pieces of a gzip stream, each made once for all who listen.

An open page that takes gzip gets one stream of it. A piece that was compressed with a full flush looks back at nothing
that came before and ends with a whole byte: such pieces may follow each other in any order. The end of the stream, with
a checksum of all that this client got, is left out; browsers do not miss it on an open page.
"""

import struct
import zlib
from typing import Final

HEAD: Final = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
"""The first bytes of the stream: gzip, deflate, no name, no time, any system."""
LEVEL: Final = 6
MAX_STORED: Final = 65_535
_STORED: Final = struct.Struct("<BHH")


def compressed(data: bytes) -> bytes:
    """A piece with this in it. Takes a millisecond for 100 KB of pictures, so it is for the worker."""
    # Negative: deflate alone, without the head and the checksum that each piece would bring along.
    made = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return made.compress(data) + made.flush(zlib.Z_FULL_FLUSH)


def stored(data: bytes) -> bytes:
    """A piece with this in it as it is, for next to nothing."""
    blocks = [data[at : at + MAX_STORED] for at in range(0, len(data), MAX_STORED)]
    # A block that deflate takes as it is: a zero, its length, and the same with all bits turned.
    return b"".join(_STORED.pack(0, len(block), len(block) ^ 0xFFFF) + block for block in blocks)
