"""Memory is short, and a game has to give some back."""

import pytest

from tests.broker.house import House, Peer, move, over, turn
from ugs.broker.effects import RecordEntry
from ugs.broker.events import RoomNeeded
from ugs.broker.record import EntryKind
from ugs.broker.state.history import ENTRY_BYTES
from ugs.broker.verdict import Cause, Verdict
from ugs.wire.extensions import Family, View, Views
from ugs.wire.messages import Error, GameState

BIG = 20_000
STATE = b"<gameState>" + b"s" * BIG + b"</gameState>"
MOVE = b"<move>" + b"m" * BIG + b"</move>"


@pytest.fixture
def house() -> House:
    return House()


def plays(house: House, master: Peer, ann: Peer, moves: int, state: bytes = STATE, payload: bytes = MOVE) -> None:
    """Ann moves again and again."""
    for _ in range(moves):
        ann.says(move("g1", payload))
        master.says(turn("g1", "ann", state))


def bodies(house: House, kind: EntryKind) -> list[int]:
    """The sizes of the bodies of one kind in the history."""
    return [len(entry.body) for entry in house.game().history.entries if entry.kind is kind]


def short(house: House, game_id: str = "g1") -> None:
    house.happens(RoomNeeded(game_id, "too much memory"))


def test_what_a_game_holds_is_counted_with_its_entries(house: House) -> None:
    master, ann, _ben = house.table("ann", "ben")
    game = house.game()
    before = game.held_bytes
    plays(house, master, ann, 3)
    assert game.held_bytes - before == 3 * (len(STATE) + len(MOVE)) + 6 * ENTRY_BYTES


def test_views_and_moves_held_back_count_too(house: House) -> None:
    master, _ann, _ben = house.table("ann", "ben", families=(Family.VIEWS, Family.MOVERS))
    game = house.game()
    before = game.held_bytes
    master.says(Views("g1", ("ann", "ben"), (), (View("ben", STATE), View("", b"<gameState/>"))))
    with_views = game.held_bytes
    assert len(STATE) <= with_views - before < len(STATE) + 2 * ENTRY_BYTES
    game.turn.held["ann"] = move("g1", MOVE)
    assert game.held_bytes == with_views + len(MOVE)


def test_it_forgets_its_past_and_the_game_goes_on(house: House) -> None:
    master, ann, ben = house.table("ann", "ben")
    plays(house, master, ann, 4)
    ben.hears()
    short(house)
    assert bodies(house, EntryKind.STATE)[:-1] == [0] * 4
    assert bodies(house, EntryKind.STATE)[-1] == len(STATE), "who begins to watch is shown how it stands"
    assert bodies(house, EntryKind.MOVE) == [0] * 4, "only another master would have to know them"
    history = house.game().history
    assert (history.size, history.moved) == (len(STATE), 0)
    assert ben.hears() == []
    (note,) = house.noted("past of a game forgotten")
    assert (note["game"], note["reason"]) == ("g1", "too much memory")
    assert int(str(note["bytes"])) > 7 * BIG
    plays(house, master, ann, 1)
    history.forget_states(0)
    assert history.size == 0, "the limit for states goes on from there"
    master.says(over("g1", "ann", losers=("ben",)))
    assert house.results[0].verdict == Verdict(Cause.FINISHED)


def test_one_that_another_master_may_take_over_keeps_its_moves_or_ends(house: House) -> None:
    master, ann, ben = house.table("ann", "ben", families=(Family.RESTORE, Family.TABLE))
    plays(house, master, ann, 4, b"<gameState/>")
    ben.hears()
    short(house)
    assert house.results[0].verdict == Verdict(Cause.TOO_LARGE), "for nobody's loss, unless somebody has said very much"
    assert ben.hears()[0] == Error("game void: its moves and states have become too large")
    assert house.noted("game too large")[0]["reason"] == "too much memory"


def test_the_same_with_large_states_goes_on(house: House) -> None:
    master, ann, _ben = house.table("ann", "ben", families=(Family.RESTORE, Family.TABLE))
    plays(house, master, ann, 4, STATE + b"", b"<move/>")
    short(house)
    assert house.results == []
    assert bodies(house, EntryKind.MOVE) == [len(b"<move/>")] * 4


def test_one_that_is_mostly_entries_ends(house: House) -> None:
    master, ann, _ben = house.table("ann", "ben")
    plays(house, master, ann, 50, b"<gameState/>", b"<move/>")
    short(house)
    assert house.results[0].verdict == Verdict(Cause.TOO_LARGE)


def test_one_that_is_over_forgets_and_its_result_stands(house: House) -> None:
    master, ann, ben = house.table("ann", "ben")
    plays(house, master, ann, 4)
    house.disk_is_slow = True
    master.says(over("g1", "ann", losers=("ben",)))
    ben.hears()
    short(house)
    short(house)
    assert bodies(house, EntryKind.MOVE) == [0] * 4
    house.disk_catches_up()
    assert house.results[0].verdict == Verdict(Cause.FINISHED)
    assert isinstance(ben.hears()[0], GameState)


def test_one_that_is_gone_has_nothing_to_give(house: House) -> None:
    short(house, "g7")
    assert house.results == []


def test_a_history_without_states_forgets_its_moves(house: House) -> None:
    _master, _ann, _ben = house.table("ann", "ben")
    history = house.game().history
    history.entries[:] = [RecordEntry("g1", EntryKind.MOVE, 0, 0, "", MOVE)]
    history.size, history.moved = 0, len(MOVE)
    history.forget_bodies(moves=True)
    assert (history.moved, history.entries[0].body) == (0, b"")


def test_one_that_a_player_has_made_large_goes_on_without_it() -> None:
    house = House(max_game_bytes=8 * 65_536)
    master, ann, _ben = house.table("ann", "ben", families=(Family.RESTORE, Family.TABLE))
    plays(house, master, ann, 4, b"<gameState/>")
    short(house)
    assert house.game().departures == {"ann": Cause.MOVED_TOO_MUCH}
