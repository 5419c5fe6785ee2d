"""What an organiser says on the first page, and the championship that it shows."""

from pathlib import Path
from typing import Any

import pytest
from trio.testing import MockClock

from tests.championship.tables.played import Contest
from tests.page.test_contests import HOSTILE, kept
from tests.page.test_pages import asked, ended
from tests.standings.test_source import a_cup, written
from ugs.broker.effects import RecordChampionship
from ugs.championship.ledger import LedgerEntry, What
from ugs.journal.importing import store
from ugs.journal.journal import Journal
from ugs.page import html
from ugs.page.model import Running, Server
from ugs.page.pages import PAGES
from ugs.page.results import OverviewFacts

TITLE = 'The "cup" of <b>Kiel</b>'
TEXT = "Bots of two courses.\n\nRules: https://games.example.org/rules\n<script>alert(1)</script>"
FIELD = ("ann", "bob", HOSTILE, "dan")


async def front(data_dir: Path | None, settings: Any = None) -> tuple[str, Any]:
    """The first page as HTML, and what it is made of."""
    told = settings or {}
    return (await asked("/", data_dir, told)).text, (await asked("/api/v1/overview", data_dir, told)).json


async def test_title_and_text_stand_on_it_as_text(autojump_clock: MockClock) -> None:
    html, overview = await front(None, {"title": TITLE, "text": TEXT})
    assert (overview["title"], overview["text"]) == (TITLE, TEXT)
    assert "<h1>The &#34;cup&#34; of &lt;b&gt;Kiel&lt;/b&gt;</h1>" in html
    assert "<p>Bots of two courses.</p>" in html
    assert '<a href="https://games.example.org/rules" rel="nofollow noopener">' in html
    assert "<script>alert" not in html


@pytest.mark.parametrize("page", [page for page in PAGES if page.html], ids=lambda page: page.name)
async def test_every_page_is_titled_by_its_name_and_the_site(
    page: Any, tmp_path: Path, autojump_clock: MockClock
) -> None:
    assert store(tmp_path, ended(1))
    written(tmp_path / "cup", a_cup)
    query: dict[str, dict[str, str]] = {
        "player": {"nick": "ann"},
        "game": {"id": "game1"},
        "championship": {"name": "cup"},
    }
    data_dir = tmp_path / "cup" if page.name == "championship" else tmp_path
    for title, site in (("", "Universal game server"), ("Kiel", "Kiel")):
        got = await asked(page.path, data_dir, {"title": title}, **query.get(page.name, {}))
        assert got.status == 200
        own, _, last = got.text.partition("<title>")[2].partition("</title>")[0].rpartition(" – ")
        assert own
        assert last == site


async def test_what_cannot_be_found_is_titled_by_the_site_too(tmp_path: Path, autojump_clock: MockClock) -> None:
    assert store(tmp_path, ended(1))
    got = await asked("/game", tmp_path, {"title": "Kiel"}, id="nothing")
    assert (got.status, "<title>404 – Kiel</title>" in got.text) == (404, True)


async def test_without_a_championship_none_is_shown(autojump_clock: MockClock) -> None:
    html, overview = await front(None)
    assert overview["contest"] is None
    assert 'id="contest"' not in html


async def test_of_those_that_are_announced_the_one_that_begins_first_is_shown(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    journal = Journal(tmp_path, version="0.1.0", kept=lambda _: None, lost=lambda _: None, back=lambda: None)
    hours = {"later": "2031-05-01T20:00:00Z", "next": "2030-05-01T20:00:00Z", "open": ""}
    for number, (name, hour) in enumerate(hours.items()):
        contest = Contest(FIELD, format="round-robin", name=name, begins_at=hour)
        planned = next(one for one in contest.entries if one.what is What.PLANNED)
        journal.record(RecordChampionship(name, "chess", planned), 1_600_000_000_000_000 + number, 0)
    journal.flush()
    journal.close()
    html, overview = await front(tmp_path)
    assert overview["contest"]["name"] == "next"
    assert 'data-until="2030-05-01T20:00:00+00:00"' in html


@pytest.mark.parametrize(("games", "tops"), [(0, []), (1, ["chess"])])
async def test_a_field_that_has_not_played_yet_has_no_standings_of_zeros(
    tmp_path: Path, autojump_clock: MockClock, games: int, tops: list[str]
) -> None:
    _, overview = await front(kept(tmp_path, Contest(FIELD, format="round-robin").play(games)))
    assert [one["game_type"] for one in overview["tops"]] == tops


async def test_one_that_is_played_is_shown_with_how_far_it_has_come(tmp_path: Path, autojump_clock: MockClock) -> None:
    html, overview = await front(kept(tmp_path, Contest(FIELD, format="knock-out").play(1)))
    assert (overview["contest"]["state"], overview["contest"]["leader"]) == ("running", "")
    assert "Championship, being played" in html
    assert "1 game counted" in html


async def test_the_last_one_is_shown_with_its_winner_and_its_dates(tmp_path: Path, autojump_clock: MockClock) -> None:
    """A round robin places nobody by itself: who has won is known from its standings."""
    html, overview = await front(written(tmp_path, a_cup))
    contest = overview["contest"]
    assert (contest["name"], contest["state"], contest["leader"]) == ("cup", "over", "ben")
    assert contest["ended"] is not None
    assert '<dd class="winner"><bdi>ben</bdi></dd>' in html
    assert html.partition('id="contest"')[2].count("<time datetime=") >= 1


async def test_those_that_are_played_and_the_last_ones_that_ended_stand_below_it(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    """The one that is played is the last one; four have ended before, and another one is played."""
    journal = Journal(tmp_path, version="0.1.0", kept=lambda _: None, lost=lambda _: None, back=lambda: None)
    over = [LedgerEntry(What.OVER, {"placing": ["dan", "ann"]})]
    ends = {"old 0": over, "old 1": over, "old 2": over, "old 3": over, "evening": [], HOSTILE: []}
    for number, (name, end) in enumerate(ends.items()):
        contest = Contest(FIELD, format="knock-out", name=name).play(1)
        for later, entry in enumerate([*contest.entries, *end]):
            wall_us = 1_600_000_000_000_000 + number * 86_400_000_000 + later * 1_000_000
            journal.record(RecordChampionship(name, "chess", entry), wall_us, 0)
    journal.flush()
    journal.close()
    html, overview = await front(tmp_path)
    assert overview["contest"]["name"] == HOSTILE
    assert [one["name"] for one in overview["other_contests"]] == ["evening", "old 3", "old 2", "old 1"]
    listed = html.partition('id="contests"')[2].partition("</section>")[0]
    assert "being played" in listed
    assert "1 game counted" in listed
    assert listed.count('won by <span class="winner"><bdi>dan</bdi></span>') == 3
    assert "2020-09-16" in listed
    assert '<a href="championships">All championships</a>' in listed


async def test_where_there_is_one_championship_no_others_are_listed(tmp_path: Path, autojump_clock: MockClock) -> None:
    html, overview = await front(kept(tmp_path, Contest(FIELD, format="knock-out").play(1)))
    assert overview["other_contests"] == []
    assert "Other championships" not in html


def test_a_board_whose_game_has_ended_is_marked_as_such() -> None:
    """It stood below "Playing now" with nothing but its result."""
    ended = Running("g1", "chess", "", ["ann", "pam"], 9, 60.0, 0.0, svg="<svg/>", over=True, result="pam won")
    runs = Running("g2", "chess", "", ["eve", "fay"], 9, 60.0, 0.0, svg="<svg/>")
    server = Server("", running=True, keeps=True)
    both = html.parts("overview", OverviewFacts(server, [ended, runs], 0, []))["running"]
    assert '<strong class="result">ended: pam won</strong>' in both
    assert 'Playing now <span class="count">1</span>' in both
    assert "Ended just now</h2>" in html.parts("overview", OverviewFacts(server, [ended], 0, []))["running"]
