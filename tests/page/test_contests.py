"""Brackets, cross tables and rounds by score on the page of a championship."""

import re
from pathlib import Path
from typing import Any

import pytest
from trio.testing import MockClock

from tests.championship.tables.played import Contest
from tests.page.test_pages import asked
from ugs.broker.championships import corrections
from ugs.broker.effects import RecordChampionship
from ugs.championship.ledger import What
from ugs.championship.tables.scheduled_games import ScheduledGame
from ugs.journal.journal import Journal
from ugs.page import html as html_of
from ugs.page.model import Current
from ugs.page.model import Server as PageServer
from ugs.page.results import ChampionshipPage, Gathering, Round, RoundCount
from ugs.page.worker.championships import _hour

HOSTILE = '<script>alert("1")</script>'
HOUR = "2030-05-01T20:00:00+02:00"
FIELD = ("ann", "bob", HOSTILE, "dan", "eve", "fay", "gus")


def kept(data_dir: Path, contest: Contest) -> Path:
    """A journal with the ledger of this championship."""
    journal = Journal(data_dir, version="0.1.0", kept=lambda _: None, lost=lambda _: None, back=lambda: None)
    for number, entry in enumerate(contest.entries):
        journal.record(RecordChampionship("spring", "chess", entry), 1_600_000_000_000_000 + number * 1_000_000, 0)
    journal.flush()
    journal.close()
    return data_dir


async def shown(data_dir: Path, contest: Contest) -> tuple[str, Any]:
    """The page as HTML, and its tables."""
    kept(data_dir, contest)
    html = (await asked("/championship", data_dir, name="spring")).text
    return html, (await asked("/api/v1/championship", data_dir, name="spring")).json["tables"]


async def test_a_knock_out_is_a_bracket_with_its_third_place_apart(tmp_path: Path, autojump_clock: MockClock) -> None:
    contest = Contest(FIELD, format="knock-out", third_place=True)
    contest.withdraw("dan")
    html, (table,) = await shown(tmp_path, contest.play())
    assert [len(one["matches"]) for one in table["tree"]["rounds"]] == [3, 2, 1]
    assert html.count('class="match"') == 7
    assert 'class="third"' in html
    assert "walkover" in html
    assert HOSTILE not in html
    assert "Won by" in html


async def test_a_disqualified_entrant_is_last_and_has_not_won(tmp_path: Path, autojump_clock: MockClock) -> None:
    contest = Contest(("ann", "bob", "dan"), format="swiss", rounds=2).play().over()
    contest.disqualify("ann")
    html, _ = await shown(tmp_path, contest)
    assert "Out: <bdi>ann</bdi> (disqualified by eve: cheated)" in html
    assert re.search(r'<td class="number">–</td><th scope="row">.*ann.*disqualified by eve: cheated', html)
    won = html.split("won by", 1)[1].split("</p>", 1)[0]
    assert "bob" in won
    assert "ann" not in won
    line = (await asked("/championships", tmp_path)).text
    assert "ann" not in line
    csv = (await asked("/api/v1/standings.csv", tmp_path, championship="spring")).text
    assert "disqualified by eve: cheated" in csv


async def test_a_level_match_that_is_played_again_is_not_the_last_of_its_games(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    contest = Contest(("ann", "bob"), format="knock-out").play(1, lambda _: "")
    contest.begin()
    html, _ = await shown(tmp_path, contest)
    assert '<progress max="2" value="1"' in html
    assert "1 game counted of at most 2" in html


async def test_a_match_that_others_wait_for_has_its_number(tmp_path: Path, autojump_clock: MockClock) -> None:
    html, _ = await shown(tmp_path, Contest(FIELD, format="knock-out", third_place=True, best_of=3).play(3))
    waits = set(re.findall(r"(?:winner|loser) of (match \d+)<", html))
    assert len(waits) > 1
    assert waits == set(re.findall(r"<span>(match \d+) · ", html))
    assert "games counted of at most 21" in " ".join(html.split())


async def test_a_knock_out_begins_with_its_bracket_and_tells_what_its_places_are(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    html, _ = await shown(tmp_path, Contest(FIELD, format="knock-out").play(3))
    assert html.index(">Bracket<") < html.index("by how far each has come") < html.index(">What happened<")


async def test_a_ladder_has_no_rounds_and_its_last_game_first(tmp_path: Path, autojump_clock: MockClock) -> None:
    contest = Contest(FIELD, format="ladder", rounds=20).play(60)
    html, _ = await shown(tmp_path, contest)
    (games,) = (await asked("/api/v1/championship", tmp_path, name="spring")).json["rounds"]
    assert "Round 1" not in html
    assert ">Games</h2>" in html
    assert games["number"] == 0
    ended = [game["fixture"] for game in games["games"] if game["state"] == "played"]
    assert ended == sorted(ended, reverse=True)
    assert ended[0] == 60
    assert games["more"] > 0


async def test_rounds_of_one_game_are_one_list(tmp_path: Path, autojump_clock: MockClock) -> None:
    html, _ = await shown(tmp_path, Contest(FIELD, format="gauntlet", repeats=2).play(4))
    assert "<h2>Round" not in html
    assert html.index(">Next games<") < html.index("round 5 · ") < html.index(">Last games<") < html.index("round 4<")
    assert html.index("round 4<") < html.index("round 1<")


async def test_before_the_first_game_the_first_rounds_are_in_sight(tmp_path: Path, autojump_clock: MockClock) -> None:
    html, _ = await shown(tmp_path, Contest(FIELD, format="round-robin"))
    in_sight, _, folded = html.partition("<details")
    assert [number for number in range(1, 8) if f"<h2>Round {number}<" in in_sight] == [1, 2]
    assert [number for number in range(1, 8) if f"<h2>Round {number}<" in folded] == [3, 4, 5, 6, 7]


def test_a_void_game_that_is_played_again_says_so() -> None:
    server = PageServer("1", running=True, keeps=True, draining=False, cannot_write=False)
    games = [
        ScheduledGame(number, 1, "", ["ann", "bob"], "void", f"g{number}", {}, again=number == 7) for number in (7, 8)
    ]
    kind = ("spring", "chess", "round-robin", "running")
    rounds = [Round(1, games, 0, "running")]
    page = ChampionshipPage(server, *kind, [], {}, 2, None, rounds, RoundCount(), None, [], None, None)
    text = html_of.parts("championship", page)["schedule"]
    assert text.count(">void, to be played again<") == 1
    assert text.count(">void<") == 1


async def test_a_round_robin_has_a_cross_table_and_its_rounds(tmp_path: Path, autojump_clock: MockClock) -> None:
    html, (table,) = await shown(tmp_path, Contest(FIELD, format="round-robin").play(9, lambda _: ""))
    assert len(table["cross"]["lines"]) == len(FIELD)
    assert "½" in html
    assert "to come" in html
    assert HOSTILE not in html


async def test_a_round_with_a_game_to_be_played_again_is_not_over(tmp_path: Path, autojump_clock: MockClock) -> None:
    contest = Contest(FIELD, format="round-robin").play(7)
    assert corrections.replay(contest.one, "g1", "eve", "coffee") is None
    kept(tmp_path, contest)
    rounds = (await asked("/api/v1/championship", tmp_path, name="spring")).json["rounds"]
    assert [(one["number"], one["state"]) for one in rounds if one["state"] != "to come"] == [
        (1, "running"),
        (3, "running"),
        (2, "over"),
    ]


async def test_a_swiss_has_its_games_by_score_and_who_sits_out(tmp_path: Path, autojump_clock: MockClock) -> None:
    html, (table,) = await shown(tmp_path, Contest(FIELD, format="swiss", rounds=3).play(4))
    assert [one["number"] for one in table["swiss"]] == [1, 2]
    states = [paired["game"]["state"] for group in table["swiss"][1]["groups"] for paired in group["games"]]
    assert sorted(states) == ["played", "to come", "to come"]
    assert "sits out" in html


async def test_a_corrected_result_says_by_whom_why_and_what_it_was(tmp_path: Path, autojump_clock: MockClock) -> None:
    contest = Contest(FIELD, format="round-robin").play(1)
    first = next(iter(contest.one.ledger.counted.values()))
    contest.correct(first.game_id, {"": "drawn"}, "<b>wrong</b> clock")
    html, _ = await shown(tmp_path, contest)
    assert "corrected by <bdi>eve</bdi>: &lt;b&gt;wrong&lt;/b&gt; clock; it was:" in html


def test_its_page_has_that_its_game_type_is_paused() -> None:
    server = PageServer("1", running=True, keeps=True, draining=False, cannot_write=False)
    kind = ("spring", "chess", "round-robin", "running")
    paused = "the organiser has paused chess: <tea>"
    current = Current("spring", "chess", "running", "round-robin", 3, 3, "", 1, 0, [], [], "", paused_type=paused)
    page = ChampionshipPage(server, *kind, [], {}, 0, None, [], RoundCount(), current, [], None, None)
    text = html_of.parts("championship", page)["schedule"]
    assert '<p class="note">the organiser has paused chess: &lt;tea&gt;</p>' in text


def test_its_page_has_the_options_of_its_games_and_that_no_master_offers_them() -> None:
    server = PageServer("1", running=True, keeps=True, draining=False, cannot_write=False)
    kind = ("spring", "chess", "round-robin", "announced")
    unmet = "no game master here offers its options: <7>"
    current = Current("spring", "chess", "announced", "round-robin", 3, 3, "", 0, 0, [], [], "", options_unmet=unmet)
    options = {"board_size": "7", "mode": "<b>"}
    page = ChampionshipPage(server, *kind, [], {}, 0, None, [], RoundCount(), current, [], None, None, options=options)
    text = html_of.parts("championship", page)["schedule"]
    assert ">board size: 7</span> · " in text
    assert ">mode: &lt;b&gt;</span></p>" in text
    assert '<p class="note">no game master here offers its options: &lt;7&gt;</p>' in text


async def test_the_options_are_those_of_the_plan(tmp_path: Path, autojump_clock: MockClock) -> None:
    html, _ = await shown(tmp_path, Contest(FIELD, format="round-robin", options={"board_size": 7}))
    assert ">board size: 7</span></p>" in html


async def test_before_it_begins_there_is_nothing_to_show(tmp_path: Path, autojump_clock: MockClock) -> None:
    contest = Contest(FIELD, format="knock-out")
    del contest.entries[1:]
    _, tables = await shown(tmp_path, contest)
    assert tables == []


async def test_one_that_is_announced_shows_what_it_waits_for(tmp_path: Path, autojump_clock: MockClock) -> None:
    contest = Contest(FIELD, format="round-robin", entrants=["ann", "bob"], first=0)
    contest.entries[:] = [one for one in contest.entries if one.what is What.PLANNED]
    html, _ = await shown(tmp_path, contest)
    assert "2 entrants" in html
    assert "It begins as soon as all are." in html
    assert "counted" not in html


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        ({"first": 12}, ("<strong>3 of 12</strong> players are here", "It begins as soon as 12 are.")),
        (
            {"begins_at": "2030-05-01T20:00:00+02:00"},
            ("<strong>3 players</strong> are here", "with those who are here"),
        ),
        (
            {"entrants": ["ann", "bob", "cid"], "begins_at": HOUR},
            ("<strong>3 of 3</strong> entrants are here", "with those of them who are here then"),
        ),
    ],
)
def test_its_page_has_how_many_are_here_and_when_it_begins(plan: dict[str, Any], words: tuple[str, str]) -> None:
    named = len(plan.get("entrants", ()))
    waits = Gathering(named or plan.get("first", 0), named > 0, 3, _hour(plan))
    server = PageServer("1", running=True, keeps=True, draining=False, cannot_write=False)
    kind = ("spring", "chess", "round-robin", "announced")
    page = ChampionshipPage(server, *kind, [], {}, 0, None, [], RoundCount(), None, [], None, None, gathering=waits)
    text = html_of.parts("championship", page)["schedule"]
    assert all(one in text for one in words)
    assert ("data-until" in text) == ("begins_at" in plan)
    if "begins_at" in plan:
        assert '<time datetime="2030-05-01T18:00:00+00:00">' in text


async def test_the_format_of_stages_is_in_words(tmp_path: Path, autojump_clock: MockClock) -> None:
    stages = ({"format": "swiss", "rounds": 3, "go_on": 4}, {"format": "knock-out"})
    html, _ = await shown(tmp_path, Contest(FIELD, format="stages", stages=stages))
    assert "Chess · Swiss, then knock-out of 4</p>" in html
    for path in ("/championships", "/"):
        assert "Swiss, then knock-out of 4<" in (await asked(path, tmp_path)).text.replace(" · ", "<")
    one = (await asked("/api/v1/championship", tmp_path, name="spring")).json
    assert (one["format"], one["format_words"]) == ("stages", "Swiss, then knock-out of 4")


STAGES: tuple[dict[str, Any], ...] = ({"format": "swiss", "rounds": 2, "go_on": 4}, {"format": "knock-out"})


async def test_each_stage_is_shown_once_with_its_rounds_the_last_one_first(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    contest = Contest(FIELD, format="stages", stages=STAGES).play(7)
    html, tables = await shown(tmp_path, contest)
    heads = re.findall("<h2[^>]*>(?:Stage [0-9]: )?([^<]*)", html)
    assert heads == ["knock-out of 4", "Swiss, 2 rounds ", "Standings ", "What happened"]
    assert html.count(">Round 1<") == html.count(">Round 2<") == 1
    games = re.findall(r'href="game\?id=(g[0-9]+)', html)
    assert sorted(games) == sorted({*games}), "each once"
    assert len(games) == 7
    swiss, _ = tables
    assert html.count(">went on<") == len(swiss["through"]) == 4
    assert HOSTILE not in html


async def test_groups_have_their_cross_tables_and_rounds_below_their_stage(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    stages = ({"groups": 2, "go_on": 2}, {"format": "knock-out", "go_on": 2}, {"format": "round-robin"})
    html, _ = await shown(tmp_path, Contest(FIELD, format="stages", stages=stages).play(20))
    parts = re.split("<h2[^>]*>Stage ", html)[1:]
    assert [one.partition("<")[0] for one in parts] == ["3: round robin", "2: knock-out of 4 ", "1: 2 groups "]
    assert "Went on: " in parts[1]
    assert [one.count("<details") for one in parts] == [0, 0, 1], "games of earlier stages are folded"
    assert re.findall("<h3>([^<]*)<", parts[2]) == ["Group A", "Group B", "Round 3", "Round 2", "Round 1"]
    stages = (await asked("/api/v1/championship", tmp_path, name="spring")).json["stages"]
    assert [(one["number"], one["state"], len(one["rounds"])) for one in stages] == [
        (3, "over", 1),
        (2, "over", 0),
        (1, "over", 3),
    ]


async def test_the_table_of_a_first_stage_is_not_repeated_as_standings(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    html, _ = await shown(tmp_path, Contest(FIELD, format="stages", stages=STAGES).play(2))
    assert "Standings <" not in html
    assert "<caption" not in html
    assert html.count(">points</th>") == 1


async def test_tie_breaks_of_a_stage_are_columns_of_its_table(tmp_path: Path, autojump_clock: MockClock) -> None:
    stage = {"format": "swiss", "rounds": 1, "tie_breaks": ["buchholz"]}
    html, _ = await shown(tmp_path, Contest(FIELD, format="stages", stages=(stage,)).play())
    assert html.count(">buchholz</th>") == 1
