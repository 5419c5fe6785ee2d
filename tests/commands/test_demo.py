"""The options of ``ugs demo``."""

from pathlib import Path

import pytest

from tests.commands.line import ugs
from ugs.commands import demonstrating


def test_demo_hands_its_options_on(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, int, int, int, Path | None]] = []

    async def play(bots: int, games: int, think_ms: int, port: int, data_dir: Path | None) -> int:
        asked.append((bots, games, think_ms, port, data_dir))
        return 1

    monkeypatch.setattr(demonstrating, "run_demo", play)
    assert ugs("demo", "--bots", "6", "--games", "20", "--think-ms", "0", "--port", "0").exit_code == 1
    assert ugs("demo", "--data-dir", "data").exit_code == 1
    assert asked == [(6, 20, 0, 0, None), (4, 0, 20, 4747, Path("data"))]
    assert ugs("demo", "--bots", "1").exit_code == 2
