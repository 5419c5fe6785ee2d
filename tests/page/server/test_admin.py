"""The administration of the page: who is let in, which forms count, what is done."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
import trio
from structlog.testing import capture_logs
from trio.testing import MockClock

from tests.daemon.shell import GO, Shell
from tests.journal.servers import JournalServer
from tests.page.asking import Direct, Got, Refusing, exchanged, scope_of
from ugs.broker.effects import RecordAct
from ugs.broker.values.questions import Act, ActKind, Question
from ugs.config import parse
from ugs.daemon.http import admin_page
from ugs.daemon.http.admin_page import MAX_ACTS, administration_of, latest_acts
from ugs.daemon.http.live import LiveServer
from ugs.daemon.http.probes import probes
from ugs.page.contract import SiteSettings
from ugs.page.server.admin import no_administration
from ugs.page.server.admin_visits import MAX_S, MAX_VISITS
from ugs.page.server.app import Site
from ugs.page.server.forms import MAX_BYTES
from ugs.wire.messages import PlayerLogin

EVE, BOB = "eve-0123456789-0123456789", "bob-0123456789-0123456789"
HERE = {"host": "127.0.0.1:8080"}
FORM = {"content-type": "application/x-www-form-urlencoded"}


class Browser:
    """A client with cookies, on this machine unless a test says otherwise."""

    def __init__(self, site: Site, keys: Path, shell: Shell) -> None:
        self.site, self.keys, self.shell = site, keys, shell
        self.cookie = ""
        self.cookie_header = ""
        self.client = "127.0.0.1"
        self.scheme = "http"
        self.headers: dict[str, str] = dict(HERE)

    async def asks(
        self, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None, **query: str
    ) -> Got:
        """GET, or POST with a body."""
        cookies = {"cookie": self.cookie} if self.cookie else {}
        scope = scope_of(
            path, {**self.headers, **cookies, **(headers or {})}, "GET" if body is None else "POST", **query
        )
        scope["client"] = (self.client, 4321)
        scope["scheme"] = self.scheme
        got = await exchanged(self.site, scope, body or b"")
        if "set-cookie" in got.headers:
            self.cookie_header = got.headers["set-cookie"]
            self.cookie = self.cookie_header.partition(";")[0]
        return got

    async def posts(self, path: str, headers: Mapping[str, str] | None = None, **fields: str) -> Got:
        """A form."""
        return await self.asks(path, urlencode(fields).encode(), {**FORM, **(headers or {})})

    async def enters(self, token: str = EVE) -> str:
        """Begin a visit; the secret of its forms."""
        got = await self.posts("/admin/enter", token=token)
        assert (got.status, got.headers["location"]) == (303, "/admin")
        found = re.search(r'name="secret" value="([^"]+)"', (await self.asks("/admin")).text)
        assert found is not None
        return found[1]

    async def does(self, secret: str, **fields: Any) -> str:
        """One form; what the next page says of it."""
        got = await self.posts("/admin/do", secret=secret, **fields)
        assert got.status == 303
        page = (await self.asks("/admin")).text
        (said,) = re.findall(r'<p class="note" role="(?:status|alert)">(.*?)</p>', page)
        return str(said)


@pytest.fixture
async def browser(nursery: trio.Nursery, tmp_path: Path) -> Browser:
    keys = tmp_path / "tokens"
    keys.write_text(f"# organisers\neve {EVE}\nbob {BOB}\n")
    keys.chmod(0o600)
    shell = Shell(nursery, admin_token_file=str(keys))
    live = LiveServer(shell.broker, shell.questions)
    administration = administration_of(shell.config, shell, live)
    assert administration is not None
    more = [
        *administration.routes(),
        *probes(shell.status.parts, administration.knows),
    ]
    return Browser(Site(live, Direct(SiteSettings()), more), keys, shell)


# Who is let in.


async def test_without_a_token_there_is_a_question_for_it_and_nothing_else(browser: Browser) -> None:
    got = await browser.asks("/admin")
    assert got.status == 200
    assert 'type="password"' in got.text
    assert "secret" not in got.text
    assert got.headers["cache-control"] == "no-store"
    assert "script-src 'self'" in got.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in got.headers["content-security-policy"]


@pytest.mark.parametrize("token", ["", "nobody's", EVE[:-1], EVE + "x", EVE.upper(), "\ud800"])
async def test_a_wrong_token_lets_nobody_in(browser: Browser, token: str) -> None:
    with capture_logs() as log:
        got = await browser.asks("/admin/enter", f"token={token}".encode("utf-8", "replace"), {**FORM})
    assert got.status == 401
    assert "This is no token of this server." in got.text
    assert browser.cookie == ""
    assert log[-1]["event"] == "wrong token at the administration"
    assert EVE[:-1] not in str(log), "no token is logged, however wrong"


async def test_the_cookie_is_for_nobody_else(browser: Browser) -> None:
    await browser.enters()
    said = browser.cookie_header.lower()
    assert "httponly" in said
    assert "samesite=strict" in said
    assert "path=/admin" in said
    assert "secure" not in said, "this machine speaks no TLS"


async def test_over_tls_it_is_for_tls_alone(browser: Browser) -> None:
    browser.headers |= {"host": "games.example", "x-forwarded-proto": "https", "x-forwarded-for": "198.51.100.9"}
    await browser.enters()
    assert "; secure" in browser.cookie_header.lower()


@pytest.mark.parametrize(
    ("client", "headers"),
    [
        ("198.51.100.9", {}),
        ("198.51.100.9", {"x-forwarded-proto": "https"}),
        ("127.0.0.1", {"x-forwarded-for": "198.51.100.9"}),
        ("127.0.0.1", {"x-forwarded-proto": "http"}),
        ("127.0.0.1", {"x-forwarded-proto": "https, http"}),
        ("127.0.0.1", {"host": "evil.example"}),
        ("127.0.0.1", {"host": ""}),
        ("127.0.0.1", {"via": "1.1 proxy"}),
        ("", {}),
    ],
)
async def test_over_a_line_that_others_can_read_nothing_is_answered(
    browser: Browser, client: str, headers: Mapping[str, str]
) -> None:
    await browser.enters()
    browser.client = client
    browser.headers |= headers
    for path in ("/admin/enter", "/admin/do", "/admin/leave", "/admin/ask"):
        assert (await browser.posts(path, token=EVE)).status == 403
    got = await browser.asks("/admin")
    assert got.status == 403
    assert "this machine" in got.text


@pytest.mark.parametrize("host", ["localhost", "localhost:8080", "[::1]:8080", "[::1]", "127.0.0.9", "LOCALHOST:1"])
async def test_this_machine_by_its_own_names(browser: Browser, host: str) -> None:
    browser.client = "::1"
    browser.headers["host"] = host
    assert (await browser.asks("/admin")).status == 200


async def test_a_token_that_is_taken_out_of_the_file_is_worth_nothing(browser: Browser) -> None:
    secret = await browser.enters(BOB)
    browser.keys.write_text(f"eve {EVE}\n")
    got = await browser.posts("/admin/do", secret=secret, ask="act", kind="pause", game_type="go", why="x")
    assert (got.status, browser.shell.broker.server.condition.paused) == (401, {})
    assert (await browser.posts("/admin/enter", token=BOB)).status == 401
    browser.keys.unlink()
    with capture_logs() as log:
        assert (await browser.posts("/admin/enter", token=EVE)).status == 503
    assert log[-1]["event"] == "the file of tokens cannot be used"
    asked = await browser.asks("/admin/ask", b"{}", {"authorization": f"Bearer {EVE}"})
    assert asked.status == 503
    assert asked.json == {"error": "the tokens cannot be read; see the server's log"}, "no path of ours"


async def test_a_visit_ends_by_itself_and_when_it_is_left(browser: Browser, autojump_clock: MockClock) -> None:
    secret = await browser.enters()
    await trio.sleep(MAX_S)
    assert 'type="password"' in (await browser.asks("/admin")).text
    secret = await browser.enters()
    cookie = browser.cookie
    assert (await browser.posts("/admin/leave", secret=secret)).status == 303
    browser.cookie = cookie
    assert 'type="password"' in (await browser.asks("/admin")).text


async def test_visits_have_a_bound(browser: Browser) -> None:
    await browser.enters()
    first = browser.cookie
    for _ in range(MAX_VISITS):
        await browser.posts("/admin/enter", token=BOB)
    browser.cookie = first
    assert 'type="password"' in (await browser.asks("/admin")).text


# Which forms count.


async def test_a_form_without_the_secret_of_its_visit_does_nothing(browser: Browser) -> None:
    secret = await browser.enters()
    other = Browser(browser.site, browser.keys, browser.shell)
    theirs = await other.enters(BOB)
    act: dict[str, Any] = {"ask": "act", "kind": "pause", "game_type": "go", "why": "x"}
    for wrong in ("", "x", theirs, secret[:-1], "é"):
        assert (await browser.posts("/admin/do", secret=wrong, **act)).status == 403
    assert (await browser.posts("/admin/do", **act)).status == 403
    assert (await browser.posts("/admin/leave")).status == 403
    assert browser.shell.broker.server.condition.paused == {}
    assert "done" in await browser.does(secret, **act)


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://["},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
async def test_a_form_of_a_strange_page_does_nothing(browser: Browser, headers: Mapping[str, str]) -> None:
    secret = await browser.enters()
    act: dict[str, Any] = {"ask": "act", "kind": "pause", "game_type": "go", "why": "x"}
    assert (await browser.posts("/admin/do", headers, secret=secret, **act)).status == 403
    assert (await browser.posts("/admin/enter", headers, token=EVE)).status == 403
    own = {"origin": "http://127.0.0.1:8080", "sec-fetch-site": "same-origin"}
    assert (await browser.posts("/admin/do", own, secret=secret, **act)).status == 303


async def test_a_body_that_is_no_form_does_nothing(browser: Browser) -> None:
    await browser.enters()
    assert (await browser.asks("/admin/do", b"{}", {"content-type": "application/json"})).status == 400
    assert (await browser.asks("/admin/do", b"&".join([b"a=1"] * 60), FORM)).status == 400
    assert (await browser.asks("/admin/do", b"a=%ff", FORM)).status == 400
    assert (await browser.asks("/admin/do", b"\xff=1", FORM)).status == 400
    assert (await browser.asks("/admin/do", b"a=" + b"x" * MAX_BYTES, FORM)).status == 413
    assert (await browser.asks("/admin/do")).status == 405, "nothing is done by a link"


# What is done.


@pytest.mark.parametrize(
    ("fields", "act"),
    [
        (
            {"kind": "ban", "by": "address", "subject": " 203.0.113.0/24 ", "for": "2d"},
            Act(ActKind.BAN_ADDRESS, "203.0.113.0/24", "eve", "burnt", "", 172_800.0),
        ),
        ({"kind": "ban", "by": "name", "subject": "ann", "for": ""}, Act(ActKind.BAN, "ann", "eve", "burnt")),
        (
            {"kind": "allow", "by": "address", "subject": "203.0.113.0/24", "for": "2h"},
            Act(ActKind.ALLOW_ADDRESS, "203.0.113.0/24", "eve", "burnt", "", 7200.0),
        ),
        ({"kind": "disallow", "by": "name", "subject": "ann"}, Act(ActKind.DISALLOW, "ann", "eve", "burnt")),
        ({"kind": "drain", "for": "0s"}, Act(ActKind.DRAIN, "", "eve", "burnt", "", 0.0)),
        (
            {"kind": "adjudicate", "subject": "g1", "results": "a=b=won\r\n\r\nlost"},
            Act(ActKind.ADJUDICATE, "g1", "eve", "burnt", results={"a=b": "won", "": "lost"}),
        ),
        (
            {"kind": "broadcast", "subject": "Lunch!", "everybody": "yes"},
            Act(ActKind.BROADCAST, "Lunch!", "eve", "burnt", to_all=True),
        ),
    ],
)
async def test_a_form_becomes_an_act_of_its_organiser(
    browser: Browser, monkeypatch: pytest.MonkeyPatch, fields: dict[str, str], act: Act
) -> None:
    secret = await browser.enters()
    asked: list[object] = []
    ask = browser.shell.questions.ask

    def note(question: Question) -> Mapping[str, object]:
        if not isinstance(question, Act):
            return ask(question)
        asked.append(question)
        return {"ok": True}

    monkeypatch.setattr(browser.shell.questions, "ask", note)
    said = await browser.does(secret, ask="act", why="burnt", who="somebody else", **fields)
    assert asked == [act]
    assert "done" in said


async def test_what_cannot_be_done_is_told(browser: Browser) -> None:
    secret = await browser.enters()
    said = await browser.does(secret, ask="act", kind="void", subject="<b>g1", why="x")
    assert said.startswith(
        "<strong>Not done.</strong> void &lt;b&gt;g1: game &#39;&lt;b&gt;g1&#39;: there is no such game running"
    )
    assert 'role="alert"' not in (await browser.asks("/admin")).text, "once"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"ask": "joke"}, "ask: expected one of act, order, plan, edit"),
        ({}, "ask: expected one of"),
        ({"ask": "act", "kind": "joke"}, "kind: &#39;joke&#39; is none of pause, resume"),
        ({"ask": "act", "kind": "pause", "game_type": "typo", "why": "y"}, "there is no game master for typo"),
        (
            {"ask": "act", "kind": "pause", "game_type": "catan", "why": "y"},
            "(&#39;catan&#39; is a game whose type is &#39;settlers&#39;)",
        ),
        ({"ask": "act", "kind": "void", "by": "address"}, "kind: &#39;void address&#39; is none of"),
        ({"ask": "act", "kind": "ban", "subject": "a", "for": "soon"}, "for: &#39;soon&#39; is no length of time"),
        ({"ask": "act", "kind": "adjudicate", "results": "won\nlost"}, "results: all others: named twice"),
        ({"ask": "order", "kind": "joke"}, "kind: &#39;joke&#39; is none of pause, resume, withdraw"),
        ({"ask": "order", "kind": "pause", "championship": "x", "why": "y"}, "championship &#39;x&#39;: unknown"),
        ({"ask": "plan", "plan": "= 3"}, "plan: not TOML"),
        ({"ask": "plan", "plan": "name = 'x'"}, "plan: plan"),
    ],
)
async def test_forms_that_make_no_sense(browser: Browser, fields: dict[str, str], words: str) -> None:
    secret = await browser.enters()
    assert words in await browser.does(secret, **fields)


async def test_who_types_the_name_of_a_package_finds_its_game_type(browser: Browser) -> None:
    await browser.enters()
    page = (await browser.asks("/admin")).text
    assert '<option value="settlers">catan</option>' in page
    assert '<option value="titan">titan</option>' not in page, "it is called the same"


async def test_the_desk_does_without_names_that_the_workers_cannot_say(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    await browser.enters()
    monkeypatch.setattr(browser.site.reads, "call", Refusing().call)
    got = await browser.asks("/admin")
    assert (got.status, "settlers" in got.text) == (200, False)


async def test_championships_are_planned_and_controlled(browser: Browser) -> None:
    secret = await browser.enters()
    plan = 'name = "spring"\ngame_type = "go"\nfirst = 4\n'
    assert "plan: done" in await browser.does(secret, ask="plan", plan=plan, why="x")
    assert "pause spring: done" in await browser.does(
        secret, ask="order", kind="pause", championship="spring", why="lunch"
    )
    championship = browser.shell.broker.server.championships["spring"]
    assert championship.paused
    page = (await browser.asks("/admin")).text
    assert "spring (go): paused" in page


async def test_the_page_shows_who_is_here_and_what_holds(browser: Browser) -> None:
    await browser.shell.table()
    far = browser.shell.connects()
    await far.says(PlayerLogin("<script>alert(1)</script>", "<i>&amp;"))
    await far.hears()
    secret = await browser.enters()
    await browser.does(secret, ask="act", kind="pause", game_type="<u>", why='"><s>')
    await browser.does(secret, ask="act", kind="ban", subject='"><b>', why="spam", **{"for": "1h"})
    page = (await browser.asks("/admin", who="<script>alert(1)</script>")).text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "192.0.2.1:1" in page, "the address, to be banned"
    assert "for another 1 h" in page
    for hostile in ("<script>alert", "<i>&amp;", "<u>", "<s>", "<b>"):
        assert hostile not in page.replace("&lt;", "")
    assert re.findall(r"<script(?![^>]* src=)", page) == []
    assert "style=" not in page
    assert re.findall(r"\son\w+=", page) == []
    assert "no player, game master" in (await browser.asks("/admin", who="nobody")).text
    assert "g1" in (await browser.asks("/admin", who="g1")).text


async def test_who_is_allowed_is_shown_and_can_be_taken_back(browser: Browser) -> None:
    secret = await browser.enters()
    page = (await browser.asks("/admin")).text
    assert "All may come in, except those who are banned." in page
    await browser.does(secret, ask="act", kind="allow", subject="<b>ann", by="name", why="exam", **{"for": "2h"})
    page = (await browser.asks("/admin")).text
    assert "&lt;b&gt;ann" in page
    assert "<b>" not in page
    assert "for another 2 h: exam" in page
    assert "Everybody is" not in page
    await browser.does(secret, ask="act", kind="disallow", subject="<b>ann", by="name", why="over")
    assert "All may come in, except those who are banned." in (await browser.asks("/admin")).text


# Programs.


async def test_a_program_asks_with_its_token(browser: Browser) -> None:
    header = {"authorization": f"Bearer {BOB}"}
    request = {"ask": "act", "kind": "pause", "game_type": GO, "why": "x", "who": "somebody else"}
    got = await browser.asks("/admin/ask", json.dumps(request).encode(), header)
    assert got.status == 200
    assert got.json.items() >= {"ok": True, "running": 0}.items()
    again = await browser.asks("/admin/ask", json.dumps(request).encode(), header)
    assert (again.status, again.json["ok"]) == (400, False)
    assert (await browser.asks("/admin/ask", b'{"ask": "ping"}', header)).json["ok"]
    for body in (b"[]", b"nonsense", b"[" * 100_000, b"\xff"):
        assert (await browser.asks("/admin/ask", body, header)).status == 400


@pytest.mark.parametrize(
    "header", [{}, {"authorization": EVE}, {"authorization": "Bearer x"}, {"cookie": "ugs_admin=x"}]
)
async def test_and_not_without_one(browser: Browser, header: Mapping[str, str]) -> None:
    got = await browser.asks("/admin/ask", b'{"ask": "ping"}', header)
    assert got.status == 401
    assert got.headers["www-authenticate"] == "Bearer"


async def test_who_may_read_the_metrics(browser: Browser) -> None:
    assert (await browser.asks("/metrics")).status == 200
    browser.scheme = "https"
    assert (await browser.asks("/metrics")).status == 200
    assert (await browser.asks("/metrics", None, {"host": "games.example.org"})).status == 403
    browser.scheme = "http"
    browser.client = "198.51.100.9"
    assert (await browser.asks("/metrics")).status == 403
    assert (await browser.asks("/metrics", None, {"authorization": f"Bearer {EVE}"})).status == 403, "in the clear"
    browser.client = "127.0.0.1"
    browser.headers |= {"x-forwarded-proto": "https"}
    assert (await browser.asks("/metrics")).status == 403
    got = await browser.asks("/metrics", None, {"authorization": f"Bearer {EVE}"})
    assert got.status == 200
    assert got.headers["content-type"].startswith("text/plain; version=")
    browser.keys.unlink()
    assert (await browser.asks("/metrics", None, {"authorization": f"Bearer {EVE}"})).status == 403
    ready = await browser.asks("/readyz")
    assert (ready.status, ready.json) == (503, {"ready": False, "obstacles": ["not listening"]})


async def test_metrics_may_be_open(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    shell = Shell(nursery)
    shell.status.parts.health.listening = True
    live = LiveServer(shell.broker, shell.questions)
    routes = probes(shell.status.parts, lambda request: False, open_metrics=True)
    browser = Browser(Site(live, Direct(SiteSettings()), [*routes, *no_administration()]), Path(), shell)
    browser.client = "198.51.100.9"
    assert (await browser.asks("/metrics")).status == 200
    assert (await browser.asks("/readyz")).json == {"ready": True, "obstacles": []}
    none = await browser.asks("/admin")
    assert none.status == 404
    assert "admin_token_file is not set" in none.text


# The shell's side.


async def test_tokens_that_others_can_read_are_told(
    nursery: trio.Nursery, tmp_path: Path, autojump_clock: MockClock
) -> None:
    keys = tmp_path / "tokens"
    keys.write_text(EVE)
    keys.chmod(0o644)
    shell = Shell(nursery)
    config = parse({"admin_token_file": str(keys)}, "test")
    live = LiveServer(shell.broker, shell.questions)
    with capture_logs() as log:
        assert administration_of(config, shell, live) is not None
    assert log[0]["event"] == "others can read the tokens of organisers: chmod 600"
    assert administration_of(shell.config, shell, live) is None


async def test_what_was_done_is_on_disk_before_it_is_read_from_there(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    """What comes after it is not waited for: on a busy server there is always something."""
    monkeypatch.setattr(admin_page, "monotonic", trio.current_time)
    began = trio.current_time()
    oldest = [-3.0, -3.0, -3.0, 0.01, 0.02]  # when it was recorded, at each look
    await admin_page.written(lambda: trio.current_time() - began - oldest.pop(0))
    assert oldest == [0.02]
    await admin_page.written(lambda: 0.0)


def test_the_latest_acts_come_first(tmp_path: Path) -> None:
    assert latest_acts("") == []
    assert latest_acts(str(tmp_path)) == []
    with JournalServer(tmp_path) as server:
        for number in range(MAX_ACTS + 2):
            server.now_us += 1
            server.journal.record(RecordAct("pause", "", f"type {number}", "eve", "x"), server.now_us, 1)
        server.journal.flush()
    shown: list[Any] = latest_acts(str(tmp_path))
    assert len(shown) == MAX_ACTS
    assert shown[0].endswith(f"eve: pause type {MAX_ACTS + 1} (x)")


async def test_wherever_it_stands_its_links_begin_at_the_top(browser: Browser) -> None:
    pages = [(await browser.posts("/admin/enter", token="x")).text]
    await browser.enters()
    pages.append((await browser.asks("/admin")).text)
    for page in pages:
        links = re.findall(r'(?:href|src|action)="([^"]*)"', page)
        assert len(links) > 5
        assert all(link.startswith(("/", "#")) for link in links), links
