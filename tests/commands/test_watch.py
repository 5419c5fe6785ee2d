"""The options of ``ugs watch``."""

import pytest

from tests.commands.line import ugs


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--game", "g1", "--type", "chess"], "they exclude each other"),
        (["chess", "--game", "g1"], "they exclude each other"),
        (["chess", "--type", "kalah"], "two game types: 'chess' and 'kalah'"),
        (["chess", "--connect", "nowhere"], "is not HOST:PORT"),
        (["--game", "g1", "--connect", "nowhere"], "is not HOST:PORT"),
        (["--game", "g1", "--from", "end"], "--from"),
        (["--game", "g1", "--delay", "-1"], "--delay"),
        (["--game", "g1", "--lines", "--json"], "exclude each other"),
    ],
)
def test_wrong_usage_is_named_and_ends_with_2(arguments: list[str], words: str) -> None:
    result = ugs("watch", *arguments)
    assert result.exit_code == 2
    assert words in result.output


def test_the_help_has_examples() -> None:
    assert "ugs watch --type" in ugs("watch", "--help").stdout
