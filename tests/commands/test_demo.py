"""The options of ``ugs demo``."""

from pathlib import Path

import pytest

from tests.commands.line import ugs
from ugs.commands import demo_run
from ugs.commands.demo_game import DEFAULT_GAME, demo_game
from ugs.commands.demo_run import WantedDemo


def test_demo_hands_its_options_on(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[WantedDemo] = []

    async def play(wanted: WantedDemo) -> int:
        asked.append(wanted)
        return 1

    monkeypatch.setattr(demo_run, "run_demo", play)
    assert ugs("demo", "--bots", "6", "--games", "20", "--think-ms", "0", "--port", "0").exit_code == 1
    assert ugs("demo", "--data-dir", "data").exit_code == 1
    assert ugs("demo", "--http-port", "8081").exit_code == 1
    game = demo_game(DEFAULT_GAME)
    assert asked == [
        WantedDemo(game, 6, 20, 0, 0),
        WantedDemo(game, 4, 0, 20, 4747, data_dir=Path("data")),
        WantedDemo(game, 4, 0, 20, 4747, http_port=8081),
    ]
    assert ugs("demo", "--bots", "1").exit_code == 2


def test_no_more_bots_than_a_machine_can_start() -> None:
    assert "2<=x<=200" in ugs("demo", "--bots", "201").stderr
