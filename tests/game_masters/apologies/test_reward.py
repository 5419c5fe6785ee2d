"""How the computer player scores positions."""

from game_masters.apologies.board import ALL_HOME, HOME, SAFE, START
from game_masters.apologies.plays import Play
from game_masters.apologies.reward import best, reward, score

NONE_OUT = (START,) * 4
RED, YELLOW = 0, 1


def test_all_in_start_scores_nothing_and_all_at_home_400() -> None:
    assert score(NONE_OUT, RED) == 0
    assert score(ALL_HOME, RED) == 400


def test_a_step_is_one_point_and_a_pawn_in_the_safe_row_ten_more() -> None:
    assert score((4, START, START, START), RED) == 1
    assert score((2, START, START, START), RED) == 59
    assert score((SAFE, START, START, START), RED) == 70
    assert score((HOME, START, START, START), RED) == 75


def test_the_reward_is_the_lead_over_all_opponents_together() -> None:
    pawns = (4, *NONE_OUT[1:], *NONE_OUT, *NONE_OUT)
    assert reward(pawns, RED) == 2
    assert reward((*NONE_OUT, *ALL_HOME, *NONE_OUT), YELLOW) == 800


def test_the_reward_of_who_is_behind_is_nothing() -> None:
    assert reward((*NONE_OUT, *ALL_HOME), RED) == 0


def test_of_equals_the_first_is_best_so_who_is_far_behind_makes_the_first_play() -> None:
    pawns = (10, 20, START, START, *ALL_HOME[:3], START)
    plays = [Play(0, ((0, 10, 11),)), Play(0, ((1, 20, 30),))]
    assert best(pawns, RED, plays) == 0
    assert best((10, 20, START, START, *NONE_OUT), RED, plays) == 1


def test_bumps_count() -> None:
    pawns = (33, START, START, START, 34, 36, START, START)
    plays = [Play(0, ((0, 33, 34),)), Play(0, ((0, 33, 34),), ((4, 34, START),))]
    assert best(pawns, RED, plays) == 1
