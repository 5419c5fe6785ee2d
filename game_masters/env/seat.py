"""One seat of a game as a Gymnasium environment; bundled bots have the others."""

import random
from collections.abc import Mapping, Sequence
from typing import Any, overload

import gymnasium

from game_masters.env.aec import GameEnv, Observation, game_env
from game_masters.env.remote_seat import RemoteSeatEnv, remote_seat_env
from game_masters.kit.rules import Bot, OptionValue
from game_masters.registry import find_game


class SeatEnv(gymnasium.Env[Observation, Any]):
    """The game as one of its seats sees it: what the others do happens within a step. Make it with :func:`seat_env`."""

    metadata: dict[str, Any]

    def __init__(self, env: GameEnv, seat: int | None, bots: Sequence[Bot[Any, Any]]) -> None:
        self.env = env
        self.metadata = {"name": env.metadata["name"], "render_modes": ["ansi"]}
        self.render_mode = env.render_mode
        self.observation_space = env.observation_space("player_0")
        self.action_space = env.action_space("player_0")
        self._fixed = seat
        self._bots = tuple(bots)
        self._games = 0
        self._rng = random.Random()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a game, and let the bots play until the seat is asked."""
        super().reset(seed=seed)
        if seed is not None:
            self._rng.seed(seed)
            self._games = 0
        self.env.reset(seed=self._rng.getrandbits(32))
        agents = self.env.possible_agents
        # In turn, so that a learner plays from every seat.
        self.seat = self._games % len(agents) if self._fixed is None else self._fixed
        self._games += 1
        self.agent = agents[self.seat]
        others = (agent for agent in agents if agent != self.agent)
        self._bot_of = dict(zip(others, self._bots, strict=True))
        self._play_others()
        return self.env.observe(self.agent), self._info()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Take the action of the seat, and let the bots play until it is asked again or the game is over."""
        self.env.step(action)
        self._play_others()
        env, agent = self.env, self.agent
        seen = env.observe(agent)
        return seen, env.rewards[agent], env.terminations[agent], env.truncations[agent], self._info()

    def moves(self) -> Mapping[int, Any]:
        """Return the legal moves of the seat by their numbers."""
        return self.env.moves(self.agent)

    def render(self) -> str | None:
        """Return the position as text, if ``render_mode`` is ``ansi``."""
        return self.env.render()

    def _info(self) -> dict[str, Any]:
        return {"seat": self.seat, **self.env.infos[self.agent]}

    def _play_others(self) -> None:
        env = self.env
        while env.agent_selection != self.agent and not env.over:
            agent = env.agent_selection
            env.make(self._bot_of[agent].choose(env.view(agent), self._rng))


@overload
def seat_env(
    game: str,
    *,
    address: None = None,
    seat: int | None = None,
    against: str | Sequence[str] | None = None,
    players: int | None = None,
    options: Mapping[str, OptionValue] | None = None,
    **more: Any,
) -> SeatEnv: ...


@overload
def seat_env(
    game: str, *, address: str, options: Mapping[str, OptionValue] | None = None, **more: Any
) -> RemoteSeatEnv: ...


def seat_env(
    game: str,
    *,
    address: str | None = None,
    seat: int | None = None,
    against: str | Sequence[str] | None = None,
    players: int | None = None,
    options: Mapping[str, OptionValue] | None = None,
    **more: Any,
) -> SeatEnv | RemoteSeatEnv:
    """Return one seat of an installed game as a Gymnasium environment.

    ``seat`` counts from 0 (None: another one in each game, in turn). ``against`` names the bundled bot on the other
    seats, or one for each (None: the first bot of the game). ``more`` goes to
    :func:`game_masters.env.aec.game_env`. Raises what that raises, KeyError for an unknown bot, and ValueError for a
    wrong number of bots or a seat that is not there.

    With ``address`` (HOST:PORT) it is a seat at a running server, where others play: ``seat``, ``against`` and
    ``players`` are decided there, and ``more`` goes to :func:`game_masters.env.remote_seat.remote_seat_env`.
    """
    if address is not None:
        if (seat, against, players) != (None, None, None):
            raise ValueError("at a server others decide about seat, against and players: leave them out")
        return remote_seat_env(find_game(game), address, options=options, **more)
    env = game_env(game, players=players, options=options, **more)
    seats = len(env.possible_agents)
    if seat is not None and not 0 <= seat < seats:
        raise ValueError(f"seat {seat} of {game}: allowed: 0 to {seats - 1}")
    names = [against] * (seats - 1) if against is None or isinstance(against, str) else list(against)
    if len(names) != seats - 1:
        raise ValueError(f"{len(names)} bots for the {seats - 1} other seats of {game}")
    return SeatEnv(env, seat, [env.game.bot(name) for name in names])
