"""Nicks and addresses that are forgotten, in dialogues."""

from collections.abc import Mapping

import pytest

from tests.broker.house import CHESS, House, over, thank
from ugs.broker.acts.dispatch import ACTS
from ugs.broker.effects import RecordAct
from ugs.broker.events import JournalLost
from ugs.broker.values.questions import Act, ActKind
from ugs.wire.extensions import Family
from ugs.wire.messages import ChampionsList, LeaveGame


@pytest.fixture
def house() -> House:
    return House()


def forgets(house: House, nick: str, game_type: str = "") -> Mapping[str, object]:
    """The answer to the act."""
    return house.is_asked(Act(ActKind.FORGET, nick, "root", "burnt", game_type))


def refused(house: House, nick: str, game_type: str = "") -> str:
    """Why a nick cannot be forgotten; nothing changes and nothing is recorded."""
    before, rows = list(house.records), house.rows()
    answer = forgets(house, nick, game_type)
    assert (answer["ok"], house.records, house.rows()) == (False, before, rows)
    return str(answer["error"])


def played(house: House, *, game_type: str = CHESS) -> None:
    """Ann has won against ben; both have gone, their master has not."""
    master = house.master(game_type=game_type, name=f"m {game_type}")
    ann, ben = house.players("ann", "ben", game_type=game_type)
    (game,) = house.broker.games
    master.says(over(game.id, "ann", losers=("ben",)))
    thank(game.id, ann, ben)
    ann.is_lost()  # loses the next game of the two
    ben.is_lost()
    while house.broker.games:
        master.says(over(house.broker.games[0].id, losers=("ann", "ben")))


def test_every_act_has_its_rule() -> None:
    assert set(ACTS) == set(ActKind)


def test_a_forgotten_nick_has_no_row_and_its_opponents_keep_what_it_counted_for_them(house: House) -> None:
    played(house)
    ben = house.rows()["ben"]
    cat = house.player("cat")
    house.passes(10)
    cat.standings()
    assert forgets(house, "ann") == {"ok": True, "game_types": [CHESS]}
    assert house.rows() == {"ben": ben, "cat": (0, 0, 0)}
    assert [set(told) for told in cat.standings()] == [{"ben", "cat"}], "who waits is told the new standings"
    assert [one for one in house.records if isinstance(one, RecordAct)] == [
        RecordAct("forget", "ann", CHESS, "root", "burnt")
    ]
    (note,) = house.noted("act")
    assert (note["kind"], note["subject"], note["who"], note["why"]) == ("forget", "ann", "root", "burnt")


def test_after_a_restart_the_standings_are_the_same(house: House) -> None:
    played(house)
    forgets(house, "ann")
    again = house.again()
    assert {row.nick for row in again.broker.server.types[CHESS].standings.rows()} == {"ben"}
    assert again.broker.server.types[CHESS].seating.had("ann") == ()


def test_who_comes_back_begins_with_nothing(house: House) -> None:
    played(house)
    forgets(house, "ann")
    house.player("ann")
    assert house.rows()["ann"] == (0, 0, 0)
    assert house.broker.server.types[CHESS].seating.had("ann") == ()


def test_only_the_game_type_that_was_named(house: House) -> None:
    played(house)
    played(house, game_type="go")
    assert forgets(house, "ann", "go") == {"ok": True, "game_types": ["go"]}
    assert "ann" in house.rows()
    assert "ann" not in house.rows("go")
    assert forgets(house, "ben")["game_types"] == [CHESS, "go"]


def test_a_game_type_of_which_nothing_is_left_is_forgotten(house: House) -> None:
    played(house)
    house.peers[1].is_lost()
    forgets(house, "ann")
    assert CHESS in house.broker.server.types
    forgets(house, "ben")
    assert CHESS not in house.broker.server.types


def test_a_nick_that_is_here_is_not_forgotten(house: House) -> None:
    played(house)
    house.player("Ann")
    assert refused(house, "ann") == (
        "'ann' is here as 'Ann': it is logged in; only a nick that has gone can be forgotten"
    )


def test_nor_is_one_that_may_come_back(house: House) -> None:
    played(house)
    house.guest("ann", Family.SESSION).is_lost()
    assert "its line is cut, and it may come back" in refused(house, "ann")


def test_nor_one_that_has_left_a_game_that_still_runs(house: House) -> None:
    played(house)
    house.peers[1].is_lost()
    house.master("three", players=(3, 3))
    ann, _ben, _cat = house.players("ann", "ben", "cat")
    ann.says(LeaveGame(house.broker.games[0].id))
    ann.is_lost()
    assert refused(house, "ann").startswith("'ann' has a seat in game g")


def test_nor_an_entrant_of_a_championship_that_is_not_over(house: House) -> None:
    played(house)
    house.plans(first=3, return_s=100)
    peers = house.players("ann", "ben", "cat")
    peers[0].is_lost()
    assert refused(house, "ann") == "'ann' is in the field of championship cup, which is not over"
    assert "has no row" in refused(house, "zoe"), "others are looked for in the standings of open play"


def test_what_is_not_known_is_named(house: House) -> None:
    assert forgets(house, "ann", "go")["error"] == "no game type 'go' is known; there are: none"
    played(house)
    assert refused(house, "ANN") == "'ANN' has no row in the standings of any game type; there is 'ann'"
    assert refused(house, "zoe", CHESS) == f"'zoe' has no row in the standings of {CHESS}"
    assert refused(house, "ann", "go") == f"no game type 'go' is known; there are: {CHESS}"


def test_where_nothing_was_played_no_game_type_is_asked_for() -> None:
    assert forgets(House(), "zoe")["error"] == "'zoe' has no row in the standings of any game type"


def test_nothing_is_forgotten_that_cannot_be_written_down(house: House) -> None:
    played(house)
    house.happens(JournalLost("disk full"))
    assert refused(house, "ann") == "nothing can be written down at present: disk full"


def test_a_list_never_shows_a_forgotten_row(house: House) -> None:
    played(house)
    forgets(house, "ann")
    told = house.broker.server.types[CHESS].standings.champions_list(10)
    assert isinstance(told, ChampionsList)
    assert [row.nick for row in told.rows] == ["ben"]


def test_an_address_is_forgotten_and_written_down_nowhere(house: House) -> None:
    answer = house.is_asked(Act(ActKind.FORGET_ADDRESS, "203.0.113.9/24", "root", "asked for"))
    assert answer == {"ok": True}
    assert [one for one in house.records if isinstance(one, RecordAct)] == [
        RecordAct("forget address", "203.0.113.0/24", "", "root", "asked for")
    ]
    (note,) = house.noted("act")
    assert "203" not in str(note)
