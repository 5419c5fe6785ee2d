"""What the README promises, done word for word."""

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SECONDS = 60


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """A broker with a game master and a bot that waits for somebody to play against."""
    ready, log = tmp_path / "ready.json", tmp_path / "broker.log"
    ugs = [sys.executable, "-m", "ugs"]
    with log.open("w", encoding="utf-8") as stderr:
        broker = subprocess.Popen([*ugs, "serve", "--port", "0", "--ready-file", str(ready)], stderr=stderr)
    wait_for("listening", log)
    where = json.loads(ready.read_text(encoding="utf-8"))["game"]
    others = [
        subprocess.Popen([*ugs, *arguments.split(), "--connect", where, "--once"], stderr=subprocess.DEVNULL)
        for arguments in ("master tic-tac-toe", "bot tic-tac-toe --nick partner")
    ]
    wait_for("player logged in", log)
    yield str(where)
    broker.terminate()
    for process in (broker, *others):
        process.wait(timeout=SECONDS)


def wait_for(event: str, log: Path) -> None:
    """Until the broker has logged that this happened."""
    deadline = time.monotonic() + SECONDS
    while f'"{event}"' not in log.read_text(encoding="utf-8"):
        assert time.monotonic() < deadline, f"not in the log: {event}"
        time.sleep(0.02)


def block(language: str, beginning: str) -> str:
    """The first code block of that language that begins so."""
    blocks = re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)
    return str(next(text for text in blocks if text.startswith(beginning)))


def test_the_five_minute_bot_plays_as_many_games_as_it_was_told(address: str, tmp_path: Path) -> None:
    bot = tmp_path / "mybot.py"
    bot.write_text(block("python", "import random"), encoding="utf-8")
    host, _, port = address.rpartition(":")
    played = subprocess.run(
        [sys.executable, str(bot), host, port, "me", "3"], capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert (played.returncode, played.stderr) == (0, "")
    games = played.stdout.splitlines()
    assert len(games) == 3
    assert all(sorted(re.findall(r"(\w+): (?:winner|loser)", game)) == ["me", "partner"] for game in games)


def test_the_bot_is_told_when_its_login_is_refused(address: str, tmp_path: Path) -> None:
    bot = tmp_path / "mybot.py"
    bot.write_text(block("python", "import random"), encoding="utf-8")
    host, _, port = address.rpartition(":")
    refused = subprocess.run(
        [sys.executable, str(bot), host, port, "partner", "1"],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert refused.returncode == 1
    assert "login refused, error 1" in refused.stderr


def test_the_commands_of_the_table_exist() -> None:
    table = re.findall(r"^\| `ugs (\w+)", README, re.MULTILINE)
    assert len(table) >= 8
    shown = subprocess.run([sys.executable, "-m", "ugs", "--help"], capture_output=True, text=True, check=True).stdout
    assert [command for command in table if not re.search(rf"│ {command} ", shown)] == []


def test_the_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in set(re.findall(r"`?make (\w+)", README)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_every_page_that_is_linked_is_there() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
    missing = [
        f"{page.name}: {link}"
        for page in pages
        for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8"))
        if not (page.parent / link).exists()
    ]
    assert missing == []
