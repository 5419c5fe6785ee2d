"""What the README and the first pages of the manual promise, done word for word."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.end_to_end.conftest import Serves
from tests.end_to_end.processes import TOP, Program, Server, client, output, own_port
from ugs.commands.app import COMMANDS as ALL_COMMANDS

README = (TOP / "README.md").read_text(encoding="utf-8")
FIRST_BOT = (TOP / "docs" / "first-bot.md").read_text(encoding="utf-8")
COMMANDS = (TOP / "docs" / "commands.md").read_text(encoding="utf-8")
OVERVIEW = (TOP / "docs" / "overview.md").read_text(encoding="utf-8")
MAX_LINES = 120
GAME = "tic-tac-toe"
AS_PEOPLE_RUN_IT = {"PYTHONWARNINGS": ""}


@pytest.fixture
def server(serves: Serves) -> Iterator[Server]:
    """A broker with a game master and a bot that waits for an opponent."""
    server = serves()
    with client("master", server, GAME, "--once") as master, client("bot", server, GAME, "--nick", "partner", "--once"):
        server.logs("player logged in", nick="partner")
        server.logs("master logged in")
        yield server
        assert server.stops() == 0
        assert master.ends() == 0


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    """The bot of the page in a file."""
    blocks = re.findall(r"```python\n(.*?)```", FIRST_BOT, re.DOTALL)
    file = tmp_path / "mybot.py"
    file.write_text(next(text for text in blocks if text.startswith("import random")), encoding="utf-8")
    return file


def test_the_five_minute_bot_plays_as_many_games_as_it_was_told(server: Server, bot: Path) -> None:
    host, _, port = server.address.rpartition(":")
    with Program(sys.executable, bot, host, port, "me", "3", environment=AS_PEOPLE_RUN_IT) as me:
        assert me.ends() == 0, me.output
        ends = [line for line in me.lines if not line.startswith("why: ")]
        assert len(ends) == 3
        assert all(sorted(re.findall(r"(\w+): (?:winner|loser)", line)) == ["me", "partner"] for line in ends)
        assert len(re.findall(r"^why: .*(?:me|partner) won, as judged by the game", me.output, re.MULTILINE)) == 3


def test_the_bot_is_told_when_its_login_is_refused(server: Server, bot: Path) -> None:
    host, _, port = server.address.rpartition(":")
    with Program(sys.executable, bot, host, port, "partner", "1", environment=AS_PEOPLE_RUN_IT) as me:
        assert me.ends() == 1
        assert me.lines == ["login refused: nick malformed, in use, or needs a token"]


def test_the_bot_comes_back_with_the_server(serves: Serves, bot: Path) -> None:
    first = serves("goodbye_s = 0.1", "--port", own_port())
    host, _, port = first.address.rpartition(":")
    with Program(sys.executable, bot, host, port, "me", "2", environment=AS_PEOPLE_RUN_IT) as me:
        first.logs("player logged in", nick="me")
        assert first.stops() == 0
        me.waits_for("no connection:")
        second = serves("", "--port", port)
        second.logs("player logged in", nick="me")
        with client("master", second, GAME, "--once"), client("bot", second, GAME, "--nick", "partner"):
            assert me.ends() == 0, me.output
    assert len(re.findall(r"me: (?:winner|loser)", me.output)) == 2


def test_the_bot_passes_the_check_that_its_page_leads_to_also_where_xml_is_written_otherwise(bot: Path) -> None:
    tried = ("--only", "written/*", "--only", "game-id/*", "--timeout", "120")
    text = output("check", "bot", "--game", GAME, *tried, "--", sys.executable, bot, "{host}", "{port}", "ann")
    assert "80 passed, 0 failed" in text


def code_in(page: str) -> str:
    """What stands as code on a page, in blocks and in sentences, each at the beginning of a line."""
    blocks = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
    return "\n".join([*blocks, *re.findall(r"(?<!`)`([^`\n]+)`", page)])


def test_the_commands_of_the_table_exist() -> None:
    table = re.findall(r"^\| `ugs (\w+)", COMMANDS, re.MULTILINE)
    assert len(table) >= 20
    table += re.findall(r"^(?:\.venv/bin/)?ugs (\w+)", code_in(README + OVERVIEW), re.MULTILINE)
    shown = subprocess.run([sys.executable, "-m", "ugs", "--help"], capture_output=True, text=True, check=True).stdout
    assert [command for command in table if not re.search(rf"│ {command} ", shown)] == []


def test_the_readme_is_short_and_its_first_commands_are_the_demonstration() -> None:
    assert README.count("\n") <= MAX_LINES
    assert re.findall(r"```sh\n(.*?)```", README, re.DOTALL)[0] == 'pip install "ugs[games]"\nugs demo\n'
    assert len(re.findall(r"!\[", README)) == 4, "a recording and three pictures"


def test_every_command_is_in_the_table() -> None:
    listed = set(re.findall(r"`ugs (\w+)", COMMANDS))
    assert {name for name, _ in ALL_COMMANDS} <= listed


def test_the_make_targets_exist() -> None:
    makefile = (TOP / "Makefile").read_text(encoding="utf-8")
    for target in set(re.findall(r"^make (\w+)", code_in(README + OVERVIEW), re.MULTILINE)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_what_the_map_of_first_changes_names_is_there() -> None:
    page = (TOP / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = page.partition("## Ten first changes")[2].partition("## ")[0]
    rows = [line.split("|")[1:-1] for line in table.splitlines() if line.startswith("| ")][1:]
    assert len(rows) == 10
    named = [path for _, where, copied, tests in rows for path in re.findall(r"`([\w./-]+)`", where + copied + tests)]
    paths = [path for path in named if path.startswith(("ugs/", "tests/", "game_masters/", "examples/"))]
    assert len(paths) > 15
    assert [path for path in paths if not (TOP / path).exists()] == []


def test_every_page_that_is_linked_is_there() -> None:
    tops = [TOP / "README.md", TOP / "CONTRIBUTING.md", TOP / "schemas" / "README.md", TOP / "examples" / "README.md"]
    pages = [*tops, *sorted((TOP / "docs").rglob("*.md")), *sorted((TOP / ".github").rglob("*.md"))]
    missing = [
        f"{page.relative_to(TOP)}: {link}"
        for page in pages
        for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8"))
        if not (page.parent / link).exists()
    ]
    assert missing == []
