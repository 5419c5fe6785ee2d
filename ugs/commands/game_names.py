"""Names for the completion of a shell: installed games, their bots, championships."""

import os
from typing import Any

import typer

from ugs.game_collections import NotInCollection, collected, collected_names, find_collections, in_collection
from ugs.loading import entry_points
from ugs.places import place_of

GROUP = "ugs.games"
STARTS = ("python:", "connect")
"""How a bot may begin besides bundled ones and commands."""


def games(incomplete: str = "") -> list[str]:
    """The installed games whose names begin so; those of a collection once its prefix is there."""
    if in_collection(incomplete):
        return [name for name in collected_names() if name.startswith(incomplete)]
    known = {entry.name for entry in entry_points(group=GROUP)} | {f"{prefix}:" for prefix in find_collections()}
    return sorted(name for name in known if name.startswith(incomplete))


def bots(game: str, incomplete: str = "") -> list[str]:
    """The bundled bots of a game whose names begin so; none where the game cannot be loaded."""
    if in_collection(game):
        try:
            made: Any = collected(game)
        except NotInCollection:
            return []
        return sorted(bot.name for bot in made.bots if bot.name.startswith(incomplete)) if made is not None else []
    for entry in entry_points(group=GROUP):
        if entry.name == game:
            try:
                found: Any = entry.load()
                return sorted(bot.name for bot in found.bots if bot.name.startswith(incomplete))
            except Exception:  # any error in another package: a shell only completes
                return []
    return []


def bot_words(context: typer.Context, incomplete: str = "") -> list[str]:
    """How ``NAME=builtin:BOT`` may go on, for the game on the line; where none is there yet, no bots are known."""
    name, _, how = incomplete.partition("=")
    game = context.params.get("game") or next(iter(context.args), "")  # words are still in args behind an open option
    bundled = [f"builtin:{bot}" for bot in bots(game)] or ["builtin:"]
    return [f"{name}={one}" for one in [*bundled, *STARTS] if one.startswith(how)]


def championship_names(context: typer.Context, incomplete: str = "") -> list[str]:
    """The championships of the data directory that is on the line or in the environment; none where it has none."""
    data_dir = context.params.get("data_dir") or os.environ.get("UGS_DATA_DIR")
    if not data_dir:
        return []
    from ugs.journal.reader import Reader  # only who asks for these waits for it

    try:
        with Reader(place_of(data_dir)) as reader:
            return sorted({one.name for one in reader.championships() if one.name.startswith(incomplete)})
    except Exception:  # any error in a journal: a shell only completes
        return []
