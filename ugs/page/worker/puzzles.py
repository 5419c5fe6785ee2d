"""The puzzles of installed games: each with its position, its task and the way to a try."""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Final
from zlib import crc32

import structlog

from ugs.game_titles import by_title
from ugs.page.contract import Facts
from ugs.page.model import Puzzle, Puzzles
from ugs.page.worker.live_views import server_of
from ugs.page.worker.public_journal import NotThere, PublicJournal
from ugs.pictures.contract import PuzzleShown
from ugs.pictures.installed_renderers import puzzled
from ugs.printable import unknown
from ugs.type_hint import type_called, type_hint

MAX_PUZZLES: Final = 60
"""Puzzles of a game on its page."""
MAX_DRAWN: Final = 500
"""Positions that are drawn once."""


def puzzles(site: PublicJournal, asked: Mapping[str, Any], facts: Facts) -> Puzzles:
    """The puzzles of one game type; without a choice of the first that can be played now, else of the first."""
    types = by_title(name for name in puzzled() if puzzles_of(name))
    led = {one["game_type"] for one in facts.get("game_types", ()) if one["masters"]}
    wanted = asked.get("game_type") or next((one for one in types if one in led), next(iter(types), ""))
    wanted = type_called(wanted, types)
    if wanted and wanted not in types:
        raise NotThere(unknown("game type with puzzles", wanted, types, type_hint(wanted)))
    found = puzzles_of(wanted) if wanted else ()
    shown = [
        Puzzle(one.number, one.title, one.task, one.seats, *drawn(wanted, one.number)) for one in found[:MAX_PUZZLES]
    ]
    return Puzzles(server_of(site, facts), wanted, types, shown, max(0, len(found) - MAX_PUZZLES), wanted in led)


def tasks() -> dict[str, list[dict[str, Any]]]:
    """Title, task and number of seats of each puzzle, by game type, in the order of their numbers."""
    return {
        name: [{"title": one.title, "task": one.task, "seats": one.seats} for one in puzzles_of(name)]
        for name in puzzled()
    }


@cache
def puzzles_of(game_type: str) -> Sequence[PuzzleShown]:
    """The puzzles of a game; none if its package cannot list them."""
    try:
        return puzzled()[game_type]()
    except Exception as error:  # the code of a package is foreign and may do anything
        why = f"{type(error).__name__}: {error}"
        structlog.get_logger("ugs.page").warning("no puzzles of a game", game=game_type, why=why)
        return ()


@lru_cache(MAX_DRAWN)
def drawn(game_type: str, number: int) -> tuple[str, str]:
    """The position of a puzzle as SVG and in words; empty where there is no picture of it."""
    try:
        picture = puzzles_of(game_type)[number - 1].picture()
        if picture is None:
            return "", ""
        # Plain text, whatever the game gives: it goes into a model, which travels.
        return str(picture.svg(f"z{crc32(game_type.encode()):08x}-{number}")), picture.words()
    except Exception as error:  # as above
        why = f"{type(error).__name__}: {error}"
        structlog.get_logger("ugs.page").warning("no picture of a puzzle", game=game_type, puzzle=number, why=why)
        return "", ""
