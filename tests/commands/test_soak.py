"""The options of ``ugs soak``."""

import pytest

from tests.commands.line import ugs


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "one of --attacks, --churn, --faults, --rehearsal, --costs and --list is wanted"),
        (["--attacks", "--churn"], "one of --attacks, --churn, --faults, --rehearsal, --costs and --list is wanted"),
        (["--churn", "--faults"], "one of --attacks, --churn, --faults, --rehearsal, --costs and --list is wanted"),
        (
            ["--only", "nuls", "--churn"],
            "one of --attacks, --churn, --faults, --rehearsal, --costs and --list is wanted",
        ),
        (["--churn", "--costs"], "one of --attacks, --churn, --faults, --rehearsal, --costs and --list is wanted"),
        (["--attacks", "--only", "kindness"], "no attack 'kindness'"),
        (["--churn", "--minutes", "-1"], "--minutes"),
    ],
)
def test_wrong_usage_is_named_and_ends_with_2(arguments: list[str], complaint: str) -> None:
    result = ugs("soak", *arguments)
    assert result.exit_code == 2
    assert complaint in result.output
