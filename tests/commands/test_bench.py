"""The options of ``ugs bench``."""

import pytest

from tests.commands.line import ugs
from ugs.commands.bench import targets_named


def test_the_broker_is_measured_first_and_each_target_once() -> None:
    assert [target.name for target in targets_named("naive, bare,ugs,naive")] == ["ugs", "naive", "bare"]


def test_nothing_need_be_compared_with() -> None:
    assert [target.name for target in targets_named("")] == ["ugs"]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--against", "nothing"], "no target 'nothing'; there are ugs, journal, tls, bare, naive"),
        (["--games", "0"], "--games"),
        (["--payload", "-1"], "--payload"),
        (["--rounds", "x"], "--rounds"),
    ],
)
def test_wrong_usage_is_named_and_ends_with_2(arguments: list[str], complaint: str) -> None:
    result = ugs("bench", *arguments)
    assert result.exit_code == 2
    assert complaint in result.output


def test_the_help_has_examples() -> None:
    result = ugs("bench", "--help")
    assert result.exit_code == 0
    assert "ugs bench --payload 4096 --json" in result.output
