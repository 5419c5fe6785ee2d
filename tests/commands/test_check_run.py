"""``ugs check`` with programs that are processes."""

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

from typer.testing import Result

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
        "import os, socket; socket.create_connection((os.environ['UGS_HOST'], int(os.environ['UGS_PORT']))).close()"
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


class TestAGameOfOnesOwn:
    """Its master is a program, whose sketches offer the moves of the opponents."""

    MASTER = f"{sys.executable} {TOP}/examples/kits/master/python/master.py {{host}} {{port}}"
    BOT = """
import sys
sys.path.insert(0, "{kit}")
import protocol


class Bot:
    def sees(self, state):
        self.drops = [disc.get("at").split(",")[0] for disc in state.findall("disc")]

    def move(self):
        return '<drop column="%s"/>' % {column}


raise SystemExit(protocol.run(Bot, "connect-four", "four", "1"))
"""

    LEGAL = "next(column for column in '0123456' if self.drops.count(column) < 6)"

    def tried(self, file: Path, column: str, *more: str) -> Result:
        """A bot that drops its discs into this column."""
        kit = str(TOP / "examples" / "kits" / "bot" / "python")
        file.write_text(self.BOT.replace("{kit}", kit).replace("{column}", column))
        bot = sys.executable, file, "{host}", "{port}", "ann"
        return ugs("check", "bot", "--master", self.MASTER, "--timeout", "120", *more, "--only", "turn/*", "--", *bot)

    def test_whole_games_are_played_by_its_rules(self, tmp_path: Path) -> None:
        result = self.tried(tmp_path / "four.py", self.LEGAL)
        assert (result.exit_code, "passed, 0 failed" in result.output) == (0, True), result.output

    def test_a_move_that_its_master_refuses_fails_with_the_reason(self, tmp_path: Path) -> None:
        result = self.tried(tmp_path / "four.py", "9", "--game", "connect-four")
        assert (result.exit_code, "FAILED turn/legal-" in result.output) == (1, True), result.output
        assert "the game master answers: column '9' is full" in result.output

    def test_a_master_of_another_game_is_named(self, tmp_path: Path) -> None:
        result = self.tried(tmp_path / "four.py", self.LEGAL, "--game", "ludo")
        assert (result.exit_code, "the game master leads 'connect-four', not 'ludo'" in result.output) == (1, True)

    def test_a_master_that_does_not_connect_is_not_taken_for_the_bot(self) -> None:
        result = ugs("check", "bot", "--master", f"{sys.executable} /no/such.py {{address}}", "--", "true")
        assert (result.exit_code, "the game master: it has not connected" in result.output) == (1, True)
