"""Running games that organisers end, in dialogues."""

import pytest

from tests.broker.acts.acting import acts, recorded, refused
from tests.broker.house import CHESS, House, move, over, thank
from ugs.broker.effects import RecordAct
from ugs.broker.values.questions import ActKind
from ugs.broker.verdict import Cause, Fault, Outcome, Verdict
from ugs.championship.ledger import What
from ugs.championship.ledger_text import entry_text
from ugs.wire.extensions import Family, Stop
from ugs.wire.messages import BeginGame, Error, GameState, LeaveGame, PlayerLeftGame, PlayerResult, Result

VOID, ADJUDICATE = ActKind.VOID, ActKind.ADJUDICATE


@pytest.fixture
def house() -> House:
    return House()


def test_a_void_game_counts_for_nobody_and_all_are_told_why(house: House) -> None:
    master, ann, ben = house.table("ann", "ben")
    assert acts(house, VOID, "g1") == {"ok": True, "game": "g1", "seats": ["ann", "ben"]}
    assert recorded(house) == [RecordAct("void", "g1", CHESS, "root", "because")]
    (result,) = house.results
    assert result.verdict == Verdict(Cause.VOIDED)
    assert (result.verdict.fault, {seat.outcome for seat in result.seats}) == (Fault.SERVER, {Outcome.VOID})
    assert ann.hears() == ben.hears() == [Error("game void: the organiser has ended it: because")]
    assert master.hears()[:2] == [PlayerLeftGame("ann", "g1"), PlayerLeftGame("ben", "g1")]
    assert house.rows() == {"ann": (0, 0, 0), "ben": (0, 0, 0)}


def test_a_master_with_tables_is_told_to_stop(house: House) -> None:
    master, _ann, _ben = house.table("ann", "ben", families=(Family.TABLE,))
    acts(house, VOID, "g1")
    assert master.hears()[0] == Stop("g1", "VOIDED")


def test_in_a_championship_it_is_played_again_however_often() -> None:
    house = House(game_types={CHESS: {"void_replays": 0}})
    house.plans(first=2, void_replays=0)
    house.master()
    house.players("ann", "ben")
    for number in range(1, 5):
        assert house.broker.games[0].id == f"g{number}"
        acts(house, VOID, f"g{number}")
    assert house.broker.games


def test_the_ledger_has_who_voided_a_game_and_why() -> None:
    house = House(game_types={CHESS: {}})
    house.plans(first=2)
    house.master()
    house.players("ann", "ben")
    acts(house, VOID, "g1")
    (entry,) = [one for one in house.ledger("cup") if one.what is What.VOID]
    assert (entry.who, entry.why, entry.data["again"]) == ("root", "because", True)
    said = "game g1 is voided by root: because; it counts for no player; fixture 1 is played again"
    assert entry_text(entry) == said


def test_who_has_won_by_order_has_won(house: House) -> None:
    master, ann, ben = house.table("ann", "ben")
    answer = acts(house, ADJUDICATE, "g1", results={"ben": "won", "": "lost"})
    assert answer["results"] == {"ann": "lost", "ben": "won"}
    told = GameState("g1", None, (PlayerResult("ann", Result.LOSER), PlayerResult("ben", Result.WINNER)))
    assert ann.hears() == ben.hears() == [told]
    thank("g1", ann, ben)
    assert house.rows() == {"ben": (1, 0, 0), "ann": (0, 1, 0)}
    assert house.results[0].verdict == Verdict(Cause.ADJUDICATED, by_server=True)
    assert PlayerLeftGame("ann", "g1") in master.hears()


def test_a_drawn_game_is_drawn_for_all(house: House) -> None:
    _master, ann, ben = house.table("ann", "ben")
    acts(house, ADJUDICATE, "g1", results={"": "drawn"})
    thank("g1", ann, ben)
    assert house.rows() == {"ann": (0, 0, 1), "ben": (0, 0, 1)}


def test_who_has_left_has_lost(house: House) -> None:
    _master, ann, ben, cat = house.table("ann", "ben", "cat")
    ann.says(LeaveGame("g1"))
    answer = acts(house, ADJUDICATE, "g1", results={"ann": "lost", "": "won"})
    assert answer["results"] == {"ann": "lost", "ben": "won", "cat": "won"}
    thank("g1", ben, cat)
    assert house.rows()["ann"] == (0, 1, 0)


def test_a_game_without_its_master_can_be_ended(house: House) -> None:
    house = House(master_grace_s=60)
    master, ann, _ben = house.table("ann", "ben", families=(Family.TABLE, Family.RESTORE))
    master.is_lost()
    acts(house, ADJUDICATE, "g1", results={"ann": "won", "ben": "lost"})
    ann.hears()
    assert house.results[0].verdict.cause is Cause.ADJUDICATED
    other = house.leader("n", Family.TABLE, Family.RESTORE)
    assert not any(isinstance(letter, BeginGame) for letter in other.hears())


@pytest.mark.parametrize(
    ("results", "why"),
    [
        ({"ann": "winner"}, "result 'winner': allowed: won, lost, drawn"),
        ({"eve": "won"}, "result: 'eve' has no seat in game g1; there are: 'ann', 'ben', 'cat'"),
        ({"cat": "won"}, "result: 'cat' has left game g1, and has lost"),
        ({"ann": "won"}, "result: there is no result for 'ben'; a word without a nick holds for all others"),
        ({"ann": "won", "ben": "drawn"}, "result: a game is drawn for all who are still in it, at least two, or for"),
        ({"": "lost"}, "result: no player has won"),
        ({}, "result: there is no result for 'ann', 'ben'; a word without a nick holds for all others"),
    ],
)
def test_results_that_make_no_sense(house: House, results: dict[str, str], why: str) -> None:
    _master, _ann, _ben, cat = house.table("ann", "ben", "cat")
    cat.says(LeaveGame("g1"))
    assert refused(house, ADJUDICATE, "g1", results=results).startswith(why)


def test_what_has_ended_stands(house: House) -> None:
    house.disk_is_slow = True
    master, ann, _ben = house.table("ann", "ben")
    ann.says(move("g1"))
    master.says(over("g1", "ann", losers=("ben",)))
    for kind in (VOID, ADJUDICATE):
        assert refused(house, kind, "g1") == "game 'g1': it has ended; results that are known stand"
    assert "ugs championship" in refused(house, VOID, "g9")


def test_the_beginning_of_an_id_is_enough_and_the_whole_id_is_kept(house: House) -> None:
    house.table("ann", "ben")
    assert acts(house, VOID, "g")["game"] == "g1"
    assert recorded(house)[-1].subject == "g1"


def test_a_beginning_that_fits_several_games_names_them_and_ends_none(house: House) -> None:
    house.table("ann", "ben")
    house.players("cat", "dan")
    for kind in (VOID, ADJUDICATE):
        assert refused(house, kind, "g") == "game 'g': that beginning fits 2 games running: g1, g2"
    assert acts(house, VOID, "g2")["game"] == "g2"
