"""Applications of other packages in the page: their routes, with what holds for all of the page."""

from collections.abc import Callable
from typing import Final

import trio
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from ugs.mounts import Mount, load_mounts
from ugs.page.server.request_line import is_own_origin, is_under_foreign_name

FOREIGN: Final = (
    "not from a page of another server. For one of this server: use 127.0.0.1 or localhost in a browser there; "
    "a proxy has to pass Host on, and to set X-Forwarded-Proto (docs/agents.md)\n"
)


def mounted(names: str, connect: Callable[[str], trio.abc.Stream]) -> list[Mount]:
    """The mounts that the setting ``names`` wants. Raises ConfigError."""
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    return [factory(connect) for factory in load_mounts(wanted)]


def mount_route(mount: Mount) -> BaseRoute:
    """The route of a mount. Browsers that show a page from elsewhere are refused, by their Origin; programs send none,
    and reach this machine by any name."""
    return Route(mount.path, endpoint=OwnOrigin(mount.app))


class OwnOrigin:
    """Lets programs and this server's own pages through."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection = HTTPConnection(scope)
        if is_own_origin(connection) and not is_under_foreign_name(connection):
            await self._app(scope, receive, send)
        else:
            await PlainTextResponse(FOREIGN, 403)(scope, receive, send)
