"""Standings on a terminal."""

import io

from rich.console import Console

from tests.standings.results import won
from ugs.standings.compute import standings_of
from ugs.standings.standings import Standings
from ugs.standings.terminal import CROSS_TABLE_PLAYERS, show


def printed(*several: Standings) -> str:
    console = Console(file=io.StringIO(), width=200, force_terminal=False)
    show(several, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_the_standings_the_cross_table_and_the_remarks_are_printed() -> None:
    text = printed(standings_of([won("ann", "ben")] * 3, "chess"))
    assert text.splitlines()[0].rstrip() == "chess: 3 games"
    assert "95 %" in text
    assert "3-0-0" in text
    assert "ann and ben cannot be told apart yet" in text


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
