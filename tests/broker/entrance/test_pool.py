"""Who waits for which game, and when a game begins."""

from collections import Counter
from functools import partial
from random import Random

import pytest

from tests.broker.house import CHESS, House, Peer, over, thank, turn
from tests.fuzz.work import bytecodes_of
from tests.profile import sized
from ugs.broker.effects import RecordEntry, Send, StartTimer
from ugs.broker.entrance import pool
from ugs.broker.entrance.pool import BEGUN_AT_ONCE, PATIENCE
from ugs.broker.events import Timer, TimerKind
from ugs.broker.state.meetings import Meetings
from ugs.broker.values.record import EntryKind
from ugs.wire.extensions import Family, Offers, Wait
from ugs.wire.messages import BeginGame, GameMasterLogin, LeaveGame, LoginResponse, Logout

GATHER = Timer(TimerKind.GATHER, CHESS)


def begun(master: Peer) -> list[tuple[str, ...]]:
    """Who plays in the games that this master has been asked to begin since the last time."""
    heard = master.hears()
    assert all(isinstance(message, BeginGame) for message in heard)
    return [message.players for message in heard if isinstance(message, BeginGame)]


def offering(house: House, name: str = "m", *, players: tuple[int, int], wanted: int, seconds: float) -> Peer:
    """A master that has said how many players its games should have, and how long these are worth waiting for."""
    master = house.greets(Family.TABLE)
    master.says(GameMasterLogin(name, CHESS, *map(str, players)))
    assert master.hears() == [LoginResponse()]
    master.says(Offers((), players_wanted=wanted, gather_s=seconds))
    return master


def test_a_game_begins_when_enough_wait_and_the_master_alone_hears_of_it(house: House) -> None:
    master = house.master("m")
    ann, ben = house.players("ann", "ben")
    assert master.hears() == [BeginGame("g1", ("ann", "ben"))]
    assert ann.hears() == ben.hears() == []
    assert house.clock("g1") == 10


def test_the_master_is_asked_first_and_timed_from_then_on(house: House) -> None:
    house.players("ann", "ben")
    peer = house.connects()
    effects = peer.says(GameMasterLogin("m", CHESS, "2", "2"))
    asked = effects.index(Send((peer.conn,), BeginGame("g1", ("ann", "ben"))))
    assert effects[asked + 1] == StartTimer(Timer(TimerKind.GAME, "g1"), 10)


def test_players_of_other_types_do_not_meet(house: House) -> None:
    chess, go = house.master("m"), house.master("n", game_type="go")
    house.player("ann")
    house.player("ben", "go")
    assert chess.hears() == go.hears() == []
    house.player("cat", "go")
    assert go.hears() == [BeginGame("g1", ("ben", "cat"))]
    assert chess.hears() == []


def test_first_come_first_served(house: House) -> None:
    house.players("ann", "ben", "cat", "dan", "eve")
    master = house.master("m")
    assert begun(master) == [("ann", "ben"), ("cat", "dan")]
    house.player("fay")
    assert begun(master) == [("eve", "fay")]


def test_a_player_who_becomes_idle_again_waits_behind_the_others(house: House) -> None:
    master, ann, ben = house.table("ann", "ben")
    house.player("cat")
    master.says(over("g1", "ann", losers=("ben",)))
    master.hears()
    thank("g1", ben)
    assert [set(players) for players in begun(master)] == [{"cat", "ben"}]
    thank("g1", ann)
    house.player("dan")
    assert [set(players) for players in begun(master)] == [{"ann", "dan"}]


def test_without_gathering_a_game_takes_as_many_as_wait_up_to_the_most(house: House) -> None:
    house.players("ann", "ben", "cat", "dan", "eve")
    master = house.master("m", players=(2, 3))
    assert [len(players) for players in begun(master)] == [3, 2]


def test_a_game_waits_for_the_least_number(house: House) -> None:
    master = house.master("m", players=(3, 5))
    house.players("ann", "ben")
    assert begun(master) == []
    house.player("cat")
    assert begun(master) == [("ann", "ben", "cat")]


class TestWanted:
    """A master says how many players its games should have, and how long these are worth waiting for."""

    def test_a_game_begins_at_once_when_as_many_are_there_as_are_wanted(self) -> None:
        house = House()
        master = offering(house, players=(2, 6), wanted=3, seconds=20)
        house.players("ann", "ben")
        assert begun(master) == []
        house.player("cat")
        assert begun(master) == [("ann", "ben", "cat")]
        assert GATHER not in house.timers

    def test_it_begins_with_fewer_when_the_time_is_over(self) -> None:
        house = House()
        master = offering(house, players=(2, 6), wanted=4, seconds=20)
        house.players("ann", "ben")
        house.passes(19.9)
        assert begun(master) == []
        house.passes(0.1)
        assert begun(master) == [("ann", "ben")]

    def test_many_who_wait_make_games_of_the_wanted_size(self) -> None:
        house = House()
        house.players("ann", "ben", "cat", "dan", "eve", "fay", "guy")
        master = offering(house, players=(2, 6), wanted=3, seconds=20)
        assert [len(players) for players in begun(master)] == [3, 3]

    def test_without_a_number_the_most_are_waited_for(self) -> None:
        house = House()
        master = offering(house, players=(2, 3), wanted=0, seconds=20)
        house.players("ann", "ben")
        assert begun(master) == []
        house.player("cat")
        assert begun(master) == [("ann", "ben", "cat")]

    @pytest.mark.parametrize(
        ("settings", "sizes"),
        [
            ({"gather_s": 2}, [(2, 2), (20, None)]),
            ({"gather_s": 30}, [(20, None), (30, 2)]),
            ({"players_wanted": 2}, [(0, 2)]),
            ({"players_wanted": 1}, [(0, 2)]),
            ({"players_wanted": 9}, [(19, None), (20, 2)]),
            ({"gather_as_offered": False}, [(0, 2)]),
            ({"gather_as_offered": False, "gather_s": 30}, [(20, None), (30, 2)]),
        ],
    )
    def test_what_the_organiser_sets_stands_above_it(
        self, settings: dict[str, float], sizes: list[tuple[float, int | None]]
    ) -> None:
        house = House(game_types={CHESS: settings})
        master = offering(house, players=(2, 6), wanted=4, seconds=20)
        house.players("ann", "ben")
        now = 0.0
        for then, size in sizes:
            house.passes(then - now)
            now = then
            assert [len(players) for players in begun(master)] == ([] if size is None else [size])
            if size is not None:
                break

    def test_a_wanted_number_of_the_organiser_is_the_most_that_a_game_takes(self) -> None:
        house = House(game_types={CHESS: {"players_wanted": 3}})
        house.players("ann", "ben", "cat", "dan", "eve")
        assert [len(players) for players in begun(house.master("m", players=(2, 4)))] == [3, 2]

    def test_a_master_that_would_have_all_wait_holds_up_no_other(self) -> None:
        house = House(masters_per_game=2)
        patient = offering(house, "patient", players=(2, 4), wanted=4, seconds=600)
        other = house.master("other", players=(2, 4))
        house.players("ann", "ben")
        assert (begun(patient), begun(other)) == ([], [("ann", "ben")])

    def test_among_masters_that_wait_the_shortest_time_counts(self) -> None:
        house = House(masters_per_game=2)
        patient = offering(house, "patient", players=(2, 4), wanted=4, seconds=600)
        other = offering(house, "other", players=(2, 4), wanted=4, seconds=5)
        house.players("ann", "ben")
        house.passes(4.9)
        assert (begun(patient), begun(other)) == ([], [])
        house.passes(0.1)
        assert (begun(patient), begun(other)) == ([], [("ann", "ben")])

    @pytest.mark.parametrize("wanted", [1, 7])
    def test_a_number_that_its_games_never_have_is_refused(self, wanted: int) -> None:
        house = House()
        master = house.leader("m", Family.TABLE, players=(2, 6))
        master.says(Offers((), players_wanted=wanted, gather_s=20))
        assert master.hears_error() == f"x-offers: wanted of <gather> is {wanted}, not from 2 to 6"

    def test_nobody_waits_longer_than_ten_minutes_for_a_master(self) -> None:
        house = House()
        master = house.leader("m", Family.TABLE, players=(2, 6))
        master.says(Offers((), players_wanted=4, gather_s=600.5))
        assert master.hears_error() == "x-offers: forSec of <gather> is 600.5, more than 600"
        master.says(Offers((), players_wanted=4, gather_s=600))
        assert master.hears() == []


class TestGathering:
    """With ``gather_s`` a game waits for more players than it needs, from the moment the last needed one came."""

    @pytest.fixture
    def house(self) -> House:
        """Five seconds for chess."""
        return House(game_types={CHESS: {"gather_s": 5}})

    def test_it_begins_with_the_players_who_are_there_when_the_time_is_over(self, house: House) -> None:
        master = house.master("m", players=(2, 4))
        house.player("ann")
        house.passes(100)
        house.player("ben")
        house.passes(3)
        house.player("cat")
        house.passes(1.9)
        assert begun(master) == []
        house.passes(0.1)
        assert begun(master) == [("ann", "ben", "cat")]
        assert GATHER not in house.timers

    def test_it_begins_at_once_when_the_most_are_there(self, house: House) -> None:
        master = house.master("m", players=(2, 3))
        house.players("ann", "ben", "cat")
        assert len(begun(master)) == 1
        assert GATHER not in house.timers

    def test_the_time_counts_even_if_the_master_comes_late(self, house: House) -> None:
        house.players("ann", "ben")
        house.passes(5)
        assert begun(house.master("m", players=(2, 3))) == [("ann", "ben")]

    def test_when_the_last_needed_player_goes_the_next_one_counts(self, house: House) -> None:
        master = house.master("m", players=(2, 4))
        house.player("ann")
        ben = house.player("ben")
        house.passes(3)
        house.player("cat")
        ben.is_lost()
        house.passes(4.9)
        assert begun(master) == []
        house.passes(0.1)
        assert begun(master) == [("ann", "cat")]

    def test_when_too_few_are_left_nothing_is_timed(self, house: House) -> None:
        house.master("m", players=(2, 4))
        house.player("ann")
        ben = house.player("ben")
        assert GATHER in house.timers
        ben.says(Logout())
        assert GATHER not in house.timers

    def test_when_the_master_goes_nothing_is_timed_and_another_master_may_begin_at_once(self) -> None:
        house = House(gather_s=5, masters_per_game=2)
        patient, other = house.master("m", players=(2, 4)), house.master("n", players=(3, 3))
        house.players("ann", "ben")
        assert GATHER in house.timers
        patient.is_lost()
        assert GATHER not in house.timers
        house.player("cat")
        assert begun(other) == [("ann", "ben", "cat")]

    def test_a_master_whose_games_are_full_begins_at_once_beside_one_that_waits_for_more(self) -> None:
        house = House(gather_s=5, masters_per_game=2)
        patient, brisk = house.master("m", players=(2, 4)), house.master("n", players=(2, 2))
        house.players("ann", "ben")
        assert (begun(patient), begun(brisk)) == ([], [("ann", "ben")])
        assert GATHER not in house.timers

    def test_other_types_do_not_gather(self, house: House) -> None:
        master = house.master("n", players=(2, 4), game_type="go")
        house.players("ann", "ben", game_type="go")
        assert begun(master) == [("ann", "ben")]

    def test_the_next_game_gathers_anew(self, house: House) -> None:
        master = house.master("m", players=(2, 3))
        house.players("ann", "ben", "cat", "dan", "eve")
        assert len(begun(master)) == 1
        house.passes(5)
        assert begun(master) == [("dan", "eve")]


class TestSeveralMasters:
    """The one with the fewest running games gets the next."""

    def test_games_are_spread(self) -> None:
        house = House(masters_per_game=2)
        one, two = house.master("m"), house.master("n")
        house.players(*"abcdefgh")
        assert len(begun(one)) == len(begun(two)) == 2
        two.says(over("g2", "c", losers=("d",)))
        house.players("i", "j")
        assert begun(one) == []
        assert begun(two) == [("i", "j")]

    def test_a_master_who_takes_so_few_gets_the_game_though_it_is_busier(self) -> None:
        house = House(masters_per_game=2)
        small, large = house.master("m", players=(2, 2)), house.master("n", players=(3, 3))
        house.players("ann", "ben", "cat", "dan")
        assert begun(small) == [("ann", "ben"), ("cat", "dan")]
        assert begun(large) == []

    def test_the_least_busy_master_decides_how_many_play(self) -> None:
        house = House(masters_per_game=2, max_games_per_master=1)
        house.players("ann", "ben", "cat", "dan", "eve")
        small = house.master("m", players=(2, 2))
        large = house.master("n", players=(3, 3))
        assert begun(small) == [("ann", "ben")]
        assert begun(large) == [("cat", "dan", "eve")]


def test_a_master_leads_no_more_games_than_it_may() -> None:
    house = House(max_games_per_master=1)
    master = house.master("m")
    ann, *_others = house.players("ann", "ben", "cat", "dan")
    assert begun(master) == [("ann", "ben")]
    master.says(over("g1", "ann", losers=("ben",)))
    assert begun(master) == [("cat", "dan")], "there is room as soon as the game is over, not only after the thanks"
    thank("g1", ann)
    assert begun(master) == []


def test_a_game_that_frees_its_player_can_begin_the_next_in_the_same_breath(house: House) -> None:
    master, ann, _ben = house.table("ann", "ben")
    house.player("cat")
    effects = ann.says(LeaveGame("g1"))
    begins = [effect for effect in effects if isinstance(effect, Send) and isinstance(effect.message, BeginGame)]
    assert begins == [Send((master.conn,), BeginGame("g2", ("cat", "ann")))]


def test_the_clock_of_the_mover_waits_for_its_mail(house: House) -> None:
    master = house.master("m")
    ann, ben = house.players("ann", "ben")
    effects = master.says(turn("g1", "ben"))
    clock = Timer(TimerKind.GAME, "g1")
    assert effects == [
        RecordEntry("g1", EntryKind.STATE, 1, 0b11, "", b"<gameState/>"),
        Send((ann.conn, ben.conn), turn("g1", "ben")),
        StartTimer(clock, 30, after=ben.conn),
    ]


def test_hundreds_of_games_begin_a_few_at_a_time(house: House) -> None:
    for number in range(2 * BEGUN_AT_ONCE + 7):
        house.player(f"p{number}")
    master = house.master("m")
    assert len(master.hears()) == BEGUN_AT_ONCE
    house.passes(0)
    assert len(master.hears()) == 3
    assert not any(timer.kind is TimerKind.GATHER for timer in house.timers)


@pytest.mark.parametrize(("seats", "at_once"), [(3, 1), (7, 1), (8, 2), (11, 2), (12, 3)])
def test_of_large_games_fewer_begin_at_once(
    house: House, seats: int, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "MAX_SEATED_AT_ONCE", seats)
    for number in range(13):
        house.player(f"p{number}")
    master = house.master(players=(4, 4))
    first = begun(master)
    assert len(first) == at_once
    house.passes(0)
    assert first + begun(master) == [tuple(f"p{number}" for number in range(at, at + 4)) for at in (0, 4, 8)]
    assert not any(timer.kind is TimerKind.GATHER for timer in house.timers)
    assert [player.name for player in house.broker.server.types[CHESS].waiting.values()] == ["p12"]


def chosen_one_by_one(meetings: Meetings, leader: str, near: list[str], take: int) -> list[str]:
    """Whoever has met those who are chosen least often, and then least recently; each time all are compared."""
    chosen = [leader]
    while len(chosen) < take:

        def seen(nick: str) -> tuple[int, int]:
            met = [meetings.met(nick)[other] for other in chosen if other in meetings.met(nick)]
            return sum(times for times, _ in met), max((place for _, place in met), default=0)

        chosen.append(min([nick for nick in near if nick not in chosen], key=seen))
    return chosen


@pytest.mark.parametrize("seed", range(6))
def test_those_are_chosen_whom_comparing_each_with_all_would_choose(seed: int) -> None:
    chance, meetings = Random(seed), Meetings()
    house = House()
    names = list("abcdefghij")
    for nick in names:
        house.player(nick)
    near = [house.broker.server.names.players[nick] for nick in names]
    for moment in range(seed * 3):
        meetings.add(chance.sample([*names, "y", "z"], chance.choice((2, 3, 5))), moment)
    met = {player: meetings.met(player.name) for player in near}
    for leader in near:
        for take in (2, 3, 7, 10):
            chosen = [player.name for player in pool._with_leader(met, leader, take)]
            assert chosen == chosen_one_by_one(meetings, leader.name, names, take)


@pytest.mark.no_cover
def test_opponents_for_large_games_are_chosen_in_bounded_work() -> None:
    house = House()
    master = house.master(players=(32, 32))
    peers = {f"p{number}": house.player(f"p{number}") for number in range(63)}
    work = []
    for _ in range(2):
        game, players = next((said.game_id, said.players) for said in master.hears() if isinstance(said, BeginGame))
        master.says(turn(game, players[0]))
        leaver = peers[players[0]]
        work.append(bytecodes_of(partial(leaver.says, LeaveGame(game)), 10_000_000))
        master.says(over(game, players[1], losers=players[2:]))
        thank(game, *(peers[nick] for nick in players[1:]))
    assert max(work) < 400_000, "about 4 ms"


class TestVariety:
    """With ``variety_s``, those who have just met wait a moment for others."""

    @pytest.fixture
    def house(self) -> House:
        """A house in which they wait for 2 s."""
        return House(game_types={CHESS: {"variety_s": 2}})

    def ends(self, house: House, master: Peer, peers: dict[str, Peer]) -> None:
        """The oldest game ends."""
        game = house.broker.games[0]
        first, second = sorted(game.present)
        master.says(over(game.id, first, losers=(second,)))
        thank(game.id, peers[first], peers[second])

    def test_players_meet_those_whom_they_met_least_recently(self, house: House) -> None:
        master = house.master()
        peers = {nick: house.player(nick) for nick in "abcd"}
        assert begun(master) == [("a", "b"), ("c", "d")]
        self.ends(house, master, peers)
        assert begun(master) == [], "they have just met, and others may come free"
        self.ends(house, master, peers)
        assert {frozenset(game) for game in begun(master)} in (
            {frozenset("ac"), frozenset("bd")},
            {frozenset("ad"), frozenset("bc")},
        )

    def test_when_nobody_comes_free_in_time_they_meet_again(self, house: House) -> None:
        master = house.master()
        peers = {nick: house.player(nick) for nick in "abcd"}
        begun(master)
        self.ends(house, master, peers)
        house.passes(1.9)
        assert begun(master) == []
        house.passes(0.1)
        assert [set(game) for game in begun(master)] == [{"a", "b"}]

    def test_where_there_is_nobody_else_they_meet_again_at_once(self, house: House) -> None:
        master = house.master()
        peers = {nick: house.player(nick) for nick in "ab"}
        begun(master)
        self.ends(house, master, peers)
        assert len(begun(master)) == 1

    def test_they_wait_as_long_as_a_game_for_those_whom_they_have_met_less(self, house: House) -> None:
        master = house.master()
        peers = {nick: house.player(nick) for nick in "ab"}
        house.passes(5)
        peers |= {nick: house.player(nick) for nick in "cd"}
        begun(master)
        for game in house.broker.games:
            master.says(turn(game.id, sorted(game.present)[0]))
        house.passes(5)
        self.ends(house, master, peers)
        house.passes(PATIENCE * 10 - 0.1)
        assert begun(master) == [], "a has met b, and neither c nor d"
        house.passes(0.2)
        assert [set(game) for game in begun(master)] == [{"a", "b"}]

    def test_one_slow_pair_does_not_keep_the_others_waiting_between_their_games(self) -> None:
        """Eight players with games of 20 s waited for 25 s after each, as long as two others played for minutes."""
        house = House(game_types={CHESS: {"variety_s": 2}}, move_timeout_s=10_000)
        master = house.master()
        peers = {nick: house.player(nick) for nick in "abcd"}
        begun(master)
        slow = next(game for game in house.broker.games if "c" in game.present)
        master.says(turn(slow.id, "c"))
        quick = next(game for game in house.broker.games if "a" in game.present)
        for waited_s in (PATIENCE * 10, 2, 2):  # after the first game, the others might still be as quick
            master.says(turn(quick.id, "a"))
            house.passes(10)
            master.says(over(quick.id, "a", losers=("b",)))
            thank(quick.id, peers["a"], peers["b"])
            house.passes(waited_s - 0.1)
            assert begun(master) == []
            house.passes(0.2)
            assert [set(game) for game in begun(master)] == [{"a", "b"}]
            quick = next(game for game in house.broker.games if "a" in game.present)

    def test_a_break_is_no_part_of_the_last_game(self, house: House) -> None:
        """Who came back after an hour waited for more than an hour, though its games take ten seconds."""
        master = house.master()
        ann, ben, cyd, dan = [house.guest(nick, Family.LOBBY) for nick in ("ann", "ben", "cyd", "dan")]
        for _ in range(2):
            for peer in (ann, ben):
                peer.says(Wait(once=True))
            house.passes(2)
            (game,) = house.broker.games
            master.says(turn(game.id, "ann"))
            house.passes(10)
            master.says(over(game.id, "ann", losers=("ben",)))
            thank(game.id, ann, ben)
        house.passes(3600)
        for peer in (cyd, dan, ann, ben):
            peer.says(Wait())
        master.hears()
        (game,) = house.broker.games
        master.says(turn(game.id, "cyd"))
        house.passes(PATIENCE * 12 + 1)
        assert [set(seats) for seats in begun(master)] == [{"ann", "ben"}]

    def test_nobody_waits_for_who_cannot_be_reached(self, house: House) -> None:
        """Its line is cut, and nothing says that it will come back; its session or its gateway keeps its place."""
        master = house.master()
        ann, ben = house.players("ann", "ben")
        cyd = house.guest("cyd", Family.SESSION)
        cyd.is_lost()
        for _ in range(2):
            house.passes(2)
            (game,) = house.broker.games
            master.says(turn(game.id, "ann"))
            house.passes(10)
            master.says(over(game.id, "ann", losers=("ben",)))
            thank(game.id, ann, ben)
            master.hears()
            house.passes(2)
            assert len(house.broker.games) == 1

    def test_without_it_those_who_have_waited_longest_meet(self) -> None:
        house = House(game_types={CHESS: {"variety_s": 0}})
        master = house.master()
        peers = {nick: house.player(nick) for nick in "abcd"}
        begun(master)
        self.ends(house, master, peers)
        assert [set(game) for game in begun(master)] == [{"a", "b"}]

    @pytest.mark.no_cover
    @pytest.mark.parametrize("number", range(3, 9))
    @pytest.mark.parametrize("spread_s", [0, 30])
    def test_all_meet_all_however_long_games_are(self, number: int, spread_s: int) -> None:
        rounds = number - 1 if number % 2 == 0 else number
        for seed in range(sized(quick=2, deep=50)):
            most, pairs = games_until_all_have_met(number, 60, spread_s, Random(seed))
            assert pairs == number * (number - 1) // 2
            assert most <= rounds + (3 if spread_s else 1)


def games_until_all_have_met(number: int, mean_s: float, spread_s: float, chance: Random) -> tuple[int, int]:
    """Let so many players come one after another and play games of about ``mean_s``: the games of whoever has played
    most when all have met, and the pairs that have met."""
    house = House(move_timeout_s=10_000, begin_timeout_s=10_000, master_timeout_s=10_000)
    master = house.master()
    peers = {}
    for one in range(number):
        peers[f"p{one}"] = house.player(f"p{one}")
        house.passes(5 * chance.random())
    ends: list[tuple[float, BeginGame]] = []
    met: set[frozenset[str]] = set()
    played: Counter[str] = Counter()
    while len(met) < number * (number - 1) // 2 and max(played.values(), default=0) < 4 * number:
        for begin in master.hears():
            if isinstance(begin, BeginGame):
                master.says(turn(begin.game_id, begin.players[0]))
                ends.append((house.now + mean_s + chance.uniform(-spread_s, spread_s), begin))
                met.add(frozenset(begin.players))
                played.update(begin.players)
        ends.sort(key=lambda one: one[0])
        looks = house.timers.get(Timer(TimerKind.GATHER, CHESS))
        if looks is not None and looks < ends[0][0]:
            house.passes(looks - house.now)
        else:
            at, begin = ends.pop(0)
            house.passes(at - house.now)
            master.says(over(begin.game_id, begin.players[0], losers=begin.players[1:]))
            thank(begin.game_id, *[peers[nick] for nick in begin.players])
    return max(played.values()), len(met)
