"""The example player of Catan, in a whole game at a real server, each a process: with hidden hands, and on plain v4."""

import sys

import pytest

from tests.end_to_end.conftest import Serves
from tests.end_to_end.processes import TOP, Program, client
from tests.profile import sized


@pytest.mark.parametrize(
    "options", sized(quick=[("--v4", "--option", "PLAY_FO=t")], deep=[(), ("--v4", "--option", "PLAY_FO=t")])
)
def test_the_example_player_plays_catan(serves: Serves, options: tuple[str, ...]) -> None:
    server = serves()
    host, _, port = server.address.rpartition(":")
    command = (sys.executable, "-I", TOP / "examples" / "settlers_player.py")
    with (
        client("master", server, "catan", "--check", *options) as master,
        client("bot", server, "catan", "--nick", "bot", "--games", "1") as bot,
        Program(*command, host, port, "example", "--games", "1") as example,
    ):
        assert (example.ends(), bot.ends()) == (0, 0), example.output + bot.output
        assert [event["outcomes"].keys() for event in server.logs("game ended")] == [{"bot", "example"}]
        server.stops()
        master.ends()
    assert server.events("wrong message") == []
    assert "illegal move" not in master.output
    assert "unreadable move" not in master.output
