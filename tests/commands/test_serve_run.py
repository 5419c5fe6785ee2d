"""The run of ``ugs serve``: what its options mean. What it does with them is in ``test_serve``."""

import pytest
import typer

from ugs.commands.serve_run import championships_of, package_warnings


@pytest.mark.parametrize(
    ("texts", "more"), [(["chess:8"], []), (["chess"], ["8"]), (["a:b:8"], []), (["chess", "go:4"], ["8"])]
)
def test_a_championship_is_a_type_and_a_number(texts: list[str], more: list[str]) -> None:
    settings, plans = championships_of(texts, more)
    assert plans == []
    name = texts[0].removesuffix(":8")
    assert settings[name] == {"mode": "championship", "championship_players": 8}
    assert len(settings) == len(texts)


@pytest.mark.parametrize(
    ("texts", "more", "wrong"),
    [
        (["chess"], [], "'chess': allowed: a plan file"),
        (["chess:1"], [], "at least 2 players"),
        ([], ["8"], "unexpected argument '8': all is given by options, such as --port N"),
        (["chess:8"], ["my.toml"], "unexpected argument 'my.toml': .* such as --config FILE"),
    ],
)
def test_anything_else_is_refused_with_what_is_allowed(texts: list[str], more: list[str], wrong: str) -> None:
    with pytest.raises(typer.BadParameter, match=wrong):
        championships_of(texts, more)


def test_a_game_in_the_place_of_its_type_is_warned_of() -> None:
    assert package_warnings(["5-in-line-tic-tac-toe", "mine"]) == []
    hint = " ('tic-tac-toe' is a game whose type is '5-in-line-tic-tac-toe')"
    assert package_warnings(["bang", "tic-tac-toe", "mine"]) == [f"championship of 'tic-tac-toe'{hint}"]
    assert package_warnings([], ["tic-tac-toe", "mine"]) == [f"settings of game type 'tic-tac-toe'{hint}"]
