"""Which name is meant by people who type the name of a game's package for its type, or the type for the package."""

import re
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Final

GROUP: Final = "ugs.games"
"""The entry points of games."""
_GUESS: Final = re.compile(r" \(did you mean '[^'()]*'\?\)")
"""What a text says of words that are close (:func:`ugs.printable.meant`)."""


def type_hint(word: str | None) -> str:
    """The end of an error text: which game type the game called ``word`` has; empty where no game is called so, where
    its type is called the same, and where it cannot be loaded. Loads that game."""
    game_type = next((_type_of(point) for point in installed_games() if point.name == word), "")
    return f" ({word!r} is a game whose type is {game_type!r})" if game_type not in ("", word) else ""


def hinted(text: str, word: str | None) -> str:
    """An error text about the game type ``word`` with the hint, which stands in the place of a guess."""
    hint = type_hint(word)
    if not hint:
        return text
    # A function, since sub() would read a backslash in a name as its own.
    return _GUESS.sub(lambda _: hint, text, count=1) if _GUESS.search(text) else text + hint


def package_hint(word: str | None) -> str:
    """The same the other way: which game has the type ``word``; empty where none has, and where a game is called so.
    Loads all games."""
    points = installed_games()
    if not word or word in {point.name for point in points}:
        return ""
    name = next((point.name for point in points if _type_of(point) == word), "")
    return f" ({word!r} is the game type of {name!r})" if name else ""


def types_of_games() -> dict[str, str]:
    """The game type of each installed game, by the name of the game; only of those that differ. Loads all games."""
    found = {point.name: _type_of(point) for point in installed_games()}
    return {name: game_type for name, game_type in found.items() if game_type not in ("", name)}


@cache  # finding out what is installed takes milliseconds, and visitors of the page may ask often
def installed_games() -> tuple[EntryPoint, ...]:
    """The entry points of all installed games, by their names."""
    return tuple(sorted(entry_points(group=GROUP), key=lambda point: point.name))


def _type_of(point: EntryPoint) -> str:
    try:
        return str(point.load().game_type)
    except Exception:  # a package of others, on the way to an error text
        return ""
