"""Many logins at once."""

from collections.abc import Callable
from pathlib import Path

import pytest

from ugs.bench import login_rush
from ugs.bench.goals import LOGINS
from ugs.bench.load import Load
from ugs.bench.login_rush import LoginRush, measure_logins
from ugs.bench.message_counts import MessageTally
from ugs.bench.newcomers import Rush, RushingPlayer
from ugs.bench.paced_report import logins_as_dict, logins_text
from ugs.bench.run import BenchFailed


@pytest.mark.parametrize(
    ("players", "refused", "list_bytes", "met", "said"),
    [
        (LOGINS, 0, 100, True, "10.0% of 0.0 MB beside 0 states (goal: none refused, 10%; met)"),
        (LOGINS, 0, 101, False, "MISSED"),
        (LOGINS, 1, 0, False, "1 refused"),
        (77, 1, 500, None, "77 logins at once beside 2 programs that want a processor each: 1 refused"),
    ],
)
def test_the_goal_is_about_thousands(players: int, refused: int, list_bytes: int, met: bool | None, said: str) -> None:
    measured = LoginRush(players, 2, Rush(players, refused, 1.0, 5, list_bytes, 1000))
    assert measured.met is met
    assert said in logins_text(measured)
    assert logins_as_dict(measured, {"processors": 2})["list_share"] == list_bytes / 1000


def test_all_come_at_once_and_play() -> None:
    rush = measure_logins(40, 1, play_s=0.5).rush
    assert (rush.answered, rush.refused) == (40, 0)
    assert rush.states >= 40
    assert 0 < rush.list_bytes < rush.received_bytes


def test_a_refused_player_is_counted() -> None:
    rush = Rush()
    newcomer = RushingPlayer(b"kim", Load(), MessageTally(), rush)
    assert newcomer.answer_to(b'<message type="loginResponse"><response accept="no"/><error id="1"/>') == b""
    assert (rush.answered, rush.refused, newcomer.admitted, newcomer.finished) == (1, 1, False, True)


def test_a_failure_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def luckless(settings: object) -> Callable[[Path, Load], list[str]]:
        return lambda directory, load: ["-c", "import sys; sys.exit('no luck')"]

    monkeypatch.setattr(login_rush, "serving", luckless)
    with pytest.raises(BenchFailed, match=r"(?s)5 logins: .*no luck"):
        measure_logins(5, 0)
