"""The options of ``ugs soak``."""

import pytest

from tests.commands.line import ugs


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "one of --attacks, --churn, --faults, --rehearsal, --costs, --long-games, --cluster and --list is wanted"),
        (
            ["--attacks", "--churn"],
            "one of --attacks, --churn, --faults, --rehearsal, --costs, --long-games, --cluster and --list is wanted",
        ),
        (
            ["--churn", "--faults"],
            "one of --attacks, --churn, --faults, --rehearsal, --costs, --long-games, --cluster and --list is wanted",
        ),
        (
            ["--only", "nuls", "--churn"],
            "one of --attacks, --churn, --faults, --rehearsal, --costs, --long-games, --cluster and --list is wanted",
        ),
        (
            ["--churn", "--costs"],
            "one of --attacks, --churn, --faults, --rehearsal, --costs, --long-games, --cluster and --list is wanted",
        ),
        (["--attacks", "--only", "kindness"], "no attack 'kindness'"),
        (["--churn", "--minutes", "-1"], "--minutes"),
        (["--long-games", "--costs"], "--long-games, --cluster and --list is wanted"),
    ],
)
def test_wrong_usage_is_named_and_ends_with_2(arguments: list[str], complaint: str) -> None:
    result = ugs("soak", *arguments)
    assert result.exit_code == 2
    assert complaint in result.output


@pytest.mark.parametrize("options", [[], ["--payload", "4096", "--no-journal"]])
def test_many_long_games_are_all_played_to_their_end(options: list[str]) -> None:
    result = ugs("soak", "--long-games", "--games", "5", "--moves", "80", *options)
    assert result.exit_code == 0, result.output
    *marks, summary = result.output.splitlines()
    assert len(marks) == 4
    assert "5 games of 80 moves" in summary
    assert "5 finished, 0 void" in summary
