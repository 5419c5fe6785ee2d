"""Who is disqualified has no place, in every format, also after the end; what it played counts for the others."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.broker.championships.next_life import assert_the_same_in_the_next_life
from tests.broker.championships.test_drawing import why
from tests.broker.cup import comes, over_by_name, plays
from tests.broker.house import House
from tests.championship.tables.played import Contest
from ugs.broker.championships import corrections, entering
from ugs.broker.values.questions import OrderKind
from ugs.championship.ledger import Leaver, LedgerEntry, What

DISQUALIFY = OrderKind.DISQUALIFY
FORMATS: tuple[dict[str, Any], ...] = (
    {"format": "round-robin"},
    {"format": "swiss"},
    {"format": "knock-out"},
    {"format": "ladder", "rounds": 2},
    {"format": "gauntlet"},
    {"format": "stages", "stages": [{"groups": 2}, {"format": "knock-out"}]},
    {"format": "league", "rounds": 1},
)


@pytest.fixture
def house() -> Iterator[House]:
    """A house whose championships are the same in the next life of the server."""
    house = House()
    yield house
    assert_the_same_in_the_next_life(house)


def whats(house: House) -> list[What]:
    """The kinds of entries of the ledger."""
    return [entry.what for entry in house.ledger("cup")]


def counted(house: House) -> int:
    """How many games count."""
    return len(house.broker.server.championships["cup"].ledger.standing())


@pytest.mark.parametrize("plan", FORMATS, ids=lambda plan: str(plan["format"]))
def test_after_the_end(house: House, plan: dict[str, Any]) -> None:
    house.plans(entrants=tuple("abcd"), seats=2, **plan)
    master = house.master()
    plays(house, master, comes(house, *"abcd"))
    cup = house.broker.server.championships["cup"]
    before, placing = counted(house), cup.placing
    assert cup.ledger.over
    assert house.orders(DISQUALIFY, "a") == ""
    assert cup.ledger.gone["a"] == Leaver("ada", "because", disqualified=True)
    assert counted(house) == before, "the games stay"
    assert cup.placing == (placing and [nick for nick in placing if nick != "a"])
    assert "a" not in [row.nick for row in cup.standings.rows()]
    entry = next(entry for entry in house.ledger("cup") if entry.what is What.DISQUALIFIED)
    assert entry == LedgerEntry(What.DISQUALIFIED, {"nick": "a"}, "ada", "because")
    assert (What.OVER in whats(house)[-1:]) is bool(placing), "the places are written once more"
    assert house.orders(DISQUALIFY, "a") == "'a' is disqualified in championship cup already"


@pytest.mark.parametrize("plan", FORMATS, ids=lambda plan: str(plan["format"]))
def test_while_it_is_played_it_loses_the_rest(house: House, plan: dict[str, Any]) -> None:
    house.plans(entrants=tuple("abcd"), seats=2, **plan)
    master = house.master()
    peers = comes(house, *"abcd")
    plays(house, master, peers, games=1)
    assert house.orders(DISQUALIFY, "a") == ""
    cup = house.broker.server.championships["cup"]
    assert cup.ledger.struck == set(), "what was played stays for the others, whatever the plan has for leavers"
    assert not cup.plays("a")
    plays(house, master, peers)
    assert over_by_name(house) == ["cup"]
    assert "a" not in (cup.placing or ())
    assert "a" not in [row.nick for row in cup.standings.rows()]


def test_also_one_that_has_left_before(house: House) -> None:
    house.plans(entrants=tuple("abc"), leavers="lose")
    house.master()
    comes(house, *"abc")
    house.orders(OrderKind.WITHDRAW, "a")
    assert house.orders(DISQUALIFY, "a") == ""
    assert whats(house).count(What.WITHDRAWN) == 1
    house.orders(OrderKind.CANCEL)
    assert house.orders(DISQUALIFY, "b") == ""


def test_it_is_told_so_while_the_others_play(house: House) -> None:
    house.plans(entrants=tuple("abc"), leavers="lose")
    house.master()
    comes(house, *"abc")
    (waiting,) = [nick for nick in "abc" if nick not in house.broker.games[0].present]
    house.orders(DISQUALIFY, waiting)
    assert why(house, waiting) == [f"{waiting} is disqualified by ada: because, in championship cup"]


def test_only_an_entrant_of_one_that_has_begun(house: House) -> None:
    house.plans(entrants=tuple("ab"))
    not_begun = "championship cup has not begun; no player can be disqualified. To begin without one, edit its plan"
    assert house.orders(DISQUALIFY, "a") == not_begun
    house.master()
    comes(house, *"ab")
    assert house.orders(DISQUALIFY, "zoe") == "'zoe' is not an entrant of championship cup"


def test_with_all_disqualified_nobody_has_won(house: House) -> None:
    house.plans(entrants=tuple("ab"), seats=2, format="knock-out")
    plays(house, house.master(), comes(house, *"ab"))
    for nick in "ab":
        assert house.orders(DISQUALIFY, nick) == ""
    places = [entry.data["placing"] for entry in house.ledger("cup") if entry.what is What.OVER]
    assert places == [["a", "b"], ["b"], []]


def test_who_was_struck_before_can_be_disqualified_too() -> None:
    played = Contest(("ann", "ben", "cat", "dan"), format="round-robin", leavers="strike").play(2)
    played.withdraw("ann")
    assert "ann" not in played.one.standings
    entering.disqualify(played.one, "ann", "eve", "cheated")
    assert "ann" in played.one.ledger.disqualified
    assert "ann" not in played.one.standings


def test_a_game_of_three_that_was_not_played_has_no_result_to_correct() -> None:
    played = Contest(("ann", "ben", "cat", "dan"), format="round-robin", seats=3, leavers="lose").play(1)
    played.withdraw("ann")
    forfeited = next(iter(played.one.fixtures.forfeited))
    wrong = corrections.correct(played.one, f"#{forfeited}", {"ben": "won"}, "eve", "x")
    assert wrong is not None
    assert "was not played, since ann has left" in wrong
