"""A championship of the settings: all entrants meet once, unless games are void or entrants leave."""

from collections import Counter
from itertools import combinations

import pytest

from tests.broker.house import CHESS, House, Peer, over, thank, turn
from ugs.broker.events import JournalBack, JournalLost
from ugs.broker.state.connection import PeerState
from ugs.wire.messages import BeginGame, LeaveGame, LoginError, LoginResponse, Logout, PlayerLogin


def championship(players: int = 0, **settings: object) -> House:
    """A house whose chess players play a championship, then open games."""
    return House(game_types={CHESS: {"mode": "championship", "championship_players": players, **settings}})


def begun(master: Peer) -> list[BeginGame]:
    """The games the master has been asked to begin."""
    return [message for message in master.hears() if isinstance(message, BeginGame)]


def play(house: House, master: Peer, peers: dict[str, Peer], games: int = 99) -> list[frozenset[str]]:
    """End at most ``games`` games, each won by the nick that sorts first. Returns the nicks of each game."""
    met = []
    while games and house.broker.server.types[CHESS].championship is not None and house.broker.games:
        game = house.broker.games[0]
        nicks = sorted(game.present)
        master.says(over(game.id, nicks[0], losers=tuple(nicks[1:])))
        thank(game.id, *(peers[nick] for nick in nicks))
        met.append(frozenset(nicks))
        games -= 1
    return met


def field(house: House, *nicks: str) -> dict[str, Peer]:
    """Players by nick."""
    return {nick: house.player(nick) for nick in nicks}


class TestBeginning:
    """It begins with a number of players, or at an hour."""

    def test_nobody_plays_before_all_are_there(self) -> None:
        house = championship(3)
        master = house.master()
        field(house, "ann", "ben")
        house.passes(1000)
        assert begun(master) == []
        house.player("cat")
        assert len(begun(master)) == 1
        assert house.noted("championship begun")[0]["players"] == ["ann", "ben", "cat"]

    def test_at_the_hour_it_begins_with_the_players_who_are_there(self) -> None:
        house = championship(99)
        master = house.master()
        field(house, "ann", "ben", "cat")
        house.strikes()
        assert len(begun(master)) == 1
        house.strikes()
        assert len(house.noted("championship begun")) == 1, "another stroke is nothing new"

    @pytest.mark.parametrize("nicks", [(), ("ann",)])
    def test_at_the_hour_one_is_not_enough(self, nicks: tuple[str, ...]) -> None:
        house = championship()
        master = house.master()
        peers = field(house, *nicks)
        house.strikes()
        assert begun(master) == []
        assert house.noted("championship without players")[0]["game_type"] == CHESS
        assert all(peer.state is PeerState.IDLE for peer in peers.values())

    def test_at_the_hour_nothing_begins_for_a_type_without_players(self) -> None:
        house = championship()
        house.strikes()
        assert house.noted("championship without players")[0]["game_type"] == CHESS
        assert house.broker.server.types == {}

    def test_after_an_hour_without_anybody_play_is_open(self) -> None:
        house = championship()
        house.strikes()
        master = house.master()
        house.players("ann", "ben", game_type=CHESS)
        assert len(begun(master)) == 1
        assert house.noted("championship begun") == []

    def test_at_the_hour_of_the_settings_a_plan_for_the_same_type_does_not_begin(self) -> None:
        house = championship()
        house.plans(entrants=("ann", "ben", "cat"), game_type=CHESS)
        field(house, "ann", "ben")
        house.strikes()
        assert house.noted("championship begun") == []
        assert house.noted("championship without players") == []

    def test_an_hour_that_came_while_nothing_could_be_written_outlives_the_players_of_that_moment(self) -> None:
        house = championship()
        master = house.master()
        peers = field(house, "ann", "ben")
        house.happens(JournalLost("disk full"))
        house.strikes()
        for peer in (*peers.values(), master):
            peer.says(Logout())
        house.happens(JournalBack())
        field(house, "ann", "ben")
        assert len(house.noted("championship begun")) == 1

    def test_at_the_hour_of_a_type_that_only_a_plan_has_named_nothing_begins(self) -> None:
        house = championship()
        house.plans(first=2)
        house.strikes()
        assert house.noted("championship begun") == []
        assert house.broker.games == []

    def test_while_the_server_drains_none_begins(self) -> None:
        house = House(drain_s=60, game_types={CHESS: {"mode": "championship"}})
        master = house.master("n", game_type="go")
        house.players("eve", "fay", game_type="go")
        master.says(turn("g1", "eve"))
        field(house, "ann", "ben")
        house.is_asked_to_stop()
        house.strikes()
        assert house.noted("championship begun") == []

    def test_once_it_has_begun_nobody_else_comes_in(self) -> None:
        house = championship(2)
        field(house, "ann", "ben")
        late = house.connects()
        late.says(PlayerLogin("cat", CHESS))
        assert late.hears() == [LoginResponse(LoginError.PLAYERS_POOL_OVERFLOW)]
        assert house.player("cat", "go").state is PeerState.IDLE

    def test_without_a_master_it_waits_for_one(self) -> None:
        house = championship(2)
        field(house, "ann", "ben")
        house.passes(100)
        assert len(begun(house.master())) == 1


class TestPlaying:
    """All entrants meet each other."""

    @pytest.mark.parametrize("players", [2, 3, 4, 5, 8])
    def test_in_games_of_two_each_pair_meets_once(self, players: int) -> None:
        nicks = "abcdefgh"[:players]
        house = championship(players)
        master = house.master()
        met = play(house, master, field(house, *nicks))
        assert Counter(met) == Counter(map(frozenset, combinations(nicks, 2)))

    @pytest.mark.parametrize("players", [3, 4, 5, 7])
    def test_in_games_of_three_each_pair_meets_at_least_once(self, players: int) -> None:
        nicks = "abcdefg"[:players]
        house = championship(players)
        met = play(house, house.master(players=(3, 3)), field(house, *nicks))
        assert all(len(group) == 3 for group in met)
        pairs = {frozenset(pair) for group in met for pair in combinations(group, 2)}
        assert pairs == set(map(frozenset, combinations(nicks, 2)))
        assert len(met) < len(pairs) or players == 3

    def test_a_master_of_many_seats_leads_one_game_of_a_small_field(self) -> None:
        house = championship(3)
        met = play(house, house.master(players=(2, 6)), field(house, "a", "b", "c"))
        assert met == [frozenset("abc")]

    def test_games_that_can_be_played_at_the_same_time_are(self) -> None:
        house = championship(4)
        master = house.master()
        field(house, *"abcd")
        (one, two) = begun(master)
        assert set(one.players) | set(two.players) == set("abcd")

    def test_seats_are_dealt_fairly_here_too(self) -> None:
        house = championship(5)
        master = house.master()
        play(house, master, field(house, *"abcde"))
        firsts = Counter(begin.players[0] for begin in begun(master))
        assert max(firsts.values()) - min(firsts[nick] for nick in "abcde") <= 1

    def test_a_fixture_keeps_its_size_when_masters_come_and_go(self) -> None:
        house = championship(4, masters_per_game=2)
        large = house.master("large", players=(3, 3))
        peers = field(house, *"abcd")
        assert len(play(house, large, peers, games=1)) == 1
        large.is_lost()
        small = house.master("small", players=(2, 2))
        assert begun(small) == [], "what was drawn for three is not played by two"
        large = house.master("large", players=(3, 3))
        assert len(begun(large)) == 1


class TestEnd:
    """All entrants get the final standings, then the game type is open."""

    def test_all_participants_get_the_final_table_then_the_open_one(self) -> None:
        house = championship(3)
        master = house.master()
        peers = field(house, "ann", "ben", "cat")
        play(house, master, peers)
        final = {"ann": (2, 0), "ben": (1, 1), "cat": (0, 2)}
        for peer in peers.values():
            assert peer.standings()[-1] == final
        house.passes(2)
        waiting = [peer for peer in peers.values() if peer.state is PeerState.IDLE]
        assert [peer.standings() for peer in waiting] == [[{"ann": (0, 0), "ben": (0, 0), "cat": (0, 0)}]]

    def test_the_order_of_the_final_table_is_that_of_any_table(self) -> None:
        house = championship(3)
        peers = field(house, "cat", "ben", "ann")
        play(house, house.master(), peers)
        assert list(peers["cat"].standings()[-1]) == ["ann", "ben", "cat"]

    def test_it_ends_only_when_all_have_said_thank_you(self) -> None:
        house = championship(2)
        master = house.master()
        peers = field(house, "ann", "ben")
        master.says(over("g1", "ann", losers=("ben",)))
        thank("g1", peers["ann"])
        assert house.noted("championship over") == []
        thank("g1", peers["ben"])
        (note,) = house.noted("championship over")
        assert note["standings"] == [("ann", 1, 0, 0), ("ben", 0, 1, 0)]
        assert note["unplayed"] == []

    def test_a_player_who_does_not_say_thank_you_does_not_hold_it_up(self) -> None:
        house = championship(2)
        master = house.master()
        peers = field(house, "ann", "ben")
        master.says(over("g1", "ann", losers=("ben",)))
        thank("g1", peers["ann"])
        house.passes(10)
        assert peers["ann"].standings()[-1] == {"ann": (1, 0), "ben": (0, 1)}

    def test_afterwards_games_are_open_and_counted_in_the_open_table(self) -> None:
        house = championship(2)
        master = house.master()
        peers = field(house, "ann", "ben")
        play(house, master, peers)
        master.says(over("g2", "ben", losers=("ann",)))
        assert [result.championship for result in house.results] == [CHESS, ""]
        assert house.rows() == {"ben": (1, 0, 0), "ann": (0, 1, 0)}
        assert house.player("cat").state is PeerState.IDLE
        house.strikes()
        assert len(house.noted("championship begun")) == 1

    def test_the_final_table_is_kept_to_look_at(self) -> None:
        house = championship(2)
        play(house, house.master(), field(house, "ann", "ben"))
        kept = house.broker.server.types[CHESS].final_standings
        assert kept is not None
        assert [(row.nick, row.won) for row in kept.rows()] == [("ann", 1), ("ben", 0)]

    def test_draws_are_counted_as_such(self) -> None:
        house = championship(2)
        master = house.master()
        field(house, "ann", "ben")
        master.says(over("g1", "ann", "ben"))
        assert house.rows() == {"ann": (0, 0, 1), "ben": (0, 0, 1)}


class TestVoidGames:
    """Void games are played again, at most ``void_replays`` times."""

    def test_a_void_game_is_played_again(self) -> None:
        house = championship(2)
        house.master().is_lost()
        peers = field(house, "ann", "ben")
        first = house.master("first")
        first.is_lost()
        second = house.master("second")
        assert [set(begin.players) for begin in begun(second)] == [{"ann", "ben"}]
        second.says(over("g2", "ben", losers=("ann",)))
        thank("g2", *peers.values())
        assert peers["ann"].standings()[-1] == {"ben": (1, 0), "ann": (0, 1)}

    @pytest.mark.parametrize("replays", [0, 1, 3])
    def test_not_for_ever(self, replays: int) -> None:
        house = championship(2, void_replays=replays)
        peers = field(house, "ann", "ben")
        for number in range(replays + 1):
            assert house.noted("championship over") == []
            house.master(f"m{number}").is_lost()
        assert [result.championship for result in house.results] == [CHESS] * (replays + 1)
        assert house.noted("championship over")[0]["unplayed"] == [["ann", "ben"]]
        assert peers["ann"].standings()[-1] == {"ann": (0, 0), "ben": (0, 0)}


class TestWithdrawal:
    """A leaver loses its unplayed games, or is struck if it has played less than half."""

    def test_an_entrant_who_has_played_less_than_half_is_struck(self) -> None:
        house = championship(4)
        master = house.master()
        peers = field(house, *"abcd")
        met = play(house, master, peers, games=2)
        for one, other in map(sorted, met):
            assert (house.rows()[one], house.rows()[other]) == ((1, 0, 0), (0, 1, 0))
        peers["a"].says(Logout())
        assert "a" not in house.rows()
        (other,) = next(pair for pair in met if "a" in pair) - {"a"}
        assert house.rows()[other] == (0, 0, 0), "as if they had never met"
        (note,) = house.noted("withdrawn")
        assert (note["nick"], note["results_struck"]) == ("a", True)
        play(house, master, peers)
        assert peers["b"].standings()[-1] == {"b": (2, 0), "c": (1, 1), "d": (0, 2)}

    def test_an_entrant_who_has_played_half_loses_the_rest(self) -> None:
        house = championship(3)
        master = house.master()
        peers = field(house, *"abc")
        (pair,) = play(house, master, peers, games=1)
        playing = house.broker.games[0].present.keys()
        (leaver,) = pair - playing
        (third,) = playing - pair
        (stays,) = pair & playing
        of_leaver, of_other = ((1, 1, 0), (0, 1, 0)) if leaver < stays else ((0, 2, 0), (1, 0, 0))
        peers[leaver].says(Logout())
        assert house.noted("withdrawn")[0]["results_struck"] is False
        assert house.rows() == {leaver: of_leaver, stays: of_other, third: (1, 0, 0)}
        play(house, master, peers)
        assert len(house.noted("championship over")) == 1

    @pytest.mark.parametrize("quiet", [False, True])
    def test_the_game_it_runs_away_from_is_not_one_it_has_played(self, quiet: bool) -> None:
        house = championship(3, quiet_master=quiet)
        master = house.master()
        peers = field(house, *"abc")
        peers["a"].says(Logout())
        master.says(over("g1", "b", losers=("a",)))
        thank("g1", peers["b"])
        assert house.noted("withdrawn")[0]["results_struck"] is True
        assert house.rows() == {"b": (0, 0, 0), "c": (0, 0, 0)}
        play(house, master, peers)
        assert peers["b"].standings()[-1] == {"b": (1, 0), "c": (0, 1)}

    def test_leaving_a_game_is_no_withdrawal(self) -> None:
        house = championship(2)
        master = house.master()
        peers = field(house, "ann", "ben")
        peers["ann"].says(LeaveGame("g1"))
        master.says(over("g1", "ben", losers=("ann",)))
        thank("g1", peers["ben"])
        assert peers["ann"].standings()[-1] == {"ben": (1, 0), "ann": (0, 1)}

    def test_before_the_first_fixture_it_is_simply_struck(self) -> None:
        house = championship(3)
        peers = field(house, *"abc")
        peers["c"].is_lost()
        met = play(house, house.master(), peers)
        assert met == [frozenset("ab")]

    def test_if_only_one_is_left_it_is_over(self) -> None:
        house = championship(2)
        peers = field(house, "ann", "ben")
        peers["ben"].says(Logout())
        assert peers["ann"].standings()[-1] == {"ann": (0, 0)}
        assert len(house.noted("championship over")) == 1

    def test_if_all_have_gone_it_is_over_too_and_the_type_remembers_that_it_was(self) -> None:
        house = championship(2)
        master = house.master()
        for peer in field(house, "ann", "ben").values():
            peer.says(Logout())
        assert len(house.noted("championship over")) == 1
        master.is_lost()
        field(house, "cat", "dan")
        assert len(house.noted("championship begun")) == 1
        assert len(begun(house.master())) == 1

    def test_if_too_few_are_there_for_any_master_it_is_over_unplayed(self) -> None:
        house = championship(2)
        ann, _ben = field(house, "ann", "ben").values()
        house.master(players=(3, 3))
        assert len(house.noted("championship over")) == 1
        assert house.broker.games == []
        assert ann.standings()[-1] == {"ann": (0, 0), "ben": (0, 0)}

    def test_games_that_no_master_can_lead_any_more_are_reported(self) -> None:
        house = championship(2)
        field(house, "ann", "ben")
        house.master(players=(2, 2)).is_lost()
        house.master(players=(3, 3))
        assert house.noted("championship over")[0]["unplayed"] == [["ann", "ben"]]

    def test_seats_of_those_who_have_gone_for_good_are_forgotten(self) -> None:
        house = championship(3)
        house.master()
        peers = field(house, *"abc")
        peers["a"].says(Logout())
        assert house.broker.server.types[CHESS].seating.had("a") == ()
