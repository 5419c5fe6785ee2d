"""Which package has which game type, for pages that the server writes itself.

A game may be known by the name of its package where its type is called something else. A worker finds that out, since
it has to load every game for it.
"""

from collections.abc import Mapping

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
    with trio.move_on_after(PATIENCE_S):
        try:
            found: Mapping[str, str] = await request.app.state.reads.call(Question("game names"))
        except Busy:
            return {}
        return found
    return {}
