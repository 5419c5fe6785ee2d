"""A game as a PettingZoo AEC environment; its rules run in this process.

Agents are ``player_0``, ``player_1``, ... in the order of seats. An observation is a dictionary: ``observation`` is an
array of what the seat may see (:mod:`game_masters.env.observing`), ``action_mask`` has a 1 for each action that the
agent may take now (:mod:`game_masters.env.numbering`), and only zeros for an agent that is not asked. An agent whose
action has a 0 there is treated as the rules of the game treat an illegal move: it has lost, or is asked again.

Where several seats may act at once, they are asked one after another, as AEC wants it. Rewards come at the end: 1 for
winners, -1 for all others, 0 for all in a draw.
"""

import random
from collections.abc import Callable, Mapping
from copy import copy, deepcopy
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from game_masters.env.numbering import FIXED, NUMBERINGS, Numbers
from game_masters.env.observing import Bytes, Mask, SeatReader, encoded, hashed_view, mask_of, no_moves
from game_masters.kit.encoding import encoding_of
from game_masters.kit.rules import AnyGame, AnyState, BadOption, OptionValue, Outcome, RuleBroken, Table
from game_masters.registry import find_game

MAX_ACTIONS: Final = 1024
"""Numbers for the legal moves of one turn, for games without a list of all moves."""
OBSERVED: Final = 1024
"""Cells of an observation, for games without an encoding."""
MAX_STEPS: Final = 100_000
"""A game that has not ended after this number of steps is truncated."""
ILLEGAL: Final = RuleBroken("this action has no legal move")

Observation = dict[str, "Bytes | Mask"]


class Coding:
    """How one game with its options becomes numbers: the spaces, and readers for each game."""

    def __init__(self, game: AnyGame, table: Table, numbering: str | None, size: int, cells: int) -> None:
        """``numbering`` is None for the best there is. Raises ValueError for one that the game does not have."""
        encoding = encoding_of(game.name)
        self.name = numbering or ("hashed" if encoding is None else FIXED)
        allowed = (FIXED, *NUMBERINGS) if encoding is not None else tuple(NUMBERINGS)
        if self.name not in allowed:
            raise ValueError(f"numbering {self.name!r} of {game.name}: allowed: {', '.join(allowed)}")
        seats = len(table.names)
        self._number = NUMBERINGS.get(self.name)
        self.moves: tuple[Any, ...] = ()
        if encoding is not None and self._number is None:
            self.moves = tuple(encoding.moves(table.options, seats))
            size = len(self.moves)
        self.size = size
        shape: tuple[int, ...] = (cells,)
        highest = 255
        if encoding is not None:
            shape, highest = tuple(encoding.shape(table.options, seats)), encoding.highest
        self.space = spaces.Dict(
            {
                "observation": spaces.Box(0, highest, shape, np.uint8),
                "action_mask": spaces.Box(0, 1, (size,), np.int8),
            }
        )
        self._encoding, self._options, self._shape = encoding, table.options, shape
        self.readers = self.readers_for(seats)

    def readers_for(self, seats: int) -> Callable[[int], SeatReader]:
        """Return what makes the reader of a seat, for a game with so many seats."""
        encoding, options, shape = self._encoding, self._options, self._shape
        if encoding is None:
            return lambda seat: hashed_view(shape[0])
        follow = encoding.follow
        return lambda seat: encoded(follow(options, seats, seat), shape)

    def numbers(self, moves: Any) -> Numbers:
        """Return the legal moves of a turn by their numbers."""
        if self._number is not None:
            return self._number(moves, self.size)
        places = {move: place for place, move in enumerate(self.moves)}
        return {places[move]: move for move in moves}


class GameEnv(AECEnv):  # type: ignore[misc]  # PettingZoo brings no types
    """One game after another, with the same options and the same number of players. Make it with :func:`game_env`."""

    metadata: dict[str, Any]

    def __init__(self, game: AnyGame, table: Table, coding: Coding, max_steps: int, render_mode: str | None) -> None:
        super().__init__()
        self.game = game
        self.render_mode = render_mode
        self.metadata = {"name": f"{game.name}_v0", "render_modes": ["ansi"], "is_parallelizable": False}
        self.possible_agents = [f"player_{seat}" for seat in table.seats]
        self.coding = coding
        self._table = table
        self._max_steps = max_steps
        self._rng = random.Random()
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._observation_spaces = {agent: copied(coding.space) for agent in self.possible_agents}
        self._action_spaces = {agent: spaces.Discrete(coding.size) for agent in self.possible_agents}
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of what an agent sees."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of what an agent may do."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a game. The same ``seed`` gives the same chance; without one each game has another. ``options`` of
        PettingZoo have no meaning here: those of the game are chosen when it is made."""
        if seed is not None:
            self._rng.seed(seed)
        self._state: AnyState = self.game.start(self._table, random.Random(self._rng.getrandbits(64)))
        self._shown = [0] * len(self.possible_agents)
        self._readers = [self.coding.readers(seat) for seat in self._table.seats]
        self._numbers: Numbers | None = None
        self._steps = 0
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.agents[self._state.movers[0]]

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees now, and what it may do."""
        seat = self._seat_of[agent]
        seen, mask = self._readers[seat](self._state.view(seat, self._shown[seat]))
        if agent != self.agent_selection or self._state.outcome is not None:
            mask = no_moves(self.coding.size)
        elif mask is None or not self.coding.moves:
            mask = mask_of(self.moves(agent), self.coding.size)
        return {"observation": seen, "action_mask": mask}

    def moves(self, agent: str) -> Numbers:
        """Return the legal moves of an agent by their numbers, as the rules have them: for learners that look at moves;
        empty if it is not asked."""
        if agent != self.agent_selection or self._state.outcome is not None:
            return {}
        if self._numbers is None:
            legal = self._state.legal_moves(self._seat_of[agent])
            self._numbers = self.coding.numbers(legal)
            if len(self._numbers) < len(legal):
                self.infos[agent]["unlisted"] = len(legal) - len(self._numbers)
        return self._numbers

    def view(self, agent: str) -> Any:
        """Return what an agent may see as the rules have it, for those who make observations of their own."""
        seat = self._seat_of[agent]
        return self._state.view(seat, self._shown[seat])

    def resampled(self, seat: int, rng: random.Random) -> "GameEnv":
        """Return the game once more, with all dealt again that is hidden from a seat: for searches that must not know
        more than their player. To the seat both look the same."""
        other = copy(self)
        other._state = self._state.resampled(seat, rng)
        # An open game is its own guess: without a copy a search would play on in it.
        if other._state is self._state:
            other._state = deepcopy(self._state)
        other._shown = list(self._shown)
        # Readers remember what they have been shown: new ones are shown the whole state.
        other._readers = [self.coding.readers(seat) for seat in self._table.seats]
        for place, reader in enumerate(other._readers):
            reader(other._state.view(place))
        other._numbers = None
        for name in ("agents", "rewards", "terminations", "truncations", "infos", "_cumulative_rewards"):
            setattr(other, name, deepcopy(getattr(self, name)))
        return other

    def step(self, action: Any) -> None:
        """Take the action of the selected agent; None for one whose game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        try:
            move = self._move(agent, int(action))
        except RuleBroken as cause:
            self._state.fault(self._seat_of[agent], cause)
            self._goes_on()
        else:
            self.make(move)

    @property
    def over(self) -> bool:
        """Whether the game has ended, or was cut off."""
        return self._state.outcome is not None or self._steps >= self._max_steps

    def make(self, move: Any) -> None:
        """Make a move of the game, as a bot has chosen it, for the selected agent."""
        seat = self._seat_of[self.agent_selection]
        shown = len(self._state.record)
        try:
            self._state.apply(seat, move)
        except RuleBroken as cause:
            self._state.fault(seat, cause)
        self._shown[seat] = shown
        self._goes_on()

    def _move(self, agent: str, action: int) -> Any:
        if self.coding.moves:
            if not 0 <= action < self.coding.size:
                raise ILLEGAL
            return self.coding.moves[action]
        try:
            return self.moves(agent)[action]
        except KeyError:
            raise ILLEGAL from None

    def _goes_on(self) -> None:
        """Select the next agent, or end the game, after a move of the selected one."""
        self._numbers = None
        self._steps += 1
        # In AEC rewards are added up for an agent from one of its turns to the next.
        self._cumulative_rewards[self.agent_selection] = 0.0
        state = self._state
        for agent in self.agents:
            self.rewards[agent] = 0.0
        if state.outcome is None and self._steps < self._max_steps:
            self.agent_selection = self.possible_agents[state.movers[0]]
            return
        ends = self.truncations if state.outcome is None else self.terminations
        for agent in self.agents:
            ends[agent] = True
            if state.outcome is not None:
                self.rewards[agent] = reward(state.outcome, self._seat_of[agent])
        self._accumulate_rewards()
        self._deads_step_first()

    def render(self) -> str | None:
        """Return the whole position as text, including what is hidden from players, if ``render_mode`` is ``ansi``."""
        return str(self._state) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: an environment holds nothing but its game."""


def reward(outcome: Outcome, seat: int) -> float:
    """Return what an outcome is worth to a seat: 1, -1, or 0 in a draw."""
    return 0.0 if outcome.drawn else 1.0 if seat in outcome.winners else -1.0


def game_env(
    game: str | AnyGame,
    *,
    players: int | None = None,
    options: Mapping[str, OptionValue] | None = None,
    numbering: str | None = None,
    max_actions: int = MAX_ACTIONS,
    observed: int = OBSERVED,
    max_steps: int = MAX_STEPS,
    render_mode: str | None = None,
) -> GameEnv:
    """Return an installed game as an AEC environment; its rules run in this process.

    ``game`` is a name as in ``ugs games``. ``players`` is the number of seats (None: as few as the game allows),
    ``options`` those of the game. ``numbering`` is ``fixed``, ``hashed`` or ``listed`` (None: fixed where the game has
    a list of its moves, else hashed), ``max_actions`` the numbers for moves that are not fixed, ``observed`` the cells
    of an observation for games without an encoding. Raises NoSuchGame, BadOption, ValueError.
    """
    found = find_game(game) if isinstance(game, str) else game
    seats = found.players.min if players is None else players
    if not found.players.min <= seats <= found.players.max:
        raise ValueError(f"{found.name} is for {found.players.min} to {found.players.max} players, not {seats}")
    table = Table("env", tuple(f"player_{seat}" for seat in range(seats)), chosen(found, options or {}))
    coding = Coding(found, table, numbering, max_actions, observed)
    return GameEnv(found, table, coding, max_steps, render_mode)


def chosen(game: AnyGame, values: Mapping[str, OptionValue]) -> Any:
    """Return the options of a game with these values. Raises BadOption."""
    declared = {option.name: option for option in game.options}
    texts = {name: declared[name].written(value) if name in declared else str(value) for name, value in values.items()}
    return game.choose_options(texts)


def copied(space: spaces.Dict) -> spaces.Dict:
    """Return a space of its own, so that each agent's is seeded for itself."""
    return spaces.Dict(dict(space.spaces))


__all__ = ["BadOption", "Coding", "GameEnv", "game_env", "reward"]
