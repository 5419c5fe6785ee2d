"""Who has to give back memory when a limit is passed."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from structlog.testing import capture_logs

from tests.daemon.memory.test_memory_account import Somebody
from tests.profile import sized
from ugs.config import Config
from ugs.daemon.connections.backlog import Unsent
from ugs.daemon.memory.memory_account import Holding, MemoryLook, MemoryPlace
from ugs.daemon.memory.shedding import MAX_LINES, MIN_SHARE, Shedding, heaviest

MIB = 1_048_576


class House:
    """A server of which only the shedding is there; ``per_ip`` and ``most`` in MiB."""

    def __init__(self, per_ip: int = 16, most: int = 64) -> None:
        config = Config.read({"max_held_bytes_per_ip": per_ip * MIB})
        self.shedding = Shedding({}, Unsent(), config, most * MIB)

    def judges(self, *holders: Somebody, fixed: int = 0) -> int:
        """They hold what they hold, and ``fixed`` bytes nobody can give back."""
        look = MemoryLook()
        for holder in holders:
            look.put(MemoryPlace.DOCUMENTS, 1, holder.held)
            look.hold(holder, holder.held)
        look.put(MemoryPlace.JOURNAL, 1, fixed)
        return self.shedding.judge(look)


def who(holders: Sequence[Somebody]) -> list[int]:
    """The places of those who had to give back."""
    return [number for number, holder in enumerate(holders) if holder.told]


def test_within_the_limits_nobody_is_asked() -> None:
    holders = [Somebody("a", 8 * MIB), Somebody("a", 8 * MIB), Somebody("b", MIB)]
    house = House()
    assert house.judges(*holders) == 0, "no room is left for address a"
    assert house.judges(Somebody("a", 6 * MIB)) == 10 * MIB
    assert House(most=20).judges(Somebody("a", 6 * MIB), fixed=8 * MIB) == 6 * MIB
    assert (who(holders), house.shedding.counts) == ([], {})


def test_of_an_address_with_too_much_the_heaviest_give_back_and_others_nothing() -> None:
    holders = [Somebody("a", 3 * MIB), Somebody("a", 9 * MIB), Somebody("a", 7 * MIB), Somebody("b", 15 * MIB)]
    house = House()
    with capture_logs() as lines:
        house.judges(*holders)
    assert who(holders) == [1]
    assert holders[1].told == [f"too much memory: {9 * MIB} bytes held, and more than {16 * MIB} for address a"]
    assert house.shedding.counts == {"max_held_bytes_per_ip": 1}
    one, all_ = lines
    assert (one["event"], one["kind"], one["address"], one["held_bytes"], one["limit"], one["most_bytes"]) == (
        "memory shed", "somebody", "a", 9 * MIB, "max_held_bytes_per_ip", 16 * MIB,
    )  # fmt: skip
    assert (all_["event"], all_["excess_bytes"], all_["holders"]) == ("too much memory", 3 * MIB, 1)


def test_of_all_together_the_heaviest_give_back_wherever_they_come_from() -> None:
    holders = [Somebody(str(number), size * MIB) for number, size in enumerate((12, 3, 11, 10, 2))]
    house = House(most=20)
    house.judges(*holders)
    assert who(holders) == [0, 2]
    assert holders[2].told == [
        f"too much memory: {11 * MIB} bytes held, and more than {20 * MIB} for all peers together"
    ]
    assert house.shedding.counts == {"max_held_bytes": 2}


def test_who_gave_back_for_its_address_is_not_counted_again() -> None:
    holders = [Somebody("a", 15 * MIB), Somebody("a", 10 * MIB), Somebody("b", 10 * MIB)]
    House(most=20).judges(*holders)
    assert who(holders) == [0]


def test_what_nobody_can_give_back_takes_room_but_never_all_of_it() -> None:
    holders = [Somebody("a", 6 * MIB), Somebody("b", 5 * MIB)]
    House(most=20).judges(*holders, fixed=8 * MIB)
    assert who(holders) == []
    House(most=20).judges(*holders, fixed=12 * MIB)
    assert who(holders) == [0], "11 MiB are more than the half"
    small = [Somebody("a", int(20 * MIB * MIN_SHARE))]
    House(most=20).judges(*small, fixed=500 * MIB)
    assert who(small) == []


def test_who_holds_nothing_any_more_is_left_alone() -> None:
    gone = Somebody("a", 0)
    look = MemoryLook()
    look.hold(gone, 30 * MIB)
    house = House()
    house.shedding.judge(look)
    assert (gone.told, house.shedding.counts) == ([], {})


def test_the_log_names_a_few_and_counts_all() -> None:
    holders = [Somebody("a", MIB) for _ in range(100)]
    house = House()
    with capture_logs() as lines:
        house.judges(*holders)
    assert len(who(holders)) == house.shedding.counts["max_held_bytes_per_ip"] == 84
    assert len(lines) == MAX_LINES + 1
    assert lines[-1]["holders"] == 84


def test_a_master_holds_for_the_players_of_its_games() -> None:
    master, peer = Holding(9, 10.0, Somebody()), Holding(3, 1.0, Somebody())
    assert heaviest([master, peer], 3) == [peer]


holdings = st.lists(
    st.tuples(st.integers(1, 10_000), st.integers(1, 20)).map(
        lambda drawn: Holding(drawn[0], float(drawn[1]), Somebody())
    ),
    max_size=40,
)


@given(there=holdings, limit=st.integers(0, 100_000))
@settings(max_examples=sized(quick=200, deep=4000))
def test_whatever_others_hold_nobody_with_a_share_or_less_gives_back(there: list[Holding], limit: int) -> None:
    total = sum(holding.bytes for holding in there)
    chosen = heaviest(there, total - limit)
    left = [holding for holding in there if not any(holding is one for one in chosen)]
    assert sum(holding.bytes for holding in left) <= max(limit, 0), "it is enough"
    if chosen:
        assert total - sum(holding.bytes for holding in chosen[:-1]) > limit, "and not one too many"
        assert min(one.load for one in chosen) >= max((one.load for one in left), default=0), "the heaviest"
        share = limit / sum(holding.weight for holding in there)
        assert all(one.load > share for one in chosen), "an honest peer with little is never touched"


@pytest.mark.parametrize("excess", [0, -5])
def test_without_excess_nobody_gives_back(excess: int) -> None:
    assert heaviest([Holding(1, 1.0, Somebody())], excess) == []
