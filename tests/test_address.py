"""Addresses of servers, as people write them."""

import pytest

from ugs.address import ip_of, origin_of, read_address


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


@pytest.mark.parametrize("host", ["x" * 64, "a..b", ".a", "a." + "x" * 64 + ".b"])
def test_what_no_host_is_called_is_refused(host: str) -> None:
    with pytest.raises(ValueError, match="no host can be called so"):
        read_address(f"{host}:4747")
    assert read_address(f"{'x' * 63}.example.:4747") == (f"{'x' * 63}.example.", 4747)


@pytest.mark.parametrize(
    ("address", "origin"),
    [
        ("192.0.2.7:4711", "192.0.2.7"),
        ("[2001:db8::1]:4711", "2001:db8::/64"),
        ("[2001:db8::ffff:1]:4712", "2001:db8::/64"),
        ("[2001:db8:0:1::1]:4711", "2001:db8:0:1::/64"),
        ("[fe80::1%eth0]:4711", "fe80::/64"),
        ("[::ffff:192.0.2.7]:4711", "192.0.2.7"),
        ("gateway:1", "gateway"),
        ("", ""),
    ],
)
def test_where_a_peer_comes_from(address: str, origin: str) -> None:
    assert origin_of(address) == origin


@pytest.mark.parametrize(
    ("host", "ip"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("[2001:db8::1]", "2001:db8::1"),
        ("fe80::1%eth0", "fe80::1"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("example.org", None),
        ("", None),
    ],
)
def test_a_host_is_an_address_or_not(host: str, ip: str | None) -> None:
    found = ip_of(host)
    assert (None if found is None else str(found)) == ip
