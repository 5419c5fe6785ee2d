"""What ``ugs master`` begins games with."""

from pathlib import Path

import pytest
import typer

from game_masters.commands.starting import fixture_in, payload_check, shelf_in, with_fixed
from game_masters.kit.rules import Unreadable
from game_masters.registry import find_game

FIXTURE = 'players = 2\n\n[options]\nmode = "ADULT"\n'


def test_options_of_a_fixture_hold_and_may_be_said_again_but_not_otherwise(tmp_path: Path) -> None:
    file = tmp_path / "puzzle.toml"
    file.write_text(FIXTURE)
    fixture = fixture_in(find_game("apologies"), file)
    assert with_fixed(None, None) == []
    assert with_fixed(["a=1"], None) == ["a=1"]
    fixed = [f"{name}={value}" for name, value in fixture.options.items()]
    assert fixed
    assert with_fixed(None, fixture) == fixed
    assert with_fixed(fixed, fixture) == [*fixed, *fixed]
    name = fixed[0].partition("=")[0]
    with pytest.raises(typer.BadParameter, match=f"{name}=other; the fixture has"):
        with_fixed([f"{name}=other"], fixture)


def test_a_fixture_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(typer.BadParameter, match=r"nothing\.toml: cannot be read"):
        fixture_in(find_game("apologies"), tmp_path / "nothing.toml")


def test_only_games_that_can_go_on_another_time_are_kept(tmp_path: Path) -> None:
    assert shelf_in(find_game("titan"), tmp_path) is not None
    with pytest.raises(typer.BadParameter, match="tic-tac-toe has no games that go on another time"):
        shelf_in(find_game("tic-tac-toe"), tmp_path)


def test_a_payload_is_held_against_the_schema_of_the_game() -> None:
    check = payload_check(find_game("tic-tac-toe"))
    with pytest.raises(Unreadable):
        check(b"<move><nothing/></move>")
