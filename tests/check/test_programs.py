"""The programs that come with ugs pass: the example players, the bundled bots, the game masters."""

import sys
from pathlib import Path

import pytest
import trio

from tests.profile import DEEP, chosen
from ugs.check.case import CaseFinding, CaseVerdict, NoProgram
from ugs.check.suites import of_bots, of_masters
from ugs.check.whole_check import Where, check_bot, check_master
from ugs.match.games import find_game

TOP = Path(__file__).parents[2]
TIMEOUT_S = 120.0
"""Seconds for an answer, on a busy machine."""
GAMES = ("apologies", "bang", "catan", "tic-tac-toe", "titan")
UGS = (sys.executable, "-m", "ugs")
deep = pytest.mark.skipif(chosen() != DEEP, reason="minutes for each program")

THREADS = """
import os, queue, socket, threading
from xml.etree import ElementTree
from xml.sax.saxutils import quoteattr

line = socket.create_connection((os.environ["UGS_HOST"], int(os.environ["UGS_PORT"])))
moves, lock = queue.Queue(), threading.Lock()


def say(text):
    with lock:
        line.sendall(text.encode())


def think():
    while True:
        game, taken = moves.get()
        x, y = next((x, y) for x in range(20) for y in range(20) if (x, y) not in taken)
        say(f'<message type="move"><gameId id={game}/><move><tic x="{x}" y="{y}"/></move></message>')


for _ in range(8):
    threading.Thread(target=think, daemon=True).start()
say('<message type="playerLogin"><playerLogin gameType="5-in-line-tic-tac-toe" nick="ann"/></message>')
data, played, taken = b"", "", []
while piece := line.recv(65536):
    data += piece
    while True:
        for end in [at + 1 for at in range(len(data)) if data[at] == 62]:  # ">": a tag may end with blanks before it
            try:
                message = ElementTree.fromstring(data[:end])
            except ElementTree.ParseError:
                continue
            data = data[end:]
            break
        else:
            break
        kind = message.get("type")
        if kind != "gameState":
            continue
        game = quoteattr(message.find("gameId").get("id"))
        if game != played:
            played, taken = game, []
        taken += [(int(tac.get("x")), int(tac.get("y"))) for tac in message.findall("gameState/tac")]
        if message.find("gameOver") is not None:
            say(f'<message type="thank you"><gameId id={game}/></message>')
        elif message.find("nextPlayer").get("nick") == "ann":
            moves.put((game, list(taken)))
"""


def nothing_failed(findings: list[CaseFinding]) -> None:
    """Prints what has failed, and fails then."""
    assert [
        (one.case.name, one.text) for one in findings if one.verdict in (CaseVerdict.FAILED, CaseVerdict.BLOCKED)
    ] == []


def bot(game: str, *command: str | Path) -> list[CaseFinding]:
    """What comes of a bot."""
    where = Where([str(part) for part in command], timeout_s=TIMEOUT_S)
    return trio.run(check_bot, where, find_game(game), of_bots(), lambda finding: None)


def master(*command: str) -> list[CaseFinding]:
    """What comes of a master."""
    return trio.run(check_master, Where(command, timeout_s=TIMEOUT_S), "", of_masters(), lambda finding: None)


@deep
@pytest.mark.parametrize(
    ("game", "name"),
    [
        ("tic-tac-toe", "session_player.py"),
        ("bang", "bang_player.py"),
        ("catan", "settlers_player.py"),
        ("titan", "titan_player.py"),
    ],
)
def test_an_example_in_python_passes(game: str, name: str) -> None:
    nothing_failed(bot(game, sys.executable, TOP / "examples" / name, "{host}", "{port}", "ann"))


@deep
@pytest.mark.parametrize("game", GAMES)
def test_a_bundled_bot_passes(game: str) -> None:
    nothing_failed(bot(game, *UGS, "bot", game, "--connect", "{address}", "--nick", "ann"))


@deep
@pytest.mark.parametrize("game", GAMES)
def test_a_bundled_master_passes(game: str) -> None:
    nothing_failed(master(*UGS, "master", game, "--connect", "{address}"))


@deep
def test_a_program_of_many_threads_passes() -> None:
    nothing_failed(bot("tic-tac-toe", sys.executable, "-c", THREADS))


def test_our_own_master_that_does_not_start_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ugs.check.whole_check.our_master", lambda game: [sys.executable, "-c", "print('no rules')"])
    with pytest.RaisesGroup(pytest.RaisesExc(NoProgram, match="no rules"), flatten_subgroups=True):
        bot("tic-tac-toe", sys.executable, "-c", "")
