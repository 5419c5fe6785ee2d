"""Addresses of servers, as people write them."""

import pytest

from ugs.address import read_address


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("127.0.0.1:4747", ("127.0.0.1", 4747)),
        ("localhost:1", ("localhost", 1)),
        ("[::1]:4747", ("::1", 4747)),
        ("::1:65535", ("::1", 65535)),
    ],
)
def test_a_host_and_a_port(text: str, address: tuple[str, int]) -> None:
    assert read_address(text) == address


@pytest.mark.parametrize(
    "text", ["", "4747", "host", "host:", ":4747", "host:0", "host:65536", "host:x", "host:\u0663"]
)
def test_anything_else_is_refused_by_name(text: str) -> None:
    with pytest.raises(ValueError, match="is not HOST:PORT") as refused:
        read_address(text)
    assert repr(text) in str(refused.value)
