"""Installed games as PettingZoo AEC environments."""

import random
import warnings
from collections.abc import Iterator

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from game_masters.env import GameEnv, aec_env
from game_masters.kit.rules import BadOption
from tests.profile import ONLY_DEEP, sized

SMALL = {"width": 3, "height": 3, "row": 3}
INHERENT = ("Observation space for each agent probably", "Observation is not a NumPy array", "Action mask is all zeros")
"""PettingZoo's own games with masks have these warnings as well; they are excused by their names."""


@pytest.fixture(autouse=True)
def _excused() -> Iterator[None]:
    with warnings.catch_warnings():
        for text in INHERENT:
            warnings.filterwarnings("ignore", message=text)
        yield


def small() -> GameEnv:
    return aec_env("tic-tac-toe", options=SMALL)


def plays(env: GameEnv, *actions: int) -> None:
    for action in actions:
        env.step(action)


@pytest.mark.parametrize(
    "game",
    ["tic-tac-toe", "apologies", *(pytest.param(game, marks=ONLY_DEEP) for game in ("bang", "catan", "titan"))],
)
def test_the_tests_of_pettingzoo_pass(game: str) -> None:
    steps = sized(quick=20, deep=400)
    api_test(aec_env(game, max_steps=steps), num_cycles=steps)
    seed_test(lambda: aec_env(game, max_steps=steps), num_cycles=steps)


def test_an_observation_is_what_the_seat_sees_with_its_own_stones_first() -> None:
    env = small()
    env.reset(seed=1)
    plays(env, 0, 4)
    first, second = env.observe("player_0"), env.observe("player_1")
    assert first["observation"].shape == (3, 3, 3)
    assert np.argwhere(first["observation"][0]).tolist() == [[0, 0]]
    assert np.argwhere(first["observation"][1]).tolist() == [[1, 1]]
    assert (first["observation"][:2] == second["observation"][1::-1]).all()
    assert first["action_mask"].tolist() == [0, 1, 1, 1, 0, 1, 1, 1, 1]
    assert not second["action_mask"].any()


def test_winners_get_one_and_the_others_minus_one() -> None:
    env = small()
    env.reset()
    plays(env, 0, 3, 1, 4, 2)
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0}
    assert all(env.terminations.values())
    assert not any(env.truncations.values())


def test_a_draw_is_worth_nothing() -> None:
    env = small()
    env.reset()
    plays(env, 0, 1, 2, 4, 3, 5, 7, 6, 8)
    assert env.rewards == {"player_0": 0.0, "player_1": 0.0}


@pytest.mark.parametrize("action", [0, 99, -1])
def test_an_action_without_a_legal_move_costs_what_the_rules_say(action: int) -> None:
    env = small()
    env.reset()
    plays(env, 0, action)
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0}


def test_a_game_that_takes_too_long_is_truncated() -> None:
    env = aec_env("tic-tac-toe", max_steps=3)
    env.reset()
    plays(env, 0, 1, 2)
    assert env.truncations == {"player_0": True, "player_1": True}
    assert not any(env.terminations.values())


def test_hashed_numbers_stay_with_their_moves_and_listed_ones_count() -> None:
    hashed = aec_env("tic-tac-toe", options=SMALL, numbering="hashed")
    listed = aec_env("tic-tac-toe", options=SMALL, numbering="listed", max_actions=20)
    for env in (hashed, listed):
        env.reset()
    before = {move: number for number, move in hashed.moves("player_0").items()}
    assert list(listed.moves("player_0")) == list(range(9))
    plays(hashed, next(iter(before.values())))
    plays(listed, 0)
    after = {move: number for number, move in hashed.moves("player_1").items()}
    assert len(after) == 8
    assert after.items() <= before.items()
    assert list(listed.moves("player_1")) == list(range(8))


def test_moves_without_a_number_are_counted() -> None:
    env = aec_env("tic-tac-toe", options=SMALL, numbering="listed", max_actions=5)
    env.reset()
    assert env.observe("player_0")["action_mask"].all()
    assert env.infos["player_0"]["unlisted"] == 4


def test_nothing_that_is_hidden_from_a_seat_is_in_its_observation() -> None:
    """All that is hidden is dealt again, for each seat; what it observes stays the same, and not what others do."""
    env = aec_env("bang")
    env.reset(seed=5)
    before = {agent: env.observe(agent)["observation"] for agent in env.agents}
    changed = 0
    for seat, agent in enumerate(env.agents):
        dealt = env.resampled(seat, random.Random(seat))
        assert (dealt.observe(agent)["observation"] == before[agent]).all()
        changed += sum((dealt.observe(other)["observation"] != before[other]).any() for other in env.agents)
    assert changed


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="allowed: hashed, listed"):
        aec_env("apologies", numbering="fixed")
    with pytest.raises(ValueError, match="for 2 to 2 players, not 3"):
        aec_env("tic-tac-toe", players=3)
    with pytest.raises(BadOption, match="width"):
        aec_env("tic-tac-toe", options={"width": 1})
