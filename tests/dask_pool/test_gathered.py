"""What comes one by one is taken together."""

import trio
import trio.testing

from ugs.dask_pool.gathered import GATHER_S, Gathered


async def test_what_comes_together_is_taken_together(autojump_clock: trio.testing.MockClock) -> None:
    gathered = Gathered[str]()
    taken: list[dict[int, str]] = []

    async def take_all() -> None:
        while True:
            taken.append(await gathered.take())

    async with trio.open_nursery() as nursery:
        nursery.start_soon(take_all)
        await trio.sleep(1)
        assert not taken
        gathered.put(1, "one")
        await trio.sleep(GATHER_S / 2)
        gathered.put(2, "two")
        assert 1 in gathered
        assert 3 not in gathered
        await trio.sleep(GATHER_S)
        assert taken == [{1: "one", 2: "two"}]
        assert 1 not in gathered
        gathered.put(3, "three")
        await trio.sleep(GATHER_S * 2)
        assert taken == [{1: "one", 2: "two"}, {3: "three"}]
        nursery.cancel_scope.cancel()
