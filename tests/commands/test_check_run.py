"""``ugs check`` with programs that are processes."""

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

from tests.commands.line import ugs

TOP = Path(__file__).parents[2]
PLAYER = (sys.executable, TOP / "examples" / "kits" / "bot" / "python" / "bot.py", "{host}", "{port}", "ann")
CHECK = ("check", "bot", "--game", "tic-tac-toe", "--timeout", "120")


def test_the_example_player_passes_and_the_exit_code_says_so() -> None:
    result = ugs(*CHECK, "--only", "glued/*", "--", *PLAYER)
    assert result.exit_code == 0, result.output
    assert "0 failed" in result.output


def test_a_closed_pipe_ends_it_without_a_traceback() -> None:
    source = (
        "import os, socket; socket.create_connection((os.environ['UGS_HOST'], int(os.environ['UGS_PORT']))).recv(1)"
    )
    asked = [sys.executable, "-m", "ugs", *CHECK, "--only", "glued/*", "--", sys.executable, "-c", source]
    done = subprocess.run(["sh", "-c", '"$@" | head -n 1', "sh", *asked], cwd=TOP, capture_output=True, text=True)
    assert "Traceback" not in done.stderr
    assert len(done.stdout.splitlines()) == 1


def test_a_program_that_ends_at_once_cannot_be_tried() -> None:
    result = ugs(*CHECK, "--", sys.executable, "-c", "print('no licence')")
    assert result.exit_code == 1
    assert "it has not connected to 127.0.0.1:" in result.output
    assert "its command has no {address}" in result.output
    assert "no licence" in result.output


def test_a_program_that_says_nonsense_fails_with_its_bytes_in_junit() -> None:
    source = (
        "import os, socket, time\n"
        "line = socket.create_connection((os.environ['UGS_HOST'], int(os.environ['UGS_PORT'])))\n"
        "line.sendall(b'\\x00\\xff<nonsense')\n"
        "line.recv(1)\n"
    )
    result = ugs(*CHECK, "--output", "junit", "--", sys.executable, "-c", source)
    assert result.exit_code == 1
    root = ElementTree.fromstring(result.output)
    failure = root.find("testcase[@classname='bytes'][@name='documents']/failure")
    assert failure is not None
    assert "\\x00\\xff<nonsense" in (failure.text or "")


def test_a_program_that_is_not_there_is_named() -> None:
    result = ugs(*CHECK, "--", "/no/such/program")
    assert result.exit_code == 1
    assert "cannot start '/no/such/program'" in result.output
