"""Players who are seated by order, in dialogues."""

from typing import Any

import pytest

from tests.broker.acts.acting import acts, recorded, refused
from tests.broker.house import CHESS, House, Peer, move, over, thank, turn
from ugs.broker.acts.ordered_seats import pair
from ugs.broker.effects import RecordAct
from ugs.broker.values.questions import Act, ActKind
from ugs.wire.extensions import Family, OfferedOption
from ugs.wire.messages import BeginGame, Choice

PAIR, PAUSE = ActKind.PAIR, ActKind.PAUSE


@pytest.fixture
def house() -> House:
    house = House()
    acts(house, PAUSE, game_type=CHESS)
    return house


def test_waiting_players_sit_as_the_organiser_says_though_their_type_is_paused(house: House) -> None:
    master = house.master()
    house.players("ann", "ben", "cat")
    assert not house.broker.games
    assert acts(house, PAIR, game_type=CHESS, seats=("cat", "ann")) == {"ok": True, "game": "g1"}
    assert recorded(house)[-1] == RecordAct("pair", "g1", CHESS, "root", "because")
    assert [message.players for message in master.hears() if isinstance(message, BeginGame)] == [("cat", "ann")]
    assert [player.name for player in house.broker.server.types[CHESS].waiting.values()] == ["ben"]


def test_the_organiser_says_how_the_game_begins_else_its_master_does(house: House) -> None:
    master = house.leader("m", Family.TABLE, setup="its own")
    house.players("ann", "ben", "cat", "dan")
    acts(house, PAIR, game_type=CHESS, seats=("ann", "ben"), setup="a = 1")
    acts(house, PAIR, game_type=CHESS, seats=("cat", "dan"))
    assert [message.setup for message in master.hears() if isinstance(message, BeginGame)] == ["a = 1", "its own"]


def test_the_organiser_chooses_options_and_a_master_that_offers_them() -> None:
    house = House(masters_per_game=2)
    acts(house, PAUSE, game_type=CHESS)
    house.master("plain")
    house.players("ann", "ben")
    why = refused(house, PAIR, game_type=CHESS, seats=("ann", "ben"), options={"size": "7"})
    assert why == "options: no game master here offers them: option name 'size': allowed are none"
    offered = (OfferedOption("size", "5", least=3, most=9), OfferedOption("mode", "plain"))
    master = house.leader("m", Family.TABLE, options=offered)
    acts(house, PAIR, game_type=CHESS, seats=("ann", "ben"), options={"size": "7"})
    (begin,) = [message for message in master.hears() if isinstance(message, BeginGame)]
    assert begin.options == (Choice("size", "7"), Choice("mode", "plain"))


def test_players_who_do_not_wait_are_named(house: House) -> None:
    house.master()
    house.players("ann", "ben", "cat")
    acts(house, PAIR, game_type=CHESS, seats=("ann", "ben"))
    why = refused(house, PAIR, game_type=CHESS, seats=("cat", "ann", "dan"))
    assert why == "seats: not waiting for a game: 'ann', 'dan'"


def ben_was_too_slow(**more: Any) -> tuple[House, Peer]:
    """A house in which ann and ben have been paired, and ben has lost since no move came within a second; and ben."""
    house = House(move_timeout_s=1, **more)
    acts(house, PAUSE, game_type=CHESS)
    master, (ann, ben) = house.master(), house.players("ann", "ben")
    acts(house, PAIR, game_type=CHESS, seats=("ann", "ben"))
    master.says(turn("g1", "ben"))
    house.passes(1)
    master.says(over("g1", "ann"))
    thank("g1", ann)
    return house, ben


def test_one_that_was_too_slow_may_still_think_about_its_last_game_and_is_waited_for() -> None:
    """By the same move it would lose the next one."""
    house, ben = ben_was_too_slow()
    why = refused(house, PAIR, game_type=CHESS, seats=("ann", "ben"))
    assert (
        why == "seats: still with the last game, whose end was no gameOver: 'ben'; free in 10 s, or when a move comes"
    )
    ben.says(move("g1"))
    assert "free in 1 s" in refused(house, PAIR, game_type=CHESS, seats=("ann", "ben"))
    house.passes(1)
    assert acts(house, PAIR, game_type=CHESS, seats=("ann", "ben")) == {"ok": True, "game": "g2"}


def test_one_that_rests_after_faults_in_a_row_is_seated_by_order() -> None:
    house, _ = ben_was_too_slow(player_strikes=1)
    assert acts(house, PAIR, game_type=CHESS, seats=("ann", "ben")) == {"ok": True, "game": "g2"}


@pytest.mark.parametrize("seats", [(), ("ann",), ("ann", "ann")])
def test_a_game_has_two_players_at_least(house: House, seats: tuple[str, ...]) -> None:
    house.master()
    house.players("ann", "ben")
    assert "at least two different nicks are wanted" in refused(house, PAIR, game_type=CHESS, seats=seats)


def test_a_master_has_to_be_free_for_this_number_of_seats_and_this_beginning(house: House) -> None:
    house.players("ann", "ben", "cat")
    wanted = "no game master of chess is free for"
    assert wanted in refused(house, PAIR, game_type=CHESS, seats=("ann", "ben"))
    house.master()
    assert wanted in refused(house, PAIR, game_type=CHESS, seats=("ann", "ben", "cat"))
    assert wanted in refused(house, PAIR, game_type=CHESS, seats=("ann", "ben"), setup="a = 1")


def test_nobody_is_paired_for_a_type_that_is_not_known(house: House) -> None:
    house.players("ann", "ben")
    why = refused(house, PAIR, game_type="chest", seats=("ann", "ben"))
    assert why == "no game type 'chest' is known (did you mean 'chess'?); there are: chess"


def test_a_championship_that_lets_no_one_play_before_it_or_is_played_is_named() -> None:
    house = House()
    house.plans(first=2, open_play=False)
    house.master()
    house.players("ann")
    wanted = "no game of chess begins by order: "
    seats = ("ann", "ben")
    why = refused(house, PAIR, game_type=CHESS, seats=seats)
    assert why == f"{wanted}nothing is played before championship cup (open_play = false)"
    house.players("ben")
    assert refused(house, PAIR, game_type=CHESS, seats=seats) == f"{wanted}championship cup is played"


def test_nobody_is_paired_once_the_server_stops(house: House) -> None:
    house.master()
    house.players("ann", "ben")
    house.broker.server.condition.drains()
    answer = pair(house.broker.server, Act(PAIR, "", "root", "because", CHESS, seats=("ann", "ben")))
    assert "begins by order: the server stops" in str(answer)
