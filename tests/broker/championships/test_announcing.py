"""Championships at the start of a server: which are announced, and when those with an hour begin."""

from datetime import datetime

from tests.broker.house import House
from ugs.broker.events import ClockSet, Started, Timer, TimerKind
from ugs.championship.plan import Plan
from ugs.wire.extensions import Family
from ugs.wire.messages import BeginGame

EIGHT = datetime(2030, 5, 1, 20)
"""Local time, as settings and plans give it."""


def minutes_before(hour: datetime, minutes: float) -> float:
    """That moment in seconds since 1970."""
    return hour.timestamp() - 60 * minutes


def hours(house: House) -> dict[str, float]:
    """In how many seconds which championships begin."""
    timers = {timer.subject: due for timer, due in house.timers.items() if timer.kind is TimerKind.CHAMPIONSHIP}
    return {str(name): due - house.now for name, due in timers.items()}


def cup(**plan: object) -> Plan:
    """A plan with an hour."""
    return Plan.read({"name": "cup", "game_type": "go", "begins_at": EIGHT.isoformat()} | plan)


TYPES: dict[str, object] = {
    "go": {"mode": "championship", "championship_at": "2030-05-01T20:00"},
    "chess": {"mode": "championship", "championship_at": "2030-05-01T19:00"},
    "draughts": {"mode": "championship", "championship_players": 4},
    "halma": {},
}


class TestSettings:
    def test_they_begin_at_their_hours(self) -> None:
        house = House(game_types=TYPES)
        house.happens(Started(date_s=minutes_before(EIGHT, 1)))
        assert hours(house) == {"go": 60}
        awaited = [(note["game_type"], note["players"]) for note in house.noted("championship awaited")]
        assert awaited == [("go", None), ("chess", None), ("draughts", 4)]
        (late,) = house.noted("the hour of this championship is over")
        assert late["championship"] == "chess"
        house.players("ann", "bob", game_type="go")
        house.passes(59)
        assert not house.noted("championship begun")
        house.passes(2)
        assert house.noted("championship begun")[0]["players"] == ["ann", "bob"]

    def test_in_open_play_an_hour_means_nothing(self) -> None:
        house = House(game_types={"go": {"championship_at": "2030-05-01T20:00"}})
        house.happens(Started(date_s=minutes_before(EIGHT, 1)))
        assert hours(house) == {}

    def test_when_only_an_hour_was_given_and_it_has_passed_play_is_open(self) -> None:
        house = House(game_types=TYPES)
        house.happens(Started(date_s=minutes_before(EIGHT, 1)))
        master = house.master(game_type="chess")
        house.players("ann", "bob", game_type="chess")
        assert [game.players for game in master.hears() if isinstance(game, BeginGame)] == [("ann", "bob")]

    def test_without_the_time_on_the_wall_no_hour_comes(self) -> None:
        house = House(game_types=TYPES)
        house.happens(Started())
        assert hours(house) == {}


class TestAClockThatIsSet:
    def test_hours_come_by_the_new_time(self) -> None:
        house = House(game_types=TYPES)
        house.happens(Started((cup(),), date_s=minutes_before(EIGHT, 50)))
        assert hours(house) == {"go": 3000, "cup": 3000}
        house.happens(ClockSet(minutes_before(EIGHT, 110)))
        assert hours(house) == {"go": 6600, "cup": 6600}
        house.happens(ClockSet(minutes_before(EIGHT, 1)))
        assert hours(house) == {"go": 60, "cup": 60}
        house.players("ann", "bob", game_type="go")
        house.passes(61)
        assert [note["championship"] for note in house.noted("championship begun")] == ["cup"]
        house.happens(ClockSet(minutes_before(EIGHT, 5)))
        assert "cup" not in hours(house), "it has begun"

    def test_an_hour_that_it_has_left_behind_comes_at_once(self, house: House) -> None:
        house.happens(Started((cup(),), minutes_before(EIGHT, 60)))
        house.players("ann", "bob", game_type="go")
        house.happens(ClockSet(EIGHT.timestamp() + 600))
        house.passes(0.1)
        assert house.noted("championship begun")[0]["players"] == ["ann", "bob"]

    def test_an_hour_that_has_come_does_not_come_again(self, house: House) -> None:
        house.happens(Started((cup(), cup(name="second")), minutes_before(EIGHT, 1)))
        house.players("ann", "bob", game_type="go")
        house.passes(61)
        assert [note["championship"] for note in house.noted("another championship is still played")] == ["second"]
        house.happens(ClockSet(minutes_before(EIGHT, 30)))
        assert hours(house) == {}


class TestPlans:
    def test_they_are_announced_and_begin_at_their_hours(self, house: House) -> None:
        house.happens(Started((cup(),), minutes_before(EIGHT, 2)))
        assert hours(house) == {"cup": 120}
        assert house.broker.server.championships["cup"].announced

    def test_who_has_lost_its_line_at_the_hour_is_in_the_field(self) -> None:
        """It may come back at once, and could not enter any more."""
        house = House(session_grace_s=60)
        house.plans(begins_in_s=10, begins_at="2030-05-01T20:00", return_s=60)
        house.master()
        cut = house.guest("cut", Family.SESSION)
        house.players("ann", "ben")
        cut.is_lost()
        house.passes(10)
        championship = house.broker.server.championships["cup"]
        assert championship.begun
        assert set(championship.field) == {"cut", "ann", "ben"}
        assert house.returns(cut.token).turn is None

    def test_an_hour_that_has_passed_is_said(self, house: House) -> None:
        house.happens(Started((cup(),), minutes_before(EIGHT, -2)))
        assert hours(house) == {}
        assert house.noted("the hour of this championship is over")[0]["championship"] == "cup"

    def test_after_a_restart_a_missed_hour_waits_for_the_players_to_come_back(self, house: House) -> None:
        house.happens(Started((cup(restart_return_s=30),), minutes_before(EIGHT, 2)))
        again = house.again()
        again.timers.pop(Timer(TimerKind.CHAMPIONSHIP, "cup"), None)
        again.happens(Started((cup(),), minutes_before(EIGHT, -5)))
        assert hours(again) == {"cup": 30}
        assert again.noted("championship is known already")

    def test_one_that_has_begun_needs_no_hour(self, house: House) -> None:
        house.happens(Started((cup(),), minutes_before(EIGHT, 1)))
        house.players("ann", "bob", game_type="go")
        house.passes(61)
        assert house.noted("championship begun")
        again = house.again()
        again.happens(Started((), minutes_before(EIGHT, 1)))
        assert hours(again) == {}

    def test_one_of_the_settings_gives_way_to_a_plan_of_the_same_name_with_its_hour(self) -> None:
        house = House(game_types=TYPES)
        house.happens(Started(date_s=minutes_before(EIGHT, 1)))
        house.plans(name="go", game_type="halma", entrants=("ann", "bob", "cat"))
        assert hours(house) == {}
