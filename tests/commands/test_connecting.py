"""The option ``--connect`` of commands that talk to a server."""

import pytest
import typer

from ugs.commands.connecting import server_at


def test_it_gives_host_and_port() -> None:
    assert server_at("[::1]:4747") == ("::1", 4747)


def test_a_wrong_one_is_a_wrong_command_line() -> None:
    with pytest.raises(typer.BadParameter, match="'host' is not HOST:PORT") as refused:
        server_at("host")
    assert refused.value.param_hint == "--connect"
