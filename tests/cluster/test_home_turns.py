"""Peers on their way to a home: how many at once, and how long the others wait."""

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from ugs.cluster.home_turns import MAX_AT_ONCE, TURN_S, HomeTurns, no_answer

TAKES_S = 2.0


class Crowd:
    """Peers that all want to go to one home."""

    def __init__(self) -> None:
        self.turns = HomeTurns()
        self.under_way = 0
        self.reasons: list[str] = []
        self.answers = trio.Event()
        """What the home does for all who are on their way."""

    async def go(self, seconds: float = TAKES_S, home: str = "b") -> None:
        try:
            async with self.turns.turn(home, seconds):
                self.under_way += 1
                await self.answers.wait()
            self.reasons.append("")
        except trio.TooSlowError as error:
            self.reasons.append(str(error))


async def test_the_next_ones_go_when_the_first_are_through(autojump_clock: MockClock) -> None:
    crowd = Crowd()
    async with trio.open_nursery() as nursery:
        for _ in range(3 * MAX_AT_ONCE):
            nursery.start_soon(crowd.go)
        await wait_all_tasks_blocked()
        assert crowd.under_way == MAX_AT_ONCE
        crowd.answers.set()
    assert crowd.reasons == [""] * 3 * MAX_AT_ONCE


async def test_those_who_wait_for_a_home_that_hangs_learn_it_from_the_first(autojump_clock: MockClock) -> None:
    crowd = Crowd()
    async with trio.open_nursery() as nursery:
        for _ in range(3 * MAX_AT_ONCE):
            nursery.start_soon(crowd.go)
    assert trio.current_time() == pytest.approx(TAKES_S)
    assert crowd.under_way == MAX_AT_ONCE
    assert crowd.reasons == [no_answer(TAKES_S)] * 3 * MAX_AT_ONCE


async def test_who_comes_after_that_tries_again(autojump_clock: MockClock) -> None:
    crowd = Crowd()
    await crowd.go()
    crowd.answers.set()
    await crowd.go()
    assert crowd.reasons == [no_answer(TAKES_S), ""]


async def test_a_turn_is_not_waited_for_for_ever(autojump_clock: MockClock) -> None:
    crowd = Crowd()
    async with trio.open_nursery() as nursery:
        for _ in range(MAX_AT_ONCE):
            nursery.start_soon(crowd.go, 2 * TURN_S)
        await wait_all_tasks_blocked()
        await crowd.go()
        assert crowd.reasons == ["too many are before it"]
        crowd.answers.set()


async def test_a_home_that_hangs_holds_up_no_other(autojump_clock: MockClock) -> None:
    crowd = Crowd()
    async with trio.open_nursery() as nursery:
        for _ in range(MAX_AT_ONCE):
            nursery.start_soon(crowd.go)
        await wait_all_tasks_blocked()
        nursery.start_soon(crowd.go, TAKES_S, "c")
        await wait_all_tasks_blocked()
        assert crowd.under_way == MAX_AT_ONCE + 1
