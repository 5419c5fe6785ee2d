"""Which game type is meant by people who type the name of a game's package instead."""

from importlib.metadata import entry_points
from typing import Final

GROUP: Final = "ugs.games"
"""The entry points of games."""


def type_hint(word: str | None) -> str:
    """The end of an error text: which game type the game called ``word`` has; empty where no game is called so, where
    its type is called the same, and where it cannot be loaded. Loads that game."""
    found = next((point for point in entry_points(group=GROUP) if point.name == word), None)
    if found is None:
        return ""
    try:
        game_type = str(found.load().game_type)
    except Exception:  # a package of others, on the way to an error text
        return ""
    return f" ({word!r} is a game whose type is {game_type!r})" if game_type != word else ""
