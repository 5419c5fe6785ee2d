"""What memory a player takes who only waits."""

from collections.abc import Callable
from pathlib import Path

import pytest

from ugs.bench import idle as bench_idle
from ugs.bench.goals import IDLE_BYTES, IDLE_PLAYERS
from ugs.bench.idle import Idle, measure_idle
from ugs.bench.load import Load
from ugs.bench.paced_report import idle_as_dict, idle_text
from ugs.bench.run import BenchFailed


@pytest.mark.parametrize(
    ("players", "each", "met", "said"),
    [
        (IDLE_PLAYERS, IDLE_BYTES, True, "10000 bytes of memory each (goal: 10000, met)"),
        (IDLE_PLAYERS, IDLE_BYTES + 1, False, "10001 bytes of memory each (goal: 10000, MISSED)"),
        (77, IDLE_BYTES + 1, None, "77 idle players: 10001 bytes of memory each; the server grew from 60 to 61 MB"),
    ],
)
def test_the_goal_is_about_thousands(players: int, each: int, met: bool | None, said: str) -> None:
    measured = Idle(players, 60_000_000, 60_000_000 + players * each)
    assert measured.met is met
    assert said in idle_text(measured)
    assert idle_as_dict(measured, {"processors": 2})["bytes_per_player"] == each


def test_players_wait_while_the_memory_is_looked_at() -> None:
    measured = measure_idle(200)
    assert measured.players == 200
    assert 0 < measured.bytes_per_player < 1_000_000


def test_a_failure_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def luckless(settings: object) -> Callable[[Path, Load], list[str]]:
        return lambda directory, load: ["-c", "import sys; sys.exit('no luck')"]

    monkeypatch.setattr(bench_idle, "serving", luckless)
    with pytest.raises(BenchFailed, match=r"(?s)5 idle players: .*no luck"):
        measure_idle(5)
