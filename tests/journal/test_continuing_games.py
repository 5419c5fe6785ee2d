"""Games that outlive the server that began them, written by real journals in several lives."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.journal.servers import (
    BODY,
    MASTER,
    NOON_US,
    TABLE,
    TYPE,
    JournalServer,
    ask,
    begun,
    described,
    record,
    void,
    won,
)
from ugs.broker.effects import RecordBegin, RecordEntry
from ugs.broker.past import PastGame
from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import Cause, GameResult, SeatResult, Verdict
from ugs.journal.continuing_games import MAX_IN_MEMORY, SERVER_LOST, GameClock, PastEntries, UnfinishedGame
from ugs.journal.journal_error import JournalError
from ugs.journal.reader import Reader
from ugs.journal.row_reader import GameRow
from ugs.record import jsonl, ugsg
from ugs.record.game import Entry

HOUR_US = 3_600_000_000
LATER_US = NOON_US + HOUR_US
"""When the second life begins."""
FAR_US = 999_000_000_000
"""What the monotonic clock shows then; where it starts is arbitrary."""


def leaves_open(directory: Path, *sessions: str, seed: str = "secret", left: str = "", back: str = "") -> None:
    """A life in which ann and ben make two moves of a game; the seats in ``left`` leave it, those in ``back`` come
    back, and the nicks in ``sessions`` have one."""
    with JournalServer(directory) as server:
        for nick in sessions:
            server.session(nick)
        server.begins("g1", "ann", "ben", seed=seed)
        server.moves("g1", 2)
        for seat in left:
            server.happens("g1", EntryKind.LEFT, int(seat), text=str(Cause.LEFT))
        for seat in back:
            server.happens("g1", EntryKind.REJOINED, int(seat))


def ids(games: object) -> list[str]:
    """The ids of the games in ``past``."""
    assert isinstance(games, tuple)
    return [game.begin.game_id for game in games]


def test_a_new_broker_is_told_every_entry_of_a_game_that_can_continue(tmp_path: Path) -> None:
    leaves_open(tmp_path, "ann", "ben")
    with JournalServer(tmp_path) as server:
        (game,) = server.journal.past.games
    assert game.begin == RecordBegin(
        "g1", TYPE, MASTER, ("ann", "ben"), {"board": "9×9", "text": "a\0b"}, "", 0, 5, "secret", True, TABLE
    )
    move = RecordEntry("g1", EntryKind.MOVE, 0, 0, "", BODY)
    assert [entry for _, entry in game.entries][:3] == [
        RecordEntry("g1", EntryKind.BEGIN),
        RecordEntry("g1", EntryKind.STATE, 0, 3, "", BODY),
        move,
    ]
    assert [seconds for seconds, _ in game.entries] == [0.001, 0.002, 0.003, 0.004, 0.005]
    assert game.began_s_ago >= 0.005
    assert server.record("g1").result is None


@pytest.mark.parametrize(
    ("sessions", "left", "goes_on"),
    [
        ("ann ben", "", True),
        ("ann ben cat", "", True),
        ("ann", "", False),
        ("ann", "1", True),
        ("ben", "1", False),
        ("", "01", False),
        ("ann ben", "01", False),
    ],
)
def test_a_game_can_continue_when_it_has_players_and_all_of_them_have_sessions(
    tmp_path: Path, sessions: str, left: str, goes_on: bool
) -> None:
    leaves_open(tmp_path, *sessions.split(), left=left)
    with JournalServer(tmp_path) as server:
        result = server.record("g1").result
        assert ids(server.journal.past.games) == (["g1"] if goes_on else [])
    assert (result is None) is goes_on


@pytest.mark.parametrize(("sessions", "goes_on"), [("ann ben", True), ("ann", False)])
def test_who_has_come_back_is_in_the_game_and_needs_a_session(tmp_path: Path, sessions: str, goes_on: bool) -> None:
    leaves_open(tmp_path, *sessions.split(), left="1", back="1")
    with JournalServer(tmp_path) as server:
        assert ids(server.journal.past.games) == (["g1"] if goes_on else [])
        result = server.record("g1").result
    assert result is None or [seat.departure for seat in result.seats] == [None, None]


def test_a_session_for_another_game_type_is_none_for_this_game(tmp_path: Path) -> None:
    with JournalServer(tmp_path) as server:
        server.session("ann")
        server.session("ben", game_type="go")
        server.begins("g1", "ann", "ben", seed="s")
    with JournalServer(tmp_path) as server:
        assert server.journal.past.games == ()
        assert len(server.journal.past.sessions) == 2, "who may come back may still"


def test_a_game_without_a_seed_or_with_an_end_cannot_continue(tmp_path: Path) -> None:
    leaves_open(tmp_path, "ann", "ben", seed="")
    with JournalServer(tmp_path) as server:
        server.begins("g2", "ann", "ben", seed="s")
        server.happens("g2", EntryKind.VERDICT, text="finished")
    with JournalServer(tmp_path) as server:
        assert server.journal.past.games == ()
        for game in ("g1", "g2"):
            result = server.record(game).result
            assert result is not None
            assert result.verdict.cause is Cause.SERVER_LOST


@pytest.mark.parametrize(
    ("sessions", "seed", "left", "why"),
    [
        ("ann", "s", "", "ben had no session"),
        ("", "s", "", "ann, ben had no session"),
        ("ann ben", "", "", "its master had no restore"),
        ("ann ben", "s", "01", "no player was left in it"),
    ],
)
def test_the_verdict_on_a_game_that_cannot_continue_says_why(
    tmp_path: Path, sessions: str, seed: str, left: str, why: str
) -> None:
    leaves_open(tmp_path, *sessions.split(), seed=seed, left=left)
    with JournalServer(tmp_path) as server:
        assert server.record("g1").entries[-1].text == f"{SERVER_LOST}: {why}"


def test_games_are_told_in_the_order_in_which_they_began_and_the_others_are_void(tmp_path: Path) -> None:
    with JournalServer(tmp_path) as server:
        for nick in ("ann", "ben"):
            server.session(nick)
        for game, nicks in (("z", "ann ben"), ("y", "ann cat"), ("x", "ben ann"), ("w", "ann")):
            server.begins(game, *nicks.split(), seed="s")
        server.plays("whole")
    with JournalServer(tmp_path) as server:
        assert ids(server.journal.past.games) == ["z", "x", "w"]
        with Reader(tmp_path) as reader:
            assert [game.game_id for game in reader.games() if game.running] == ["w", "x", "z"]


def test_a_game_of_a_championship_goes_on_without_a_word_in_its_ledger(tmp_path: Path) -> None:
    with JournalServer(tmp_path) as server:
        for entry in begun("ann", "ben"):
            server.ledger("cup", entry)
        for nick in ("ann", "ben"):
            server.session(nick)
        server.begins("g1", championship="cup", fixture=4, seed="s")
    with JournalServer(tmp_path) as server:
        (game,) = server.journal.past.games
        assert (game.begin.championship, game.begin.fixture) == ("cup", 4)
        assert server.journal.past.championships[0].ledger == begun("ann", "ben")


def test_the_seats_of_a_continuing_game_count_as_had_and_its_players_are_in_no_standings(tmp_path: Path) -> None:
    leaves_open(tmp_path, "ann", "ben")
    with JournalServer(tmp_path) as server:
        assert server.journal.past.standings == {}
        assert server.journal.past.seats == {TYPE: {"ann": {0: 1}, "ben": {1: 1}}}


def test_a_game_goes_on_in_its_later_lives_as_one_game(tmp_path: Path) -> None:
    leaves_open(tmp_path, "ann", "ben")
    with JournalServer(tmp_path, now_us=LATER_US, mono_us=FAR_US) as server:
        server.happens("g1", EntryKind.RESTORED, text="successor")
        server.moves("g1", 1)
    with JournalServer(tmp_path, now_us=LATER_US + HOUR_US, mono_us=7) as server:
        (game,) = server.journal.past.games
        server.moves("g1", 1)
        server.ends(won("g1"))
        server.journal.flush()
        server.reports.wait_for("kept g1")
    whole = record(tmp_path, "g1")
    first, second, third = ["begin", *["state", "move"] * 2], ["restored", "state", "move"], ["state", "move"]
    assert described(whole.entries) == [*first, *second, *third, "over", "verdict"]
    assert ask(tmp_path, "SELECT count(*) FROM game") == [(1,)]
    waits = [0.001 * (1 + n) for n in range(5)] + [3600.001 + 0.001 * n for n in range(3)]
    assert [seconds for seconds, _ in game.entries] == pytest.approx(waits)
    monos = [entry.mono_us for entry in whole.entries]
    assert monos == sorted(monos)
    assert monos[5] - monos[0] == whole.entries[5].wall_us - whole.entries[0].wall_us
    assert all(entry.handed_us <= entry.mono_us for entry in whole.entries)
    assert whole.result is not None
    assert whole.result.began_at == monos[0] / 1e6 - 0.001
    assert whole.result.ended_at - whole.result.began_at == pytest.approx(0.2)
    with JournalServer(tmp_path) as server:
        assert server.journal.past.games == ()


def test_in_the_text_of_a_game_with_several_lives_no_time_runs_backwards(tmp_path: Path) -> None:
    leaves_open(tmp_path, "ann", "ben")
    with JournalServer(tmp_path, now_us=NOON_US - HOUR_US, mono_us=3) as server:  # the clock on the wall was set back
        server.moves("g1", 2)
        server.ends(won("g1"))
    whole = record(tmp_path, "g1")
    assert " -" not in "".join(line.partition(" ")[2][:20] for line in ugsg.write(whole).decode().splitlines())
    for form in (ugsg, jsonl):
        assert list(form.read(form.write(whole).splitlines(keepends=True))) == [whole]


def test_a_new_server_may_give_a_game_up_that_might_have_gone_on(tmp_path: Path) -> None:
    leaves_open(tmp_path, "ann", "ben")
    lost = replace(void("g1", Cause.SERVER_LOST, "ann", "ben"), began_at=-5.0, ended_at=-4.0)
    with JournalServer(tmp_path) as server:
        server.happens("g1", EntryKind.VERDICT, text="server lost")
        server.ends(lost)
        server.journal.flush()
        server.reports.wait_for("kept g1")
        again = server.record("g1").result
    assert again == replace(lost, began_at=0.003, ended_at=1.003)
    with JournalServer(tmp_path) as server:
        assert server.journal.past.games == ()
        assert server.journal.past.standings == {}


def test_a_game_of_an_earlier_life_whose_journal_is_lost_ends_where_it_was(tmp_path: Path) -> None:
    leaves_open(tmp_path, "ann", "ben")
    with JournalServer(tmp_path) as server:
        (tmp_path / "journal.sqlite").rename(tmp_path / "aside")
        server.moves("g1")
        server.journal.flush()
        server.reports.wait_for("lost")
        server.journal.accept_loss()
        server.ends(void("g1", Cause.JOURNAL_LOST))
        server.journal.flush()
        (tmp_path / "aside").rename(tmp_path / "journal.sqlite")
        server.reports.wait_for("back")
        server.plays("g2")
    assert ask(tmp_path, "SELECT game_id FROM game ORDER BY id") == [("g1",), ("g2",)]
    lost = record(tmp_path, "g1")
    assert (lost.result, len(lost.entries)) == (void("g1", Cause.JOURNAL_LOST), 5)


def test_of_a_long_game_nothing_is_in_memory_but_the_end_and_all_is_told(tmp_path: Path) -> None:
    """Thousands of long games may be unfinished when a server begins."""
    leaves_open(tmp_path, "ann", "ben")
    with JournalServer(tmp_path) as server:
        server.moves("g1", MAX_IN_MEMORY)
    whole = record(tmp_path, "g1").entries
    with JournalServer(tmp_path) as server:
        (past,) = server.journal.past.games
        assert isinstance(past.entries, PastEntries)
        assert len(past.entries) == len(whole) == 2 * MAX_IN_MEMORY + 5
        for _ in range(2):
            told = [(entry.kind, entry.seat, entry.audience, entry.text, entry.body) for _, entry in past.entries]
            assert told == [(one.kind, one.seat, one.audience, one.text, one.body) for one in whole]
        assert past.entries[3] == list(past.entries)[3]
        ago_s = [after_s for after_s, _ in past.entries]
        assert ago_s == sorted(ago_s)
        server.moves("g1")
    assert len(record(tmp_path, "g1").entries) == len(whole) + 2


def test_a_long_game_that_cannot_be_read_again_is_said_to_be_unreadable(tmp_path: Path) -> None:
    leaves_open(tmp_path, "ann", "ben")
    with JournalServer(tmp_path) as server:
        server.moves("g1", MAX_IN_MEMORY)
    with JournalServer(tmp_path) as server:
        (past,) = server.journal.past.games
        (tmp_path / "journal.sqlite").rename(tmp_path / "aside")
        with pytest.raises(JournalError):
            list(past.entries)
        (tmp_path / "aside").rename(tmp_path / "journal.sqlite")


def test_a_game_with_only_its_beginning_can_continue(tmp_path: Path) -> None:
    game = GameRow(1, "g", TYPE, MASTER, "", NOON_US, 500, {}, "", 0, True, 0, "s", {}, (), None, None, ())
    unfinished = UnfinishedGame(game, ())
    assert unfinished.past(NOON_US + 2_000_000) == PastGame(RecordBegin("g", TYPE, MASTER, (), seed="s"), 2.0, ())
    assert unfinished.past(NOON_US - 1).began_s_ago == 0
    assert GameClock(unfinished).times(NOON_US + 10, 77, 0) == (510, 0)


BEGIN = Entry(EntryKind.BEGIN, 0, 0)
RESULT = GameResult(
    "g", TYPE, MASTER, (SeatResult("ann", won("g").seats[0].outcome),), Verdict(Cause.FINISHED), 1, 0, 0
)


@given(
    st.integers(0, 10**12),
    st.lists(st.tuples(st.integers(-(10**10), 10**10), st.lists(st.integers(0, 10**7), min_size=1)), max_size=4),
)
def test_on_the_clock_of_a_game_no_life_comes_before_another(began_us: int, lives: list[tuple[int, list[int]]]) -> None:
    """Whichever way the wall clock was set between two lives, and wherever the other clock started."""
    game = GameRow(1, "g", TYPE, MASTER, "", NOON_US, began_us, {}, "", 0, True, 0, "s", {}, (), None, None, ())
    continued = UnfinishedGame(game, ())
    wall_us, last_us = NOON_US, began_us
    for gap_us, waits in lives:
        clock = GameClock(continued)
        mono_us = 1 + abs(gap_us) * 7 % 10**9  # 0 would mean that the time is not known
        wall_us += gap_us
        for wait_us in waits:
            wall_us, mono_us = wall_us + wait_us, mono_us + wait_us
            at_us, handed_us = clock.times(wall_us, mono_us, mono_us)
            assert last_us <= handed_us <= at_us
            last_us = at_us
        entry = replace(BEGIN, wall_us=wall_us, mono_us=last_us)
        continued = UnfinishedGame(game, [entry])
        ended = clock.result(replace(RESULT, began_at=5.0, ended_at=6.0))
        assert (ended.began_at, ended.ended_at) == (began_us / 1e6, began_us / 1e6 + 1.0)
