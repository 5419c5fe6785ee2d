"""How many processes a bundled bot has, and where its copies play."""

from pathlib import Path
from typing import cast

import pytest
import trio

from ugs.match.bundled_process import BundledProcess
from ugs.match.bundled_processes import BUSY, FREE, LOOK_S, BundledProcesses


class Process:
    """Stands in for a process that is busy for a part of the time."""

    def __init__(self, busy: float) -> None:
        self.began = trio.current_time()
        self.busy = busy
        self.plays: list[str] = []
        self.seeds: list[str] = []

    @property
    def used_s(self) -> float:
        return self.busy * (trio.current_time() - self.began)

    async def run(self, _address: object, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        task_status.started()
        await trio.sleep_forever()

    async def play(self, nick: str, _errors: Path) -> None:
        self.plays.append(nick)

    async def seed(self, nick: str, _seed: str) -> None:
        self.seeds.append(nick)


async def after(seconds: float, busy: float, left: float = 1.0) -> tuple[BundledProcesses, list[Process]]:
    """The processes of a bot, some seconds after its first copy has come. ``left``: how many processors the match
    leaves unused."""
    made: list[Process] = []

    def make() -> BundledProcess:
        made.append(Process(busy))
        return cast(BundledProcess, made[-1])

    bot = BundledProcesses(make, 3, lambda: left * trio.current_time())
    async with trio.open_nursery() as nursery:
        await nursery.start(bot.run, ("127.0.0.1", 1))
        await bot.play("a", Path("log"))
        await trio.sleep(seconds)
        nursery.cancel_scope.cancel()
    return bot, made


@pytest.mark.parametrize(
    ("seconds", "busy", "count"),
    [(1.5 * LOOK_S, 1, 1), (2.5 * LOOK_S, 1, 2), (100 * LOOK_S, 1, 3), (100 * LOOK_S, BUSY - 0.05, 1)],
)
async def test_there_is_one_more_when_all_are_busy(
    seconds: float, busy: float, count: int, autojump_clock: object
) -> None:
    bot, made = await after(seconds, busy)
    assert bot.count == len(made) == count
    assert bot.used_s == pytest.approx(sum(one.used_s for one in made))


async def test_there_is_no_more_where_the_match_uses_all_processors(autojump_clock: object) -> None:
    assert (await after(100 * LOOK_S, 1, left=FREE - 0.01))[0].count == 1
    assert (await after(100 * LOOK_S, 1, left=FREE + 0.01))[0].count == 3


async def test_a_copy_plays_where_the_fewest_do_and_stays_there(autojump_clock: object) -> None:
    bot, made = await after(2.5 * LOOK_S, 1)
    assert bot.fewest_copies == 0
    for nick in ("b", "c", "b"):
        await bot.play(nick, Path("log"))
        await bot.seed(nick, "7")
    assert [one.plays for one in made] == [["a", "c"], ["b", "b"]]
    assert [one.seeds for one in made] == [["c"], ["b", "b"]]
    assert bot.fewest_copies == 1
