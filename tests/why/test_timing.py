"""Where the time of the last move went."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tests.why.records import BEGIN, MOVE, RUNNING, SECOND, STATE, TIMED_OUT, entry, over
from ugs.broker.values.record import EntryKind
from ugs.why.timing import MoveTiming, missed_move, timing_of_last_move


def test_the_time_from_state_to_state_has_four_parts() -> None:
    timing = timing_of_last_move(over())
    assert timing == MoveTiming(
        nick="ann",
        number=1,
        player_us=5_000 - 1_100,
        network_us=400,
        bot_us=5_000 - 1_100 - 400,
        broker_us=(1_100 - 1_000) + (5_300 - 5_000),
        master_us=8_000 - 5_300,
        total_us=7_000,
    )


@given(st.lists(st.integers(0, 10**9), min_size=4, max_size=4), st.integers(1, 10**9))
def test_the_parts_add_up_to_the_whole(waits: list[int], trip: int) -> None:
    to_player, player, to_master, master = waits
    state = entry(EntryKind.STATE, 0, seat=0)
    move = entry(EntryKind.MOVE, to_player + player, handed_us=to_player, seat=0)
    at = to_player + player + to_master
    answer = entry(EntryKind.STATE, at + master, handed_us=at, seat=1)
    timing = timing_of_last_move(replace(RUNNING, entries=(state, move, answer)), (0, trip, 0))
    assert timing is not None
    parts = (timing.network_us, timing.bot_us, timing.broker_us, timing.master_us)
    assert sum(part or 0 for part in parts) == timing.total_us == sum(waits)
    assert all(part is not None and part >= 0 for part in parts)


def test_measured_round_trips_come_before_those_of_the_record() -> None:
    timing = timing_of_last_move(over(), (1, 2, 3))
    assert timing is not None
    assert timing.network_us == 2


def test_a_round_trip_longer_than_the_think_time_leaves_nothing_for_the_bot() -> None:
    timing = timing_of_last_move(over(), (0, 10_000, 0))
    assert timing is not None
    assert (timing.network_us, timing.bot_us) == (3_900, 0)


def test_without_a_round_trip_network_and_bot_are_one() -> None:
    timing = timing_of_last_move(RUNNING)
    assert timing is not None
    assert (timing.player_us, timing.network_us, timing.bot_us) == (3_900, None, None)


def test_of_an_unanswered_move_the_players_part_is_known() -> None:
    timing = timing_of_last_move(replace(RUNNING, entries=(BEGIN, STATE, MOVE)))
    assert timing is not None
    assert (timing.player_us, timing.broker_us, timing.master_us, timing.total_us) == (3_900, None, None, None)


def test_a_result_said_by_the_server_is_no_answer_of_the_master() -> None:
    by_server = entry(EntryKind.OVER, 9_000, text="0:winner 1:loser")
    timing = timing_of_last_move(replace(RUNNING, entries=(BEGIN, STATE, MOVE, by_server)))
    assert timing is not None
    assert timing.master_us is None


def test_a_result_said_by_the_master_is_an_answer() -> None:
    last = entry(EntryKind.OVER, 9_000, handed_us=5_100, text="0:winner 1:loser", body=b"<gameState/>")
    timing = timing_of_last_move(replace(RUNNING, entries=(BEGIN, STATE, MOVE, last)))
    assert timing is not None
    assert timing.master_us == 3_900


def test_what_is_said_between_state_and_move_belongs_to_the_player() -> None:
    refused = entry(EntryKind.REFUSED, 2_000, seat=0, text="move: it is not your turn")
    timing = timing_of_last_move(replace(RUNNING, entries=(BEGIN, STATE, refused, MOVE, SECOND)))
    assert timing is not None
    assert timing.total_us == 7_000


def test_unknown_moments_are_said_to_be_unknown() -> None:
    bare = tuple(replace(one, handed_us=0) for one in RUNNING.entries)
    timing = timing_of_last_move(replace(RUNNING, entries=bare), (1, 2, 3))
    assert timing == MoveTiming("ann", 1, None, None, None, None, None, 7_000)


def test_views_belong_to_the_state_that_follows_them() -> None:
    view = entry(EntryKind.VIEW, 8_000, handed_us=5_300, audience=0b10, body=b"<gameState/>")
    entries = (BEGIN, STATE, MOVE, view, replace(SECOND, handed_us=0))
    assert timing_of_last_move(replace(RUNNING, entries=entries)) == timing_of_last_move(RUNNING)


def test_a_game_without_a_move_or_without_entries_has_no_timing() -> None:
    assert timing_of_last_move(replace(RUNNING, entries=(BEGIN, STATE))) is None
    assert timing_of_last_move(replace(over(), entries=())) is None


def test_a_move_that_never_came_has_the_time_it_was_awaited() -> None:
    missed = missed_move(over())
    assert missed is not None
    assert (missed.nick, missed.number, missed.waited_us) == ("bob", 2, 30_000_000)
    assert missed_move(RUNNING) is None
    assert missed_move(replace(over(), entries=())) is None
    assert missed_move(replace(over(), entries=(BEGIN, TIMED_OUT))) is None
    others_turn = replace(over(), entries=(BEGIN, STATE, TIMED_OUT))
    assert missed_move(others_turn) is None
