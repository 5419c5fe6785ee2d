"""What a wish finds in the past of a game, and what stays known of it without reading."""

import pytest

from tests.broker.house import House
from ugs.broker.effects import RecordEntry
from ugs.broker.play.record_entries import put_away
from ugs.broker.state.history import Earlier, History, Marks
from ugs.broker.values.recollection import PastEvent, Recollected, Use, Wish, select
from ugs.broker.values.record import EntryKind
from ugs.broker.views.spectator import about_old_enough, moves_until, old_enough

K = EntryKind


def events(*kinds: EntryKind, seats: tuple[int | None, ...] = ()) -> list[PastEvent]:
    """Events a second apart, of ten bytes each."""
    given = seats or (0,) * len(kinds)
    return [PastEvent(at + 1, float(at), kind, given[at], "t", b"x" * 10) for at, kind in enumerate(kinds)]


GAME = events(K.BEGIN, K.STATE, K.MOVE, K.LEFT, K.STATE, K.REJOINED, K.STATE, K.MOVE)


@pytest.mark.parametrize(
    ("wish", "found"),
    [
        (Wish(Use.SPECTATOR, "7", "g", 8), Recollected(tuple(GAME), 8)),
        (Wish(Use.SPECTATOR, "7", "g", 6, 2), Recollected(tuple(GAME[2:6]), 6)),
        (Wish(Use.SPECTATOR, "7", "g", 9, 7), Recollected((GAME[7],), 8)),
        (Wish(Use.SPECTATOR, "7", "g", 9, 8), Recollected((), 8)),
        (Wish(Use.SPECTATOR, "7", "g", 8, most_events=3), Recollected(tuple(GAME[:3]), 3)),
        (Wish(Use.SPECTATOR, "7", "g", 8, most_bytes=25), Recollected(tuple(GAME[:2]), 2)),
        (Wish(Use.SPECTATOR, "7", "g", 8, most_bytes=1), Recollected((GAME[0],), 1)),
        (Wish(Use.CHANNEL, "c", "g", 8, 1, 3.0), Recollected(tuple(GAME[1:4]), 4, 4.0)),
        (Wish(Use.CHANNEL, "c", "g", 8, 4, 3.0), Recollected((), 4, 4.0)),
        (Wish(Use.TAKEOVER, "g", "g", 8), Recollected((GAME[2], GAME[3], GAME[5], GAME[7]), 8)),
        (Wish(Use.TAKEOVER, "g", "g", 5), Recollected((GAME[2], GAME[3]), 5)),
        (Wish(Use.TAKEOVER, "g", "g", 9), Recollected((GAME[2], GAME[3], GAME[5], GAME[7]), 8)),
        (Wish(Use.SHOWING, "7", "g", 8, until_s=3.0), Recollected((GAME[3], *GAME[1:4]), 4)),
        (Wish(Use.SHOWING, "7", "g", 8, until_s=4.0), Recollected((GAME[3], GAME[4]), 5)),
        (Wish(Use.SHOWING, "7", "g", 8, until_s=6.5), Recollected((GAME[6],), 7)),
        (Wish(Use.SHOWING, "7", "g", 8, until_s=-1.0), Recollected((), 0)),
        (Wish(Use.SHOWING, "7", "g", 5), Recollected((GAME[3], GAME[4]), 5)),
        (Wish(Use.SHOWING, "7", "g", 9), Recollected((GAME[6], GAME[7]), 8)),
    ],
)
def test_what_is_found(wish: Wish, found: Recollected) -> None:
    assert select(wish, GAME) == found
    assert select(wish, [event for event in GAME if event.number > wish.after]) == found


def test_how_it_stood_includes_how_that_looked_but_no_earlier_sketch() -> None:
    drawn = events(K.BEGIN, K.SKETCH, K.STATE, K.MOVE, K.SKETCH, K.STATE, K.MOVE, K.STATE)
    assert select(Wish(Use.SHOWING, "7", "g", 4), drawn) == Recollected(tuple(drawn[1:4]), 4)
    assert select(Wish(Use.SHOWING, "7", "g", 7), drawn) == Recollected(tuple(drawn[4:7]), 7)
    assert select(Wish(Use.SHOWING, "7", "g", 8), drawn) == Recollected((drawn[7],), 8)


def test_who_left_and_came_back_before_is_known() -> None:
    earlier = Earlier()
    for kind, seat in ((K.BEGIN, None), (K.LEFT, 0), (K.LEFT, 2), (K.REJOINED, 0), (K.MOVE, 0)):
        earlier.add(RecordEntry("g", kind, seat, text="left" if kind is K.LEFT else ""))
    assert (earlier.events, earlier.departed, earlier.rejoined) == (5, {2: "left"}, True)
    assert earlier.retold == {0: 3, 2: 1}


def test_a_history_without_a_state_is_not_shortened() -> None:
    history = History(0.0)
    for _ in range(3):
        history.add(1.0, RecordEntry("g", K.MOVE, 0, body=b"m"))
    assert [*map(list, history.shorten(0, 0))] == [[], []]
    assert history.count == len(history.entries) == 3


def test_marks_tell_about_where_a_game_was_and_are_few() -> None:
    marks = Marks(64.0)
    assert marks.until(5.0) == (0, 0)
    for second in range(1_000):
        for part in range(10):
            marks.put(second + part / 10, 20 * second + 2 * part, 10 * second + part)
    assert marks.until(950.5) == (20 * 950, 10 * 950)
    assert marks.until(936.0) == (20 * 936, 10 * 936)
    assert len(marks._at) <= 66


def test_what_is_not_in_memory_is_known_about_where_a_delay_wants_it() -> None:
    house = House()
    house.table("ann", "ben")
    game = house.game()
    server = house.broker.server
    began_at = game.history.began_at
    for second in range(100):
        game.history.add(began_at + second, RecordEntry("g1", K.MOVE, 0))
        game.history.add(began_at + second, RecordEntry("g1", K.STATE, 0))
        game.history.moves += 1
    put_away(server, game, 10, 1_000_000)
    server.taken()
    moment = began_at + 50
    assert old_enough(game, moment) is None
    assert (about_old_enough(game, moment), moves_until(game, moment)) == (0, 0), "no delay, no marks"
    game.history.marks = Marks(60.0)
    game.history.marks.put(began_at + 49, 99, 49)
    assert (about_old_enough(game, moment), moves_until(game, moment)) == (99, 49)
    assert about_old_enough(game, began_at + 98) == old_enough(game, began_at + 98) == 2 + 198
    assert moves_until(game, began_at + 98) == 99
