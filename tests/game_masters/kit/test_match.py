"""Matches between bots: everybody sits everywhere, the same arguments give the same games, and what came of them."""

import pytest

from game_masters.kit.match import NoEnd, Played, lines, main, match, play, without_luck
from game_masters.registry import NoSuchGame, find_games
from game_masters.tic_tac_toe import GAME

SMALL = GAME.choose_options({"width": "3", "height": "3", "row": "3"})


def test_the_same_arguments_give_the_same_games() -> None:
    bots = ["threats", "random"]
    first, second = (
        [(one.winners, one.termination, one.moves) for one in match(GAME, bots, 6, "seed", SMALL)] for _ in range(2)
    )
    assert first == second
    other = [(one.winners, one.termination, one.moves) for one in match(GAME, bots, 6, "another", SMALL)]
    assert first != other


def test_in_each_game_everybody_sits_one_seat_further_on_and_winners_are_numbers_of_bots() -> None:
    played = list(match(GAME, ["random", "random"], 4, "1", SMALL))
    for number, one in enumerate(played):
        state, moves = play(GAME, ["random", "random"], f"1 {number}", SMALL)
        assert state.outcome is not None
        assert (one.moves, one.termination) == (moves, str(state.outcome.termination))
        assert one.winners == frozenset((seat + number) % 2 for seat in state.outcome.winners)
    assert {0, 1} <= {who for one in played for who in one.winners}


def test_a_game_that_does_not_end_is_named() -> None:
    with pytest.raises(NoEnd, match="tic-tac-toe, seed 'long': no end after 3 moves"):
        play(GAME, ["random", "random"], "long", SMALL, most_moves=3)


def test_a_match_says_who_won_how_games_ended_how_long_they_were_and_how_many_fit_into_a_minute() -> None:
    played = [
        Played(frozenset({0}), "line", 5, 0.5), Played(frozenset({0}), "line", 7, 1.5),
        Played(frozenset(), "full board", 9, 0.5, drawn=True), Played(frozenset({1}), "line", 7, 0.5),
    ]  # fmt: skip
    assert list(lines(["good", "bad"], played)) == [
        "1 good: won 50.0% ± 25.0%, drew 25.0%: 62.5% ± 20.7% of the points",
        "2 bad: won 25.0% ± 21.7%, drew 25.0%: 37.5% ± 20.7% of the points",
        "3 ended with: line",
        "1 ended with: full board",
        "4 games of 7 moves in the median, 9 at most",
        "80 games a minute in one process",
    ]


def test_a_match_without_a_draw_says_who_won() -> None:
    played = [Played(frozenset({0, 2}), "line", 5, 0.5), Played(frozenset({1}), "line", 5, 0.5)]
    assert list(lines(["a", "b", "c"], played))[:3] == [f"{bot}: won 50.0% ± 35.4%" for bot in ("1 a", "2 b", "3 c")]


def test_the_command_plays_a_match() -> None:
    said = main(["catan", "settler", "random-legal", "--games", "2", "--option", "VP=10"], find_games()).splitlines()
    assert [line.split(":")[0] for line in said[:3]] == ["1 settler", "2 random-legal", "2 ended with"]
    assert said[-2].startswith("2 games of ")
    assert said[-1].endswith(" games a minute in one process")


def test_what_cannot_be_played_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["catan", *["settler"] * 5], find_games())
    assert "catan is for 2 to 4 bots, not 5" in capsys.readouterr().err
    with pytest.raises(NoSuchGame):
        main(["catane", "settler", "settler"], find_games())
    with pytest.raises(KeyError, match=r"no bot 'setler' \(did you mean 'settler'\?\); it has: settler"):
        main(["catan", "setler", "settler"], find_games())


def test_games_of_a_deal_have_the_same_chance_and_everybody_sits_everywhere() -> None:
    played = list(match(GAME, ["random", "random"], 4, "1", SMALL, deals=True))
    for number, one in enumerate(played):
        state, moves = play(GAME, ["random", "random"], f"1 {number // 2}", SMALL)
        assert state.outcome is not None
        assert one.moves == moves
        assert one.winners == frozenset((seat + number) % 2 for seat in state.outcome.winners)


def test_who_wins_only_with_the_good_seat_has_been_lucky_and_nothing_else() -> None:
    """In both deals the first seat wins whoever sits there: bots are equal, and not by chance."""
    first_seat = [Played(frozenset({number % 2}), "line", 5, 0.5) for number in range(4)]
    assert list(without_luck(["a", "b"], first_seat)) == [
        "1 a: 50.0% ± 0.0% without the luck of 2 deals",
        "2 b: 50.0% ± 0.0% without the luck of 2 deals",
    ]


def test_who_wins_in_the_bad_seat_too_is_better() -> None:
    always = [Played(frozenset({0}), "line", 5, 0.5) for _ in range(4)]
    assert [line.split(" without")[0] for line in without_luck(["a", "b"], always)] == [
        "1 a: 100.0% ± 0.0%",
        "2 b: 0.0% ± 0.0%",
    ]


def test_the_command_plays_whole_deals() -> None:
    said = main(["tic-tac-toe", "threats", "random", "--games", "3", "--deals", "--option", "row=3"], find_games())
    assert "4 games of" in said
    assert "without the luck of 2 deals" in said.splitlines()[-1]
