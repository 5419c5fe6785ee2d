"""The command ``ugs``: which commands there are, and that listing them loads none."""

import json
import re
import subprocess
import sys
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from tests.commands.line import ENVIRONMENT, ugs
from ugs import __version__
from ugs.commands import app
from ugs.commands.app import application

COMMANDS = (
    *("serve", "init", "doctor", "master", "bot", "games", "validate", "bench", "demo", "config"),
    *("championship", "lobby", "record", "replay", "standings", "watch", "why"),
)


def test_the_version() -> None:
    result = ugs("--version")
    assert (result.exit_code, result.stdout) == (0, f"ugs {__version__}\n")


def test_the_help_names_all_commands() -> None:
    result = ugs("--help")
    assert result.exit_code == 0
    for command in COMMANDS:
        assert re.search(rf"\b{command}\b", result.output), command


@pytest.mark.parametrize(
    ("question", "command"),
    [
        ("is it better?", "match"),
        ("Watch games", "watch"),
        ("Begin here", "demo"),
        ("Begin here", "tour"),
        ("Run a server", "serve"),
    ],
)
def test_a_command_stands_under_the_question_that_it_answers(question: str, command: str) -> None:
    panels = re.split(r"╭─ ", ugs("--help").output)
    (panel,) = [text for text in panels if question in text.partition("\n")[0]]
    assert re.search(rf"│ {command} ", panel)


EXPLAINED = (
    *[command for command in COMMANDS if command not in ("championship", "record")],
    *[f"championship {order}" for order in ("plan", "list", "show", "pause", "resume", "withdraw", "replay")],
    *[f"record {what}" for what in ("list", "show", "export", "import")],
)


@pytest.mark.parametrize("command", EXPLAINED)
def test_every_command_explains_itself(command: str) -> None:
    result = ugs(*command.split(), "--help")
    assert result.exit_code == 0
    if command != "games":
        assert f"ugs {command}" in result.stdout.partition("Example")[2], "an example to copy"


# What is loaded, and when.

HEAVY = ("trio", "hypercorn", "openskill", "xmlschema", "pydantic", "structlog", "sqlite3", "asyncio")
LIGHT = {"app", "failure", "lazy", "path_type"}
"""The modules of ``ugs.commands`` that hold no command."""
LOADED = "import json, sys; from ugs.__main__ import main\ntry: main()\nfinally: print(json.dumps(list(sys.modules)))"


def loaded(*arguments: str) -> set[str]:
    """The modules that are there when a command line has been run in a process of its own."""
    command = [sys.executable, "-c", LOADED, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize("arguments", [("--help",), ("--version",)])
def test_what_is_listed_is_not_loaded(arguments: tuple[str, ...]) -> None:
    there = loaded(*arguments)
    assert not there & set(HEAVY)
    assert {name for name in there if name.startswith("ugs.commands.")} == {f"ugs.commands.{name}" for name in LIGHT}
    listed = {entry.module for entry in entry_points(group="ugs.commands")}
    assert {name for name in there if name.startswith("game_masters.")} <= listed


def test_a_command_is_loaded_alone() -> None:
    there = loaded("why", "--help")
    others = {f"ugs.commands.{name}" for name, _ in app.COMMANDS if name != "why"}
    assert "ugs.commands.why" in there
    assert not there & {*others, "hypercorn", "openskill", "xmlschema"}


UNUSED = (
    "ugs.journal.journal", "ugs.page", "ugs.pictures", "ugs.standings", "ugs.why", "ugs.terminal",
    "rich", "pygments", "asyncio", "hypercorn", "starlette", "jinja2", "prometheus_client", "wsproto", "h2",
    "argon2", "cryptography", "xmlschema", "openskill", "urllib.request", "http.client", "multiprocessing",
    "tomllib", "html", "ugs.sketch.decoding",
)  # fmt: skip
"""What a server does not need that keeps nothing and has no page."""


def served(*arguments: str) -> set[str]:
    """The modules that a server has loaded when it has been started and stopped."""
    code = "import json, sys\nfrom ugs.__main__ import main\ntry: main()\nfinally: print(json.dumps(list(sys.modules)))"
    command = [sys.executable, "-c", code, "serve", "--port", "0", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        while "listening" not in (line := server.stderr.readline()):
            assert line, "it listens"
        server.terminate()
        written, _ = server.communicate(timeout=300)
    return set(json.loads(written.splitlines()[-1]))


def test_a_plain_server_loads_only_what_it_uses() -> None:
    assert not served() & set(UNUSED)


def test_a_server_with_a_page_and_a_journal_loads_them(tmp_path: Path) -> None:
    there = served("--data-dir", str(tmp_path / "data"), "--http-port", "0")
    assert {"ugs.journal.journal", "ugs.page", "hypercorn"} <= there, "the list above has these names"
    assert "prometheus_client" not in there, "no one has asked for figures"


COMPLETED = """
import json, os, sys
line = sys.argv.pop(1)
words = line.replace(" ", "\\n")  # as bash has them
os.environ |= {"_UGS_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(line.count(" "))}
sys.argv = ["ugs"]
from ugs.__main__ import main
try: main()
finally: print(json.dumps(list(sys.modules)))
"""


QUICK = (
    "serve",
    "demo",
    "doctor",
    "bench",
    "soak",
    "lobby",
    "replay",
    "standings",
    "watch",
    "why",
    "championship plan",
    "record show",
)
"""Commands whose options are known without what they run."""


@pytest.mark.parametrize("line", [*(f"ugs {command} --" for command in QUICK), "ugs master --", "ugs bot tic"])
def test_a_shell_that_completes_a_line_does_not_wait_for_what_runs_it(line: str) -> None:
    command = [sys.executable, "-c", COMPLETED, line]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    *words, modules = done.stdout.splitlines()
    assert [word for word in words if word.startswith(("--", "tic-tac-toe"))], done.stderr
    there = set(json.loads(modules))
    assert not there & {*HEAVY, "ugs.config", "ugs.daemon", "game_masters.tic_tac_toe"}


# What is not there.


def test_a_command_that_is_not_there_is_answered_with_one_like_it() -> None:
    result = ugs("servs")
    assert result.exit_code == 2
    assert "No such command 'servs'. Did you mean 'serve'" in result.stderr
    assert "Did you mean" not in ugs("xyzzy").stderr


def test_a_command_of_a_group_that_is_not_there_is_answered_alike() -> None:
    assert "No such command 'exprot'. Did you mean 'export'" in ugs("record", "exprot").stderr


# What a shell is told when it asks how a word could go on.


def completed(line: str) -> list[str]:
    """The words that could stand at the end of a line."""
    words = line.split(" ")
    env = {**ENVIRONMENT, "_UGS_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    result = CliRunner().invoke(application(), [], prog_name="ugs", env=env)
    assert result.exit_code == 0, result.output
    return result.stdout.split()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("ugs st", ["standings"]),
        ("ugs re", ["replay", "record"]),
        ("ugs m", ["match", "master", "mcp"]),
        ("ugs record ex", ["export"]),
        ("ugs serve --http", ["--http-port"]),
        ("ugs record list --li", ["--limit"]),
        ("ugs why --format js", ["json"]),
        ("ugs xyzzy --f", []),
    ],
)
def test_commands_and_options_are_completed(line: str, words: list[str]) -> None:
    assert completed(line) == words


# Commands of other packages.


@pytest.fixture
def entries(monkeypatch: pytest.MonkeyPatch) -> list[EntryPoint]:
    """What installed packages declare."""
    entries: list[EntryPoint] = []
    monkeypatch.setattr(app, "entry_points", lambda group: [entry for entry in entries if entry.group == group])
    return entries


def test_commands_of_a_broken_package_are_named_and_hide_nothing(
    entries: list[EntryPoint], capsys: pytest.CaptureFixture[str]
) -> None:
    entries.append(EntryPoint("a", "no_such_package:register", "ugs.commands"))
    entries.append(EntryPoint("b", "game_masters.commands:register", "ugs.commands"))
    result = ugs("--help")
    assert result.exit_code == 0
    complaint = capsys.readouterr().err
    assert complaint.startswith("ugs: package unknown: its commands (no_such_package:register) cannot be loaded: ")
    assert complaint.count("\n") == 1
    for command in COMMANDS:
        assert re.search(rf"\b{command}\b", result.stdout), command


def register(to: typer.Typer) -> None:
    """Adds a command that is loaded at once."""

    def greet(name: str) -> None:
        """Greet the <name>."""
        typer.echo(f"good day, {name}")

    to.command()(greet)


def test_a_package_may_add_commands_that_are_loaded_at_once(entries: list[EntryPoint]) -> None:
    entries.append(EntryPoint("a", "tests.commands.test_app:register", "ugs.commands"))
    assert "Greet the <name>." in ugs("--help").stdout
    assert "Greet the <name>." in ugs("greet", "--help").stdout
    assert ugs("greet", "ann").stdout == "good day, ann\n"
