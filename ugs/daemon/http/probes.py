"""What programs ask over HTTP: ``/metrics`` for Prometheus, ``/readyz`` for load balancers that send peers here.

``/healthz`` (:mod:`ugs.page.server.app`) shows that the server's loop answers, and nothing else. ``/metrics`` reveals
much about a server; unless the settings open it to all, it answers only this machine, and clients that show an
organiser's token over an encrypted or local line.
"""

from collections.abc import Callable

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from ugs.daemon.status.health import Health
from ugs.daemon.status.metrics import CONTENT_TYPE, Metrics
from ugs.page.server.request_line import is_from_here

NOT_ALLOWED, NOT_READY = 403, 503
FRESH = {"Cache-Control": "no-store"}


def probes(
    metrics: Metrics, health: Health, knows: Callable[[Request], bool], *, open_metrics: bool = False
) -> list[BaseRoute]:
    """The routes. ``knows`` is whether a request shows the token of an organiser."""

    async def answer(request: Request) -> Response:
        if not (open_metrics or is_from_here(request) or knows(request)):
            raise HTTPException(
                NOT_ALLOWED, "metrics are for this machine, or with the token of an organiser over TLS (open_metrics)"
            )
        return Response(metrics.text(), headers={**FRESH, "Content-Type": CONTENT_TYPE})

    async def ready(_request: Request) -> Response:
        obstacles = health.obstacles()
        body = {"ready": not obstacles, "obstacles": obstacles, **health.cluster.summary()}
        return JSONResponse(body, NOT_READY if obstacles else 200, FRESH)

    return [Route("/metrics", answer), Route("/readyz", ready)]
