"""Which players are told the standings, when, and how often."""

import pytest

from tests.broker.house import CHESS, House, Peer, over, thank, turn
from ugs.broker.championships import champions_list
from ugs.broker.effects import Effect, Send
from ugs.broker.events import Timer, TimerFired, TimerKind
from ugs.wire.codec import encode
from ugs.wire.messages import BeginGame, ChampionsList, LeaveGame, Logout, PlayerLogin, ThankYou


def lists_in(effects: list[Effect]) -> list[Send]:
    """The ``championsList`` messages among these effects."""
    return [effect for effect in effects if isinstance(effect, Send) and isinstance(effect.message, ChampionsList)]


def wins(master: Peer, game_id: str, winner: Peer, loser: Peer) -> None:
    """A game ends and both say thank you."""
    master.says(over(game_id, winner.name, losers=(loser.name,)))
    thank(game_id, winner, loser)


def test_a_player_who_logs_in_gets_the_standings_at_once_and_is_in_them(house: House) -> None:
    ann = house.player("ann")
    assert ann.standings() == [{"ann": (0, 0)}]


def test_each_type_has_its_own_table(house: House) -> None:
    house.player("ann", "go")
    ben = house.player("ben")
    assert ben.standings() == [{"ben": (0, 0)}]


def test_the_order_is_most_won_then_fewest_lost_then_nick(house: House) -> None:
    master = house.master()
    for number, (winner, loser) in enumerate([("ben", "ann"), ("ben", "ann"), ("dan", "cat")], start=1):
        pair = house.players(winner, loser)
        master.says(over(f"g{number}", winner, losers=(loser,)))
        for peer in pair:
            peer.says(Logout())
    master.is_lost()
    house.player("abe")
    zoe = house.player("Zoe")
    assert list(zoe.standings()[0].items()) == [
        ("ben", (2, 0)),
        ("dan", (1, 0)),
        ("Zoe", (0, 0)),
        ("abe", (0, 0)),
        ("cat", (0, 1)),
        ("ann", (0, 2)),
    ]


def test_a_player_who_leaves_without_having_played_leaves_the_standings(house: House) -> None:
    ann, ben = house.players("ann", "ben")
    ann.says(Logout())
    house.passes(10)
    assert ben.standings()[-1] == {"ben": (0, 0)}


class TestPlayersInAGame:
    """They get no list until they are idle, and then one at once, even within the interval."""

    def test_no_table_while_playing_or_owing_thanks(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        house.player("cat")
        house.passes(10)
        master.says(over("g1", "ann", losers=("ben",)))
        house.passes(5)
        assert ann.standings() == ben.standings() == []

    def test_one_right_after_the_thanks(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        master.says(over("g1", "ann", losers=("ben",)))
        thank("g1", ann)
        assert ann.standings() == [{"ann": (1, 0), "ben": (0, 1)}]
        thank("g1", ben)
        assert ben.standings() == [{"ann": (1, 0), "ben": (0, 1)}]

    def test_one_right_after_leaving_and_it_does_not_count_yet(self, house: House) -> None:
        _master, ann, _ben = house.table("ann", "ben")
        ann.says(LeaveGame("g1"))
        assert ann.standings() == [{"ann": (0, 0), "ben": (0, 0)}]

    def test_one_right_after_a_void_game(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        master.is_lost()
        assert ann.standings() == ben.standings() == [{"ann": (0, 0), "ben": (0, 0)}]

    def test_it_is_told_before_the_next_game_that_begins_in_the_same_breath(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        master.says(over("g1", "ann", losers=("ben",)))
        thank("g1", ann)
        sent = [effect for effect in ben.says(ThankYou("g1")) if isinstance(effect, Send)]
        assert [(one.to, type(one.message)) for one in sent] == [
            ((ben.conn,), ChampionsList),
            ((master.conn,), BeginGame),
        ]


class TestChanges:
    """Idle players are told of changes at most once per interval."""

    def test_a_change_is_told_at_once_if_the_last_news_are_old(self, house: House) -> None:
        ann = house.player("ann")
        house.passes(2)
        ann.standings()
        house.player("ben")
        assert ann.standings() == [{"ann": (0, 0), "ben": (0, 0)}]

    def test_changes_within_the_interval_are_told_together_at_its_end(self, house: House) -> None:
        ann = house.player("ann")
        house.passes(2)
        house.player("ben")
        ann.standings()
        house.passes(0.5)
        house.player("cat")
        house.passes(0.5)
        house.player("dan")
        house.passes(0.9)
        assert ann.standings() == []
        house.passes(0.1)
        assert ann.standings() == [dict.fromkeys(("ann", "ben", "cat", "dan"), (0, 0))]
        house.passes(60)
        assert ann.standings() == []

    def test_everybody_has_an_interval_of_its_own(self, house: House) -> None:
        ann = house.player("ann")
        house.passes(1.5)
        ben = house.player("ben")
        house.passes(0.5)
        assert ann.standings()[-1].keys() == {"ann", "ben"}
        ben.standings()
        house.player("cat")
        house.passes(1.4)
        assert ann.standings() == ben.standings() == []
        house.passes(0.1)
        assert ben.standings() == [dict.fromkeys(("ann", "ben", "cat"), (0, 0))]
        assert ann.standings() == []
        house.passes(0.5)
        assert ann.standings() == [dict.fromkeys(("ann", "ben", "cat"), (0, 0))]

    def test_those_who_become_due_soon_after_each_other_are_told_together(self, house: House) -> None:
        peers = []
        for number in range(5):
            peers.append(house.player(f"p{number}"))
            house.passes(0.05)
        for peer in peers:
            peer.standings()
        house.passes(1.8)
        told_first = [peer for peer in peers if peer.standings()]
        house.passes(0.5)
        told_next = [peer for peer in peers if peer.standings()]
        assert told_first == peers[:1]
        assert told_next == peers[1:4], "the last one knows of all already"

    def test_never_more_often_than_the_interval(self, house: House) -> None:
        ann = house.player("ann")
        ann.standings()
        told = 0
        for number in range(100):
            house.player(f"p{number}")
            house.passes(0.1)
            told += len(ann.standings())
        assert told == 5

    def test_an_interval_of_zero_tells_every_change(self) -> None:
        house = House(champions_interval_s=0)
        ann = house.player("ann")
        ann.standings()
        house.players("ben", "cat")
        assert len(ann.standings()) == 2

    def test_a_draw_is_no_change(self, house: House) -> None:
        master, *_players = house.table("ann", "ben")
        cat = house.player("cat")
        house.passes(10)
        cat.standings()
        master.says(over("g1", "ann", "ben"))
        house.passes(10)
        assert cat.standings() == []
        assert house.rows() == {"ann": (0, 0, 1), "ben": (0, 0, 1), "cat": (0, 0, 0)}

    def test_a_void_game_is_none_either_and_delays_no_news(self, house: House) -> None:
        master, _ann, _ben = house.table("ann", "ben")
        cat = house.player("cat")
        house.passes(10)
        cat.standings()
        master.is_lost()
        house.passes(0.1)
        assert cat.standings() == []
        house.player("dan")
        assert len(cat.standings()) == 1

    def test_a_result_is_told_to_those_who_wait(self, house: House) -> None:
        master, _ann, _ben = house.table("ann", "ben")
        cat = house.player("cat")
        house.passes(10)
        cat.standings()
        master.says(over("g1", "ben", losers=("ann",)))
        assert cat.standings() == [{"ben": (1, 0), "cat": (0, 0), "ann": (0, 1)}]


class TestOneList:
    """A list is made once per change for all players."""

    def test_all_who_wait_get_one_message_in_one_effect(self, house: House) -> None:
        peers = house.players("ann", "ben", "cat")
        house.passes(10)
        new = house.connects()
        welcome, news = lists_in(new.says(PlayerLogin("dan", CHESS)))
        assert welcome.to == (new.conn,)
        assert news.to == tuple(peer.conn for peer in peers)
        assert welcome.message is news.message

    def test_the_same_list_is_used_until_the_table_changes(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        master.says(over("g1", "ann", losers=("ben",)))
        thank("g1", ann, ben)
        assert ann.lists[-1] is ben.lists[-1]
        before = ben.lists[-1]
        master.says(turn("g2", "ann"))
        master.says(over("g2", "ann", "ben"))
        thank("g2", ann, ben)
        assert ben.lists[-1] is before, "a draw changes nothing"
        master.says(over("g3", "ann", losers=("ben",)))
        thank("g3", ann, ben)
        assert ben.lists[-1] is not before


class TestManyRows:
    def test_a_player_beyond_the_last_row_gets_its_own_as_one_more(self) -> None:
        house = House(table_rows=2)
        ann, ben, cat, dan = house.players("ann", "ben", "cat", "dan")
        assert list(dan.standings()[-1]) == ["ann", "ben", "dan"]
        house.passes(2)
        assert list(ann.standings()[-1]) == list(ben.standings()[-1]) == ["ann", "ben"]
        assert list(cat.standings()[-1]) == ["ann", "ben", "cat"]

    def test_never_more_than_fit_into_a_message(self) -> None:
        house = House(max_message_bytes=2048, max_message_bytes_before_login=1024)
        nicks = ["&" * 60 + str(number) for number in range(10)]
        last = house.players(*nicks)[-1]
        assert len(encode(last.lists[-1])) < 2048
        assert len(last.standings()[-1]) == 4


class TestRoom:
    """Lists share ``champions_bytes_per_s``; rows count as ROW_BYTES each."""

    BURST = 1024 * champions_list.BURST_S

    def crowd(self, number: int) -> tuple[House, list[Peer]]:
        """A house with room for 85 rows at once and 21 a second, and players p00, p01, … who came one after another."""
        house = House(champions_bytes_per_s=1024)
        peers = house.players(*[f"p{one:02}" for one in range(number)])
        return house, peers

    def test_who_comes_where_there_is_none_gets_the_first_rows_and_its_own(self) -> None:
        _, peers = self.crowd(20)
        last = peers[-1].standings()
        assert [list(one) for one in last] == [["p00", "p01", "p02", "p03", "p04", "p19"]]

    def test_everybody_gets_the_whole_list_when_there_is_room(self) -> None:
        house, peers = self.crowd(20)
        for peer in peers:
            peer.standings()
        house.passes(60)
        assert [[len(one) for one in peer.standings()] for peer in peers] == [[20]] * 20
        assert not house.broker.server.types[CHESS].news.timer_runs

    def test_no_more_bytes_are_sent_than_there_is_room_for(self) -> None:
        house, peers = self.crowd(40)
        for peer in peers:
            peer.standings()
        for second in range(60):
            house.connects().says(PlayerLogin(f"new{second}", CHESS))
            house.passes(1)
        rows = sum(len(one) for peer in peers for one in peer.standings())
        largest = 100 * champions_list.ROW_BYTES
        assert rows * champions_list.ROW_BYTES <= self.BURST + 60 * 1024 + largest

    def test_those_go_first_who_were_told_longest_ago(self) -> None:
        house, peers = self.crowd(30)
        for peer in peers:
            peer.standings()
        told = [0] * 30
        for _ in range(200):
            house.player("zoe").says(Logout())  # two changes
            house.passes(1)
            for number, peer in enumerate(peers):
                told[number] += len(peer.standings())
        assert max(told) - min(told) <= 1 < max(told)

    def test_a_few_are_told_at_a_time(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(champions_list, "MAX_AT_ONCE", 2)
        house = House(table_rows=1)
        peers = house.players("ann", "ben", "cat", "dan", "eve")
        for peer in peers:
            peer.standings()
        del house.timers[Timer(TimerKind.CHAMPIONS, CHESS)]
        house.now += 2
        house.happens(TimerFired(Timer(TimerKind.CHAMPIONS, CHESS)))
        assert [len(peer.standings()) for peer in peers] == [1, 1, 0, 0, 0]
        assert house.timers[Timer(TimerKind.CHAMPIONS, CHESS)] == house.now
        house.passes(0)
        assert [len(peer.standings()) for peer in peers] == [0, 0, 1, 1, 0], "the last one knows of all already"

    def small_beside_a_crowd(self) -> tuple[House, list[Peer]]:
        """Eight players of another game type, each told the first rows only, beside a crowd in which somebody comes or
        goes all the time, so that its lists alone would use up all the room."""
        house, _ = self.crowd(30)
        small = [house.connects() for _ in range(8)]
        for number, peer in enumerate(small):
            peer.says(PlayerLogin(f"s{number}", "go"))
            peer.standings()
        for second in range(90):
            house.connects().says(PlayerLogin(f"new{second}", CHESS))
            house.passes(1)
        return house, small

    def test_a_crowd_that_changes_all_the_time_does_not_starve_a_small_type(self) -> None:
        _, small = self.small_beside_a_crowd()
        assert [max(len(one) for one in peer.standings()) for peer in small] == [8] * 8

    def test_a_type_that_nobody_uses_any_more_keeps_no_place(self) -> None:
        house, _ = self.crowd(30)
        peers = [house.connects() for _ in range(8)]
        for number, peer in enumerate(peers):
            peer.says(PlayerLogin(f"s{number}", "go"))
        house.passes(2)
        assert "go" in champions_list.ROOM.of(house.broker.server).waiting
        for peer in peers:
            peer.says(Logout())
        house.passes(60)
        assert "go" not in house.broker.server.types
        assert "go" not in champions_list.ROOM.of(house.broker.server).waiting
