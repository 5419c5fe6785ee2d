"""Templates: what the server writes itself is compiled before a browser asks for it, and what pages count."""

from collections.abc import Iterator

import pytest
from jinja2 import Environment

from ugs.page import html
from ugs.page.model import Pool, PresentMaster, Running, Server
from ugs.page.results import OverviewFacts, StandingsPage


@pytest.fixture
def fresh() -> Iterator[None]:
    """No template has been compiled; what this test compiles is forgotten after it."""
    html._environment.cache_clear()
    yield
    html._environment.cache_clear()


@pytest.mark.usefixtures("fresh")
def test_pages_of_the_server_itself_are_compiled_beforehand_one_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first who asked for one of them held the loop for 22 ms."""
    assert sum(1 for _ in html.prepare()) == len(html.WRITTEN_BY_SERVER)

    def compiles(*_args: object, **_named: object) -> None:
        raise AssertionError("a template is compiled while a browser waits")

    monkeypatch.setattr(Environment, "compile", compiles)
    assert "no such page" in html.error(404, "no such page")
    assert "token" in html.beside("mine-enter.html", here="mine", wrong="")
    assert "token" in html.standalone("mine-enter.html", here="mine", wrong="wrong")
    assert "token" in html.standalone("admin-enter.html", wrong="")


def test_a_board_whose_game_has_ended_is_not_counted_as_running() -> None:
    """A board keeps its place until its end was seen: four bots seemed to play five games."""
    games = [
        Running(
            name, "chess", "", ["ann", "bob"], 9, 3.0, 0.0, svg="<svg/>", over=over, result="ann won" if over else ""
        )
        for name, over in (("g1", True), ("g2", False), ("g3", True))
    ]
    server = Server("1", running=True, keeps=True)
    assert '<span class="count">1</span>' in html.parts("overview", OverviewFacts(server, games, 0, []))["running"]


def test_people_are_asked_to_play_only_where_a_game_master_is_here() -> None:
    def shown(pools: list[Pool]) -> str:
        return html.page("overview", OverviewFacts(Server("1", running=True, keeps=True), [], 0, [], pools=pools))

    led = Pool("go", 0, 0, 0, [], 0, [], [PresentMaster("m", "m 1", 0, None, 2, 2)], 0, [], "")
    for text in ("play one yourself", "Play a game"):
        assert text in shown([led])
        assert text not in shown([])
    assert "No game master is here" in shown([])


def test_a_paused_game_type_is_named_and_not_offered() -> None:
    def shown(*pools: Pool) -> str:
        return html.page("overview", OverviewFacts(Server("1", running=True, keeps=True), [], 0, [], pools=[*pools]))

    masters = [PresentMaster("m", "m 1", 0, None, 2, 2)]
    rests = Pool("go", 0, 0, 0, [], 0, [], masters, 0, [], "", paused="lunch & tea")
    led = Pool("chess", 0, 0, 0, [], 0, [], masters, 0, [], "")
    for pools, offered in (((rests,), False), ((rests, led), True)):
        assert "The organiser has paused Go: lunch &amp; tea" in shown(*pools)
        for text in ("play one yourself", "Play a game"):
            assert (text in shown(*pools)) == offered
    assert "paused" not in shown(led)


def test_of_a_server_without_a_journal_an_error_does_not_promise_results_for_later() -> None:
    assert "<h1>Nothing is kept here</h1>" in html.error(503, "nothing is kept: …")
    assert "<h1>Not at present</h1>" in html.error(503, "the worker is busy")
    assert "<h1>Too large to be shown</h1>" in html.error(503, "this cannot be shown: it takes more than 30 s")


def test_standings_without_a_choice_go_on_with_the_type_that_was_shown() -> None:
    """The table became that of the type played last, below the heading of the one before."""
    shown = StandingsPage(
        Server("1", running=True, keeps=True), "chess", "chess", "", "", "", [], 0, [], [], [], [], "", [], "place",
        False, True, False,
    )  # fmt: skip
    assert 'data-live="live?page=standings&amp;game_type=chess"' in html.page("standings", shown, html.served)


def test_names_of_programs_break_behind_their_signs() -> None:
    assert html.breakable("master-openspiel:connect_four") == "master-<wbr>openspiel:<wbr>connect_<wbr>four"
    assert html.breakable("chess 0.1.0") == "chess 0.1.0"
    assert html.breakable("<b>--x") == "&lt;b&gt;--<wbr>x"
    assert not html.breakable("")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (-5, "any moment now"),
        (59, "in less than a minute"),
        (60, "in 1 min"),
        (3600 + 62, "in 1 h 1 min"),
        (86_400 + 3600 * 5 + 700, "in 1 day 5 h"),
        (86_400 * 3, "in 3 days"),
    ],
)
def test_what_is_left_until_a_moment_is_in_words(seconds: float, text: str) -> None:
    assert html.until(seconds) == text
    assert f">{text}<" in html.countdown(1e9 + seconds, now=1e9)
    assert 'data-until="2001-09-09T01:46:40+00:00"' in html.countdown(1e9)
