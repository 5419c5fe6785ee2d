"""Options of a plan beside those of installed games: a mistake shows before any game master is there."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final

from ugs.game_collections import collected, in_collection
from ugs.type_hint import installed_games

OF_MASTERS: Final = frozenset({"puzzle"})
"""Options that game masters of installed games offer beside those of the game."""


def refused_options(game_type: str, options: Mapping[str, str]) -> str:
    """Why no installed game of this type takes these options; empty where one does, and where none is installed."""
    checked = {name: value for name, value in options.items() if name not in OF_MASTERS}
    refusals = []
    for game in _games_of(game_type) if checked else ():
        try:
            game.choose_options(checked)
        except Exception as error:  # the kind of error is the game's own
            refusals.append(str(error))
        else:
            return ""
    return f"the installed game of type {game_type} refuses its options: {refusals[0]}" if refusals else ""


def _games_of(game_type: str) -> Iterator[Any]:
    """The installed games of this type, without those that cannot be loaded."""
    loads: list[Callable[[], Any]] = [partial(collected, game_type)]
    for load in loads if in_collection(game_type) else [one.load for one in installed_games()]:
        try:
            game = load()
            found = str(game.game_type) == game_type
        except Exception:  # a package of others
            continue
        if found:
            yield game
