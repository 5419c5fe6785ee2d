"""A player's own corner: who is let in, which games are its own, and what it is shown of them."""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar, cast
from urllib.parse import urlencode

import pytest
import trio
from starlette.applications import Starlette
from trio.testing import MockClock

from tests.daemon.shell import GO, Shell, move, turn
from tests.page.asking import Direct, Got, exchanged, page_of, scope_of
from tests.record.samples import card_game
from tests.why.records import over
from ugs.broker.values.identity import Role
from ugs.broker.values.record import EntryKind
from ugs.daemon.clocks.wall_clock import WallClock
from ugs.daemon.http.live import LiveServer
from ugs.daemon.proofs import Proofs
from ugs.journal.importing import store
from ugs.journal.tokens import NewRow, add
from ugs.page.contract import Owner, SiteSettings
from ugs.page.contract import Visitor as Shown
from ugs.page.server.app import Site, sent
from ugs.page.server.my_games import MAX_S, WRONG_S, Corner, Guesses
from ugs.record.times import MICRO
from ugs.record.ugsg import read
from ugs.token_key import key_of
from ugs.tokens import digest_of, new_token
from ugs.wire.extensions import Family, Hello, Session
from ugs.wire.messages import Logout, PlayerLogin

ANN, BOB, LATER = "ann-token", "bob-token", "later-token"
OF_A_NAME = "token-of-a-name"
CHOSEN = ('\N{CYRILLIC SMALL LETTER A}da#se cret,;\\"%41', "x#\N{RIGHT-TO-LEFT OVERRIDE}abcdefgh")
CARDS = card_game()
BEGAN = CARDS.began_us / MICRO
SECRETS = {"ann": b"ann: 7", "bob": b"bob: 4"}
"""What only one of them was shown in the game of cards."""
FORM = {"content-type": "application/x-www-form-urlencoded"}


class Live(LiveServer):
    """A server that knows these tokens."""

    owners: dict[str, Owner]

    shown: ClassVar[list[str]] = []
    """Tokens that were asked about."""

    def owner_of(self, token: str) -> Owner | None:
        """Whose it is."""
        return self.owners.get(token)

    async def visitor(self, token: str, address: str) -> Shown | None:
        """The token of a name is one from this address only."""
        self.shown.append(token)
        if (token, address) == (OF_A_NAME, "192.0.2.7"):
            return lambda: Owner("ann", BEGAN - 1)
        return await super().visitor(token, address)


class Visitor:
    """A browser with cookies."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.cookie = self.set_cookie = ""
        self.client = "192.0.2.7"

    async def asks(
        self, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None, **query: str
    ) -> Got:
        """GET, or POST with a body."""
        sent = {"accept": "text/html", "cookie": self.cookie, **(headers or {})}
        scope = scope_of(path, sent, "GET" if body is None else "POST", **query)
        scope["client"] = (self.client, 4321)
        got = await exchanged(self.site, scope, body or b"")
        if "set-cookie" in got.headers:
            self.set_cookie = got.headers["set-cookie"]
            self.cookie = self.set_cookie.partition(";")[0]
        return got

    async def enters(self, token: str, **headers: str) -> Got:
        """Show a token."""
        return await self.asks("/mine/enter", urlencode({"token": token}).encode(), {**FORM, **headers})


@pytest.fixture
def site(nursery: trio.Nursery, tmp_path: Path) -> Site:
    """A server with a game of cards, and one of chess, both of ann and bob."""
    assert store(tmp_path, CARDS)
    assert store(tmp_path, over())
    shell = Shell(nursery)
    live = Live(shell.broker, shell.questions)
    live.owners = {
        ANN: Owner("ann", 0),
        BOB: Owner("bob", BEGAN - 100, BEGAN + 100),
        **{token: Owner("ann", 0) for token in CHOSEN},
        LATER: Owner("bob", BEGAN + 0.1, None, "g9"),
    }
    return Site(live, Direct(SiteSettings(str(tmp_path))))


async def entered(site: Site, token: str) -> Visitor:
    visitor = Visitor(site)
    got = await visitor.enters(token)
    assert (got.status, got.headers["location"]) == (303, "../mine")
    return visitor


# Who is let in.


async def test_without_a_token_there_is_a_question_for_it(site: Site) -> None:
    got = await Visitor(site).asks("/mine")
    assert got.status == 200
    assert 'type="password"' in got.text
    assert "no-store" in got.headers["cache-control"]
    for path in ("/mine-positions", "/mine.ugsg"):
        assert (await Visitor(site).asks(path, id=CARDS.game_id)).status == 401
    assert (await Visitor(site).asks("/mine-game")).status == 401


async def test_an_address_that_is_sent_to_others_leads_them_to_the_game_as_all_see_it(site: Site) -> None:
    got = await Visitor(site).asks("/mine-game", id=CARDS.game_id, move="2", other="&x")
    assert (got.status, got.headers["location"]) == (303, f"game?id={CARDS.game_id}&move=2")


async def test_the_token_becomes_a_cookie_that_no_script_reads_and_no_other_site_sends(site: Site) -> None:
    visitor = await entered(site, ANN)
    assert re.fullmatch(r"ugs_mine=[\w-]{43}; HttpOnly; Path=/; SameSite=strict", visitor.set_cookie)
    assert ANN not in visitor.set_cookie
    assert ANN not in (await visitor.asks("/mine")).text
    secure = Visitor(site)
    secure.client = "127.0.0.1"
    await secure.enters(ANN, **{"x-forwarded-proto": "https"})
    assert secure.set_cookie.endswith("; Secure")


async def test_no_cookie_is_ever_taken_for_a_token(site: Site) -> None:
    """So cookies can be tried as fast as they come: none costs a hash."""
    Live.shown.clear()
    for cookie in (ANN, OF_A_NAME, "ben%23a%20secret", "x" * 5000, "", '"', "%FF"):
        visitor = Visitor(site)
        visitor.cookie = f"ugs_mine={cookie}"
        got = await visitor.asks("/mine")
        assert "Your token" in got.text
        assert visitor.set_cookie.startswith('ugs_mine=""; expires='), "one of an older server holds a token"
    assert Live.shown == []


async def test_a_cookie_is_worth_nothing_after_a_week_or_a_restart(site: Site, autojump_clock: MockClock) -> None:
    visitor = await entered(site, ANN)
    again = Visitor(Site(site.server.live, site.reads))
    again.cookie = visitor.cookie
    assert "Your token" in (await again.asks("/mine")).text
    await trio.sleep(MAX_S - 1)
    assert "Your games" in (await visitor.asks("/mine")).text
    await trio.sleep(1)
    assert "Your token" in (await visitor.asks("/mine")).text


@pytest.mark.parametrize("token", CHOSEN)
async def test_a_secret_that_somebody_has_chosen_may_hold_anything(site: Site, token: str) -> None:
    visitor = await entered(site, token)
    assert (await visitor.asks("/mine-game", id=CARDS.game_id)).status == 200


async def test_of_a_game_with_the_computer_it_is_said_whose_moves_are_counted(
    nursery: trio.Nursery, tmp_path: Path
) -> None:
    game = over()
    assert game.result is not None
    alone = replace(game, seats=("ann",), seats_total=2, result=replace(game.result, seats=game.result.seats[:1]))
    assert store(tmp_path, replace(alone, entries=()))
    shell = Shell(nursery)
    live = Live(shell.broker, shell.questions)
    live.owners = {ANN: Owner("ann", 0)}
    text = (await (await entered(Site(live, Direct(SiteSettings(str(tmp_path)))), ANN)).asks("/mine")).text
    assert re.search(r"\d moves? of yours", text)
    assert "Moves of the computer are not counted" in text


async def test_a_token_leads_to_the_game_that_is_asked_for(site: Site) -> None:
    visitor = Visitor(site)
    got = await visitor.asks("/mine/enter", urlencode({"token": ANN, "game": CARDS.game_id}).encode(), FORM)
    assert got.headers["location"] == f"../mine-game?id={CARDS.game_id}"
    assert (await visitor.asks("/mine-game", id=CARDS.game_id)).status == 200
    strange = await visitor.asks("/mine/enter", urlencode({"token": ANN, "game": "a&b\r\n//c"}).encode(), FORM)
    assert strange.headers["location"] == "../mine-game?id=a%26b%0D%0A%2F%2Fc"


async def test_it_can_be_left(site: Site) -> None:
    visitor = await entered(site, ANN)
    cookie = visitor.cookie
    await visitor.asks("/mine/leave", b"", FORM)
    assert visitor.cookie == 'ugs_mine=""'
    visitor.cookie = cookie
    assert "Your token" in (await visitor.asks("/mine")).text


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://elsewhere.example"},
        {"origin": "http://["},
        {"origin": "http://\u212a@elsewhere.example:99999"},
        {"sec-fetch-site": "cross-site"},
    ],
)
async def test_a_strange_page_puts_nobody_into_another_corner(site: Site, headers: dict[str, str]) -> None:
    visitor = Visitor(site)
    assert (await visitor.enters(ANN, **headers)).status == 403
    assert visitor.cookie == ""


@pytest.mark.parametrize("token", ["", "wrong", ANN + "x", "ä", "a b", "x" * 501, 'a"b'])
async def test_what_is_no_token_is_refused(site: Site, token: str, autojump_clock: MockClock) -> None:
    visitor = Visitor(site)
    got = await visitor.enters(token)
    assert got.status == 401
    assert "This token is unknown" in got.text
    assert not token or token not in got.text
    assert visitor.cookie == ""


async def test_who_guesses_has_to_wait_and_others_have_not(site: Site, autojump_clock: MockClock) -> None:
    visitor, other = Visitor(site), Visitor(site)
    other.client = "198.51.100.1"
    for _ in range(Guesses.MAX_WRONG):
        assert (await visitor.enters("wrong")).status == 401
    got = await visitor.enters(ANN)
    assert got.status == 429
    assert 0 < int(got.headers["retry-after"]) <= Guesses.WITHIN_S + 1
    assert (await other.enters(ANN)).status == 303
    await trio.sleep(Guesses.WITHIN_S)
    assert (await visitor.enters(ANN)).status == 303


async def test_tokens_that_come_at_once_are_looked_at_one_after_the_other(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    """Else all of them would be looked at before the first one counts."""
    site = page_of(Shell(nursery))[0]
    looked_at: list[str] = []

    async def visitor(token: str, address: str) -> None:
        looked_at.append(address)
        await trio.sleep(0.1)

    corner = Corner(visitor, site._ask_plainly, sent)
    alone = Starlette(routes=corner.routes())
    statuses: list[int] = []

    async def guesses(client: str) -> None:
        scope = scope_of("/mine/enter", FORM, "POST")
        scope["client"] = (client, 1)
        statuses.append((await exchanged(cast(Site, SimpleNamespace(app=alone)), scope, b"token=wrong")).status)

    async with trio.open_nursery() as guessers:
        for _ in range(Guesses.MAX_AT_ONCE + 50):
            guessers.start_soon(guesses, "192.0.2.7")
        guessers.start_soon(guesses, "198.51.100.1")
        await trio.sleep(0.05)
        assert sorted(looked_at) == ["192.0.2.7", "198.51.100.1"]
    assert looked_at.count("192.0.2.7") == Guesses.MAX_WRONG
    assert statuses.count(401) == Guesses.MAX_WRONG + 1
    assert corner._guesses._looked_at == {}


async def test_whatever_is_wrong_is_said_after_the_same_time(site: Site, autojump_clock: MockClock) -> None:
    for token in ("", "wrong", "x" * 501):
        began = trio.current_time()
        assert (await Visitor(site).enters(token)).status == 401
        assert trio.current_time() - began == pytest.approx(WRONG_S)


async def test_guesses_of_few_addresses_are_remembered(autojump_clock: MockClock) -> None:
    guesses = Guesses()
    for number in range(Guesses.MAX_KEPT + 5):
        guesses.wrong(str(number))
    assert len(guesses._wrong) == Guesses.MAX_KEPT


async def test_a_token_that_is_over_opens_nothing_any_more(site: Site) -> None:
    visitor = await entered(site, ANN)
    del site.server.live.owners[ANN]  # type: ignore[attr-defined]
    assert "Your token" in (await visitor.asks("/mine")).text


# Which games are its own.


async def test_its_games_with_the_ways_to_them(site: Site) -> None:
    page = (await (await entered(site, ANN)).asks("/mine")).text
    assert f'href="mine-game?id={CARDS.game_id}"' in page
    assert f'href="mine.ugsg?id={CARDS.game_id}"' in page
    assert 'href="mine-game?id=g1"' in page
    assert "Your games" in page


async def test_games_of_somebody_else_with_the_same_nick_are_not_its_own(site: Site) -> None:
    visitor = await entered(site, LATER)
    page = (await visitor.asks("/mine")).text
    assert f"id={CARDS.game_id}" not in page
    assert 'href="game?id=g9"' in page, "the one that it plays now"
    for path in ("/mine-game", "/mine-positions", "/mine.ugsg"):
        assert (await visitor.asks(path, id=CARDS.game_id)).status == 404
    former = await entered(site, BOB)
    assert CARDS.game_id in (await former.asks("/mine")).text
    assert "mine-game?id=g1" not in (await former.asks("/mine")).text, "its nick was free by then"


async def test_games_of_others_and_no_games_are_not_its_own(site: Site, tmp_path: Path) -> None:
    strange = replace(CARDS, game_id="strange", seats=("cyd", "dan"))
    assert strange.result is not None
    seats = tuple(replace(seat, nick=nick) for seat, nick in zip(strange.result.seats, strange.seats, strict=True))
    assert store(tmp_path, replace(strange, result=replace(strange.result, game_id="strange", seats=seats)))
    visitor = await entered(site, ANN)
    for game in ("strange", "nothing", CARDS.game_id[:-1]):
        assert (await visitor.asks("/mine-game", id=game)).status == 404
    assert "strange" not in (await visitor.asks("/mine")).text


async def test_a_private_game_is_found_by_its_players(nursery: trio.Nursery, tmp_path: Path) -> None:
    assert store(tmp_path, replace(CARDS, table={"visibility": "PRIVATE", "name": "ours", "owner": "ann"}))
    shell = Shell(nursery)
    live = Live(shell.broker, shell.questions)
    live.owners = {ANN: Owner("ann", BEGAN - 1)}
    visitor = await entered(Site(live, Direct(SiteSettings(str(tmp_path)))), ANN)
    assert CARDS.game_id in (await visitor.asks("/mine")).text
    assert f"id={CARDS.game_id}" not in (await visitor.asks("/games")).text


async def test_who_left_early_knows_the_end_when_spectators_may(nursery: trio.Nursery, tmp_path: Path) -> None:
    assert store(tmp_path, over())
    shell = Shell(nursery)
    live = Live(shell.broker, shell.questions)
    live.owners = {token: Owner(nick, 0) for token, nick in ((ANN, "ann"), (BOB, "bob"))}
    forever = SiteSettings(str(tmp_path), delay_s=1e10)
    site = Site(live, Direct(forever))
    assert (await (await entered(site, ANN)).asks("/mine-game", id="g1")).status == 200
    assert (await (await entered(site, BOB)).asks("/mine-game", id="g1")).status == 404


# What it is shown.


@pytest.mark.parametrize(("token", "nick", "other"), [(ANN, "ann", "bob"), (BOB, "bob", "ann")])
async def test_it_sees_its_own_hand_and_nobody_elses(site: Site, token: str, nick: str, other: str) -> None:
    visitor = await entered(site, token)
    everything = b""
    for path in ("/mine-game", "/mine-positions", "/mine.ugsg"):
        got = await visitor.asks(path, id=CARDS.game_id)
        assert got.status == 200
        assert "no-store" in got.headers["cache-control"]
        assert "etag" not in got.headers
        everything += got.body
    assert SECRETS[nick] in everything
    assert SECRETS[other] not in everything
    public = await visitor.asks("/api/v1/positions", id=CARDS.game_id)
    assert SECRETS[nick] not in public.body, "what it was shown is kept for nobody else"
    assert (await visitor.asks("/game", id=CARDS.game_id, viewer=nick)).status == 404


async def test_the_file_is_a_record_that_can_be_read(site: Site) -> None:
    visitor = await entered(site, ANN)
    got = await visitor.asks("/mine.ugsg", id=CARDS.game_id)
    assert got.headers["content-disposition"] == f'attachment; filename="{CARDS.game_id}.ugsg"'
    (record,) = read(got.body.splitlines(keepends=True))
    assert record.seats == CARDS.seats
    assert record.seed == ""
    moves = [entry for entry in record.entries if entry.kind is EntryKind.MOVE]
    assert all(bool(entry.body) == (entry.seat == 0) for entry in moves)


async def test_a_page_of_a_game_steps_through_its_own_positions_and_says_why(site: Site) -> None:
    visitor = await entered(site, ANN)
    page = (await visitor.asks("/mine-game", id=CARDS.game_id, at="1")).text
    assert f'data-replay="mine-positions?id={CARDS.game_id}"' in page
    assert 'id="why"' in page
    account = page.split('<pre class="account">', 1)[1].split("</pre>", 1)[0]
    assert "<code>&lt;message " in account, "as a bot would see them"
    assert "<message" not in account
    assert f"game {CARDS.game_id}" in page
    assert f'href="mine-game?id={CARDS.game_id}&amp;move=1"' in page
    got = await visitor.asks("/mine-positions", id=CARDS.game_id)
    assert [one["number"] for one in got.json["positions"]][:2] == [1, 2]
    assert (await visitor.asks("/mine-positions", id=CARDS.game_id, viewer="bob")).status == 400


async def test_without_a_journal_there_is_nothing_but_the_game_that_runs(nursery: trio.Nursery) -> None:
    shell = Shell(nursery)
    live = Live(shell.broker, shell.questions)
    live.owners = {ANN: Owner("ann", 0, None, "g1")}
    visitor = await entered(Site(live, Direct(SiteSettings())), ANN)
    page = (await visitor.asks("/mine")).text
    assert "Nothing is kept" in page
    assert 'href="game?id=g1"' in page
    assert (await visitor.asks("/mine-game", id="g1")).status == 503


async def test_a_journal_that_cannot_be_read(nursery: trio.Nursery, tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite").write_bytes(b"nonsense" * 1000)
    shell = Shell(nursery)
    live = Live(shell.broker, shell.questions)
    live.owners = {ANN: Owner("ann", 0)}
    visitor = await entered(Site(live, Direct(SiteSettings(str(tmp_path)))), ANN)
    got = await visitor.asks("/mine")
    assert got.status == 503
    assert "the journal cannot be read" in got.text


# Whose token it is.


async def test_the_broker_knows_whose_token_it_is(nursery: trio.Nursery, autojump_clock: MockClock) -> None:
    shell = Shell(nursery)
    live = LiveServer(shell.broker, shell.questions)
    master = await shell.master()
    far = shell.connects()
    await far.says(Hello((Family.SESSION,)), PlayerLogin("ann", GO))
    while not isinstance(session := await far.hears(), Session):
        pass
    bob = await shell.player("bob")
    owner = live.owner_of(session.token)
    assert owner is not None
    assert (owner.nick, owner.until, owner.game) == ("ann", None, "g1")
    assert live.owner_of(session.token + "x") is None
    assert live.owner_of("") is None
    await master.says(turn("ann"))
    await far.hears()
    await far.says(move("g1"), Logout())
    await bob.hears()
    await trio.sleep(5)
    former = live.owner_of(session.token)
    assert former is not None
    assert former.until is not None
    assert (former.nick, former.game) == ("ann", "")
    assert former.since <= former.until


async def test_moments_of_a_session_are_those_that_the_clock_on_the_wall_showed(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    """The games in the journal have theirs from that clock, too."""
    ahead_s = 1_900_000_000.0
    shell = Shell(nursery)
    live = LiveServer(shell.broker, shell.questions, wall=WallClock(lambda: int((trio.current_time() + ahead_s) * 1e6)))
    far = shell.connects()
    before = trio.current_time() + ahead_s
    await far.says(Hello((Family.SESSION,)), PlayerLogin("ann", GO))
    while not isinstance(session := await far.hears(), Session):
        pass
    for jump_s in (0, 7200, -20_000):
        await trio.sleep(100)
        ahead_s += jump_s
        owner = live.owner_of(session.token)
        assert owner is not None
        assert abs(owner.since - before) < 1


async def test_the_token_of_a_name_opens_its_games_from_then_on(tmp_path: Path) -> None:
    token = new_token()
    row = NewRow(Role.PLAYER, "ann", digest_of(token, made_here=True), key=key_of(token))
    add(tmp_path, [row], "root", 1_900_000_000_000_000)
    async with trio.open_nursery() as tasks:
        shell = Shell(tasks)
        proofs = Proofs(tmp_path, shell.broker.server.entry.identities, shell.driver.happens_next, tasks)
        await proofs.read()
        live = LiveServer(shell.broker, shell.questions, proofs)
        visitor = await live.visitor(token, "192.0.2.1")
        assert visitor is not None
        assert visitor() == Owner("ann", 1_900_000_000.0)
        assert await live.visitor(token + "x", "192.0.2.1") is None
        assert await LiveServer(shell.broker, shell.questions).visitor(token, "192.0.2.1") is None
        add(tmp_path, [NewRow(Role.PLAYER, "ann", "", why="lost")], "root", 1_900_000_000_000_001)
        await proofs.read()
        assert visitor() is None, "its token was revoked"
        tasks.cancel_scope.cancel()


async def test_who_gets_the_token_of_a_nick_does_not_see_the_game_of_who_had_the_nick_before(tmp_path: Path) -> None:
    token = new_token()
    async with trio.open_nursery() as tasks:
        shell = Shell(tasks)
        await shell.master()
        await shell.player("ann")
        await shell.player("bob")
        add(tmp_path, [NewRow(Role.PLAYER, "ann", digest_of(token, made_here=True), key=key_of(token))], "root", 1)
        proofs = Proofs(tmp_path, shell.broker.server.entry.identities, shell.driver.happens_next, tasks)
        await proofs.read()
        visitor = await LiveServer(shell.broker, shell.questions, proofs).visitor(token, "192.0.2.1")
        assert visitor is not None
        owner = visitor()
        assert owner is not None
        assert shell.broker.server.running_game("g1") is not None
        assert owner.game == ""
        tasks.cancel_scope.cancel()


async def test_a_token_of_a_name_is_asked_for_where_no_session_has_it(site: Site) -> None:
    visitor = await entered(site, OF_A_NAME)
    assert OF_A_NAME not in visitor.cookie
    assert "show your token" not in (await visitor.asks("/mine")).text
    assert (await Visitor(site).enters(OF_A_NAME + "x")).status == 401
