"""The command ``ugs mcp``: the real client starts it as a program, over standard input and output."""

import os
import sys

import pytest
import trio
import typer
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters

from game_masters.commands import mcp as module
from tests.game_masters.agents.test_agents import call, refused
from tests.game_masters.commands.line import ugs
from tests.profile import ONLY_DEEP


def test_a_missing_package_is_named_with_the_command_that_installs_it(
    app: typer.Typer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "missing", lambda name: f'needs {name}: pip install "ugs[mcp]"')
    exit_code, _, said = ugs(app, "mcp")
    assert (exit_code, said) == (2, 'ugs mcp needs mcp: pip install "ugs[mcp]"\n')


@ONLY_DEEP
async def test_a_client_lists_games_and_learns_that_no_server_is_there() -> None:
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "ugs", "mcp", "--connect", "127.0.0.1:1"], env=dict(os.environ)
    )
    with trio.fail_after(120):
        async with Client(command) as client:
            assert (await call(client, "list_games"))["games"]
            assert "cannot be reached" in await refused(client, "join", game="tic-tac-toe", nick="ada")
