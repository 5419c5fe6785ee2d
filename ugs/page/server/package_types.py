"""What games are called, for pages that the server writes itself: their packages, and their titles.

A game may be known by the name of its package where its type is called something else. A worker finds that out, since
it has to load every game for it.
"""

from collections.abc import Iterable, Mapping

import trio
from starlette.applications import Starlette
from starlette.requests import Request

from ugs.page.contract import Busy, Question, Reads

PATIENCE_S = 2.0
"""Seconds that a page waits for the names; it is useful without them."""


def lend_reads(app: Starlette, reads: Reads) -> None:
    """Let all routes of the application ask the workers."""
    app.state.reads = reads


async def types_of_games(request: Request) -> Mapping[str, str]:
    """The game type of each installed game, by the name of the game; only of those that differ. Empty where the workers
    do not answer in time."""
    return await _found(request, Question("game names"))


async def titles_of_types(request: Request, game_types: Iterable[str]) -> Mapping[str, str]:
    """The titles of game types, by the type. Empty where the workers do not answer in time."""
    return await _found(request, Question("game titles", {"types": tuple(dict.fromkeys(game_types))}))


async def _found(request: Request, question: Question) -> Mapping[str, str]:
    with trio.move_on_after(PATIENCE_S):
        try:
            found: Mapping[str, str] = await request.app.state.reads.call(question)
        except Busy:
            return {}
        return found
    return {}
