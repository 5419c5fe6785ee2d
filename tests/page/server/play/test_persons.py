"""People who play: whole games over the page, with real masters and bots, without sockets."""

import re
from collections.abc import Callable

import pytest
import trio
from trio.testing import MockClock

from tests.game_masters.programs import MemoryServer
from tests.page.asking import Direct, get
from tests.page.server.play.browsing import HEADERS, Browser
from ugs.broker.events import IdentitiesRead
from ugs.broker.state.remarks_made import MADE
from ugs.broker.values.identity import Identity, Role
from ugs.daemon.connections.connection import Connection
from ugs.daemon.http.live import LiveServer
from ugs.daemon.network.transport import Transport
from ugs.page.contract import Busy, Question, SiteSettings
from ugs.page.server.app import Site
from ugs.page.server.play.persons import MAX_WRONG, PER_SECOND, POLICY
from ugs.peer import Peer
from ugs.record.times import MICRO, wall_us
from ugs.wire.messages import LoginResponse, PlayerLogin, ServerShutdown

TIC = "5-in-line-tic-tac-toe"
AT = ("--connect", "127.0.0.1:1")


class Stage:
    """A server with its page."""

    def __init__(self, nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch, **settings: object) -> None:
        self.server = MemoryServer(nursery, monkeypatch, **settings)
        self.shell = self.server.shell
        self.nursery = nursery
        self.addresses: list[str] = []
        self.reads = Direct(SiteSettings())
        self.site = Site(LiveServer(self.shell.broker, self.shell.questions), self.reads, connect=self._connect)

    def _connect(self, address: str) -> trio.abc.Stream:
        self.addresses.append(address)
        return self.shell.connects().stream

    def opens(self, **headers: str) -> Browser:
        """A browser opens the page."""
        browser = Browser(self.site, {**HEADERS, **headers})
        self.nursery.start_soon(browser.run)
        return browser

    async def leads(self, game: str = "tic-tac-toe", *words: str) -> None:
        """A master comes."""
        self.server.starts("master", game, *AT, *words)
        await self.server.log.tells("master logged in")

    def bot(self, nick: str, game: str = "tic-tac-toe", *words: str) -> None:
        """A bot comes."""
        self.server.starts("bot", game, *AT, "--nick", nick, *words)

    def nicks(self) -> set[str]:
        """The players who are logged in or may come back."""
        return {player.name for player in self.shell.broker.server.names.players.values()}


@pytest.fixture
def opens(nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Stage]:
    return lambda **settings: Stage(nursery, monkeypatch, **settings)


Opens = Callable[..., Stage]


async def test_a_person_plays_a_bot_to_the_end_and_once_more(opens: Opens, autojump_clock: MockClock) -> None:
    stage = opens()
    await stage.leads()
    ann = stage.opens()
    assert (await ann.phase("out"))["token"] == ""
    await ann.enters("ann", TIC)
    view = await ann.sees(lambda view: view["token"])
    assert view["nick"] == "ann"
    await ann.sees(lambda view: view["offered"].get("master"))
    ann.asks(do="wait")
    await ann.phase("waiting")
    await ann.sees(lambda view: view["account"])
    stage.bot("rob")
    view = await ann.plays()
    assert view["game"]["verdict"]["outcome"] in ("won", "lost", "drawn")
    assert re.fullmatch("(ann|rob) won: \\d+ in a row from .*|ann, rob drew: .*", view["game"]["verdict"]["told"])
    assert {seat["nick"] for seat in view["game"]["seats"]} == {"ann", "rob"}
    assert "data-offer" not in ann.boards[-1]["svg"]
    assert ann.wrong == []
    assert view["notes"] == []
    ann.asks(do="why")
    await ann.sees(lambda view: "rob" in view["account"])
    first = view["game"]["id"]
    ann.asks(do="again")
    await ann.phase("lobby")
    assert ann.view["token"] == view["token"], "it is the same session"
    ann.asks(do="wait")
    assert (await ann.phase("playing"))["game"]["id"] != first
    await ann.plays(lambda offers: len(offers) - 1)


async def test_the_shell_knows_who_plays(opens: Opens, autojump_clock: MockClock) -> None:
    """What comes from those who play is read before others are answered."""
    stage = opens()
    await stage.leads()
    ann = stage.opens()
    await ann.enters("ann", TIC)
    ann.asks(do="wait")
    await ann.phase("waiting")
    assert not ann.place.plays
    stage.bot("rob")
    await ann.phase("playing")
    assert ann.place.plays
    await ann.plays()
    assert not ann.place.plays


async def test_who_looks_at_the_end_is_not_seated_anew(opens: Opens, autojump_clock: MockClock) -> None:
    stage = opens()
    await stage.leads()
    ann = stage.opens()
    await ann.enters("ann", TIC)
    ann.asks(do="wait")
    stage.bot("rob")
    await ann.plays()
    await trio.sleep(100)
    assert ann.view["phase"] == "over"


async def test_the_page_is_loaded_again_in_the_middle_of_a_game(opens: Opens, autojump_clock: MockClock) -> None:
    stage = opens()
    await stage.leads()
    stage.bot("rob")
    ann = stage.opens()
    await ann.enters("ann", TIC)
    ann.asks(do="wait")
    await ann.until(ann.may_move)
    ann.asks(do="move", number=ann.boards[-1]["number"], offer=0)
    await ann.until(lambda: ann.view["game"]["number"] >= 3 and ann.may_move())
    words, game, token = ann.boards[-1]["words"], ann.view["game"]["id"], ann.view["token"]
    ann.leaves()
    again = stage.opens()
    await again.phase("out")
    again.asks(do="resume", token=token, game_type=TIC)
    view = await again.phase("playing")
    assert (view["game"]["id"], view["nick"]) == (game, "ann")
    await again.until(again.may_move)
    assert again.boards[-1]["words"] == words
    assert (await again.plays())["game"]["verdict"]["told"]


async def test_the_page_is_loaded_again_at_the_end_of_a_game(opens: Opens, autojump_clock: MockClock) -> None:
    """It stood in the lobby, and knew nothing of the game."""
    stage = opens()
    await stage.leads()
    stage.bot("rob")
    ann = stage.opens()
    await ann.enters("ann", TIC)
    ann.asks(do="wait")
    view = await ann.plays()
    ann.leaves()
    again = stage.opens()
    await again.phase("out")
    ended = {name: view["game"][name] for name in ("id", "number", "halted", "seats", "verdict")}
    again.asks(do="resume", token=view["token"], game_type=TIC, ended=ended)
    came = await again.phase("over")
    assert {name: came["game"][name] for name in ended} == ended
    again.asks(do="why")
    await again.sees(lambda view: "rob" in view["account"])
    again.asks(do="same", setting={"do": "wait"})
    assert (await again.phase("playing"))["game"]["id"] != ended["id"]
    assert (await again.plays())["game"]["verdict"]["told"]


@pytest.mark.parametrize("nick", ["ann", "ben"])
async def test_the_page_is_loaded_again_at_a_table(opens: Opens, autojump_clock: MockClock, nick: str) -> None:
    """It stood in the lobby, where each request was refused, and no button led away from the table."""
    stage = opens()
    await stage.leads("apologies")
    both = {name: stage.opens() for name in ("ann", "ben")}
    for name, browser in both.items():
        await browser.enters(name, "apologies")
    both["ann"].asks(do="host", seats=4, computers=1, public=True, options={"mode": "ADULT"})
    both["ben"].asks(do="join", id=(await both["ann"].phase("table"))["table"]["id"])
    table = (await both[nick].sees(lambda view: len(view["table"].get("nicks", ())) == 2))["table"]
    token = both[nick].view["token"]
    both[nick].leaves()
    again = both[nick] = stage.opens()
    await again.phase("out")
    again.asks(do="resume", token=token, game_type="apologies")
    await again.sees(lambda view: {**view["table"], "free": table["free"]} == table and view["phase"] == "table")
    both["ann"].asks(do="start")
    game = (await again.phase("playing"))["game"]
    assert (game["id"], game["setting"]["options"]) == (table["id"], {"mode": "ADULT"})
    assert game["table"] == {"ann": "own", "ben": "joined"}[nick]


@pytest.mark.parametrize("nick", ["ann", "ben"])
async def test_who_has_loaded_the_page_again_can_leave_its_table(
    opens: Opens, autojump_clock: MockClock, nick: str
) -> None:
    stage = opens()
    await stage.leads("apologies")
    both = {name: stage.opens() for name in ("ann", "ben")}
    for name, browser in both.items():
        await browser.enters(name, "apologies")
    both["ann"].asks(do="host", seats=4, computers=0, public=True)
    both["ben"].asks(do="join", id=(await both["ann"].phase("table"))["table"]["id"])
    token = (await both[nick].sees(lambda view: len(view["table"].get("nicks", ())) == 2))["token"]
    both[nick].leaves()
    again = stage.opens()
    await again.phase("out")
    again.asks(do="resume", token=token, game_type="apologies")
    await again.phase("table")
    again.asks(do="quit")
    assert (await again.phase("lobby"))["table"] == {}
    again.asks(do="wait")
    assert (await again.phase("waiting"))["notes"] == []


async def test_who_has_left_reads_nothing_of_before(opens: Opens, autojump_clock: MockClock) -> None:
    ann = opens().opens()
    await ann.enters("ann", TIC)
    ann.asks(do="join", id="none")
    await ann.sees(lambda view: view["notes"])
    ann.asks(do="logout")
    assert (await ann.phase("out"))["notes"] == []


@pytest.mark.parametrize("ended", [7, {"id": "g"}, {"seats": [], "verdict": {}, "id": "", "number": 1, "halted": True}])
async def test_the_end_of_a_game_that_is_none(opens: Opens, autojump_clock: MockClock, ended: object) -> None:
    ann = opens().opens()
    await ann.phase("out")
    ann.asks(do="resume", token="t", game_type=TIC, ended=ended)
    await ann.until(lambda: ann.wrong)
    assert ann.wrong[0].startswith("ended: ")
    assert ann.view["phase"] == "out"


async def test_what_was_answered_before_a_reload_is_not_asked_again(opens: Opens, autojump_clock: MockClock) -> None:
    stage = opens(session_grace_s=50)
    await stage.leads()
    ann, ben = stage.opens(), stage.opens()
    for browser, nick in ((ann, "ann"), (ben, "ben")):
        await browser.enters(nick, TIC)
        browser.asks(do="wait")
    await trio.testing.wait_all_tasks_blocked()
    await ann.until(lambda: ann.may_move() or ben.may_move())
    first, other = (ann, ben) if ann.may_move() else (ben, ann)
    first.asks(do="move", number=first.boards[-1]["number"], offer=5)
    await other.until(other.may_move)
    token = first.view["token"]
    first.leaves()
    again = stage.opens()
    await again.phase("out")
    again.asks(do="resume", token=token, game_type=TIC)
    await again.until(lambda: again.boards)
    assert not again.may_move()
    other.asks(do="move", number=other.boards[-1]["number"], offer=7)
    await again.until(again.may_move)


async def test_a_table_of_ones_own_with_the_computer(opens: Opens, autojump_clock: MockClock) -> None:
    stage = opens()
    await stage.leads("apologies")
    ann = stage.opens()
    await ann.enters("ann", "apologies")
    view = await ann.sees(lambda view: view["offered"].get("computers"))
    assert view["offered"]["players_min"] == 2
    ann.asks(do="host", seats=2, computers=1)
    view = await ann.plays()
    assert [seat["kind"] for seat in view["game"]["seats"]] == ["human", "program"]


async def test_what_was_chosen_for_a_table_is_drawn(opens: Opens, autojump_clock: MockClock) -> None:
    stage = opens()
    await stage.leads()
    ann = stage.opens()
    await ann.enters("ann", TIC)
    await ann.sees(lambda view: view["offered"].get("computers"))
    ann.asks(do="host", seats=2, computers=1, options={"width": "3", "height": "3", "row": "3"})
    await ann.until(ann.may_move)
    assert len(ann.boards[-1]["offers"]) >= 8
    assert "A board of 3 columns and 3 rows" in ann.boards[-1]["words"]
    assert (await ann.plays())["game"]["verdict"]["cause"] == "finished"


async def test_a_game_with_the_computer_is_given_up(opens: Opens, autojump_clock: MockClock) -> None:
    stage = opens()
    await stage.leads()
    ann = stage.opens()
    await ann.enters("ann", TIC)
    await ann.sees(lambda view: view["offered"].get("computers"))
    ann.asks(do="host", seats=2, computers=1)
    await ann.until(ann.may_move)
    words = ann.boards[-1]["words"]
    ann.asks(do="quit")
    view = await ann.phase("over")
    assert view["notes"] == []
    await trio.sleep(1)
    assert ann.boards[-1]["words"] == words, "the server tells no position"
    ann.asks(do="again")
    await ann.phase("lobby")


async def test_the_same_game_once_more_with_the_computer(opens: Opens, autojump_clock: MockClock) -> None:
    """It led to the form, where everything had to be chosen again."""
    stage = opens()
    await stage.leads()
    ann = stage.opens()
    await ann.enters("ann", TIC)
    await ann.sees(lambda view: view["offered"].get("computers"))
    options = {"width": "3", "height": "3", "row": "3"}
    ann.asks(do="host", seats=2, computers=1, options=options)
    game = (await ann.plays())["game"]
    assert game["setting"] == {"do": "host", "seats": 2, "computers": 1, "public": False, "options": options}
    for wrong in ("none", {}, {"seats": 2, "computers": "all"}):
        ann.asks(do="same", setting=wrong)
    await ann.until(lambda: len(ann.wrong) == 3)
    assert ann.view["phase"] == "over"
    ann.asks(do="same", setting=game["setting"])
    await ann.sees(lambda view: view["phase"] == "playing" and view["game"]["id"] != game["id"])
    again = (await ann.plays())["game"]
    assert "A board of 3 columns and 3 rows" in ann.boards[-1]["words"]
    assert again["setting"] == game["setting"]


async def test_the_same_game_once_more_with_any_opponent(opens: Opens, autojump_clock: MockClock) -> None:
    stage = opens()
    await stage.leads()
    ann = stage.opens()
    await ann.enters("ann", TIC)
    ann.asks(do="wait")
    await ann.phase("waiting")
    stage.bot("rob")
    game = (await ann.plays())["game"]
    assert game["setting"] == {"do": "wait"}
    ann.asks(do="same", setting=game["setting"])
    await ann.sees(lambda view: view["phase"] == "playing" and view["game"]["id"] != game["id"])


@pytest.mark.parametrize("owner_first", [True, False])
async def test_people_who_want_the_same_game_again_meet_again(
    opens: Opens, autojump_clock: MockClock, owner_first: bool
) -> None:
    stage = opens()
    await stage.leads()
    ann, ben = stage.opens(), stage.opens()
    await ann.enters("ann", TIC)
    await ben.enters("ben", TIC)
    options = {"width": "3", "height": "3", "row": "3"}
    ann.asks(do="host", seats=2, computers=0, public=True, options=options)
    table = (await ann.phase("table"))["table"]
    ben.asks(do="join", id=table["id"])
    async with trio.open_nursery() as nursery:
        for browser in (ann, ben):
            nursery.start_soon(browser.plays)
    assert ann.view["game"]["setting"] == ben.view["game"]["setting"]
    first, second = (ann, ben) if owner_first else (ben, ann)
    first.asks(do="same", setting=first.view["game"]["setting"])
    assert (await first.phase("table"))["table"]["options"] == options
    other = first.view["nick"]
    note = f"{other} has set up the same game again, and you are invited"
    assert (await second.sees(lambda view: view["notes"]))["notes"] == [note]
    second.asks(do="same", setting=second.view["game"]["setting"])
    for browser in (ann, ben):
        await browser.phase("playing")
        await browser.sees(lambda view: {seat["nick"] for seat in view["game"]["seats"]} == {"ann", "ben"})


@pytest.mark.parametrize("names", [("ann", "ben"), ("ben", "ann")])
async def test_people_who_want_it_again_at_the_same_moment_meet_too(
    opens: Opens, autojump_clock: MockClock, names: tuple[str, str]
) -> None:
    """Each found no table, set one up, and waited there for the other one."""
    stage = opens()
    await stage.leads()
    both = [stage.opens() for _ in names]
    for browser, nick in zip(both, names, strict=True):
        await browser.enters(nick, TIC)
    both[0].asks(do="host", seats=2, computers=0, options={"width": "3", "height": "3", "row": "3"}, public=True)
    table = (await both[0].phase("table"))["table"]
    both[1].asks(do="join", id=table["id"])
    async with trio.open_nursery() as nursery:
        for browser in both:
            nursery.start_soon(browser.plays)
    for browser in both:
        browser.asks(do="same", setting=browser.view["game"]["setting"])
    for browser in both:
        await browser.phase("playing")
        await browser.sees(lambda view: {seat["nick"] for seat in view["game"]["seats"]} == {"ann", "ben"})


async def test_who_has_begun_with_fewer_plays_again_with_as_many(opens: Opens, autojump_clock: MockClock) -> None:
    stage = opens()
    await stage.leads("apologies")
    ann = stage.opens()
    await ann.enters("ann", "apologies")
    ann.asks(do="host", seats=3, computers=0)
    await ann.phase("table")
    ann.asks(do="start")
    view = await ann.sees(lambda view: view["game"] and view["game"]["seats"])
    there = len(view["game"]["seats"])
    assert (view["game"]["setting"]["seats"], view["game"]["setting"]["computers"]) == (there, there - 1)


async def test_people_meet_at_a_table(opens: Opens, autojump_clock: MockClock) -> None:
    stage = opens()
    await stage.leads()
    ann, ben = stage.opens(), stage.opens()
    await ann.enters("ann", TIC)
    await ben.enters("ben", TIC)
    ann.asks(do="host", seats=2, computers=0, public=True)
    assert (await ann.phase("table"))["table"]["nicks"] == ["ann"]
    await ann.sees(lambda view: "whose game has not begun" in view["account"])
    ben.asks(do="look")
    (table,) = (await ben.sees(lambda view: view["tables"]))["tables"]
    assert (table["owner"], table["free"]) == ("ann", 1)
    ben.asks(do="join", id=table["id"])
    await ann.phase("playing")
    await ben.phase("playing")
    await ann.until(lambda: ann.may_move() or ben.may_move())
    assert ann.view["account"] == ""
    ann.asks(do="quit")
    assert (await ann.phase("over"))["game"]["over"]
    assert (await ben.phase("over"))["game"]["over"]


async def test_a_table_is_put_away_and_left(opens: Opens, autojump_clock: MockClock) -> None:
    stage = opens()
    await stage.leads()
    ann, ben, cyd = stage.opens(), stage.opens(), stage.opens()
    for browser, nick in ((ann, "ann"), (ben, "ben"), (cyd, "cyd")):
        await browser.enters(nick, "apologies" if browser is cyd else TIC)
    ann.asks(do="host", seats=3, computers=0, public=True)
    await ann.sees(lambda view: view["notes"] or view["phase"] == "table")
    assert ann.view["phase"] == "lobby", "the master plays games of two"
    assert "seats" in ann.view["notes"][0]
    ann.asks(do="wait")
    await ann.phase("waiting")
    ann.asks(do="quit")
    await ann.phase("lobby")
    ann.asks(do="host", seats=2, computers=0)
    table = (await ann.phase("table"))["table"]
    ben.asks(do="join", id=table["id"])
    await ben.sees(lambda view: view["notes"])
    assert "you know no such table" in ben.view["notes"][-1], "it is a private one"
    ann.asks(do="quit")
    await ann.phase("lobby")
    ann.asks(do="host", seats=2, computers=0)
    await ann.phase("table")
    ann.asks(do="start")
    await ann.phase("playing")
    await ann.sees(lambda view: {seat["kind"] for seat in view["game"]["seats"]} == {"human", "program"})


async def test_who_does_not_move_in_time_hears_why_it_is_over(opens: Opens, autojump_clock: MockClock) -> None:
    stage = opens()
    await stage.leads()
    stage.bot("rob")
    ann = stage.opens()
    await ann.enters("ann", TIC)
    ann.asks(do="wait")
    await ann.sees(lambda view: view["game"] and view["game"]["clock"].get("move_left_s", 0) > 0)
    view = await ann.phase("over")
    assert view["game"]["verdict"]["outcome"] == "lost"
    assert "no move within" in view["game"]["verdict"]["told"]
    assert (view["notes"], view["warned"]) == ([], "")
    await trio.sleep(60)
    assert ann.view["phase"] == "over", "who is away is not seated again"


async def test_a_name_that_is_taken(opens: Opens, autojump_clock: MockClock) -> None:
    stage = opens()
    ann, other = stage.opens(), stage.opens()
    await ann.enters("ann", TIC)
    other.asks(do="login", nick="ANN", game_type=TIC)
    view = await other.sees(lambda view: view["phase"] == "out" and view["notes"])
    assert view["notes"][-1] == "You could not come in: this name is taken, choose another one."
    other.asks(do="login", nick="An\u043d", game_type=TIC)
    view = await other.sees(lambda view: view["phase"] == "out" and view["notes"] and "mixes" in view["notes"][-1])
    assert view["notes"] == ["You could not come in: the name mixes letters that look alike: Cyrillic and Latin."]
    await trio.sleep(20)
    assert len(other.view["notes"]) == 1, "its connection did not wait for another login"
    await other.enters("ben", TIC)


async def test_a_name_that_is_kept_for_its_player(opens: Opens, autojump_clock: MockClock) -> None:
    stage = opens()
    ann, other = stage.opens(), stage.opens()
    await ann.enters("ann", TIC)
    await ann.sees(lambda view: view["token"])
    ann.leaves()
    await trio.sleep(1)
    other.asks(do="login", nick="ann", game_type=TIC)
    (note,) = (await other.sees(lambda view: view["phase"] == "out" and view["notes"]))["notes"]
    assert "the name 'ann' is kept for its absent player for another" in note
    assert note.endswith(
        " s; if that is you: the page that you played on comes back by itself while it is open, else wait."
    )


async def test_a_session_goes_on_in_another_window(opens: Opens, autojump_clock: MockClock) -> None:
    stage = opens()
    ann, again = stage.opens(), stage.opens()
    await ann.enters("ann", TIC)
    view = await ann.sees(lambda view: view["token"])
    again.asks(do="resume", token=view["token"], game_type=TIC, waited=True)
    await again.phase("waiting")
    assert (await ann.phase("out"))["notes"][0] == "this session continues on another connection"
    again.asks(do="logout")
    assert (await again.phase("out"))["notes"] == []
    await trio.sleep(1)
    assert stage.nicks() == set()


async def test_a_token_that_is_none(opens: Opens, autojump_clock: MockClock) -> None:
    ann = opens().opens()
    ann.asks(do="resume", token="nothing", game_type=TIC)
    view = await ann.sees(lambda view: view["phase"] == "out" and view["notes"])
    assert (view["token"], view["notes"]) == (
        "",
        ["you were away for too long, so your session is over; come in again"],
    )


async def test_who_goes_without_a_word_may_come_back_for_a_while(opens: Opens, autojump_clock: MockClock) -> None:
    stage = opens(session_grace_s=30)
    ann = stage.opens()
    await ann.enters("ann", TIC)
    ann.leaves()
    await trio.sleep(20)
    assert stage.nicks() == {"ann"}
    await trio.sleep(20)
    assert stage.nicks() == set()


async def test_its_connection_counts_for_the_address_of_the_browser(opens: Opens, autojump_clock: MockClock) -> None:
    stage = opens()
    await stage.opens().enters("ann", TIC)
    assert stage.addresses == ["192.0.2.7:4321"]


async def test_an_open_page_alone_is_no_connection_to_the_broker(opens: Opens, autojump_clock: MockClock) -> None:
    stage = opens()
    await stage.opens().phase("out")
    await trio.sleep(1000)
    assert stage.addresses == []


async def test_the_broker_has_no_room(opens: Opens, autojump_clock: MockClock) -> None:
    stage = opens()

    def none(_address: str) -> trio.abc.Stream:
        raise OSError("too many open files")

    stage.site = Site(LiveServer(stage.shell.broker, stage.shell.questions), stage.reads, connect=none)
    ann = stage.opens()
    ann.asks(do="login", nick="ann", game_type=TIC)
    await ann.sees(lambda view: view["phase"] == "out" and view["notes"])


async def test_the_server_stops(opens: Opens, autojump_clock: MockClock) -> None:
    stage = opens()
    ann = stage.opens()
    await ann.enters("ann", TIC)
    (player,) = stage.shell.broker.server.names.players.values()
    stage.shell.broker.server.send(player, ServerShutdown())
    stage.shell.driver.happens_next  # noqa: B018
    ann.asks(do="look")
    view = await ann.phase("out")
    assert (view["token"], view["notes"]) == ("", ["the server is stopping"])


async def test_who_plays_is_told_that_a_lost_master_is_awaited_and_for_how_long(
    opens: Opens, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock on the page ran on, though none does, and nothing said why the game stood still."""
    stage = opens(master_grace_s=60)
    lines: list[Connection] = []
    attaches = stage.shell.attaches

    def attach(transport: Transport) -> Connection:
        lines.append(attaches(transport))
        return lines[-1]

    monkeypatch.setattr(stage.shell, "attaches", attach)
    await stage.leads("tic-tac-toe", "--once")
    ann = stage.opens()
    await ann.enters("ann", TIC)
    await ann.sees(lambda view: view["offered"].get("computers"))
    ann.asks(do="host", seats=2, computers=1)
    await ann.until(ann.may_move)
    await ann.sees(lambda view: view["game"]["clock"].get("move_left_s"))
    assert ann.view["awaited"] is None
    at = wall_us() / MICRO
    lines[0].lose("cut")
    view = await ann.sees(lambda view: view["awaited"])
    assert at + 50 < view["awaited"] < at + 70
    view = await ann.sees(lambda view: view["game"]["clock"]["move_left_s"] is None)
    await stage.leads()
    await stage.server.log.tells("game taken over")
    view = await ann.sees(lambda view: view["awaited"] is None)
    await ann.sees(lambda view: view["game"]["clock"]["move_left_s"])
    ann.asks(do="move", number=ann.boards[-1]["number"], offer=0)
    await ann.until(lambda: ann.view["game"]["number"] >= 2 and ann.may_move())


async def test_that_the_server_is_about_to_stop_is_seen_at_once(opens: Opens, autojump_clock: MockClock) -> None:
    """In the middle of a game and in the lobby: who played learned of it from the lost line."""
    stage = opens()
    ann = stage.opens()
    view = await ann.enters("ann", TIC)
    assert not view["stopping"]
    stage.shell.broker.server.condition.drains()
    await ann.sees(lambda view: view["stopping"])


# What a browser may not do.


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://elsewhere.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
async def test_a_strange_page_may_not_play(opens: Opens, autojump_clock: MockClock, headers: dict[str, str]) -> None:
    stage = opens()
    browser = stage.opens(**headers)
    await browser.until(lambda: browser.closed is not None)
    assert browser.closed == POLICY
    assert browser.view == {}


async def test_nonsense_is_told_so_and_not_for_ever(opens: Opens, autojump_clock: MockClock) -> None:
    browser = opens().opens()
    for text in ("", "{", "[]", "1", '{"do": "fly"}', '{"do": []}', '{"do": "move"}', '{"do": "login", "nick": 1}'):
        browser.says(text)
    await browser.until(lambda: len(browser.wrong) == 8)
    assert browser.wrong[:3] == ["a request is a JSON object"] * 3
    assert browser.wrong[4].startswith("do: expected one of login, resume, ")
    assert browser.wrong[6] == "move: not possible now (out)"
    assert browser.wrong[7] == "nick: expected a text of 1 to 200 characters"
    for _ in range(MAX_WRONG - 7):
        browser.says("")
    await browser.until(lambda: browser.closed is not None)
    assert browser.closed == POLICY


@pytest.mark.parametrize("odd", ["\0", "\x1b", "\ud800", "\uffff"])
async def test_texts_that_no_message_can_hold_are_told_so(opens: Opens, autojump_clock: MockClock, odd: str) -> None:
    """They ended the WebSocket without a word."""
    browser = opens().opens()
    browser.asks(do="login", nick=f"a{odd}", game_type=TIC)
    browser.asks(do="login", nick="ann", game_type=odd)
    browser.asks(do="login", nick="ann", game_type=TIC, token=odd * 8)
    browser.asks(do="resume", token=odd, game_type=TIC)
    await browser.until(lambda: len(browser.wrong) == 4)
    assert browser.wrong[0].startswith("nick: ")
    assert [one.partition(":")[0] for one in browser.wrong] == ["nick", "game_type", "token", "token"]
    await browser.enters("ann", TIC)
    browser.asks(do="host", seats=2, computers=1, options={odd: "1"})
    browser.asks(do="host", seats=2, computers=1, options={"width": odd})
    browser.asks(do="join", id=odd)
    await browser.until(lambda: len(browser.wrong) == 7)
    assert browser.closed is None


async def test_who_asks_without_pause_waits(opens: Opens, autojump_clock: MockClock) -> None:
    stage = opens()
    ann = stage.opens()
    await ann.enters("ann", TIC)
    began = trio.current_time()
    for _ in range(60):
        ann.asks(do="look")
    ann.asks(do="wait")
    await ann.phase("waiting")
    assert trio.current_time() - began > 30 / PER_SECOND


async def test_a_move_is_one_of_the_position_that_is_shown(opens: Opens, autojump_clock: MockClock) -> None:
    stage = opens()
    await stage.leads()
    stage.bot("rob")
    ann = stage.opens()
    await ann.enters("ann", TIC)
    ann.asks(do="wait")
    await ann.until(ann.may_move)
    number, offers = ann.boards[-1]["number"], len(ann.boards[-1]["offers"])
    for wrong in ({"number": number + 1, "offer": 0}, {"number": number, "offer": offers}, {"number": True}):
        ann.asks(do="move", **wrong)
    await ann.until(lambda: len(ann.wrong) == 3)
    ann.asks(do="move", number=number, offer=offers - 1)
    ann.asks(do="move", number=number, offer=0)
    await ann.until(lambda: len(ann.wrong) == 4)
    assert ann.wrong[3] == "move: the position has changed meanwhile"


async def test_what_a_person_notes_is_a_remark_of_its_seat(opens: Opens, autojump_clock: MockClock) -> None:
    stage = opens()
    await stage.leads()
    stage.bot("rob")
    ann = stage.opens()
    await ann.enters("ann", TIC)
    ann.asks(do="wait")
    await ann.until(ann.may_move)
    for wrong in ("", "n" * 501, 7):
        ann.asks(do="note", text=wrong)
    await ann.until(lambda: len(ann.wrong) == 3)
    ann.asks(do="note", text='the left <b> & "row"')
    await ann.until(lambda: "your note is in the record" in str(ann.view))
    ann.asks(do="note", text="once more")
    await ann.until(lambda: "your note is not taken: only one remark per move is allowed" in str(ann.view))
    (game,) = stage.shell.broker.server.running
    assert MADE.of(game).size == {game.seat_of["ann"]: len(b'{"plan":"the left <b> & \\"row\\""}')}


async def test_a_picture_that_has_to_wait_comes_all_the_same(
    opens: Opens, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = opens()
    await stage.leads()
    call = stage.reads.call
    refused: list[str] = []

    async def busy(question: Question, address: str = "") -> object:
        if len(refused) < 3:
            refused.append(address)
            raise Busy("too much")
        return await call(question, address)

    monkeypatch.setattr(stage.reads, "call", busy)
    stage.bot("rob")
    ann = stage.opens()
    await ann.enters("ann", TIC)
    ann.asks(do="wait")
    await ann.until(ann.may_move)
    assert refused == ["192.0.2.7:4321"] * 3


async def test_hostile_names_reach_the_page_as_they_are_and_no_picture(opens: Opens, autojump_clock: MockClock) -> None:
    nick = "<script>alert(1)</script>"
    stage = opens()
    await stage.leads()
    stage.bot("rob")
    ann = stage.opens()
    await ann.enters(nick, TIC)
    ann.asks(do="wait")
    await ann.until(ann.may_move)
    assert ann.view["nick"] == nick
    assert "<script" not in ann.boards[-1]["svg"]


async def test_the_page_names_the_games_that_are_played_and_can_be_clicked(
    opens: Opens, autojump_clock: MockClock
) -> None:
    stage = opens()
    assert "No game can be played here at present" in (await get(stage.site, "/play")).text
    await stage.leads()
    stage.reads.asked.clear()
    got = await get(stage.site, "/play")
    assert f'<option value="{TIC}">' in got.text
    assert "script-src 'self'" in got.headers["content-security-policy"]
    assert "stones in a row that win" in got.text, "what its options are for"
    assert stage.reads.asked == ["play"], "the worker finds out which games have pictures"


async def test_the_page_knows_why_a_game_type_is_paused(opens: Opens, autojump_clock: MockClock) -> None:
    stage = opens()
    await stage.leads()
    assert "data-paused='{}'" in (await get(stage.site, "/play")).text
    stage.shell.broker.server.condition.paused[TIC] = "Eve's lunch"
    paused = f"""data-paused='{{"{TIC}": "Eve\\u0027s lunch"}}'"""
    assert paused in (await get(stage.site, "/play")).text


async def test_a_program_takes_no_notice_of_who_its_opponent_is(opens: Opens, autojump_clock: MockClock) -> None:
    stage = opens()
    await stage.leads()
    ann = stage.opens()
    await ann.enters("ann", TIC)
    ann.asks(do="wait")
    await ann.phase("waiting")
    v4 = Peer(stage.shell.connects().stream)
    await v4.send(PlayerLogin("vic", TIC))
    assert await v4.receive() == LoginResponse()
    await ann.phase("playing")


async def test_a_name_with_a_token_is_for_who_shows_it(opens: Opens, autojump_clock: MockClock) -> None:
    stage = opens()
    shell = stage.shell
    shell.driver.happens(IdentitiesRead((Identity(1, Role.PLAYER, "ann", "a hash"),)))
    shell.proofs._right["a hash"] = shell.proofs._marked("s3cret")  # as if it had been shown before: no thread works
    eve, ann = stage.opens(), stage.opens()
    eve.asks(do="login", nick="ann", game_type=TIC, token="guess")
    view = await eve.sees(lambda view: view["phase"] == "out" and view["notes"])
    assert "this is not the token of this name" in str(view["notes"])
    ann.asks(do="login", nick="ann", game_type=TIC, token="s3cret")
    view = await ann.phase("lobby")
    assert view["nick"] == "ann"
    assert "s3cret" not in str(view)
