"""What the running server adds to a page, before the worker writes it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from ugs.page.boards import Boards
from ugs.page.contract import Facts, Live

PICTURES: Final = 6
"""Running games that the overview shows as pictures."""


@dataclass(frozen=True, slots=True)
class Server:
    """The running server, as far as pages know it."""

    live: Live
    boards: Boards


Adds: TypeAlias = Callable[[Server, Mapping[str, Any]], Awaitable[Facts]]


async def nothing(_server: Server, _asked: Mapping[str, Any]) -> Facts:
    """Pages that are only about what is kept."""
    return {}


async def public(server: Server, _asked: Mapping[str, Any]) -> Facts:
    """What everybody may know."""
    return server.live.public()


async def overview(server: Server, _asked: Mapping[str, Any]) -> Facts:
    """The same, and what some running games look like."""
    told = dict(server.live.public())
    boards = await server.boards.look([game["game"] for game in told["games"][:PICTURES]])
    return told | {"boards": boards}


FACTS: Final[Mapping[str, Adds]] = {"": nothing, "public": public, "overview": overview}
"""By the word in the table of pages."""
