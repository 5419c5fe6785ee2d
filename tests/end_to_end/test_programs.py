"""The programs of this project, and one of a third party, playing real games at a real server, each a process.

What needs no processes is in ``tests/game_masters/test_programs.py``.
"""

import os
import re
import signal
from pathlib import Path

import pytest

from tests.end_to_end.conftest import Serves
from tests.end_to_end.processes import Program, client, own_port, played
from tests.profile import ONLY_DEEP, sized
from tests.third_party import installed

GAME = "tic-tac-toe"
DEMO_GAMES = sized(quick=5, deep=20)


def test_programs_come_back_when_the_server_does(serves: Serves) -> None:
    port = own_port()
    first = serves("goodbye_s = 0.1", "--port", port)
    with (
        Program.ugs("master", GAME, "--connect", first.address) as master,
        Program.ugs("bot", GAME, "--connect", first.address, "--nick", "ann") as ann,
    ):
        first.logs("player logged in")
        first.logs("master logged in")
        assert first.stops() == 0
        second = serves("", "--port", port)
        second.logs("player logged in")
        second.logs("master logged in")
        for program in (master, ann):
            program.signal(signal.SIGTERM)
            assert program.ends() == 0
        assert second.logs("logged out")


def test_a_newcomer_is_told_what_is_wrong_and_what_to_do(serves: Serves) -> None:
    server = serves()
    nobody = f"127.0.0.1:{own_port()}"
    with Program.ugs("bot", GAME, "--nick", "ann", "--connect", nobody, "--once") as bot:
        assert bot.ends() == 1
        (line,) = bot.events("cannot connect")
        assert "no server listens at 127.0.0.1 port" in line["reason"]
        assert "`ugs serve`" in line["reason"]
        assert bot.events("giving up, since only one connection is allowed (--once)")
    server.player("ann")
    with Program.ugs("bot", GAME, "--nick", "ann", "--connect", server.address) as second:
        (line,) = second.logs("login refused, will try again")
        assert line["reason"] == "the name is in use, perhaps by an earlier connection of this program"
        assert (line["next_attempt_in_s"], line["gives_up_in_s"]) == (5, 90)
        second.logs("trying again")
        assert second.running


@pytest.fixture(scope="module")
def third_party(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with nothing but the installed package of a third party."""
    return installed(tmp_path_factory.mktemp("package"))


def test_a_game_of_a_third_party_is_led_and_played(serves: Serves, third_party: Path) -> None:
    server = serves("[game_types.nim]\ngather_s = 600")
    environment = {"PYTHONPATH": os.fspath(third_party)}
    with (
        client("master", server, "nim", "--check", environment=environment) as master,
        client("bot", server, "nim", "--nick", "ann", "--games", "2", environment=environment) as ann,
        client("bot", server, "nim", "--nick", "bob", "--games", "2", environment=environment) as bob,
        client("bot", server, "nim", "--nick", "cat", "--games", "2", environment=environment) as cat,
    ):
        assert [bot.ends() for bot in (ann, bob, cat)] == [0, 0, 0], ann.output
        begun = server.logs("game begun")
        assert [set(event["seats"]) for event in begun] == [{"ann", "bob", "cat"}] * 2
        assert [played(server, nick) for nick in ("ann", "bob", "cat")] == [2, 2, 2]
        server.stops()
        master.ends()


@ONLY_DEEP
def test_the_demonstration_plays_to_the_end_and_prints_the_table() -> None:
    with Program.ugs("demo", "--games", str(DEMO_GAMES), "--think-ms", "0", "--port", "0") as demo:
        assert demo.ends() == 0, demo.output
    for word in ("game 1:", f"game {DEMO_GAMES}:", "threats-1", "random-2", "won", "lost", "drawn"):
        assert word in demo.output
    assert "Traceback" not in demo.output
    assert demo.lines[0].startswith("4 bots play tic-tac-toe: put stones on a board")
    assert "Look at http://127.0.0.1:" in demo.output
    first = re.search(r"game 1: .*after (\d+) moves", demo.output)
    assert first is not None
    assert {"threats", "random"} == set(re.findall(r"(threats|random)-", first[0])), "no short game comes first"
    assert "    X " in demo.output, "no game is drawn"


def test_the_demonstration_stops_on_a_signal() -> None:
    with Program.ugs("demo", "--think-ms", "5", "--port", "0") as demo:
        for nick in ("threats-1", "random-1", "threats-2", "random-2"):
            demo.waits_for(f"{nick} ")  # all are connected: one that is not would not know why nobody answers
        demo.signal(signal.SIGINT)
        assert demo.ends() == 0, demo.output


def test_the_demonstration_says_why_it_cannot_begin(serves: Serves) -> None:
    server = serves()
    with Program.ugs("demo", "--games", "1", "--port", server.address.rpartition(":")[2]) as demo:
        assert demo.ends() == 1
    assert f"cannot listen on {server.address.replace(':', ' port ')}" in demo.output
