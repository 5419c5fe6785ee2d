"""Memory is short, and a game has to give some back."""

import re

import pytest

from tests.broker.house import House, Peer, move, over, turn
from ugs.broker.events import RoomNeeded
from ugs.broker.play.intake import STANDING_BYTES
from ugs.broker.state.history import ENTRY_BYTES
from ugs.broker.values.record import EntryKind
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
    house.happens(RoomNeeded(game_id, "too much memory", "max_held_bytes"))


def test_what_a_game_holds_is_counted_with_its_entries(house: House) -> None:
    master, ann, _ben = house.table("ann", "ben")
    game = house.game()
    before = game.held_bytes
    small = b"<gameState>five</gameState>"
    plays(house, master, ann, 3, small, b"<move/>")
    assert game.held_bytes - before == 3 * (len(small) + len(b"<move/>")) + 6 * ENTRY_BYTES


def test_views_and_moves_held_back_count_too(house: House) -> None:
    master, _ann, _ben = house.table("ann", "ben", families=(Family.VIEWS, Family.MOVERS))
    game = house.game()
    before = game.held_bytes
    master.says(Views("g1", ("ann", "ben"), (), (View("ben", STATE), View("", b"<gameState/>"))))
    with_views = game.held_bytes
    assert len(STATE) <= with_views - before < len(STATE) + 2 * ENTRY_BYTES
    game.turn.held["ann"] = move("g1", MOVE)
    assert game.held_bytes == with_views + len(MOVE)


def test_its_past_is_put_away_and_the_game_goes_on(house: House) -> None:
    master, ann, ben = house.table("ann", "ben")
    plays(house, master, ann, 4, STATE[-40:], MOVE[-40:])
    plays(house, master, ann, 1, STATE, b"<move/>")
    ben.hears()
    before = house.game().held_bytes
    short(house)
    assert bodies(house, EntryKind.STATE) == [len(STATE)], "who begins to watch is shown how it stands"
    assert bodies(house, EntryKind.MOVE) == []
    assert house.game().history.size == len(STATE)
    assert ben.hears() == []
    assert house.game().held_bytes < before
    plays(house, master, ann, 1)
    master.says(over("g1", "ann", losers=("ben",)))
    assert house.results[0].verdict == Verdict(Cause.FINISHED)


@pytest.mark.parametrize("families", [(), (Family.RESTORE, Family.TABLE)])
@pytest.mark.parametrize("state", [STATE, b"<gameState/>"])
def test_one_of_many_moves_goes_on(house: House, state: bytes, families: tuple[Family, ...]) -> None:
    master, ann, _ben = house.table("ann", "ben", families=families)
    plays(house, master, ann, 50, state, b"<move/>")
    short(house)
    short(house)
    assert house.results == []
    assert house.game().held_bytes == len(state) + ENTRY_BYTES


def test_one_that_is_large_as_it_stands_ends(house: House) -> None:
    """Nobody can be without what it shows."""
    master, _ann, ben = house.table("ann", "ben", families=(Family.VIEWS,))
    large = b"<gameState>" + b"s" * STANDING_BYTES + b"</gameState>"
    ben.hears()
    master.says(Views("g1", ("ann",), (), (View("ben", large), View("", b"<gameState/>"))))
    short(house)
    assert house.results == [], "it is no larger than any game may be"
    master.says(Views("g1", ("ann",), (), (View("ben", large), View("ann", large + b" "), View("", b"<gameState/>"))))
    ben.hears()
    short(house)
    assert house.results[0].verdict == Verdict(Cause.TOO_LARGE), "for nobody's loss, unless somebody has said very much"
    why = "bytes as it stands, the most of those that share max_held_bytes"
    told = ben.hears()[0]
    assert isinstance(told, Error)
    assert re.fullmatch(f"game void: its moves and states have become too large: it holds [0-9]+ {why}", told.text)
    assert house.noted("game too large")[0]["reason"] == "too much memory"


def test_one_that_is_over_gives_back_and_its_result_stands(house: House) -> None:
    master, ann, ben = house.table("ann", "ben")
    plays(house, master, ann, 4)
    house.disk_is_slow = True
    master.says(over("g1", "ann", losers=("ben",)))
    ben.hears()
    short(house)
    short(house)
    assert bodies(house, EntryKind.MOVE) == []
    house.disk_catches_up()
    assert house.results[0].verdict == Verdict(Cause.FINISHED)
    assert isinstance(ben.hears()[0], GameState)


def test_one_that_is_gone_has_nothing_to_give(house: House) -> None:
    short(house, "g7")
    assert house.results == []


def test_one_that_a_player_has_made_large_goes_on_without_it() -> None:
    """Its moves wait for a master that is away."""
    house = House(max_game_bytes=8 * 65_536, master_grace_s=60)
    master, ann, ben = house.table("ann", "ben", families=(Family.RESTORE, Family.TABLE, Family.MOVERS))
    master.is_lost()
    large = b"<move>" + b"m" * 2 * 65_536 + b"</move>"
    ann.says(move("g1", large))
    short(house)
    assert house.game().departures == {"ann": Cause.MOVED_TOO_MUCH}
    assert house.results == []
    assert ben.hears() == []


class TestTheLimitOfAGame:
    """Whatever is put away, all that a game has said counts."""

    def test_a_master_that_says_too_much_ends_its_game_and_the_limit_is_named(self) -> None:
        house = House(max_game_bytes=65_536)
        master, ann, ben = house.table("ann", "ben")
        plays(house, master, ann, 4, STATE, b"<move/>")
        assert [one.verdict for one in house.results] == [Verdict(Cause.TOO_LARGE)]
        told = ben.hears()[-1]
        assert isinstance(told, Error)
        assert re.search(r": its states have \d+ bytes, of at most 65536 \(max_game_bytes\)$", told.text)
