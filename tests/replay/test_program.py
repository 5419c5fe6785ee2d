"""Processes that connect to the replay, and others that do not."""

import sys
from functools import partial

import pytest
import trio

from ugs.replay import program
from ugs.replay.dialogue import Dialogue, NoMessage
from ugs.replay.program import LAST_LINES, ReplayFailed, converse
from ugs.wire.messages import Message, PlayerLogin, ServerShutdown

BOUND_S = 120.0
SAYS_WHERE = """
import os, socket, sys
places = [os.environ["UGS_ADDRESS"], os.environ["UGS_HOST"] + ":" + os.environ["UGS_PORT"]]
assert sys.argv[1:] == [places[0], "--at=" + places[0], places[1]], (sys.argv, places)
host, _, port = sys.argv[1].rpartition(":")
with socket.create_connection((host, int(port))) as connection:
    connection.sendall(b'<message type="playerLogin"><playerLogin nick="ann" gameType="go"/></message>')
    while connection.recv(1000):
        pass
print("good-bye")
sys.exit(3)
"""


def python(source: str, *arguments: str) -> list[str]:
    """The command line of a small program."""
    return [sys.executable, "-I", "-c", source, *arguments]


async def listen(dialogue: Dialogue) -> Message | NoMessage:
    """Receive one message and say good-bye."""
    message = await dialogue.receive(dialogue.deadline())
    await dialogue.send(ServerShutdown())
    return message


async def listen_for_a_moment(dialogue: Dialogue) -> Message | NoMessage:
    """Receive what is there soon."""
    return await dialogue.receive(trio.current_time() + 0.2)


@pytest.fixture(autouse=True)
def _time_to_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes that end by themselves may do so, however busy the machine is."""
    monkeypatch.setattr(program, "GRACE_S", BOUND_S)


def talks(command: list[str], timeout_s: float = BOUND_S) -> tuple[Message | NoMessage, list[str]]:
    """What the program says first, and how it ended."""
    return trio.run(partial(converse, command, timeout_s, listen))


def test_a_program_is_told_where_to_connect_to_and_heard_to_its_end() -> None:
    command = python(SAYS_WHERE, "{address}", "--at={address}", "{host}:{port}")
    said, ended = talks(command)
    assert said == PlayerLogin("ann", "go")
    assert ended == ["the process ended with exit code 3; its last lines:", "  good-bye"]


def test_a_program_that_dies_before_it_connects_is_told_of_at_once() -> None:
    source = f"for number in range({LAST_LINES + 5}): print('line', number)\nraise SystemExit(7)"
    with pytest.raises(ReplayFailed) as failed:
        talks(python(source))
    first, second, *lines = str(failed.value).split("\n")
    assert first.startswith("no program connected to 127.0.0.1:")
    assert first.endswith("before the process ended")
    assert second == "the process ended with exit code 7; its last lines:"
    assert lines == [f"  line {number}" for number in range(5, LAST_LINES + 5)]


def test_a_program_that_does_not_connect_is_ended() -> None:
    with pytest.raises(ReplayFailed, match=r"within 0.2 s\nthe process was still running; it wrote nothing"):
        talks(python("import time; time.sleep(1000)"), 0.2)


def test_a_program_that_ignores_signals_is_killed_with_all_that_it_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "GRACE_S", 0.5)
    source = """
import os, signal, socket, subprocess, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
connection = socket.create_connection((os.environ["UGS_HOST"], int(os.environ["UGS_PORT"])))
subprocess.run([sys.executable, "-c", "import time; time.sleep(1000)"])
"""
    said, ended = trio.run(converse, python(source), BOUND_S, listen_for_a_moment)
    assert said is NoMessage.SILENT
    assert ended == ["the process was still running; it wrote nothing"]


def test_a_program_that_was_killed() -> None:
    source = """
import os, signal, socket
connection = socket.create_connection((os.environ["UGS_HOST"], int(os.environ["UGS_PORT"])))
os.kill(os.getpid(), signal.SIGKILL)
"""
    assert talks(python(source)) == (NoMessage.CLOSED, ["the process was killed by SIGKILL; it wrote nothing"])


@pytest.mark.parametrize("command", [["no-such-program"], ["/"], ["a\0b"]])
def test_what_cannot_be_started_is_said(command: list[str]) -> None:
    with pytest.raises(ReplayFailed, match="cannot start"):
        talks(command)
