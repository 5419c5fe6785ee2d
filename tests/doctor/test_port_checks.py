"""Ports that a server would listen on."""

import socket

import pytest

from ugs.config import parse
from ugs.doctor.diagnosis import Grade
from ugs.doctor.port_checks import examine_port, wanted_ports


def test_the_ports_of_the_settings_are_looked_at_but_no_free_ones() -> None:
    tls = {"certificate": "x.pem", "plain_game": "127.0.0.1:4748", "plain_http": "127.0.0.1:0"}
    config = parse({"port": 4747, "data_dir": "data", "tls": tls}, "test")
    assert list(wanted_ports(config)) == [
        ("port", "127.0.0.1", 4747),
        ("http_port", "127.0.0.1", 8080),
        ("tls.plain_game", "127.0.0.1", 4748),
    ]
    assert [name for name, *_ in wanted_ports(parse({}, "test"))] == ["port"], "no page where nothing is kept"


def test_a_port_is_free_before_and_after_it_was_tried() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert examine_port("port", "127.0.0.1", port).grade is Grade.BAD
    assert examine_port("port", "127.0.0.1", port).grade is Grade.GOOD
    assert examine_port("port", "127.0.0.1", port).grade is Grade.GOOD


@pytest.mark.parametrize("host", ["192.0.2.1", "no.such.host.invalid", "x" * 64, "a..b"])
def test_an_address_of_another_machine_is_bad(host: str) -> None:
    assert examine_port("port", host, 4747).grade is Grade.BAD
