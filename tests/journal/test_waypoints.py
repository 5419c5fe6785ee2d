"""Places in a game at which reading may begin."""

import math

from ugs.broker.values.recollection import PastEvent, Recollected, Use, Wish
from ugs.broker.values.record import EntryKind
from ugs.journal.waypoints import BEGIN, MAX_WAYPOINTS, RowPlace, Waypoint, Waypoints, begins_early_enough, is_there


def at(number: int, *, is_part: bool = True) -> Waypoint:
    """A waypoint behind so many events, of which there was one a second; the ids of rows are ten times that."""
    return Waypoint(RowPlace(is_part, 10 * number), number, float(number), ())


def known(*numbers: int) -> Waypoints:
    """Waypoints that somebody has come by."""
    waypoints = Waypoints()
    waypoints.add(map(at, numbers))
    return waypoints


def wish(use: Use, until: int, after: int = 0, until_s: float = math.inf) -> Wish:
    """A wish for a part of a game."""
    return Wish(use, "7", "g1", until, after, until_s)


def test_reading_begins_at_the_last_one_before_what_is_wished() -> None:
    waypoints = known(10, 20, 30)
    for after, before in ((5, 0), (10, 10), (29, 20), (1_000, 30)):
        assert waypoints.for_wish(wish(Use.SPECTATOR, 2_000, after)).before == before


def test_how_a_game_stood_is_read_from_before_that_moment_and_event() -> None:
    waypoints = known(10, 20, 30)
    assert waypoints.for_wish(wish(Use.SHOWING, 30)).before == 20
    assert waypoints.for_wish(wish(Use.SHOWING, 100, until_s=19.5)).before == 10
    assert waypoints.for_wish(wish(Use.SHOWING, 100, until_s=1.0)) is BEGIN


def test_there_is_one_before_each() -> None:
    waypoints = known(10, 20)
    assert waypoints.earlier(at(20)).before == 10
    assert waypoints.earlier(at(10)) is BEGIN


def test_parts_that_were_packed_are_no_places_to_begin_at() -> None:
    waypoints = known(10, 20, 30)
    waypoints.forget_parts(200)
    assert waypoints.nearest(29, math.inf) is BEGIN
    assert waypoints.nearest(30, math.inf).before == 30
    assert is_there(at(10, is_part=False), 200)
    assert not is_there(at(10), 200)


def test_of_a_long_game_few_are_known_and_they_are_evenly_spread() -> None:
    waypoints = Waypoints()
    for number in range(50_000):
        waypoints.add([at(number)])
    found = [waypoints.nearest(number, math.inf).before for number in range(50_000)]
    assert len(set(found)) <= MAX_WAYPOINTS
    assert max(number - before for number, before in enumerate(found)) <= 4 * 50_000 / MAX_WAYPOINTS


def test_how_a_game_stood_is_not_known_without_a_state() -> None:
    state = PastEvent(11, 11.0, EntryKind.STATE, 0, "", b"<state/>")
    move = PastEvent(12, 12.0, EntryKind.MOVE, 0, "", b"<move/>")
    showing = wish(Use.SHOWING, 20)
    assert begins_early_enough(showing, Recollected((state, move), 12), at(10))
    assert not begins_early_enough(showing, Recollected((move,), 12), at(10))
    assert begins_early_enough(showing, Recollected((move,), 12), BEGIN), "there is none before"
    assert begins_early_enough(wish(Use.SPECTATOR, 20, 11), Recollected((move,), 12), at(10))
