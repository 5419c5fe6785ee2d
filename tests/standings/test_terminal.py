"""Standings on a terminal."""

import io
from itertools import combinations

import pytest
from rich.console import Console

from tests.standings.results import game, won
from ugs.broker.verdict import Cause, Outcome
from ugs.championship.plan import TieBreak
from ugs.standings.compute import ChampionshipFacts, standings_of
from ugs.standings.standings import Standings
from ugs.standings.terminal import CROSS_TABLE_PLAYERS, show

TIE_BREAKS: tuple[TieBreak, ...] = ("head-to-head", "sonneborn-berger", "buchholz", "wins")


def printed(*several: Standings, width: int = 200) -> str:
    console = Console(file=io.StringIO(), width=width, force_terminal=False)
    show(several, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_the_standings_the_cross_table_and_the_remarks_are_printed() -> None:
    text = printed(standings_of([won("ann", "ben")] * 3, "chess"))
    assert text.splitlines()[0].rstrip() == "chess: 3 games"
    assert "places by games won, then by fewest lost" in text, "not by the rating, as one might think"
    assert "95 %" in text
    assert "3-0-0" in text
    assert "ann and ben cannot be distinguished yet" in text


def test_a_nick_with_markup_is_printed_as_it_is() -> None:
    assert "[bold]ann[/bold]" in printed(standings_of([won("[bold]ann[/bold]", "ben")], "[red]chess"))


def test_several_standings_follow_each_other() -> None:
    text = printed(standings_of([won("a", "b")], "chess"), standings_of([won("c", "d")], "go"))
    assert text.index("chess: 1 game") < text.index("go: 1 game")


def test_the_cross_table_of_a_large_field_is_left_out() -> None:
    results = [won("p0", f"p{number}") for number in range(1, CROSS_TABLE_PLAYERS + 1)]
    assert "against each other" not in printed(standings_of(results, "chess", ratings=False))


def test_without_any_game_it_says_so() -> None:
    assert printed() == "no games yet\n"


def contest() -> Standings:
    """Standings with every column there is, and long nicks."""
    nicks = [f"player-number-{number}-of-the-course" for number in range(6)]
    facts = ChampionshipFacts("cup", "over", TIE_BREAKS, byes={nicks[0]: 1}, void_of={nicks[1]: 1}, void=1)
    late = game((nicks[0], Outcome.WON), (nicks[1], Outcome.LOST), departures={nicks[1]: Cause.DISCONNECTED})
    return standings_of([late, *(won(one, other) for one, other in combinations(nicks, 2))], "chess", facts)


@pytest.mark.parametrize("width", [40, 60, 80, 100, 120, 160, 200])
def test_every_row_takes_one_line_and_columns_go_by_their_importance(width: int) -> None:
    lines = printed(contest(), width=width).splitlines()
    rows = [line for line in lines if "player-" in line and " cannot be " not in line][:6]
    assert [line.split()[0] for line in rows] == list("123456")
    assert all(len(line) <= width for line in rows)
    head = lines[2].split()
    assert head[:3] == ["#", "nick", "won"]
    assert "points" in head
    assert ("Elo" in head) is (width >= 80)
    assert ("faults" in head) is (width == 200)
    assert any(line.startswith("no room here for faults") for line in lines) is (width < 200)


def test_a_cross_table_that_does_not_fit_is_left_out() -> None:
    assert "against each other" in printed(contest(), width=120)
    assert "against each other" not in printed(contest(), width=60)
