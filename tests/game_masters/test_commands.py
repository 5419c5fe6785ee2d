"""The commands ``ugs master``, ``ugs bot``, ``ugs games``."""

import json
import random
import socket
from collections.abc import Iterator
from typing import Any

import pytest
import structlog
import typer
from typer.testing import CliRunner

import game_masters.commands as commands
from game_masters.kit.client import Client, Send
from game_masters.kit.master import Master
from game_masters.kit.player import Player
from game_masters.registry import Registry, find_games
from tests.game_masters.test_registry import GOOD, point
from ugs.wire.extensions import Advertise, Hello, ListTables, NewTable, Visibility
from ugs.wire.messages import BeginGame, Choice, GameMasterLogin, LoginResponse, Message, Move, PlayerLogin


@pytest.fixture
def app() -> typer.Typer:
    app = typer.Typer()
    commands.register(app)
    return app


@pytest.fixture
def logging_afresh() -> Iterator[None]:
    """For tests in which a command sets up logging to a stream that is gone afterwards."""
    yield
    structlog.reset_defaults()


class Started:
    """What the command would have run."""

    client: Client
    address: str
    facts: dict[str, Any]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Started:
    started = Started()

    def remember(client: Client, address: str, **facts: Any) -> None:
        started.client, started.address, started.facts = client, address, facts

    monkeypatch.setattr(commands, "_run", remember)
    return started


def ugs(app: typer.Typer, *words: str) -> tuple[int, str, str]:
    result = CliRunner(env={"COLUMNS": "200", "NO_COLOR": "1", "TERM": "dumb"}).invoke(app, words)
    return result.exit_code, result.stdout, result.stderr


def test_a_master_is_made_from_the_command_line(app: typer.Typer, started: Started) -> None:
    words = "master tic-tac-toe --connect h:1 --id m7 --game-type small --option width=9 --option height=9 --once"
    assert ugs(app, *words.split())[0] == 0
    assert isinstance(started.client, Master)
    assert started.address == "h:1"
    assert started.facts["once"] is True
    *_, login = started.client.connected()
    assert getattr(login, "message", None) == GameMasterLogin("m7", "small", "2", "2")


def test_a_bot_is_made_from_the_command_line(app: typer.Typer, started: Started) -> None:
    words = "bot tic-tac-toe --connect_to h:1 --nick ann --bot random --games 3 --think-ms 5 --seed 1"
    assert ugs(app, *words.split())[0] == 0
    assert isinstance(started.client, Player)
    assert started.facts["once"] is False
    *_, login = started.client.connected()
    assert getattr(login, "message", None) == PlayerLogin("ann", "5-in-line-tic-tac-toe")


def test_player_is_a_hidden_name_of_bot(app: typer.Typer, started: Started) -> None:
    assert ugs(app, "player", "tic-tac-toe", "--nick", "ann")[0] == 0
    assert isinstance(started.client, Player)
    helped = ugs(app, "--help")[1]
    assert "bot" in helped
    assert "player  " not in helped


def test_masters_without_an_id_have_different_ones_of_allowed_length(app: typer.Typer, started: Started) -> None:
    ugs(app, "master", "tic-tac-toe")
    *_, login = started.client.connected()
    message = getattr(login, "message", None)
    assert isinstance(message, GameMasterLogin)
    assert message.id is not None
    assert 1 <= len(message.id) <= 64
    assert socket.gethostname()[:30] in message.id


def test_check_applies_the_schema_of_the_game(app: typer.Typer, started: Started) -> None:
    ugs(app, "master", "tic-tac-toe", "--check")
    client = started.client
    client.received(LoginResponse())
    client.received(BeginGame("g1", ("ann", "bob")))
    note, *_ = client.received(Move("g1", b'<move><tic x="99999999999" y="0"/></move>'))
    assert "unreadable move" in str(note)
    assert "x" in str(note)


def said(app: typer.Typer, started: Started, *words: str) -> Message:
    """Return what a bot says when it is logged in and may use the lobby."""
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

    monkeypatch.setattr(commands, "Player", Listening)
    assert ugs(app, "bot", "tic-tac-toe", "--nick", "ada", *words.split())[0] == 0
    assert made == [games]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("master chess", "there is no game 'chess'; installed: "),
        ("bot chess --nick ann", "there is no game 'chess'; installed: "),
        ("bot tic-tac-toe", "--nick"),
        ("master tic-tac-toe --option width=2", "option width: '2' is not allowed; allowed: 3 to 100"),
        ("master tic-tac-toe --option colour=red", "tic-tac-toe has no such option; it has: width, height, row"),
        ("master tic-tac-toe --option width", "'width' is not of the form K=V"),
        ("master tic-tac-toe --option width=3 --option height=3", "option row: 5 does not fit on the board"),
        ("bot tic-tac-toe --nick ann --bot bold", "tic-tac-toe has no bot 'bold'; it has: threats, random"),
        ("bot tic-tac-toe --nick ann --games 0", "--games"),
        ("bot tic-tac-toe --nick ann --think-ms -1", "--think-ms"),
        ("bot tic-tac-toe --nick ann --advertise x --join x", "Invalid value for --join: a bot sits at one table"),
        (
            "bot tic-tac-toe --nick ann --advertise x --seats 3",
            "Invalid value for --seats: 3 is not allowed; allowed: 2",
        ),
        ("bot tic-tac-toe --nick ann --advertise x --option width=2", "option width: '2' is not allowed"),
        ("bot tic-tac-toe --nick ann --invite ben", "Invalid value for --invite: goes with --advertise"),
        ("bot tic-tac-toe --nick ann --join x --v4", "Invalid value for --v4: plain v4 knows no tables"),
        ("master tic-tac-toe --connect nowhere", "'nowhere' is not HOST:PORT"),
        ("master tic-tac-toe --connect h:70000", "'h:70000' is not HOST:PORT"),
        ("master tic-tac-toe --log-level loud", "loud"),
    ],
)
def test_wrong_usage_is_exit_code_2_and_says_what_is_allowed(app: typer.Typer, words: str, why: str) -> None:
    exit_code, _, error = ugs(app, *words.split())
    assert exit_code == 2
    assert why in " ".join(error.replace("│", " ").split())


@pytest.mark.usefixtures("logging_afresh")
def test_nobody_at_the_address_is_exit_code_1(app: typer.Typer) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    exit_code, _, error = ugs(app, "bot", "tic-tac-toe", "--nick", "ann", "--once", "--connect", f"127.0.0.1:{port}")
    assert exit_code == 1
    assert "cannot connect" in error


def test_games_are_shown_to_people(app: typer.Typer) -> None:
    exit_code, shown, _ = ugs(app, "games")
    assert exit_code == 0
    for word in ("tic-tac-toe", "5-in-line-tic-tac-toe", "width=20 (3 to 100)", "threats", "random"):
        assert word in shown


def test_games_are_shown_to_programs(app: typer.Typer) -> None:
    exit_code, shown, _ = ugs(app, "games", "--json")
    assert exit_code == 0
    (game,) = [game for game in json.loads(shown)["games"] if game["name"] == "tic-tac-toe"]
    assert game["package"] == "ugs"
    assert (game["players_min"], game["players_max"]) == (2, 2)
    assert game["options"][0] == {
        "name": "width",
        "type": "integer",
        "default": 20,
        "allowed": "3 to 100",
        "explanation": "columns of the board, x from 0",
    }
    assert [bot["name"] for bot in game["bots"]] == ["threats", "random"]


def test_a_broken_package_is_named_and_the_others_are_shown(app: typer.Typer, monkeypatch: pytest.MonkeyPatch) -> None:
    def some_games() -> Registry:
        return find_games([GOOD, point("gone", "no_such_package:GAME")])

    monkeypatch.setattr(commands, "find_games", some_games)
    for words in (["games"], ["games", "--json"]):
        exit_code, shown, error = ugs(app, *words)
        assert exit_code == 1
        assert "high-card" in shown
        assert "game 'gone' of the package 'unknown' cannot be used" in error


def test_with_v4_nothing_but_the_login_is_said(app: typer.Typer, started: Started) -> None:
    for words in ("master tic-tac-toe", "bot tic-tac-toe --nick ann"):
        ugs(app, *words.split())
        hello, _ = started.client.connected()
        program = f"ugs {words.partition(' --')[0]}"
        assert getattr(getattr(hello, "message", None), "program", None) == program
        ugs(app, *words.split(), "--v4")
        assert len(started.client.connected()) == 1


def test_a_game_with_secrets_cannot_be_led_in_plain_v4(app: typer.Typer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "find_games", lambda: find_games([GOOD]))
    exit_code, _, error = ugs(app, "master", "high-card", "--v4")
    assert exit_code == 2
    assert "high-card has hidden information" in " ".join(error.replace("│", " ").split())


def test_options_may_decide_whether_a_game_can_be_led_in_plain_v4(app: typer.Typer, started: Started) -> None:
    for words in ("", "--option mode=ADULT", "--v4", "--v4 --option mode=STANDARD"):
        assert ugs(app, "master", "apologies", *words.split())[0] == 0
    for game, options, what in (
        ("apologies", "--option rules=strict --option mode=ADULT", "apologies with rules=strict, mode=ADULT"),
        ("apologies-adult", "--option rules=strict", "apologies-adult"),
    ):
        exit_code, _, error = ugs(app, "master", game, *options.split(), "--v4")
        assert exit_code == 2
        why = f"Invalid value for --v4: {what} has hidden information, and plain v4 shows every state to all players"
        assert why in " ".join(error.replace("│", " ").split())


def test_a_seed_repeats_the_luck_of_a_game_and_of_no_other(
    app: typer.Typer, started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[float] = []

    class Listening(Master[Any, Any]):
        def __init__(self, *args: Any, chance: Any, **facts: Any) -> None:
            made.extend(chance(game_id).random() for game_id in ("g1", "g1", "g2"))
            super().__init__(*args, chance=chance, **facts)

    monkeypatch.setattr(commands, "Master", Listening)
    ugs(app, "master", "tic-tac-toe", "--seed", "7")
    ugs(app, "master", "tic-tac-toe", "--seed", "7")
    ugs(app, "master", "tic-tac-toe")
    first, second, third = made[:3], made[3:6], made[6:]
    assert first == second
    assert first[0] == first[1] != first[2]
    assert third[0] not in first
    assert random.Random("7 g1").random() == first[0]
