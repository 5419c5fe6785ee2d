"""The game that ``ugs demo`` shows, as its package describes it to people."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from ugs.commands.game_names import GROUP
from ugs.distributions import NotInstalled, what_installs
from ugs.game_collections import SEPARATOR, NotInCollection, collected, collection_of, in_collection
from ugs.loading import entry_points
from ugs.printable import meant

DEFAULT_GAME: Final = "tic-tac-toe"
MIN_BOTS: Final = 4
"""Bots of a demonstration that names no number, where the game can begin with so few."""
NO_GAMES: Final = 'no game is installed: pip install "ugs[games]"'
"""What to do where ugs was installed alone."""


class NoDemo(Exception):
    """There is nothing to show; the text gives the reason, and what to do."""


class WrongDemo(NoDemo):
    """The command line names what there is not."""


@dataclass(frozen=True, slots=True)
class DemoGame:
    """A game, and the bots that play it."""

    name: str
    game_type: str
    summary: str
    min_players: int
    bots: tuple[str, ...]
    """A good one, and one that plays anything, if there is one: their names."""
    explanations: tuple[str, ...]
    """What each of them does."""
    chance: bool = False
    """Whether dice or cards decide, too."""

    def number_of_bots(self, wanted: int | None) -> int:
        """How many bots play, if ``wanted`` (None: as many as is usual) are enough for a game. Raises NoDemo."""
        if wanted is None:
            return max(MIN_BOTS, self.min_players)
        if wanted < self.min_players:
            raise WrongDemo(f"{self.name} needs at least {self.min_players} players: --bots {self.min_players}")
        return wanted


def demo_game(name: str) -> DemoGame:
    """The installed game of this name, or that of a collection. Raises NoDemo."""
    if in_collection(name):
        try:
            made = collected(name)
        except NotInCollection as missing:
            raise NoDemo(str(missing)) from None
        if made is not None:
            return _described(made)
    points = {point.name: point for point in entry_points(group=GROUP)}
    if not points:
        raise NoDemo(NO_GAMES)
    if name not in points:
        from ugs.game_titles import called_hint  # a shell that asks for the options of a command waits for neither
        from ugs.type_hint import game_called, package_hint

        if (meant_game := game_called(name)) in points:
            return demo_game(meant_game)
        near = package_hint(name) or called_hint(name) or meant(name, points)
        here, lacking = playable(sorted(points))
        rest = f"; {not_installed(lacking)}" if lacking else ""
        raise WrongDemo(f"there is no game {name!r}{near}; installed: {', '.join(here) or 'none'}{rest}")
    try:
        return _described(points[name].load())
    except NotInstalled as error:
        raise NoDemo(f"the game {name!r} cannot be loaded: {error}") from error
    except Exception as error:  # the code behind an entry point is foreign and may do anything
        raise NoDemo(f"the game {name!r} cannot be loaded: {type(error).__name__}: {error}") from error


def playable(names: Iterable[str]) -> tuple[list[str], dict[str, str]]:
    """Those of these games, and of collections by their prefix, that can be played here; and why others cannot, by
    their names, where only a library is not installed. Loads them all."""
    here: list[str] = []
    lacking: dict[str, str] = {}
    for name in names:
        try:
            missing = _missing(name)
        except NoDemo as error:
            if isinstance(error.__cause__, NotInstalled):
                lacking[name] = str(error)
            continue
        if missing:
            lacking[f"games of {name.removesuffix(SEPARATOR)}"] = missing
        else:
            here.append(name)
    return here, lacking


def not_installed(lacking: Mapping[str, str]) -> str:
    """Games and collections that lack a library in one sentence, with what installs it where their reasons name
    that."""
    how = what_installs(lacking.values()) or "the reasons: ugs games --long"
    return f"not installed: {', '.join(lacking)}: {how}"


def _missing(name: str) -> str:
    """What a collection lacks to make games; empty if nothing, and for a game that can be loaded. Raises NoDemo."""
    if not in_collection(name):
        demo_game(name)
        return ""
    try:
        found = collection_of(name)
        return found[0].missing() if found is not None else ""
    except Exception as error:  # as below
        raise NoDemo(str(error)) from error


def _described(game: Any) -> DemoGame:
    first, *others = game.bots
    any_move = [bot for bot in others if bot.name.startswith("random")] or others
    bots = [first, *any_move[-1:]]
    return DemoGame(
        game.name,
        game.game_type,
        game.summary,
        game.players.min,
        tuple(bot.name for bot in bots),
        tuple(bot.explanation for bot in bots),
        game.chance,
    )
