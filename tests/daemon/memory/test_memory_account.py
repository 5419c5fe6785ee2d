"""The account by itself: what a look adds up, how often it looks, and that it lets others work meanwhile."""

from collections.abc import Sequence
from itertools import pairwise

import trio
from structlog.testing import capture_logs
from trio.testing import MockClock

from ugs.daemon.memory.growth import BYTES_PER_BYTE, MAX_BYTES_PER_S, MIN_ROOM, Growth, GrowthRoom
from ugs.daemon.memory.memory_account import (
    LOOK_S,
    MAX_LOOK_S,
    MIN_LOOK_S,
    RECORD_BYTES,
    SLICE,
    THINGS_PER_S,
    TO_SHED,
    MemoryAccount,
    MemoryLook,
    MemoryPlace,
    Part,
    safe_s,
)

MIB = 1_048_576


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

    def give_back(self, held: int, why: str, limit: str) -> None:
        self.told.append(why)
        self.held = 0


def test_every_place_is_counted_by_bytes_or_by_number() -> None:
    look = MemoryLook()
    for place in MemoryPlace:
        look.put(place, 2, None if place in RECORD_BYTES else 10)
    assert look.number == dict.fromkeys(MemoryPlace, 2)
    assert look.total == sum(2 * RECORD_BYTES[place] if place in RECORD_BYTES else 10 for place in MemoryPlace)
    assert look.total - look.fixed == 10 * len(TO_SHED)
    assert TO_SHED.isdisjoint(RECORD_BYTES)


def test_a_look_knows_who_holds_how_much_for_which_address() -> None:
    look = MemoryLook()
    look.hold(Somebody("a"), 10)
    look.hold(Somebody("b"), 7)
    look.hold(Somebody("a"), 90, weight=3)
    assert look.by_origin == {"a": 100, "b": 7}
    assert [(holding.bytes, holding.load) for holding in look.holdings] == [(10, 10), (7, 7), (90, 30)]


class Peers:
    """Peers that say and leave unread what they are told to."""

    def __init__(self) -> None:
        self.said = self.unsent = 0
        self.through_gateways = False

    @property
    def growth(self) -> Growth:
        return Growth(lambda: self.said, lambda: self.unsent, lambda: 0, lambda: self.through_gateways)

    async def speak(self, bytes_per_s: int) -> None:
        while True:
            await trio.sleep(0.01)
            self.said += bytes_per_s // 100


def test_the_less_room_there_is_the_sooner_it_may_be_taken_up() -> None:
    assert safe_s(10 * MAX_BYTES_PER_S) == LOOK_S
    assert safe_s(MAX_BYTES_PER_S // 2) == 0.5
    assert safe_s(0) == MIN_LOOK_S


async def moments(room: int, peers: Peers, seconds: float, says_per_s: int = 0) -> list[float]:
    """When an account with always the same room looks, in seconds from its first look."""
    looks: list[float] = []

    def judge(look: MemoryLook) -> int:
        assert look.at is not None
        looks.append(look.at)
        return room

    with trio.move_on_after(seconds + 0.001):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(peers.speak, says_per_s)
            await MemoryAccount((), judge, peers.growth, GrowthRoom()).run()
    return [round(moment - looks[0], 2) for moment in looks]


async def test_while_nothing_is_said_it_looks_once_a_second_however_little_room_there_is(
    autojump_clock: MockClock,
) -> None:
    assert await moments(16 * MIB, Peers(), 3) == [0, 1, 2, 3]


async def test_it_looks_before_what_is_said_can_have_taken_up_the_room(autojump_clock: MockClock) -> None:
    """Half of the room after 0.5 s; looks come between two pieces of what is said."""
    room = 64 * MIB
    looks = await moments(room, Peers(), 3, says_per_s=room // BYTES_PER_BYTE)
    assert len(looks) == 6
    assert all(0.45 <= after - before <= 0.6 for before, after in pairwise(looks))


async def test_where_nobody_counts_or_nothing_is_left_it_looks_as_soon_as_all_could_be_full(
    autojump_clock: MockClock,
) -> None:
    guests = Peers()
    guests.through_gateways = True
    assert await moments(MAX_BYTES_PER_S // 4, guests, 1) == [0, 0.25, 0.5, 0.75, 1]
    assert await moments(0, Peers(), 0.1) == [0, 0.05, 0.1]


async def test_very_many_things_are_looked_at_less_often(autojump_clock: MockClock) -> None:
    async def gaps(things: int) -> list[float]:
        moments: list[float] = []

        def judge(look: MemoryLook) -> int:
            moments.append(trio.current_time())
            return 64 * MIB

        parts: tuple[Part, ...] = ((lambda: range(things), lambda _things, _look: None),)
        with trio.move_on_after(2 * MAX_LOOK_S + 0.01):
            await MemoryAccount(parts, judge, Peers().growth, GrowthRoom()).run()
        return [round(after - before, 3) for before, after in pairwise(moments)]

    assert await gaps(THINGS_PER_S) == [LOOK_S] * 8
    assert await gaps(2 * THINGS_PER_S) == [2.0] * 4
    assert await gaps(100 * THINGS_PER_S) == [MAX_LOOK_S] * 2


async def test_what_waits_for_peers_may_all_have_come_since(autojump_clock: MockClock) -> None:
    slow = Peers()
    slow.unsent = MAX_BYTES_PER_S // 8
    assert await moments(MAX_BYTES_PER_S // 4, slow, 1) == [0, 0.25, 0.5, 0.75, 1]


async def looks(room: GrowthRoom, left: int, seconds: float) -> list[float]:
    """When an account looks that always finds so much room, from the first look on."""
    moments: list[float] = []

    def judge(_look: MemoryLook) -> int:
        moments.append(trio.current_time())
        return left

    with trio.move_on_after(seconds):
        await MemoryAccount((), judge, Peers().growth, room).run()
    return [round(moment - moments[0], 3) for moment in moments]


async def test_it_looks_at_once_when_half_of_the_room_may_be_gone(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    room = GrowthRoom()

    async def says() -> None:
        await trio.sleep(0.25)
        room.take(MAX_BYTES_PER_S // 2)  # not more than half
        await trio.sleep(0.25)
        room.take(1)

    nursery.start_soon(says)
    assert await looks(room, MAX_BYTES_PER_S, 1.6) == [0, 0.5, 1.5]


async def test_without_room_peers_may_still_say_something_between_two_looks(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    room = GrowthRoom()

    async def says() -> None:
        await trio.sleep(0.01)
        room.take(MIN_ROOM)
        await trio.sleep(0.01)
        room.take(1)

    nursery.start_soon(says)
    assert await looks(room, 0, 0.1) == [0, 0.02, 0.07]


async def test_what_comes_while_it_looks_counts_at_the_next_look(autojump_clock: MockClock) -> None:
    room = GrowthRoom()
    room.take(5 * MIN_ROOM)  # long ago: the look finds it
    moments: list[float] = []

    def things() -> list[int]:
        moments.append(trio.current_time())
        if len(moments) == 1:
            room.take(MIN_ROOM + 1)
        return []

    parts: tuple[Part, ...] = ((things, lambda _things, _look: None),)
    with trio.move_on_after(MIN_LOOK_S / 2):
        await MemoryAccount(parts, lambda _look: 0, Peers().growth, room).run()
    assert len(moments) == 2
    assert moments[0] == moments[1]


async def test_others_work_between_two_slices(autojump_clock: MockClock) -> None:
    there = dict.fromkeys(range(3 * SLICE + 1))
    seen: list[int] = []
    turns: list[int] = []

    def add(things: Sequence[int], _look: MemoryLook) -> None:
        seen.extend(things)
        there.popitem()  # what is looked at may change meanwhile

    async def others() -> None:
        while len(turns) < 4:
            turns.append(len(seen))
            await trio.lowlevel.checkpoint()

    parts: tuple[Part, ...] = ((lambda: there, add),)
    account = MemoryAccount(parts, lambda look: 0, Peers().growth, GrowthRoom())
    async with trio.open_nursery() as nursery:
        nursery.start_soon(others)
        await account.look()
    assert seen == list(range(3 * SLICE + 1))
    assert max(after - before for before, after in pairwise(turns)) <= 2 * SLICE, "tasks take turns in any order"
    assert account.latest.at == trio.current_time()


async def test_a_bug_costs_a_look_and_not_the_server(autojump_clock: MockClock) -> None:
    judged: list[float] = []

    def judge(_look: MemoryLook) -> int:
        judged.append(trio.current_time())
        if len(judged) == 1:
            raise ZeroDivisionError
        return 0

    with capture_logs() as lines, trio.move_on_after(LOOK_S + 0.01):
        await MemoryAccount((), judge, Peers().growth, GrowthRoom()).run()
    assert [line["event"] for line in lines] == ["bug in the server"]
    assert [round(moment - judged[0], 3) for moment in judged] == [0, LOOK_S]
