"""The account by itself: what a look adds up, how often it looks, and that it lets others work meanwhile."""

from collections.abc import Sequence
from itertools import pairwise

import trio
from structlog.testing import capture_logs
from trio.testing import MockClock

from ugs.daemon.account import (
    LEAST_LOOK_S,
    LOOK_S,
    MOST_BYTES_PER_S,
    RECORD_BYTES,
    SLICE,
    TO_SHED,
    Account,
    Look,
    Part,
    Place,
    next_look_s,
)


class Somebody:
    """Holds what it is said to hold."""

    def __init__(self, origin: str = "192.0.2.1", held: int = 0) -> None:
        self.origin = origin
        self.held = held
        self.told: list[str] = []

    def describe(self) -> dict[str, object]:
        return {"kind": "somebody", "address": self.origin}

    def held_bytes(self) -> int:
        return self.held

    def give_back(self, held: int, why: str) -> None:
        self.told.append(why)
        self.held = 0


def test_every_place_is_counted_by_bytes_or_by_number() -> None:
    look = Look()
    for place in Place:
        look.put(place, 2, None if place in RECORD_BYTES else 10)
    assert look.number == dict.fromkeys(Place, 2)
    assert look.total == sum(2 * RECORD_BYTES[place] if place in RECORD_BYTES else 10 for place in Place)
    assert look.total - look.fixed == 10 * len(TO_SHED)
    assert TO_SHED.isdisjoint(RECORD_BYTES)


def test_a_look_knows_who_holds_how_much_for_which_address() -> None:
    look = Look()
    look.hold(Somebody("a"), 10)
    look.hold(Somebody("b"), 7)
    look.hold(Somebody("a"), 90, weight=3)
    assert look.by_origin == {"a": 100, "b": 7}
    assert [(holding.bytes, holding.load) for holding in look.holdings] == [(10, 10), (7, 7), (90, 30)]


def test_the_less_room_there_is_the_sooner_it_looks_again() -> None:
    assert next_look_s(10 * MOST_BYTES_PER_S) == LOOK_S
    assert next_look_s(MOST_BYTES_PER_S // 2) == 0.5
    assert next_look_s(0) == LEAST_LOOK_S


async def test_it_looks_again_and_again(autojump_clock: MockClock) -> None:
    moments: list[float] = []
    room = [MOST_BYTES_PER_S, MOST_BYTES_PER_S // 4, 0, 0]

    def judge(look: Look) -> int:
        assert look.at is not None
        moments.append(look.at)
        return room[len(moments) - 1]

    account = Account((), judge)
    with trio.move_on_after(1.31):
        await account.run()
    assert [round(moment - moments[0], 3) for moment in moments] == [0, 1, 1.25, 1.3]


async def test_others_work_between_two_slices(autojump_clock: MockClock) -> None:
    there = dict.fromkeys(range(3 * SLICE + 1))
    seen: list[int] = []
    turns: list[int] = []

    def add(things: Sequence[int], _look: Look) -> None:
        seen.extend(things)
        there.popitem()  # what is looked at may change meanwhile

    async def others() -> None:
        while len(turns) < 4:
            turns.append(len(seen))
            await trio.lowlevel.checkpoint()

    parts: tuple[Part, ...] = ((lambda: there, add),)
    account = Account(parts, lambda look: 0)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(others)
        await account.look()
    assert seen == list(range(3 * SLICE + 1))
    assert max(after - before for before, after in pairwise(turns)) <= 2 * SLICE, "tasks take turns in any order"
    assert account.latest.at == trio.current_time()


async def test_a_bug_costs_a_look_and_not_the_server(autojump_clock: MockClock) -> None:
    judged: list[float] = []

    def judge(_look: Look) -> int:
        judged.append(trio.current_time())
        if len(judged) == 1:
            raise ZeroDivisionError
        return 0

    with capture_logs() as lines, trio.move_on_after(LOOK_S + 0.01):
        await Account((), judge).run()
    assert [line["event"] for line in lines] == ["bug in the server"]
    assert [round(moment - judged[0], 3) for moment in judged] == [0, LOOK_S]
