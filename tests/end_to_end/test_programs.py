"""The programs of this project, and one of a third party, playing real games at a real server, each a process.

What needs no processes is in ``tests/game_masters/test_programs.py``.
"""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.end_to_end.conftest import Serves
from tests.end_to_end.processes import TOP, Program, Server, client
from tests.profile import sized

GAME = "tic-tac-toe"
DEMO_GAMES = sized(quick=5, deep=20)
PACKAGE = TOP / "tests" / "packages" / "ugs-nim"


def played(server: Server, nick: str) -> int:
    """How many games that counted this player has played."""
    return sum(nick in event["outcomes"] for event in server.events("game ended", fault="nobody"))


def test_programs_come_back_when_the_server_does(serves: Serves) -> None:
    first = serves("goodbye_s = 0.1")
    port = first.address.rpartition(":")[2]
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


EXAMPLES = {
    "python": (sys.executable, "-I", TOP / "examples" / "player.py"),
    "node": ("node", TOP / "examples" / "player.mjs"),
}


@pytest.mark.parametrize("language", sorted(EXAMPLES))
def test_the_example_players_play(serves: Serves, language: str) -> None:
    server = serves()
    host, _, port = server.address.rpartition(":")
    with (
        client("master", server, GAME, "--check") as master,
        client("bot", server, GAME, "--nick", "bot", "--games", "3") as bot,
        Program(*EXAMPLES[language], host, port, "example", "--games", "3") as example,
    ):
        assert (example.ends(), bot.ends()) == (0, 0), example.output + bot.output
        assert [event["outcomes"].keys() for event in server.logs("game ended", times=3)] == [{"bot", "example"}] * 3
        assert played(server, "example") == 3
        assert len(re.findall(r"^why: \w+ won, said the game master", example.output, re.MULTILINE)) == 3
        server.stops()
        master.ends()
    assert server.events("wrong message") == []
    assert server.events("peer reports an error") == []


@pytest.mark.parametrize("example", [*sorted(EXAMPLES), "python with sessions"])
def test_the_example_players_come_back_when_the_server_does(serves: Serves, example: str) -> None:
    command = EXAMPLES.get(example, (sys.executable, "-I", TOP / "examples" / "session_player.py"))
    first = serves()
    host, _, port = first.address.rpartition(":")
    with Program(*command, host, port, "example", "--games", "1") as player:
        first.logs("player logged in")
        first.signal(signal.SIGKILL)
        first.ends()
        second = serves("", "--port", port)
        second.logs("player logged in")
        with client("master", second, GAME), client("bot", second, GAME, "--nick", "bot"):
            assert player.ends() == 0, player.output


def test_a_newcomer_is_told_what_is_wrong_and_what_to_do(serves: Serves) -> None:
    server = serves()
    with socket.create_server(("127.0.0.1", 0)) as free:
        nobody = f"127.0.0.1:{free.getsockname()[1]}"
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
    target: Path = tmp_path_factory.mktemp("site")
    source = tmp_path_factory.mktemp("source") / "ugs-nim"
    shutil.copytree(PACKAGE, source)  # so that no build directory is left in the checkout
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    offline = ["--no-index", "--no-build-isolation", "--no-deps", "--target", str(target)]
    subprocess.run([*pip, *offline, str(source)], check=True, timeout=120)
    return target


def test_a_game_of_a_third_party_is_led_and_played(serves: Serves, third_party: Path) -> None:
    server = serves("[game_types.nim]\ngather_s = 30")
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


def test_the_demonstration_plays_to_the_end_and_prints_the_table() -> None:
    with Program.ugs("demo", "--games", str(DEMO_GAMES), "--think-ms", "0", "--port", "0") as demo:
        assert demo.ends() == 0, demo.output
    for word in ("game 1:", f"game {DEMO_GAMES}:", "threats-1", "random-2", "won", "lost", "drawn"):
        assert word in demo.output
    assert "Traceback" not in demo.output
    assert demo.lines[0].startswith("4 bots play 5-in-a-row")
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
