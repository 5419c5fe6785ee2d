"""Words that are a command of another group."""

import pytest

from tests.commands.line import ugs


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        (("championship", "void", "spring", "g1"), "`ugs admin void GAME`"),
        (("admin", "correct", "g1"), "`ugs championship correct NAME GAME`"),
        (("admin", "withdraw", "ann"), "`ugs championship withdraw NAME NICK`"),
    ],
)
def test_a_command_of_another_group_is_named(line: tuple[str, ...], meant: str) -> None:
    told = ugs(*line, environment={"COLUMNS": "1000"})
    assert (told.exit_code, meant in told.stderr) == (2, True)
