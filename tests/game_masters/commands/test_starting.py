"""What ``ugs master`` begins games with."""

from pathlib import Path

import pytest
import typer

from game_masters.commands.starting import (
    check_start,
    fixture_in,
    fixture_of_words,
    payload_check,
    shelf_in,
    split_words,
    with_fixed,
)
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


def test_what_begins_a_game_may_stand_among_its_options() -> None:
    chess = find_game("chess")
    assert split_words(chess, None) == ([], {})
    assert split_words(chess, ["chess960=no", "fen=a=b"]) == (["chess960=no"], {"fen": "a=b"})
    assert split_words(find_game("tic-tac-toe"), ["fen=a"]) == (["fen=a"], {})
    position = "7k/8/8/8/8/8/8/R6K b - - 0 1"
    fixture = fixture_of_words(chess, {"fen": position})
    check_start(chess, fixture, chess.choose_options({}), "--option")
    assert fixture.players == 2
    assert fixture.start(chess, chess.choose_options({})).fen == position


@pytest.mark.parametrize(
    ("fen", "reason"),
    [
        ("nothing", "fen: 'nothing' is not a position: expected 8 rows"),
        ("8/8/8/8/8/8/8/R6K w - - 0 1", "is not a position: no black king"),
        ('\\"\n', "is not a position"),
        ("k" * 70_000, "at most"),
        ("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", "end the game before it begins"),
        ("\x00", "is not a position"),
    ],
)
def test_a_position_that_is_none_is_refused_with_the_reason(fen: str, reason: str) -> None:
    chess = find_game("chess")
    with pytest.raises(typer.BadParameter, match=reason) as refused:
        check_start(chess, fixture_of_words(chess, {"fen": fen}), chess.choose_options({}), "--option")
    assert refused.value.param_hint == "--option"
