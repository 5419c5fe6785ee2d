"""The masters, bots and examples of this project at servers of plain v4 that others have written."""

import sys

import pytest

from tests.end_to_end.foreign_server import Manner, foreign_server
from tests.end_to_end.processes import TOP, Program

GAME = "tic-tac-toe"
NO_ANSWER = "no answer to the login, trying again as plain v4"


@pytest.mark.parametrize("manner", Manner)
def test_a_master_and_two_bots_play_at_a_foreign_server(manner: Manner) -> None:
    with (
        foreign_server(manner) as server,
        Program.ugs("master", GAME, "--connect", server.address) as master,
        Program.ugs("bot", GAME, "--connect", server.address, "--nick", "ann", "--games", "2") as ann,
        Program.ugs("bot", GAME, "--connect", server.address, "--nick", "bob", "--games", "2") as bob,
    ):
        assert (ann.ends(), bob.ends()) == (0, 0), ann.output + bob.output
        assert b"x-hello" in server.heard
        silent = manner is Manner.IGNORES
        assert server.deaf == 0, "what was sent could be understood"
        for program in (master, ann, bob):
            assert len(program.events(NO_ANSWER)) == silent


def test_with_once_a_server_that_ignores_is_called_again_as_plain_v4_too() -> None:
    with (
        foreign_server(Manner.IGNORES) as server,
        Program.ugs("bot", GAME, "--connect", server.address, "--nick", "ann", "--once") as ann,
    ):
        ann.logs("logged in", nick="ann")
        (line,) = ann.events(NO_ANSWER)
        assert "--v4" in line["reason"]
        assert server.heard == [b"x-hello", b"playerLogin"]


@pytest.mark.parametrize("manner", [Manner.ANSWERS, Manner.DECLARES])
def test_the_example_with_sessions_plays_at_a_foreign_server(manner: Manner) -> None:
    example = TOP / "examples" / "session_player.py"
    with foreign_server(manner) as server:
        host, _, port = server.address.rpartition(":")
        with (
            Program.ugs("master", GAME, "--connect", server.address),
            Program.ugs("bot", GAME, "--connect", server.address, "--nick", "ann", "--games", "2") as ann,
            Program(sys.executable, "-I", example, host, port, "bob", "--games", "2") as bob,
        ):
            assert (ann.ends(), bob.ends()) == (0, 0), ann.output + bob.output
        assert server.deaf == 0
