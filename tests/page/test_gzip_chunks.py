"""Events as pieces of a gzip stream."""

import zlib
from collections.abc import Callable, Iterable

from hypothesis import given
from hypothesis import strategies as st

from ugs.page.gzip_chunks import HEAD, compressed, stored

PIECES = st.lists(st.tuples(st.sampled_from([compressed, stored]), st.binary(max_size=400)))


def read(pieces: Iterable[bytes]) -> list[bytes]:
    """What a client knows after each piece."""
    reader = zlib.decompressobj(16 + zlib.MAX_WBITS)
    return [reader.decompress(piece) for piece in pieces]


@given(PIECES)
def test_pieces_may_follow_each_other_in_any_order(pieces: list[tuple[Callable[[bytes], bytes], bytes]]) -> None:
    """And each is known at once."""
    made = [HEAD, *(how(data) for how, data in pieces)]
    assert read(made) == [b"", *(data for _, data in pieces)]


def test_what_is_long_is_stored_in_several_blocks_and_squeezed_to_little() -> None:
    data = b"<g><path/></g>" * 20_000
    assert read([HEAD, stored(data)])[1] == data
    assert len(stored(data)) < len(data) + 50
    assert read([HEAD, compressed(data), compressed(data)])[1:] == [data, data]
    assert len(compressed(data)) < len(data) / 50
