"""One seat of a game as a Gymnasium environment."""

import random
import warnings

import pytest
from gymnasium.utils.env_checker import check_env

from game_masters.env import seat_env
from game_masters.env.aec import Observation

SMALL = {"width": 3, "height": 3, "row": 3}


def legal(seen: Observation, rng: random.Random) -> int:
    return rng.choice([number for number, may in enumerate(seen["action_mask"]) if may])


def test_the_check_of_gymnasium_passes() -> None:
    """It takes actions without a look at the mask, so it meets the rules for illegal moves as well."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(seat_env("tic-tac-toe", options=SMALL, render_mode="ansi"), skip_render_check=True)


def test_bots_play_the_other_seats_and_the_seat_is_another_one_in_each_game() -> None:
    env, rng = seat_env("tic-tac-toe", options=SMALL, against="random"), random.Random(1)
    seats = []
    for game in range(4):
        seen, info = env.reset(seed=7) if game == 0 else env.reset()
        seats.append(info["seat"])
        assert int(seen["observation"][:2].sum()) == info["seat"]
        ended = False
        while not ended:
            seen, reward, ended, cut, _ = env.step(legal(seen, rng))
            assert not cut
            assert reward in ((-1.0, 0.0, 1.0) if ended else (0.0,))
    assert seats == [0, 1, 0, 1]


def test_the_same_seed_gives_the_same_game() -> None:
    def game() -> list[bytes]:
        env, rng = seat_env("apologies", max_steps=40), random.Random(1)
        seen, _ = env.reset(seed=3)
        shown, over = [seen["observation"].tobytes()], False
        while not over:
            seen, _, ended, cut, _ = env.step(legal(seen, rng))
            shown.append(seen["observation"].tobytes())
            over = ended or cut
        return shown

    assert game() == game()


def test_seats_and_bots_that_are_not_there_are_refused() -> None:
    with pytest.raises(ValueError, match="allowed: 0 to 1"):
        seat_env("tic-tac-toe", seat=2)
    with pytest.raises(KeyError, match="random"):
        seat_env("tic-tac-toe", against="nobody")
    with pytest.raises(ValueError, match="2 bots for the 1 other seats"):
        seat_env("tic-tac-toe", against=["random", "random"])
