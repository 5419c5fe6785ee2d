"""A small parallel environment of PettingZoo for tests: rock, paper, scissors, three rounds, both choose at once."""

from functools import cache
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv

ROUNDS = 3
NOTHING = 3


class Signs(ParallelEnv):  # type: ignore[misc]  # PettingZoo brings no types
    """The game."""

    metadata = {"name": "hidden_signs_v0", "render_modes": []}  # noqa: RUF012 - as PettingZoo has it

    def __init__(self, render_mode: str | None = None) -> None:
        self.render_mode = render_mode
        self.possible_agents = ["left", "right"]

    @cache  # noqa: B019 - PettingZoo wants the same space each time
    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return spaces.Discrete(NOTHING + 1)

    @cache  # noqa: B019
    def action_space(self, agent: str) -> spaces.Discrete:
        return spaces.Discrete(NOTHING)

    def reset(self, seed: int | None = None, options: Any = None) -> Any:
        self.agents = list(self.possible_agents)
        self.played = 0
        return dict.fromkeys(self.agents, np.int64(NOTHING)), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, int]) -> Any:
        left, right = actions["left"], actions["right"]
        won = (0, 1, -1)[(left - right) % 3]
        self.played += 1
        over = dict.fromkeys(self.agents, self.played == ROUNDS)
        seen = {"left": np.int64(right), "right": np.int64(left)}
        infos: dict[str, Any] = {agent: {} for agent in self.agents}
        if self.played == ROUNDS:
            self.agents = []
        return seen, {"left": float(won), "right": float(-won)}, over, dict.fromkeys(over, False), infos


parallel_env = Signs
