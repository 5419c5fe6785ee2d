"""A championship has just ended: its pages show what all of its games have led to, or that these are being counted."""

import json
import threading
from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from tests.championship.tables.played import Contest
from tests.daemon.shell import Shell
from tests.page.asking import get, page_of
from tests.standings.journals import BOUND_S, Kept
from ugs.journal.journal_error import JournalError
from ugs.page.contract import SiteSettings
from ugs.page.worker import standings_cache
from ugs.page.worker.answers import view
from ugs.page.worker.public_journal import PublicJournal
from ugs.page.worker.standings_cache import Computed, StandingsCache, compute
from ugs.places import Place, place_of
from ugs.standings.source import from_journal

FIELD = ("ann", "bob", "cat", "dan")
STAGES = ({"format": "swiss", "rounds": 3, "go_on": 2}, {"format": "knock-out"})
PLANS: dict[str, dict[str, Any]] = {
    "round-robin": {},
    "swiss": {"rounds": 3},
    "knock-out": {},
    "stages": {"stages": STAGES},
}
COUNTING = "the last games are being counted"


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that counts so slowly that no answer waits for it, and standings are left alone for a long while."""
    monkeypatch.setattr(standings_cache, "QUICK_S", 0.0)
    monkeypatch.setattr(standings_cache, "REST", 1e12)


class Recorded:
    """A championship whose ledger comes into a journal in parts."""

    def __init__(self, data_dir: Path, format_name: str) -> None:
        self.contest = Contest(FIELD, format=format_name, **PLANS[format_name])
        self._data_dir, self._written = data_dir, 0

    def begins(self) -> None:
        """Ann is ahead after two games."""
        self.contest.play(2)
        self._write()

    def ends(self) -> str:
        """All others are won by the last of the alphabet. Returns who has won it."""
        self.contest.play(wins=lambda fixture: max(fixture.nicks)).over()
        self._write()
        first = from_journal(place_of(str(self._data_dir)), championship="spring")[0].players[0]
        assert first.nick != "ann"
        return first.nick

    def _write(self) -> None:
        kept = Kept(self._data_dir)
        kept.ledger("spring", "chess", self.contest.entries[self._written :])
        kept.close()
        self._written = len(self.contest.entries)


def winner_in(html: str, before: str) -> str:
    """The first nick behind this text."""
    return html.split(before, 1)[1].partition("<bdi>")[2].partition("</bdi>")[0]


@pytest.mark.usefixtures("busy")
@pytest.mark.parametrize("format_name", PLANS)
async def test_who_comes_first_after_the_end_sees_the_final_table(
    format_name: str, tmp_path: Path, autojump_clock: MockClock
) -> None:
    """The page had shown the table as it was at the look before."""
    recorded = Recorded(tmp_path, format_name)
    recorded.begins()
    async with trio.open_nursery() as nursery:
        site, _ = page_of(Shell(nursery), tmp_path)
        await get(site, "/standings", championship="spring")  # waits for the first count
        before = (await get(site, "/api/v1/championship", name="spring")).json
        assert (before["state"], before["top"]["lines"][0]["nick"], before["newer"]) == ("running", "ann", False)
        winner = recorded.ends()
        html = (await get(site, "/championship", name="spring")).text
        assert winner_in(html, "<strong>over</strong>, won by ") == winner
        assert winner_in(html, '<h2 id="places">Final standings') == winner
        assert "Won by" not in html or winner_in(html, "Won by") == winner
        after = (await get(site, "/api/v1/championship", name="spring")).json
        assert sum(line["won"] for line in after["top"]["lines"]) == after["counted"]
        assert winner_in((await get(site, "/")).text, "<dt>won by</dt>") == winner
        assert winner_in((await get(site, "/championships")).text, "<td>over, won by ") == winner
        standings = (await get(site, "/standings.json", championship="spring")).json
        assert (standings["state"], standings["players"][0]["nick"]) == ("over", winner)
        nursery.cancel_scope.cancel()


async def test_what_has_put_players_with_equal_points_in_order_is_in_the_table(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    """Two players had as many points, and nothing showed why one of them was first."""
    contest = Contest(FIELD, format="round-robin", tie_breaks=("sonneborn-berger",))
    contest.play(wins=lambda fixture: "cat" if {*fixture.nicks} == {"ann", "cat"} else min(fixture.nicks)).over()
    kept = Kept(tmp_path)
    kept.ledger("spring", "chess", contest.entries)
    kept.close()
    async with trio.open_nursery() as nursery:
        site, _ = page_of(Shell(nursery), tmp_path)
        html = (await get(site, "/championship", name="spring")).text
        top = (await get(site, "/api/v1/championship", name="spring")).json["top"]
        nursery.cancel_scope.cancel()
    assert len({line["points"] for line in top["lines"]}) < len(FIELD)
    assert top["tie_breaks"] == ["sonneborn-berger"]
    assert all(line["tie_breaks"]["sonneborn-berger"] is not None for line in top["lines"])
    assert '<th scope="col" class="number">sonneborn-berger</th>' in html.split("Final standings")[1]


def shown(site: PublicJournal, page: str, **query: str) -> tuple[str, Any, bool]:
    """A page at one look: as HTML and as JSON, and whether it is worth another look."""
    html, model = (view(site, {"page": page, "form": form, "query": query}, {}) for form in ("html", "json"))
    assert html.later is model.later
    return html.body.decode(), json.loads(model.body), html.later


@pytest.mark.usefixtures("busy")
def test_there_is_no_winner_until_the_last_games_are_counted(tmp_path: Path) -> None:
    may_count = threading.Event()

    def counting(place: Place, game_type: str | None, championship: str | None) -> Computed:
        assert may_count.wait(BOUND_S)
        return compute(place, game_type, championship)

    def all_pages() -> list[tuple[str, Any, bool]]:
        return [shown(site, "championship", name="spring"), shown(site, "championships"), shown(site, "overview")]

    site, recorded = PublicJournal(SiteSettings(str(tmp_path))), Recorded(tmp_path, "round-robin")
    site.scores = StandingsCache(site.place, counting)
    recorded.begins()
    may_count.set()
    until_counted(site)
    may_count.clear()
    winner = recorded.ends()
    (html, championship, _), (listed, championships, _), (front, overview, _) = looks = all_pages()
    assert [later for _, _, later in looks] == [True] * 3
    assert "Final standings" not in html
    assert "won by" not in html + listed
    assert f"<strong>over</strong>, {COUNTING}" in html
    assert f"<td>over, {COUNTING}</td>" in listed
    assert '<dt>won by</dt><dd class="faint">being counted</dd>' in front
    assert (championship["state"], championship["top"], championship["newer"]) == ("over", None, True)
    for line in (championships["championships"][0], overview["contest"]):
        assert (line["leader"], line["pending"]) == ("", True)
    may_count.set()
    until_counted(site)
    (html, championship, _), (_, championships, _), (_, overview, _) = looks = all_pages()
    assert [later for _, _, later in looks] == [False] * 3
    assert winner_in(html, "<strong>over</strong>, won by ") == winner
    assert COUNTING not in html
    assert championship["newer"] is False
    for line in (championships["championships"][0], overview["contest"]):
        assert (line["leader"], line["pending"]) == (winner, False)


def until_counted(site: PublicJournal) -> None:
    """Wait until the standings of the championship belong to its ledger."""
    with pytest.MonkeyPatch.context() as patch, site.reading() as reader:
        patch.setattr(standings_cache, "QUICK_S", BOUND_S)
        patch.setattr(standings_cache, "WAIT_S", BOUND_S)
        (one,) = site.championships(reader)
        _, newer = site.scores.of_championship(one)
        assert not newer


@pytest.mark.usefixtures("busy")
def test_games_of_others_do_not_make_its_standings_old(tmp_path: Path) -> None:
    """On a server where much is played there would be no winner for most of the time."""
    site, recorded = PublicJournal(SiteSettings(str(tmp_path))), Recorded(tmp_path, "round-robin")
    recorded.begins()
    winner = recorded.ends()
    until_counted(site)
    other = Contest(FIELD, format="swiss", rounds=3).play(2)
    kept = Kept(tmp_path)
    kept.ledger("autumn", "chess", other.entries)
    kept.close()
    _, championship, later = shown(site, "championship", name="spring")
    assert (championship["top"]["lines"][0]["nick"], later) == (winner, False)


@pytest.mark.usefixtures("busy")
def test_a_copy_for_other_web_servers_waits_for_the_last_games(tmp_path: Path) -> None:
    site, recorded = PublicJournal(SiteSettings(str(tmp_path)), patient=True), Recorded(tmp_path, "stages")
    recorded.begins()
    assert shown(site, "championship", name="spring")[1]["top"]["lines"][0]["nick"] == "ann"
    winner = recorded.ends()
    html, _, later = shown(site, "championship", name="spring")
    assert winner_in(html, '<h2 id="places">Final standings') == winner
    assert not later


def test_a_type_of_which_one_championship_is_all_that_was_played_shows_its_places_and_names_it(tmp_path: Path) -> None:
    site, recorded = PublicJournal(SiteSettings(str(tmp_path)), patient=True), Recorded(tmp_path, "round-robin")
    recorded.begins()
    recorded.ends()
    html, page, _ = shown(site, "standings", game_type="chess")
    assert page["heading"] == "0 games, 6 forfeits, all of championship spring"
    assert ("places by games won" in html, "over</span>" in html) == (False, False)
    html, page, _ = shown(site, "standings", championship="spring")
    assert (page["heading"], "over</span>" in html) == ("0 games, 6 forfeits", True)


def test_a_journal_that_could_not_be_read_once_is_read_again(tmp_path: Path) -> None:
    """Nothing comes to the ledger any more that would be a reason to count again."""
    troubles = [JournalError("it does not answer")]

    def counting(place: Place, game_type: str | None, championship: str | None) -> Computed:
        if troubles:
            raise troubles.pop()
        return compute(place, game_type, championship)

    site, recorded = PublicJournal(SiteSettings(str(tmp_path))), Recorded(tmp_path, "swiss")
    site.scores = StandingsCache(site.place, counting, patient=True)
    recorded.begins()
    winner = recorded.ends()
    asked = {"page": "championship", "form": "json", "query": {"name": "spring"}}
    assert view(site, asked, {}).status == 503
    assert json.loads(view(site, asked, {}).body)["top"]["lines"][0]["nick"] == winner
