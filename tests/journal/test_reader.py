"""Reading with and without a running server."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.journal.servers import NOON_US, TABLE, TYPE, JournalServer, ask, begun, tamper, void, won
from ugs.broker.effects import RecordLogout
from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import Cause, GameResult, Outcome, SeatResult, Verdict
from ugs.championship.ledger import LedgerEntry, What
from ugs.journal.database import DATABASE
from ugs.journal.journal_error import JournalError
from ugs.journal.reader import Reader
from ugs.journal.row_reader import SeatRow

RESULT = {"ann": "won", "ben": "lost"}


@pytest.fixture
def server(tmp_path: Path) -> JournalServer:
    """A server that has played three games, one of them in a championship, and plays a fourth."""
    server = JournalServer(tmp_path)
    server.plays("aa1", "ann", "ben")
    server.plays("ab2", "ann", "ben", championship="cup", fixture=1)
    server.plays("ac3", "cat", "ben", "ann")
    server.begins("b4", "dan", "ann")
    server.moves("b4", 3)
    server.journal.flush()
    server.plays("ad5", "eve", "dan")
    return server


def test_games_are_listed_newest_first_or_oldest_first(server: JournalServer, tmp_path: Path) -> None:
    with server, Reader(tmp_path) as reader:
        assert [game.game_id for game in reader.games()] == ["ad5", "b4", "ac3", "ab2", "aa1"]
        assert [game.game_id for game in reader.games(newest_first=False, limit=2)] == ["aa1", "ab2"]


@pytest.mark.parametrize(
    ("nick", "championship", "game_type", "found"),
    [
        ("ann", None, None, ["b4", "ac3", "ab2", "aa1"]),
        ("dan", "", TYPE, ["ad5", "b4"]),
        (None, "cup", None, ["ab2"]),
        (None, "", None, ["ad5", "b4", "ac3", "aa1"]),
        ("ann", "cup", TYPE, ["ab2"]),
        ("nobody", None, None, []),
        (None, None, "go", []),
    ],
)
def test_games_can_be_chosen(
    server: JournalServer,
    tmp_path: Path,
    nick: str | None,
    championship: str | None,
    game_type: str | None,
    found: list[str],
) -> None:
    with server, Reader(tmp_path) as reader:
        games = reader.games(nick=nick, championship=championship, game_type=game_type)
        assert [game.game_id for game in games] == found


def test_a_summary_tells_all_but_what_happened(server: JournalServer, tmp_path: Path) -> None:
    with server, Reader(tmp_path) as reader:
        running, game = (next(reader.games(nick=nick, limit=1)) for nick in ("ann", "cat"))
    assert game.seats == (
        SeatRow("cat", Outcome.WON),
        SeatRow("ben", Outcome.LOST),
        SeatRow("ann", Outcome.LOST, Cause.LEFT),
    )
    assert (game.verdict, game.moves, game.running) == (Verdict(Cause.LEFT, "ann"), 2, False)
    assert game.ended_us is not None
    assert NOON_US < game.began_us < game.ended_us
    assert running.seats == (SeatRow("dan"), SeatRow("ann"))
    assert (running.verdict, running.moves, running.running, running.ended_us) == (None, 3, True, None)


def test_a_running_game_is_told_as_far_as_it_has_come(server: JournalServer, tmp_path: Path) -> None:
    with server, Reader(tmp_path) as reader:
        record = reader.record("b4")
        assert (record.result, record.round_trips_us, len(record.entries)) == (None, (), 7)


def test_the_beginning_of_an_id_is_enough_if_it_fits_one_game(server: JournalServer, tmp_path: Path) -> None:
    with server, Reader(tmp_path) as reader:
        assert reader.record("b").game_id == "b4"
        server.plays("b44")
        assert reader.record("b4").game_id == "b4"
        with pytest.raises(JournalError, match=r"fits 4 games in the journal: aa1, ab2, ac3, ad5$"):
            reader.record("a")
        with pytest.raises(JournalError, match="game 'x': there is no such game"):
            reader.record("x")
        for number in range(10):
            server.begins(f"c{number}")
        server.begins("cc")
        server.plays("d")
        with pytest.raises(JournalError, match=r"c7, …$"):
            reader.record("c")


def test_results_of_open_play_come_in_the_order_in_which_games_ended(server: JournalServer, tmp_path: Path) -> None:
    with server, Reader(tmp_path) as reader:
        late = replace(void("b4", Cause.MASTER_LOST, "dan", "ann"))
        server.ends(late)
        server.journal.flush()
        server.reports.wait_for("kept b4")
        results = [won("aa1"), won("ac3", "cat", "ben", "ann"), won("ad5", "eve", "dan"), late]
        assert list(reader.results()) == results
        assert list(reader.results(game_type=TYPE)) == results
        assert list(reader.results(game_type="go")) == []


def test_games_that_do_not_count_are_listed_and_have_no_result_for_standings(tmp_path: Path) -> None:
    with JournalServer(tmp_path) as server, Reader(tmp_path) as reader:
        server.begins("alone", "ann", counts=False, seed="s1")
        server.ends(won("alone", "ann"))
        server.plays("g1")
        assert list(reader.results()) == [won("g1")]
        listed = [(game.game_id, game.counts, game.table) for game in reader.games()]
        assert listed == [("g1", True, {}), ("alone", False, TABLE)]
        assert reader.record("alone").counts is False


def test_the_seed_of_a_game_is_told_when_it_has_ended_and_not_before(tmp_path: Path) -> None:
    with JournalServer(tmp_path) as server, Reader(tmp_path) as reader:
        server.begins("g1", seed="secret")
        server.journal.flush()
        server.plays("g2")
        running = reader.record("g1")
        assert (running.seed, running.seats_total, running.table) == ("", 5, TABLE)
        server.ends(won("g1"))
        server.journal.flush()
        server.reports.wait_for("kept g1")
        assert reader.record("g1").seed == "secret"


def test_the_set_up_of_a_game_is_told_when_it_has_ended_and_not_before(tmp_path: Path) -> None:
    with JournalServer(tmp_path) as server, Reader(tmp_path) as reader:
        server.begins("g1")
        server.happens("g1", EntryKind.SETUP, text="pile = []")
        server.journal.flush()
        server.plays("g2")
        assert [entry.kind for entry in reader.record("g1").entries] == [EntryKind.BEGIN]
        server.ends(won("g1"))
        server.journal.flush()
        server.reports.wait_for("kept g1")
        assert [entry.text for entry in reader.record("g1").entries if entry.kind is EntryKind.SETUP] == ["pile = []"]


def test_results_of_a_championship_are_what_counts(tmp_path: Path) -> None:
    played = [won(f"g{number}", championship="cup", fixture=number) for number in (1, 2, 3)]
    with JournalServer(tmp_path) as server, Reader(tmp_path) as reader:
        for entry in begun("ann", "ben", "cat", "dan"):
            server.ledger("cup", entry)
        for game in (2, 1, 3):
            server.plays(f"g{game}", championship="cup", fixture=game)
            server.ledger("cup", LedgerEntry(What.RESULT, {"game": f"g{game}", "fixture": game, "outcomes": RESULT}))
        server.ledger("cup", LedgerEntry(What.REPLAYED, {"game": "g1", "fixture": 1}, "root", "wrong clock"))
        server.ledger("cup", LedgerEntry(What.WITHDRAWN, {"nick": "cat", "struck": False}, "", "gone"))
        nobody = {"cat": "lost", "ben": "won"}
        forfeit = {"fixture": 4, "round": 1, "nicks": list(nobody), "outcomes": nobody}
        server.ledger("cup", LedgerEntry(What.FORFEIT, forfeit))
        server.ledger("cup", LedgerEntry(What.OVER))
        server.plays("last")
        seats = (SeatResult("cat", Outcome.LOST), SeatResult("ben", Outcome.WON))
        unplayed = GameResult("", TYPE, "", seats, Verdict(Cause.FORFEIT, "cat"), 0, 0.0, 0.0, "cup", 4)
        assert list(reader.results(championship="cup")) == [played[1], played[2], unplayed]
        assert list(reader.results(championship="cup", game_type="go")) == []
        with pytest.raises(JournalError, match="championship 'pot': unknown; the journal knows cup"):
            reader.results(championship="pot")


def test_championships_are_told_with_the_time_of_every_entry(tmp_path: Path) -> None:
    with JournalServer(tmp_path) as server, Reader(tmp_path) as reader:
        assert reader.championships() == []
        with pytest.raises(JournalError, match="the journal knows none"):
            reader.results(championship="cup")
        server.ledger("cup", begun("ann", "ben")[0])
        server.ledger("pot", begun("ann", "ben", game_type="go")[0])
        server.ledger("cup", begun("ann", "ben")[1])
        server.plays("g")
        cup, pot = reader.championships()
        assert (cup.name, cup.state, cup.began_us, cup.ended_us) == ("cup", "running", NOON_US + 3000, None)
        assert (pot.name, pot.state, pot.began_us, pot.sum().begun) == ("pot", "announced", None, False)
        assert [(logged.wall_us, logged.entry) for logged in cup.ledger] == [
            (NOON_US + 1000, begun("ann", "ben")[0]),
            (NOON_US + 3000, begun("ann", "ben")[1]),
        ]
        server.ledger("cup", LedgerEntry(What.OVER))
        server.plays("h")
        ended_us = reader.championships()[0].ended_us
        assert ended_us is not None
        assert ended_us > NOON_US


def test_logins_lives_and_game_types_are_told(server: JournalServer, tmp_path: Path) -> None:
    with server, Reader(tmp_path) as reader:
        server.logs_in(1, "ann")
        server.journal.record(RecordLogout(1, "logout"), server.now_us, 1)
        server.logs_in(2, "ann")
        server.plays("g")
        first, second = reader.logins("ann")
        assert (first.role, first.game_type, first.address, first.version) == (
            "player",
            TYPE,
            "192.0.2.1:4711",
            "bot 7",
        )
        assert (first.reason, first.ended_us, second.reason, second.ended_us) == ("logout", first.began_us, None, None)
        assert reader.logins("nobody") == []
        assert reader.game_types() == [TYPE]
        (run,) = reader.runs()
        assert (run.version, run.ended_us, run.in_order) == ("1.2.3", None, False)
        server.journal.close()
        assert reader.runs()[0].in_order


def test_a_journal_is_read_when_no_server_is_there(server: JournalServer, tmp_path: Path) -> None:
    server.journal.close()
    with Reader(tmp_path) as reader:
        assert len(list(reader.games())) == 5


def test_without_a_journal_there_is_nothing_to_read(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="there is no journal here"):
        Reader(tmp_path / "nowhere")


def test_a_damaged_journal_is_reported(server: JournalServer, tmp_path: Path) -> None:
    server.journal.close()
    tamper(tmp_path, "UPDATE part SET body = x'00'", "UPDATE result SET cause = 'bored'")
    with Reader(tmp_path) as reader:
        with pytest.raises(JournalError, match="damaged: no entry begins at byte 0"):
            reader.record("b4")
        with pytest.raises(JournalError, match="damaged: 'bored' is not a valid Cause"):
            list(reader.results())
        pages = (tmp_path / DATABASE).stat().st_size
        with (tmp_path / DATABASE).open("r+b") as file:
            file.write(b"\xa5" * pages)
    with pytest.raises(JournalError, match="damaged"):
        Reader(tmp_path)


def test_a_closed_reader_says_so(server: JournalServer, tmp_path: Path) -> None:
    server.journal.close()
    reader = Reader(tmp_path)
    reader.close()
    with pytest.raises(JournalError, match="closed"):
        reader.runs()
    assert ask(tmp_path, "SELECT count(*) FROM run") == [(1,)]
