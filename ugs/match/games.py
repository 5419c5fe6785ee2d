"""The installed game of a match, as far as a match looks at it; nothing in here names one.

A game is what an entry point of the group ``ugs.games`` leads to, or what a collection makes. Bundled bots play as
objects in the process of the match: such a bot is a function from a view and a source of chance to a move.
"""

from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import entry_points
from random import Random
from typing import Any, Final, Protocol, TypeAlias

from ugs.game_collections import NotInCollection, collected, collected_names, in_collection
from ugs.game_titles import called_hint
from ugs.match.match_settings import MatchSettings, WrongMatch
from ugs.match.own_programs import check_program
from ugs.printable import unknown
from ugs.type_hint import game_called, package_hint

GROUP: Final = "ugs.games"

Choose: TypeAlias = Callable[[Any, Random], Any]
"""From a view to a move."""


class Notation(Protocol):
    """How a game writes moves and reads what it shows."""

    def write_move(self, move: Any) -> bytes:
        """The ``<move>`` element."""

    def follow(self, options: Any) -> Callable[[bytes], Any]:
        """A reader of the states of one new game: from ``<gameState>`` elements to views."""


class Named(Protocol):
    """A bundled bot."""

    name: str
    choose: Choose


class PlayerRange(Protocol):
    """How many players a game takes."""

    min: int
    max: int


class InstalledGame(Protocol):
    """An installed game."""

    name: str
    game_type: str
    players: PlayerRange
    chance: bool
    notation: Notation
    bots: Sequence[Named]
    fixture: Any
    """None where games cannot begin from a fixture."""

    def choose_options(self, texts: Mapping[str, str]) -> Any:
        """The options with these values. Raises what the game has for a wrong one."""


class OwnPlayers:
    """How many players a game may take until its master has logged in, with its own numbers."""

    min = 2
    max = 64


class OwnGame:
    """A game that is not installed: a program leads it, and only that knows its rules."""

    def __init__(self, game_type: str) -> None:
        self.name = self.game_type = game_type
        self.players: PlayerRange = OwnPlayers()
        self.chance = True
        self.notation: Any = None
        self.bots: Sequence[Named] = ()
        self.fixture = None

    def choose_options(self, texts: Mapping[str, str]) -> Any:
        """The options as they are."""
        return texts


def game_of(wanted: MatchSettings) -> InstalledGame:
    """The game of a match. Raises WrongMatch."""
    if not wanted.master:
        return find_game(wanted.game, 'add --master "CMD {address}"')
    check_program("--master", wanted.master)
    return OwnGame(wanted.game)


def find_game(name: str, own: str = "") -> InstalledGame:
    """The installed game of this name, or one of an installed collection. Raises WrongMatch, which ends with what to do
    about a game that a program of ``own`` leads."""
    try:
        return _installed(name)
    except UnknownGame as error:
        if not own:
            raise
        raise UnknownGame(f"{error}; a game led by a program of yours: {own}") from None


class UnknownGame(WrongMatch):
    """No game of that name is installed."""


def _installed(name: str) -> InstalledGame:
    if in_collection(name):
        return _collected(name)
    points = {point.name: point for point in entry_points(group=GROUP)}
    name = game_called(name)
    if name not in points:
        raise UnknownGame(unknown("game", name, sorted(points), package_hint(name) or called_hint(name)))
    try:
        game: InstalledGame = points[name].load()
    except Exception as error:  # the code behind an entry point is foreign and may do anything
        raise WrongMatch(f"game {name}: it cannot be loaded: {type(error).__name__}: {error}") from error
    return game


def _collected(name: str) -> InstalledGame:
    try:
        game: InstalledGame | None = collected(name)
    except NotInCollection as error:
        raise WrongMatch(str(error)) from error
    if game is None:
        raise WrongMatch(unknown("game", name, collected_names()))
    return game


def options_of(game: InstalledGame, texts: Mapping[str, str]) -> Any:
    """The options of a game. Raises WrongMatch."""
    try:
        return game.choose_options(texts)
    except Exception as error:  # the kind of error is the game's own
        raise WrongMatch(f"--option: {error}") from error


def players_of(game: InstalledGame, wanted: int, bots: int) -> int:
    """The seats of a game of this match. Raises WrongMatch."""
    least, most = game.players.min, min(game.players.max, bots)
    if least > bots:
        raise WrongMatch(f"{game.name} is for {least} players or more; there are {bots} bots")
    players = wanted or (bots if least <= bots <= most else least)
    if not least <= players <= most:
        raise WrongMatch(f"--players {players}: allowed with these bots: {least} to {most}")
    return players


def bundled(game: InstalledGame, name: str) -> Choose:
    """How a bundled bot chooses. Raises WrongMatch."""
    known = {bot.name: bot for bot in game.bots}
    if name not in known:
        raise WrongMatch(unknown(f"bot of {game.name}", name, sorted(known)))
    return known[name].choose
