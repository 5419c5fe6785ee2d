"""One environment of PettingZoo as rules need it: who is asked, what is legal, and what each seat observes.

Nothing else here knows the library, and only what every environment has to have is used: ``possible_agents``,
``agent_selection``, ``observe``, ``last``, ``step``, the spaces, and the mask of legal actions, which stands in the
observation or in the infos.
"""

import importlib
import math
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final

import numpy as np
from gymnasium import spaces

from game_masters.pettingzoo.view import Numbers

MAX_ACTIONS: Final = 20_000
"""Actions of a seat: each state lists the legal ones."""
MAX_CELLS: Final = 50_000
"""Numbers of an observation: they travel with each state."""
MAX_SEATS: Final = 64
MAX_BOARD: Final = 20_000
"""Characters of a position as text."""
MASK: Final = "action_mask"
ANSI: Final = "ansi"

Parameter = bool | int | float | str


class NotPlayable(Exception):
    """An environment that no master can lead. The text gives the reason."""


class Environment:
    """A game that runs."""

    def __init__(self, module: str, parameters: Mapping[str, Parameter], *, board: bool = False) -> None:
        """``board``: whether positions are wanted as text. Raises NotPlayable, and what the module raises."""
        self._origin = module, parameters, board
        self._seed = 0
        self._actions: list[int] = []
        make = _maker(module)
        self._env: Any = make(**parameters)
        modes = getattr(self._env, "metadata", {}).get("render_modes", ())
        self._prints = board and ANSI in modes
        # Made once more: only an environment that is there knows whether it can print.
        if self._prints:
            self._env = make(**parameters, render_mode=ANSI)
        self._agents: tuple[str, ...] = tuple(self._env.possible_agents)
        self._seat_of = {agent: seat for seat, agent in enumerate(self._agents)}
        self.points = [0.0] * len(self._agents)
        """The rewards of each seat so far: those that it could have learned of."""
        self._last: dict[int, tuple[Numbers, ...]] = {}
        """What each seat saw that is no longer asked."""

    def check(self) -> None:
        """Raise NotPlayable where actions or observations cannot travel."""
        if not 2 <= self.seats <= MAX_SEATS:
            raise NotPlayable(f"it is for {self.seats} players; games here have 2 to {MAX_SEATS}")
        for agent in self._agents:
            space = self._env.action_space(agent)
            if not isinstance(space, spaces.Discrete):
                raise NotPlayable(f"the actions of {agent} are a {type(space).__name__}; only Discrete can be listed")
            if space.n > MAX_ACTIONS:
                raise NotPlayable(f"{agent} has {space.n} actions; at most {MAX_ACTIONS} can be listed")
            cells = sum(_cells(self._env.observation_space(agent)))
            if cells > MAX_CELLS:
                raise NotPlayable(f"an observation of {agent} has {cells} numbers; at most {MAX_CELLS} can be sent")

    @property
    def seats(self) -> int:
        """How many seats there are."""
        return len(self._agents)

    @property
    def agents(self) -> tuple[str, ...]:
        """What the environment calls the seats."""
        return self._agents

    def reset(self, seed: int) -> None:
        """Begin a game, once."""
        self._seed = seed
        self._env.reset(seed=seed)
        self._bury()

    def copy(self) -> "Environment":
        """Return the same game, which goes on by itself: it is played again, since few environments can be copied."""
        module, parameters, board = self._origin
        other = Environment(module, parameters, board=board)
        other.reset(self._seed)
        for action in self._actions:
            other.play(action)
        return other

    @property
    def turn(self) -> int | None:
        """The seat that is asked; None: the game is over."""
        return self._seat_of[self._env.agent_selection] if self._env.agents else None

    def legal(self) -> list[int]:
        """Return the actions that the seat that is asked may take, from 0."""
        agent = self._env.agent_selection
        number = int(self._env.action_space(agent).n)
        seen = self._env.observe(agent)
        mask = seen.get(MASK) if isinstance(seen, Mapping) else None
        if mask is None:
            mask = self._env.infos.get(agent, {}).get(MASK)
        found = list(range(number)) if mask is None else [int(one) for one in np.flatnonzero(np.asarray(mask))]
        if not found:
            raise NotPlayable(f"the environment asks {agent} for an action, and its mask allows none")
        return found

    def play(self, action: int) -> None:
        """Take a legal action for the seat that is asked."""
        agent = self._env.agent_selection
        self._rewarded()
        self._actions.append(action)
        # A space may begin at any number; moves are counted from 0.
        self._env.step(int(self._env.action_space(agent).start) + action)
        self._bury()

    def _rewarded(self) -> None:
        self.points[self._seat_of[self._env.agent_selection]] += float(self._env.last(observe=False)[1])

    def _bury(self) -> None:
        """Take the steps of agents whose game is over, as the interface wants it: each gets its last observation."""
        # Each is asked for one such step; one that asks on and on must not hang the master.
        for _ in range(2 * self.seats):
            agent = self._env.agent_selection
            if not self._env.agents or not (self._env.terminations[agent] or self._env.truncations[agent]):
                return
            self._last[self._seat_of[agent]] = tuple(_numbers("", self._env.observe(agent)))
            self._rewarded()
            self._env.step(None)
        if self._env.agents:
            raise NotPlayable("agents whose game is over are asked again and again")

    def observed(self, seat: int) -> tuple[Numbers, ...]:
        """Return what a seat observes now, or what it saw last."""
        agent = self._agents[seat]
        if seat in self._last or agent not in self._env.agents:
            return self._last.get(seat, ())
        return tuple(_numbers("", self._env.observe(agent)))

    def printed(self) -> str:
        """Return the whole position as text; empty where the environment prints none."""
        return _printed(str(self._env.render() or "")) if self._prints else ""


def _printed(text: str) -> str:
    """Return a text as XML can hold it, cut where it is too long."""
    return "".join(sign if sign.isprintable() or sign == "\n" else " " for sign in text[:MAX_BOARD])


def _maker(module: str) -> Any:
    """Return what makes environments of a module. Raises NotPlayable, and what the module raises."""
    try:
        found = importlib.import_module(module)
    except ModuleNotFoundError as error:
        # The module itself, or the package in front of its dots; else something that it imports.
        if error.name and (module == error.name or module.startswith(f"{error.name}.")):
            raise NotPlayable(f"there is no module {module}") from error
        raise NotPlayable(f"it needs the package {error.name}, which is not installed here") from error
    if callable(getattr(found, "env", None)):
        return found.env
    if callable(getattr(found, "parallel_env", None)):
        return partial(_in_turn, found.parallel_env)
    raise NotPlayable(f"the module {module} has neither a function env nor parallel_env")


def _in_turn(make: Any, **parameters: Parameter) -> Any:
    """Return a parallel environment as one in which all act one after another, and see the same until all have."""
    from pettingzoo.utils import parallel_to_aec

    return parallel_to_aec(make(**parameters))


def _cells(space: Any) -> Iterator[int]:
    """Yield the numbers of each array in a space. Raises NotPlayable for what is no array."""
    if isinstance(space, spaces.Dict):
        for name, inner in space.spaces.items():
            yield from _cells(inner) if name != MASK else ()
    elif isinstance(space, spaces.Tuple):
        for inner in space.spaces:
            yield from _cells(inner)
    elif isinstance(space, spaces.Box | spaces.Discrete | spaces.MultiBinary | spaces.MultiDiscrete):
        yield math.prod(space.shape or ())
    else:
        raise NotPlayable(f"observations with a {type(space).__name__} cannot be sent as numbers")


def _numbers(path: str, seen: Any) -> Iterator[Numbers]:
    """Yield the arrays of an observation."""
    if isinstance(seen, Mapping):
        for name, inner in seen.items():
            if name != MASK:
                yield from _numbers(f"{path}.{name}" if path else str(name), inner)
    elif isinstance(seen, tuple):
        for place, inner in enumerate(seen):
            yield from _numbers(f"{path}.{place}" if path else str(place), inner)
    elif seen is not None:
        array = np.asarray(seen)
        values = array.ravel()
        whole = array.dtype.kind in "biu"
        # Nine digits distinguish all numbers of 32 bits.
        text = " ".join(str(int(one)) if whole else f"{float(one):.9g}" for one in values)
        yield Numbers(path or "observation", tuple(array.shape), text)
