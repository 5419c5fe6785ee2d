"""The command ``ugs master``."""

import random
import socket
from pathlib import Path
from typing import Any

import pytest
import typer

from game_masters.commands import playing
from game_masters.commands.master import MAX_MESSAGE_BYTES
from game_masters.kit.client import Send
from game_masters.kit.master import Master
from game_masters.registry import find_game
from tests.game_masters.commands.line import Started, ugs
from tests.game_masters.test_registry import GOOD
from ugs.peer import TO_SERVER
from ugs.wire.extensions import Family, Hello, Offers
from ugs.wire.messages import BeginGame, GameMasterLogin, LoginResponse, Move


def test_a_master_is_made_from_the_command_line(app: typer.Typer, started: Started) -> None:
    words = "master tic-tac-toe --connect h:1 --id m7 --game-type small --option width=9 --option height=9 --once"
    assert ugs(app, *words.split())[0] == 0
    assert isinstance(started.client, Master)
    assert started.to.address == "h:1"
    assert started.line.once is True
    *_, login = started.client.connected()
    assert getattr(login, "message", None) == GameMasterLogin("m7", "small", "2", "2")


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


def test_games_begin_from_a_fixture(app: typer.Typer, started: Started, tmp_path: Path) -> None:
    fixture = tmp_path / "puzzle.toml"
    fixture.write_text('players = 3\r\nbegins = "GREEN"\noptions.mode = "ADULT"\n', encoding="utf-8")
    assert ugs(app, "master", "apologies", "--fixture", str(fixture), "--option", "mode=ADULT")[0] == 0
    client = started.client
    client.connected()
    families = (Family.TABLE, Family.RESTORE, Family.VIEWS)
    client.received(Hello(families))
    (offers,) = [one.message for one in client.received(LoginResponse()) if isinstance(one, Send)]
    assert isinstance(offers, Offers)
    assert offers.setup == 'players = 3\nbegins = "GREEN"\noptions.mode = "ADULT"\n'
    assert offers.options[0].value == "ADULT"


@pytest.mark.parametrize(
    ("game", "text", "words", "why"),
    [
        ("apologies", "players = 3\npile = ['6']", "", "pile[0]: '6' is not allowed"),
        ("apologies", "players = ", "", "not TOML"),
        ("apologies", "players = 2", "--v4", "plain v4 has no word for"),
        ("apologies", "players = 2\noptions.mode = 'ADULT'", "--option mode=STANDARD", "the fixture has 'ADULT'"),
        ("tic-tac-toe", "players = 2\nstones = 1", "", "is not a list"),
        ("apologies", "\udcff", "", "not UTF-8"),
        ("apologies", None, "", "cannot be read"),
    ],
)
def test_a_fixture_that_cannot_be_used_is_refused_before_anything_is_said(
    app: typer.Typer, tmp_path: Path, game: str, text: str | None, words: str, why: str
) -> None:
    fixture = tmp_path / "f.toml"
    if text is not None:
        fixture.write_bytes(text.encode("utf-8", "surrogateescape"))
    exit_code, _, error = ugs(app, "master", game, "--fixture", str(fixture), *words.split())
    assert exit_code == 2
    assert why in " ".join(error.replace("│", " ").split())


def test_a_game_with_secrets_cannot_be_led_in_plain_v4(app: typer.Typer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "find_game", lambda name: find_game(name, [GOOD]))
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

    monkeypatch.setattr(playing, "Master", Listening)
    ugs(app, "master", "tic-tac-toe", "--seed", "7")
    ugs(app, "master", "tic-tac-toe", "--seed", "7")
    ugs(app, "master", "tic-tac-toe")
    first, second, third = made[:3], made[3:6], made[6:]
    assert first == second
    assert first[0] == first[1] != first[2]
    assert third[0] not in first
    assert random.Random("7 g1").random() == first[0]


def test_by_default_a_master_says_what_a_server_with_default_settings_takes() -> None:
    assert TO_SERVER.max_message_bytes == MAX_MESSAGE_BYTES
