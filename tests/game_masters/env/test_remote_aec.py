"""All seats of games at a server as a PettingZoo environment: a broker on a socket here, and a thread that learns."""

import random
import select
import warnings
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test

from game_masters.env import RemoteGameEnv, aec_env
from tests.game_masters.env.test_remote_seat import SMALL, in_thread, server
from tests.profile import ONLY_DEEP
from ugs.wire.messages import Choice


def at(port: int, game: str = "tic-tac-toe", **more: Any) -> RemoteGameEnv:
    return aec_env(game, address=f"127.0.0.1:{port}", timeout_s=30, **more)


def plays(env: RemoteGameEnv, rng: random.Random) -> dict[str, float]:
    """Play a game at random; what each agent has got in the end."""
    env.reset()
    got = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter(2000):
        seen, reward, ended, cut, info = env.last()
        assert env.observation_space(agent).contains(seen)
        got[agent] += reward
        assert not cut, info
        legal = np.flatnonzero(seen["action_mask"])
        assert ended or set(legal) == set(env.moves(agent))
        env.step(None if ended else int(rng.choice(legal)))
    assert not env.agents
    return got


@pytest.mark.parametrize(
    ("game", "options"),
    [("tic-tac-toe", SMALL), pytest.param("apologies-adult", {}, marks=ONLY_DEEP)],
)
async def test_the_test_of_pettingzoo_passes_at_a_server(game: str, options: dict[str, Any]) -> None:
    async with server(game, bots=0) as (port, _):
        env = at(port, game, options=options)

        def works() -> None:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # as in test_aec: spaces of dictionaries, no picture
                api_test(env, num_cycles=40)

        await in_thread(works)
        await in_thread(env.close)


@pytest.mark.parametrize(
    ("game", "options", "players"),
    [
        ("tic-tac-toe", SMALL, 2),
        pytest.param("apologies", {}, 3, marks=ONLY_DEEP),
        pytest.param("openspiel:goofspiel(num_cards=4)", {}, 2, id="simultaneous"),
        pytest.param("openspiel:leduc_poker", {}, 2, id="hidden"),
    ],
)
async def test_players_of_one_process_play_whole_games_at_a_server(
    game: str, options: dict[str, Any], players: int
) -> None:
    if game.startswith("openspiel"):
        pytest.importorskip("pyspiel")
    async with server(game, bots=0) as (port, _):
        env = at(port, game, options=options, players=players)
        rng = random.Random(1)
        ends = await in_thread(lambda: [plays(env, rng) for _ in range(2)])
        assert [len(one) for one in ends] == [players, players]
        assert all(set(one.values()) in ({-1.0, 1.0}, {0.0}) for one in ends)
        await in_thread(env.close)


async def test_a_game_that_is_reset_is_cancelled_and_an_illegal_action_is_a_bad_move() -> None:
    async with server("tic-tac-toe", bots=0) as (port, _):
        env = at(port, options=SMALL)

        def works() -> tuple[str, str, list[float]]:
            env.reset()
            first = env.infos["player_0"]["game"]
            env.reset()
            second = env.infos["player_0"]["game"]
            mover = env.agent_selection
            env.step(0)
            assert env.agent_selection != mover
            env.step(0)  # taken
            return first, second, [env.rewards["player_0"], env.rewards["player_1"]]

        first, second, rewards = await in_thread(works)
        assert first != second
        assert sorted(rewards) == [-1.0, 1.0]
        await in_thread(env.close)


async def test_a_cut_line_truncates_the_game_of_all_and_the_next_reset_connects_again() -> None:
    async with server("tic-tac-toe", bots=0) as (port, _):
        env = at(port, options=SMALL)

        def works() -> tuple[dict[str, bool], str]:
            env.reset()
            env._players[0].line.socket.shutdown(2)
            env.step(0)
            cut, why = dict(env.truncations), env.infos["player_0"]["why"]
            env.reset()
            env.step(0)
            return cut, why

        cut, why = await in_thread(works)
        assert cut == {"player_0": True, "player_1": True}
        assert "clos" in why or "cut" in why
        await in_thread(env.close)


async def test_a_player_that_takes_too_long_has_lost_and_a_table_of_two_is_cancelled() -> None:
    async with server("tic-tac-toe", bots=0, settings={"move_timeout_s": 0.2}) as (port, _):
        env = at(port, options=SMALL)

        def works() -> tuple[dict[str, bool], str]:
            env.reset()
            while not select.select([env._at[env.agent_selection].line.socket], [], [])[0]:
                pass  # until the server has something to report
            env.step(0)
            cut, why = dict(env.truncations), env.infos["player_0"]["why"]
            env.reset()
            env.step(0)
            return cut, why

        cut, why = await in_thread(works)
        assert any(cut.values()), why
        assert "time" in why or "0.2" in why
        await in_thread(env.close)


async def test_why_there_is_no_game_is_in_the_error() -> None:
    async with server("tic-tac-toe", bots=0) as (port, _):
        env = at(port, options=SMALL)
        env._choices = (Choice("no such", "1"),)
        with pytest.raises(RuntimeError, match=r"for learner-0: .*option name 'no such': allowed are"):
            await in_thread(env.reset)
    with pytest.raises(ValueError, match=r"for 2 to 4 players, not 5"):
        at(1, "apologies", players=5)
