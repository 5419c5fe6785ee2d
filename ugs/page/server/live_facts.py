"""What the running server adds to a page, before the worker writes it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import trio

from ugs.page.contract import Busy, Facts, Live
from ugs.page.server.live_boards import Boards
from ugs.page.server.overview_games import FrontRow

PICTURES_PATIENCE_S: Final[Mapping[str, float]] = {"html": 0.3, "parts": 0.2, "json": 20.0, "csv": 20.0}
"""Seconds that an answer in this form waits for the pictures of running games; then it shows what has been drawn so
far. Open pages get the others when they look for news next."""


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """The running server, as far as pages know it."""

    live: Live
    boards: Boards
    front: FrontRow = field(default_factory=FrontRow)


Adds: TypeAlias = Callable[[ServerFacts, Mapping[str, Any], float], Awaitable[Facts]]
"""Takes the server, what is asked, and for how many seconds pictures may be waited for."""


async def nothing(_server: ServerFacts, _asked: Mapping[str, Any], _patience_s: float) -> Facts:
    """Pages that are only about what is kept."""
    return {}


async def public(server: ServerFacts, _asked: Mapping[str, Any], _patience_s: float) -> Facts:
    """The public facts of this server alone."""
    return server.live.public()


async def whole(server: ServerFacts, _asked: Mapping[str, Any], _patience_s: float) -> Facts:
    """The same of all nodes of the cluster, if there is one."""
    return server.live.whole()


async def overview(server: ServerFacts, _asked: Mapping[str, Any], patience_s: float) -> Facts:
    """The same, and what some running games look like."""
    facts = dict(server.live.whole())
    try:
        wanted = server.front.wanted(facts["games"], trio.current_time())
        boards = await server.boards.look(wanted, patience_s)
    except Busy:  # there is more to be seen than pictures
        boards = {}
    return facts | {"boards": boards, "games": server.front.arranged(facts["games"], boards)}


async def alive(server: ServerFacts, _asked: Mapping[str, Any], _patience_s: float) -> Facts:
    """That there is a server, and whether it begins games."""
    return server.live.alive()


async def why(server: ServerFacts, asked: Mapping[str, Any], patience_s: float) -> Facts:
    """The same, and why a player waits."""
    name = asked.get("name", asked.get("nick"))
    if name is None:
        return server.live.whole()
    return {**await alive(server, asked, patience_s), "why": server.live.why(str(name))}


async def game(server: ServerFacts, asked: Mapping[str, Any], patience_s: float) -> Facts:
    """The same, and what a running game looks like; without a picture if it is not drawn in time."""
    facts = dict(await alive(server, asked, patience_s))
    game_id, boards = str(asked["id"]), server.boards
    board = (await boards.look([game_id], patience_s)).get(game_id) or boards.blank(game_id)
    if board is None:
        return facts
    facts |= {"board": board, "championship": boards.championship_of(game_id), "tree": boards.plain(game_id)}
    at = asked.get("at", board.positions)
    if not board.over and at < board.positions:
        with trio.move_on_after(patience_s):
            facts["kept"] = await boards.positions(game_id, at, 1)
    awaited = None if board.over else server.live.awaited(game_id)
    thinking_s = boards.thinking_s(game_id) if awaited is None else None
    return facts | {"thinking_s": thinking_s, "awaited": awaited}


async def positions(server: ServerFacts, asked: Mapping[str, Any], patience_s: float) -> Facts:
    """Positions of a running game that were shown before."""
    board = (await server.boards.look([str(asked["id"])], patience_s)).get(str(asked["id"]))
    if board is None or board.over:
        return {}
    return {"board": board, "kept": await server.boards.positions(board.game, asked.get("from", 1))}


FACTS: Final[Mapping[str, Adds]] = {
    "": nothing,
    "public": public,
    "whole": whole,
    "alive": alive,
    "why": why,
    "game": game,
    "positions": positions,
    "overview": overview,
}
"""By the word in the table of pages."""
