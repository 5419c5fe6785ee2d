"""Rows of players who have gone: there is a limit for all standings together, and the least of them goes first."""

import pytest

from tests.broker.house import CHESS, House, over, thank, turn
from ugs.broker.entrance import departed_rows
from ugs.broker.past import Past
from ugs.broker.values.questions import Act, ActKind
from ugs.broker.values.standings import Row
from ugs.wire.extensions import Family
from ugs.wire.messages import Logout, PlayerLogin


def one_game(house: House, winner: str, loser: str, game_type: str = CHESS) -> None:
    """Two players come, play one game against each other, and go."""
    number = len(house.results) + 1
    master = house.master(f"m{number}", game_type=game_type)
    peers = house.players(winner, loser, game_type=game_type)
    master.says(turn(f"g{number}", winner))
    master.says(over(f"g{number}", winner, losers=(loser,)))
    master.says(Logout())  # before they could play again
    thank(f"g{number}", *peers)
    for peer in peers:
        peer.says(Logout())


def nicks(house: House, game_type: str = CHESS) -> set[str]:
    """Who has a row."""
    known = house.broker.server.types.get(game_type)
    return set() if known is None else {row.nick for row in known.open_standings.rows()}


def test_the_least_games_go_first_and_among_these_the_longest_gone() -> None:
    house = House(standings_rows=4)
    one_game(house, "ann", "ben")
    one_game(house, "ann", "ben")
    one_game(house, "c1", "c2")
    one_game(house, "d1", "d2")
    assert nicks(house) == {"ann", "ben", "d1", "d2"}
    assert house.broker.server.types[CHESS].seating.had("c1") == ()


def test_who_is_there_keeps_its_row() -> None:
    house = House(standings_rows=2)
    one_game(house, "ann", "ben")
    house.player("ann")
    for nick in ("c", "d", "e"):
        one_game(house, f"{nick}1", f"{nick}2", "go")
    assert nicks(house) == {"ann", "ben"}
    assert nicks(house, "go") == {"e2"}


def test_the_longest_standings_give_first() -> None:
    house = House(standings_rows=4)
    one_game(house, "ann", "ben", "quiet")
    for number in range(5):
        one_game(house, f"a{number}", f"b{number}")
    assert nicks(house, "quiet") == {"ann", "ben"}
    assert nicks(house) == {"a4", "b4"}


def test_a_result_for_who_has_gone_counts_for_its_row() -> None:
    """A game that ends after its players have gone."""
    house = House(standings_rows=2)
    master, ann, ben = house.table("ann", "ben")
    ann.says(Logout())
    ben.says(Logout())
    assert nicks(house) == {"ann", "ben"}
    master.says(Logout())
    one_game(house, "c1", "c2", "go")
    assert len(nicks(house) | nicks(house, "go")) == 2


def test_game_types_that_nobody_uses_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(departed_rows, "MAX_TYPES", 2)
    house = House()
    one_game(house, "ann", "ben", "go")
    one_game(house, "ann", "cat", "go")
    for number in range(4):
        one_game(house, "a", "b", f"type {number}")
    assert list(house.broker.server.types) == ["go", "type 3"]
    assert departed_rows.KEPT.of(house.broker.server).total == 5


def test_a_type_with_peers_loses_the_rows_of_those_who_have_gone_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(departed_rows, "MAX_TYPES", 1)
    house = House()
    one_game(house, "ann", "ben")
    house.player("ann")
    one_game(house, "a1", "a2", "go")
    assert (nicks(house), nicks(house, "go")) == ({"ann"}, {"a1", "a2"})


def test_forgotten_rows_are_not_counted() -> None:
    house = House(standings_rows=2)
    one_game(house, "ann", "ben")
    house.is_asked(Act(ActKind.FORGET, "ann", "root", "burnt"))
    one_game(house, "cat", "cat2", "go")
    assert nicks(house, "go") == {"cat", "cat2"} - ({"cat"} if len(nicks(house)) == 1 else set())
    assert departed_rows.KEPT.of(house.broker.server).total == 2


def test_a_past_that_is_too_long_is_cut_likewise() -> None:
    rows = [Row(f"a{number}", won=number) for number in range(1, 6)]
    house = House(past=Past({CHESS: rows, "go": [Row("ann", won=1)]}), standings_rows=3)
    assert nicks(house) == {"a4", "a5"}
    assert nicks(house, "go") == {"ann"}


def test_who_may_come_back_after_a_restart_is_not_counted() -> None:
    house = House(standings_rows=2)
    master = house.master()
    ann, ben = house.greets(Family.SESSION), house.connects()
    ann.says(PlayerLogin("ann", CHESS))
    ben.says(PlayerLogin("ben", CHESS))
    master.says(over("g1", "ann", losers=("ben",)))
    master.says(Logout())
    thank("g1", ann, ben)
    again = house.again()
    ref = again.master("ref", game_type="go")
    peers = again.players("c1", "c2", game_type="go")
    ref.says(over("g2", "c1", losers=("c2",)))
    ref.says(Logout())
    thank("g2", *peers)
    peers[0].says(Logout())
    assert departed_rows.KEPT.of(again.broker.server).dropped == 0
