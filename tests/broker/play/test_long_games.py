"""A game takes no more memory the longer it lasts, and a new master is told all of it nevertheless."""

import pytest

from tests.broker.house import House, turn
from tests.broker.house import move as moves
from tests.broker.play.long_games import LONG, is_short, payload, played, plays_on
from tests.broker.play.successors import RESTORE, VOID, game, restored
from ugs.broker.effects import KeepPast, Recall
from ugs.broker.events import RoomNeeded
from ugs.broker.play import takeover
from ugs.broker.state.history import ENTRY_BYTES, MAX_RECENT_BYTES, MAX_RECENT_ENTRIES, ROOM_FOR_EVENT
from ugs.broker.state.phases import Phase
from ugs.broker.values.recollection import Use, Wish
from ugs.broker.verdict import Cause
from ugs.wire.extensions import Family, PastLeft, PastMove, Restore
from ugs.wire.messages import LeaveGame


@pytest.fixture
def house() -> House:
    """Games wait twenty seconds for a master, and there may be two."""
    return House(master_grace_s=20, masters_per_game=2)


def test_memory_does_not_grow_with_the_moves(house: House) -> None:
    held = []
    master, ann, ben = game(house, "ann", "ben")
    for round_ in range(8):
        plays_on(master, ann, ben, LONG, round_ * LONG)
        held.append(house.game().held_bytes)
    assert max(held) <= (MAX_RECENT_ENTRIES + 2) * ENTRY_BYTES + MAX_RECENT_BYTES
    assert house.game().history.moves == 8 * LONG
    assert house.game().history.count == 3 + 16 * LONG


def test_nor_with_their_size(house: House) -> None:
    master, ann, _ben = house.table("ann", "ben")
    large = b"<gameState>" + b"s" * MAX_RECENT_BYTES + b"</gameState>"
    held = []
    for _ in range(20):
        ann.says(moves("g1", b"<move>" + b"m" * 4_096 + b"</move>"))
        master.says(turn("g1", "ann", large))
        held.append(house.game().held_bytes)
    assert max(held) <= 2 * MAX_RECENT_BYTES
    assert house.results == []


def test_what_leaves_the_memory_is_what_was_written_down(house: House) -> None:
    """The house compares each piece with what was recorded."""
    master, ann, ben = game(house, "ann", "ben")
    plays_on(master, ann, ben, MAX_RECENT_ENTRIES // 2 - 2)
    kept: list[KeepPast] = []
    while not kept:
        ann.says(moves("g1", payload(64)))
        kept = [one for one in master.says(turn("g1", "ann")) if isinstance(one, KeepPast)]
    (first,) = kept
    assert (first.number, len(first.entries)) == (1, house.game().history.earlier.events)
    assert len(first.after_s) == len(first.entries) >= MAX_RECENT_ENTRIES // 2


class TestTakeover:
    def test_a_new_master_is_told_the_same_as_if_all_were_in_memory(self, house: House) -> None:
        master, ann, ben = game(house, "ann", "ben")
        plays_on(master, ann, ben)
        assert is_short(house)
        ann.says(moves("g1", b"<move>last</move>"))
        master.is_lost()
        other = house.leader("other", RESTORE)
        assert other.hears() == [restored(house, *played(), PastMove("ann", b"<move>last</move>"))]
        assert house.clock() == 10
        other.says(turn("g1", "ben"))
        assert ann.hears() == ben.hears() == [turn("g1", "ben")]

    def test_also_who_left_and_came_back_before(self) -> None:
        house = House(master_grace_s=20, masters_per_game=2)
        families = (RESTORE, Family.REJOIN)
        master, ann, ben, _cat = game(house, "ann", "ben", "cat", families=families)
        ann.says(LeaveGame("g1"))
        master.says(turn("g1", "ben"))
        history = house.game().history
        for _ in range(LONG):
            ben.says(moves("g1"))
            master.says(turn("g1", "ben"))
        assert history.earlier.departed == {0: "left"}
        master.is_lost()
        (told,) = house.leader("other", *families, players=(3, 3)).hears()
        assert told == restored(
            house, PastLeft("ann", "left"), *[PastMove("ben", b"<move/>")] * LONG, nicks=("ann", "ben", "cat")
        )

    def test_one_that_knows_no_rejoining_gets_no_game_with_it(self, house: House) -> None:
        master, ann, ben = game(house, "ann", "ben")
        plays_on(master, ann, ben)
        house.game().history.earlier.rejoined = True
        master.is_lost()
        assert house.leader("other", RESTORE).hears() == []
        assert house.game().phase is Phase.AWAY

    def test_while_the_disk_is_slow_no_time_runs_out(self, house: House) -> None:
        master, ann, ben = game(house, "ann", "ben")
        plays_on(master, ann, ben)
        house.reads_slowly = True
        other = house.leader("other", RESTORE)
        master.is_lost()
        assert [one.wish for one in house.recalling] == [
            Wish(Use.TAKEOVER, "g1", "g1", house.game().history.earlier.events)
        ]
        house.passes(100)
        assert (house.game().phase, other.hears(), ann.hears()) == (Phase.AWAY, [], [])
        house.reads()
        assert other.hears() == [restored(house, *played())]
        assert house.game().phase is Phase.TAKING

    def test_it_is_asked_once_however_many_masters_come(self, house: House) -> None:
        house = House(master_grace_s=20, masters_per_game=3)
        master, ann, ben = game(house, "ann", "ben")
        plays_on(master, ann, ben)
        house.reads_slowly = True
        master.is_lost()
        others = [house.leader(name, RESTORE) for name in ("one", "two")]
        assert len(house.recalling) == 1
        house.reads()
        assert [len(one.hears()) for one in others] == [1, 0]

    def test_if_the_new_master_goes_meanwhile_another_one_gets_it(self, house: House) -> None:
        master, ann, ben = game(house, "ann", "ben")
        plays_on(master, ann, ben)
        house.reads_slowly = True
        master.is_lost()
        house.leader("one", RESTORE).is_lost()
        house.reads()
        assert house.game().phase is Phase.AWAY
        two = house.leader("two", RESTORE)
        house.reads()
        assert two.hears() == [restored(house, *played())]

    def test_if_none_comes_the_game_is_void_after_its_grace(self, house: House) -> None:
        master, ann, ben = game(house, "ann", "ben")
        plays_on(master, ann, ben)
        house.reads_slowly = True
        master.is_lost()
        house.leader("one", RESTORE).is_lost()
        house.passes(30)
        house.reads()
        assert house.game().phase is Phase.AWAY
        house.passes(1)
        assert ann.hears() == [VOID]

    def test_who_leaves_meanwhile_is_told_of_too(self, house: House) -> None:
        master, ann, ben, _cat = game(house, "ann", "ben", "cat")
        plays_on(master, ann, ben)
        house.reads_slowly = True
        master.is_lost()
        other = house.leader("other", RESTORE, players=(3, 3))
        ben.says(LeaveGame("g1"))
        house.reads()
        assert other.hears() == [restored(house, *played(), PastLeft("ben", "left"), nicks=("ann", "ben", "cat"))]

    def test_of_a_game_that_ends_meanwhile_nobody_is_told(self, house: House) -> None:
        master, ann, ben = game(house, "ann", "ben")
        plays_on(master, ann, ben)
        house.reads_slowly = True
        master.is_lost()
        other = house.leader("other", RESTORE)
        for peer in (ann, ben):
            peer.says(LeaveGame("g1"))
        house.reads()
        assert not any(isinstance(one, Restore) for one in other.hears())

    def test_what_is_put_away_meanwhile_is_read_again(self, house: House) -> None:
        master, ann, ben = game(house, "ann", "ben")
        plays_on(master, ann, ben)
        house.reads_slowly = True
        master.is_lost()
        other = house.leader("other", RESTORE)
        house.happens(RoomNeeded("g1", "too much memory", "max_held_bytes"))
        effects = house.reads()
        assert any(isinstance(one, Recall) for one in effects)
        house.reads()
        assert other.hears() == [restored(house, *played())]

    def test_one_of_which_nothing_is_kept_cannot_be_handed_over(self, house: House) -> None:
        master, ann, ben = game(house, "ann", "ben")
        plays_on(master, ann, ben)
        house.reads_slowly = True
        master.is_lost()
        house.leader("other", RESTORE)
        house.reads(forgotten=True)
        assert ann.hears() == [VOID]
        assert house.results[0].verdict.cause is Cause.MASTER_LOST
        (note,) = house.noted("game cannot be handed over: its past is forgotten")
        assert note["limit"] == "max_past_bytes"

    def test_games_are_read_no_faster_than_a_master_is_told_of_them(self) -> None:
        house = House(master_grace_s=20, masters_per_game=2, max_outbox_bytes=200_000)
        master = house.leader("m", RESTORE)
        house.players("ann", "ben", "cat", "dan")
        for game_id, nick in (("g1", "ann"), ("g2", "cat")):
            mover = next(peer for peer in house.peers.values() if peer.name == nick)
            for _ in range(LONG):
                master.says(turn(game_id, nick))
                mover.says(moves(game_id))
        house.reads_slowly = True
        master.is_lost()
        other = house.leader("other", RESTORE)
        assert [one.wish.game_id for one in house.recalling] == ["g1"]
        house.reads()
        other.says(turn("g1", "ben"))
        assert [one.wish.game_id for one in house.recalling] == ["g2"]
        house.reads()
        assert [one.game_id for one in other.hears() if isinstance(one, Restore)] == ["g1", "g2"]


def test_the_size_of_the_past_is_known_without_reading_it(house: House) -> None:
    """By it a game is refused whose past is too long for a message."""
    master, ann, ben = game(house, "ann", "ben")
    plays_on(master, ann, ben)
    around = takeover.ROOM_FOR_CHARACTER * 3 + ROOM_FOR_EVENT
    assert takeover._size_of_past(house.game()) == sum(len(payload(number)) + around for number in range(LONG))


def test_a_past_that_is_too_long_for_a_message_is_not_even_read() -> None:
    house = House(
        master_grace_s=20, masters_per_game=2, max_message_bytes=70_000, max_message_bytes_before_login=65_536
    )
    master, ann, ben = game(house, "ann", "ben")
    plays_on(master, ann, ben)
    house.reads_slowly = True
    master.is_lost()
    house.leader("other", RESTORE)
    assert house.recalling == []
    assert ann.hears() == [VOID]
