"""How the bots of a match are started."""

import pytest

from ugs.match.match_settings import WrongMatch
from ugs.match.start_words import check_command


@pytest.mark.parametrize(
    ("how", "missing"),
    [
        ("./bot {host} {port}", "{nick}"),
        ("./bot {nick}", "{address}, or {host} and {port}"),
        ("", "{address}, or {host} and {port}; {nick}"),
    ],
)
def test_a_command_that_lacks_a_place_is_refused_with_what_is_missing(how: str, missing: str) -> None:
    with pytest.raises(WrongMatch) as refused:
        check_command("a", how)
    assert str(refused.value).endswith(f"missing here: {missing}")
    check_command("a", "./bot {host} {port} {nick}")
