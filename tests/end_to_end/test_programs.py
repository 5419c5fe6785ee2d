"""The programs of this project, and one of a third party, playing real games at a real server, each a process.

What needs no processes is in ``tests/game_masters/test_programs.py``.
"""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.end_to_end.conftest import Serves
from tests.end_to_end.processes import TOP, Program, Server, client, own_port
from tests.profile import ONLY_DEEP, sized
from tests.third_party import installed

GAME = "tic-tac-toe"
DEMO_GAMES = sized(quick=5, deep=20)


def played(server: Server, nick: str) -> int:
    """How many games that counted this player has played."""
    return sum(nick in event["outcomes"] for event in server.events("game ended", fault="nobody"))


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


EXAMPLES = {
    "python": (sys.executable, "-I", TOP / "examples" / "player.py"),
    "node": ("node", TOP / "examples" / "player.mjs"),
}
STRICT_C = ("-std=c99", "-pedantic", "-Wall", "-Wextra", "-Wshadow", "-Werror")


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, tuple[str | Path, ...]]:
    """How the example players are started, by language; the one in C has been compiled."""
    program = tmp_path_factory.mktemp("c") / "player"
    subprocess.run(["cc", *STRICT_C, "-o", program, TOP / "examples" / "player.c"], check=True)
    return {**EXAMPLES, "c": (program,)}


@pytest.fixture(scope="module")
def led(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server and a master for the examples of all languages; neither finds fault with any of them."""
    with Server(tmp_path_factory.mktemp("server")) as server, client("master", server, GAME, "--check") as master:
        server.logs("master logged in")
        yield server
        assert server.stops() == 0
        assert master.ends() == 0
        assert server.events("wrong message") == []
        assert server.events("peer reports an error") == []


@pytest.mark.parametrize("language", [*sorted(EXAMPLES), "c"])
def test_the_example_players_play(led: Server, examples: Mapping[str, tuple[str | Path, ...]], language: str) -> None:
    host, _, port = led.address.rpartition(":")
    nick, other = f"example in {language}", f"bot for {language}"
    with (
        client("bot", led, GAME, "--nick", other, "--games", "3") as bot,
        Program(*examples[language], host, port, nick, "--games", "3") as example,
    ):
        assert (example.ends(), bot.ends()) == (0, 0), example.output + bot.output
    assert played(led, nick) == played(led, other) == 3
    assert len(re.findall(r"^why: .+ won, said the game master", example.output, re.MULTILINE)) == 3


def test_the_example_players_come_back_when_the_server_does(
    serves: Serves, examples: Mapping[str, tuple[str | Path, ...]]
) -> None:
    commands = {**examples, "sessions": (sys.executable, "-I", TOP / "examples" / "session_player.py")}
    port = own_port()
    first = serves("", "--port", port)
    with ExitStack() as stack:
        players = [
            stack.enter_context(Program(*command, "127.0.0.1", port, f"example in {language}", "--games", "1"))
            for language, command in commands.items()
        ]
        first.logs("player logged in", times=len(players))
        first.signal(signal.SIGKILL)
        first.ends()
        second = serves("", "--port", port)
        second.logs("player logged in", times=len(players))
        with client("master", second, GAME):
            assert [player.ends() for player in players] == [0] * len(players), [player.output for player in players]


DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'
GAME_ID = "g&<é>"
SAID = [
    '<message type="x-hello"><ext name="reason"/></message>',
    "<message type='loginResponse'><response accept = 'yes' /></message>",
    '<!-- > <message> --><message type="championsList"><x><![CDATA[</message>]]></x></message>',
    '<message type="gameState"><gameId id="g&amp;&lt;&#xe9;&#62;"/><nextPlayer nick="Zo&#235;"/><gameState>'
    '<tac x="3" y="4"/><nextPlayer nick="nobody"/></gameState></message>',
    '<message type="error">mind &lt;the&gt; <![CDATA[<gap>]]></message>',
    '<message type="gameState"><gameId id="g&amp;&lt;é&gt;"/><gameOver><player nick="x>y" result="loser"/>'
    '<player nick="Zoë" result="winner"/></gameOver><gameState><gameOver/></gameState></message>',
    '<message type="x-verdict"><account>Zoë won</account><said>said the &quot;master&quot;</said></message>',
]
"""What a server may say, in forms of XML that none of ours uses."""


@pytest.mark.parametrize("language", [*sorted(EXAMPLES), "c"])
@pytest.mark.parametrize("piece", [1, 7, 1 << 20])
def test_the_example_players_read_any_xml_in_any_pieces(
    examples: Mapping[str, tuple[str | Path, ...]], language: str, piece: int
) -> None:
    stream = "".join(f"{DECLARATION}{document}" for document in SAID).encode()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        with Program(*examples[language], "127.0.0.1", str(port), "Zoë", "--games", "1") as player:
            connection, _ = listening.accept()
            with connection:
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                for at in range(0, len(stream), piece):
                    connection.sendall(stream[at : at + piece])
                heard = b""
                while b"logout" not in heard and (chunk := connection.recv(65536)):
                    heard += chunk
            assert player.ends() == 0, player.output
    assert player.lines == [
        "logged in as Zoë",
        "the server answers: mind <the> <gap>",
        f"game over: winner in {GAME_ID}",
        'why: Zoë won; said the "master"',
        *(["the server has closed the connection"] if player.lines[-1].startswith("the server has") else []),
    ]
    said = ElementTree.fromstring(f"<all>{heard.decode().replace(DECLARATION, '')}</all>")
    (game,) = said.findall("message[@type='move']/gameId")
    assert game.attrib == {"id": GAME_ID}


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
