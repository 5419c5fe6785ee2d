"""What each seat has surely read, also when states are refused, held back, or lost with a connection."""

from hypothesis import given
from hypothesis import strategies as st

from game_masters.kit.acknowledgements import MAX_ABSENCE, Acknowledgements


def test_who_has_moved_has_read_what_asked_it() -> None:
    acknowledged = Acknowledgements(spares=False)
    acknowledged.note_sent([0], 1)
    acknowledged.moved(0)
    acknowledged.note_sent([1], 2)
    acknowledged.note_sent([1], 3)
    assert [acknowledged.since(seat) for seat in (0, 1, 2, None)] == [1, 0, 0, 1]
    acknowledged.moved(1)
    assert [acknowledged.since(seat) for seat in (0, 1, 2, None)] == [1, 3, 0, 3]


def test_who_is_spared_a_second_question_has_read_the_first_and_no_more() -> None:
    acknowledged = Acknowledgements(spares=True)
    acknowledged.note_sent([0, 1], 1)
    acknowledged.moved(0)
    acknowledged.note_sent([1], 2)  # does not reach seat 1
    acknowledged.moved(1)
    assert [acknowledged.since(seat) for seat in (0, 1)] == [1, 1]


def test_who_was_not_asked_for_once_is_told_everything_when_it_is_asked_again() -> None:
    acknowledged = Acknowledgements(spares=True)
    acknowledged.note_sent([0, 1], 1)
    acknowledged.moved(0)
    acknowledged.note_sent([2], 2)  # seat 1 need not move any more
    acknowledged.moved(2)
    acknowledged.note_sent([1], 3)
    acknowledged.moved(1)
    assert acknowledged.since(1) == 3


def test_a_state_that_the_server_may_have_refused_proves_nothing() -> None:
    acknowledged = Acknowledgements(spares=True)
    acknowledged.note_sent([0, 1, 2], 1)
    acknowledged.moved(0)
    acknowledged.note_sent([2], 2)  # refused, if seat 2 has just left: then seat 1 is still asked by the first state
    acknowledged.note_sent([1], 3)  # and does not get this one
    acknowledged.moved(1)
    assert acknowledged.since(1) == 1


def test_what_a_state_tells_does_not_go_back_for_ever() -> None:
    acknowledged = Acknowledgements(spares=False)
    for entry in range(1, 3 * MAX_ABSENCE):
        acknowledged.note_sent([0], entry)
        acknowledged.moved(0)
    assert acknowledged.since(1) == 2 * MAX_ABSENCE
    assert acknowledged.since(0) == 3 * MAX_ABSENCE - 1


STATES = st.lists(
    st.tuples(st.sets(st.integers(0, 3), min_size=1), st.booleans(), st.integers(0, 3), st.sets(st.integers(0, 3))),
    max_size=30,
)


@given(STATES)
def test_no_seat_misses_anything_when_the_server_refuses_states_and_players_are_away(
    states: list[tuple[set[int], bool, int, set[int]]],
) -> None:
    """The server behaves as a real one: it refuses states, does not ask a player again that was asked, hands on one
    move at a time, and gives a player that comes back, at the latest when it moves, only the last state."""
    acknowledged = Acknowledgements(spares=True)
    last = dict.fromkeys(range(4), (0, 0))
    read = dict.fromkeys(range(4), 0)
    asked: set[int] = set()

    def reads(seat: int) -> None:
        since, entry = last[seat]
        assert since <= read[seat], "there is a gap"
        read[seat] = entry

    for entry, (names, taken, mover, away) in enumerate(states, start=1):
        since = {seat: acknowledged.since(seat) for seat in range(4)}
        acknowledged.note_sent(names, entry)
        if not taken:
            continue
        for seat in set(range(4)) - (asked & names):
            last[seat] = (since[seat], entry)
            if seat not in away:
                reads(seat)
        asked = set(names)
        if mover in asked:
            reads(mover)
            asked.remove(mover)
            acknowledged.moved(mover)


def test_a_state_that_is_told_once_more_begins_where_it_began() -> None:
    acknowledged = Acknowledgements(spares=False)
    for entry in range(1, 2 * MAX_ABSENCE):
        before = acknowledged.since(1)
        acknowledged.note_sent({0}, entry)
        assert acknowledged.since_again(1) == before
        acknowledged.moved(0)
        assert acknowledged.since_again(1) == before
