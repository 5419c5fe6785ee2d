"""Games of championships and at tables after a restart."""

from dataclasses import replace

import pytest

from tests.broker.house import House, Peer, over, thank, turn
from tests.broker.play.revived import FIRST, LOBBY, RESTORE, SESSION, game
from ugs.broker.effects import RecordBegin, RecordEntry, RecordSession
from ugs.broker.events import Started
from ugs.broker.past import Past, PastGame
from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import Cause, Verdict
from ugs.championship.ledger import What
from ugs.wire.extensions import Advertise, Cancel, Family, Join, NewTable, Restore, Visibility
from ugs.wire.messages import BeginGame


@pytest.fixture
def house() -> House:
    """Games wait a minute for a master."""
    return House(master_grace_s=60)


class TestChampionships:
    """A fixture that runs goes on, and is not played again."""

    @pytest.fixture
    def house(self) -> House:
        """A cup of two that meet twice, whose first game runs."""
        house = House(master_grace_s=60)
        house.plans(first=2, repeats=2, restart_return_s=100)
        return house

    def test_its_game_counts_once(self, house: House) -> None:
        _master, ann, ben = game(house, "ann", "ben")
        again = house.again()
        back = {"ann": again.returns(ann.token), "ben": again.returns(ben.token)}
        new = again.leader("new", RESTORE)
        assert [type(one) for one in new.hears()] == [Restore]
        new.says(over("g1", "ann", losers=("ben",)))
        thank("g1", *back.values())
        assert again.rows() == {"ann": (1, 0, 0), "ben": (0, 1, 0)}
        assert [entry.what for entry in again.ledger("cup")] == [What.RESULT, What.FIXTURE]
        new.says(over(next(iter(again.broker.games)).id, "ben", losers=("ann",)))
        thank(again.results[-1].game_id, *back.values())
        assert again.noted("championship over")[0]["standings"] == [("ann", 1, 1, 0), ("ben", 1, 1, 0)]

    def test_an_entrant_who_has_come_back_to_a_game_is_not_awaited(self, house: House) -> None:
        _master, ann, ben = game(house, "ann", "ben")
        house.settings["move_timeout_s"] = 1000
        again = house.again()
        again.returns(ann.token)
        again.returns(ben.token)
        new = again.leader("new", RESTORE)
        new.says(turn("g1", "ann"))
        again.passes(200)
        assert again.noted("withdrawn") == []
        assert [note["nick"] for note in again.noted("entrant is back")] == ["ann", "ben"]

    def test_an_entrant_whose_session_is_over_still_has_the_time_of_the_championship(self, house: House) -> None:
        game(house, "ann", "ben")
        again = house.again()
        again.passes(61)
        assert again.broker.server.names.players == {}
        assert again.noted("withdrawn") == []
        again.players("ann", "ben")
        assert [type(one) for one in again.master().hears()] == [BeginGame]

    def test_but_not_more_than_that(self, house: House) -> None:
        game(house, "ann", "ben")
        again = house.again()
        again.passes(100)
        assert [note["why"] for note in again.noted("withdrawn")] == ["did not come back"]

    def test_one_that_nobody_leads_on_is_played_again(self, house: House) -> None:
        _master, ann, ben = game(house, "ann", "ben")
        again = house.again()
        again.returns(ann.token)
        again.returns(ben.token)
        again.passes(60)
        assert again.results[0].verdict == Verdict(Cause.MASTER_LOST, "m")
        assert [type(one) for one in again.master().hears()] == [BeginGame]

    def test_one_that_cannot_go_on_is_void_once(self, house: House) -> None:
        game(house, "ann", "ben")
        house.settings["master_grace_s"] = 0
        again = house.again()
        assert again.results[0].verdict == Verdict(Cause.SERVER_LOST)
        assert [entry.what for entry in again.ledger("cup")] == [What.VOID]

    def test_one_that_its_ledger_does_not_know_is_void(self, house: House) -> None:
        game(house, "ann", "ben")
        begin = next(one for one in house.records if isinstance(one, RecordBegin))
        sessions = [one for one in house.records if isinstance(one, RecordSession)]
        stranger = PastGame(replace(begin, game_id="g9"), 0.0, ())
        past = Past(sessions=sessions, championships=house.again().past.championships, games=[stranger])
        again = House(past=past, master_grace_s=60)
        again.happens(Started())
        assert [(result.game_id, result.verdict.cause) for result in again.results] == [("g9", Cause.SERVER_LOST)]


class TestTables:
    """A game at a table that a player had set up."""

    def table(self, house: House) -> tuple[Peer, Peer]:
        """A game g1 of ada, whose table it is, and bob."""
        ada, bob = house.guest("ada", SESSION, LOBBY), house.guest("bob", SESSION, LOBBY)
        master = house.leader("m", RESTORE, Family.TABLE)
        ada.says(Advertise(NewTable("Friday", 2, Visibility.PRIVATE, 0, (), ("bob",))))
        bob.says(Join("g1"))
        master.says(turn("g1", "ada", FIRST))
        return ada, bob

    def test_it_is_still_its_owners(self, house: House) -> None:
        ada, bob = self.table(house)
        again = house.again()
        assert again.broker.server.tables["g1"].name == "Friday"
        back = again.returns(ada.token, SESSION, LOBBY)
        again.returns(bob.token, SESSION, LOBBY)
        back.says(Cancel())
        assert again.results[0].verdict == Verdict(Cause.CANCELLED, "ada", by_server=True)
        assert again.broker.server.tables == {}

    def test_without_its_owner_there_is_no_table(self, house: House) -> None:
        ada, _bob = self.table(house)
        begin = next(one for one in house.records if isinstance(one, RecordBegin))
        sessions = [one for one in house.records if isinstance(one, RecordSession) and one.nick == "bob"]
        left = RecordEntry("g1", EntryKind.LEFT, 0, text="connection lost")
        entries = [(0.0, entry) for entry in (*house.entries(), left)]
        again = House(past=Past(sessions=sessions, games=[PastGame(begin, 0.0, entries)]), master_grace_s=60)
        again.happens(Started())
        assert again.results[0].verdict == Verdict(Cause.SERVER_LOST)
        assert again.broker.server.tables == {}
        assert ada.token
