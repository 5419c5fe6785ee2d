"""Players who make faults in a row rest."""

from typing import Any

import pytest

from tests.broker.house import CHESS, House, Peer, move, over, thank, turn
from ugs.broker.state import rests
from ugs.broker.state.model import Player
from ugs.broker.state.rests import left_s
from ugs.broker.state.server_state import ServerState
from ugs.broker.values.questions import PublicWhyAsked
from ugs.broker.views.why import player_waits
from ugs.wire.extensions import Because, Family, Ping, Pong, ShowClock, Why
from ugs.wire.messages import BeginGame, Error, GameMasterLogin, LeaveGame, Logout, Move, PlayerLeftGame

THIRD = (
    "; that is the 3rd game in a row lost by your own fault: you are not seated in open play for 30 s, unless you send "
    "anything but a question before"
)
HUNG = "no move within 30 s: game {game} is lost"


def why(house: House, nick: str) -> list[str]:
    """Why this player waits, as far as everybody may know."""
    answer: Any = house.is_asked(PublicWhyAsked(nick))
    return [line for found in answer["found"] for line in found["why"]]


class Table:
    """A master and two players who meet again and again; hal says nothing of itself."""

    def __init__(self, *families: Family, **settings: Any) -> None:
        self.house = House(**settings)
        self.master = self.house.leader("m", Family.REASON)
        self.hal = self.house.guest("hal", *families) if families else self.house.player("hal")
        self.ann = self.house.player("ann")

    def begun(self) -> str:
        """The id of the game that the master has been asked to begin; empty: of none."""
        asked = [one for one in self.master.hears() if isinstance(one, BeginGame)]
        return asked[-1].game_id if asked else ""

    def hal_hangs(self) -> str:
        """The next game begins, and hal does not move; returns what hal is told. Empty: none begins."""
        game_id = self.begun()
        if not game_id:
            return ""
        self.master.says(turn(game_id, "hal"))
        self.house.passes(30)
        self.master.says(over(game_id, "ann"))
        thank(game_id, self.ann)
        return [one.text for one in self.hal.hears() if isinstance(one, Error)][-1]

    def hal_hangs_often(self, times: int) -> list[str]:
        """The same several times, each as soon as hal is seated again; the last time it still rests."""
        texts = []
        for number in range(times):
            self.house.passes(30 if number else 0)
            texts.append(self.hal_hangs())
        return texts

    def hal_plays(self) -> None:
        """The next game begins, and hal loses it as one should."""
        game_id = self.begun()
        self.master.says(turn(game_id, "hal"))
        self.hal.says(move(game_id))
        self.master.says(over(game_id, "ann", losers=("hal",)))
        thank(game_id, self.ann, self.hal)


def test_after_three_time_outs_in_a_row_a_player_rests_and_is_told_why() -> None:
    table = Table()
    assert table.hal_hangs_often(3) == [
        "no move within 30 s: game g1 is lost",
        "no move within 30 s: game g2 is lost",
        "no move within 30 s: game g3 is lost; that is the 3rd game in a row lost by your own fault: you are not seated"
        " in open play for 30 s, unless you send anything but a question before",
    ]
    assert table.hal_hangs() == ""
    assert why(table.house, "hal")[0] == (
        "hal has lost 3 games in a row by its own fault; it is seated again in 30 s, or as soon as it sends anything "
        "but a question"
    )
    assert why(table.house, "ann") == ["1 player waits; a game takes 2 players"]


def test_each_further_fault_doubles_the_rest() -> None:
    table = Table()
    table.hal_hangs_often(3)
    table.house.passes(29)
    assert table.begun() == ""
    table.house.passes(6)
    assert "the 4th game in a row lost by your own fault: you are not seated in open play for 60 s" in table.hal_hangs()
    table.house.passes(55)
    assert table.begun() == ""
    table.house.passes(10)
    assert "for 120 s" in table.hal_hangs()


@pytest.mark.no_cover
def test_a_rest_is_at_most_an_hour() -> None:
    table = Table(begin_timeout_s=10_000)
    for _ in range(30):
        told = table.hal_hangs()
        table.house.passes(3606)
    assert "the 30th game in a row" in told
    assert "for 3600 s" in told


def test_who_says_something_is_seated_again() -> None:
    table = Table()
    table.hal_hangs_often(3)
    table.house.passes(1)
    table.hal.says(LeaveGame("g3"))
    table.house.passes(1)
    assert table.begun() == "g4"


def test_who_only_asks_goes_on_resting() -> None:
    """Example players ask by themselves why they wait: they lost a game in three seconds, again and again."""
    table = Table(Family.REASON, Family.CLOCK)
    table.hal_hangs_often(3)
    for question in (Why(), Ping(), Pong("1"), ShowClock()):
        table.house.passes(1)
        table.hal.says(question)
    table.house.passes(24)
    assert table.begun() == ""
    table.house.passes(2)
    assert table.begun() == "g4"


def test_a_game_without_a_fault_forgives_all() -> None:
    table = Table()
    table.hal_hangs_often(2)
    table.house.passes(30)
    table.hal_plays()
    assert table.hal_hangs_often(2) == [HUNG.format(game="g4"), HUNG.format(game="g5")]


def test_a_void_game_forgives_nothing() -> None:
    table = Table()
    table.hal_hangs_often(2)
    table.house.passes(30)
    table.master.is_lost()
    table.master = table.house.master()
    table.house.passes(1)
    assert "3rd game" in table.hal_hangs()


@pytest.mark.parametrize("settings", [{"player_strikes": 0}, {"player_strikes": 9}])
def test_the_setting_says_after_how_many_and_0_means_never(settings: dict[str, int]) -> None:
    table = Table(**settings)
    assert table.hal_hangs_often(5) == [HUNG.format(game=f"g{number}") for number in range(1, 6)]


def test_broken_rules_count_whether_the_game_ends_by_them_or_the_master_takes_the_player_out() -> None:
    table = Table()
    for number in range(1, 4):
        game_id = table.begun()
        assert game_id == f"g{number}"
        table.master.says(turn(game_id, "hal"))
        table.hal.says(move(game_id))
        table.master.says(Because(game_id, "taken", "1,7 is taken", "hal"))
        table.master.says(over(game_id, "ann", losers=("hal",)))
        thank(game_id, table.ann, table.hal)
    assert table.begun() == "", "thanks are nothing that hal says by itself"
    texts = [one.text for one in table.hal.hears() if isinstance(one, Error)]
    assert texts == [f"game g3 is lost{THIRD}"]
    table.house.passes(29)
    assert table.begun() == ""
    table.house.passes(6)
    assert table.begun() == "g4"


@pytest.mark.parametrize(("families", "told"), [((), []), ((Family.STATE,), [f"game g3 is lost{THIRD}"])])
def test_players_that_cannot_read_an_error_rest_without_one(families: tuple[Family, ...], told: list[str]) -> None:
    table = Table(*families, quiet_players=True)
    for game_id in ("g1", "g2", "g3"):
        table.master.says(turn(game_id, "hal"))
        table.hal.says(move(game_id))
        table.master.says(Because(game_id, "taken", "1,7 is taken", "hal"))
        table.master.says(over(game_id, "ann", losers=("hal",)))
        thank(game_id, table.ann, table.hal)
    assert table.begun() == "g3"
    assert [one.text for one in table.hal.hears() if isinstance(one, Error)] == told
    assert "hal has lost 3 games in a row by its own fault" in why(table.house, "hal")[0]


def test_others_play_on_and_who_has_gone_rests_no_more() -> None:
    table = Table()
    table.hal_hangs_often(3)
    table.house.player("ben")
    table.house.passes(1)
    assert table.begun() == "g4"
    table.hal.says(Logout())
    table.house.player("hal")
    table.house.player("cat")
    assert table.begun() == "g5"


def test_a_master_that_comes_meanwhile_does_not_wake_anybody(house: House) -> None:
    table = Table()
    table.hal_hangs_often(3)
    table.master.says(Logout())
    peer: Peer = table.house.connects()
    peer.says(GameMasterLogin("n", CHESS, "2", "2"))
    assert [one for one in peer.hears() if isinstance(one, BeginGame)] == []


class TestOneTimeOut:
    """Whoever is too slow may still be thinking about that game: it would lose the next one, too."""

    def test_it_is_seated_again_after_the_time_of_a_move(self) -> None:
        table = Table()
        table.hal_hangs()
        line = "hal has just been in a game; it is seated again in 30 s, or as soon as it sends anything but a question"
        assert why(table.house, "hal")[0] == line
        hal = table.house.broker.server.names.player("hal")
        assert hal is not None
        assert player_waits(table.house.broker.server, hal)[0] == line.replace("a game", "game g1")
        table.house.passes(29)
        assert table.begun() == ""
        table.house.passes(1)
        assert table.begun() == "g2"

    def test_the_late_move_shows_that_it_has_done(self) -> None:
        table = Table()
        table.hal_hangs()
        table.house.passes(5)
        table.hal.says(move("g1"))
        assert table.hal.hears() == []
        assert not table.house.noted("wrong message"), "its move was on its way"
        table.house.passes(0.9)
        assert table.begun() == ""
        table.house.passes(1)
        assert table.begun() == "g2"

    def test_a_second_late_move_is_a_mistake(self) -> None:
        table = Table()
        table.hal_hangs()
        table.hal.says(move("g1"))
        table.hal.says(move("g1"))
        assert table.hal.hears_error() == "move: gameId id 'g1': this game is over"

    def test_a_late_move_while_it_is_asked_in_the_next_game_is_none(self) -> None:
        table = Table()
        table.hal_hangs()
        table.house.passes(30)
        table.master.says(turn(table.begun(), "hal"))
        table.hal.hears()
        table.hal.says(move("g1"))
        assert table.hal.hears() == []
        table.hal.says(move("g2"))
        assert [one for one in table.master.hears() if isinstance(one, Move)] == [move("g2")]

    def test_one_that_logs_out_after_its_late_move_has_lost_one_game(self) -> None:
        table = Table()
        table.hal_hangs()
        table.house.passes(5)
        table.hal.says(move("g1"))
        table.house.passes(0.5)
        table.hal.says(Logout())
        assert len(table.house.results) == 1

    def test_late_moves_again_and_again_make_no_rest_longer(self) -> None:
        table = Table()
        table.hal_hangs()
        for _ in range(4):
            table.house.passes(0.5)
            table.hal.says(move("g1"))
        assert table.begun() == "g2"

    def test_a_long_time_for_moves_is_not_waited_for(self) -> None:
        table = Table(move_timeout_s=3600)
        table.master.says(turn(table.begun(), "hal"))
        table.house.passes(3600)
        table.master.says(over("g1", "ann"))
        thank("g1", table.ann)
        table.house.passes(60)
        assert table.begun() == "g2"

    def test_one_that_logs_out_when_it_reads_so_has_lost_one_game(self) -> None:
        table = Table()
        table.hal_hangs()
        table.hal.says(Logout())
        assert len(table.house.results) == 1

    def test_a_championship_does_not_wait_for_it(self, house: House) -> None:
        house.plans(first=3)
        master, peers = house.master(), {nick: house.player(nick) for nick in "abc"}
        late = house.game("g1").seats[0]
        master.says(turn("g1", late))
        house.passes(30)
        assert left_s(house.broker.server, peers[late].player) == 0


def test_who_is_removed_by_the_master_may_log_out_before_the_next_game(house: House) -> None:
    master, ann, ben = house.table("ann", "ben")
    master.says(PlayerLeftGame("ann", "g1"))
    master.says(over("g1", "ben"))
    thank("g1", ben)
    assert list(house.broker.games) == []
    ann.says(Logout())
    assert [result.game_id for result in house.results] == ["g1"]


def test_what_a_mass_of_players_that_rest_costs_grows_with_their_number_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A master with a thousand games may be lost: each of them asked who of all rests."""
    looks: list[str] = []

    def looked(server: ServerState, player: Player) -> float:
        looks.append(player.name)
        return left_s(server, player)

    monkeypatch.setattr(rests, "left_s", looked)
    for players in (40, 160):
        house = House()
        master = house.master()
        house.players(*(f"p{number}" for number in range(players)))
        looks.clear()
        master.is_lost()
        house.master("n")
        house.passes(1)
        assert len(house.broker.games) == players // 2
        assert len(looks) <= 3 * players


def test_who_has_rested_is_not_forgotten_while_others_gather() -> None:
    house = House(gather_s=60, players_wanted=4)
    master = house.master("m", (2, 4))
    house.players("ann", "ben", "cat", "dan")
    master.is_lost()
    again = house.master("n", (2, 4))
    house.players("eve", "fay")
    assert [one for one in again.hears() if isinstance(one, BeginGame)] == []
    house.passes(1)
    assert len([one for one in again.hears() if isinstance(one, BeginGame)]) == 1


def test_faults_in_a_championship_lead_to_no_rest(house: House) -> None:
    """It was sent that it is not seated, and played its next fixture at once."""
    house.plans(first=2, repeats=4)
    master, late, other = house.master(), house.player("late"), house.player("other")
    texts = []
    for number in range(1, 4):
        master.says(turn(f"g{number}", "late"))
        house.passes(30)
        master.says(over(f"g{number}", "other"))
        thank(f"g{number}", other)
        texts += [one.text for one in late.hears() if isinstance(one, Error)]
    assert texts == [HUNG.format(game=f"g{number}") for number in range(1, 4)]
    assert left_s(house.broker.server, late.player) == 0
