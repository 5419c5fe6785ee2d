"""Whether a server is ready: a full disk, a drain, closed doors."""

from collections.abc import Callable
from pathlib import Path

import pytest
from trio.testing import MockClock

from tests.daemon.shell import Shell
from ugs.broker.events import JournalBack, JournalLost, ShutdownAsked
from ugs.daemon.journal.recorder import Recorder
from ugs.daemon.status.health import MAX_LAG_S, MIN_FREE_BYTES, Health, free_bytes

Opens = Callable[..., Shell]


def health_of(shell: Shell, data_dir: str = "", free: int = MIN_FREE_BYTES) -> Health:
    health = Health(shell.broker.server, shell.keeping.recorder, data_dir, lambda directory: free)
    health.listening = True
    return health


async def test_a_server_is_ready_when_its_doors_are_open(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens()
    assert shell.status.parts.health.obstacles() == ["not listening"]
    shell.status.parts.health.listening = True
    assert shell.status.parts.health.obstacles() == []


async def test_not_while_it_drains(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens(drain_s=60)
    shell.status.parts.health.listening = True
    await shell.table()
    shell.driver.happens(ShutdownAsked())
    assert shell.status.parts.health.obstacles() == ["draining"]


async def test_not_while_the_journal_is_lost(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens()
    shell.status.parts.health.listening = True
    shell.driver.happens(JournalLost("disk full"))
    assert shell.status.parts.health.obstacles() == ["journal lost"]
    shell.driver.happens(JournalBack())
    assert shell.status.parts.health.obstacles() == []


async def test_not_when_the_disk_is_full_before_anything_is_lost(
    opens: Opens, autojump_clock: MockClock, tmp_path: Path
) -> None:
    shell = opens()
    assert health_of(shell, str(tmp_path)).obstacles() == []
    assert health_of(shell, str(tmp_path), MIN_FREE_BYTES - 1).obstacles() == ["disk full"]
    assert health_of(shell, "", 0).obstacles() == [], "where nothing is kept no disk is needed"


async def test_a_directory_that_is_gone_is_a_full_disk(opens: Opens, autojump_clock: MockClock, tmp_path: Path) -> None:
    shell = opens()
    health = Health(shell.broker.server, shell.keeping.recorder, str(tmp_path / "gone"))
    health.listening = True
    assert health.obstacles() == ["disk full"]
    assert health.free_disk_bytes() == 0
    assert free_bytes(str(tmp_path)) > 0


@pytest.mark.parametrize(("lag_s", "obstacles"), [(MAX_LAG_S, []), (MAX_LAG_S + 1, ["journal behind"])])
async def test_not_while_the_journal_is_far_behind(
    opens: Opens,
    autojump_clock: MockClock,
    monkeypatch: pytest.MonkeyPatch,
    lag_s: float,
    obstacles: list[str],
) -> None:
    monkeypatch.setattr(Recorder, "lag_s", lag_s)
    assert health_of(opens()).obstacles() == obstacles


async def test_not_when_the_page_has_met_other_code(opens: Opens, autojump_clock: MockClock) -> None:
    health = health_of(opens())
    health.find_code_replaced()
    assert health.obstacles() == ["code replaced"]
