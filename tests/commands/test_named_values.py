"""Options that are given as NAME=VALUE."""

import pytest
import typer

from ugs.commands.named_values import named_values


def test_values_are_found_by_their_names_and_may_hold_signs_of_equality() -> None:
    assert named_values("ugs match", "--option", ["size=9", "command=go --size=9", "empty="]) == {
        "size": "9",
        "command": "go --size=9",
        "empty": "",
    }
    assert named_values("ugs match", "--option", None) is None


@pytest.mark.parametrize("texts", [["size"], ["=9"], ["size=9", "size=13"]])
def test_each_has_a_name_of_its_own_and_a_value(texts: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit):
        named_values("ugs match", "--option", texts)
    assert f"--option {texts[-1]!r}: allowed: NAME=VALUE, each name once" in capsys.readouterr().err
