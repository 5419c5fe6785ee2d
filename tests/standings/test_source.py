"""Standings from a data directory and from a running broker."""

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.standings.journals import Kept
from tests.standings.results import drawn, void, won
from ugs.broker.championships import entering, fixtures, ledger_entries
from ugs.broker.state.championship import Championship
from ugs.broker.values.standings import LiveStandings
from ugs.broker.verdict import GameResult
from ugs.championship.formats.format_contract import Schedule
from ugs.championship.formats.swiss import Swiss
from ugs.championship.ledger import LedgerEntry, What
from ugs.championship.plan import Plan, parse_plan
from ugs.journal.journal_error import JournalError
from ugs.standings.compute import standings_of
from ugs.standings.source import MAX_NAMED, NoStandings, WrongRequest, from_journal, from_server
from ugs.standings.standings import GivenUp, LeftEntrant, Standings, all_as_json

PLAN: dict[str, object] = {"name": "cup", "game_type": "chess", "tie_breaks": ["head-to-head", "wins"]}


def numbered(results: list[GameResult], beginning: str = "g", **changes: str) -> list[GameResult]:
    """The games with ids, and with this game type or championship."""
    return [
        replace(result, game_id=f"{beginning}{number}", fixture=number, **changes)  # type: ignore[arg-type]
        for number, result in enumerate(results, start=1)
    ]


OPEN = numbered([won("ann", "ben"), drawn("ben", "cat"), void("ann", "cat"), won("ann", "cat")])
GO = numbered([won("ben", "ann")], "go", game_type="go")
CUP = numbered([won("cat", "ann"), won("ben", "cat"), won("dan", "ann")], "cup", championship="cup")


def planned() -> list[LedgerEntry]:
    return [
        LedgerEntry(What.PLANNED, {"plan": PLAN}),
        LedgerEntry(What.BEGUN, {"field": ["ann", "ben", "cat", "dan"], "seats": 2}),
        *(
            LedgerEntry(
                What.FIXTURE,
                {
                    "game": game.game_id,
                    "fixture": game.fixture,
                    "round": 1,
                    "nicks": [seat.nick for seat in game.seats],
                    "label": "",
                },
            )
            for game in CUP
        ),
    ]


def counted() -> list[LedgerEntry]:
    """The three games count. Dan has left and is struck, his win with him; ann forfeits, and one game is given up."""
    return [
        *(
            LedgerEntry(
                What.RESULT,
                {
                    "game": game.game_id,
                    "fixture": game.fixture,
                    "outcomes": {seat.nick: seat.outcome.value for seat in game.seats},
                },
            )
            for game in CUP
        ),
        LedgerEntry(What.WITHDRAWN, {"nick": "dan", "struck": True}, "", "connection lost"),
        LedgerEntry(
            What.FORFEIT,
            {"fixture": 4, "round": 2, "nicks": ["ann", "ben"], "outcomes": {"ann": "lost", "ben": "won"}},
        ),
        LedgerEntry(What.GIVEN_UP, {"fixture": 5, "round": 2, "nicks": ["ben", "cat"]}),
        LedgerEntry(What.OVER, {"placing": []}),
    ]


def written(directory: Path, write: Callable[[Kept], None]) -> Path:
    """The data directory after this was written, with no server running."""
    kept = Kept(directory)
    write(kept)
    kept.close()
    return directory


def a_cup(kept: Kept) -> None:
    kept.ledger("cup", "chess", planned())
    kept.results(CUP)
    kept.ledger("cup", "chess", counted())


def test_the_only_game_type_is_the_only_standings(tmp_path: Path) -> None:
    directory = written(tmp_path, lambda kept: kept.results(OPEN))
    assert from_journal(directory) == from_journal(directory, "chess") == [standings_of(OPEN, "chess")]


def test_every_game_type_is_shown_unless_one_is_chosen(tmp_path: Path) -> None:
    directory = written(tmp_path, lambda kept: kept.results([*OPEN, *GO]))
    assert from_journal(directory) == [standings_of(OPEN, "chess"), standings_of(GO, "go")]
    assert from_journal(directory, "go") == [standings_of(GO, "go")]


def test_the_standings_of_a_championship_tell_who_left_and_what_was_not_played(tmp_path: Path) -> None:
    directory = written(tmp_path, a_cup)
    (found,) = from_journal(directory, championship="cup")
    assert [(line.place, line.nick, line.won, line.lost) for line in found.players] == [
        (1, "ben", 2, 0),
        (2, "cat", 1, 1),
        (3, "ann", 0, 2),
    ]
    assert (found.game_type, found.championship, found.state) == ("chess", "cup", "over")
    assert (found.games, found.forfeits) == (2, 1)
    assert found.left == (LeftEntrant("dan", "connection lost", True),)
    assert found.given_up == (GivenUp(5, ("ben", "cat")),)
    assert found.tie_breaks == ("head-to-head", "wins")


def test_the_standings_of_a_type_name_the_results_that_were_corrected(tmp_path: Path) -> None:
    before, now = {"cat": "won", "ann": "lost"}, {"cat": "lost", "ann": "won"}
    data = {"game": CUP[0].game_id, "fixture": CUP[0].fixture, "outcomes": now, "before": before}
    corrected = [LedgerEntry(What.CORRECTED, data, "eve", f"reason {number}") for number in range(MAX_NAMED + 2)]

    def both(kept: Kept) -> None:
        kept.results(OPEN)
        a_cup(kept)
        kept.ledger("cup", "chess", corrected)

    (found,) = from_journal(written(tmp_path, both), "chess")
    text = f"championship cup: game {CUP[0].game_id} is corrected: cat lost, ann won; it was: cat won, ann lost"
    assert found.notes[1:-1] == tuple(f"{text} (eve: reason {number})" for number in range(2, MAX_NAMED + 2))
    assert found.notes[-1] == "and 2 earlier corrections: see each championship"


def test_a_game_type_of_which_there_is_but_one_championship_shows_that(tmp_path: Path) -> None:
    directory = written(tmp_path, a_cup)
    assert from_journal(directory) == from_journal(directory, "chess") == from_journal(directory, None, "cup")


def test_open_play_and_championships_of_a_type_are_counted_together_and_the_reader_is_told(tmp_path: Path) -> None:
    def both(kept: Kept) -> None:
        kept.results(OPEN[:2])
        a_cup(kept)
        kept.results(OPEN[2:])

    directory = written(tmp_path, both)
    (found,) = from_journal(directory, "chess")
    assert found.championship is None
    assert found.notes == ("these are all games of this type, those of its championships among them: cup",)
    in_order = [*OPEN[:2], *CUP[:2], *OPEN[2:]]
    alone = standings_of(in_order, "chess")
    assert {line.nick: line.rating for line in found.players} == {line.nick: line.rating for line in alone.players}
    assert {line.nick: line.won for line in found.players} == {"ann": 2, "ben": 2, "cat": 1}
    assert (found.games, found.forfeits, found.void) == (5, 1, 1)


def test_it_may_be_read_while_a_server_writes(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    try:
        kept.results(OPEN[:2])
        kept.on_disk(2)
        assert from_journal(tmp_path) == [standings_of(OPEN[:2], "chess")]
        kept.results(OPEN[2:])
        kept.on_disk(4)
        assert from_journal(tmp_path) == [standings_of(OPEN, "chess")]
    finally:
        kept.close()


def played(kept: Kept, plan: Plan, field: list[str], games: int | None = None) -> Schedule:
    """Play a championship in which the nick that comes first in the alphabet wins. Returns its schedule at the end."""
    ledger: list[LedgerEntry] = []
    one = Championship(plan, lambda _, entry: ledger.append(entry))
    entering.fix_field(one, field, LiveStandings())
    results: list[GameResult] = []
    while (fixture := fixtures.next_fixture(one, field, 2, 2)) is not None and len(results) != games:
        winner, loser = sorted(fixture.nicks)
        game = replace(won(winner, loser), game_id=f"{len(results)}", championship=plan.name, fixture=fixture.number)
        fixtures.begun(one, game.game_id, fixture)
        fixtures.record(one, game)
        fixtures.count(one, game)
        results.append(game)
    if one.finished:
        ledger_entries.end(one)
    kept.results(results)
    kept.ledger(plan.name, plan.game_type, ledger)
    assert one.whole_schedule is not None
    return one.whole_schedule


FIVE = ["eve", "dan", "cat", "ben", "ann"]


@pytest.mark.parametrize("games", [1, 3, 5, None])
def test_the_byes_of_a_swiss_championship_are_points_from_the_moment_they_are_given(
    tmp_path: Path, games: int | None
) -> None:
    plan = parse_plan({"name": "cup", "game_type": "chess", "format": "swiss", "first": 5}, "test")
    kept = Kept(tmp_path)
    schedule = played(kept, plan, FIVE, games)
    kept.close()
    (found,) = from_journal(tmp_path, championship="cup")
    assert isinstance(schedule, Swiss)
    assert {line.nick: line.points for line in found.players} == schedule.points
    assert sum(line.byes for line in found.players) == len(schedule.byes()) > 0


@pytest.mark.parametrize("games", [1, None])
def test_a_knock_out_is_placed_by_its_schedule_before_the_end_too(tmp_path: Path, games: int | None) -> None:
    kept = Kept(tmp_path)
    plan = parse_plan({"name": "cup", "game_type": "chess", "format": "knock-out", "first": 5}, "test")
    schedule = played(kept, plan, FIVE, games)
    kept.close()
    (found,) = from_journal(tmp_path, championship="cup")
    placing = schedule.placing()
    assert placing is not None
    assert [line.nick for line in found.players][: len(placing)] == list(placing)
    assert found.state == ("over" if games is None else "running")


def test_unknown_names_are_answered_with_those_there_are(tmp_path: Path) -> None:
    def two(kept: Kept) -> None:
        kept.results([*OPEN, *GO])
        a_cup(kept)

    directory = written(tmp_path, two)
    with pytest.raises(
        WrongRequest, match=r"^game type 'chest': unknown \(did you mean 'chess'\?\); there are: chess, go$"
    ):
        from_journal(directory, "chest")
    with pytest.raises(WrongRequest, match=r"^championship 'cap': unknown \(did you mean 'cup'\?\); there are: cup$"):
        from_journal(directory, championship="cap")
    with pytest.raises(WrongRequest, match=r"^championship 'cup': unknown; there are: none$"):
        from_journal(directory, "go", "cup")


def test_a_directory_without_a_journal_is_refused(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="no journal"):
        from_journal(tmp_path)


def test_a_journal_without_games_has_no_standings(tmp_path: Path) -> None:
    directory = written(tmp_path, lambda kept: None)
    assert from_journal(directory) == []


@contextmanager
def server(status: int, body: bytes) -> Iterator[tuple[str, list[str]]]:
    """A web server that gives the same answer to every request; its address, and what it was asked."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Log nothing during tests."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        thread = threading.Thread(target=http.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{http.server_port}", asked
        finally:
            http.shutdown()
            thread.join()


SOME = [standings_of(OPEN, "chess")]


@pytest.mark.parametrize("several", [SOME, [], [*SOME, standings_of(GO, "go")]])
def test_a_running_broker_tells_the_same(several: list[Standings]) -> None:
    with server(200, json.dumps(all_as_json(several)).encode()) as (url, asked):
        assert from_server(url) == several
        from_server(f"{url}/", "a & b", "cup 1")
    assert asked == ["/standings.json", "/standings.json?game_type=a+%26+b&championship=cup+1"]


def test_the_address_needs_no_scheme() -> None:
    with server(200, json.dumps(all_as_json(SOME)).encode()) as (url, _):
        assert from_server(url.removeprefix("http://")) == SOME


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (
            b'<?xml version="1.0"?><message type="error">document refused at byte 0</message>',
            "/standings.json: here players",
        ),
        (b"SSH-2.0-OpenSSH_9.2", "no answer: SSH-2.0-OpenSSH_9.2"),
    ],
)
def test_the_port_of_players_is_named_as_that(answer: bytes, complaint: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answers() -> None:
            with listener.accept()[0] as line:
                line.recv(65536)
                line.sendall(answer)

        thread = threading.Thread(target=answers)
        thread.start()
        with pytest.raises(NoStandings, match=complaint):
            from_server(f"127.0.0.1:{listener.getsockname()[1]}")
        thread.join()


def test_a_name_that_the_broker_does_not_know_is_answered_in_its_words() -> None:
    body = b'{"error": "game type \'x\': unknown; there are: chess"}'
    said = r"^game type 'x': unknown; there are: chess$"
    with server(404, body) as (url, _), pytest.raises(WrongRequest, match=said):
        from_server(url, "x")


@pytest.mark.parametrize(
    ("status", "body", "complaint"),
    [
        (404, b"not here", r"/standings\.json: 404 Not Found$"),
        (500, b'{"error": "no journal"}', r"500 Internal Server Error: no journal$"),
        (200, b"<html></html>", r"the answer is not standings: not JSON"),
        (200, b"{}", r"the answer is not standings: game_type: is missing$"),
    ],
)
def test_any_other_answer_is_an_error_of_one_line(status: int, body: bytes, complaint: str) -> None:
    with server(status, body) as (url, _), pytest.raises(NoStandings, match=complaint):
        from_server(url)


def test_an_address_without_a_server_is_an_error() -> None:
    with server(200, b"") as (url, _):
        pass
    with pytest.raises(NoStandings, match=r"no answer: .*refused"):
        from_server(url)


@pytest.mark.parametrize("url", ["", "localhost:x", "file:///etc/passwd", "http://", "http://[", "http://x:y"])
def test_anything_but_a_web_address_is_refused(url: str) -> None:
    with pytest.raises(WrongRequest, match="allowed: the web address of a server"):
        from_server(url)


def test_games_that_do_not_count_change_no_standings(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    alone = numbered([won("ann", "ben"), void("ann", "ben"), won("eve", "ann")], "alone")
    for directory, more in ((here, []), (there, alone)):
        kept = Kept(directory)
        kept.results(more, counts=False)
        kept.results(OPEN)
        kept.close()
    assert from_journal(there) == from_journal(here)
    only = Kept(tmp_path / "only")
    only.results(alone, counts=False)
    only.close()
    (standings,) = from_journal(tmp_path / "only")
    assert (standings.games, standings.void, standings.players) == (0, 0, ())
