"""Spectators of games of which most is not in memory are told the same as if all were."""

import pytest

from tests.broker.extensions.watch.spectators import BEGIN, SEATS, body, event, numbers, play, shown, spectator
from tests.broker.house import CHESS, House, Peer, move, over, thank, turn
from ugs.broker.effects import Publish
from ugs.broker.extensions.watch.stand import PIECE_EVENTS, STAND
from ugs.broker.state.history import MARKS, MAX_RECENT_ENTRIES
from ugs.broker.values.recollection import Use
from ugs.wire.extensions import (
    EventKind,
    Family,
    GameEvent,
    ListGames,
    RunningGames,
    SeatInfo,
    SeatKind,
    SeatState,
    Sketch,
    Unwatch,
    Watch,
    Watching,
)
from ugs.wire.messages import LeaveGame, Message

LONG = 2 * MAX_RECENT_ENTRIES
LAST = 2 * LONG + 2
"""The number of the last event of a long game."""


def long_game(house: House, moves: int = LONG) -> tuple[Peer, Peer, Peer]:
    """A game with a move every second."""
    master, ann, ben = house.table("ann", "ben")
    play(house, master, ann, ben, moves=moves)
    assert house.game().history.earlier.events
    return master, ann, ben


def told(moves: int = LONG) -> list[Message]:
    """All events of it."""
    events: list[Message] = [
        event(1, 0, EventKind.BEGIN),
        event(2, 0, EventKind.STATE, next_players=("ann",), state=b"<gameState/>"),
    ]
    for number in range(moves):
        mover, following = (("ann", "ben"), ("ben", "ann"))[number % 2]
        events.append(event(2 * number + 3, number + 1, EventKind.MOVE, nick=mover))
        state = body(number + 1)
        events.append(event(2 * number + 4, number + 1, EventKind.STATE, next_players=(following,), state=state))
    return events


class TestFromTheBegin:
    def test_all_is_told_in_order_and_then_what_happens(self, house: House) -> None:
        master, ann, ben = long_game(house)
        sue = spectator(house, Watch("g1", begin=BEGIN))
        house.passes(0)
        heard = sue.hears()
        assert heard[0] == shown(0)
        assert heard[1:] == told()
        play(house, master, ann, ben, moves=1, first=LONG)
        assert numbers(sue.hears()) == [LAST + 1, LAST + 2]
        assert not STAND.of(house.broker.server).following[sue.conn].behind

    def test_one_piece_is_read_at_a_time_and_the_next_when_the_network_has_taken_it(self, house: House) -> None:
        long_game(house, 4 * MAX_RECENT_ENTRIES)
        house.reads_slowly = True
        sue = spectator(house, Watch("g1", begin=BEGIN))
        assert sue.hears() == [shown(0)]
        assert [(one.wish.use, one.wish.after) for one in house.recalling] == [(Use.SPECTATOR, 0)]
        house.passes(10)
        assert len(house.recalling) == 1
        house.reads()
        assert numbers(sue.hears()) == list(range(1, PIECE_EVENTS + 1))
        assert house.recalling == []
        (timer,) = [timer for timer in house.timers if timer.subject == f"past {sue.conn}"]
        assert house.waits_for_writer[timer] == sue.conn
        house.passes(0)
        assert [one.wish.after for one in house.recalling] == [PIECE_EVENTS]

    def test_who_goes_meanwhile_is_told_nothing(self, house: House) -> None:
        long_game(house)
        house.reads_slowly = True
        sue, tom = (spectator(house, Watch("g1", begin=BEGIN)) for _ in range(2))
        sue.is_lost()
        tom.says(Unwatch())
        tom.hears()
        house.reads()
        assert tom.hears() == []
        assert not house.game().history.watchers

    def test_who_begins_anew_meanwhile_is_told_from_there(self, house: House) -> None:
        long_game(house)
        house.reads_slowly = True
        sue = spectator(house, Watch("g1", begin=BEGIN))
        sue.says(Watch("g1"))
        house.reads()
        house.passes(0)
        assert sue.hears() == [shown(0), shown(LAST, "ann", state=body(LONG))]
        assert house.recalling == []

    def test_a_past_that_nothing_has_kept_is_left_out(self, house: House) -> None:
        long_game(house)
        house.reads_slowly = True
        sue = spectator(house, Watch("g1", begin=BEGIN))
        house.reads(forgotten=True)
        house.passes(0)
        first = house.game().history.earlier.events + 1
        assert numbers(sue.hears()) == list(range(first, LAST + 1))
        late = spectator(house, Watch("g1", begin=BEGIN, delay_s=LONG))
        (heard,) = late.hears()
        assert isinstance(heard, Watching)
        assert (heard.number, heard.state, heard.seats) == (first - 1, b"", SEATS)
        assert house.recalling == []

    def test_a_game_that_ends_meanwhile_is_told_to_its_end(self, house: House) -> None:
        master, ann, ben = long_game(house)
        house.reads_slowly = True
        sue = spectator(house, Watch("g1", begin=BEGIN))
        master.says(over("g1", "ann", losers=("ben",)))
        thank("g1", ann, ben)
        while house.recalling:
            house.reads()
            house.passes(0)
        assert numbers(sue.hears()) == list(range(1, LAST + 3))


class TestLater:
    def test_the_game_is_shown_as_it_was_then(self, house: House) -> None:
        long_game(house)
        sue = spectator(house, Watch("g1", delay_s=LONG - 3))
        assert sue.hears() == [shown(8, "ben", state=body(3))]
        tom = spectator(house, Watch("g1", delay_s=LONG - 3))
        assert tom.hears() == [shown(8, "ben", state=body(3))]
        house.passes(1)
        assert numbers(sue.hears()) == numbers(tom.hears()) == [9, 10]

    def test_who_has_left_by_then_is_shown_so(self, house: House) -> None:
        master, ann, ben, cat = house.table("ann", "ben", "cat")
        cat.says(LeaveGame("g1"))
        master.says(turn("g1", "ann"))
        play(house, master, ann, ben, moves=LONG)
        (heard,) = spectator(house, Watch("g1", delay_s=LONG - 3)).hears()
        (now,) = spectator(house, Watch("g1")).hears()
        for one in (heard, now):
            assert isinstance(one, Watching)
            assert one.seats == (*SEATS, SeatInfo("cat", SeatKind.HUMAN, SeatState.QUIT))

    def test_everything_is_told_when_it_is_old_enough(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        sue = spectator(house, Watch("g1", delay_s=LONG))
        sue.hears()
        heard: list[Message] = []
        play(house, master, ann, ben, moves=LONG)
        for second in range(LONG):
            house.passes(1)
            heard += sue.hears()
            assert all(isinstance(one, GameEvent) and one.after_s <= second + 1 for one in heard)
        assert heard == told()

    def test_one_read_tells_all_that_has_become_old_enough_since_the_last(self, house: House) -> None:
        master, ann, _ben = house.table("ann", "ben")
        spectator(house, Watch("g1", delay_s=1))
        for _ in range(10 * MAX_RECENT_ENTRIES):
            house.passes(0.001)
            ann.says(move("g1"))
            master.says(turn("g1", "ann"))
        house.reads_slowly = True
        reads = 0
        for _ in range(50):
            house.passes(0.1)
            reads += len(house.recalling)
            house.reads()
        assert 0 < reads <= 5 / 0.25 + 1

    def test_a_channel_that_nobody_follows_any_more_is_not_told(self, house: House) -> None:
        long_game(house)
        house.reads_slowly = True
        sue = spectator(house, Watch("g1", delay_s=LONG - 3))
        house.reads()
        house.passes(1)
        assert [one.wish.use for one in house.recalling] == [Use.CHANNEL]
        sue.says(Unwatch())
        sue.hears()
        effects = house.reads()
        assert not [one for one in effects if isinstance(one, Publish)]

    def test_an_answer_for_an_earlier_channel_is_not_taken_for_a_later_one(self, house: House) -> None:
        long_game(house)
        house.reads_slowly = True
        sue = spectator(house, Watch("g1", delay_s=LONG - 3))
        house.reads()
        house.passes(1)
        (old,) = house.recalling
        house.recalling.clear()
        sue.says(Unwatch())
        sue.says(Watch("g1", delay_s=LONG - 3))
        house.reads()
        sue.hears()
        house.recalling.append(old)
        house.reads()
        assert sue.hears() == []

    def test_a_channel_of_which_nothing_is_kept_goes_on_with_what_is(self, house: House) -> None:
        long_game(house)
        house.reads_slowly = True
        sue = spectator(house, Watch("g1", delay_s=LONG - 3))
        house.reads()
        sue.hears()
        house.passes(1)
        house.reads(forgotten=True)
        first = house.game().history.earlier.events + 1
        house.passes(LONG)
        assert numbers(sue.hears()) == list(range(first, LAST + 1))

    def test_what_is_forgotten_before_it_is_shown_is_said_to_be_unknown(self, house: House) -> None:
        long_game(house)
        house.reads_slowly = True
        sue = spectator(house, Watch("g1", delay_s=LONG - 3))
        house.reads(forgotten=True)
        (heard,) = sue.hears()
        assert isinstance(heard, Watching)
        assert (heard.number, heard.state) == (house.game().history.earlier.events, b"")

    def test_a_longer_delay_that_is_asked_for_meanwhile_holds(self, house: House) -> None:
        long_game(house)
        house.reads_slowly = True
        sue = spectator(house, Watch("g1", delay_s=LONG - 10))
        sue.says(Watch("g1", delay_s=LONG - 3))
        house.reads()
        assert sue.hears() == [shown(8, "ben", state=body(3))], "and nothing that is younger"

    def test_from_the_begin_with_a_delay(self, house: House) -> None:
        long_game(house)
        sue = spectator(house, Watch("g1", begin=BEGIN, delay_s=LONG - 3))
        house.passes(0)
        heard = sue.hears()
        assert heard[0] == shown(0)
        assert heard[1:] == told()[:8]

    def test_a_game_that_is_over_when_it_was_read_is_not_shown(self, house: House) -> None:
        master, ann, ben = long_game(house)
        house.reads_slowly = True
        sue = spectator(house, Watch("g1", delay_s=LONG - 3))
        master.says(over("g1", "ann", losers=("ben",)))
        thank("g1", ann, ben)
        house.reads()
        assert sue.hears() == []

    def test_the_end_of_a_long_game_is_told_late_too(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        sue = spectator(house, Watch("g1", delay_s=100))
        play(house, master, ann, ben, moves=LONG)
        master.says(over("g1", "ann", losers=("ben",)))
        thank("g1", ann, ben)
        house.passes(LONG)
        assert numbers(sue.hears()) == list(range(1, LAST + 3))
        assert not STAND.of(house.broker.server).channels


@pytest.mark.parametrize("delay_s", [10.0, 200.0])
def test_the_list_of_games_tells_about_how_many_moves_are_old_enough(delay_s: float) -> None:
    house = House(game_types={CHESS: {"watch_delay_s": delay_s}})
    long_game(house)
    sue = spectator(house)
    sue.says(ListGames())
    (heard,) = sue.hears()
    assert isinstance(heard, RunningGames)
    assert LONG - delay_s - delay_s / MARKS - 1 <= heard.games[0].moves <= LONG - delay_s


def test_who_is_behind_gets_a_sketch_when_its_turn_comes(house: House) -> None:
    """A sketch goes to those alone who can read it, one by one, and to none before what came earlier."""
    master = house.leader("m", Family.SKETCH)
    ann, ben = house.players("ann", "ben")
    master.says(turn("g1", "ann"))
    play(house, master, ann, ben, moves=LONG)
    house.reads_slowly = True
    quick, behind = house.greets(Family.WATCH, Family.SKETCH), house.greets(Family.WATCH, Family.SKETCH)
    quick.says(Watch("g1"))
    behind.says(Watch("g1", begin=BEGIN))
    quick.hears()
    drawn = b'<sketch><grid columns="3" rows="3"/></sketch>'
    ann.says(move("g1"))
    master.says(Sketch("g1", drawn))
    master.says(turn("g1", "ben"))
    assert EventKind.SKETCH in [one.what for one in quick.hears() if isinstance(one, GameEvent)]
    assert numbers(behind.hears()) == []
    while house.recalling:
        house.reads()
        house.passes(0)
    heard = behind.hears()
    assert numbers(heard) == list(range(1, LAST + 4))
    assert EventKind.SKETCH in [one.what for one in heard if isinstance(one, GameEvent)]
