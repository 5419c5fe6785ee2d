"""The page as an application: what is asked wrongly, what is sent with every answer, and who is told what changes."""

import json
import zlib
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio
from starlette.types import Message
from structlog.testing import capture_logs
from trio.testing import MockClock

from tests.daemon.shell import GO, Shell, move, turn
from tests.page.asking import Direct, Got, Refusing, TestLine, get, listen, page_of, scope_of
from tests.why.records import over
from ugs.daemon.http.live import LiveServer
from ugs.journal.importing import store
from ugs.page.contract import PageAnswer, Question, SiteSettings
from ugs.page.server.app import LINE, POLICY, Site
from ugs.page.server.live_facts import PICTURES_PATIENCE_S
from ugs.page.server.worker_duties import REPLAYS, worker_of

MAX_WAIT_S = max(PICTURES_PATIENCE_S["html"], PICTURES_PATIENCE_S["parts"]) + 0.01
"""Seconds that a page may wait for the pictures on it."""
STATE = b"a state to be seen"


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    """A journal that knows one game of chess."""
    assert store(tmp_path, over())
    return tmp_path


async def asked(path: str, data_dir: Path | None = None, **headers: str) -> Got:
    """The answer of a server on which nothing happens."""
    async with trio.open_nursery() as nursery:
        site, _ = page_of(Shell(nursery), data_dir)
        got = await get(site, path, headers)
        nursery.cancel_scope.cancel()
    return got


@pytest.mark.parametrize("path", ["/", "/nowhere", "/healthz", "/api/v1/overview", "/assets/live_page.js", "/live"])
async def test_every_answer_allows_nothing_but_what_the_page_itself_brings(
    path: str, autojump_clock: MockClock
) -> None:
    got = await asked(path)
    assert got.headers["content-security-policy"] == POLICY
    assert "unsafe" not in POLICY
    assert got.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "path", ["/standings/", "/mine/", "/api/v1/games/", "/assets/live_page.js/", "//evil.example/games/"]
)
async def test_no_answer_leads_to_where_the_client_says_that_we_are(path: str, autojump_clock: MockClock) -> None:
    """Whoever asks says what our name is: a cache on the way would send others there."""
    got = await asked(path, host="evil.example")
    assert "evil.example" not in got.headers.get("location", "")
    assert got.status == 404


async def test_a_page_has_no_script_and_no_style_in_it(data_dir: Path, autojump_clock: MockClock) -> None:
    got = await asked("/", data_dir)
    assert got.headers["content-type"] == "text/html; charset=utf-8"
    assert "style=" not in got.text
    assert "<style" not in got.text
    assert got.text.count("<script") == got.text.count('<script src="assets/')
    assert "http://" not in got.text.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in got.text


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/nowhere", 404, "Not Found"),
        ("/standings.json?gametype=chess", 400, "'gametype' (did you mean 'game_type'?); allowed: game_type"),
        ("/standings.json?game_type=chess&game_type=go", 400, "'game_type': given twice"),
        ("/standings.json?game_type=", 400, "parameter 'game_type': expected 1 to 200 characters"),
        ("/standings.json?game_type=go", 404, "'go': unknown; there are: chess"),
        ("/api/v1/overview?x=1", 400, "unknown parameter 'x'; allowed: none"),
        ("/live?page=nowhere", 400, "parameter 'page': expected one of overview"),
        ("/live?page=overview", 400, "events are sent over HTTP/1.1 only"),
        ("/assets/..%2fapp.py", 404, "Not Found"),
    ],
)
async def test_what_cannot_be_answered_is_an_error_in_json(
    path: str, status: int, words: str, data_dir: Path, autojump_clock: MockClock
) -> None:
    got = await asked(path, data_dir)
    assert (got.status, words in got.json["error"]) == (status, True)


async def test_a_browser_is_told_in_html_and_escaped(autojump_clock: MockClock) -> None:
    got = await asked("/standings.json?%3Cscript%3E=1", accept="text/html,*/*")
    assert (got.status, got.headers["content-type"]) == (400, "text/html; charset=utf-8")
    assert "&lt;script&gt;" in got.text
    assert "<script>" not in got.text


async def test_the_same_answer_is_not_sent_twice(data_dir: Path, autojump_clock: MockClock) -> None:
    got = await asked("/api/v1/games", data_dir)
    again = await asked("/api/v1/games", data_dir, **{"if-none-match": got.headers["etag"]})
    assert (again.status, again.body) == (304, b"")


async def test_an_answer_is_compressed_for_those_who_can_read_that(data_dir: Path, autojump_clock: MockClock) -> None:
    plain = await asked("/", data_dir)
    zipped = await asked("/", data_dir, **{"accept-encoding": "gzip, br"})
    assert zipped.headers["content-encoding"] == "gzip"
    assert int(zipped.headers["content-length"]) < len(plain.body) / 2


async def test_an_asset_with_its_tag_may_be_kept_for_ever(autojump_clock: MockClock) -> None:
    page = await asked("/")
    address = page.text.split('href="', 2)[2].split('"')[0]
    assert address.startswith("assets/style.css?v=")
    assert "immutable" in (await asked(f"/{address}")).headers["cache-control"]
    assert (await asked("/assets/style.css?v=old")).headers["cache-control"] == "no-cache"


async def test_browsers_that_show_no_page_find_the_icon(autojump_clock: MockClock) -> None:
    """They ask for it at this place, which was not there: a line in the log for each."""
    got = await asked("/favicon.ico")
    assert (got.status, got.headers["content-type"]) == (200, "image/svg+xml")
    assert got.body == (await asked("/assets/icon.svg")).body


async def test_a_server_without_a_journal_has_a_page(autojump_clock: MockClock) -> None:
    got = await asked("/")
    assert "Nothing is kept" in got.text
    assert (await asked("/api/v1/overview")).json["server"]["keeps"] is False
    standings = await asked("/standings.json")
    assert (standings.status, standings.json["error"][:15]) == (503, "nothing is kept")


async def test_a_busy_worker_is_said_and_costs_nothing_else(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        shell = Shell(nursery)
        site = Site(LiveServer(shell.broker, shell.questions), Refusing())
        got = await get(site, "/")
        assert (got.status, got.headers["retry-after"], got.json) == (503, "2", {"error": "too much"})
        assert (await get(site, "/healthz")).body == b"ok"
        nursery.cancel_scope.cancel()


async def test_a_bug_is_in_the_log_and_not_in_the_answer(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ugs.page.server.app.assets", lambda: 1 / 0)
    with capture_logs() as log, pytest.raises(ExceptionGroup):  # Starlette raises it again
        await asked("/assets/x")
    assert [line["event"] for line in log] == ["bug in the server"]


async def test_a_hostile_nick_is_text(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        shell = Shell(nursery)
        await shell.player("<script>alert(1)</script>")
        site, _ = page_of(shell)
        got = await get(site, "/")
        assert "<script>alert" not in got.text
        nursery.cancel_scope.cancel()


async def test_the_overview_shows_running_games_as_pictures(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        shell = Shell(nursery)
        await shell.table()
        site, _ = page_of(shell)
        nursery.start_soon(site.run)
        (game,) = (await get(site, "/api/v1/overview")).json["running"]
        assert (game["game"], game["game_type"], game["nicks"]) == ("g1", GO, ["ann", "bob"])
        assert game["svg"].startswith("<svg")
        assert game["svg"] in (await get(site, "/")).text
        nursery.cancel_scope.cancel()


async def test_open_pages_are_told_what_changes_and_only_that(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        shell = Shell(nursery)
        master, ann, _ = await shell.table()
        site, reads = page_of(shell)
        nursery.start_soon(site.run)
        lines = [TestLine() for _ in range(50)]
        for line in lines:
            nursery.start_soon(partial(listen, site, line, page="overview"))
        await trio.sleep(10)
        parts = ["contest", "contests", "latest", "running", "tops", "waiting"]
        assert [list(news["parts"]) for news in lines[0].news] == [parts]
        asked_so_far = len(reads.asked)
        await ann.says(move())
        await master.says(turn("bob"))
        await trio.sleep(4.5)
        assert [list(news["parts"]) for news in lines[0].news[1:]] == [["running"]]
        assert all(line.chunks == lines[0].chunks for line in lines)
        assert len(reads.asked) - asked_so_far < 10  # not one for each page
        nursery.cancel_scope.cancel()


class Counted(LiveServer):
    """A running server that counts how often it is asked for all that is public."""

    asked = 0

    def public(self) -> Mapping[str, object]:
        self.asked += 1
        return super().public()

    def whole(self) -> Mapping[str, object]:
        self.asked += 1
        return super().whole()


async def test_open_pages_of_games_ask_for_nothing_but_their_game(autojump_clock: MockClock) -> None:
    """All that is public is much: with a hundred games, looked at four times a second, it would hold the loop."""
    async with trio.open_nursery() as nursery:
        shell = Shell(nursery)
        master, ann, _ = await shell.table()
        live = Counted(shell.broker, shell.questions)
        site = Site(live, page_of(shell)[1])
        nursery.start_soon(site.run)
        line = TestLine()
        nursery.start_soon(partial(listen, site, line, page="game", id="g1"))
        await trio.sleep(1)
        await ann.says(move())
        await master.says(turn("bob", payload=b"<gameState>two</gameState>"))
        await trio.sleep(2)
        assert "two" in line.news[-1]["parts"]["board"]
        assert live.asked == 0
        nursery.cancel_scope.cancel()


async def test_an_event_is_one_line_of_json(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        shell = Shell(nursery)
        await shell.player('☃ <b>"\\')
        site, _ = page_of(shell)
        nursery.start_soon(site.run)
        line = TestLine()
        nursery.start_soon(lambda: listen(site, line, page="overview"))
        await trio.sleep(1)
        (chunk,) = [chunk for chunk in line.chunks if chunk.startswith(b"data")]
        assert chunk.endswith(b"\n\n")
        assert chunk.count(b"\n") == 2
        assert json.loads(chunk[6:])["over"] is False
        nursery.cancel_scope.cancel()


async def test_events_are_a_gzip_stream_for_whoever_takes_one(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        site, _ = page_of(Shell(nursery))
        nursery.start_soon(site.run)
        line, said = TestLine(), list[Message]()

        async def receive() -> Message:
            await trio.sleep_forever()
            raise AssertionError

        async def send(message: Message) -> None:
            said.append(message)

        scope = scope_of("/live", {"accept-encoding": "gzip, br"}, page="overview")
        scope["extensions"][LINE] = line
        nursery.start_soon(site.app, scope, receive, send)
        await trio.sleep(1)
        begin, body = said
        assert (b"content-encoding", b"gzip") in begin["headers"]
        told = zlib.decompressobj(16 + zlib.MAX_WBITS).decompress(body["body"] + b"".join(line.chunks))
        assert told.startswith(b"retry: 3000\n\ndata: {")
        assert told.endswith(b"}\n\n")
        nursery.cancel_scope.cancel()


class Hanging(Direct):
    """Replays take for ever, and so do pictures of running games once they ``hang``."""

    hang = False

    async def ask(self, question: Question, address: str, patience_s: float = 0.0) -> PageAnswer:
        if worker_of(question) == REPLAYS:
            await trio.sleep_forever()
        return await super().ask(question, address, patience_s)

    async def call(self, question: Question, address: str = "") -> Any:
        if self.hang and question.name == "boards":
            await trio.sleep_forever()
        return await super().call(question, address)


class Slow(Direct):
    """Running games take long to draw."""

    TAKES_S = 30.0

    async def call(self, question: Question, address: str = "") -> Any:
        if question.name == "boards":
            await trio.sleep(self.TAKES_S)
        return await super().call(question, address)


async def test_an_open_page_at_a_replay_that_takes_long_keeps_no_other_waiting(
    data_dir: Path, autojump_clock: MockClock
) -> None:
    async with trio.open_nursery() as nursery:
        shell = Shell(nursery)
        site = Site(LiveServer(shell.broker, shell.questions), Hanging(SiteSettings(str(data_dir))))
        nursery.start_soon(site.run)
        dear, other = TestLine(), TestLine()
        nursery.start_soon(partial(listen, site, dear, page="game", id="g1"))
        await trio.testing.wait_all_tasks_blocked()  # it is looked at, alone
        nursery.start_soon(partial(listen, site, other, page="overview"))
        await trio.sleep(5)
        assert not dear.news
        assert other.news
        nursery.cancel_scope.cancel()


async def test_the_overview_does_not_wait_for_pictures_that_others_wait_for(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        shell = Shell(nursery)
        await shell.table()
        site = Site(LiveServer(shell.broker, shell.questions), reads := Hanging(SiteSettings()))
        reads.hang = True
        nursery.start_soon(site.run)
        nursery.start_soon(get, site, "/api/v1/game?id=g1")  # a program: it waits for the picture
        await trio.testing.wait_all_tasks_blocked()
        with trio.fail_after(MAX_WAIT_S):
            assert (await get(site, "/")).status == 200
        nursery.cancel_scope.cancel()


async def test_pages_come_at_once_however_slow_the_drawing_is_and_the_picture_comes_later(
    autojump_clock: MockClock,
) -> None:
    async with trio.open_nursery() as nursery:
        shell = Shell(nursery)
        await shell.table(b"<gameState>%b</gameState>" % STATE)
        site = Site(LiveServer(shell.broker, shell.questions), Slow(SiteSettings()))
        nursery.start_soon(site.run)
        for path in ("/", "/game?id=g1", "/game?id=g1&at=1"):
            with trio.fail_after(MAX_WAIT_S):
                got = await get(site, path)
            assert got.status == 200
            assert b"ann" in got.body
            assert STATE not in got.body
        line = TestLine()
        nursery.start_soon(partial(listen, site, line, page="game", id="g1"))
        for _ in range(8):  # the page stays open, and looks from time to time
            await trio.sleep(Slow.TAKES_S / 7)
            await get(site, "/")
        assert STATE.decode() in line.news[-1]["parts"]["board"]
        for path in ("/", "/game?id=g1"):
            with trio.fail_after(MAX_WAIT_S):
                assert STATE in (await get(site, path)).body
        nursery.cancel_scope.cancel()
