"""Under load entries of running games wait for others, for a bounded time; those of games that are over never do."""

import pytest

from ugs.journal import waiting
from ugs.journal.batch import EntriesPart
from ugs.journal.waiting import HELD_BYTES, HELD_S, LINGER_S, QUIET_ENTRIES, OpenGame, WaitingEntries

NOON = 1000.0


@pytest.fixture
def entries() -> WaitingEntries:
    """None, all having been taken a long time ago."""
    return WaitingEntries()


def add(entries: WaitingEntries, game: OpenGame, count: int = 1) -> None:
    """Add that many entries of three bytes."""
    for _ in range(count):
        if not game.entries:
            entries.games.append(game)
        game.entries.append(b"abc")
        entries.bytes += 3


@pytest.mark.parametrize(("count", "busy"), [(QUIET_ENTRIES, False), (QUIET_ENTRIES + 1, True)])
def test_many_entries_in_a_short_time_are_load(entries: WaitingEntries, count: int, busy: bool) -> None:
    entries.take_all(NOON)
    add(entries, OpenGame(1, may_outlive=False), count)
    entries.take_all(NOON + LINGER_S / 2)
    assert entries.busy is busy
    assert entries.may_wait(NOON + LINGER_S / 2) is busy


def test_the_same_number_in_a_long_time_is_none(entries: WaitingEntries) -> None:
    entries.take_all(NOON)
    add(entries, OpenGame(1, may_outlive=False), 100 * QUIET_ENTRIES)
    entries.take_all(NOON + 100 * LINGER_S)
    assert not entries.busy


def test_entries_of_games_that_are_over_count_as_load(entries: WaitingEntries) -> None:
    entries.take_all(NOON)
    game = OpenGame(1, may_outlive=False)
    add(entries, game, QUIET_ENTRIES)
    entries.over.append(game)
    assert entries.take_over() == [EntriesPart(1, [b"abc"] * QUIET_ENTRIES)]
    add(entries, OpenGame(2, may_outlive=False))
    entries.take_all(NOON)
    assert entries.busy


def test_nothing_says_nothing_about_the_load(entries: WaitingEntries) -> None:
    add(entries, OpenGame(1, may_outlive=False), 1000)
    entries.take_all(0.0)
    assert entries.busy
    assert not entries.take_all(NOON)
    assert entries.busy


def test_they_wait_for_a_bounded_time(entries: WaitingEntries) -> None:
    entries.busy = True
    entries.take_all(NOON)
    add(entries, OpenGame(1, may_outlive=False))
    assert entries.may_wait(NOON + HELD_S * 0.99)
    assert not entries.may_wait(NOON + HELD_S)


def test_they_do_not_wait_when_they_are_large(entries: WaitingEntries) -> None:
    entries.busy = True
    entries.take_all(NOON)
    entries.bytes = HELD_BYTES + 1
    assert not entries.may_wait(NOON)


def test_a_game_that_is_over_does_not_wait(entries: WaitingEntries) -> None:
    runs, over, short = (OpenGame(row, may_outlive=False) for row in (1, 2, 3))
    add(entries, runs, 2)
    add(entries, over, 3)
    entries.over += [over, short]
    assert entries.take_over() == [EntriesPart(2, [b"abc"] * 3)], "and one without entries has no part"
    assert entries.bytes == 6
    assert entries.take_over() == []
    assert entries.take_all(NOON) == [EntriesPart(1, [b"abc"] * 2)]
    assert (entries.bytes, entries.games) == (0, [])


def test_what_is_held_is_lost_with_a_power_cut_at_most_for_a_fraction_of_a_second() -> None:
    assert waiting.HELD_S < 1, "docs/organiser.md promises it"
