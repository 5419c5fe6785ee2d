"""OpenSpiel, as far as games need it. This is the only module that imports it.

``import pyspiel`` takes a second, and its objects have no types: what comes from them is checked or turned into values
here. Games are loaded once and shared; their states are not.
"""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, lru_cache
from tempfile import TemporaryFile
from typing import Any, Final, TypeAlias

import pyspiel

from game_masters.openspiel.view import printed

Parameter: TypeAlias = bool | int | float | str
Parameters: TypeAlias = Mapping[str, Parameter]
Position: TypeAlias = Any
"""A state of pyspiel."""
CHANCE: Final = -1
MAX_PLAYERS: Final = 10
SEEDS: Final = ("rng_seed",)
"""Parameters of games that decide about chance themselves: each game gets a seed of its own."""
STANDARD_ERROR: Final = 2
_free: Final = [STANDARD_ERROR]
"""Standard error, while no thread has put a file in its place."""
_warnings: Final[dict[str, str]] = {}
"""By game, what OpenSpiel has written when it was loaded."""
SEATS: Final = ("players", "num_players", "numPlayers")
"""What games call the number of their seats."""


class NotLoaded(Exception):
    """OpenSpiel has no such game, or refuses its parameters. The text is its own."""


@dataclass(frozen=True, slots=True)
class GameFacts:
    """OpenSpiel's facts about a game."""

    name: str
    title: str
    players: range
    """How many may play, by OpenSpiel's facts."""
    usual: int
    parameters: Mapping[str, Parameter]
    """Those that have a default."""
    hidden: bool
    simultaneous: bool
    chance: bool
    samples: bool
    """Whether the game decides about chance itself."""


@cache
def names() -> tuple[str, ...]:
    """Return the names of all games that can be loaded without parameters and are for two or more."""
    every = pyspiel.registered_concrete_games()
    return tuple(sorted(one.short_name for one in every if one.default_loadable and one.max_num_players >= 2))


def load(name: str, parameters: Parameters, *, own_chance: bool = False) -> Any:
    """Return a game of pyspiel; one that decides about chance itself (``own_chance``) is never shared. Raises
    NotLoaded."""
    key = tuple(sorted(parameters.items()))
    return _load.__wrapped__(name, key) if own_chance else _load(name, key)


@cache
def warn(name: str) -> None:
    """Write what OpenSpiel warns of in a game that is going to be played, once."""
    sys.stderr.write(_warnings.get(name, ""))


@lru_cache(maxsize=256)
def _load(name: str, parameters: tuple[tuple[str, Parameter], ...]) -> Any:
    try:
        with _warnings_kept(name):
            return pyspiel.load_game(name, dict(parameters)) if parameters else pyspiel.load_game(name)
    except (pyspiel.SpielError, RuntimeError, ValueError, TypeError, IndexError) as error:
        raise NotLoaded(" ".join(str(error).split())[:200]) from error


@contextmanager
def _warnings_kept(name: str) -> Iterator[None]:
    """Keep for :func:`warn` what OpenSpiel warns of when it loads a game, which is often done only to list it. C++
    writes that to standard error; all else that is written there meanwhile comes through."""
    try:
        descriptor = _free.pop()  # a lock that no one waits for
    except IndexError:
        yield
        return
    with TemporaryFile() as file:
        try:
            with _in_place_of(descriptor, file.fileno()):
                yield
        finally:
            _free.append(descriptor)
            file.seek(0)
            for line in file.readlines():
                if line.startswith(b"Warning!"):
                    _warnings[name] = line.decode("utf-8", "replace")
                else:
                    os.write(descriptor, line)


@contextmanager
def _in_place_of(descriptor: int, other: int) -> Iterator[None]:
    """What is written to ``descriptor``, if it is open, goes to ``other``."""
    try:
        kept = os.dup(descriptor)
    except OSError:
        yield
        return
    os.dup2(other, descriptor)
    try:
        yield
    finally:
        os.dup2(kept, descriptor)
        os.close(kept)


def facts(name: str, parameters: Parameters) -> GameFacts:
    """Return OpenSpiel's facts about a game with these parameters. Raises NotLoaded."""
    game = load(name, parameters)
    kind = game.get_type()
    seats = range(max(2, kind.min_num_players), min(MAX_PLAYERS, kind.max_num_players) + 1)
    usual = int(game.num_players())
    known = {key: value for key, value in game.get_parameters().items() if isinstance(value, bool | int | float | str)}
    # Without such a parameter a game has the seats that it is loaded with.
    if not set(known) & set(SEATS) or usual not in seats:
        seats = range(usual, usual + 1)
    return GameFacts(
        name,
        str(kind.long_name),
        seats,
        usual,
        known,
        hidden=kind.information == pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        simultaneous=kind.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS,
        chance=kind.chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC,
        samples=kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC,
    )


def read_parameters(text: str) -> tuple[str, Parameters]:
    """Return name and parameters of ``hex(board_size=5)``. Raises NotLoaded."""
    try:
        found = dict(pyspiel.game_parameters_from_string(text))
    except (pyspiel.SpielError, RuntimeError, ValueError, TypeError, IndexError) as error:
        raise NotLoaded(" ".join(str(error).split())[:200]) from error
    name = str(found.pop("name", ""))
    for key, value in found.items():
        if not isinstance(value, bool | int | float | str):
            raise NotLoaded(f"the parameter {key} is not a word or a number")
    return name, found


@dataclass(frozen=True, slots=True)
class Glasses:
    """Reads the texts of positions of one game, as far as it has them."""

    observes: bool
    informs: bool
    public: Any
    """An observer of what is open to all, or None."""

    def board(self, position: Position, seat: int) -> str:
        """Return what a seat observes; if the game has no words for that, what it knows."""
        return printed((position.observation_string if self.observes else position.information_state_string)(seat))

    def information(self, position: Position, seat: int) -> str:
        """Return what a seat knows of the whole game; empty where the game has no words for it, or no others."""
        if not (self.informs and self.observes):
            return ""
        text = printed(position.information_state_string(seat))
        return "" if text == self.board(position, seat) else text

    def shown_to_all(self, position: Position) -> str:
        """Return what is open to all; empty where the game has no words for it."""
        return "" if self.public is None else printed(self.public.string_from(position, 0))


def glasses(name: str, parameters: Parameters) -> Glasses:
    """Return what reads the positions of a game that hides something."""
    return _glasses(name, tuple(sorted(parameters.items())))


@lru_cache(maxsize=64)
def _glasses(name: str, parameters: tuple[tuple[str, Parameter], ...]) -> Glasses:
    game = _load(name, parameters)
    kind = game.get_type()
    return Glasses(kind.provides_observation_string, kind.provides_information_state_string, _public_observer(game))


def _public_observer(game: Any) -> Any:
    wanted = pyspiel.IIGObservationType(
        public_info=True, perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE
    )
    try:
        observer = game.make_observer(wanted, {})
        if observer is None:
            return None  # what would read it ends the process
        observation = pyspiel._Observation(game, observer)
        if not observation.has_string():
            return None
        observation.string_from(game.new_initial_state(), 0)
    except Exception:  # a game without such an observer may raise anything
        return None
    return observation


def actor(position: Position) -> int | None:
    """Return whose decision it is: a seat, CHANCE, or None where all decide at once or there is none any more."""
    if position.is_terminal() or position.is_simultaneous_node():
        return None
    return CHANCE if position.is_chance_node() else int(position.current_player())


def plays(position: Position, seat: int) -> Sequence[tuple[int, str]]:
    """Return the legal actions of a seat, with their texts."""
    return [(action, printed(position.action_to_string(seat, action))) for action in position.legal_actions(seat)]
