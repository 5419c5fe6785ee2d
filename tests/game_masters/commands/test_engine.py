"""The command ``ugs engine``."""

import pytest
import typer

from game_masters.commands import engine_run
from tests.game_masters.commands.line import ugs


def test_its_options_are_what_the_seat_is(app: typer.Typer, monkeypatch: pytest.MonkeyPatch) -> None:
    seats: list[engine_run.EngineSeat] = []
    monkeypatch.setattr(engine_run, "run_engine", lambda protocol, seat, *rest: seats.append(seat))
    line = ("engine", "example.org:4747", "--nick", "ann", "--game-type", "chess-variant", "--option", "variant=shogi")
    assert ugs(app, *line)[0] == 0
    assert (seats[0].game.name, seats[0].nick, seats[0].options.word("variant")) == ("chess-variant", "ann", "shogi")


def test_a_game_without_front_ends_is_refused(app: typer.Typer) -> None:
    exit_code, _, error = ugs(app, "engine", "--game", "tic-tac-toe")
    assert exit_code == 2
    assert "is not played by front ends" in error
