"""What programs ask over HTTP: ``/metrics`` for Prometheus, ``/readyz`` for load balancers that send peers here.

``/healthz`` (:mod:`ugs.page.server.app`) shows that the server's loop answers, and nothing else. ``/metrics`` reveals
much about a server; unless the settings open it to all, it answers only this machine, and clients that show an
organiser's token over an encrypted or local line.
"""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from ugs.daemon.status.figures import Parts
from ugs.page.server.request_line import is_from_here

if TYPE_CHECKING:
    from ugs.daemon.status.metrics import Metrics

NOT_ALLOWED, NOT_READY = 403, 503
FRESH = {"Cache-Control": "no-store"}


def probes(parts: Parts, knows: Callable[[Request], bool], *, open_metrics: bool = False) -> list[BaseRoute]:
    """The routes. ``parts`` are the server's; ``knows`` is whether a request shows the token of an organiser."""
    health = parts.health

    @cache
    def metrics() -> "Metrics":
        # Few servers are asked, and the library that writes the text takes a fortieth of a start.
        from ugs.daemon.status.metrics import Metrics

        return Metrics(parts)

    async def answer(request: Request) -> Response:
        if not (open_metrics or is_from_here(request) or knows(request)):
            raise HTTPException(
                NOT_ALLOWED, "metrics are for this machine, or with the token of an organiser over TLS (open_metrics)"
            )
        figures = metrics()
        return Response(figures.text(), headers={**FRESH, "Content-Type": figures.CONTENT_TYPE})

    async def ready(_request: Request) -> Response:
        obstacles = health.obstacles()
        body = {"ready": not obstacles, "obstacles": obstacles, **health.cluster.summary()}
        return JSONResponse(body, NOT_READY if obstacles else 200, FRESH)

    return [Route("/metrics", answer), Route("/readyz", ready)]
