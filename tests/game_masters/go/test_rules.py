"""Go: captures, suicide, superko and the count."""

import random

import pytest

from game_masters.go import GAME
from game_masters.go.bots import choose_greedily, choose_random
from game_masters.go.rules import PASS, RESIGN, Beginning, GoMove, Match, Termination
from game_masters.kit.rules import BadFixture, Entries, Outcome, RuleBroken, Table
from tests.profile import sized


def a_match(black: str = "", white: str = "", turn: int = 0, **options: str) -> Match:
    setup = tuple(black.split()), tuple(white.split())
    chosen = GAME.choose_options({"size": "9", **options})
    return Match(Table("g1", ("ann", "bob"), chosen, fixture=Beginning(setup, (), turn)), random.Random(0))


def play(match: Match, *moves: str) -> None:
    for move in moves:
        (seat,) = match.movers
        match.apply(seat, GoMove(move))


def test_stones_without_a_liberty_are_taken() -> None:
    match = a_match("B2 C2 A1", "B1 C1")
    play(match, "D1")
    assert match.view(None).stones == (("A1", "D1", "B2", "C2"), ())


def test_who_takes_stones_may_fill_the_last_liberty_of_its_own() -> None:
    match = a_match("A2 B1", "A3 B2 C1", turn=1)
    play(match, "A1")
    assert match.view(None).stones == ((), ("A1", "C1", "B2", "A3"))


def test_suicide_is_not_allowed() -> None:
    match = a_match("", "A2 B1")
    assert "A1" in match.view(0).banned
    with pytest.raises(RuleBroken, match="A1 is suicide"):
        match.apply(0, GoMove("A1"))


def test_a_ko_may_be_taken_back_only_after_another_move() -> None:
    match = a_match("B1 A2 B3", "C1 D2 C3 B2")
    play(match, "C2")
    assert "B2" in match.view(1).banned
    with pytest.raises(RuleBroken, match="B2 makes a position again"):
        match.apply(1, GoMove("B2"))
    play(match, "J9", "J1")
    assert match.movers == (1,)
    assert "B2" not in match.view(1).banned


def test_no_position_comes_twice_even_where_no_ko_is_seen() -> None:
    match = a_match("B1 D1 C2", "A2 B2")
    play(match, "A1", "C1")  # Black sends two stones, White takes them; taking one back returns to the beginning
    assert "B1" in match.view(0).banned
    with pytest.raises(RuleBroken, match="B1 makes a position again"):
        match.apply(0, GoMove("B1"))


@pytest.mark.parametrize("seed", range(sized(quick=3, deep=60)))
def test_what_is_banned_is_exactly_what_is_refused(seed: int) -> None:
    rng = random.Random(seed)
    match = a_match()
    seen = {match.view(None).rows}
    while match.outcome is None:
        (seat,) = match.movers
        view = match.view(seat)
        if rng.random() < 0.1:
            for vertex in view.banned:
                with pytest.raises(RuleBroken):
                    match.apply(seat, GoMove(vertex))
        move = choose_random(view, rng)
        match.apply(seat, move)
        assert move == PASS or match.view(None).rows not in seen
        seen.add(match.view(None).rows)


def test_two_passes_count_stones_and_what_only_they_surround() -> None:
    match = a_match("D1 D2 D3 D4 D5 D6 D7 D8 D9", "F1 F2 F3 F4 F5 F6 F7 F8 F9")
    assert match.score == (36, 36)
    play(match, "pass", "pass")
    assert match.outcome == Outcome(Termination.PASSES, frozenset({1}))
    match = a_match("D1 D2 D3 D4 D5 D6 D7 D8 D9", "F1 F2 F3 F4 F5 F6 F7 F8 F9", komi2="0")
    play(match, "pass", "pass")
    assert match.outcome == Outcome(Termination.PASSES, frozenset(), drawn=True)
    match = a_match("D4", komi2="161")
    play(match, "pass", "pass")
    assert match.outcome == Outcome(Termination.PASSES, frozenset({0}))


def test_who_gives_up_has_lost() -> None:
    match = a_match()
    match.apply(0, RESIGN)
    assert match.outcome == Outcome(Termination.RESIGNED, frozenset({1}))


def test_the_greedy_bot_beats_the_random_one() -> None:
    rng, won = random.Random(5), 0
    for number in range(sized(quick=4, deep=40)):
        match, greedy = a_match(komi2="15"), number % 2
        while match.outcome is None:
            (seat,) = match.movers
            match.apply(seat, (choose_greedily if seat == greedy else choose_random)(match.view(seat), rng))
        won += greedy in match.outcome.winners
    assert won >= sized(quick=3, deep=34)


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"black": ["K10"]}, "none"),
        ({"black": ["A1"], "white": ["A1"]}, "lies already"),
        ({"black": ["A1"], "white": ["A2", "B1"]}, "without a liberty"),
        ({"moves": ["A1", "A1"]}, "not legal"),
        ({"moves": ["pass", "pass"]}, "end the game"),
    ],
)
def test_a_fixture_that_is_no_game_is_refused(values: dict[str, object], why: str) -> None:
    assert GAME.fixture is not None
    with pytest.raises(BadFixture, match=why):
        GAME.fixture(Entries(values), 2, GAME.choose_options({}))
