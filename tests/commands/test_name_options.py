"""Names that no server allows are refused before anything connects."""

import pytest
import typer

from ugs.commands.name_options import checked_id, checked_nick


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "'' is empty"),
        ("n" * 65, "is longer than 64 characters"),
        ("a\tb", "'a\\\\tb' holds control characters"),
        ("\N{CYRILLIC SMALL LETTER A}nn", "mixes letters that look alike"),
        ("ann (watching)", "ends with '(watching)'"),
    ],
)
def test_a_nick_that_no_server_allows_is_refused_with_the_reason(name: str, why: str) -> None:
    with pytest.raises(typer.BadParameter, match=why.replace("(", r"\(").replace(")", r"\)")):
        checked_nick(name)


def test_a_name_of_a_master_has_the_same_rules() -> None:
    with pytest.raises(typer.BadParameter, match="'' is empty"):
        checked_id("")


def test_other_names_stay_as_they_are() -> None:
    assert (checked_nick("ann"), checked_nick(None), checked_id("x-1"), checked_id(None)) == ("ann", None, "x-1", None)
