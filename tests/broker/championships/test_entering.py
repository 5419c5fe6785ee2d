"""Late entry, byes on request, dates of rounds, seeds, stages."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.broker.championships.next_life import assert_the_same_in_the_next_life
from tests.broker.cup import begun, comes, plays
from tests.broker.entrance.tokens import checks_in, has_token
from tests.broker.house import CHESS, House, over, thank
from ugs.broker.championships import playing
from ugs.broker.events import ClockSet, Started, Timer, TimerKind
from ugs.broker.values.questions import EditAsked, Order, OrderKind, PlanAsked
from ugs.broker.views.candidates import candidates
from ugs.championship.ledger import What
from ugs.championship.plan import Plan
from ugs.wire.messages import LoginError, LoginResponse, Logout, PlayerLogin

NOON = 1_900_000_000
"""2030-03-17T17:46:40Z."""


def dated(**keys: object) -> Plan:
    """A plan of two rounds, a minute and an hour after NOON."""
    dates = ("2030-03-17T17:47:40Z", "2030-03-17T18:46:40Z")
    values = {"name": "cup", "game_type": CHESS, "open_play": False, "entrants": ("a", "b", "c"), "round_dates": dates}
    return Plan.read(values | keys)


@pytest.fixture
def house() -> Iterator[House]:
    """A house whose championships are the same in the next life of the server."""
    house = House()
    yield house
    assert_the_same_in_the_next_life(house)


def rounds(house: House) -> list[int]:
    """The rounds of the games that run."""
    return [game.setting.fixture.round for game in house.broker.games if game.setting.fixture is not None]


class TestLateEntry:
    @staticmethod
    def begins(house: House) -> None:
        """A championship of four from two addresses, which others may enter late."""
        house.plans(first=4, format="swiss", seats=2, rounds=3, late_rounds=2)
        house.master()
        for nick, address in zip("abcd", ("192.0.2.1:1", "192.0.2.1:2", "192.0.2.2:1", "192.0.2.2:2"), strict=True):
            house.connects(address=address).says(PlayerLogin(nick, CHESS))

    @staticmethod
    def come_and_go(house: House, address: str, *nicks: str) -> None:
        """All of these try to log in from there; whoever may goes again at once."""
        for nick in nicks:
            peer = house.connects(address=address)
            peer.says(PlayerLogin(nick, CHESS))
            if peer.hears() == [LoginResponse()]:
                peer.says(Logout())

    def test_one_address_does_not_fill_it_with_entrants_that_come_and_go(self) -> None:
        """300 logins made 304 entrants of 4, and two lines of its ledger each."""
        house = House(entrants_per_ip=0)
        self.begins(house)
        self.come_and_go(house, "192.0.2.9:1", "p", "q", "r", "s")
        self.come_and_go(house, "192.0.2.10:1", "t")
        assert [nick for nick in house.broker.server.championships["cup"].field if nick > "d"] == ["p", "q", "t"]

    def test_who_has_a_token_counts_like_those_who_began_it(self) -> None:
        house = House(entrants_per_ip=0)
        self.begins(house)
        has_token(house, "p", "hash of token")
        checks_in(house, "p", address="192.0.2.9:1")
        self.come_and_go(house, "192.0.2.9:1", "q", "r", "s", "t")
        assert [nick for nick in house.broker.server.championships["cup"].field if nick > "d"] == ["p", "q", "r", "s"]

    @pytest.mark.parametrize("address", ["127.0.0.1:1", ""])
    def test_this_machine_may_bring_more(self, address: str) -> None:
        house = House(entrants_per_ip=0)
        self.begins(house)
        self.come_and_go(house, address, "p", "q", "r", "s")
        assert len(house.broker.server.championships["cup"].field) == 8

    def test_who_logs_in_before_that_round_is_drawn_is_in(self, house: House) -> None:
        house.plans(first=4, format="swiss", seats=2, rounds=3, late_rounds=2)
        master = house.master()
        peers = comes(house, *"abcd") | comes(house, "late")
        assert house.broker.server.championships["cup"].field[-1] == "late"
        (entry,) = [one for one in house.ledger("cup") if one.what is What.ENTERED]
        assert (entry.data, entry.why) == ({"nick": "late"}, "came late")
        plays(house, master, peers, games=2)
        assert 2 in rounds(house)
        refused = house.connects()
        refused.says(PlayerLogin("too late", CHESS))
        assert refused.hears() == [LoginResponse(LoginError.PLAYERS_POOL_OVERFLOW)]

    def test_an_organiser_may_let_somebody_in_while_rounds_are_left(self, house: House) -> None:
        house.plans(first=4, format="swiss", seats=2, rounds=2)
        assert "has not begun" in house.orders(OrderKind.ENTER, "zoe")
        peers = comes(house, *"abcd")
        master = house.master()
        assert house.orders(OrderKind.ENTER, "zoe") == ""
        assert "'zoe' is or was an entrant" in house.orders(OrderKind.ENTER, "zoe")
        peers |= comes(house, "zoe")
        plays(house, master, peers, games=2)
        assert house.orders(OrderKind.ENTER, "yan") == "yan: its last round is drawn"

    def test_before_a_master_says_how_many_play_one_game_nobody_can_enter(self, house: House) -> None:
        house.plans(first=2, format="swiss")
        comes(house, *"ab")
        assert "the seats of its games are not known yet" in house.orders(OrderKind.ENTER, "zoe")
        assert "the seats of its games are not known yet" in bye(house, "a", 1)

    def test_who_enters_before_the_first_game_makes_games_larger_again(self, house: House) -> None:
        plan = dated(format="swiss", rounds=2, entrants=("a", "b", "c", "d"))
        house.is_asked(PlanAsked(plan, "ada", date_s=NOON))
        comes(house, *"abcd")
        for nick in "cd":
            assert house.orders(OrderKind.WITHDRAW, nick) == ""
        house.master(players=(2, 3))
        cup = house.broker.server.championships["cup"]
        assert cup.schedule is not None
        assert (cup.schedule.seats, bye(house, "a", 2)) == (2, "")
        assert house.orders(OrderKind.ENTER, "e") == ""
        comes(house, "e")
        assert (cup.schedule.seats, cup.schedule.asked_to_sit_out()) == (3, [("a", 2)])
        assert [entry.what for entry in house.ledger("cup")].count(What.BEGUN) == 3
        house.passes(60)
        assert [sorted(game.setting.fixture.nicks) for game in house.broker.games if game.setting.fixture] == [[*"abe"]]
        assert house.orders(OrderKind.ENTER, "f") == ""
        comes(house, "f")
        assert cup.schedule.seats == 3

    def test_games_that_do_not_get_larger_are_not_drawn_up_again(self, house: House) -> None:
        house.is_asked(PlanAsked(dated(format="swiss", rounds=2), "ada", date_s=NOON))
        house.master()
        comes(house, *"abc")
        assert house.orders(OrderKind.ENTER, "d") == ""
        comes(house, "d")
        assert [entry.what for entry in house.ledger("cup")].count(What.BEGUN) == 2

    def test_a_first_stage_that_is_a_swiss_takes_players_in(self, house: House) -> None:
        stages = ({"format": "swiss", "rounds": 3, "go_on": 2, "tie_breaks": ["buchholz"]}, {"format": "knock-out"})
        house.plans(first=4, format="stages", seats=2, stages=stages, late_rounds=2)
        master = house.master()
        peers = comes(house, *"abcd") | comes(house, "late")
        cup = house.broker.server.championships["cup"]
        assert cup.field[-1] == "late"
        plays(house, master, peers, games=2)
        refused = house.connects()
        refused.says(PlayerLogin("too late", CHESS))
        assert refused.hears() == [LoginResponse(LoginError.PLAYERS_POOL_OVERFLOW)]
        assert house.orders(OrderKind.ENTER, "zoe") == ""
        assert bye(house, "b", 3) == ""
        peers |= comes(house, "zoe")
        plays(house, master, peers, games=2)
        assert house.orders(OrderKind.ENTER, "yan") == "yan: its last round is drawn"
        assert (3, "b") in cup.byes
        plays(house, master, peers, games=2)
        assert "only a first stage that is a Swiss" in house.orders(OrderKind.ENTER, "yan")
        assert "only one that is a Swiss" in bye(house, "a", 4)
        plays(house, master, peers)
        assert sorted(house.ledger("cup")[-1].data["placing"]) == sorted([*"abcd", "late", "zoe"])

    def test_a_first_stage_in_groups_takes_nobody_in(self, house: House) -> None:
        house.plans(first=4, format="stages", seats=2, stages=({"format": "swiss", "groups": 2},))
        house.master()
        comes(house, *"abcd")
        assert "only a first stage that is a Swiss" in house.orders(OrderKind.ENTER, "zoe")
        assert "only one that is a Swiss" in bye(house, "a", 1)

    def test_who_enters_a_first_stage_that_is_being_drawn_is_in_the_draw(self, house: House) -> None:
        house.draws_slowly = True
        nicks = tuple(f"p{number:02}" for number in range(60))
        stages = ({"format": "swiss", "rounds": 2, "go_on": 2}, {"format": "knock-out"})
        house.plans(entrants=nicks, format="stages", seats=2, stages=stages)
        house.master()
        comes(house, *nicks)
        assert house.orders(OrderKind.ENTER, "zoe") == ""
        assert bye(house, "p00", 1) == ""
        wanted = house.broker.server.championships["cup"].wanted
        assert "zoe" in (*wanted.order, *wanted.byes)  # type: ignore[union-attr]
        assert "p00" in wanted.byes  # type: ignore[union-attr]

    def test_a_round_robin_takes_nobody_in(self, house: House) -> None:
        house.plans(first=2)
        house.master()
        comes(house, *"ab")
        assert house.orders(OrderKind.ENTER, "zoe") == "zoe: a round-robin takes no player in once it has begun"


def bye(house: House, nick: str, number: int) -> str:
    """The organiser lets an entrant sit out a round; returns what is wrong."""
    return str(house.is_asked(Order(OrderKind.BYE, "cup", "ada", "exam", nick, round=number)).get("error", ""))


class TestByes:
    def test_who_asked_for_it_sits_out_that_round(self, house: House) -> None:
        house.plans(first=4, format="swiss", seats=2, rounds=3)
        master = house.master()
        peers = comes(house, *"abcd")
        assert bye(house, "a", 2) == ""
        plays(house, master, peers, games=2)
        assert (2, "a") in house.broker.server.championships["cup"].byes
        assert bye(house, "a", 2) == "a: round = 2: allowed: those that are not drawn, 3 to 3"
        assert "'zoe' is not an entrant" in bye(house, "zoe", 3)

    def test_only_a_swiss_has_byes(self, house: House) -> None:
        house.plans(first=2)
        house.master()
        comes(house, *"ab")
        assert bye(house, "a", 1) == "a: a round-robin has no byes on request"

    def test_a_round_that_is_being_drawn_is_drawn_anew(self, house: House) -> None:
        house.draws_slowly = True
        nicks = tuple(f"p{number:02}" for number in range(60))
        house.plans(entrants=nicks, format="swiss", seats=2, rounds=2, late_rounds=1)
        house.master()
        comes(house, *nicks)
        cup = house.broker.server.championships["cup"]
        before = cup.wanted
        assert bye(house, "p00", 1) == ""
        assert cup.wanted is not before
        assert "p00" in cup.wanted.byes  # type: ignore[union-attr]
        assert house.orders(OrderKind.ENTER, "zoe") == ""
        assert "zoe" in (*cup.wanted.order, *cup.wanted.byes)  # type: ignore[union-attr]

    def test_when_so_few_are_left_that_it_is_drawn_at_once_the_ledger_says_so(self, house: House) -> None:
        house.draws_slowly = True
        nicks = tuple(f"p{number:02}" for number in range(50))
        house.plans(entrants=nicks, format="swiss", seats=2, rounds=1)
        house.master()
        comes(house, *nicks)
        assert bye(house, "p00", 1) == ""
        assert [entry.what for entry in house.ledger("cup")].count(What.DRAWN) == 1


class TestDates:
    def test_a_round_waits_for_its_date(self, house: House) -> None:
        house.is_asked(PlanAsked(dated(), "ada", date_s=NOON))
        master = house.master()
        peers = comes(house, *"abc")
        assert house.broker.games == []
        house.passes(60)
        assert rounds(house) == [1]
        plays(house, master, peers, games=1)
        assert rounds(house) == []
        house.passes(3540)
        assert rounds(house) == [2]

    def test_also_after_a_restart(self, house: House) -> None:
        house.happens(Started((dated(),), NOON))
        house.master()
        comes(house, *"abc")
        again = house.again()
        again.happens(Started((dated(),), NOON + 30))
        assert again.timers[Timer(TimerKind.ROUND, "cup")] - again.now == pytest.approx(30)

    def test_by_the_new_time_when_the_clock_is_set(self, house: House) -> None:
        house.is_asked(PlanAsked(dated(), "ada", date_s=NOON))
        master = house.master()
        peers = comes(house, *"abc")
        house.happens(ClockSet(NOON - 3600))
        house.passes(120)
        assert rounds(house) == []
        house.happens(ClockSet(NOON + 61))
        assert rounds(house) == [1]
        house.happens(ClockSet(NOON - 3600))
        plays(house, master, peers, games=1)
        assert rounds(house) == [], "what has begun goes on; the second waits for its hour"
        house.happens(ClockSet(NOON + 3601))
        assert rounds(house) == [2]

    def test_dates_may_be_changed_while_it_is_played(self, house: House) -> None:
        house.is_asked(PlanAsked(dated(), "ada", date_s=NOON))
        house.master()
        comes(house, *"abc")
        assert house.is_asked(EditAsked(dated(round_dates=()), "ada", "now"))["ok"]
        assert rounds(house) == [1]
        assert Timer(TimerKind.ROUND, "cup") not in house.timers


def test_seeds_say_the_order_of_the_field_before_entrants_do(house: House) -> None:
    house.plans(entrants=("a", "b", "c", "d"), seeds=("c", "x", "a"))
    comes(house, *"abcd")
    assert begun(house) == [("cup", ["c", "a", "b", "d"])]


def test_groups_then_a_knock_out(house: House) -> None:
    stages = ({"groups": 2, "go_on": 1, "play_off": True}, {"format": "knock-out"})
    house.plans(entrants=tuple("abcdef"), format="stages", stages=stages)
    master = house.master()
    peers = comes(house, *"abcdef")
    plays(house, master, peers, games=6)
    assert [game.setting.fixture.label for game in house.broker.games if game.setting.fixture] == ["final"]
    plays(house, master, peers)
    assert house.ledger("cup")[-1].data["placing"][:2] == ["a", "b"]


def test_a_field_is_looked_at_when_it_may_be_complete(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a thousand players, each login went through all who were there."""
    looks = []

    def counted(*asked: Any, **more: Any) -> list[str]:
        looks.append(candidates(*asked, **more))
        return looks[-1]

    monkeypatch.setattr(playing, "candidates", counted)
    house.plans(first=6)
    house.master()
    for nick in "abcdef":
        house.connects(address=f"192.0.2.{ord(nick)}:1").says(PlayerLogin(nick, CHESS))
    assert looks == [list("abcdef")]
    assert house.broker.server.championships["cup"].begun


class TestTakenBack:
    """Who was withdrawn or disqualified by mistake enters again."""

    def test_in_a_swiss_it_plays_from_the_next_round_on(self, house: House) -> None:
        house.plans(first=4, format="swiss", seats=2, rounds=3)
        master = house.master()
        peers = comes(house, *"abcd")
        plays(house, master, peers, games=2)
        assert house.orders(OrderKind.DISQUALIFY, "a") == ""
        cup = house.broker.server.championships["cup"]
        assert house.orders(OrderKind.ENTER, "a") == ""
        assert cup.plays("a")
        assert "a" in cup.standings
        assert cup.ledger.gone == {}
        plays(house, master, peers)
        last = [entry.data["nicks"] for entry in house.ledger("cup") if entry.what is What.FIXTURE][-2:]
        assert "a" in [nick for nicks in last for nick in nicks]
        (row,) = [row for row in cup.standings.rows() if row.nick == "a"]
        assert (row.won, row.lost) == (3, 0), "a game that ran when it was disqualified is played to its end"

    def test_what_it_lost_by_leaving_stays_lost(self, house: House) -> None:
        house.plans(first=4, format="stages", seats=2, stages=({"format": "swiss", "rounds": 3},))
        peers = comes(house, *"abcd")
        cup = house.broker.server.championships["cup"]
        house.orders(OrderKind.PAUSE)
        master = house.master()
        assert house.orders(OrderKind.WITHDRAW, "a") == ""
        assert [entry.what for entry in house.ledger("cup")].count(What.FORFEIT) == 1
        assert house.orders(OrderKind.ENTER, "a") == ""
        house.orders(OrderKind.RESUME)
        plays(house, master, peers)
        (row,) = [row for row in cup.standings.rows() if row.nick == "a"]
        assert (row.won, row.lost) == (2, 1)
        assert house.orders(OrderKind.ENTER, "a").startswith("championship cup is over; its results stand")

    def test_in_a_ladder_it_plays_on(self, house: House) -> None:
        house.plans(first=3, format="ladder", seats=2, rounds=4)
        master = house.master()
        peers = comes(house, *"abc")
        assert house.orders(OrderKind.WITHDRAW, "c") == ""
        assert house.orders(OrderKind.ENTER, "c") == ""
        plays(house, master, peers)
        begun = [entry for entry in house.ledger("cup") if entry.what is What.FIXTURE]
        assert "c" in [nick for entry in begun for nick in entry.data["nicks"]]

    @pytest.mark.parametrize("form", ["round-robin", "knock-out"])
    def test_elsewhere_who_was_disqualified_has_its_place_and_plays_no_more(self, house: House, form: str) -> None:
        house.plans(entrants=tuple("abcd"), seats=2, format=form)
        master = house.master()
        peers = comes(house, *"abcd")
        plays(house, master, peers, games=1)
        assert house.orders(OrderKind.DISQUALIFY, "a") == ""
        assert house.orders(OrderKind.ENTER, "a") == ""
        cup = house.broker.server.championships["cup"]
        assert not cup.plays("a")
        assert not cup.ledger.gone["a"].disqualified
        assert "what it has not played is lost" in house.orders(OrderKind.ENTER, "a")
        plays(house, master, peers)
        assert "a" in [row.nick for row in cup.standings.rows()]

    def test_after_the_end_who_was_disqualified_has_its_place(self, house: House) -> None:
        house.plans(entrants=tuple("abcd"), seats=2, format="knock-out")
        plays(house, house.master(), comes(house, *"abcd"))
        cup = house.broker.server.championships["cup"]
        placing = list(cup.placing or ())
        assert house.orders(OrderKind.DISQUALIFY, "a") == ""
        assert house.orders(OrderKind.ENTER, "a") == ""
        assert house.ledger("cup")[-1].data["placing"] == placing
        assert "is over" in house.orders(OrderKind.ENTER, "a")
        assert house.orders(OrderKind.DISQUALIFY, "a") == ""

    def test_struck_results_stay_struck(self, house: House) -> None:
        house.plans(entrants=tuple("abcd"), seats=2, leavers="strike")
        house.master()
        comes(house, *"abcd")
        assert house.orders(OrderKind.WITHDRAW, "a") == ""
        assert house.orders(OrderKind.ENTER, "a") == "a: its results are struck, and so they stay"

    def test_who_left_before_games_were_drawn_up_stays_out(self, house: House) -> None:
        house.plans(first=3, format="swiss", rounds=2)
        comes(house, *"abc")
        assert house.orders(OrderKind.WITHDRAW, "a") == ""
        assert "what it has not played is lost" in house.orders(OrderKind.ENTER, "a")
        house.master()
        assert "what it has not played is lost" in house.orders(OrderKind.ENTER, "a")

    def test_stages_that_are_over_since_too_few_were_left_take_no_one_in(self, house: House) -> None:
        """It was let in, to play nothing; the last to leave made the server fail, and each of its next starts."""
        house.plans(first=4, format="stages", seats=2, stages=({"format": "swiss", "rounds": 3},))
        master = house.master()
        peers = comes(house, *"abcd")
        games = [(game.id, sorted(game.present)) for game in house.broker.games]
        for game_id, (first, second) in games:  # the championship ends when they have said thank you
            master.says(over(game_id, first, losers=(second,)))
        for nick in "abcd":
            assert house.orders(OrderKind.WITHDRAW, nick) == ""
        assert house.orders(OrderKind.ENTER, "zoe") == "zoe: too few are left for a game, so it is over"
        for nick in "da":
            assert "what it has not played is lost" in house.orders(OrderKind.ENTER, nick)
        for game_id, nicks in games:
            thank(game_id, *(peers[nick] for nick in nicks))

    def test_when_the_rest_is_given_up_no_one_plays_again(self, house: House) -> None:
        house.plans(first=4, format="swiss", rounds=3, late_rounds=3)
        master = house.master(players=(4, 4))
        comes(house, *"abcd")
        (game,) = house.broker.games
        master.says(over(game.id, "a", losers=tuple("bcd")))
        assert house.orders(OrderKind.DISQUALIFY, "b") == ""
        cup = house.broker.server.championships["cup"]
        assert cup.given_up_all
        assert house.orders(OrderKind.ENTER, "b") == ""
        assert not cup.plays("b")
        assert house.ledger("cup")[-1].data == {"nick": "b", "back": False}
        assert house.orders(OrderKind.ENTER, "zoe") == "zoe: what is left is given up"
        late = house.connects()
        late.says(PlayerLogin("zoe", CHESS))
        assert late.hears() == [LoginResponse(LoginError.PLAYERS_POOL_OVERFLOW)]


@pytest.mark.parametrize(("return_s", "ends"), [(30, True), (0, False)])
def test_who_is_let_in_and_does_not_come_is_not_waited_for_without_end(
    house: House, return_s: float, ends: bool
) -> None:
    house.plans(first=4, format="swiss", seats=2, rounds=2, return_s=return_s)
    master = house.master()
    peers = comes(house, *"abcd")
    assert house.orders(OrderKind.WITHDRAW, "d") == ""
    peers["d"].is_lost()
    for nick in ("d", "zoe", "yan"):
        assert house.orders(OrderKind.ENTER, nick) == ""
    cup = house.broker.server.championships["cup"]
    assert [*cup.away] == (["d", "zoe", "yan"] if ends else [])
    peers |= comes(house, "yan")
    plays(house, master, peers)
    house.passes(30)
    assert [nick for nick in ("d", "zoe", "yan") if cup.plays(nick)] == (["yan"] if ends else ["d", "zoe", "yan"])
    plays(house, master, peers)
    assert cup.ledger.over is ends


def test_after_the_end_no_one_is_waited_for(house: House) -> None:
    house.plans(entrants=tuple("abcd"), seats=2, format="knock-out", return_s=30)
    peers = comes(house, *"abcd")
    plays(house, house.master(), peers)
    peers["a"].is_lost()
    assert house.orders(OrderKind.DISQUALIFY, "a") == ""
    assert house.orders(OrderKind.ENTER, "a") == ""
    assert Timer(TimerKind.RETURN, "cup") not in house.timers
    assert house.broker.server.championships["cup"].away == {}
