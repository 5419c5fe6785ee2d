"""What each page shows of a journal and of a running server, and what it keeps to itself."""

import csv
import io
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from tests.daemon.shell import Shell, move, turn
from tests.daemon.test_turn_clock import restoring
from tests.page.asking import Got, TestLine, get, listen, page_of
from tests.standings.test_source import a_cup, written
from tests.why.records import BEGAN_US, BEGIN, MOVE, OVER, STATE, TIMED_OUT, VERDICT, entry, over
from ugs.broker.values.record import EntryKind, labels_text
from ugs.broker.verdict import Cause, Outcome, SeatResult, Verdict
from ugs.game_titles import title_of
from ugs.journal.importing import store
from ugs.page import html as html_of
from ugs.page.contract import SiteSettings
from ugs.page.pages import PAGES
from ugs.page.server.manual import PATH
from ugs.page.worker import games
from ugs.page.worker.public_journal import PublicJournal as Kept
from ugs.record.game import GameRecord
from ugs.record.ugsg import read
from ugs.wire.extensions import Label, SeatKind

LONG_AGO_US = 1_600_000_000_000_000
"""2020: spectators may know it."""
NICK = '<script>alert("1")</script>&\u202e'


def ended(number: int, winner: str = "ann", loser: str = "bob", **changes: Any) -> GameRecord:
    """A game of chess that ended in 2020."""
    record = over()
    shift = LONG_AGO_US + number * 60_000_000 - BEGAN_US
    assert record.result is not None
    seats = (SeatResult(winner, Outcome.WON), SeatResult(loser, Outcome.LOST))
    result = replace(record.result, game_id=f"game{number}", seats=seats, verdict=Verdict(Cause.FINISHED))
    entries = tuple(replace(one, wall_us=one.wall_us + shift) for one in record.entries)
    whole = replace(
        record,
        game_id=f"game{number}",
        seats=(winner, loser),
        began_us=BEGAN_US + shift,
        entries=entries,
        result=result,
    )
    return replace(whole, **changes)


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    """A journal with some games of ann, bob and a hostile nick."""
    for number in range(6):
        assert store(tmp_path, ended(number))
    assert store(tmp_path, ended(6, NICK, "ann"))
    return tmp_path


async def asked(path: str, data_dir: Path | None, settings: Any = None, **query: Any) -> Got:
    """The answer of a server on which nothing happens; with these settings of its worker, which waits for standings."""
    async with trio.open_nursery() as nursery:
        site, reads = page_of(Shell(nursery), data_dir)
        if settings is not None:
            reads.kept = Kept(SiteSettings(str(data_dir or ""), **settings), patient=True)
        got = await get(site, path, **query)
        nursery.cancel_scope.cancel()
    return got


class Links(HTMLParser):
    """The links of a page, and its tags."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.tags: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag != "form":  # what a form asks for is up to its reader
            self.links += [value for name, value in attrs if name in ("href", "src") and value]


MANUAL = f"{PATH.removeprefix('/')}/"
"""A link of every page; the whole server has the route (``tests/page/server/test_manual.py``)."""


async def test_every_link_of_every_page_leads_somewhere(data_dir: Path, autojump_clock: MockClock) -> None:
    """From the first page on, as a search engine goes; nothing leads away from the server."""
    async with trio.open_nursery() as nursery:
        site, _ = page_of(Shell(nursery), data_dir)
        seen, to_see = {MANUAL}, ["."]
        while to_see:
            link = to_see.pop()
            if link in seen or link.startswith("#"):
                continue
            seen.add(link)
            assert "//" not in link
            got = await get(site, "/" if link == "." else f"/{link}", {"accept": "text/html"})
            assert got.status == 200, (link, got.text[:300])
            if got.headers["content-type"].startswith("text/html"):
                page = Links(got.text)
                assert page.tags.isdisjoint({"style", "iframe", "object", "img"})
                to_see += page.links
        assert {link.partition("?")[0] for link in seen} >= {
            ".", "standings", "games", "game", "player", "masters", "waiting", "championships", "game.ugsg"
        }  # fmt: skip
        nursery.cancel_scope.cancel()


async def test_fields_of_the_search_that_are_empty_ask_for_nothing(data_dir: Path, autojump_clock: MockClock) -> None:
    got = await asked("/api/v1/games", data_dir, game_type="", championship="", nick="bob")
    assert got.status == 200
    assert {seat["nick"] for game in got.json["games"] for seat in game["seats"]} == {"ann", "bob"}
    assert got.json["types"] == ["chess"]
    assert (await asked("/games", data_dir, game_type="", nick=" ")).status == 200


@pytest.mark.parametrize("path", ["/standings", "/games", "/player", "/game", "/"])
async def test_a_hostile_nick_is_text_on_every_page(path: str, data_dir: Path, autojump_clock: MockClock) -> None:
    query = {"/player": {"nick": NICK}, "/game": {"id": "game6"}}.get(path, {})
    got = await asked(path, data_dir, **query)
    assert got.status == 200
    assert "<script>alert" not in got.text
    assert "&lt;script&gt;" in got.text
    assert "\u202e" not in got.text


async def test_a_puzzle_shows_no_options_that_it_does_not_have(data_dir: Path, autojump_clock: MockClock) -> None:
    """The server names all options of a table; a puzzle has its own."""
    assert store(data_dir, ended(7, options={"width": "20", "puzzle": "9"}))
    page = (await asked("/game", data_dir, id="game7")).text
    assert "puzzle: 9" in page
    assert "width: 20" not in page


async def test_standings_are_sorted_as_asked(data_dir: Path, autojump_clock: MockClock) -> None:
    async def nicks(**query: str) -> list[str]:
        return [one["nick"] for one in (await asked("/api/v1/standings", data_dir, **query)).json["scores"]]

    assert await nicks() == ["ann", NICK, "bob"]
    assert await nicks(sort="nick") == [NICK, "ann", "bob"]
    assert (await nicks(sort="lost"))[0] == "bob"
    assert (await nicks(sort="lost", order="up"))[-1] == "bob"
    assert (await asked("/api/v1/standings", data_dir, sort="x")).status == 400


async def test_standings_say_how_sure_they_are_and_who_met_whom(data_dir: Path, autojump_clock: MockClock) -> None:
    page = (await asked("/api/v1/standings", data_dir)).json
    first = page["scores"][0]
    assert first["elo_low"] < first["elo"] < first["elo_high"]
    assert first["bar"].startswith("<svg")
    assert page["cross"][0] == {"nick": "ann", "cells": ["", "0-1-0", "6-0-0"]}
    assert page["scores"][1]["tied_with_next"] is True
    assert any("cannot be distinguished yet" in line for line in page["remarks"])
    assert page["course"].startswith("<svg")
    html = (await asked("/standings", data_dir)).text
    summary = html.partition('id="remarks"')[2].partition("<summary>")[2].partition("</summary>")[0]
    assert "of neighbours cannot be distinguished yet" in summary, "all of them would fill the screen of a phone"


def test_of_a_corrected_game_what_counts_stands_apart_from_what_the_board_shows(data_dir: Path) -> None:
    page = games.game(Kept(SiteSettings(str(data_dir))), {"id": "game1"}, {})
    why = ["corrected by eve: <wrong> clock; what counts: bob won", "ann won"]
    text = html_of.parts("game", replace(page, verdict="finished, corrected", why=why))["head"]
    assert '<p class="note sentence">corrected by eve: &lt;wrong&gt; clock; what counts: bob won</p>' in text
    assert "as the board shows it: ann won" in text


async def test_a_column_of_standings_in_which_nothing_stands_is_left_out(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    assert store(tmp_path, ended(1))
    assert ">faults<" not in (await asked("/standings", tmp_path)).text
    assert ">faults" in (await asked("/standings", tmp_path, sort="faults")).text


async def test_a_list_of_games_repeats_nothing_of_its_title(tmp_path: Path, autojump_clock: MockClock) -> None:
    assert store(tmp_path, ended(1))
    game_type = (await asked("/api/v1/games", tmp_path)).json["games"][0]["game_type"]
    said = f"{title_of(game_type)} · finished"
    assert said in (await asked("/games", tmp_path)).text
    assert said not in (await asked("/games", tmp_path, game_type=game_type)).text
    assert said not in (await asked("/player", tmp_path, nick="ann")).text


async def test_a_championship_shows_who_is_ahead_of_whom(tmp_path: Path, autojump_clock: MockClock) -> None:
    data_dir = written(tmp_path, a_cup)
    page = (await asked("/api/v1/championship", data_dir, name="cup")).json
    assert [(line["place"], line["nick"], line["points"]) for line in page["top"]["lines"]] == [
        (1, "ben", 2.0),
        (2, "cat", 1.0),
        (3, "ann", 0.0),
    ]
    assert "Final standings" in (await asked("/championship", data_dir, name="cup")).text


async def test_of_an_end_it_is_told_what_the_master_said(tmp_path: Path, autojump_clock: MockClock) -> None:
    """Spectators were told it as well; it stands in the verdict."""
    record = ended(1)
    said = [
        replace(one, text="finished, fault: nobody; mate: the king is mate") if one.kind is EntryKind.VERDICT else one
        for one in record.entries
    ]
    assert store(tmp_path, replace(record, entries=tuple(said)))
    assert "the king is mate" in (await asked("/game", tmp_path, id="game1")).text


async def test_a_table_is_csv_without_formulas(tmp_path: Path, autojump_clock: MockClock) -> None:
    assert store(tmp_path, ended(1, "=cmd()", "bob"))
    got = await asked("/api/v1/standings.csv", tmp_path)
    assert got.headers["content-type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(io.StringIO(got.text)))
    assert [(row["nick"], row["won"]) for row in rows] == [("'=cmd()", "1"), ("bob", "0")]
    games = list(csv.DictReader(io.StringIO((await asked("/api/v1/games.csv", tmp_path)).text)))
    assert games[0]["game"] == "game1"


async def test_games_are_listed_the_last_first_and_in_pages(tmp_path: Path, autojump_clock: MockClock) -> None:
    for number in range(60):
        assert store(tmp_path, ended(number))
    first = (await asked("/api/v1/games", tmp_path)).json
    assert [game["game"] for game in first["games"]] == [f"game{number}" for number in range(59, 9, -1)]
    rest = (await asked("/api/v1/games", tmp_path, before=first["more"])).json
    assert [game["game"] for game in rest["games"]] == [f"game{number}" for number in range(9, -1, -1)]
    assert (await asked("/api/v1/games", tmp_path, nick="nobody")).json["games"] == []


async def test_a_player_has_results_opponents_and_response_times(data_dir: Path, autojump_clock: MockClock) -> None:
    page = (await asked("/api/v1/player", data_dir, nick="ann")).json
    (chess,) = page["types"]
    assert (chess["score"]["won"], chess["score"]["lost"]) == (6, 1)
    assert chess["opponents"][0] == {"nick": "bob", "won": 6, "lost": 0, "drawn": 0, "neither": 0}
    assert page["paces"][0]["moves"] > 0
    assert (await asked("/player", data_dir, nick="nobody")).status == 404
    assert 'href="player?nick=ann"' in (await asked("/waiting", data_dir, nick="ann")).text
    assert "player?nick" not in (await asked("/waiting", data_dir, nick="nobody")).text


# Games that have ended.


async def test_a_replay_leads_from_position_to_position(data_dir: Path, autojump_clock: MockClock) -> None:
    last = (await asked("/api/v1/game", data_dir, id="game1")).json
    assert (last["at"], last["positions"], last["verdict"], last["live"]) == (3, 3, "finished", False)
    first = (await asked("/api/v1/game", data_dir, id="game1", at=1)).json
    assert first["at"] == 1
    assert first["svg"] != last["svg"]
    far = (await asked("/api/v1/game", data_dir, id="game1", at=99)).json
    assert far["at"] == 3
    told = (await asked("/api/v1/positions", data_dir, **{"id": "game1", "from": 3})).json
    assert [one["number"] for one in told["positions"]] == [3]
    assert told["positions"][0]["svg"] == last["svg"]


async def test_addresses_of_a_replay_count_moves_as_the_page_does(data_dir: Path, autojump_clock: MockClock) -> None:
    """``at=3`` was "move 2 of 2"; such links still lead to the same position."""
    page = (await asked("/game", data_dir, id="game1", move=1)).text
    assert '<span class="where">move <span id="at">1</span> of 1</span>' in page
    assert (await asked("/game", data_dir, id="game1", at=2)).text == page
    assert [link for link in Links(page).links if "move=" in link or "at=" in link] == [
        f"game?id=game1&move={number}" for number in (0, 0, 2, 2, 0, 1, 2)
    ]


async def test_of_a_player_who_is_not_there_a_name_that_is_close_is_told(
    data_dir: Path, autojump_clock: MockClock
) -> None:
    got = await asked("/player", data_dir, nick="anne")
    assert got.status == 404
    assert "(did you mean &#39;ann&#39;?)" in got.text


@pytest.mark.parametrize(("outcome", "others"), [(Outcome.LOST, "won"), (Outcome.WON, "lost"), (Outcome.VOID, "")])
async def test_a_seat_of_the_game_master_is_no_player_to_follow(
    outcome: Outcome, others: str, tmp_path: Path, autojump_clock: MockClock
) -> None:
    """Its moves are not known; with one player, its result is the other one."""
    record = ended(1)
    labels = entry(EntryKind.LABELS, 1, text=labels_text([Label("Yew (computer)", "black", SeatKind.PROGRAM)]))
    labels = replace(labels, wall_us=record.entries[0].wall_us)
    assert record.result is not None
    result = replace(record.result, seats=(SeatResult("ann", outcome),))
    entries = (record.entries[0], labels, *(one for one in record.entries[1:] if not one.seat))
    assert store(tmp_path, replace(record, seats=("ann",), seats_total=2, entries=entries, result=result))
    whole = (await asked("/api/v1/game", tmp_path, id="game1")).json
    player, program = whole["seats"]
    assert (player["program"], player["outcome"]) == (False, str(outcome))
    assert (program["program"], program["nick"], program["outcome"]) == (True, "Yew (computer)", others)
    page = await asked("/game", tmp_path, id="game1")
    assert not any("Yew" in link for link in Links(page.text).links)
    assert "Yew (computer)" in page.text
    assert "Moves of the computer are not counted" in page.text
    assert store(tmp_path, ended(2))
    assert "Moves of the computer" not in (await asked("/game", tmp_path, id="game2")).text


async def test_a_game_is_downloaded_as_everybody_may_see_it(data_dir: Path, autojump_clock: MockClock) -> None:
    got = await asked("/game.ugsg", data_dir, id="game1")
    assert got.headers["content-disposition"] == 'attachment; filename="game1.ugsg"'
    (record,) = read(got.body.splitlines(keepends=True))
    assert record.game_id == "game1"
    assert not [one for one in record.entries if one.kind is EntryKind.MOVE and one.body]
    assert (await asked("/game.ugsg", data_dir, id="game")).status == 404


SECRET = b"<gameState>secret hand</gameState>"


def hidden() -> GameRecord:
    """A game in which bob was shown what ann was not."""
    view = entry(EntryKind.VIEW, 900, audience=0b10, body=SECRET)
    entries = (BEGIN, view, STATE, MOVE, TIMED_OUT, OVER, VERDICT)
    shift = LONG_AGO_US - BEGAN_US
    return ended(1, entries=tuple(replace(one, wall_us=one.wall_us + shift) for one in entries), seed="s3cr3t")


@pytest.mark.parametrize("path", ["/game", "/api/v1/game", "/api/v1/positions", "/game.ugsg"])
async def test_what_was_hidden_stays_hidden_unless_the_organiser_says_otherwise(
    path: str, tmp_path: Path, autojump_clock: MockClock
) -> None:
    assert store(tmp_path, hidden())
    closed = await asked(path, tmp_path, id="game1")
    assert closed.status == 200
    assert "secret" not in closed.text
    assert "s3cr3t" not in closed.text
    if path != "/game.ugsg":
        assert (await asked(path, tmp_path, id="game1", viewer="bob")).status == 404
        first = {} if path == "/api/v1/positions" else {"at": 1}
        opened = await asked(path, tmp_path, {"open_records": True}, id="game1", viewer="bob", **first)
        assert (opened.status, "secret hand" in opened.text) == (200, True)
        assert (await asked(path, tmp_path, {"open_records": True}, id="game1", viewer="zoe")).status == 404
    else:
        assert "secret" in (await asked(path, tmp_path, {"open_records": True}, id="game1")).text


async def test_an_end_is_told_when_spectators_may_know_it(tmp_path: Path, autojump_clock: MockClock) -> None:
    assert store(tmp_path, ended(1))
    late = {"delays": {"chess": 1e9}}
    assert (await asked("/api/v1/games", tmp_path, late)).json["games"] == []
    assert (await asked("/game", tmp_path, late, id="game1")).status == 404
    assert (await asked("/game.ugsg", tmp_path, late, id="game1")).status == 404


async def test_private_games_are_for_those_who_know_their_id(tmp_path: Path, autojump_clock: MockClock) -> None:
    table = {"name": "Friday", "owner": "ann", "visibility": "PRIVATE"}
    assert store(tmp_path, ended(1, table=table, counts=False))
    assert (await asked("/api/v1/games", tmp_path)).json["games"] == []
    assert (await asked("/api/v1/game", tmp_path, id="game1")).status == 200
    assert (await asked("/api/v1/game", tmp_path, id="gam")).status == 404


# Games that run.


async def test_a_running_game_moves_and_leads_to_its_replay(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        shell = Shell(nursery)
        master, ann, bob = await shell.table()
        site, _ = page_of(shell)
        nursery.start_soon(site.run)
        before = (await get(site, "/api/v1/game", id="g1")).json
        assert (before["live"], before["over"], before["next"]) == (True, False, ["ann"])
        line = TestLine()
        nursery.start_soon(lambda: listen(site, line, page="game", id="g1"))
        await trio.sleep(1)
        await ann.says(move())
        await master.says(turn("bob", payload=b"<gameState>two</gameState>"))
        await trio.sleep(1)
        assert "two" in line.news[-1]["parts"]["board"]
        assert [news["over"] for news in line.news[-1:]] == [False]
        await bob.hangs_up()
        await master.hangs_up()
        await trio.sleep(2)
        assert [news["over"] for news in line.news[-1:]] == [True]
        assert line.was_ended
        assert (await get(site, "/api/v1/game", id="g1")).json["over"] is True
        nursery.cancel_scope.cancel()


async def test_a_game_without_its_master_is_seen_to_wait(data_dir: Path, autojump_clock: MockClock) -> None:
    """Its page named a player to move, who had moved, and counted the time."""
    async with trio.open_nursery() as nursery:
        shell = Shell(nursery, master_grace_s=60.0, masters_per_game=2)
        ann, _ = await shell.player("ann"), await shell.player("bob")
        master = await restoring(shell, "m")
        await master.says(turn("ann"))
        site, _ = page_of(shell, data_dir)
        nursery.start_soon(site.run)
        assert (await get(site, "/api/v1/game", id="g1")).json["awaited"] is None
        first = (await get(site, "/game", {"accept": "text/html"}, id="g1")).text
        assert "data-thinks" in first
        assert "data-ticking" in first
        await master.hangs_up()
        await trio.sleep(1)
        await ann.says(move())
        game = (await get(site, "/api/v1/game", id="g1")).json
        assert game["awaited"] is not None
        assert game["thinking_s"] is None
        text = (await get(site, "/game", {"accept": "text/html"}, id="g1")).text
        assert "The game master has lost its line. The game waits for it, or another one, until <time" in text
        assert "the game waits for its game master" in text
        assert "data-thinks" not in text
        assert "data-ticking" not in text
        for path in ("/", "/games"):
            assert " · waits for its game master" in (await get(site, path, {"accept": "text/html"})).text
        other = await restoring(shell, "other")
        await other.says(turn("ann"))
        await trio.sleep(1)
        assert (await get(site, "/api/v1/game", id="g1")).json["awaited"] is None
        for path in ("/", "/games"):
            assert "waits for its game master" not in (await get(site, path, {"accept": "text/html"})).text
        nursery.cancel_scope.cancel()


async def test_a_running_game_is_seen_as_late_as_its_spectators_see_it(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        shell = Shell(nursery, watch_delay_s=20.0)
        master, ann, _ = await shell.table()
        await ann.says(move())
        await master.says(turn("bob", payload=b"<gameState>two</gameState>"))
        await trio.sleep(1)
        site, _ = page_of(shell)
        assert (await get(site, "/api/v1/game", id="g1")).json["svg"] == ""
        await trio.sleep(20)
        assert "two" in (await get(site, "/api/v1/game", id="g1")).json["words"]
        nursery.cancel_scope.cancel()


async def test_why_one_waits_is_answered(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        shell = Shell(nursery)
        await shell.player("ann")
        site, _ = page_of(shell)
        page = (await get(site, "/api/v1/waiting", name="ann")).json
        assert page["found"][0]["why"] == ["there is no game master for go"]
        assert "no player or game master" in (await get(site, "/waiting", nick="zoe")).text
        assert "there is no game master" in (await get(site, "/waiting", nick="ann")).text
        assert "there is no game master" in (await get(site, "/player", nick="ann")).text
        assert "there is no game master" in (await get(site, "/player", name="ann")).text
        assert "given twice" in (await get(site, "/player", name="ann", nick="ann")).text
        pools = (await get(site, "/api/v1/masters")).json["pools"]
        assert (pools[0]["waiting"], pools[0]["masters"]) == (["ann"], [])
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
async def test_each_page_without_a_journal_says_so_or_shows_what_runs(page: Any, autojump_clock: MockClock) -> None:
    query = {param.name: "x" for param in page.params if param.required}
    got = await asked(page.api, None, **query)
    assert got.status in (200, 404, 503)
    assert got.status == 200 or "kept" in got.json["error"] or "is running" in got.json["error"]


async def test_the_name_of_a_game_is_taken_for_its_type(data_dir: Path, autojump_clock: MockClock) -> None:
    by_name, by_type = [await asked("/puzzles", data_dir, game_type=word) for word in ("catan", "settlers")]
    assert (by_name.status, by_name.text) == (200, by_type.text)


@pytest.mark.parametrize("path", ["/standings", "/games", "/masters"])
async def test_the_name_of_a_package_is_told_from_its_type(
    path: str, data_dir: Path, autojump_clock: MockClock
) -> None:
    got = await asked(path, data_dir, game_type="catan")
    assert got.status == 404
    assert "&#39;catan&#39; is a game whose type is &#39;settlers&#39;" in got.text


async def test_a_type_that_was_played_has_a_page_of_its_pool(data_dir: Path, autojump_clock: MockClock) -> None:
    assert (await asked("/masters", data_dir, game_type="chess")).status == 200
    assert (await asked("/masters", None, game_type="chess")).status == 404
