"""Finds the installed games through the entry-point group ``ugs.games``.

A package adds a game by declaring where its :class:`~game_masters.kit.rules.Game` lies, under the game's name on the
command line; no file here is edited for it. A package that cannot be used is reported with its name and does not affect
the others.

The games of a collection (:mod:`ugs.game_collections`) are made when they are asked for, and listed by
:func:`find_collected`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Final

from game_masters.kit.rules import AnyGame, Game
from ugs.distributions import NotInstalled
from ugs.game_collections import NotInCollection, collected, collected_names, in_collection
from ugs.game_titles import called_hint
from ugs.printable import meant
from ugs.type_hint import title_hint

GROUP = "ugs.games"
OWN_GAME: Final = "a game led by a program of yours: see `ugs example master-writer.md` for the commands that it has"


class NoSuchGame(Exception):
    """No installed game has that name, or the package that has it is broken. The text gives the name and the reason."""


@dataclass(frozen=True)
class Installed:
    """A game and the package that provides it."""

    game: AnyGame
    package: str


@dataclass(frozen=True)
class Broken:
    """An entry point that leads to no usable game, and why."""

    name: str
    package: str
    reason: str
    lacks_library: bool = False
    """Whether nothing is wrong with it but that what it needs is not installed."""

    def __str__(self) -> str:
        return f"game {self.name!r} of the package {self.package!r} cannot be used: {self.reason}"


@dataclass(frozen=True)
class Registry:
    """The games found and the broken entry points, each ordered by name."""

    installed: tuple[Installed, ...]
    broken: tuple[Broken, ...]

    def game(self, name: str) -> AnyGame:
        """Return the game called ``name``, or the only one of this game type. Raises :class:`NoSuchGame`."""
        for entry in self.installed:
            if entry.game.name == name:
                return entry.game
        for broken in self.broken:
            if broken.name == name:
                raise NoSuchGame(str(broken))
        if in_collection(name):
            return _collected(name)
        if not self.installed and not self.broken:
            raise NoSuchGame(f'there is no game {name!r}: none is installed: pip install "ugs[games]"; {OWN_GAME}')
        of_type = [entry.game for entry in self.installed if entry.game.game_type == name]
        if len(of_type) == 1:
            return of_type[0]
        names = ", ".join(entry.game.name for entry in self.installed) or "none"
        near = f" ({name!r} is the game type of {of_type[0].name!r})" if of_type else ""
        near = near or self.title_hint(name) or meant(name, (entry.game.name for entry in self.installed))
        raise NoSuchGame(
            f"there is no game {name!r}{near}; installed: {names}; another one comes with a package of its own; "
            f"{OWN_GAME}"
        )

    def title_hint(self, word: str) -> str:
        """The end of an error text: which game has the title ``word``, or is also called so; empty where none is."""
        titles = {entry.game.name: entry.game.title for entry in self.installed}
        return title_hint(word, titles) or called_hint(word)


def find_games(points: Iterable[EntryPoint] | None = None) -> Registry:
    """Load every declared game. ``points`` are the entry points, by default those of all installed packages; tests pass
    their own."""
    found = sorted(
        set(entry_points(group=GROUP) if points is None else points),
        # So that of two packages with a game of one name the same one always wins.
        key=lambda point: (point.name, _package(point)),
    )
    installed: list[Installed] = []
    broken: list[Broken] = []
    packages: dict[str, str] = {}
    for point in found:
        package = _package(point)
        if point.name in packages:
            reason = f"the package {packages[point.name]!r} has a game of that name already"
            broken.append(Broken(point.name, package, reason))
            continue
        try:
            game = _load(point)
        except NotInstalled as error:
            broken.append(Broken(point.name, package, str(error), lacks_library=True))
            continue
        if isinstance(game, str):
            broken.append(Broken(point.name, package, game))
            continue
        packages[point.name] = package
        installed.append(Installed(game, package))
    return Registry(tuple(installed), tuple(broken))


def find_game(name: str, points: Iterable[EntryPoint] | None = None) -> AnyGame:
    """Return the game called ``name`` and load no other one, which a program that plays one game would wait for. Raises
    :class:`NoSuchGame`. ``points`` as for :func:`find_games`."""
    if in_collection(name):
        return _collected(name)
    every = list(entry_points(group=GROUP) if points is None else points)
    called_so = find_games(point for point in every if point.name == name)
    # All are loaded only for the error, which names them.
    return (called_so if called_so.installed or called_so.broken else find_games(every)).game(name)


def find_collected(installed: Registry) -> Registry:
    """Return ``installed`` and all games that collections name, which are made for it: that takes seconds."""
    games: list[Installed] = []
    broken: list[Broken] = []
    for name in collected_names():
        try:
            games.append(Installed(_collected(name), name.partition(":")[0]))
        except NoSuchGame as error:
            broken.append(Broken(name, name.partition(":")[0], str(error)))
    return Registry((*installed.installed, *games), (*installed.broken, *broken))


def _collected(name: str) -> AnyGame:
    """Return the game of a collection. Raises NoSuchGame."""
    try:
        game = collected(name)
    except NotInCollection as error:
        raise NoSuchGame(str(error)) from error
    if game is None:
        known = collected_names()
        raise NoSuchGame(f"there is no game {name!r}{meant(name, known)}; no installed collection is called so")
    if not isinstance(game, Game):
        raise NoSuchGame(f"{name} is a {type(game).__name__}, not a game_masters.kit.rules.Game")
    return game


def _load(point: EntryPoint) -> AnyGame | str:
    """Return the game, or what is wrong with it. The code behind an entry point is foreign and may do anything. Raises
    NotInstalled for a game that lacks a library."""
    try:
        game = point.load()
    except NotInstalled:
        raise
    except Exception as error:
        return f"loading {point.value} failed: {type(error).__name__}: {error}"
    if not isinstance(game, Game):
        return f"{point.value} is a {type(game).__name__}, not a game_masters.kit.rules.Game"
    if game.name != point.name:
        return f"the game calls itself {game.name!r}, its entry point {point.name!r}"
    return game


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else "unknown"
