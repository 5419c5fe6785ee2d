"""Options come with what they are for."""

from ugs.page.option_purposes import purpose


def test_an_installed_game_explains_its_options() -> None:
    assert purpose("size", "go") == "lines of the board"
    assert purpose("size", "no-such-game") == ""
    assert purpose("no-such-option", "go") == ""
