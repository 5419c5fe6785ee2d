"""Addresses of servers, as commands take them."""

import pytest
import typer

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
    with pytest.raises(typer.BadParameter, match="is not HOST:PORT") as refused:
        read_address(text)
    assert repr(text) in refused.value.message
