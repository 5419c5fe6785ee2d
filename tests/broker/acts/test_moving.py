"""A game type that is at home at another server, or here again; in dialogues."""

import pytest

from tests.broker.acts.acting import acts
from tests.broker.house import CHESS, House, over, thank
from tests.broker.house import move as moves
from ugs.broker.events import HomeMoved
from ugs.broker.values.questions import ActKind
from ugs.broker.views.why import pool_waits
from ugs.wire.messages import BeginGame, Error

ELSEWHERE = f"{CHESS} is at home at node b: connect again"
AWAY, BACK = HomeMoved(CHESS, ELSEWHERE), HomeMoved(CHESS)


@pytest.fixture
def house() -> House:
    return House()


def test_idle_peers_are_sent_away_with_the_reason(house: House) -> None:
    ann, ben = house.player("ann"), house.player("ben", game_type="checkers")
    master = house.master()
    house.happens(AWAY)
    for peer in (ann, master):
        assert Error(ELSEWHERE) in peer.mail
        assert peer.is_closed()
    assert not ben.is_closed()


def test_a_running_game_ends_here_and_its_peers_go_then(house: House) -> None:
    master, ann, ben = house.table("ann", "ben")
    house.happens(AWAY)
    assert not any(peer.is_closed() for peer in (master, ann, ben))
    ann.says(moves("g1"))
    master.says(over("g1", "ann", losers=("ben",)))
    thank("g1", ann, ben)
    assert not any(isinstance(one, BeginGame) for one in master.hears())
    house.happens(AWAY)
    assert all(peer.is_closed() for peer in (master, ann, ben))
    assert len(house.noted("home moved")) == 1


def test_games_begin_again_when_it_is_at_home_here(house: House) -> None:
    house.happens(AWAY)
    house.happens(BACK)
    master = house.master()
    house.players("ann", "ben")
    assert any(isinstance(one, BeginGame) for one in master.hears())
    house.happens(BACK)


def test_what_an_organiser_has_paused_stays_so_when_it_comes_back(house: House) -> None:
    master = house.master()
    acts(house, ActKind.PAUSE, game_type=CHESS)
    house.happens(AWAY)
    house.happens(BACK)
    again = house.master("n")
    house.players("ann", "ben")
    assert not any(isinstance(one, BeginGame) for one in again.hears())
    assert master.is_closed()
    acts(house, ActKind.RESUME, game_type=CHESS)
    assert any(isinstance(one, BeginGame) for one in again.hears())


def test_an_organiser_cannot_begin_games_where_it_is_not_at_home(house: House) -> None:
    acts(house, ActKind.PAUSE, game_type=CHESS, force=True)
    house.happens(AWAY)
    acts(house, ActKind.RESUME, game_type=CHESS)
    master = house.master()
    house.players("ann", "ben")
    assert not any(isinstance(one, BeginGame) for one in master.hears())
    assert pool_waits(house.broker.server, CHESS) == [ELSEWHERE]


def test_a_type_that_comes_back_goes_on_with_those_who_wait(house: House) -> None:
    master, ann, ben = house.table("ann", "ben")
    house.happens(AWAY)
    master.says(over("g1", "ann", losers=("ben",)))
    thank("g1", ann, ben)
    master.hears()
    house.happens(BACK)
    assert any(isinstance(one, BeginGame) for one in master.hears())
