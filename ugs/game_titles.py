"""What people call a game: pages show it where the wire and the commands have the game type.

A game declares it as its ``title``. A type whose package is not installed, or has none, is shown in words:
``connect-four`` is "Connect four". No type is shown under the title of another one.

Other names that people know a game by are ``also_called``: commands suggest the game to those who type one of them.
"""

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from functools import cache, lru_cache
from importlib.metadata import EntryPoint
from typing import Final

from ugs.game_collections import SEPARATOR, collected_names, find_collections
from ugs.printable import safe
from ugs.type_hint import installed_games, title_hint, words_of

MAX_TITLES: Final = 512
"""Game types whose titles are remembered: anyone may log in with a type of their own."""


@lru_cache(MAX_TITLES)
def title_of(game_type: str) -> str:
    """The title of a game type, in one printable line. Loads installed games until one has this type: those first whose
    names are like it."""
    own = find_title(game_type, installed_games())
    if own is not None:
        return own
    prefix, separator, rest = game_type.partition(SEPARATOR)
    of_collection = bool(separator) and prefix in _prefixes()
    words = in_words(rest if of_collection else game_type)
    if not _is_taken(words):
        return words
    return f"{words} ({safe(prefix) if of_collection else f'type {safe(game_type)}'})"


def titles_apart(game_types: Iterable[str]) -> dict[str, str]:
    """The titles of game types that are offered together, by the type: those that read alike have their types behind
    them."""
    titles = {one: title_of(one) for one in game_types}
    times = Counter(map(str.casefold, titles.values()))
    return {one: f"{title} ({safe(one)})" if times[title.casefold()] > 1 else title for one, title in titles.items()}


def by_title(game_types: Iterable[str]) -> list[str]:
    """Game types in the order of their titles."""
    return sorted(game_types, key=lambda one: title_of(one).casefold())


def collected_hint(word: str) -> str:
    """The end of an error text: which game of a collection has ``word`` as its name or title; empty where none has.
    Loads all collections."""
    return title_hint(word, {name: in_words(name.partition(SEPARATOR)[2]) for name in collected_names()})


def in_words(game_type: str) -> str:
    """A game type as words, the first with a capital: ``connect_four`` is "Connect four"; parameters in brackets."""
    name, bracket, parameters = safe(game_type).partition("(")
    words = " ".join(name.replace("_", " ").replace("-", " ").split()) or name
    given = ", ".join(parameters.removesuffix(")").replace("_", " ").replace("=", " ").split(","))
    return words[:1].upper() + words[1:] + (f" ({given})" if bracket else "")


def find_title(game_type: str, points: Iterable[EntryPoint]) -> str | None:
    """The title that an installed game of this type declares, its type in words if it declares none; None where no game
    has this type. Games that cannot be loaded are passed over."""

    def unlike(point: EntryPoint) -> tuple[bool, bool, str]:
        return point.name != game_type, point.name not in game_type, point.name

    for point in sorted(points, key=unlike):
        try:
            game = point.load()
            if str(game.game_type) == game_type:
                return safe(str(getattr(game, "title", ""))) or in_words(game_type)
        except Exception:  # the code behind an entry point is foreign and may do anything
            continue
    return None


def called_hint(word: str) -> str:
    """The end of an error text: which games people also call ``word``, of those installed and of collections, or which
    game of a collection has it as its name or title; empty where none is called so. Loads all games, and all
    collections where none of these has the name."""
    wanted = "".join(words_of(word))  # "connectfour" is meant like "connect four"
    games = _called(wanted, _also_called())
    # Last the bare names of games in collections: those whose library is missing do not know their games.
    near = "" if games else collected_hint(word)
    games = games or ([] if near else _called(wanted, _bare_names()))
    return f" ({word!r} is also a name of {' and '.join(games)})" if games else near


def _called(wanted: str, names: Iterable[tuple[str, str]]) -> list[str]:
    return [repr(game) for name, game in names if wanted and "".join(words_of(name)) == wanted]


def _is_taken(words: str) -> bool:
    """Whether an installed game has this title."""
    return words.casefold() in _taken()


@cache
def _taken() -> frozenset[str]:
    found: set[str] = set()
    for point in installed_games():
        try:
            game_type = str(point.load().game_type)
        except Exception:  # as above
            continue
        found.add((find_title(game_type, [point]) or "").casefold())
    return frozenset(found)


@cache
def _also_called() -> tuple[tuple[str, str], ...]:
    """Names that people know games by, each with the name of its game."""
    found: list[tuple[str, str]] = []
    for point in installed_games():
        with suppress(Exception):  # as above
            found += [(str(name), point.name) for name in getattr(point.load(), "also_called", ())]
    for prefix, point in sorted(find_collections().items()):
        with suppress(Exception):
            named = getattr(point.load(), "also_called", {})
            found += [(str(name), f"{prefix}{SEPARATOR}{rest}") for rest, names in named.items() for name in names]
    return tuple(found)


@cache
def _bare_names() -> tuple[tuple[str, str], ...]:
    """Games of collections that are known by other names, each by its own."""
    games = dict.fromkeys(game for _, game in _also_called() if SEPARATOR in game)
    return tuple([(game.partition(SEPARATOR)[2], game) for game in games])


@cache
def _prefixes() -> frozenset[str]:
    return frozenset(find_collections())
