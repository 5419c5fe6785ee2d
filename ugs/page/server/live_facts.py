"""What the running server adds to a page, before the worker writes it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import trio

from ugs.page.contract import Busy, Facts, Live
from ugs.page.server.boards import Boards
from ugs.page.server.front_row import FrontRow

PICTURES_PATIENCE_S: Final = 1.0
"""Seconds that the overview waits while others look at running games; then it shows what has been drawn so far."""


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """The running server, as far as pages know it."""

    live: Live
    boards: Boards
    front: FrontRow = field(default_factory=FrontRow)


Adds: TypeAlias = Callable[[ServerFacts, Mapping[str, Any]], Awaitable[Facts]]


async def nothing(_server: ServerFacts, _asked: Mapping[str, Any]) -> Facts:
    """Pages that are only about what is kept."""
    return {}


async def public(server: ServerFacts, _asked: Mapping[str, Any]) -> Facts:
    """The public facts."""
    return server.live.public()


async def overview(server: ServerFacts, _asked: Mapping[str, Any]) -> Facts:
    """The same, and what some running games look like."""
    facts = dict(server.live.public())
    try:
        wanted = server.front.wanted(facts["games"], trio.current_time())
        boards = await server.boards.look(wanted, PICTURES_PATIENCE_S)
    except Busy:  # there is more to be seen than pictures
        boards = {}
    return facts | {"boards": boards, "games": server.front.arranged(facts["games"], boards)}


async def alive(server: ServerFacts, _asked: Mapping[str, Any]) -> Facts:
    """That there is a server, and whether it begins games."""
    return server.live.alive()


async def why(server: ServerFacts, asked: Mapping[str, Any]) -> Facts:
    """The same, and why a player waits."""
    name = asked.get("name", asked.get("nick"))
    if name is None:
        return server.live.public()
    return {**await alive(server, asked), "why": server.live.why(str(name))}


async def game(server: ServerFacts, asked: Mapping[str, Any]) -> Facts:
    """The same, and what a running game looks like."""
    facts = dict(await alive(server, asked))
    board = (await server.boards.look([str(asked["id"])])).get(str(asked["id"]))
    if board is None:
        return facts
    facts |= {"board": board, "championship": server.boards.championship_of(board.game)}
    at = asked.get("at", board.positions)
    if not board.over and at < board.positions:
        facts["kept"] = await server.boards.positions(board.game, at, 1)
    return facts | {"thinking_s": server.boards.thinking_s(board.game)}


async def positions(server: ServerFacts, asked: Mapping[str, Any]) -> Facts:
    """Positions of a running game that were shown before."""
    board = (await server.boards.look([str(asked["id"])])).get(str(asked["id"]))
    if board is None or board.over:
        return {}
    return {"board": board, "kept": await server.boards.positions(board.game, asked.get("from", 1))}


FACTS: Final[Mapping[str, Adds]] = {
    "": nothing,
    "public": public,
    "alive": alive,
    "why": why,
    "game": game,
    "positions": positions,
    "overview": overview,
}
"""By the word in the table of pages."""
