"""Which name is meant by people who type the name of a game's package for its type, the type for the package, or what
people call the game for either."""

import re
from collections.abc import Collection, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Final

GROUP: Final = "ugs.games"
"""The entry points of games."""
_GUESS: Final = re.compile(r" \(did you mean '[^'()]*'\?\)")
"""What a text says of words that are close (:func:`ugs.printable.meant`)."""
_WORD: Final = re.compile(r"[^\W_]+")
_NUMBERS: Final = {"1": "one", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six"}
"""Numbers that titles have as words: of players, of stones in a row."""


def type_hint(word: str | None) -> str:
    """The end of an error text: which game type the game called ``word`` has; empty where no game is called so, where
    its type is called the same, and where it cannot be loaded; or which type has the title ``word``. Loads that game,
    or all of them if none has this name."""
    if not word:
        return ""
    points = installed_games()
    if any(point.name == word for point in points):
        game_type = next((_type_of(point) for point in points if point.name == word), "")
        return f" ({word!r} is a game whose type is {game_type!r})" if game_type not in ("", word) else ""
    if word in (types := {point.name: _type_of(point) for point in points}).values():
        return ""
    return title_hint(word, {types[name]: title for name, title in _titles().items() if types[name]}, "the type ")


def hinted(text: str, word: str | None) -> str:
    """An error text about the game type ``word`` with the hint, which stands in the place of a guess."""
    hint = type_hint(word)
    if not hint:
        return text
    # A function, since sub() would read a backslash in a name as its own.
    return _GUESS.sub(lambda _: hint, text, count=1) if _GUESS.search(text) else text + hint


def package_hint(word: str | None) -> str:
    """The same the other way: which game has the type or the title ``word``; empty where none has, and where a game is
    called so. Loads all games."""
    points = installed_games()
    if not word or word in {point.name for point in points}:
        return ""
    name = next((point.name for point in points if _type_of(point) == word), "")
    return f" ({word!r} is the game type of {name!r})" if name else title_hint(word, _titles())


def title_hint(word: str, titles: Mapping[str, str], kind: str = "") -> str:
    """The end of an error text: which name has the title ``word``, of ``titles`` by their names; empty where none has.
    Case, punctuation and whether a number is written as a word do not count. ``kind`` stands before the name."""
    wanted = words_of(word)
    name = next((name for name, title in titles.items() if wanted and words_of(title) == wanted), "")
    return f" ({titles[name]!r} is the title of {kind}{name!r})" if name else ""


def type_called(word: str, types: Collection[str]) -> str:
    """Which of these game types is meant by ``word``: itself, or the type of the installed game called so; ``word``
    where neither is among them. May load that game."""
    if word in types:
        return word
    game_type = next((_type_of(point) for point in installed_games() if point.name == word), "")
    return game_type if game_type and game_type in types else word


def game_called(word: str) -> str:
    """Which installed game is meant by ``word``: the one of this name, or the only one of this type; ``word`` where
    there is none. Loads all games unless one has this name."""
    points = installed_games()
    if not word or any(point.name == word for point in points):
        return word
    of_type = [point.name for point in points if _type_of(point) == word]
    return of_type[0] if len(of_type) == 1 else word


def types_of_games() -> dict[str, str]:
    """The game type of each installed game, by the name of the game; only of those that differ. Loads all games."""
    found = {point.name: _type_of(point) for point in installed_games()}
    return {name: game_type for name, game_type in found.items() if game_type not in ("", name)}


def installed_types() -> list[str]:
    """The game types of all installed games, by their names. Loads all games."""
    return [game_type for point in installed_games() if (game_type := _type_of(point))]


@cache  # finding out what is installed takes milliseconds, and visitors of the page may ask often
def installed_games() -> tuple[EntryPoint, ...]:
    """The entry points of all installed games, by their names."""
    return tuple(sorted(entry_points(group=GROUP), key=lambda point: point.name))


def words_of(title: str) -> list[str]:
    """The words of a title or another name, to compare them: without case and punctuation, small numbers as words."""
    return [_NUMBERS.get(word, word) for word in _WORD.findall(title.casefold())]


@cache  # a package that cannot be loaded is tried at each call otherwise
def _titles() -> Mapping[str, str]:
    """The title of each installed game that declares one, by the name of the game. Loads all games."""
    found: dict[str, str] = {}
    for point in installed_games():
        try:
            found[point.name] = str(getattr(point.load(), "title", ""))
        except Exception:  # as below
            continue
    return {name: title for name, title in found.items() if title}


def _type_of(point: EntryPoint) -> str:
    try:
        return str(point.load().game_type)
    except Exception:  # a package of others, on the way to an error text
        return ""
