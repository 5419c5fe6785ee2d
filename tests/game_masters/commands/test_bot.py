"""The command ``ugs bot``."""

from pathlib import Path
from typing import Any

import pytest
import typer

from game_masters.commands import playing
from game_masters.kit.client import Send
from game_masters.kit.player import Player
from tests.game_masters.commands.line import Started, ugs
from ugs.dialogue_log import DialogueLog
from ugs.wire.extensions import Advertise, Hello, ListTables, NewTable, Visibility
from ugs.wire.messages import Choice, LoginResponse, Message, PlayerLogin


def test_a_bot_is_made_from_the_command_line(app: typer.Typer, started: Started) -> None:
    words = "bot tic-tac-toe --connect_to h:1 --nick ann --bot random --games 3 --think-ms 5 --seed 1"
    assert ugs(app, *words.split())[0] == 0
    assert isinstance(started.client, Player)
    assert started.line.once is False
    *_, login = started.client.connected()
    assert getattr(login, "message", None) == PlayerLogin("ann", "5-in-line-tic-tac-toe")


def test_player_is_a_hidden_name_of_bot(app: typer.Typer, started: Started) -> None:
    assert ugs(app, "player", "tic-tac-toe", "--nick", "ann")[0] == 0
    assert isinstance(started.client, Player)
    helped = ugs(app, "--help")[1]
    assert "bot" in helped
    assert "player  " not in helped


def said(app: typer.Typer, started: Started, *words: str) -> Message:
    """What a bot says when it has been let in, and may use the lobby."""
    exit_code, _, error = ugs(app, "bot", "tic-tac-toe", "--nick", "ada", *words)
    assert exit_code == 0, error
    started.client.connected()
    started.client.received(Hello(("lobby",)))
    *_, last = started.client.received(LoginResponse())
    assert isinstance(last, Send)
    return last.message


def test_a_bot_sets_a_table_up(app: typer.Typer, started: Started) -> None:
    words = "--seats 2 --private --invite ben --invite cyd --option height=9 --option row=4"
    message = said(app, started, "--advertise", "Friday table", *words.split())
    choices = (Choice("height", "9"), Choice("row", "4"))
    table = NewTable("Friday table", 2, Visibility.PRIVATE, 0, choices, ("ben", "cyd"))
    assert message == Advertise(table, "seat 1")


def test_a_bot_plays_against_computers_and_begins_early(app: typer.Typer, started: Started) -> None:
    message = said(app, started, *["--advertise", "x", "--computers", "1", "--start-with", "1"])
    assert message == Advertise(NewTable("x", 2, Visibility.PUBLIC, 1), "seat 1")


def test_a_bot_sits_down_at_a_table(app: typer.Typer, started: Started) -> None:
    assert said(app, started, "--join", "Friday table") == ListTables("seat 1")


@pytest.mark.parametrize(
    ("words", "games"), [("", None), ("--advertise x", 1), ("--join x", 1), ("--join x --games 3", 3)]
)
def test_at_a_table_a_bot_plays_once_unless_more_is_wanted(
    app: typer.Typer, started: Started, monkeypatch: pytest.MonkeyPatch, words: str, games: int | None
) -> None:
    made: list[int | None] = []

    class Listening(Player[Any, Any]):
        def __init__(self, *args: Any, games: int | None, **facts: Any) -> None:
            made.append(games)
            super().__init__(*args, games=games, **facts)

    monkeypatch.setattr(playing, "Player", Listening)
    assert ugs(app, "bot", "tic-tac-toe", "--nick", "ada", *words.split())[0] == 0
    assert made == [games]


def test_a_dialogue_is_written_to_a_file(app: typer.Typer, started: Started, tmp_path: Path) -> None:
    file = tmp_path / "dialogue.log"
    assert ugs(app, "bot", "tic-tac-toe", "--nick", "ada", "--log", str(file))[0] == 0
    assert isinstance(started.to.dialogue, DialogueLog)
    assert file.exists()
    code, _, error = ugs(app, "bot", "tic-tac-toe", "--nick", "ada", "--log", str(tmp_path / "no" / "folder"))
    assert code == 2
    assert "No such file" in error
