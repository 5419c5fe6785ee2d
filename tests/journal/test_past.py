"""What a new broker is told, from a journal of many games."""

import random
from contextlib import closing
from hashlib import sha256
from pathlib import Path

from tests.journal.servers import TYPE, JournalServer
from ugs.broker.effects import RecordBegin, RecordSession
from ugs.broker.values.standings import LiveStandings, Row
from ugs.broker.verdict import Cause, GameResult, Outcome, SeatResult, Verdict
from ugs.journal.batch import Batch, BegunGame, EndedGame
from ugs.journal.database import connect
from ugs.journal.forgotten import ForgottenRow
from ugs.journal.past import StandingsRows, read_past
from ugs.journal.row_writer import RowWriter

PAIRS = [(Outcome.WON, Outcome.LOST), (Outcome.LOST, Outcome.WON), (Outcome.DRAWN,) * 2, (Outcome.VOID,) * 2]


def test_the_standings_are_the_sum_of_all_results_of_open_play_that_count(tmp_path: Path) -> None:
    chance = random.Random(7)
    nicks = [f"nick {number}" for number in range(30)]
    tables = {game_type: LiveStandings() for game_type in ("chess", "go")}
    seats: dict[str, dict[str, dict[int, int]]] = {game_type: {} for game_type in tables}
    batch = Batch()
    for number in range(1, 3001):
        game_type, players = chance.choice(list(tables)), tuple(chance.sample(nicks, 2))
        outcomes, championship = chance.choice(PAIRS), chance.choice(["", "", "cup"])
        counts = chance.random() < 0.8
        cause = Cause.MASTER_LOST if Outcome.VOID in outcomes else Cause.FINISHED
        taken = tuple(map(SeatResult, players, outcomes))
        game = f"g{number}"
        result = GameResult(game, game_type, "m", taken, Verdict(cause), 5, 1.0, 2.0, championship)
        began = RecordBegin(game, game_type, "m", players, {}, championship, counts=counts)
        batch.begun.append(BegunGame(number, began, number, number))
        batch.ended.append(EndedGame(number, False, result, number, ()))
        if counts and not championship:
            tables[game_type].count(result)
            for seat, nick in enumerate(players):
                had = seats[game_type].setdefault(nick, {})
                had[seat] = had.get(seat, 0) + 1
    db = connect(tmp_path)
    RowWriter(db, None, "1").write(batch)
    past = read_past(db)
    db.close()
    told = {game_type: sorted(rows, key=lambda row: row.place) for game_type, rows in past.standings.items()}
    assert told == {game_type: table.rows() for game_type, table in tables.items()}
    assert past.seats == seats


def test_of_too_many_players_those_are_read_who_have_played_most(tmp_path: Path) -> None:
    with JournalServer(tmp_path) as server:
        server.plays("g0", "ann", "ben")
        server.plays("g1", "ann", "ben")
        for number in range(2, 8):
            server.plays(f"g{number}", f"a{number}", f"b{number}")
        server.begins("half", "cat", "ann")
    with closing(connect(tmp_path)) as db:
        past = read_past(db, most_rows=4)
        assert past.standings == {TYPE: [Row("a7", 1, 0), Row("b7", 0, 1), Row("ann", 2, 0), Row("ben", 0, 2)]}
        assert past.seats == {TYPE: {"ann": {0: 2, 1: 1}, "ben": {1: 2}, "a7": {0: 1}, "b7": {1: 1}}}
        assert read_past(db, most_rows=16) == read_past(db)


def test_rows_that_were_not_read_can_have_been_forgotten() -> None:
    rows = StandingsRows(2)
    for nick in ("ann", "ben", "cat"):
        rows.add(TYPE, nick, [(0, "won", 1)])
    rows.forget(ForgottenRow(TYPE, "ann", 1), [(0, "won", 1)])
    rows.forget(ForgottenRow(TYPE, "cat", 1), [(0, "won", 1)])
    assert dict(rows.standings) == {TYPE: {"ben": Row("ben", 1)}}
    assert dict(rows.seats) == {TYPE: {"ben": {0: 1}}}


def test_a_player_with_only_void_games_has_had_a_seat_but_is_in_no_standings(tmp_path: Path) -> None:
    with JournalServer(tmp_path) as server:
        server.plays("g1", "ann", "ben")
        server.begins("half", "cat", "ann")
    with JournalServer(tmp_path) as server:
        past = server.journal.past
    assert past.standings == {TYPE: [Row("ann", 1, 0), Row("ben", 0, 1)]}
    assert past.seats == {TYPE: {"ann": {0: 1, 1: 1}, "ben": {1: 1}, "cat": {0: 1}}}


def test_sessions_that_are_open_are_told_in_the_order_of_their_logins(tmp_path: Path) -> None:
    with JournalServer(tmp_path) as server:
        for nick in ("ann", "ben", "cat"):
            server.session(nick)
            server.plays(f"g {nick}")
        cat = server.session("cat", game_type="go", digest="d2")
        server.session("dan")
        server.session_over("dan")
        server.session_over("nobody")
        ann = server.session("ann", pooled=False)
        server.session_over("ben")
        eve = server.session("eve")
    with JournalServer(tmp_path) as server:
        assert server.journal.past.sessions == (ann, cat, eve)
        server.session_over("eve")
    with JournalServer(tmp_path) as server:
        assert server.journal.past.sessions == (ann, cat)
        assert server.session("fay") == RecordSession("s-fay", "d1", "fay", TYPE, ("session", "state"), True)


def test_a_session_is_as_old_as_it_is_however_often_it_changes(tmp_path: Path) -> None:
    with JournalServer(tmp_path) as server:
        server.session("ann")
        server.now_us += 60_000_000
        server.session("ann", pooled=False, held_s=60.0)
    with closing(connect(tmp_path)) as db:
        (session,) = read_past(db, now_us=server.now_us + 5_000_000).sessions
    assert round(session.held_s) == 65


def test_no_token_is_in_the_files_when_a_session_is(tmp_path: Path) -> None:
    secret = "q7Xz-tail-of-the-token"
    with JournalServer(tmp_path) as server:
        server.session("ann", digest=sha256(f"s-ann.{secret}".encode()).hexdigest())
        server.plays("g1")
        written = b"".join(file.read_bytes() for file in tmp_path.iterdir() if file.is_file())
    assert b"s-ann" in written
    assert secret.encode() not in written
