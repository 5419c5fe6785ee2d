"""A small environment of PettingZoo for tests: three guess a hidden number in turn, and who is nearest wins.

Its actions begin at 5, its mask stands in the infos, what is observed has three arrays, and an agent is over as soon as
it has guessed.
"""

from functools import cache
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

HIGHEST = 9


class Guessing(AECEnv):  # type: ignore[misc]  # PettingZoo brings no types
    """The game."""

    metadata = {"name": "guessed_number_v0", "render_modes": ["ansi"]}  # noqa: RUF012 - as PettingZoo has it

    def __init__(self, players: int = 3, render_mode: str | None = None) -> None:
        super().__init__()
        self.render_mode = render_mode
        self.possible_agents = [f"guesser_{number}" for number in range(players)]

    @cache  # noqa: B019 - PettingZoo wants the same space each time
    def observation_space(self, agent: str) -> spaces.Space[Any]:
        parts = {"hint": spaces.Box(0.0, 1.0, (2,), np.float32), "own": spaces.Discrete(HIGHEST + 6)}
        return spaces.Dict({"seen": spaces.Dict(parts), "turn": spaces.MultiBinary(1)})

    @cache  # noqa: B019
    def action_space(self, agent: str) -> spaces.Discrete:
        return spaces.Discrete(HIGHEST, start=5)

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        rng = np.random.default_rng(seed)
        self.hidden = int(rng.integers(5, 5 + HIGHEST))
        self.agents = list(self.possible_agents)
        self.guesses: dict[str, int] = {}
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {"action_mask": np.ones(HIGHEST, np.int8)} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._skip_agent_selection = None

    def observe(self, agent: str) -> Any:
        hint = np.array([self.hidden % 2, 1 / 3], np.float32)
        mine = agent == self.agent_selection
        return {"seen": {"hint": hint, "own": self.guesses.get(agent, 0)}, "turn": np.array([mine], np.int8)}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        assert action not in self.guesses.values()
        self.guesses[agent] = int(action)
        self._cumulative_rewards[agent] = 0.0
        self.terminations[agent] = True
        for other in self.agents:
            self.infos[other]["action_mask"][action - 5] = 0
        if len(self.guesses) == len(self.possible_agents):
            self.rewards = {
                one: -float(abs(guess - self.hidden)) for one, guess in self.guesses.items() if one in self.agents
            }
            self._accumulate_rewards()
        left = [one for one in self.possible_agents if one not in self.guesses]
        self.agent_selection = left[0] if left else self.agents[0]

    def render(self) -> str:
        return f"hidden: {self.hidden}\nguesses: {sorted(self.guesses.items())}"

    def close(self) -> None:
        """Nothing is open."""


def env(**parameters: Any) -> Guessing:
    """Return the environment."""
    return Guessing(**parameters)
